#include "analysis/run/constraint_block.hpp"

#include <algorithm>

#include "methods/runge_kutta/pade.hpp"

namespace daemark {
namespace {

/// Gaussian elimination with row pivoting on a copy; small and in `wide`, so that nothing is lost.
std::vector<wide> solve(std::vector<std::vector<wide>> A, std::vector<wide> b) {
  const std::size_t n = b.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i) {
      if (mp::abs(A[i][k]) > mp::abs(A[pivot][k])) pivot = i;
    }
    std::swap(A[k], A[pivot]);
    std::swap(b[k], b[pivot]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const wide factor = A[i][k] / A[k][k];
      for (std::size_t j = k; j < n; ++j) A[i][j] -= factor * A[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) b[k] -= A[k][j] * b[j];
    b[k] /= A[k][k];
  }
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
