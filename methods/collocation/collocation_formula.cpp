#include "methods/collocation/collocation_formula.hpp"

#include <cmath>

#include "base/linear/dense_solve.hpp"
#include "base/linear/dense_eigenvalues.hpp"
#include "methods/runge_kutta/runge_kutta.hpp"

namespace daemark {
namespace {

using Matrix = std::vector<std::vector<wide>>;

Matrix inverse_of(const Matrix& A) {
  const std::size_t s = A.size();
  Matrix out(s, std::vector<wide>(s));
  const auto pivot = largest_pivot([](const wide& x) { return wide(abs(x)); });
  for (std::size_t j = 0; j < s; ++j) {
    Matrix a = A;
    std::vector<wide> column(s, wide(0));
    column[j] = 1;
    solve_dense(a, column, pivot);
    for (std::size_t i = 0; i < s; ++i) out[i][j] = column[i];
  }
  return out;
}

std::vector<double> rounded(const Matrix& A) {
  std::vector<double> out;
  for (const auto& row : A)
    for (const wide& x : row) out.push_back(to_double(x));
  return out;
}

}  // namespace

CollocationFormula::CollocationFormula(const WideTableau& tableau)
    : stages(tableau.stages()), A(rounded(tableau.A)), ends_step(is_stiffly_accurate(tableau)) {
  const int s = stages;
  const Matrix once = inverse_of(tableau.A);
  Matrix twice(s, std::vector<wide>(s, wide(0)));
  for (int i = 0; i < s; ++i)
    for (int j = 0; j < s; ++j)
      for (int k = 0; k < s; ++k) twice[i][j] += once[i][k] * once[k][j];
  inverse = rounded(once), inverse2 = rounded(twice);
  const bool at_start = tableau.c[0] == 0;
  if (at_start) estimate_start = 0, estimate.push_back(1);
  for (int j = at_start ? 1 : 0; j < s; ++j) {
    wide weight = -1;
    for (int k = at_start ? 1 : 0; k < s; ++k)
      if (k != j) weight *= -tableau.c[k] / (tableau.c[j] - tableau.c[k]);
    estimate.push_back(weight);
  }
  order = leading_error(tableau).order;
  estimate_order = at_start ? s : s + 1;
  std::vector<std::vector<double>> dense(s);
  for (int i = 0; i < s; ++i) dense[i].assign(&A[i * s], &A[i * s] + s);
  const Eigenvectors eigen = eigenvectors(dense);
  to_stages.assign(s * s, 0.0);
  int row = 0;
  std::complex<double> determinant = 1;
  for (int k = 0; k < s; ++k) {
    determinant *= eigen.values[k];
    if (eigen.values[k].imag() < 0) continue;  // its conjugate stands for the pair
    Part part{eigen.values[k], eigen.values[k].imag() == 0, {}, {}};
    const double weight = part.real ? 1 : 2;
    for (int i = 0; i < s; ++i) {
      part.to_part_re.push_back(eigen.inverse[k * s + i].real());
      part.to_part_im.push_back(eigen.inverse[k * s + i].imag());
      to_stages[i * s + row] = weight * eigen.vectors[i * s + k].real();
      if (!part.real) to_stages[i * s + row + 1] = -weight * eigen.vectors[i * s + k].imag();
    }
    row += part.real ? 1 : 2;
    if (part.real) gamma = part.eigenvalue.real(), has_real = true;
    parts.push_back(std::move(part));
  }
  if (!has_real) gamma = std::pow(std::abs(determinant), 1.0 / s);
}

template <class S>
StagePolynomial<S>::StagePolynomial(const std::vector<wide>& nodes)
    : points_(static_cast<int>(nodes.size()) + 1), skipped_(nodes[0] == 0 ? 1 : 0) {
  std::vector<wide> x = nodes;
  if (skipped_ == 0) x.insert(x.begin(), wide(0));
  const std::size_t count = x.size();
  for (const wide& node : x) nodes_.push_back(from_wide<S>(node));
  for (std::size_t j = 0; j < count; ++j) {
    wide scale = 1;
    std::vector<wide> product{wide(1)};  // Π_{k≠j} (θ − x_k), ascending powers
    for (std::size_t k = 0; k < count; ++k) {
      if (k == j) continue;
      scale /= x[j] - x[k];
      product.emplace_back(0);
      for (std::size_t p = product.size(); p-- > 1;)
        product[p] = product[p - 1] - x[k] * product[p];
      product[0] *= -x[k];
    }
    scale_.push_back(from_wide<S>(scale));
    for (const wide& coefficient : product)
      monomials_.push_back(from_wide<S>(wide(scale * coefficient)));
  }
}

template <class S>
void StagePolynomial<S>::value(const S& theta, S* weights) const {
  const std::size_t count = nodes_.size();
  const auto at = [&](std::size_t j) -> S& { return weights[j == 0 ? 0 : j + skipped_]; };
  weights[skipped_] = S(0);
  S before(1);  // Π_{k<j} (θ − x_k)
  for (std::size_t j = 0; j < count; ++j) {
    at(j) = scale_[j] * before;
    before *= theta - nodes_[j];
  }
  S behind(1);
  for (std::size_t j = count; j-- > 0;) {
    at(j) *= behind;
    behind *= theta - nodes_[j];
  }
}

template <class S>
void StagePolynomial<S>::integrals(const S& theta, S* once, S* twice) const {
  const int count = static_cast<int>(nodes_.size());
  once[skipped_] = twice[skipped_] = S(0);
  for (int j = 0; j < count; ++j) {
    S first(0), second(0);
    for (int k = count; k-- > 0;) {
      const S& coefficient = monomials_[static_cast<std::size_t>(j) * count + k];
      first = theta * first + coefficient / S(k + 1);
      second = theta * second + coefficient / S((k + 1) * (k + 2));
    }
    const int place = j == 0 ? 0 : j + skipped_;
    once[place] = theta * first;
    twice[place] = theta * theta * second;
  }
}

template class StagePolynomial<double>;
template class StagePolynomial<real50>;

}  // namespace daemark
