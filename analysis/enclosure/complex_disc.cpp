#include "analysis/enclosure/complex_disc.hpp"

namespace daemark {
namespace {

constexpr long function_bits = 64;

// The disc around what f makes of the square around x.
ComplexDisc enclosed(ComplexBall (*f)(const ComplexBall&), const ComplexDisc& x) {
  const EnclosureBits bits(function_bits);
  ComplexBall z;
  acb_set_d(z.raw(), x.middle);
  add_error(z, x.radius);
  const ComplexBall y = f(z);
  if (!x.finite() || !y.finite()) return {NAN, INFINITY};
  const double middle = arf_get_d(arb_midref(acb_realref(y.raw())), ARF_RND_NEAR);
  ComplexBall m;
  acb_set_d(m.raw(), middle);
  return {middle, magnitude(y - m)};
}

}  // namespace

// |√z − √m| <= |z − m|/√m, as √z has no negative real part.
ComplexDisc sqrt(const ComplexDisc& x) {
  if (!(x.middle > x.radius)) return {NAN, INFINITY};
  const double m = std::sqrt(x.middle);
  return {m, outward(x.radius / m + ComplexDisc::rounding * m)};
}
ComplexDisc sin(const ComplexDisc& x) { return enclosed(sin, x); }
ComplexDisc cos(const ComplexDisc& x) { return enclosed(cos, x); }
ComplexDisc exp(const ComplexDisc& x) { return enclosed(exp, x); }
ComplexDisc log(const ComplexDisc& x) { return enclosed(log, x); }
ComplexDisc tanh(const ComplexDisc& x) { return enclosed(tanh, x); }
ComplexDisc asin(const ComplexDisc& x) { return enclosed(asin, x); }
ComplexDisc acos(const ComplexDisc& x) { return enclosed(acos, x); }
ComplexDisc atan(const ComplexDisc& x) { return enclosed(atan, x); }
// As of ComplexBall; near the negative real axis −π or π and what is left.
ComplexDisc atan2(const ComplexDisc& y, const ComplexDisc& x) {
  const ComplexDisc r = sqrt(x * x + y * y);
  return 2 * atan(y / (r + x));
}
ComplexDisc abs(const ComplexDisc&) { return {NAN, INFINITY}; }
ComplexDisc select(const ComplexDisc&, const ComplexDisc&, const ComplexDisc&) {
  return {NAN, INFINITY};
}

ComplexDisc disc_of(const RealBall& x) {
  const double middle = near_middle(x);
  const EnclosureBits bits(function_bits);
  return {middle, magnitude(x - ball_of(middle))};
}

template <>
ComplexDisc from_wide<ComplexDisc>(const wide& x) {
  return disc_of(from_wide<RealBall>(x));
}

Eigen::MatrixXd outward(const Eigen::MatrixXd& x) {
  return x.unaryExpr([](double a) { return outward(a); });
}

Eigen::MatrixXd DiscMatrix::size() const { return outward(middle.cwiseAbs() + radius); }

DiscMatrix operator*(const DiscMatrix& x, const DiscMatrix& y) {
  const Eigen::MatrixXd a = x.middle.cwiseAbs(), b = y.middle.cwiseAbs();
  const double rounding = static_cast<double>(a.cols() + 1) * ComplexDisc::rounding;
  DiscMatrix z;
  z.middle.noalias() = x.middle * y.middle;
  z.radius.noalias() = a * (y.radius + rounding * b);
  z.radius.noalias() += x.radius * (b + y.radius);
  z.radius = outward(z.radius);
  return z;
}

DiscMatrix operator+(const DiscMatrix& x, const DiscMatrix& y) {
  DiscMatrix z;
  z.middle = x.middle + y.middle;
  z.radius = outward(x.radius + y.radius + ComplexDisc::rounding * z.middle.cwiseAbs());
  return z;
}

DiscMatrix scaled(const ComplexDisc& factor, const DiscMatrix& x) {
  DiscMatrix z(x.middle.rows(), x.middle.cols());
  for (Eigen::Index j = 0; j < x.middle.cols(); ++j)
    for (Eigen::Index i = 0; i < x.middle.rows(); ++i) z.set(i, j, factor * x(i, j));
  return z;
}

}  // namespace daemark
