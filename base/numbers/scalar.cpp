#include "base/numbers/scalar.hpp"

#include <cstdio>

namespace daemark {

template <>
std::string full_digits(const double& x) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.17g", x);
  return buffer;
}

template <>
std::string full_digits(const real50& x) {
  return x.str(52);
}

template <>
std::string full_digits(const wide& x) {
  return x.str(132);
}

template <>
std::string full_digits(const rational& x) {
  return x.str();
}

template <>
const char* scalar_name<double>() {
  return "double";
}

template <>
const char* scalar_name<real50>() {
  return "real50";
}

template <>
const char* scalar_name<wide>() {
  return "wide";
}

template <>
const char* scalar_name<rational>() {
  return "rational";
}

}  // namespace daemark
