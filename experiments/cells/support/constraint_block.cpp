#include "experiments/cells/support/constraint_block.hpp"

#include <algorithm>

#include "base/linear/dense_solve.hpp"
#include "methods/runge_kutta/pade.hpp"

namespace daemark {
namespace {

std::vector<wide> solve(std::vector<std::vector<wide>> A, std::vector<wide> b) {
  solve_dense(A, b, largest_pivot([](const wide& x) { return wide(mp::abs(x)); }));
  return b;
}

}  // namespace

ConstraintBlock constraint_block(const WideBlock& block) {
  if (block.size() == 0 || singular_B(block)) return {};
  std::vector<wide> first = solve(block.B, block.d);  // B⁻¹ d
  ConstraintBlock out;
  out.exists = true;
  out.rho = to_double(wide(-first.back()));
  for (wide& entry : first) entry += 1;
  out.coupling = to_double(wide(-solve(block.B, first).back()));
  // What is zero exactly comes out near 1e-130.
  const auto cleaned = [](double x) { return std::abs(x) < 1e-60 ? 0.0 : x; };
  out.rho = cleaned(out.rho);
  out.coupling = cleaned(out.coupling);
  return out;
}

}  // namespace daemark
