#include "analysis/orders/coefficient_text.hpp"

#include "base/program/stop.hpp"

namespace daemark {

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
      const std::string sign = value < 0 ? "-" : "";
      const std::string top = sign + p.str(0, std::ios_base::fixed);
      const std::string numerator = top.substr(0, top.find('.'));
      const std::string bottom = q.str(0, std::ios_base::fixed);
      return q == 1 ? numerator : numerator + "/" + bottom.substr(0, bottom.find('.'));
    }
    x = 1 / (x - whole);
  }
  return value.str(digits);
}

}  // namespace daemark
