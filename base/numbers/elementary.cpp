// The elementary functions of C in double, as SLEEF computes them (errors below one unit in the
// last place), in place of the C library's.
//
// glibc chooses between implementations by the processor it runs on (with fused multiply-adds, with
// AVX2), whose last digits differ; a chaotic motion amplifies them. SLEEF's functions named cinz
// and purec are the same operations everywhere. The linker takes the symbols below before those of
// the C library; a shared library that the program loads (SUNDIALS) gets them too.
// analysis/decisions/0050 has the cost and what was compared.
#include "base/numbers/elementary.hpp"

#include <sleef.h>

#define DAEMARK_VISIBLE extern "C" [[gnu::visibility("default"), gnu::used]]

namespace {

struct SineCosine {
  double sine, cosine;
};

/// Both together, whichever is asked for: compilers merge calls of sin and cos, or do not. Up to
/// 10^6, where mechanisms turn, with Taylor polynomials around the nearest multiple of pi/2 in 120
/// bits, three times as fast as SLEEF; errors below 0.8 units in the last place.
SineCosine sine_cosine(double x) {
  constexpr double farthest = 1e6, to_quarters = 0x1.45f306dc9c883p-1, round = 0x1.8p52;
  constexpr double quarter[] = {0x1.921fb544p+0, 0x1.0b4611a6p-34, 0x1.3198a2e037073p-69};
  if (!(x > -farthest && x < farthest)) {
    const auto both = Sleef_cinz_sincosd1_u10purec(x);
    return {both.x, both.y};
  }
  const double shifted = x * to_quarters + round, k = shifted - round;
  const double rest = x - k * quarter[0], second = k * quarter[1];  // exact, k has 20 bits
  const double first = rest - second, third = k * quarter[2];
  const double r = first - third, low = ((first - r) - third) + ((rest - first) - second);
  const double z = r * r;
  constexpr double s[] = {
      -1.0 / 6,        1.0 / 120,        -1.0 / 5040,          1.0 / 362880,
      -1.0 / 39916800, 1.0 / 6227020800, -1.0 / 1307674368000, 1.0 / 355687428096000};
  constexpr double c[] = {
      1.0 / 24,        -1.0 / 720,         1.0 / 40320,          -1.0 / 3628800,
      1.0 / 479001600, -1.0 / 87178291200, 1.0 / 20922789888000, -1.0 / 6402373705728000};
  const auto series = [z](const double(&a)[8]) {
    const double z2 = z * z, z4 = z2 * z2;
    return ((a[0] + z * a[1]) + z2 * (a[2] + z * a[3])) +
           z4 * ((a[4] + z * a[5]) + z2 * (a[6] + z * a[7]));
  };
  const double sine = r + (r * (z * series(s)) + low * (1 - z / 2));
  const double near = 1 - z / 2;
  const double cosine = near + (((1 - near) - z / 2) + (z * z * series(c) - r * low));
  switch (static_cast<long>(k) & 3) {
    case 0:
      return {sine, cosine};
    case 1:
      return {cosine, -sine};
    case 2:
      return {-sine, -cosine};
    default:
      return {-cosine, sine};
  }
}

}  // namespace

DAEMARK_VISIBLE double sin(double x) noexcept { return x == 0 ? x : sine_cosine(x).sine; }
DAEMARK_VISIBLE double cos(double x) noexcept { return sine_cosine(x).cosine; }
DAEMARK_VISIBLE void sincos(double x, double* s, double* c) noexcept {
  const auto [sine, cosine] = sine_cosine(x);
  *s = x == 0 ? x : sine, *c = cosine;
}

#define DAEMARK_OF_ONE(NAME, SLEEF) \
  DAEMARK_VISIBLE double NAME(double x) noexcept { return Sleef_cinz_##SLEEF##purec(x); }
#define DAEMARK_OF_TWO(NAME, SLEEF)                          \
  DAEMARK_VISIBLE double NAME(double x, double y) noexcept { \
    return Sleef_cinz_##SLEEF##purec(x, y);                  \
  }
DAEMARK_OF_ONE(tan, tand1_u10)
DAEMARK_OF_ONE(asin, asind1_u10)
DAEMARK_OF_ONE(acos, acosd1_u10)
DAEMARK_OF_ONE(atan, atand1_u10)
DAEMARK_OF_TWO(atan2, atan2d1_u10)
DAEMARK_OF_ONE(sinh, sinhd1_u10)
DAEMARK_OF_ONE(cosh, coshd1_u10)
DAEMARK_OF_ONE(tanh, tanhd1_u10)
DAEMARK_OF_ONE(asinh, asinhd1_u10)
DAEMARK_OF_ONE(acosh, acoshd1_u10)
DAEMARK_OF_ONE(atanh, atanhd1_u10)
DAEMARK_OF_ONE(exp, expd1_u10)
DAEMARK_OF_ONE(exp2, exp2d1_u10)
DAEMARK_OF_ONE(expm1, expm1d1_u10)
DAEMARK_OF_ONE(log, logd1_u10)
DAEMARK_OF_ONE(log2, log2d1_u10)
DAEMARK_OF_ONE(log10, log10d1_u10)
DAEMARK_OF_ONE(log1p, log1pd1_u10)
DAEMARK_OF_TWO(pow, powd1_u10)
DAEMARK_OF_ONE(cbrt, cbrtd1_u10)
DAEMARK_OF_TWO(hypot, hypotd1_u05)
DAEMARK_VISIBLE double cabs(__complex__ double z) noexcept {
  return Sleef_cinz_hypotd1_u05purec(__real__ z, __imag__ z);
}
DAEMARK_VISIBLE double carg(__complex__ double z) noexcept {
  return Sleef_cinz_atan2d1_u10purec(__imag__ z, __real__ z);
}
DAEMARK_VISIBLE __complex__ double cexp(__complex__ double z) noexcept {
  const double size = exp(__real__ z);
  __complex__ double out;
  __real__ out = size * cos(__imag__ z), __imag__ out = size * sin(__imag__ z);
  return out;
}
DAEMARK_VISIBLE __complex__ double clog(__complex__ double z) noexcept {
  __complex__ double out;
  __real__ out = log(cabs(z)), __imag__ out = carg(z);
  return out;
}
