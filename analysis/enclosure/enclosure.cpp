#include "analysis/enclosure/enclosure.hpp"

#include <stdexcept>

namespace daemark {
namespace {

template <class Ball, class F, class... More>
Ball of(F f, const Ball& x, More... more) {
  Ball z;
  f(z.raw(), x.raw(), more..., enclosure_bits);
  return z;
}

// Strictly between two cuts along one axis, from ±1 times its unit outwards.
bool between(const arb_struct* along, const arb_struct* across) {
  if (!arb_contains_zero(across)) return true;
  RealBall gap;
  arb_abs(gap.raw(), along);
  arb_sub_si(gap.raw(), gap.raw(), 1, enclosure_bits);
  return arb_is_negative(gap.raw()) != 0;
}
// Of asin and acos.
bool between_cuts(const ComplexBall& x) {
  return between(acb_realref(x.raw()), acb_imagref(x.raw()));
}

ComplexBall nowhere() {
  ComplexBall z;
  acb_indeterminate(z.raw());
  return z;
}

constexpr int exact_bits = 100;  // a constant of so few bits is what it says
constexpr int constant_bits = 420;

}  // namespace

RealBall sqrt(const RealBall& x) { return of(arb_sqrt, x); }
RealBall sin(const RealBall& x) { return of(arb_sin, x); }
RealBall cos(const RealBall& x) { return of(arb_cos, x); }
RealBall exp(const RealBall& x) { return of(arb_exp, x); }
RealBall log(const RealBall& x) { return of(arb_log, x); }
RealBall tanh(const RealBall& x) { return of(arb_tanh, x); }
RealBall asin(const RealBall& x) { return of(arb_asin, x); }
RealBall acos(const RealBall& x) { return of(arb_acos, x); }
RealBall atan(const RealBall& x) { return of(arb_atan, x); }
RealBall atan2(const RealBall& y, const RealBall& x) { return of(arb_atan2, y, x.raw()); }

ComplexBall sqrt(const ComplexBall& x) { return of(acb_sqrt_analytic, x, 1); }
ComplexBall log(const ComplexBall& x) { return of(acb_log_analytic, x, 1); }
ComplexBall sin(const ComplexBall& x) { return of(acb_sin, x); }
ComplexBall cos(const ComplexBall& x) { return of(acb_cos, x); }
ComplexBall exp(const ComplexBall& x) { return of(acb_exp, x); }
ComplexBall tanh(const ComplexBall& x) { return of(acb_tanh, x); }
ComplexBall asin(const ComplexBall& x) { return between_cuts(x) ? of(acb_asin, x) : nowhere(); }
ComplexBall acos(const ComplexBall& x) { return between_cuts(x) ? of(acb_acos, x) : nowhere(); }
ComplexBall atan(const ComplexBall& x) {
  return between(acb_imagref(x.raw()), acb_realref(x.raw())) ? of(acb_atan, x) : nowhere();
}
// −i log((x + i y)/√(x² + y²)): by half angles, 2 atan(y/(√(x² + y²) + x)), analytic where both
// are.
ComplexBall atan2(const ComplexBall& y, const ComplexBall& x) {
  const ComplexBall r = sqrt(x * x + y * y);
  return 2 * atan(y / (r + x));
}

RealBall abs(const RealBall& x) {
  RealBall y;
  arb_abs(y.raw(), x.raw());
  return y;
}
RealBall select(const RealBall& condition, const RealBall& above, const RealBall& below) {
  if (arb_is_positive(condition.raw())) return above;
  if (arb_is_nonpositive(condition.raw())) return below;
  RealBall x;
  arb_indeterminate(x.raw());
  return x;
}
ComplexBall abs(const ComplexBall&) { return nowhere(); }
ComplexBall select(const ComplexBall&, const ComplexBall&, const ComplexBall&) { return nowhere(); }

RealBall ball_of(const rational& x) {
  RealBall y;
  fmpq_t q;
  fmpq_init(q);
  fmpq_set_mpq(q, x.backend().data());
  arb_set_fmpq(y.raw(), q, enclosure_bits);
  fmpq_clear(q);
  return y;
}

RealBall ball_of(double x) {
  RealBall y;
  arf_set_d(arb_midref(y.raw()), x);
  return y;
}

std::vector<std::string> dumped(const std::vector<RealBall>& balls) {
  std::vector<std::string> texts;
  for (const RealBall& ball : balls) {
    char* const text = arb_dump_str(ball.raw());
    texts.emplace_back(text);
    flint_free(text);
  }
  return texts;
}

std::vector<RealBall> loaded(const std::vector<std::string>& dumped) {
  std::vector<RealBall> balls(dumped.size());
  for (std::size_t i = 0; i < dumped.size(); ++i)
    if (arb_load_str(balls[i].raw(), dumped[i].c_str()) != 0)
      throw std::invalid_argument("no ball: " + dumped[i]);
  return balls;
}

real50 middle(const RealBall& x) {
  real50 y;
  arf_get_mpfr(y.backend().data(), arb_midref(x.raw()), MPFR_RNDN);
  return y;
}

real50 radius(const RealBall& x) {
  const real50 written = middle(x);
  RealBall r, y;
  arf_set_mpfr(arb_midref(y.raw()), written.backend().data());
  arb_sub(r.raw(), x.raw(), y.raw(), 64);
  mag_t m;
  mag_init(m);
  arb_get_mag(m, r.raw());
  arf_set_mag(arb_midref(r.raw()), m);
  mag_clear(m);
  real50 up;
  arf_get_mpfr(up.backend().data(), arb_midref(r.raw()), MPFR_RNDU);
  return up;
}

template <>
RealBall from_wide<RealBall>(const wide& x) {
  RealBall z;
  arf_set_mpfr(arb_midref(z.raw()), x.backend().data());
  if (arf_bits(arb_midref(z.raw())) > exact_bits) {
    mag_t radius;
    mag_init(radius);
    arf_get_mag(radius, arb_midref(z.raw()));
    mag_mul_2exp_si(arb_radref(z.raw()), radius, -constant_bits);
    mag_clear(radius);
  }
  return z;
}

template <>
ComplexBall from_wide<ComplexBall>(const wide& x) {
  ComplexBall z;
  acb_set_arb(z.raw(), from_wide<RealBall>(x).raw());
  return z;
}

}  // namespace daemark
