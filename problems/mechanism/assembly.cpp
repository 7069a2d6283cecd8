#include "problems/mechanism/assembly.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <limits>

#include "base/text/bad_input.hpp"

namespace daemark {
namespace {

/// The mechanism at a state that moves, in 50 digits; steps are solved for in double.
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
    constexpr int rounds = 100;
    constexpr double enough = 1e-45;
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
  /// Multiplier of the row that is violated most, without "lambda_".
  std::string worst() const {
    const auto largest = std::max_element(
        rows_.begin(), rows_.end(), [](const auto& a, const auto& b) { return abs(a) < abs(b); });
    const std::string name = system.constraint_names()[largest - rows_.begin()];
    return name.starts_with("lambda_") ? name.substr(7) : name;
  }

  RecordedSystem<real50> system;
  int n, m;
  std::vector<real50> q, v;

 private:
  MotionPoint<real50> point() const {
    return {at_, q.data(), v.data(), zero_.data(), zero_.data(), chart_.data()};
  }
  void read_metric() {
    std::vector<real50> mass(system.mass_pattern().size());
    MotionValues<real50> out;
    out.mass = mass.data();
    system.evaluate(point(), {}, out);
    weight_ = Eigen::VectorXd::Zero(n);
    for (std::size_t k = 0; k < mass.size(); ++k) {
      const auto [row, column] = system.mass_pattern().entries[k];
      if (row == column) weight_[row] += to_double(mass[k]);
    }
    double least = 1;
    for (const double w : weight_)
      if (w > 0) least = std::min(least, w);
    for (double& w : weight_) w = std::sqrt(w > 0 ? w : least);
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
  void step(const std::vector<char>& fixed, std::vector<real50>& x) {
    Eigen::MatrixXd G = Eigen::MatrixXd::Zero(m, n);
    for (std::size_t k = 0; k < slopes_.size(); ++k) {
      const auto [row, column] = system.gradient_pattern().entries[k];
      if (!fixed[column]) G(row, column) += to_double(slopes_[k]) / weight_[column];
    }
    double scale = 0;
    for (const real50& row : rows_) scale = std::max(scale, std::abs(to_double(row)));
    Eigen::VectorXd right(m);
    for (int i = 0; i < m; ++i) right[i] = to_double(real50(rows_[i] / scale));
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver;
    solver.setThreshold(1e-9);
    const Eigen::VectorXd change = solver.compute(G).solve(right);
    for (int i = 0; i < n; ++i) x[i] -= real50(change[i] / weight_[i]) * scale;
  }

  real50 at_;
  std::vector<real50> chart_, zero_, rows_, slopes_;
  Eigen::VectorXd weight_;
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

}  // namespace

Assembled assembled_start(const std::shared_ptr<const Mechanism>& mechanism, const wide& t,
                          const Assembly& assembly) {
  constexpr double fits = 1e-30;
  StartSearch search(mechanism, t);
  Assembled made;
  const double gap = search.close(assembly.held_positions, false);
  if (!(gap <= fits))
    throw BadInput(fmt::format(
        "assemble: {} does not close: {:.3g} (m or rad) are left{}; accepted: a start "
        "near a position that closes",
        search.worst(), gap, assembly.held_positions.empty() ? "" : " with what is held"));
  const std::vector<real50> stated = search.v;
  bool let_go = false;
  if (!(search.close(assembly.held_velocities, true) <= fits)) {
    search.v = stated, let_go = true;
    const double slip = search.close({}, true);
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
  return made;
}

}  // namespace daemark
