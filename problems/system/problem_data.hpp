// The numbers a problem rests on. Each is stated once, with unit and source, where the model takes
// it; pages show it and tables are judged by it from there.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "base/numbers/expression.hpp"

namespace daemark {

/// One number as stated: an exact expression, in which `pi` may stand: 1, "0.07", "-pi/6".
class StatedNumber {
 public:
  StatedNumber(const char* text);              // NOLINT: declarations read like data
  StatedNumber(const std::string& text);       // NOLINT
  StatedNumber(int value);                     // NOLINT
  StatedNumber(const Expression& expression);  // NOLINT: the value of a parameter
  const Expression& exact() const { return exact_; }
  wide value() const;

 private:
  Expression exact_;
};

/// One number, or several of one kind under a common name: "L1, L2".
struct Datum {
  std::string name, unit, source;  ///< unit "1" for plain numbers
  std::vector<StatedNumber> numbers;
  std::string text() const;  ///< "1, sqrt(3)"
};

/// One number of a datum, replaced: what the model and the tables then say differs.
struct DatumChange {
  std::string name;
  std::size_t number;  ///< of several, counted from 0
  StatedNumber value;
};

/// Handed to the function that builds a problem, which states its numbers through it:
///   const wide g = data("g", "981/100", "m/s^2", "section 4");
///   const auto [m1, m2] = data("m1, m2", {1, "1/2"}, "kg", "section 4");
class ProblemData {
 public:
  explicit ProblemData(std::string problem, std::optional<DatumChange> change = {});

  /// The value or values. Throws std::logic_error for a name stated twice and where name, unit or
  /// source is missing.
  wide operator()(const std::string& name, const StatedNumber& number, const std::string& unit,
                  const std::string& source);
  template <std::size_t n>
  std::array<wide, n> operator()(const std::string& name, const StatedNumber (&numbers)[n],
                                 const std::string& unit, const std::string& source) {
    const std::vector<wide> all = values(name, {numbers, numbers + n}, unit, source);
    std::array<wide, n> result;
    std::copy(all.begin(), all.end(), result.begin());
    return result;
  }
  std::vector<wide> values(const std::string& name, const std::vector<StatedNumber>& numbers,
                           const std::string& unit, const std::string& source);

  /// Of the number a datum was stated with, or the first of several; std::out_of_range if there is
  /// no such datum.
  const Expression& exact(const std::string& name) const;
  /// All that was stated, in that order. Throws BadInput where the number to change is none of it.
  const std::vector<Datum>& finished() const;

 private:
  const Datum& add(Datum datum);

  std::string problem_;
  std::optional<DatumChange> change_;
  bool changed_ = false;
  std::vector<Datum> data_;
};

}  // namespace daemark
