// What every mechanism must satisfy, checked in 113-bit arithmetic at points on and off the
// constraints: derivatives against differences, the graph against evaluate(), energy against power.
//
// Differences are the five-point formula (8(f₁ − f₋₁) − (f₂ − f₋₂))/12δ with δ = 2⁻²⁷: round-off
// 1.5 ε/δ ≈ 2e-26 |f|, truncation δ⁴/30 ≈ 1e-34 times the fifth derivative. The bound
// 1e-23 (1 + |f|) leaves room for functions that vary on lengths down to 1/150 of the unit (springs
// of 2 cm); a wrong term shows at 1e-3 or more.
#pragma once

#include <functional>
#include <vector>

#include "problems/system/implicit_system.hpp"
#include "problems/system/mechanical_system.hpp"

namespace daemark::test {

/// A point of motion that owns its numbers.
struct MotionSample {
  quad t;
  std::vector<quad> q, v, a, lambda, chart;
  MotionPoint<quad> view() const {
    return {t, q.data(), v.data(), a.data(), lambda.data(), chart.data()};
  }
};

/// `count` points near the initial configuration (first one at it), with repeatable noise.
std::vector<MotionSample> sample_motions(const MechanicalSystem<quad>& system, int count);

/// Deterministic numbers in (−1, 1).
class Noise {
 public:
  quad next();

 private:
  unsigned long long state_ = 1;
};

/// f' by the formula above; f writes its values for an argument moved by the offset given.
std::vector<quad> difference(int size, const std::function<void(const quad&, quad*)>& f);

/// |x − y| ≤ bound · max(1, |x|, |y|, terms) with maxima over the whole vectors; `terms`: the size
/// of what the values were computed from. Names the entry that fails.
void expect_close(const std::vector<quad>& x, const std::vector<quad>& y, double bound,
                  const char* what, double terms = 1);
double largest(const std::vector<quad>& x);

/// Dense rows × cols from pattern and values (values of the same position add up).
std::vector<quad> dense(const Pattern& pattern, const std::vector<quad>& values);

void check_derivatives(MechanicalSystem<quad>& system, const MotionSample& at);
void check_rates_of_constraints(MechanicalSystem<quad>& system, const MotionSample& at);
void check_record(MechanicalSystem<quad>& system, const MotionSample& at);
/// d(T + V − W)/dt − P = vᵀR − λᵀΦ̇ for any motion: energies, work and power fit the equations.
void check_energy_rate(MechanicalSystem<quad>& system, const MotionSample& at);
/// Mass matrix symmetric, kinetic energy ½vᵀMv + terms linear in v at most.
void check_mass(MechanicalSystem<quad>& system, const MotionSample& at);

/// Jacobians of a formulated system against differences, at a point with noise.
void check_jacobians(ImplicitSystem<quad>& system, std::vector<quad> y, std::vector<quad> rate,
                     const quad& t);

}  // namespace daemark::test
