#include "analysis/orders/coefficient_text.hpp"

#include <algorithm>

#include "base/program/stop.hpp"

namespace daemark {
namespace {

std::string integer_text(const wide& value) {
  std::string text = value.str(0, std::ios_base::fixed);
  text.resize(std::min(text.size(), text.find('.')));
  return text;
}

}  // namespace

std::string coefficient_text(const wide& value, int digits) {
  checkpoint();
  const wide close("1e-100"), largest("1e12");
  // Continued fraction: p/q are the convergents of |value|.
  wide x = abs(value), p0 = 0, q0 = 1, p = 1, q = 0;
  for (int i = 0; i < 40; ++i) {
    const wide whole = floor(x);
    const wide p1 = whole * p + p0, q1 = whole * q + q0;
    p0 = p, q0 = q, p = p1, q = q1;
    if (q > largest) break;
    if (abs(p / q - abs(value)) <= close * (1 + abs(value))) {
      const std::string numerator = integer_text(value < 0 ? -p : p);
      return q == 1 ? numerator : numerator + "/" + integer_text(q);
    }
    x = 1 / (x - whole);
  }
  return value.str(digits);
}

}  // namespace daemark
