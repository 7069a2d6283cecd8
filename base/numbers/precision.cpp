#include "base/numbers/precision.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/text/bad_input.hpp"

namespace daemark {

bool is_precision(std::string_view name) {
  return std::find(precision_names.begin(), precision_names.end(), name) != precision_names.end();
}

Precision parse_precision(std::string_view name) {
  const auto found = std::find(precision_names.begin(), precision_names.end(), name);
  if (found == precision_names.end())
    throw BadInput(fmt::format("precision '{}' is unknown, accepted: {}", name,
                               fmt::join(precision_names, ", ")));
  return static_cast<Precision>(found - precision_names.begin());
}

std::optional<Precision> wider(Precision precision) {
  if (precision == Precision::in_real50) return std::nullopt;
  return precision == Precision::in_double ? Precision::in_quad : Precision::in_real50;
}

double unit_roundoff(Precision precision) {
  return with_scalar(precision, []<class S>() { return unit_roundoff<S>(); });
}

}  // namespace daemark
