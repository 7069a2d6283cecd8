#include "analysis/exact/theory/structural_order.hpp"

#include <algorithm>
#include <numeric>

#include "analysis/roots/eigenvalues.hpp"

namespace daemark {
namespace {

constexpr int highest = 12;  // powers of z kept

using Series = std::vector<rational>;

Series product(const Series& a, const Series& b) {
  Series out(highest + 1, rational(0));
  for (int i = 0; i <= highest; ++i)
    for (int j = 0; i + j <= highest; ++j) out[i + j] += a[i] * b[j];
  return out;
}

/// By expansion along the first row: the matrices have three or four rows.
Series determinant(const std::vector<std::vector<Series>>& m) {
  if (m.size() == 1) return m[0][0];
  Series sum(highest + 1, rational(0));
  for (std::size_t column = 0; column < m.size(); ++column) {
    std::vector<std::vector<Series>> minor;
    for (std::size_t i = 1; i < m.size(); ++i) {
      minor.push_back(m[i]);
      minor.back().erase(minor.back().begin() + static_cast<std::ptrdiff_t>(column));
    }
    const Series term = product(m[0][column], determinant(minor));
    for (int i = 0; i <= highest; ++i) sum[i] += column % 2 == 0 ? term[i] : rational(-term[i]);
  }
  return sum;
}

/// det(e^z N − P) with eigenvalues z and s z.
Series residual(const ExactSecondOrder& step, const rational& s) {
  Series exponential{rational(1)};
  for (int i = 1; i <= highest; ++i) exponential.push_back(exponential.back() / i);
  const auto entry = [&s](const ExactSecondOrder::Entry& e) {
    Series out(highest + 1, rational(0));
    out[0] = e.constant, out[1] = -(1 + s) * e.damping, out[2] = s * e.stiffness;
    return out;
  };
  std::vector<std::vector<Series>> m;
  for (std::size_t i = 0; i < step.next.size(); ++i) {
    m.emplace_back();
    for (std::size_t j = 0; j < step.next.size(); ++j) {
      m.back().push_back(product(exponential, entry(step.next[i][j])));
      const Series previous = entry(step.previous[i][j]);
      for (int p = 0; p <= highest; ++p) m.back().back()[p] -= previous[p];
    }
  }
  return determinant(m);
}

int order_with(const ExactSecondOrder& step, const rational& s) {
  const Series r = residual(step, s);
  const auto first = std::find_if(r.begin(), r.end(), [](const rational& x) { return x != 0; });
  return static_cast<int>(first - r.begin()) - 2;
}

}  // namespace

int linear_order(const ExactSecondOrder& step) {
  // A power of z has a polynomial in s of no higher degree: so many values and one decide it. The
  // double eigenvalue s = 1 is left out.
  int order = highest;
  for (int s = 2; s <= highest + 3; ++s) order = std::min(order, order_with(step, rational(s)));
  return order;
}

int order_on_problems(const ExactSecondOrder& step) { return std::min(linear_order(step), 2); }

int undamped_order(const ExactSecondOrder& step) { return order_with(step, rational(-1)); }

double largest_root(const std::vector<rational>& polynomial) {
  std::size_t degree = polynomial.size();
  while (degree > 0 && polynomial[degree - 1] == 0) --degree;
  if (degree < 2) return 0;
  --degree;
  std::vector<std::vector<long double>> companion(degree, std::vector<long double>(degree, 0));
  for (std::size_t i = 0; i < degree; ++i) {
    if (i > 0) companion[i][i - 1] = 1;
    companion[i][degree - 1] =
        -static_cast<long double>(rational(polynomial[i] / polynomial[degree]));
  }
  return static_cast<double>(largest_modulus(nonzero_eigenvalues(companion)));
}

}  // namespace daemark
