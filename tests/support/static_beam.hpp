// A chain of beam elements, clamped at its first node, under dead forces and moments at its last:
// equilibrium by Newton's method in load steps. Every iteration starts from g = 0: turns multiply
// the orientations.
#pragma once

#include <Eigen/LU>
#include <memory>
#include <vector>

#include "problems/spatial/beam_element.hpp"
#include "problems/spatial/beam_stiffness.hpp"

namespace daemark {

template <class Law>
class StaticBeam {
 public:
  using Pose = SectionPose<double>;
  using Vector6 = Eigen::Matrix<double, 6, 1>;

  /// Poses of the nodes without load, (nodes − 1) a multiple of Law::nodes − 1.
  StaticBeam(std::vector<Pose> poses, const SectionStiffness<double>& D)
      : poses_(std::move(poses)) {
    constexpr int step = Law::nodes - 1;
    for (std::size_t first = 0; first + 1 < poses_.size(); first += step) {
      std::array<Pose, Law::nodes> unloaded;
      std::copy_n(poses_.begin() + first, Law::nodes, unloaded.begin());
      std::vector<ElementNode> nodes;
      typename BeamElement<double, Law>::Offsets offsets;
      offsets.fill({1, 0, 0, 0});
      for (int i = 0; i < Law::nodes; ++i)
        nodes.push_back({6 * (static_cast<int>(first) + i), 6, 4 * (static_cast<int>(first) + i)});
      elements_.emplace_back(nodes, offsets, Law(unloaded, D));
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
    K.bottomRightCorner<3, 3>() -= beam::skew<double>(load.tail<3>()) / 2;  // ∂(Gᵀ M)/∂g
    for (auto& element : elements_) add(element, K, f);
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
    for (auto& element : elements_) add(element, K, f);
    return K;
  }

 private:
  void add(BeamElement<double, Law>& element, Eigen::MatrixXd& K, Eigen::VectorXd& f) const {
    constexpr int k = 6 * Law::nodes;
    std::array<double, k> q{}, v{}, force;
    std::array<double, 4 * Law::nodes> chart;
    const int first = element.coordinates()[0] / 6;
    for (int i = 0; i < Law::nodes; ++i) {
      std::copy_n(poses_[first + i].position.begin(), 3, q.begin() + 6 * i);
      std::copy_n(poses_[first + i].orientation.begin(), 4, chart.begin() + 4 * i);
    }
    Eigen::Matrix<double, k, k, Eigen::RowMajor> by_q;
    ElementPoint<double> point{0, q.data(), v.data(), nullptr, nullptr};
    point.chart = chart.data();
    ElementValues<double> out;
    out.force = force.data(), out.residual_q = by_q.data();
    element.evaluate(point, {}, out);
    K.block<k, k>(6 * first, 6 * first) += by_q;
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
  std::vector<BeamElement<double, Law>> elements_;
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
