// Names and units of what a mechanism is described by: coordinates, constraint rows, multipliers.
#pragma once

#include <string>

namespace daemark {

/// A coordinate or a constraint row. Units are those of SI, "m^2" with a power, "1" for none.
struct Quantity {
  std::string name, unit;
};

/// Of the multiplier of a row with this unit, which times the row is an energy: "m" gives "N".
std::string multiplier_unit(const std::string& row_unit);

}  // namespace daemark
