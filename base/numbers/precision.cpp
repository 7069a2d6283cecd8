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
  if (!is_precision(name))
    throw BadInput(fmt::format("precision '{}' is unknown, accepted: {}", name,
                               fmt::join(precision_names, ", ")));
  return name == name_of(Precision::in_double) ? Precision::in_double : Precision::in_real50;
}

double unit_roundoff(Precision precision) {
  return with_scalar(precision, []<class S>() { return unit_roundoff<S>(); });
}

}  // namespace daemark
