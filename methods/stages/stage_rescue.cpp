// Where Newton's iteration fails from the first guess: a damped one, from that guess and from
// others (analysis/decisions/0026). It only approaches; the rule that ends an iteration stays
// Newton's.
#include <algorithm>
#include <cmath>

#include "methods/stages/stage_algebra.hpp"
#include "methods/stages/stage_system.hpp"
#include "methods/stages/transformed_blocks.hpp"

namespace daemark {

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

/// Residual and Jacobian of the stages as they are, factored.
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

/// The natural level of the stages as they are: the size of the increment that the factors at hand
/// make of their residual. A residual's own size adds newtons of stiff and of soft directions up,
/// and lets steps along a stiff, curved constraint or beam be tiny only.
template <class S>
double StageSystem<S>::distance_left() const {
  double squares = 0;
  for (const F& c : correction_) squares += to_double(c) * to_double(c);
  return std::sqrt(squares);
}

/// Damped Newton by the natural monotonicity test (Deuflhard 2004, algorithm NLEQ-ERR, with halved
/// and doubled damping) until an undamped increment leaves a quarter of itself: there Newton
/// converges. False where it does not get that far.
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

/// The guess of a single stage that has the positions which the point y has, or has `ahead` later,
/// moving on. False for coupled stages and for systems without positions.
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

/// What is nonlinear in a mechanism are its positions: guesses that keep them near the last ones
/// come first, guesses of the rates, which differ by h² of an acceleration, behind.
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

template class StageSystem<double>;
template class StageSystem<real50>;
template class StageSystem<rational>;

}  // namespace daemark
