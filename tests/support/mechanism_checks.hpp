// What every mechanism must satisfy, checked in 50 digits at points on and off the
// constraints: derivatives against differences, the graph against evaluate(), energy against power.
//
// Differences are the five-point formula (8(f₁ − f₋₁) − (f₂ − f₋₂))/12δ with δ = 2⁻⁴⁰: round-off
// 1.5 ε/δ ≈ 9e-39 |f|, truncation δ⁴/30 ≈ 2e-50 times the fifth derivative. The bound
// 1e-35 (1 + |f|) leaves room for functions that vary on lengths down to 1/150 of the unit (springs
// of 2 cm); a wrong term shows at 1e-3 or more.
#pragma once

#include <functional>
#include <vector>

#include "problems/system/implicit_system.hpp"
#include "problems/system/mechanical_system.hpp"

namespace daemark::test {

/// A point of motion that owns its numbers.
struct MotionSample {
  real50 t;
  std::vector<real50> q, v, a, lambda, chart;
  MotionPoint<real50> view() const {
    return {t, q.data(), v.data(), a.data(), lambda.data(), chart.data()};
  }
};

/// `count` points near the initial configuration (first one at it), with repeatable noise.
std::vector<MotionSample> sample_motions(const MechanicalSystem<real50>& system, int count);

/// Deterministic numbers in (−1, 1).
class Noise {
 public:
  real50 next();

 private:
  unsigned long long state_ = 1;
};

/// f' by the formula above; f writes its values for an argument moved by the offset given.
std::vector<real50> difference(int size, const std::function<void(const real50&, real50*)>& f);

/// |x − y| ≤ bound · max(1, |x|, |y|, terms) with maxima over the whole vectors; `terms`: the size
/// of what the values were computed from. Names the entry that fails.
void expect_close(const std::vector<real50>& x, const std::vector<real50>& y, double bound,
                  const char* what, double terms = 1);
double largest(const std::vector<real50>& x);

/// Dense rows × cols from pattern and values (values of the same position add up).
std::vector<real50> dense(const Pattern& pattern, const std::vector<real50>& values);

void check_derivatives(MechanicalSystem<real50>& system, const MotionSample& at);
void check_rates_of_constraints(MechanicalSystem<real50>& system, const MotionSample& at);
void check_record(MechanicalSystem<real50>& system, const MotionSample& at);
/// d(T + V − W)/dt − P = vᵀR − λᵀΦ̇ for any motion: energies, work and power fit the equations.
void check_energy_rate(MechanicalSystem<real50>& system, const MotionSample& at);
/// Mass matrix symmetric, kinetic energy ½vᵀMv + terms linear in v at most.
void check_mass(MechanicalSystem<real50>& system, const MotionSample& at);

/// Jacobians of a formulated system against differences, at a point with noise.
void check_jacobians(ImplicitSystem<real50>& system, std::vector<real50> y,
                     std::vector<real50> rate, const real50& t);

}  // namespace daemark::test
