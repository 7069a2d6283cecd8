#include "problems/system/quantity.hpp"

namespace daemark {

std::string multiplier_unit(const std::string& row_unit) {
  if (row_unit == "m") return "N";
  if (row_unit == "m^2") return "N/m";
  if (row_unit == "rad" || row_unit == "1") return "N m";
  return "J/(" + row_unit + ")";
}

}  // namespace daemark
