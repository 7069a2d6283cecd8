#include "problems/system/drawing.hpp"

#include <cmath>

namespace daemark {

void Drawing::look_from(double azimuth, double elevation) {
  constexpr double degree = 0.017453292519943295;
  const double a = azimuth * degree, e = elevation * degree;
  right = {-std::sin(a), std::cos(a), 0};
  up = {-std::sin(e) * std::cos(a), -std::sin(e) * std::sin(a), std::cos(e)};
}

}  // namespace daemark
