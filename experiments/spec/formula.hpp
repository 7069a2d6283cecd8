// The small language of claims, bounds and figure coordinates: arithmetic over named values, with
// (chained) comparisons, e.g. `r4.energy_error_max < r3.energy_error_max`, `2*(x2 - x1)`,
// `printed.position <= t_end * printed.velocity`.
//
// Grammar: comparison = sum { (< <= > >= == !=) sum };  sum, product, unary minus, ^ with a right
// operand, parentheses, decimal numbers, abs min max log (natural) log10 sqrt, and names: letters,
// digits, '_', joined by '.'. A comparison has the value 1 or 0.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace daemark {

class Formula {
 public:
  /// Throws BadInput naming `where`, the text, and what is accepted.
  static Formula parse(std::string_view text, std::string_view where);

  const std::string& text() const { return text_; }
  const std::vector<std::string>& names() const { return names_; }  ///< each once, first use first
  bool is_comparison() const;

  /// Value with `values[i]` for names()[i]; absent where it depends on an absent one.
  std::optional<double> eval(const std::vector<std::optional<double>>& values) const;

  using Lookup = std::function<std::optional<double>(const std::string& name)>;
  std::optional<double> eval(const Lookup& lookup) const;

  /// What a name stands for: a measured value, one at or below its floor, or a number of the text.
  enum class Kind { measured, floor, constant };

  struct Decision {
    std::optional<bool> truth;  ///< absent: it hangs on a missing value, or compares floors alone
    bool floors = false;        ///< the latter
  };
  /// Truth of a comparison: decided where the values there are decide it, whatever the missing ones
  /// are (the largest of some is above a number as soon as one is). Two neighbouring sides made of
  /// floors alone decide nothing and are passed over; the rest of a chain decides. So do floors
  /// that miss a bare number below `bounds`, the floors by name: round-off refutes nothing.
  Decision decide(const std::vector<std::optional<double>>& values, const std::vector<Kind>& kinds,
                  const std::vector<double>& bounds = {}) const;

  /// A measured side of an inequality and the number it is compared with.
  struct Margin {
    double measured, threshold;
  };
  std::vector<Margin> margins(const std::vector<std::optional<double>>& values,
                              const std::vector<Kind>& kinds) const;

  /// A comparison with the values of its sides, "7.0007e-05 < 0.0021331": four digits, more where
  /// those would show another outcome; "2 or more" where only a bound is known, "?" where none is;
  /// other formulas: the value.
  std::string sides(const std::vector<std::optional<double>>& values) const;

  /// The text with each name's value in place of it, e.g. "x <= 2 * 0.0021331".
  std::string with_values(const Lookup& lookup,
                          const std::function<std::string(double)>& show) const;

  struct Node;

 private:
  std::string text_;
  std::vector<std::string> names_;
  std::vector<std::pair<std::size_t, std::size_t>> places_;  ///< (offset, length) of every name
  std::shared_ptr<const Node> root_;
  friend class FormulaParser;
};

/// "a {b.c} d": a text with formulas in braces.
class FilledText {
 public:
  /// Throws BadInput naming `where` for a brace that is never closed and as Formula::parse does.
  static FilledText parse(std::string_view text, std::string_view where);

  const std::vector<Formula>& formulas() const { return formulas_; }
  /// Every {formula} replaced by its value; "not available" where it has none.
  std::string with_values(const Formula::Lookup& lookup,
                          const std::function<std::string(double)>& show) const;

 private:
  std::vector<std::string> between_;  ///< before each formula, and behind the last
  std::vector<Formula> formulas_;
};

}  // namespace daemark
