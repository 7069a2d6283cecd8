// Units of the numbers in mechanism files, as far as they can be told: exponents of m, kg, s, A, K.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace daemark {

/// Of a formula. A digit, 12, pi and data in "1" are plain numbers, which may stand for anything and
/// change no unit as factors. Another number or the time may carry a unit that is not said: what it
/// enters is open.
struct Unit {
  enum class Kind { number, open, known };
  Kind kind = Kind::number;
  std::array<double, 5> powers{};

  bool fits(const Unit& other) const {
    return kind != Kind::known || other.kind != Kind::known || powers == other.powers;
  }
  std::string text() const;  ///< of a known one: "kg m/s^2"
};

/// "N m s/rad", "kg·m^2", "m/s²", "1"; prefixes and degrees count as what they are multiples of.
/// Empty: not known.
std::optional<Unit> parsed_unit(std::string_view text);
/// What units are made of, for messages.
extern const char* const accepted_units;

/// Of a formula that FileFormula accepts, with the units of its names; a name that is not among
/// them is a plain number, t and what moves is open. Throws BadInput naming `where` for sums of
/// different units and for functions of what has one.
Unit unit_of_formula(std::string_view text, std::string_view where,
                     const std::map<std::string, Unit>& names);

}  // namespace daemark
