// The floating-point arithmetic a run is computed in, by name and by type.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "base/numbers/scalar.hpp"

namespace daemark {

enum class Precision { in_double, in_real50 };

/// The accepted words. "quad" asks for at least the 34 digits of IEEE quadruple precision; the run
/// is computed in real50.
inline constexpr std::array<const char*, 3> precision_names = {"double", "quad", "real50"};

constexpr const char* name_of(Precision precision) {
  return precision == Precision::in_double ? "double" : "real50";
}

bool is_precision(std::string_view name);
/// Throws BadInput naming those that exist.
Precision parse_precision(std::string_view name);

template <class S>
requires std::is_same_v<S, double> || std::is_same_v<S, real50>
inline constexpr Precision precision_of =
    std::is_same_v<S, double> ? Precision::in_double : Precision::in_real50;

/// body.operator()<S>() with the scalar of that precision: with_scalar(p, [&]<class S>() { ... }).
template <class Body>
auto with_scalar(Precision precision, Body&& body) {
  if (precision == Precision::in_double) return body.template operator()<double>();
  return body.template operator()<real50>();
}

double unit_roundoff(Precision precision);

}  // namespace daemark
