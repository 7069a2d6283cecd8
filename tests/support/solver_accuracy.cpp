#include <fmt/format.h>

#include <algorithm>

#include "analysis/roots/eigenvalues.hpp"
#include "base/linear/dense_eigenvalues.hpp"
#include "base/linear/dense_matrix.hpp"
#include "base/linear/dense_solve.hpp"
#include "base/linear/rank_revealing_qr.hpp"
#include "base/linear/refined_lu.hpp"
#include "base/numbers/expression.hpp"
#include "tests/support/kernel_samples.hpp"

namespace daemark::test {
namespace {

using namespace accuracy;  // NOLINT: as in kernel_accuracy.cpp

/// Where 130 digits are themselves checked.
using wider = mp::number<mp::mpfr_float_backend<300, mp::allocate_stack>, mp::et_off>;

// ---- linear systems: normwise backward errors

/// |b − A x| over |A| |x| + |b| in the maximum norm, in unit round-offs of S.
template <class S>
double backward(const MatrixOf<S>& a, const std::vector<S>& x, const std::vector<S>& b) {
  wide left = 0, matrix = 0, solution = 0, right = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    wide sum = wide(b[i]), row = 0;
    for (std::size_t j = 0; j < x.size(); ++j) {
      sum -= wide(a[i][j]) * wide(x[j]);
      row += abs(wide(a[i][j]));
    }
    left = worse(left, wide(abs(sum))), matrix = std::max(matrix, row);
    right = std::max(right, wide(abs(wide(b[i]))));
  }
  for (const S& each : x) solution = worse(solution, wide(abs(wide(each))));
  return to_double(wide(left / (matrix * solution + right))) / round_off<S>();
}

/// What is solved after the pivot order was chosen: that matrix, one with entries within 10 % of
/// its own, or one with unrelated entries.
enum class After { itself, close, other };

template <class S, After values>
double sparse_solve(Random& random) {
  const int n = draw_size(random, 2, 60);
  MatrixOf<S> a(n, std::vector<S>(n, S(0)));
  std::vector<std::pair<int, int>> places;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      if (i == j || random() % n < 3) places.emplace_back(i, j);
  const int count = static_cast<int>(places.size());
  RefinedLu<S> lu;
  lu.set_pattern(n, places);
  std::vector<S> entries = draw_vector<S>(random, count);
  bool factored = lu.factor(entries.data());
  if (factored && values != After::itself) {
    const bool close = values == After::close;
    const std::vector<S> drawn = draw_vector<S>(random, count, close ? 0.9 : -1, close ? 1.1 : 1);
    for (int k = 0; k < count; ++k) entries[k] = close ? S(entries[k] * drawn[k]) : drawn[k];
    factored = lu.factor(entries.data());
  }
  if (!factored) return 0;  // singular to working precision: refused, which is no error
  for (int k = 0; k < count; ++k) a[places[k].first][places[k].second] = entries[k];
  const std::vector<S> b = draw_vector<S>(random, n);
  std::vector<S> x = b;
  return lu.solve(x.data()) ? backward(a, x, b) : std::nan("");
}
template <class S>
double dense_solve(Random& random) {
  const int n = draw_size(random, 2, 30);
  const MatrixOf<S> a = draw_matrix<S>(random, n, n);
  const std::vector<S> b = draw_vector<S>(random, n);
  MatrixOf<S> factors = a;
  std::vector<S> x = b;
  const auto pivot = largest_pivot([](const S& entry) {
    using std::abs;
    return S(abs(entry));
  });
  return solve_dense(factors, x, pivot) ? backward(a, x, b) : std::nan("");
}
double dense_solve_eigen(Random& random) {
  const int n = draw_size(random, 2, 30);
  const MatrixOf<double> a = draw_matrix<double>(random, n, n);
  const std::vector<double> b = draw_vector<double>(random, n);
  Eigen::MatrixXd A(n, n);
  Eigen::VectorXd right(n);
  for (int i = 0; i < n; ++i) {
    right[i] = b[i];
    for (int j = 0; j < n; ++j) A(i, j) = a[i][j];
  }
  const Eigen::VectorXd x = regular_solution(A, right);
  return backward(a, std::vector<double>(x.begin(), x.end()), b);
}

/// Of N from the QR factors of Gᵀ: |G N| over |G| and |NᵀN − I|, whichever is larger.
double null_space_basis(Random& random) {
  const int m = draw_size(random, 1, 8), n = m + draw_size(random, 1, 8);
  const MatrixOf<double> g = draw_matrix<double>(random, m, n);
  RankRevealingQr qr;
  qr.resize(n, m, m);
  wide size = 0, worst = 0;
  for (int i = 0; i < m; ++i) {
    std::copy(g[i].begin(), g[i].end(), qr.column(i));
    for (const double entry : g[i]) size += pow(wide(entry), 2);
  }
  if (qr.factor() != RankRevealingQr::Outcome::ok) return std::nan("");
  const auto dot = [n](const double* x, const double* y) {
    wide sum = 0;
    for (int i = 0; i < n; ++i) sum += wide(x[i]) * wide(y[i]);
    return sum;
  };
  for (int j = 0; j < qr.null_dimension(); ++j) {
    for (int i = 0; i < m; ++i)
      worst = worse(worst, wide(abs(dot(g[i].data(), qr.null_vector(j))) / sqrt(size)));
    for (int k = 0; k <= j; ++k)
      worst = worse(worst, wide(abs(dot(qr.null_vector(j), qr.null_vector(k)) - (j == k))));
  }
  return to_double(worst) / round_off<double>();
}

// ---- roots of polynomials

/// root(p, lower, upper) of an expression: between −1/2 and 9/2, where p is a product of (x − k),
/// k = 0 … degree − 1 ≤ 4, plus a small constant. Newton's iteration at 300 digits is the judge.
template <class S>
double polynomial_root(Random& random) {
  const int degree = draw_size(random, 2, 5), which = draw_size(random, 0, degree - 1);
  std::string text = "1";
  for (int k = 0; k < degree; ++k) text += fmt::format("*(x-{})", k);
  const int constant = draw_size(random, -199, 199);
  text += fmt::format("+{}/1000", constant);
  const S x = Expression::parse(fmt::format("root({},{}-1/2,{}+1/2)", text, which, which), "test")
                  .eval<S>();
  wider at(x);
  for (int round = 0; round < 12; ++round) {
    wider value = 1, slope = 0;
    for (int k = 0; k < degree; ++k) slope = slope * (at - k) + value, value *= at - k;
    at -= (value + wider(constant) / 1000) / slope;
  }
  return at == 0 ? 0 : ulps(x, at);
}

// ---- eigenvalues: backward errors

/// Least singular value of A − z I over |A| (Frobenius), in unit round-offs of S: z is an exact
/// eigenvalue of a matrix that far away. By inverse iteration at 130 digits.
template <class S, class Entries>
double eigenvalue_error(int n, const Entries& a, const std::complex<S>& z) {
  if (!std::isfinite(z.real()) || !std::isfinite(z.imag())) return std::nan("");
  MatrixOf<wide> b(2 * n, std::vector<wide>(2 * n));  // [Re, −Im; Im, Re]
  wide size = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const wide re = wide(std::real(a(i, j))), im = wide(std::imag(a(i, j)));
      size += re * re + im * im;
      b[i][j] = b[n + i][n + j] = re - (i == j ? wide(z.real()) : wide(0));
      b[n + i][j] = im - (i == j ? wide(z.imag()) : wide(0));
      b[i][n + j] = -b[n + i][j];
    }
  MatrixOf<wide> transposed(2 * n, std::vector<wide>(2 * n));
  for (int i = 0; i < 2 * n; ++i)
    for (int j = 0; j < 2 * n; ++j) transposed[i][j] = b[j][i];
  const auto pivot = largest_pivot([](const wide& entry) { return wide(abs(entry)); });
  std::vector<wide> x;
  for (int i = 0; i < 2 * n; ++i) x.push_back(1 / wide(i + 2));
  wide growth = 0;
  for (int round = 0; round < 3; ++round) {
    for (const MatrixOf<wide>* matrix : {&transposed, &b}) {
      MatrixOf<wide> factors = *matrix;
      if (!solve_dense(factors, x, pivot)) return 0;
    }
    growth = 0;
    for (const wide& each : x) growth += each * each;
    growth = sqrt(growth);
    for (wide& each : x) each /= growth;
  }
  return to_double(wide(1 / sqrt(growth) / sqrt(size))) / round_off<S>();
}
template <class S>
double eigenvalues_of_real(Random& random) {
  const int n = draw_size(random, 2, 8);
  MatrixOf<S> rows(n, std::vector<S>(n));
  for (std::vector<S>& row : rows)
    for (S& entry : row) entry = static_cast<S>(draw<double>(random, -1, 1));
  const auto values = nonzero_eigenvalues(rows);
  double worst = values.size() == rows.size() ? 0 : std::nan("");
  for (const std::complex<S>& z : values)
    worst = worse(worst, eigenvalue_error<S>(
                             n, [&rows](int i, int j) { return rows[i][j]; }, z));
  return worst;
}
double eigenvalues_of_complex(Random& random) {
  const int n = draw_size(random, 2, 6);
  Eigen::MatrixXcd A(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      A(i, j) = {draw<double>(random, -1, 1), draw<double>(random, -1, 1)};
  const auto values = eigenvalues(A);
  double worst = values ? 0 : std::nan("");
  if (values)
    for (const std::complex<double>& z : *values)
      worst = worse(worst, eigenvalue_error<double>(n, A, z));
  return worst;
}

template <class S>
void add_linear(std::vector<Kernel>& all, const std::string& scalar) {
  const auto add = [&](const char* name, const char* arguments, double (*error)(Random&),
                       double limit, int cost) {
    all.push_back({name, arguments, scalar, "u", limit, cost, error});
  };
  const bool refined = !std::is_same_v<S, double>;  // solves in wide scalars end at round-off
  add("sparse LU, order chosen", "2 to 60 unknowns", sparse_solve<S, After::itself>,
      refined ? 5 : 100, 20);
  add("sparse LU, refactored, entries within 10 %", "2 to 60 unknowns",
      sparse_solve<S, After::close>, refined ? 5 : 1e4, 20);
  add("sparse LU, refactored, any entries", "2 to 60 unknowns", sparse_solve<S, After::other>,
      refined ? 5 : 1e7, 20);
  add("dense elimination (solve_dense)", "2 to 30 unknowns", dense_solve<S>, 20, 50);
}

}  // namespace

void accuracy::add_solvers(std::vector<Kernel>& all) {
  add_linear<double>(all, "double");
  add_linear<real50>(all, "real50");
  all.push_back({"dense LU (regular_solution)", "2 to 30 unknowns", "double", "u", 20, 50,
                 dense_solve_eigen});
  all.push_back(
      {"null space (RankRevealingQr)", "1 to 8 rows", "double", "u", 20, 50, null_space_basis});
  all.push_back({"root(p, lower, upper)", "degrees 2 to 5", "double", "ulp", 0.5, 20,
                 polynomial_root<double>});
  all.push_back({"root(p, lower, upper)", "degrees 2 to 5", "real50", "ulp", 0.5, 20,
                 polynomial_root<real50>});
  all.push_back(
      {"root(p, lower, upper)", "degrees 2 to 5", "wide", "ulp", 1, 20, polynomial_root<wide>});
  all.push_back(
      {"eigenvalues (real)", "2 to 8 rows", "double", "u", 30, 200, eigenvalues_of_real<double>});
  all.push_back({"eigenvalues (real)", "2 to 8 rows", "long double", "u", 30, 200,
                 eigenvalues_of_real<long double>});
  all.push_back(
      {"eigenvalues (complex)", "2 to 6 rows", "double", "u", 30, 200, eigenvalues_of_complex});
}

}  // namespace daemark::test
