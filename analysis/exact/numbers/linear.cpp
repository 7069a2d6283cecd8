// Exact linear algebra: small dense matrices of numbers, FLINT where all of them are rational.
#include <algorithm>
#include <stdexcept>

#include "analysis/exact/numbers/poly.hpp"

namespace daemark::exact {

namespace {

bool all_rational(const Matrix& a) {
  return std::all_of(a.begin(), a.end(), [](const Vector& row) { return field_degree(row) == 1; });
}

class RationalMatrix {
 public:
  RationalMatrix(const Matrix& from, long columns) {
    fmpq_mat_init(m, static_cast<long>(from.size()), columns);
    for (std::size_t i = 0; i < from.size(); ++i) {
      for (std::size_t j = 0; j < from[i].size(); ++j) {
        const rational x = from[i][j].to_rational();
        fmpq_set_mpq(fmpq_mat_entry(m, i, j), x.backend().data());
      }
    }
  }
  ~RationalMatrix() { fmpq_mat_clear(m); }
  RationalMatrix(const RationalMatrix&) = delete;
  RationalMatrix& operator=(const RationalMatrix&) = delete;
  fmpq_mat_t m;
};

Number from_fmpq(const fmpq_t x) {
  rational out;
  fmpq_get_mpq(out.backend().data(), x);
  return Number(out);
}

Poly rational_resolvent(const Matrix& a) {
  const int n = static_cast<int>(a.size());
  RationalMatrix m(a, n);
  fmpq_poly_t poly;
  fmpq_poly_init(poly);
  fmpq_mat_charpoly(poly, m.m);
  std::vector<Number> c;  // det(I - z a) is the characteristic polynomial reversed
  for (int i = n; i >= 0; --i) c.emplace_back(coefficient(poly, i));
  fmpq_poly_clear(poly);
  return Poly(std::move(c));
}

}  // namespace

Matrix identity(int n) {
  Matrix out(static_cast<std::size_t>(n), Vector(static_cast<std::size_t>(n)));
  for (std::size_t i = 0; i < out.size(); ++i) out[i][i] = 1;
  return out;
}

int field_degree(const Vector& numbers) {
  for (const Number& x : numbers)
    if (!x.is_rational()) return x.field()->degree();
  return 1;
}

Number dot(const Vector& a, const Vector& b) {
  Number out;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!a[i].is_zero() && !b[i].is_zero()) out += a[i] * b[i];
  return out;
}

Vector multiply(const Matrix& a, const Vector& x) {
  Vector out;
  for (const Vector& row : a) out.push_back(dot(row, x));
  return out;
}

Matrix multiply(const Matrix& a, const Matrix& b) {
  Matrix out(a.size(), Vector(b.empty() ? 0 : b[0].size()));
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t k = 0; k < b.size(); ++k) {
      if (a[i][k].is_zero()) continue;
      for (std::size_t j = 0; j < b[k].size(); ++j)
        if (!b[k][j].is_zero()) out[i][j] += a[i][k] * b[k][j];
    }
  }
  return out;
}

Poly resolvent_determinant(const Matrix& a) {
  if (all_rational(a)) return rational_resolvent(a);
  const std::size_t n = a.size();
  bool triangular = true;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; j < n; ++j) triangular = triangular && a[i][j].is_zero();
  if (triangular) {
    Poly out = Poly::constant(1);
    for (std::size_t i = 0; i < n; ++i) out = out * Poly({Number(1), -a[i][i]});
    return out;
  }
  // Faddeev–LeVerrier: c_k = -tr(a M_k)/k, M_{k+1} = a M_k + c_k I.
  std::vector<Number> c{Number(1)};
  Matrix m = identity(static_cast<int>(n));
  for (std::size_t k = 1; k <= n; ++k) {
    m = multiply(a, m);
    Number trace;
    for (std::size_t i = 0; i < n; ++i) trace += m[i][i];
    const Number next = -trace / Number(static_cast<long>(k));
    for (std::size_t i = 0; i < n; ++i) m[i][i] += next;
    c.push_back(next);
  }
  return Poly(std::move(c));
}

namespace {

/// To upper triangular form, `determinant` times that of a; false where it is 0.
bool eliminate(Matrix& a, Vector& b, Number* determinant = nullptr) {
  const std::size_t n = a.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    while (pivot < n && a[pivot][k].is_zero()) ++pivot;
    if (pivot == n) return false;
    std::swap(a[pivot], a[k]);
    std::swap(b[pivot], b[k]);
    if (determinant) *determinant *= pivot == k ? a[k][k] : -a[k][k];
    const Number scale = a[k][k].inverse();
    for (std::size_t i = k + 1; i < n; ++i) {
      if (a[i][k].is_zero()) continue;
      const Number factor = a[i][k] * scale;
      for (std::size_t j = k + 1; j < n; ++j) a[i][j] -= factor * a[k][j];
      b[i] -= factor * b[k];
    }
  }
  return true;
}

}  // namespace

Number determinant(Matrix a) {
  Vector none(a.size(), Number(0));
  Number out = 1;
  return eliminate(a, none, &out) ? out : Number(0);
}

bool solve(Matrix a, Vector b, Vector& x) {
  if (!eliminate(a, b)) return false;
  const std::size_t n = a.size();
  x.assign(n, Number(0));
  for (std::size_t i = n; i-- > 0;) {
    Number sum = b[i];
    for (std::size_t j = i + 1; j < n; ++j) sum -= a[i][j] * x[j];
    x[i] = sum / a[i][i];
  }
  return true;
}

Matrix solve_rational(const Matrix& a, const Matrix& b) {
  const long columns = static_cast<long>(b.front().size());
  RationalMatrix left(a, static_cast<long>(a.size())), right(b, columns), x(b, columns);
  if (!fmpq_mat_solve(x.m, left.m, right.m)) throw std::domain_error("singular matrix");
  Matrix out(b.size());
  for (std::size_t i = 0; i < b.size(); ++i)
    for (long j = 0; j < columns; ++j)
      out[i].push_back(from_fmpq(fmpq_mat_entry(x.m, static_cast<long>(i), j)));
  return out;
}

}  // namespace daemark::exact
