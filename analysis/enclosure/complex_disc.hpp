// Discs of complex numbers around a double: quick enclosures with the digits of double, for what
// multiplies small errors. What is rounded widens the disc.
#pragma once

#include <Eigen/LU>

#include "analysis/enclosure/matrices.hpp"

namespace daemark {

/// All z with |z − middle| <= radius.
struct ComplexDisc {
  double middle = 0, radius = 0;

  ComplexDisc() = default;
  ComplexDisc(int value) : middle(value) {}  // NOLINT: integers are numbers
  ComplexDisc(double m, double r) : middle(m), radius(r) {}

  static constexpr double rounding = 0x1p-52;  ///< above that of one operation, relative

  bool finite() const { return std::isfinite(middle) && std::isfinite(radius); }
  ComplexDisc& operator+=(const ComplexDisc& o) { return *this = *this + o; }
  ComplexDisc& operator/=(int k) { return *this = *this / ComplexDisc(k); }
  friend ComplexDisc operator+(const ComplexDisc& x, const ComplexDisc& y) {
    const double m = x.middle + y.middle;
    return {m, outward(x.radius + y.radius + rounding * std::abs(m))};
  }
  friend ComplexDisc operator-(const ComplexDisc& x) { return {-x.middle, x.radius}; }
  friend ComplexDisc operator-(const ComplexDisc& x, const ComplexDisc& y) { return x + -y; }
  friend ComplexDisc operator*(const ComplexDisc& x, const ComplexDisc& y) {
    const double m = x.middle * y.middle;
    return {m, outward(std::abs(x.middle) * y.radius + x.radius * (std::abs(y.middle) + y.radius) +
                       rounding * std::abs(m))};
  }
  /// |x/y − m_x/m_y| <= (r_x + |m_x/m_y| r_y)/(|m_y| − r_y).
  friend ComplexDisc operator/(const ComplexDisc& x, const ComplexDisc& y) {
    const double gap = (std::abs(y.middle) - y.radius) * (1 - 1e-9), m = x.middle / y.middle;
    if (!(gap > DBL_MIN)) return {m, INFINITY};
    return {m, outward((x.radius + std::abs(m) * (1 + 1e-9) * y.radius) / gap +
                       rounding * std::abs(m))};
  }
  friend ComplexDisc operator*(int k, const ComplexDisc& x) { return ComplexDisc(k) * x; }
  friend ComplexDisc operator/(const ComplexDisc& x, int k) { return x / ComplexDisc(k); }
};

/// Σ x_j y_{j step} over 0 <= j < size.
inline ComplexDisc dot(const ComplexDisc* x, const ComplexDisc* y, int size, int step) {
  double sum = 0, sizes = 0, radius = 0;
  for (int j = 0; j < size; ++j) {
    const ComplexDisc &a = x[j], &b = y[j * step];
    const double m = a.middle * b.middle;
    sum += m, sizes += std::abs(m);
    radius += std::abs(a.middle) * b.radius + a.radius * (std::abs(b.middle) + b.radius);
  }
  return {sum, outward(radius + sizes * size * ComplexDisc::rounding)};
}
inline ComplexDisc dot(const ComplexDisc* x, const ComplexDisc* y, int size) {
  return dot(x, y, size, 1);
}
inline ComplexDisc dot_reversed(const ComplexDisc* x, const ComplexDisc* y, int size) {
  return size > 0 ? dot(x, y + size - 1, size, -1) : ComplexDisc();
}

ComplexDisc sqrt(const ComplexDisc& x);
ComplexDisc sin(const ComplexDisc& x);
ComplexDisc cos(const ComplexDisc& x);
ComplexDisc exp(const ComplexDisc& x);
ComplexDisc log(const ComplexDisc& x);
ComplexDisc tanh(const ComplexDisc& x);
ComplexDisc asin(const ComplexDisc& x);
ComplexDisc acos(const ComplexDisc& x);
ComplexDisc atan(const ComplexDisc& x);
ComplexDisc atan2(const ComplexDisc& y, const ComplexDisc& x);
ComplexDisc abs(const ComplexDisc& x);  ///< not analytic: never finite, like select
ComplexDisc select(const ComplexDisc& condition, const ComplexDisc& above,
                   const ComplexDisc& below);

template <>
ComplexDisc from_wide<ComplexDisc>(const wide& x);
ComplexDisc disc_of(const RealBall& x);

inline double magnitude(const ComplexDisc& x) { return outward(std::abs(x.middle) + x.radius); }
inline double scaled_magnitude(const ComplexDisc& x, long shift) {
  return outward(std::ldexp(magnitude(x), static_cast<int>(shift)));
}
inline int exponent(const ComplexDisc& x) {
  int e = 0;
  std::frexp(magnitude(x), &e);
  return e;
}
inline void add_error(ComplexDisc& x, double bound, long shift = 0) {
  x.radius = outward(x.radius + outward(std::ldexp(bound, static_cast<int>(shift))));
}

/// A matrix of discs: middles and radii.
struct DiscMatrix {
  Eigen::MatrixXd middle, radius;

  DiscMatrix() = default;
  DiscMatrix(Eigen::Index rows, Eigen::Index columns)
      : middle(Eigen::MatrixXd::Zero(rows, columns)), radius(middle) {}
  explicit DiscMatrix(Eigen::MatrixXd exact)
      : middle(std::move(exact)), radius(Eigen::MatrixXd::Zero(middle.rows(), middle.cols())) {}
  Eigen::MatrixXd size() const;  ///< above all absolute values
  ComplexDisc operator()(Eigen::Index i, Eigen::Index j) const {
    return {middle(i, j), radius(i, j)};
  }
  void set(Eigen::Index i, Eigen::Index j, const ComplexDisc& x) {
    middle(i, j) = x.middle, radius(i, j) = x.radius;
  }
};

/// Above x, a sum of products of bounds.
Eigen::MatrixXd outward(const Eigen::MatrixXd& x);
DiscMatrix operator*(const DiscMatrix& x, const DiscMatrix& y);
DiscMatrix operator+(const DiscMatrix& x, const DiscMatrix& y);
DiscMatrix scaled(const ComplexDisc& factor, const DiscMatrix& x);

template <>
class ArbMatrix<ComplexDisc> {
 public:
  ArbMatrix(int rows, int columns) : x_(rows, columns) {}
  void set(int i, int j, const ComplexDisc& y) { x_.set(i, j, y); }
  ComplexDisc get(int i, int j) const { return x_(i, j); }
  bool approximate_inverse(const ArbMatrix& a) {
    x_ = DiscMatrix(a.x_.middle.inverse());
    return x_.middle.allFinite();
  }
  void multiply(const ArbMatrix& a, const ArbMatrix& b) { x_ = a.x_ * b.x_; }

 private:
  DiscMatrix x_;
};

}  // namespace daemark
