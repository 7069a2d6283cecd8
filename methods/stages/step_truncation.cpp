// When a step can use no more of Newton's iteration (newton.tol=step).
//
// Increments of rates, Δ, change velocities by h|B||Δ| and positions by h²|B̄||Δ|. Of these a step
// can use what is not small beside
//
//   τ = κ C (hω)^p h|ẏ| + nε (|y| + h|ẏ|),   hω = h|ẏ_r − ẏ_0| / (t_r − t_0)|ẏ|,
//
// its truncation for a method of order p with error constant C, and round-off; on index 3 that of
// velocities is at least the one of positions over h. With step-size control the tolerances stand
// in place of the truncation. Maxima are over positions and over velocities; multipliers are in no
// norm, what the increments leave of them is of the order of the truncation over h^index−1.
#include <algorithm>
#include <cmath>

#include "methods/stages/stage_matrix.hpp"
#include "methods/stages/stage_system.hpp"

namespace daemark {
namespace {

constexpr double share = 1e-3;             // κ: what Newton leaves has the same sign in every step
constexpr double controlled_share = 1e-2;  // of the tolerance: full Newton leaves its square

/// Largest sizes over some of the components: of y, of ẏ at the beginning or the last stage, of
/// the difference of these, and of what Newton's increment adds to y.
struct Sizes {
  double value = 0, rate = 0, change = 0, moved = 0;
};

/// hω, at most 1.
double turn(const Sizes& of, double h, double since) {
  if (!(of.rate > 0)) return 0;
  return std::min(1.0, since > 0 ? h * of.change / (since * of.rate) : 1.0);
}

}  // namespace

template <class S>
bool StageSystem<S>::stops_by_step() const {
  return std::is_same_v<S, double> && settings_.by_step && settings_.step.order > 0 &&
         beginning_.y != nullptr && increment_weight_.empty() && !own_algebra_;
}

/// Of an increment, to the next ones; all of a first one.
template <class S>
double StageSystem<S>::left_share(double contraction) {
  return contraction < 0.5 ? contraction / (1 - contraction) : 1;
}

/// Of the last correction: 1 or less is nothing that the step can use.
template <class S>
double StageSystem<S>::increment_in_use() const {
  const int last = r_ - 1;
  const S* const y_end = &y_[static_cast<std::size_t>(last) * size_];
  const S* const rate_end = &rate_[static_cast<std::size_t>(last) * size_];
  const auto add = [&](Sizes& to, int c) {
    const double now = std::abs(to_double(rate_end[c])),
                 then = std::abs(to_double(beginning_.rate[c]));
    to.value = std::max(to.value, std::abs(to_double(y_end[c])));
    to.rate = std::max({to.rate, now, then});
    to.change = std::max(to.change, std::abs(to_double(S(rate_end[c] - beginning_.rate[c]))));
  };
  Sizes position, velocity;
  const bool integrated = !lists_.integral.empty();
  double moved_position = 0;  // by increments of velocities' rates
  const auto largest_sum = [&](const std::vector<double>& weights, int unknown) {
    double largest = 0;
    for (int i = 0; i < r_; ++i) {
      double sum = 0;
      for (int j = 0; j < r_; ++j)
        sum += weights[i * r_ + j] *
               to_double(correction_[static_cast<std::size_t>(j) * unknowns_ + unknown]);
      largest = std::max(largest, std::abs(sum));
    }
    return largest;
  };
  for (const int c : lists_.differential) {
    Sizes& of = c < positions_ ? position : velocity;
    add(of, c);
    const int unknown = lists_.unknown_of[c];
    of.moved = std::max(of.moved, largest_sum(velocity_reach_, unknown));
    if (integrated)
      moved_position = std::max(moved_position, largest_sum(position_reach_, unknown));
  }
  for (const auto& [c, source] : lists_.integral) {
    position.value = std::max(position.value, std::abs(to_double(y_end[c])));
    position.rate = std::max(position.rate, std::abs(to_double(y_end[source])));
  }
  if (chart_ != nullptr) position.value = std::max(position.value, 1.0);  // a rotation
  const double h = std::abs(to_double(h_)), noise = unit_roundoff<S>() * unknowns_;
  const double since = to_double(S(beginning_.since + time_[last] - time_[0]));
  const double position_noise = noise * (position.value + h * position.rate);
  double velocity_noise = noise * (velocity.value + h * velocity.rate);
  if (level_ == 2) velocity_noise += position_noise / h;
  const double turn_v = turn(velocity, h, since),
               turn_q = integrated ? turn_v : turn(position, h, since);
  const auto of_step = [&](const Sizes& of, double turned, double tolerance) {
    if (tolerance > 0) return controlled_share * tolerance;
    return share * settings_.step.constant * std::pow(turned, settings_.step.order) * h * of.rate;
  };
  const double use_q = of_step(position, turn_q, settings_.allowed_position) + position_noise,
               use_v = of_step(velocity, turn_v, settings_.allowed_velocity) + velocity_noise;
  return std::max(velocity.moved / use_v, (integrated ? moved_position : position.moved) / use_q);
}

template bool StageSystem<double>::stops_by_step() const;
template bool StageSystem<real50>::stops_by_step() const;
template bool StageSystem<rational>::stops_by_step() const;
template double StageSystem<double>::left_share(double);
template double StageSystem<real50>::left_share(double);
template double StageSystem<rational>::left_share(double);
template double StageSystem<double>::increment_in_use() const;
template double StageSystem<real50>::increment_in_use() const;
template double StageSystem<rational>::increment_in_use() const;

}  // namespace daemark
