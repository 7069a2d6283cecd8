// Newton's iteration on the stages: norms, and when it stops (analysis/decisions/0004).
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "base/program/stop.hpp"
#include "methods/stages/stage_matrix.hpp"
#include "methods/stages/stage_system.hpp"

namespace daemark {

/// Before the solve the correction holds the rows times h^power. Here position rows count as
/// Φ/(b h), b the stage's own coefficient, velocity rows and dynamics as they are.
template <class S>
double StageSystem<S>::residual_norm() const {
  const double h = std::abs(to_double(h_));
  double largest = 0, squares = 0;
  for (int i = 0; i < r_; ++i) {
    const double own = std::abs(to_double(hB_[i * r_ + i])) / h;
    for (int k = 0; k < unknowns_; ++k) {
      const int p = system_->row_power()[k];
      const double weight = p == 0 ? 1 : p == -1 || own == 0 ? h : h / own;
      const double size =
          weight * std::abs(to_double(correction_[static_cast<std::size_t>(i) * unknowns_ + k]));
      largest = std::max(largest, size);
      squares += size * size;
    }
  }
  return settings_.infinity_norm && std::isfinite(squares) ? largest : std::sqrt(squares);
}

/// With the weights of Newton's test (ImplicitSystem::increment_power).
template <class S>
double StageSystem<S>::weighted_correction() const {
  double largest = 0, sum = 0, squares = 0;
  const F* c = correction_.data();
  for (int i = 0; i < r_; ++i)
    for (int k = 0; k < unknowns_; ++k) {
      const double size = std::abs(to_double(*c++));
      const double weighted = size * increment_weight_[k];
      largest = std::max(largest, weighted);
      sum += size;
      squares += weighted * weighted;
    }
  if (!std::isfinite(sum)) return sum;
  return settings_.infinity_norm ? largest : std::sqrt(squares);
}

/// Not finite if any increment is not. In lanes, which need not wait for each other.
template <class S>
double StageSystem<S>::largest_correction() const {
  constexpr std::size_t lanes = 4;
  double largest[lanes] = {}, sum[lanes] = {};  // a maximum may lose a NaN, a sum does not
  const auto take = [&](std::size_t lane, const F& c) {
    const double size = std::abs(to_double(c));
    largest[lane] = std::max(largest[lane], size);
    sum[lane] += size;
  };
  const F* const c = correction_.data();
  const std::size_t count = correction_.size(), whole = count - count % lanes;
  for (std::size_t k = 0; k < whole; k += lanes)
    for (std::size_t lane = 0; lane < lanes; ++lane) take(lane, c[k + lane]);
  for (std::size_t k = whole; k < count; ++k) take(k - whole, c[k]);
  const double all = (sum[0] + sum[1]) + (sum[2] + sum[3]);
  return std::isfinite(all) ? *std::max_element(largest, largest + lanes) : all;
}

template <class S>
double StageSystem<S>::euclidean_correction() const {
  double squares = 0;
  for (const F& c : correction_) squares += to_double(c) * to_double(c);
  return std::sqrt(squares);
}

template <class S>
double StageSystem<S>::solution_size() const {
  double size = 0;
  const auto weight = [this](int c) {
    return increment_weight_.empty() ? 1 : increment_weight_[lists_.unknown_of[c]];
  };
  for (int i = 0; i < r_; ++i) {
    const std::size_t at = static_cast<std::size_t>(i) * size_;
    for (int c : lists_.differential)
      size = std::max(size, weight(c) * std::abs(to_double(rate_[at + c])));
    for (int c : lists_.algebraic)
      size = std::max(size, weight(c) * std::abs(to_double(y_[at + c])));
  }
  return size;
}

/// Accelerations found from positions, as on index 3, are known no better than the rounding of
/// these over h²B̄; along a chain of bodies roundings add up.
template <class S>
bool StageSystem<S>::positions_are_rounded(double increment) const {
  double reach = 0, position = 0;
  for (int i = 0; i < r_; ++i) {
    double row = 0;
    for (int j = 0; j < r_; ++j) {
      double weight = 0;
      if (!h2_position_.empty()) weight = to_double(h2_position_[i * r_ + j]);
      for (int k = 0; k < r_ && h2_position_.empty(); ++k)
        weight += to_double(hB_[i * r_ + k]) * to_double(hB_[k * r_ + j]);
      row += std::abs(weight);
    }
    reach = increment_weight_.empty() ? std::max(reach, row) : 1;  // those increments are positions
    for (const auto& [component, source] : lists_.integral)
      position = std::max(position,
                          std::abs(to_double(y_[static_cast<std::size_t>(i) * size_ + component])));
  }
  return !lists_.integral.empty() &&
         reach * increment <= unit_roundoff<S>() * unknowns_ * (1 + position);
}

/// What rounding may leave of an increment. The matrix amplifies what is rounded in the rows of the
/// residual, near singular positions far above the rounding of the solution, and Newton's iteration
/// leads no further (observed). A row is rounded by what it differs between stages y and
/// y ± ε max|y|, independently of other rows: both signs are drawn, and the worst of n is √n times
/// the typical. 0 where the increment is a tenth of the rates: such steps are lost, whatever the
/// cause.
template <class S>
double StageSystem<S>::noise(Counts& counts) {
  if constexpr (!std::is_same_v<S, double>) {
    return 0;
  } else {
    double rates = 0, moved = 0;
    for (int i = 0; i < r_; ++i)
      for (const int c : lists_.differential) {
        rates = std::max(rates, std::abs(rate(i)[c]));
        moved = std::max(moved, std::abs(correction_[i * unknowns_ + lists_.unknown_of[c]]));
      }
    if (moved > 0.1 * (1 + rates)) return 0;
    constexpr double ulps = 64;  // above what rounds away
    constexpr int samples = 4;
    std::minstd_rand random;  // the same numbers always
    const auto sign = [&random] { return random() > random.max() / 2 ? 1.0 : -1.0; };
    double size[2] = {0, 0};  // of positions, of others
    const auto each = [&](auto&& visit) {
      for (int i = 0; i < r_; ++i)
        for (const Run& run : lists_.state_runs)
          for (int c = run.to; c < run.to + run.length; ++c)
            visit(y(i)[c], size[c < positions_ ? 0 : 1]);
    };
    update_stages();
    each([](double y, double& largest) { largest = std::max(largest, std::abs(y)); });
    evaluate_residual(counts);
    increment_ = correction_;
    std::vector<double> rounded(correction_.size(), 0.0);
    for (int sample = 0; sample < samples; ++sample) {
      each([&](double& y, double largest) { y += sign() * ulps * unit_roundoff<S>() * largest; });
      evaluate_residual(counts);
      for (std::size_t k = 0; k < rounded.size(); ++k)
        rounded[k] = std::max(rounded[k], std::abs(correction_[k] - increment_[k]) / ulps);
      update_stages();
    }
    double largest = 0;
    for (int sample = 0; sample < samples; ++sample) {
      for (std::size_t k = 0; k < rounded.size(); ++k) correction_[k] = sign() * rounded[k];
      transformed_ ? void(simplified_correction()) : matrix_->solve(correction_.data());
      largest = std::max(largest, correction_size());
    }
    return std::sqrt(rounded.size()) * largest;
  }
}

/// A small part of the solution, or moves positions by no more than their rounding.
template <class S>
bool StageSystem<S>::is_rounding(double increment) const {
  return increment <= std::pow(unit_roundoff<S>(), 0.35) * (1 + solution_size()) ||
         positions_are_rounded(increment);
}

/// What the tolerance bounds. Full Newton: the increment, as in the papers; the error left is of
/// its square. A simplified iteration converges linearly: the error left is the rest of a geometric
/// series. It may stop before the increments are that small, where the rest is a twentieth of the
/// tolerance (Hairer & Wanner II, IV.8: κ between 1/10 and 1/100), since steps add the rests up.
template <class S>
double StageSystem<S>::left_over(bool linear, double norm) const {
  constexpr double safety = 20;
  if (!linear || contraction_ >= 1) return norm;
  return std::min(norm, safety * norm * contraction_ / (1 - contraction_));
}

template <class S>
StepReport StageSystem<S>::failure() const {
  return {lu_status_ == LuStatus::not_finite ? Status::not_finite : Status::singular_matrix,
          lu_why_};
}

template <class S>
StepReport StageSystem<S>::newton(bool simplified, Counts& counts) {
  double first = 0, best = std::numeric_limits<double>::infinity(), previous = best;
  int stalled = 0;
  contraction_ = 0;
  behind_ = true;
  const bool by_step = stops_by_step();
  for (int iteration = 0; iteration < settings_.max; ++iteration) {
    checkpoint();
    if (behind_) update_stages();
    const bool fresh = age_ < 0 || (iteration == 0 && age_ > settings_.reuse);
    // Most often this is the last residual: its Jacobian would not be used.
    if (!simplified && settings_.on_residual && iteration > 0 && !extended) {
      evaluate_residual(counts);
      if (residual_norm() <= settings_.tol) return {};
    }
    if (!simplified)
      evaluate_full(counts);
    else if (!evaluate_simplified(counts, fresh))
      return failure();
    if (settings_.on_residual && residual_norm() <= settings_.tol) return {};
    if (!(simplified ? simplified_correction() : full_correction(counts))) return failure();
    const double norm = apply_correction();
    follow_correction(norm);
    ++counts.newton_iterations;
    if (!std::isfinite(norm)) return {Status::not_finite, "a Newton increment is not finite"};
    if (iteration == 0) first = norm;
    wandered_ = wandered_ || (!simplified && norm > first && !is_rounding(norm));
    if (iteration > 0) contraction_ = std::max(contraction_, norm / previous);
    const double latest = norm / previous;
    previous = norm;
    const bool linear = simplified && iteration > 0;
    const double left = iteration == 0 ? 1 : left_share(simplified ? contraction_ : latest);
    const bool small = by_step ? left * increment_in_use() <= 1
                               : !settings_.on_residual && left_over(linear, norm) <= settings_.tol;
    if (small || (settings_.relative > 0 && norm <= settings_.relative * (1 + solution_size()))) {
      if (behind_) update_stages();
      return {};
    }
    // Round-off floor: increments no longer fall.
    stalled = norm > 0.9 * best ? stalled + 1 : 0;
    best = std::min(best, norm);
    if (stalled >= 2 && (is_rounding(norm) || norm <= noise(counts))) {
      ++counts.floor_stops;
      if (behind_) update_stages();
      return {};
    }
    if (norm > 1e8 * (1 + first)) return {Status::newton_diverged, "Newton increments grow"};
    // Frozen factors too old for this point: renew them within the step.
    if (simplified && age_ > 0 && iteration > 0 && contraction_ > 0.5) age_ = -1, contraction_ = 0;
  }
  if (!settings_.on_residual && positions_are_rounded(previous)) {  // falling slowly within noise
    ++counts.floor_stops;
    if (behind_) update_stages();
    return {};
  }
  return {Status::newton_diverged, "Newton needs more than newton.max iterations"};
}

// If Newton's iteration fails from the first guess, a damped one is tried from that guess and from
// others (analysis/decisions/0026). It only comes close; Newton's iteration then ends as usual.

/// Between the stages and a copy of their unknowns.
template <class S>
void StageSystem<S>::copy_unknowns(bool out) {
  kept_.resize(correction_.size());  // allocates at the first failure of a run
  increment_.resize(correction_.size());
  S* kept = kept_.data();
  const auto take = [&](S* x, int length) {
    out ? std::copy_n(x, length, kept) : std::copy_n(kept, length, x);
    kept += length;
  };
  for (int i = 0; i < r_; ++i) {
    for (const Run& run : lists_.differential_runs) take(rate(i) + run.to, run.length);
    for (const Run& run : lists_.algebraic_runs) take(y(i) + run.to, run.length);
  }
}

/// The unknowns := those kept − share · increment.
template <class S>
void StageSystem<S>::move_from_kept(double share) {
  copy_unknowns(false);
  for (std::size_t k = 0; k < increment_.size(); ++k) correction_[k] = F(share) * increment_[k];
  apply_correction();
  update_stages();
}

/// Residual and Jacobian of the current stages, factored.
template <class S>
bool StageSystem<S>::linearise(Counts& counts) {
  if (transformed_) {
    evaluate_residual(counts);
    increment_ = correction_;  // the Jacobian's evaluation writes there
    if (!refresh_simplified(counts)) return false;
    correction_ = increment_;
    return true;
  }
  evaluate_full(counts);
  ++counts.factorizations;
  return matrix_->factor();
}

/// The natural level of the current stages: the norm of the increment that the current factors give
/// for the residual. The norm of the residual itself adds forces of stiff and soft directions, and
/// allows only tiny steps along a stiff, curved constraint or beam.
template <class S>
double StageSystem<S>::distance_left() const {
  double squares = 0;
  for (const F& c : correction_) squares += to_double(c) * to_double(c);
  return std::sqrt(squares);
}

/// Damped Newton by the natural monotonicity test (Deuflhard 2004, algorithm NLEQ-ERR, with halved
/// and doubled damping) until an undamped increment reduces the level to a quarter: from there
/// Newton converges. False where this is not reached.
template <class S>
bool StageSystem<S>::approach(Counts& counts) {
  constexpr double least = 1.0 / (1 << 30), enough = 0.25;
  const auto solve_for = [this] {
    if (transformed_)
      simplified_correction();
    else
      matrix_->solve(correction_.data());
    return distance_left();
  };
  update_stages();
  double damping = 1;
  for (int iteration = 0; iteration < settings_.max; ++iteration) {
    if (!linearise(counts)) return false;
    const double before = solve_for();
    if (!std::isfinite(before)) return false;
    copy_unknowns(true);
    increment_ = correction_;
    ++counts.newton_iterations;
    double after = 0;
    for (;; damping /= 2) {
      if (damping < least) return false;
      move_from_kept(damping);
      evaluate_residual(counts);
      after = solve_for();
      if (after <= (1 - damping / 4) * before) break;  // false where it is not finite
    }
    if (damping == 1 && after <= enough * before) return true;
    damping = std::min(1.0, 2 * damping);
  }
  return false;
}

/// Sets the guess of a single stage to the positions of the point y, extrapolated with its
/// velocities by the time `ahead`. False for coupled stages and for systems without positions.
template <class S>
bool StageSystem<S>::aim_at(const S* from, const S& ahead) {
  if (r_ > 1 || lists_.integral.empty()) return false;
  const S step = hB_[0];
  for (const int c : lists_.algebraic) y(0)[c] = from[c];
  for (const int c : lists_.differential) rate(0)[c] = S(0);
  for (const auto& [c, source] : lists_.integral) {
    const S position = from[c] + ahead * from[source];
    rate(0)[source] = h2_position_.empty()
                          ? S(((position - base(0)[c]) / step - base(0)[source]) / step)
                          : S((position - base(0)[c]) / h2_position_[0]);
  }
  return true;
}

/// A mechanism is nonlinear in its positions: guesses with positions near the last ones come first,
/// then guesses with the last rates, whose positions differ by h² times an acceleration.
template <class S>
bool StageSystem<S>::rescue(const S& h, Counts& counts,
                            std::initializer_list<StagePoint<S>> before) {
  for (const StagePoint<S>& point : before)
    for (const S& ahead : {point.since, S(0)})
      if (aim_at(point.y, ahead) && solve_damped(h, counts)) return true;
  for (const StagePoint<S>& point : before) {
    for (int i = 0; i < r_; ++i) {
      for (const int c : lists_.differential) rate(i)[c] = point.rate[c];
      for (const int c : lists_.algebraic) y(i)[c] = point.y[c];
    }
    if (solve_damped(h, counts)) return true;
  }
  return false;
}

template <class S>
bool StageSystem<S>::solve_damped(const S& h, Counts& counts) {
  if constexpr (is_exact<S>) {
    return false;
  } else {
    begin(h);
    if (!approach(counts)) return false;
    age_ = -1;
    return iterate(counts).status == Status::ok;
  }
}

// Members defined here; the others are instantiated in stage_system.cpp.
template class StageSystem<double>;
template class StageSystem<real50>;
template class StageSystem<rational>;

}  // namespace daemark
