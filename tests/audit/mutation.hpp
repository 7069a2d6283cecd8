// Texts as nobody means them: what a slip, a broken disk or a hostile hand may make of good ones.
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

/// A number as text: mostly good, else empty, endless, deep, no number at all.
std::string some_number(Day& day);
/// Never good.
std::string odd_number(Day& day);

/// A few bytes, parts or lines changed, doubled, left out.
std::string mutated(std::string text, Day& day);
/// A few values changed, left out, of another type, or a member more.
nlohmann::json mutated_value(nlohmann::json value, Day& day);

}  // namespace daemark::audit
