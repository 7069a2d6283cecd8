#include "analysis/variation/horizon.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "analysis/variation/variational_equations.hpp"
#include "base/program/progress.hpp"
#include "base/program/stop.hpp"
#include "base/text/bad_input.hpp"
#include "methods/catalogue/registry.hpp"

namespace daemark {
namespace {

using Eigen::MatrixXd;

/// A unit's distance from x to the next double, over √12.
double rounding(double x) {
  x = std::abs(x);
  return (std::nextafter(x, std::numeric_limits<double>::infinity()) - x) / std::sqrt(12.0);
}

/// The components of y by their unit, positions and velocities separately: what errors are relative
/// to.
struct Groups {
  Groups(const MechanicalSystem<double>& system, double time)
      : n(system.coordinates()), span(time) {
    std::map<std::string, std::size_t> known;
    for (const std::string& unit : system.coordinate_units()) {
      unit_of.push_back(known.try_emplace(unit, known.size()).first->second);
      position.resize(known.size(), 0.0);
      if (unit == "rad") position[unit_of.back()] = 1;
    }
    velocity.resize(position.size(), 0.0);
    on_chart.assign(2 * n, false);
    for (const int first : system.rotations())
      for (int i = first; i < first + 3; ++i) on_chart[i] = true, position[unit_of[i]] = 1;
  }
  void observe(const std::vector<double>& y) {
    for (std::size_t i = 0; i < n; ++i) {
      position[unit_of[i]] = std::max(position[unit_of[i]], std::abs(y[i]));
      velocity[unit_of[i]] = std::max(velocity[unit_of[i]], std::abs(y[n + i]));
    }
  }
  /// Of a coordinate i < n or a velocity; where all of a unit are 0 next to nothing.
  double scale(std::size_t i) const {
    const double size = position[unit_of[i % n]], rate = velocity[unit_of[i % n]];
    const double floor = 1e-10 * *std::max_element(position.begin(), position.end());
    const double length = std::max({size, floor, 1e-300});
    return i < n ? length : std::max(rate, length / span);
  }

  std::size_t n;
  double span;
  std::vector<std::size_t> unit_of;
  std::vector<double> position, velocity;  ///< largest of each unit
  std::vector<char> on_chart;
};

/// Relative to the final scales.
double relative(const Eigen::VectorXd& errors, const Groups& groups) {
  double worst = 0;
  for (long i = 0; i < errors.size(); ++i)
    worst = std::max(worst, errors(i) / groups.scale(static_cast<std::size_t>(i)));
  return worst;
}

/// A motion and its tangents, by steps of the pair.
class Follower {
 public:
  Follower(const Problem& problem, std::vector<ChangedDatum> data, const HorizonRequest& request,
           double span)
      : equations_(problem.make<double>(), std::move(data)),
        groups_(equations_.system(), span),
        run_step_(request.h) {
    const WideTableau& pair = *method_registry().make("prince_dormand_8")->tableau();
    const auto narrow = [](const std::vector<wide>& from) {
      std::vector<double> to;
      for (const wide& x : from) to.push_back(from_wide<double>(x));
      return to;
    };
    for (const auto& row : pair.A) a_.push_back(narrow(row));
    b_ = narrow(pair.b), b_hat_ = narrow(pair.embedded), c_ = narrow(pair.c);
    at_ = equations_.start(problem.start.eval<double>());
    groups_.observe(at_.y);
    if (request.data) add_start();
    data_ = at_.tangents.cols();
    y_rates_.resize(b_.size()), tangent_rates_.resize(b_.size());
    add_roundoff(1);
  }

  const VariedPoint& at() const { return at_; }
  const Groups& groups() const { return groups_; }
  long work() const { return work_; }
  /// Standard deviations of y by round-off, and by data that are off by themselves.
  Eigen::VectorXd by_roundoff() const {
    return at_.tangents.leftCols(at_.tangents.cols() - data_).rowwise().norm();
  }
  Eigen::VectorXd by_data() const { return at_.tangents.rightCols(data_).rowwise().norm(); }

  /// One accepted step, not beyond t_end. False where the motion cannot be continued.
  bool step(double t_end) {
    if (h_ == 0 && !choose_first(t_end - at_.t)) return false;
    for (;;) {
      const bool last = at_.t + h_ >= t_end;
      const double h = last ? t_end - at_.t : h_;
      if (at_.t + h == at_.t) return false;
      const double error = attempt(h);
      const double factor = error > 0 ? 0.9 * std::pow(error, -1.0 / 8) : 5;
      const double next = h * (std::isfinite(error) ? std::clamp(factor, 0.2, 5.0) : 0.2);
      if (!(error <= 1)) {
        h_ = next;
        continue;
      }
      if (!last || next < h_) h_ = next;
      at_.t = last ? t_end : at_.t + h;
      at_.y = next_.y, at_.tangents.swap(next_.tangents);
      groups_.observe(at_.y);
      equations_.rebase(at_);
      add_roundoff(std::sqrt(run_step_ > 0 ? h / run_step_ : 1));
      return true;
    }
  }

 private:
  bool rates(const VariedPoint& at, int stage) {
    work_ += (at.tangents.cols() + 10) * static_cast<long>(at.y.size());
    return equations_.rates(at, y_rates_[stage], tangent_rates_[stage]);
  }
  bool choose_first(double span) {
    if (!rates(at_, 0)) return false;
    h_ = span;
    for (std::size_t i = 0; i < at_.y.size(); ++i)
      if (y_rates_[0][i] != 0)
        h_ = std::min(h_, 1e-3 * groups_.scale(i) / std::abs(y_rates_[0][i]));
    return true;
  }

  /// Writes next_; the error estimate over the tolerance, infinity where rates do not exist.
  double attempt(double h) {
    const int stages = static_cast<int>(b_.size());
    next_.chart = at_.chart;
    for (int i = 0; i < stages; ++i) {
      combine(a_[i], i, h);
      next_.t = at_.t + c_[i] * h;
      if (!rates(next_, i)) return std::numeric_limits<double>::infinity();
    }
    constexpr double tolerance = 1e-14;
    double worst = 0;
    for (std::size_t k = 0; k < at_.y.size(); ++k) {
      double error = 0;
      for (int i = 0; i < stages; ++i) error += (b_[i] - b_hat_[i]) * y_rates_[i][k];
      if (error != 0) worst = std::max(worst, std::abs(h * error) / (tolerance * groups_.scale(k)));
    }
    combine(b_, stages, h);
    return worst;
  }
  void combine(const std::vector<double>& weights, int stages, double h) {
    next_.y = at_.y, next_.tangents = at_.tangents;
    for (int i = 0; i < stages; ++i) {
      if (weights[i] == 0) continue;
      for (std::size_t k = 0; k < at_.y.size(); ++k) next_.y[k] += h * weights[i] * y_rates_[i][k];
      next_.tangents += h * weights[i] * tangent_rates_[i];
    }
  }

  /// Changes of each component of y of the given sizes, satisfying the constraints.
  template <class Size>
  MatrixXd changes(const Size& size) {
    const long rows = at_.tangents.rows();
    MatrixXd all = MatrixXd::Zero(rows, rows);
    for (long i = 0; i < rows; ++i) all(i, i) = size(static_cast<std::size_t>(i));
    equations_.project(at_, all);
    return all;
  }
  /// Every coordinate and velocity of the start, off by the largest of its unit.
  void add_start() {
    const MatrixXd fresh = compressed(changes([&](std::size_t i) { return groups_.scale(i); }));
    MatrixXd all(fresh.rows(), fresh.cols() + at_.tangents.cols());
    all << fresh, at_.tangents;
    at_.tangents = std::move(all);
  }
  /// `size`: of the errors of one rounding.
  void add_roundoff(double size) {
    const long rows = at_.tangents.rows(), old = at_.tangents.cols() - data_;
    MatrixXd all(rows, old + rows);
    all << at_.tangents.leftCols(old), changes([&](std::size_t i) {
      return size * rounding(groups_.on_chart[i] ? 1.0 : at_.y[i]);
    });
    const MatrixXd fewer = compressed(all);
    MatrixXd tangents(rows, fewer.cols() + data_);
    tangents << fewer, at_.tangents.rightCols(data_);
    at_.tangents = std::move(tangents);
  }
  /// L with the same L Lᵀ and no more columns than rows: Lᵀ = Q R, and Rᵀ takes its place.
  MatrixXd compressed(const MatrixXd& all) const {
    Eigen::VectorXd size(all.rows());
    for (long i = 0; i < all.rows(); ++i) size(i) = groups_.scale(static_cast<std::size_t>(i));
    const Eigen::ColPivHouseholderQR<MatrixXd> qr(
        (size.cwiseInverse().asDiagonal() * all).transpose());
    const MatrixXd r =
        qr.matrixQR().topRows(std::min(all.rows(), all.cols())).triangularView<Eigen::Upper>();
    constexpr double negligible = 1e-10;
    long kept = 0;
    while (kept < r.rows() && std::abs(r(kept, kept)) > negligible * std::abs(r(0, 0))) ++kept;
    return size.asDiagonal() * (qr.colsPermutation() * r.topRows(kept).transpose());
  }

  VariationalEquations equations_;
  Groups groups_;
  std::vector<std::vector<double>> a_;
  std::vector<double> b_, b_hat_, c_;
  VariedPoint at_, next_;
  long data_ = 0, work_ = 0;
  double h_ = 0, run_step_;
  std::vector<std::vector<double>> y_rates_;
  std::vector<MatrixXd> tangent_rates_;
};

/// The first time at which the error exceeds the limit, its logarithm linear between samples.
template <class Error>
std::optional<double> first_beyond(const std::vector<Horizon::Sample>& samples, double limit,
                                   const Error& error) {
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double here = error(samples[i]);
    if (!(here > limit)) continue;
    if (i == 0 || !(error(samples[i - 1]) > 0)) return samples[i].t;
    const double before = error(samples[i - 1]);
    return samples[i - 1].t +
           (samples[i].t - samples[i - 1].t) * std::log(limit / before) / std::log(here / before);
  }
  return {};
}

}  // namespace

std::optional<double> Horizon::in_double(double digits) const {
  return first_beyond(samples, std::pow(10, -digits), [](const Sample& s) { return s.in_double; });
}

std::optional<double> Horizon::of_data(double data_digits, double digits) const {
  return first_beyond(samples, std::pow(10, data_digits - digits),
                      [](const Sample& s) { return s.of_data; });
}

Horizon horizon(const Problem& problem, const HorizonRequest& request) {
  const double start = problem.start.eval<double>();
  if (!(request.t_end > start))
    throw BadInput(fmt::format("t-end = {:g} is not accepted: a time after the start at {:g} s",
                               request.t_end, start));
  Horizon found;
  std::vector<ChangedDatum> data;
  if (request.data) data = changed_data(problem, found.left_out);
  found.data = static_cast<int>(data.size());
  Follower motion(problem, std::move(data), request, request.t_end - start);
  std::vector<std::pair<Eigen::VectorXd, Eigen::VectorXd>> errors;
  constexpr long most_steps = 1000000;
  for (;;) {
    errors.emplace_back(motion.by_roundoff(), motion.by_data());
    found.samples.push_back({motion.at().t, 0, 0});
    if (motion.at().t >= request.t_end) break;
    if (relative(errors.back().first, motion.groups()) > 1) {
      found.ended = "no digit is left in double";
    } else if (errors.size() > most_steps ||
               (request.most_work > 0 && motion.work() > request.most_work)) {
      found.ended = "the steps are too many";
    } else if (!motion.step(request.t_end)) {
      found.ended = "the motion cannot be continued in double";
    }
    if (!found.ended.empty()) break;
    checkpoint();
    tell_progress("variational equations", (motion.at().t - start) / (request.t_end - start));
  }
  found.reached = motion.at().t;
  for (std::size_t i = 0; i < errors.size(); ++i) {
    found.samples[i].in_double = relative(errors[i].first, motion.groups());
    found.samples[i].of_data = relative(errors[i].second, motion.groups());
  }
  return found;
}

}  // namespace daemark
