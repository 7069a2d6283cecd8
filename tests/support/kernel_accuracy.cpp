#include "tests/support/kernel_accuracy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/roots/eigenvalues.hpp"
#include "base/linear/dense_eigenvalues.hpp"
#include "base/linear/dense_matrix.hpp"
#include "base/linear/dense_solve.hpp"
#include "base/linear/rank_revealing_qr.hpp"
#include "base/linear/refined_lu.hpp"
#include "base/numbers/expression.hpp"
#include "base/numbers/sin_cos.hpp"
#include "problems/geometry/rotation_tangent.hpp"

namespace daemark::test {
namespace {

using Random = std::mt19937_64;
template <class S>
using MatrixOf = std::vector<std::vector<S>>;
/// Where 130 digits are themselves checked.
using wider = mp::number<mp::mpfr_float_backend<300, mp::allocate_stack>, mp::et_off>;

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
int draw_size(Random& random, int least, int most) {
  return least + static_cast<int>(random() % static_cast<unsigned>(most - least + 1));
}

template <class S>
double round_off() {
  return unit_roundoff<S>();
}
template <>
double round_off<long double>() {
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

// ---- elementary functions

/// A compiler that sees the argument may compute the function itself.
template <class S>
S unseen(const S& x) {
  volatile bool never = false;
  return never ? S(0) : x;
}

#define DAEMARK_FUNCTION(NAME)       \
  struct Of_##NAME {                 \
    template <class T>               \
    T operator()(const T& x) const { \
      using std::NAME;               \
      return NAME(x);                \
    }                                \
  };
DAEMARK_FUNCTION(sin)
DAEMARK_FUNCTION(cos)
DAEMARK_FUNCTION(tan)
DAEMARK_FUNCTION(asin)
DAEMARK_FUNCTION(acos)
DAEMARK_FUNCTION(atan)
DAEMARK_FUNCTION(sinh)
DAEMARK_FUNCTION(cosh)
DAEMARK_FUNCTION(tanh)
DAEMARK_FUNCTION(exp)
DAEMARK_FUNCTION(log)
DAEMARK_FUNCTION(sqrt)
#undef DAEMARK_FUNCTION
struct SineOfPair {
  template <class T>
  T operator()(const T& x) const {
    T sine, cosine;
    sin_cos(x, sine, cosine);
    return sine;
  }
};
struct CosineOfPair {
  template <class T>
  T operator()(const T& x) const {
    T sine, cosine;
    sin_cos(x, sine, cosine);
    return cosine;
  }
};
struct PowerOfPair {
  template <class T>
  T operator()(const T& x, const T& y) const {
    using std::pow;
    return pow(x, y);
  }
};
struct ArcOfPair {
  template <class T>
  T operator()(const T& x, const T& y) const {
    using std::atan2;
    return atan2(y, x);
  }
};

template <class S, class F, int lowest, int highest, int scale>
double one_argument(Random& random) {
  const S x = draw<S>(random, double(lowest) / scale, double(highest) / scale);
  return ulps(S(F()(unseen(x))), wide(F()(wide(x))));
}
template <class S, class F, int least>
double two_arguments(Random& random) {
  const S x = draw<S>(random, least, 4), y = draw<S>(random, -4, 4);
  return ulps(S(F()(unseen(x), unseen(y))), wide(F()(wide(x), wide(y))));
}

// ---- rotations: errors of vectors, relative to their length

template <class S, std::size_t n>
double relative_error(const std::array<S, n>& x, const std::array<wide, n>& exact,
                      const wide& size) {
  wide error = 0;
  for (std::size_t i = 0; i < n; ++i) error += pow(wide(x[i]) - exact[i], 2);
  return to_double(wide(sqrt(error) / size)) / round_off<S>();
}
template <class S>
rotation::Vec3<S> draw_turn(Random& random, double longest) {
  const double side = longest / std::sqrt(3.0);
  return {draw<S>(random, -side, side), draw<S>(random, -side, side), draw<S>(random, -side, side)};
}
template <class S>
rotation::Vec3<wide> widened(const rotation::Vec3<S>& x) {
  return {wide(x[0]), wide(x[1]), wide(x[2])};
}
template <class S>
double rotation_exponential(Random& random) {
  const auto turn = draw_turn<S>(random, 6.28);
  return relative_error(rotation::exponential(turn), rotation::exponential(widened(turn)), wide(1));
}
template <class S>
double rotation_logarithm(Random& random) {
  const auto turn = draw_turn<S>(random, 3.1);
  const auto p = rotation::exponential(turn);
  const auto exact = rotation::logarithm(
      rotation::Quaternion<wide>{wide(p[0]), wide(p[1]), wide(p[2]), wide(p[3])});
  return relative_error(rotation::logarithm(p), exact, wide(sqrt(rotation::dot(exact, exact))));
}
template <class S>
double rotation_tangent(Random& random) {
  const auto turn = draw_turn<S>(random, 6.28), x = draw_turn<S>(random, 1);
  const auto exact = rotation::tangent(widened(turn), widened(x), 120);
  const auto along = widened(x);
  return relative_error(rotation::tangent(turn, x, rotation::series_terms<S>()), exact,
                        wide(sqrt(rotation::dot(along, along))));
}

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
    left = std::max(left, wide(abs(sum))), matrix = std::max(matrix, row);
    right = std::max(right, wide(abs(wide(b[i]))));
  }
  for (const S& each : x) solution = std::max(solution, wide(abs(wide(each))));
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
  solve_dense(factors, x, largest_pivot([](const S& entry) {
                using std::abs;
                return S(abs(entry));
              }));
  return backward(a, x, b);
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
      worst = std::max(worst, wide(abs(dot(g[i].data(), qr.null_vector(j))) / sqrt(size)));
    for (int k = 0; k <= j; ++k)
      worst = std::max(worst, wide(abs(dot(qr.null_vector(j), qr.null_vector(k)) - (j == k))));
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
    worst = std::max(worst, eigenvalue_error<S>(
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
      worst = std::max(worst, eigenvalue_error<double>(n, A, z));
  return worst;
}

// ---- the table

template <class S>
void add_functions(std::vector<Kernel>& all, const std::string& scalar, double bound) {
  const auto add = [&](const char* name, const char* arguments, double (*error)(Random&),
                       double limit) {
    all.push_back({name, arguments, scalar, "ulp", limit, 1, error});
  };
  add("sin", "[-10, 10]", one_argument<S, Of_sin, -10, 10, 1>, bound);
  add("cos", "[-10, 10]", one_argument<S, Of_cos, -10, 10, 1>, bound);
  add("sin", "[-10^6, 10^6]", one_argument<S, Of_sin, -1000000, 1000000, 1>, bound);
  add("cos", "[-10^6, 10^6]", one_argument<S, Of_cos, -1000000, 1000000, 1>, bound);
  add("sin of sin_cos", "[-10, 10]", one_argument<S, SineOfPair, -10, 10, 1>, bound);
  add("cos of sin_cos", "[-10, 10]", one_argument<S, CosineOfPair, -10, 10, 1>, bound);
  add("tan", "[-10, 10]", one_argument<S, Of_tan, -10, 10, 1>, bound);
  add("asin", "[-1, 1]", one_argument<S, Of_asin, -1, 1, 1>, bound);
  add("acos", "[-1, 1]", one_argument<S, Of_acos, -1, 1, 1>, bound);
  add("atan", "[-10, 10]", one_argument<S, Of_atan, -10, 10, 1>, bound);
  add("atan2", "[-4, 4]²", two_arguments<S, ArcOfPair, -4>, bound);
  add("sinh", "[-5, 5]", one_argument<S, Of_sinh, -5, 5, 1>, bound);
  add("cosh", "[-5, 5]", one_argument<S, Of_cosh, -5, 5, 1>, bound);
  add("tanh", "[-5, 5]", one_argument<S, Of_tanh, -5, 5, 1>, bound);
  add("exp", "[-20, 20]", one_argument<S, Of_exp, -20, 20, 1>, bound);
  add("log", "[1/1000, 20]", one_argument<S, Of_log, 1, 20000, 1000>, bound);
  add("pow", "[0, 4] × [-4, 4]", two_arguments<S, PowerOfPair, 0>, bound);
  add("sqrt", "[0, 100]", one_argument<S, Of_sqrt, 0, 100, 1>, 0.5);
}

template <class S>
void add_others(std::vector<Kernel>& all, const std::string& scalar) {
  const auto add = [&](const char* name, const char* arguments, double (*error)(Random&),
                       double limit, int cost) {
    all.push_back({name, arguments, scalar, "u", limit, cost, error});
  };
  add("rotation::exponential", "turns up to 2π", rotation_exponential<S>, 10, 4);
  add("rotation::logarithm", "turns up to π", rotation_logarithm<S>, 6, 4);
  add("rotation::tangent", "turns up to 2π", rotation_tangent<S>, 50, 4);
  const bool refined = !std::is_same_v<S, double>;  // solves in wide scalars end at round-off
  add("sparse LU, order chosen", "2 to 60 unknowns", sparse_solve<S, After::itself>,
      refined ? 5 : 100, 20);
  add("sparse LU, refactored, entries within 10 %", "2 to 60 unknowns",
      sparse_solve<S, After::close>, refined ? 5 : 1e4, 20);
  add("sparse LU, refactored, any entries", "2 to 60 unknowns", sparse_solve<S, After::other>,
      refined ? 5 : 1e7, 20);
  add("dense elimination (solve_dense)", "2 to 30 unknowns", dense_solve<S>, 20, 50);
}

std::vector<Kernel> all_kernels() {
  std::vector<Kernel> all;
  add_functions<double>(all, "double", 1);
  add_functions<real50>(all, "real50", 0.5);
  add_others<double>(all, "double");
  add_others<real50>(all, "real50");
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
  return all;
}

}  // namespace

const std::vector<Kernel>& kernels() {
  static const std::vector<Kernel> all = all_kernels();
  return all;
}

KernelErrors measure(const Kernel& kernel, std::uint64_t seed, int samples) {
  Random random(seed);
  KernelErrors errors;
  errors.samples = std::max(samples / kernel.cost, 4);
  for (int i = 0; i < errors.samples; ++i) {
    const double error = kernel.error(random);
    errors.mean += error / errors.samples;
    errors.max = error <= errors.max ? errors.max : error;
    if (std::isnan(error)) break;
  }
  if (std::isnan(errors.mean)) errors.max = errors.mean;
  return errors;
}

std::string accuracy_page(std::uint64_t seed, int samples) {
  std::string page =
      "# Accuracy of the numerical kernels\n\n"
      "Errors of the functions and solvers that every run is built on, on random arguments\n"
      "(uniformly distributed, seeded), compared with MPFR at 130 digits or more. Runs in quad "
      "are\n"
      "computed in real50 (50 digits, 168 bits). `make audit PART=accuracy` measures them again "
      "and\n"
      "writes this page; a test checks the bounds.\n\n"
      "| unit | meaning |\n|---|---|\n"
      "| ulp | error over the last place of the exact value: 0.5 is correctly rounded |\n"
      "| u | unit round-offs of the scalar: 1.1e-16 in double, 2.7e-51 in real50 |\n\n"
      "Rotations: error of the vector over the length of the result (tangent: of the argument).\n"
      "Solvers: normwise backward error; sparse matrices have some four entries a row, the second\n"
      "and third of each pattern are refactored in the pivot order of the first. Eigenvalues: "
      "distance\n"
      "to the nearest matrix that has this eigenvalue, over the norm of the matrix. Null space: "
      "the\n"
      "largest entry of G N over the norm of G, or of NᵀN − I.\n\n"
      "| kernel | arguments | scalar | unit | samples | mean | max | bound |\n"
      "|---|---|---|---|---:|---:|---:|---:|\n";
  for (const Kernel& kernel : kernels()) {
    const KernelErrors errors = measure(kernel, seed, samples);
    page += fmt::format("| {} | {} | {} | {} | {} | {:.2g} | {:.2g} | {} |\n", kernel.name,
                        kernel.arguments, kernel.scalar, kernel.unit, errors.samples, errors.mean,
                        errors.max, kernel.bound);
  }
  return page;
}

}  // namespace daemark::test
