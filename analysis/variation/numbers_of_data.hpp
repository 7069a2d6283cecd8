// The single numbers of a problem's data, by name: "m2" of the datum "m1, m2".
#pragma once

#include <string>
#include <vector>

#include "problems/system/registry.hpp"

namespace daemark {

struct NumberOfData {
  std::string name;
  const Datum* datum;  ///< of the problem
  std::size_t place;   ///< among its numbers
  const Expression& exact() const { return datum->numbers[place].exact(); }
};

/// All of them, in their order; "points (3)" is the third of a datum with one name for several.
std::vector<NumberOfData> numbers_of_data(const Problem& problem);

/// Throws BadInput naming all.
NumberOfData find_number(const Problem& problem, const std::string& name);

}  // namespace daemark
