// Random arguments for the kernels whose accuracy is measured, and units of their errors.
#pragma once

#include <cmath>

#include "base/numbers/scalar.hpp"
#include "tests/support/kernel_accuracy.hpp"

namespace daemark::test::accuracy {

using Random = std::mt19937_64;
template <class S>
using MatrixOf = std::vector<std::vector<S>>;

/// In [lowest, highest), with random digits down to the last of S.
template <class S>
S draw(Random& random, double lowest, double highest) {
  const auto unit = [&random] { return std::ldexp(static_cast<double>(random() >> 11), -53); };
  S x = S(unit());
  if constexpr (!std::is_same_v<S, double>)
    for (int k = 1; k < 9; ++k) x += S(std::ldexp(unit(), -53 * k));
  return S(lowest) + x * S(highest - lowest);
}
template <class S>
std::vector<S> draw_vector(Random& random, int n, double lowest = -1, double highest = 1) {
  std::vector<S> x;
  for (int i = 0; i < n; ++i) x.push_back(draw<S>(random, lowest, highest));
  return x;
}
template <class S>
MatrixOf<S> draw_matrix(Random& random, int n, int m) {
  MatrixOf<S> rows;
  for (int i = 0; i < n; ++i) rows.push_back(draw_vector<S>(random, m));
  return rows;
}
inline int draw_size(Random& random, int least, int most) {
  return least + static_cast<int>(random() % static_cast<unsigned>(most - least + 1));
}

template <class S>
double round_off() {
  return unit_roundoff<S>();
}
template <>
inline double round_off<long double>() {
  return static_cast<double>(std::numeric_limits<long double>::epsilon()) / 2;
}

/// |x − exact| in units in the last place of `exact` in S.
template <class S, class Exact>
double ulps(const S& x, const Exact& exact) {
  int exponent = 0;
  frexp(exact, &exponent);
  const Exact last = ldexp(Exact(1), exponent - std::numeric_limits<S>::digits);
  return static_cast<double>(Exact(abs(Exact(Exact(x) - exact)) / last));
}

/// The larger of two errors; NaN where one is.
template <class T>
T worse(const T& x, const T& y) {
  using std::isnan;
  return isnan(x) || x >= y ? x : y;
}

/// Rows of the table for solvers: linear systems, roots, eigenvalues.
void add_solvers(std::vector<Kernel>& all);

}  // namespace daemark::test::accuracy
