// A chain of beam elements, clamped at its first node, under dead forces and moments at its last:
// equilibrium by Newton's method in load steps. Every iteration starts from g = 0: turns multiply
// the orientations.
#pragma once

#include <Eigen/LU>
#include <deque>
#include <vector>

#include "problems/spatial/beam_element.hpp"

namespace daemark {
namespace test {

/// One element alone, evaluated in double.
template <class Law>
class BeamPart {
 public:
  static constexpr int nodes = Law::nodes, k = 6 * nodes;
  using Vector = std::array<double, k>;
  using Chart = std::array<double, 4 * nodes>;

  explicit BeamPart(const Law& law)
      : part_(std::make_unique<Part>(
            sizes(), [law](const PartArguments& at) { return beam_element(law, at); })) {}

  Vector force(const Vector& q, const Chart& chart) {
    return run<k>(PartGroup::force, q, {}, chart);
  }
  /// −∂f/∂q, row by row.
  std::array<double, k * k> stiffness(const Vector& q, const Chart& chart) {
    const auto entries = run<k * k>(PartGroup::residual_q, q, {}, chart);
    std::array<double, k * k> by_q{};
    const auto& places = part_->places(PartGroup::residual_q);
    for (std::size_t i = 0; i < places.size(); ++i)
      by_q[places[i].first * k + places[i].second] = entries[i];
    return by_q;
  }
  double potential(const Vector& q, const Chart& chart) {
    return run<1>(PartGroup::potential, q, {}, chart)[0];
  }
  double power(const Vector& q, const Vector& v, const Chart& chart) {
    return run<1>(PartGroup::power, q, v, chart)[0];
  }

 private:
  static PartSizes sizes() {
    PartSizes sizes;
    sizes.k = k, sizes.chart = 4 * nodes;
    return sizes;
  }
  template <std::size_t count>
  std::array<double, count> run(PartGroup group, const Vector& q, const Vector& v,
                                const Chart& chart) {
    graph::Evaluator<double>& evaluator = evaluators_[static_cast<int>(group)];
    if (!evaluator) evaluator = graph::Evaluator<double>(part_->code(bit(group)));
    std::array<double, count> values{};
    double* x =
        std::copy(v.begin(), v.end(), std::copy(q.begin(), q.end(), evaluator.inputs() + 1));
    std::copy(chart.begin(), chart.end(), x + k);  // after the accelerations
    double* groups[part_groups] = {};
    groups[static_cast<int>(group)] = values.data();
    evaluator.run(groups);
    return values;
  }

  std::unique_ptr<Part> part_;
  std::array<graph::Evaluator<double>, part_groups> evaluators_;
};

}  // namespace test

template <class Law>
class StaticBeam {
 public:
  using Pose = SectionPose<double>;
  using Vector6 = Eigen::Matrix<double, 6, 1>;

  /// Poses of the nodes without load, (nodes − 1) a multiple of Law::nodes − 1.
  StaticBeam(std::vector<Pose> poses, const SectionStiffness& D) : poses_(std::move(poses)) {
    constexpr int step = Law::nodes - 1;
    for (std::size_t first = 0; first + 1 < poses_.size(); first += step) {
      std::array<SectionPose<wide>, Law::nodes> unloaded;
      for (int i = 0; i < Law::nodes; ++i) {
        const auto& [x, p] = poses_[first + i];
        unloaded[i] = {{x[0], x[1], x[2]}, {p[0], p[1], p[2], p[3]}};
      }
      elements_.emplace_back(static_cast<int>(first), test::BeamPart<Law>(Law(unloaded, D)));
    }
  }

  const std::vector<Pose>& poses() const { return poses_; }

  /// Newton iterations used; −1 where one of the load steps does not converge.
  int solve(const Vector6& load, int load_steps) {
    int iterations = 0;
    for (int s = 1; s <= load_steps; ++s)
      for (int i = 0;; ++i) {
        const double change = iterate(load * s / load_steps);
        ++iterations;
        if (!(change < 1e6) || i == 50) return -1;
        if (change < 1e-10 * (1 + reach())) break;
      }
    return iterations;
  }
  /// Largest displacement [m] or turn [rad] of one iteration.
  double iterate(const Vector6& load) {
    const int n = 6 * static_cast<int>(poses_.size());
    Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n, n);
    Eigen::VectorXd f = Eigen::VectorXd::Zero(n);
    f.tail<6>() = load;
    K.bottomRightCorner<3, 3>() -= skew(load.tail<3>()) / 2;  // ∂(Gᵀ M)/∂g
    for (auto& [first, element] : elements_) add(first, element, K, f);
    K.topRows<6>().setZero();
    K.topLeftCorner<6, 6>().setIdentity();
    f.head<6>().setZero();
    const Eigen::VectorXd change = K.partialPivLu().solve(f);
    for (std::size_t i = 0; i < poses_.size(); ++i) move(change.data() + 6 * i, poses_[i]);
    return change.cwiseAbs().maxCoeff();
  }
  /// Tangent stiffness of the chain as it stands.
  Eigen::MatrixXd stiffness() {
    const int n = 6 * static_cast<int>(poses_.size());
    Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n, n);
    Eigen::VectorXd f = Eigen::VectorXd::Zero(n);
    for (auto& [first, element] : elements_) add(first, element, K, f);
    return K;
  }

 private:
  static Eigen::Matrix3d skew(const Eigen::Vector3d& x) {
    Eigen::Matrix3d X;
    X << 0, -x[2], x[1], x[2], 0, -x[0], -x[1], x[0], 0;
    return X;
  }
  void add(int first, test::BeamPart<Law>& element, Eigen::MatrixXd& K, Eigen::VectorXd& f) const {
    constexpr int k = 6 * Law::nodes;
    std::array<double, k> q{};
    std::array<double, 4 * Law::nodes> chart;
    for (int i = 0; i < Law::nodes; ++i) {
      std::copy_n(poses_[first + i].position.begin(), 3, q.begin() + 6 * i);
      std::copy_n(poses_[first + i].orientation.begin(), 4, chart.begin() + 4 * i);
    }
    const auto force = element.force(q, chart);
    const auto by_q = element.stiffness(q, chart);
    K.block<k, k>(6 * first, 6 * first) +=
        Eigen::Map<const Eigen::Matrix<double, k, k, Eigen::RowMajor>>(by_q.data());
    for (int i = 0; i < k; ++i) f[6 * first + i] += force[i];
  }
  /// Rounding of positions grows with their size.
  double reach() const {
    double most = 0;
    for (const Pose& pose : poses_)
      for (const double x : pose.position) most = std::max(most, std::abs(x));
    return most;
  }
  static void move(const double* change, Pose& pose) {
    for (int i = 0; i < 3; ++i) pose.position[i] += change[i];
    auto p = rotation::product({1, change[3] / 2, change[4] / 2, change[5] / 2}, pose.orientation);
    const double norm = std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
    for (int i = 0; i < 4; ++i) pose.orientation[i] = p[i] / norm;
  }

  std::vector<Pose> poses_;
  std::deque<std::pair<int, test::BeamPart<Law>>> elements_;  ///< first node, element
};

/// `count` equal elements of a straight beam along x.
template <class Law>
std::vector<SectionPose<double>> straight_beam(double length, int count) {
  const int spans = count * (Law::nodes - 1);
  std::vector<SectionPose<double>> poses;
  for (int i = 0; i <= spans; ++i) poses.push_back({{length * i / spans, 0, 0}, {1, 0, 0, 0}});
  return poses;
}

}  // namespace daemark
