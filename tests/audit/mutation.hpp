// Malformed texts: what a typing error, a damaged disk or an attacker makes of valid ones.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/audit/audit.hpp"

namespace daemark::audit {

/// One of them.
template <class T>
const T& one_of(const std::vector<T>& items, Day& day) {
  return items[day() % items.size()];
}
inline bool chance(int percent, Day& day) { return static_cast<int>(day() % 100) < percent; }

/// A number as text: usually valid, else empty, very long, deeply nested, or no number.
std::string some_number(Day& day);
/// Never a sensible value.
std::string odd_number(Day& day);

/// A few bytes, parts or lines changed, doubled, left out.
std::string mutated(std::string text, Day& day);
/// A few values changed, left out or of another type, or a member added.
nlohmann::json mutated_value(nlohmann::json value, Day& day);

}  // namespace daemark::audit
