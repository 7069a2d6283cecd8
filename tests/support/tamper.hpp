// Every single-value change of a JSON value: what a forger would try first.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace daemark {

/// One changed copy.
struct Tampered {
  std::string place;   ///< JSON pointer
  std::string change;  ///< "flipped", "+1", "digit", ...
  nlohmann::json value;
};

/// Of every leaf: a boolean flipped; an integer one up and one down; a text with its first digit,
/// its last digit and its last character changed, its sign changed, a character more; null made 0.
/// Of every object: each key removed, a key added. Of every array: the last element dropped, the
/// first doubled, "0" appended.
std::vector<Tampered> tampered(const nlohmann::json& value);

}  // namespace daemark
