#include "analysis/linear/scalar_roots.hpp"

#include <array>

#include "analysis/linear/stability_function.hpp"
#include "base/linear/dense_eigenvalues.hpp"

namespace daemark {
namespace {

using Complex = std::complex<double>;

/// Real and imaginary part of Σ c_k (iθ)^k. At 130 digits: beyond θ ≈ 10 the terms cancel.
std::array<wide, 2> on_axis(const std::vector<wide>& coefficients, const wide& theta) {
  std::array<wide, 2> value = {wide(0), wide(0)};
  wide power = 1;
  for (std::size_t k = 0; k < coefficients.size(); ++k) {
    const wide term = coefficients[k] * power;
    if (k % 4 < 2)
      value[k % 2] += term;
    else
      value[k % 2] -= term;
    power *= theta;
  }
  return value;
}

Complex value_on_axis(const WideFunction& R, double theta) {
  const auto n = on_axis(R.num, wide(theta)), d = on_axis(R.den, wide(theta));
  const wide size = d[0] * d[0] + d[1] * d[1];
  if (size == 0) return std::numeric_limits<double>::infinity();
  return {to_double(wide((n[0] * d[0] + n[1] * d[1]) / size)),
          to_double(wide((n[1] * d[0] - n[0] * d[1]) / size))};
}

/// Eigenvalues of the companion matrix of Σ c_j ζ^j.
std::vector<Complex> polynomial_roots(const std::vector<Complex>& c) {
  const auto degree = static_cast<Eigen::Index>(c.size()) - 1;
  Eigen::MatrixXcd companion = Eigen::MatrixXcd::Zero(degree, degree);
  for (Eigen::Index j = 0; j < degree; ++j)
    companion(0, j) = -c[static_cast<std::size_t>(degree - 1 - j)] / c.back();
  for (Eigen::Index i = 1; i < degree; ++i) companion(i, i - 1) = 1;
  const auto roots = eigenvalues(companion);
  if (!roots) throw NumericalFailure("the roots of the characteristic polynomial do not converge");
  return *roots;
}

}  // namespace

std::optional<std::function<std::vector<Complex>(double theta)>> scalar_roots(
    const Method& method) {
  if (const auto* tableau = method.tableau()) {
    return [R = stability_function(*tableau)](double theta) {
      return std::vector<Complex>{value_on_axis(R, theta)};
    };
  }
  const auto* formula = method.coefficients(MethodKind::multistep);
  if (!formula) return std::nullopt;
  std::vector<double> alpha, beta;
  for (const Expression& a : formula->list("alpha")) alpha.push_back(a.eval<double>());
  for (const Expression& b : formula->list("beta")) beta.push_back(b.eval<double>());
  return [alpha, beta](double theta) {
    std::vector<Complex> c;
    for (std::size_t j = 0; j < alpha.size(); ++j) c.emplace_back(alpha[j], -theta * beta[j]);
    return polynomial_roots(c);
  };
}

}  // namespace daemark
