// Polynomials and matrices over exact numbers, on which the proofs are built.
#pragma once

#include <string>
#include <vector>

#include "analysis/exact/numbers/number.hpp"

namespace daemark::exact {

/// Σ c[i] x^i, no trailing zeros; the zero polynomial has degree -1.
class Poly {
 public:
  Poly() = default;
  explicit Poly(std::vector<Number> coefficients);
  static Poly constant(const Number& value) { return Poly({value}); }
  static Poly monomial(const Number& value, int power);
  /// x - root
  static Poly root(const Number& value) { return Poly({-value, Number(1)}); }

  int degree() const { return static_cast<int>(c_.size()) - 1; }
  bool is_zero() const { return c_.empty(); }
  bool is_rational() const;
  Number operator[](int power) const;  ///< 0 beyond the degree
  const Number& leading() const { return c_.back(); }
  const std::vector<Number>& coefficients() const { return c_; }
  Number operator()(const Number& x) const;
  bool operator==(const Poly& other) const { return c_ == other.c_; }

  Poly derivative() const;
  Poly integral() const;            ///< vanishing at 0
  Poly reflected() const;           ///< p(-x)
  Poly reversed(int degree) const;  ///< x^degree p(1/x)
  Poly monic() const;
  Poly scaled(const Number& factor) const;
  std::string text(const std::string& variable) const;
  std::vector<std::string> texts() const;  ///< coefficients as exact expressions

 private:
  std::vector<Number> c_;
};

Poly operator+(const Poly& a, const Poly& b);
Poly operator-(const Poly& a, const Poly& b);
Poly operator*(const Poly& a, const Poly& b);
/// a = quotient b + remainder; throws std::domain_error for b = 0.
void divide(const Poly& a, const Poly& b, Poly& quotient, Poly& remainder);
Poly remainder(const Poly& a, const Poly& b);
Poly quotient(const Poly& a, const Poly& b);
Poly gcd(const Poly& a, const Poly& b);  ///< monic
Poly power(const Poly& base, int exponent);
Poly compose(const Poly& outer, const Poly& inner);  ///< outer(inner(x))

std::vector<Poly> chebyshev_to(int n);  ///< T_0, ..., T_n and T_1 at least
/// p = odd · square², `odd` squarefree with the leading sign of p: odd holds the roots of odd
/// multiplicity, the only ones where p changes sign.
void split_by_parity(const Poly& p, Poly& odd, Poly& square);

/// Sturm chain of a squarefree polynomial; each remainder scaled by a positive number.
std::vector<Poly> sturm_chain(const Poly& p);
/// Sign changes of the chain at x, or at +infinity when x is null.
int sign_changes(const std::vector<Poly>& chain, const Number* x);

using Vector = std::vector<Number>;
using Matrix = std::vector<Vector>;  ///< rows

Matrix identity(int n);
Matrix multiply(const Matrix& a, const Matrix& b);
Vector multiply(const Matrix& a, const Vector& x);
Number dot(const Vector& a, const Vector& b);
int field_degree(const Vector& numbers);  ///< of the field they lie in, 1 for rational ones
/// det(I - z a) as a polynomial in z, degree <= n.
Poly resolvent_determinant(const Matrix& a);
/// The same in rounded arithmetic or enclosures, ascending (Faddeev–LeVerrier).
template <class T>
std::vector<T> rounded_resolvent(const std::vector<std::vector<T>>& a) {
  const std::size_t n = a.size();
  std::vector<T> out{T(1)};
  std::vector<std::vector<T>> power(n, std::vector<T>(n, T(0)));
  for (std::size_t i = 0; i < n; ++i) power[i][i] = T(1);
  for (std::size_t k = 1; k <= n; ++k) {
    std::vector<std::vector<T>> next(n, std::vector<T>(n, T(0)));
    T trace(0);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t l = 0; l < n; ++l) next[i][j] += a[i][l] * power[l][j];
      trace += next[i][i];
    }
    out.push_back(-trace / T(static_cast<long>(k)));
    for (std::size_t i = 0; i < n; ++i) next[i][i] += out.back();
    power = std::move(next);
  }
  return out;
}
Number determinant(Matrix a);
/// Solves a x = b; false when a is singular.
bool solve(Matrix a, Vector b, Vector& x);

/// a x = b for a regular rational a and any number of columns b.
Matrix solve_rational(const Matrix& a, const Matrix& b);

}  // namespace daemark::exact
