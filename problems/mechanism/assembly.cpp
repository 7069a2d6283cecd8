#include "problems/mechanism/assembly.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <limits>

#include "base/text/bad_input.hpp"
#include "problems/mechanism/dependent_rows.hpp"

namespace daemark {
namespace {

/// The mechanism at a state that moves, in 50 digits; steps are solved for in double. First the
/// rows are made to vanish, by steps of least change; then the state goes on to the nearest one,
///   W (x − x₀) + Gᵀμ = 0,  Φ(x) = 0,
/// which depends on the data smoothly, by Newton steps without the curvature of Φ.
class StartSearch {
 public:
  StartSearch(const std::shared_ptr<const Mechanism>& mechanism, const wide& t)
      : system(mechanism), n(system.coordinates()), m(system.constraints()), q(n), v(n) {
    at_ = from_wide<real50>(t);
    system.initial(q.data(), v.data());
    chart_.resize(system.chart_size()), zero_.resize(n + m);
    system.initial_chart(chart_.data());
    read_metric();
  }

  /// Moves what is not held until the rows vanish; the largest row that is left.
  double close(const std::vector<int>& held, bool velocities) {
    std::vector<char> fixed(n, false);
    for (const int i : held) fixed[i] = true;
    const std::vector<real50> stated = velocities ? v : q;
    const double left = close_rows(fixed, velocities);
    if (left <= enough) approach(stated, fixed, velocities);
    return read(velocities);
  }
  /// Multiplier of the row that is violated most, without "lambda_".
  std::string worst() const {
    const auto largest = std::max_element(
        rows_.begin(), rows_.end(), [](const auto& a, const auto& b) { return abs(a) < abs(b); });
    const std::string name = system.constraint_names()[largest - rows_.begin()];
    return name.starts_with("lambda_") ? name.substr(7) : name;
  }

  RecordedSystem<real50> system;
  bool nearest = true;  ///< all that was closed
  int n, m;
  std::vector<real50> q, v;

 private:
  static constexpr double enough = 1e-45, smallest = 1e-9;
  struct Solver : Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> {
    Solver(const Eigen::MatrixXd& matrix, double threshold) {
      setThreshold(threshold);
      compute(matrix);
    }
  };

  MotionPoint<real50> point() const {
    return {at_, q.data(), v.data(), zero_.data(), zero_.data(), chart_.data()};
  }
  void read_metric() {
    std::vector<real50> mass(system.mass_pattern().size());
    MotionValues<real50> out;
    out.mass = mass.data();
    system.evaluate(point(), {}, out);
    weight_.assign(n, real50(0));
    for (std::size_t k = 0; k < mass.size(); ++k) {
      const auto [row, column] = system.mass_pattern().entries[k];
      if (row == column) weight_[row] += mass[k];
    }
    const real50 largest = *std::max_element(weight_.begin(), weight_.end());
    real50 least = largest > 0 ? largest : real50(1);
    for (const real50& w : weight_)
      if (w > 0 && w < least) least = w;
    for (real50& w : weight_) {
      w = (w > 0 ? w : least) / (largest > 0 ? largest : real50(1));
      root_.push_back(std::sqrt(to_double(w)));
    }
  }
  double read(bool velocities) {
    rows_.assign(m, real50(0)), slopes_.assign(system.gradient_pattern().size(), real50(0));
    MotionValues<real50> out;
    (velocities ? out.velocity : out.position) = rows_.data();
    out.gradient = slopes_.data();
    system.evaluate(point(), {}, out);
    double largest = 0;
    for (const real50& x : rows_) {
      const double size = std::abs(to_double(x));
      if (!(size <= largest)) largest = size;
    }
    return largest;
  }
  double close_rows(const std::vector<char>& fixed, bool velocities) {
    constexpr int rounds = 100;
    double best = std::numeric_limits<double>::infinity();
    for (int round = 0, stuck = 0; round < rounds && stuck < 8; ++round) {
      const double left = read(velocities);
      if (!(left < 1e100)) return left;
      if (left <= enough) return left;
      stuck = left < best / 2 ? 0 : stuck + 1;
      best = std::min(best, left);
      step(fixed, velocities ? v : q);
    }
    return read(velocities);
  }
  /// G W^(-1/2), without what is fixed.
  Eigen::MatrixXd weighed_rows(const std::vector<char>& fixed) const {
    Eigen::MatrixXd G = Eigen::MatrixXd::Zero(m, n);
    for (std::size_t k = 0; k < slopes_.size(); ++k) {
      const auto [row, column] = system.gradient_pattern().entries[k];
      if (!fixed[column]) G(row, column) += to_double(slopes_[k]) / root_[column];
    }
    return G;
  }
  void step(const std::vector<char>& fixed, std::vector<real50>& x) {
    const Eigen::MatrixXd G = weighed_rows(fixed);
    double scale = 0;
    for (const real50& row : rows_) scale = std::max(scale, std::abs(to_double(row)));
    Eigen::VectorXd right(m);
    for (int i = 0; i < m; ++i) right[i] = to_double(real50(rows_[i] / scale));
    const Eigen::VectorXd change = Solver(G, smallest).solve(right);
    for (int i = 0; i < n; ++i) x[i] -= real50(change[i] / root_[i]) * scale;
  }

  /// From a state whose rows vanish to the nearest such one to `stated`; back where that fails.
  void approach(const std::vector<real50>& stated, const std::vector<char>& fixed,
                bool velocities) {
    std::vector<real50>& x = velocities ? v : q;
    const std::vector<real50> closed = x;
    std::vector<real50> mu(m, real50(0)), pull(n);
    read(velocities);
    const Eigen::MatrixXd A = weighed_rows(fixed);
    const Solver rows(A, smallest), columns(A.transpose(), smallest);
    constexpr int rounds = 300;
    double first = 0;
    for (int round = 0; round < rounds; ++round) {
      const double left = read(velocities);
      for (int i = 0; i < n; ++i)
        pull[i] = fixed[i] ? real50(0) : real50(weight_[i] * (x[i] - stated[i]));
      for (std::size_t k = 0; k < slopes_.size(); ++k) {
        const auto [row, column] = system.gradient_pattern().entries[k];
        if (!fixed[column]) pull[column] += slopes_[k] * mu[row];
      }
      double scale = left;
      for (int i = 0; i < n; ++i) scale = std::max(scale, std::abs(to_double(pull[i])) / root_[i]);
      if (round == 0) first = scale;
      if (scale <= enough) return;
      if (!(scale <= 1e3 * first)) break;
      Eigen::VectorXd right(m), along(n);
      for (int i = 0; i < m; ++i) right[i] = to_double(real50(rows_[i] / scale));
      for (int i = 0; i < n; ++i) along[i] = to_double(real50(pull[i] / scale)) / root_[i];
      const Eigen::VectorXd change = rows.solve(A * along - right) - along;
      const Eigen::VectorXd force = columns.solve(-along - change);
      for (int i = 0; i < n; ++i) x[i] += real50(change[i] / root_[i]) * scale;
      for (int i = 0; i < m; ++i) mu[i] += real50(force[i]) * scale;
    }
    x = closed, nearest = false;
  }

  real50 at_;
  std::vector<real50> chart_, zero_, rows_, slopes_, weight_;
  std::vector<double> root_;  ///< √W
};

/// "0.0013 m, 0.02 rad": the largest change of each unit.
std::string moved(const Mechanism& mechanism, const std::vector<wide>& from,
                  const std::vector<real50>& to, const char* per) {
  std::map<std::string, double> largest;
  for (std::size_t i = 0; i < to.size(); ++i) {
    double& size = largest[mechanism.coordinates[i].unit];
    size = std::max(size, std::abs(to_double(wide(wide(to[i]) - from[i]))));
  }
  std::string text;
  for (const auto& [unit, size] : largest)
    text += fmt::format("{}{:.3g} {}{}", text.empty() ? "" : ", ", size, unit, per);
  return text;
}

/// Without the rows that follow from others at the state that was found: with data that are rounded
/// they cannot all vanish. None where no row does.
std::shared_ptr<const Mechanism> without_dependent(
    const std::shared_ptr<const Mechanism>& mechanism, const wide& t, const StartSearch& search) {
  auto here = std::make_shared<Mechanism>(*mechanism);
  here->q0.assign(search.q.begin(), search.q.end());
  here->v0.assign(search.v.begin(), search.v.end());
  const RowRank found = row_rank(here, t);
  if (found.dependent.empty() || found.only_here) return nullptr;
  return without_rows(mechanism, found.dependent);
}

}  // namespace

Assembled assembled_start(const std::shared_ptr<const Mechanism>& mechanism, const wide& t,
                          const Assembly& assembly) {
  constexpr double fits = 1e-30, rounding = 1e-12;
  StartSearch search(mechanism, t);
  Assembled made;
  std::shared_ptr<const Mechanism> fewer;
  const auto is_rounding = [&](double left) {
    if (left > fits && left <= rounding) fewer = without_dependent(mechanism, t, search);
    return fewer != nullptr;
  };
  const double gap = search.close(assembly.held_positions, false);
  if (is_rounding(gap)) return assembled_start(fewer, t, assembly);
  if (!(gap <= fits))
    throw BadInput(fmt::format(
        "assemble: {} does not close: {:.3g} (m or rad) are left{}; accepted: a start "
        "near a position that closes",
        search.worst(), gap, assembly.held_positions.empty() ? "" : " with what is held"));
  const std::vector<real50> stated = search.v;
  bool let_go = false;
  const double missing = search.close(assembly.held_velocities, true);
  if (is_rounding(missing)) return assembled_start(fewer, t, assembly);
  if (!(missing <= fits)) {
    search.v = stated, let_go = true;
    const double slip = search.close({}, true);
    if (is_rounding(slip)) return assembled_start(fewer, t, assembly);
    if (!(slip <= fits))
      throw BadInput(
          fmt::format("assemble: no velocities fit {}: {:.3g} are left", search.worst(), slip));
  }
  made.q.assign(search.q.begin(), search.q.end()), made.v.assign(search.v.begin(), search.v.end());
  made.remarks = {
      fmt::format("assembled: positions moved by up to {}, velocities by up to {}{}",
                  moved(*mechanism, mechanism->q0, search.q, ""),
                  moved(*mechanism, mechanism->v0, search.v, "/s"),
                  let_go ? "; the velocities that were to be held do not fit and moved too" : "")};
  if (!search.nearest) made.remarks[0] += "; not to the nearest, which was not found";
  return made;
}

}  // namespace daemark
