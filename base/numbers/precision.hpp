// The floating-point arithmetic a run is computed in, by name and by type.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "base/numbers/scalar.hpp"

namespace daemark {

enum class Precision { in_double, in_quad, in_real50 };

/// Their names, in the order of the enumeration: each one is wider than the one before.
inline constexpr std::array<const char*, 3> precision_names = {"double", "quad", "real50"};

constexpr const char* name_of(Precision precision) {
  return precision_names[static_cast<std::size_t>(precision)];
}

bool is_precision(std::string_view name);
/// Throws BadInput naming those that exist.
Precision parse_precision(std::string_view name);

/// The next wider one; none for real50.
std::optional<Precision> wider(Precision precision);

template <class S>
requires std::is_same_v<S, double> || std::is_same_v<S, quad> || std::is_same_v<S, real50>
inline constexpr Precision precision_of = std::is_same_v<S, double> ? Precision::in_double
                                          : std::is_same_v<S, quad> ? Precision::in_quad
                                                                    : Precision::in_real50;

/// body.operator()<S>() with the scalar of that precision: with_scalar(p, [&]<class S>() { ... }).
template <class Body>
auto with_scalar(Precision precision, Body&& body) {
  switch (precision) {
    case Precision::in_quad:
      return body.template operator()<quad>();
    case Precision::in_real50:
      return body.template operator()<real50>();
    default:
      return body.template operator()<double>();
  }
}

double unit_roundoff(Precision precision);

}  // namespace daemark
