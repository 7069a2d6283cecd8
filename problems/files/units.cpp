#include "problems/files/units.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "base/numbers/arithmetic_parser.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/printable.hpp"

namespace daemark {

const char* const accepted_units =
    "products and quotients of m, kg, s, rad, N, J, W, Pa, Hz, A, K and their multiples like mm, "
    "deg, min, with powers (kg m^2, N s/m); 1 for none";

namespace {

using Powers = std::array<double, 5>;  // m, kg, s, A, K
constexpr const char* bases[] = {"m", "kg", "s", "A", "K"};

const std::map<std::string, Powers, std::less<>> known_units{
    {"1", {}},           {"rad", {}},           {"deg", {}},
    {"degree", {}},      {"degrees", {}},       {"%", {}},
    {"m", {1}},          {"in", {1}},           {"inch", {1}},
    {"ft", {1}},         {"g", {0, 1}},         {"t", {0, 1}},
    {"lb", {0, 1}},      {"s", {0, 0, 1}},      {"min", {0, 0, 1}},
    {"h", {0, 0, 1}},    {"Hz", {0, 0, -1}},    {"rpm", {0, 0, -1}},
    {"N", {1, 1, -2}},   {"lbf", {1, 1, -2}},   {"J", {2, 1, -2}},
    {"W", {2, 1, -3}},   {"Pa", {-1, 1, -2}},   {"bar", {-1, 1, -2}},
    {"A", {0, 0, 0, 1}}, {"V", {2, 1, -3, -1}}, {"K", {0, 0, 0, 0, 1}},
    {"Nm", {2, 1, -2}},  {"Nmm", {2, 1, -2}}};

const Powers* known_word(std::string_view word) {
  auto found = known_units.find(word);
  if (found == known_units.end() && word.size() > 1 &&
      std::string_view("kMGmcu").find(word[0]) != std::string_view::npos)
    found = known_units.find(word.substr(1));
  return found == known_units.end() ? nullptr : &found->second;
}

std::string plain(std::string_view text) {
  std::string out(text);
  for (const auto& [from, to] : {std::pair("·", " "), std::pair("*", " "), std::pair("²", "^2"),
                                 std::pair("³", "^3"), std::pair("⁴", "^4"), std::pair("µ", "u")})
    for (std::size_t at; (at = out.find(from)) != std::string::npos;)
      out.replace(at, std::string_view(from).size(), to);
  return out;
}

}  // namespace

std::string Unit::text() const {
  std::string above, below;
  for (std::size_t i = 0; i < powers.size(); ++i) {
    if (powers[i] == 0) continue;
    std::string& side = powers[i] > 0 ? above : below;
    const double size = std::abs(powers[i]);
    side +=
        (side.empty() ? "" : " ") + (size == 1 ? bases[i] : fmt::format("{}^{:g}", bases[i], size));
  }
  for (std::size_t at; (at = below.find(' ')) != std::string::npos;) below[at] = '/';
  if (above.empty()) above = below.empty() ? "rad or 1" : "1";
  return below.empty() ? above : above + "/" + below;
}

std::optional<Unit> parsed_unit(std::string_view text) {
  const std::string unit = plain(text);
  Unit found;
  if (unit == "1") return found;
  found.kind = Unit::Kind::known;
  std::size_t at = 0;
  int sign = 1;
  bool wants_word = true;
  while (at < unit.size()) {
    if (unit[at] == ' ') {
      ++at;
      continue;
    }
    if (unit[at] == '/') {
      if (wants_word) return std::nullopt;
      sign = -1, wants_word = true, ++at;
      continue;
    }
    const std::size_t end = std::min(unit.find_first_of(" /^", at), unit.size());
    const Powers* const word = known_word(std::string_view(unit).substr(at, end - at));
    if (word == nullptr) return std::nullopt;
    int power = 1;
    at = end;
    if (at < unit.size() && unit[at] == '^') {
      char* behind = nullptr;
      power = static_cast<int>(std::strtol(unit.c_str() + at + 1, &behind, 10));
      if (behind == unit.c_str() + at + 1 || std::abs(power) > 9) return std::nullopt;
      at = behind - unit.c_str();
    }
    for (std::size_t i = 0; i < word->size(); ++i) found.powers[i] += sign * power * (*word)[i];
    sign = 1, wants_word = false;
  }
  return wants_word ? std::nullopt : std::optional(found);
}

namespace {

using Kind = Unit::Kind;

class UnitParser : ArithmeticParser<Unit> {
 public:
  UnitParser(std::string_view text, std::string_view where,
             const std::map<std::string, Unit>& names)
      : ArithmeticParser(text), where_(where), names_(names) {}
  Unit run() { return sum(); }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw BadInput(fmt::format("{}: {}: {}", where_, in_quotes(text_), what));
  }
  Unit added(const Unit& a, const Unit& b) const {
    if (!a.fits(b))
      refuse(fmt::format("{} and {} are added or compared; accepted: the same unit", a.text(),
                         b.text()));
    return a.kind == Kind::known || b.kind == Kind::number ? a : b;
  }
  static Unit multiplied(const Unit& a, const Unit& b, double sign) {
    if (a.kind == Kind::open || b.kind == Kind::open) return {Kind::open};
    if (b.kind == Kind::number) return a;
    Unit product{Kind::known, a.powers};
    for (std::size_t i = 0; i < b.powers.size(); ++i) product.powers[i] += sign * b.powers[i];
    return product;
  }
  static Unit raised(Unit unit, double power) {
    for (double& each : unit.powers) each *= power;
    return unit;
  }
  Unit joined(char op, const Unit& a, const Unit& b, std::size_t /*at*/) override {
    return op == '+' || op == '-' ? added(a, b) : multiplied(a, b, op == '*' ? 1 : -1);
  }
  Unit factor() override {
    if (accept("-") || accept("+")) return factor();
    Unit unit = primary();
    if (!accept("^")) return unit;
    const bool bracket = accept("("), minus = accept("-");
    peek();
    const int power = std::atoi(std::string(digits()).c_str());
    if (bracket) accept(")");
    return raised(unit, minus ? -power : power);
  }
  Unit primary() {
    if (accept("(")) {
      const Unit inner = sum();
      accept(")");
      return inner;
    }
    if (is_letter(peek())) return name();
    const std::string_view number =
        run_of([](char c) { return is_digit(c) || c == '.' || c == 'e' || c == 'E'; });
    if ((number.ends_with('e') || number.ends_with('E')) && (here() == '-' || here() == '+')) {
      ++at_, digits();
      return {Kind::open};
    }
    return {in_formulas(number) ? Kind::number : Kind::open};
  }
  /// 2/5 m r^2 and m L^2/12 say nothing of units; m/100 has 1/100 m^2 in it.
  static bool in_formulas(std::string_view number) {
    return number.find_first_of(".eE") == number.npos && (number.size() < 2 || number == "12");
  }
  Unit name() {
    std::string word(
        run_of([](char c) { return is_letter(c) || is_digit(c) || c == '.' || c == '\''; }));
    if (accept("(")) return function(word);
    const auto known = names_.find(word);
    if (known != names_.end()) return known->second;
    return {word == "t" || word.find_first_of(".'") != word.npos ? Kind::open : Kind::number};
  }
  Unit function(const std::string& word) {
    Unit first = sum();
    const bool chooses = word == "if";
    if (accept(",")) {
      const Unit second = sum();
      first = chooses ? second : added(first, second);
      if (accept(",")) first = added(first, sum());
    }
    accept(")");
    if (word == "sqrt") return raised(first, 0.5);
    if (chooses || word == "abs" || word == "min" || word == "max" || first.kind != Kind::known)
      return first;
    if (word != "atan2" && first.powers != Powers{})
      refuse(fmt::format("{} of a number in {}; accepted: one without a unit, or in rad", word,
                         first.text()));
    return {Kind::known};
  }

  std::string_view where_;
  const std::map<std::string, Unit>& names_;
};

}  // namespace

Unit unit_of_formula(std::string_view text, std::string_view where,
                     const std::map<std::string, Unit>& names) {
  return UnitParser(text, where, names).run();
}

}  // namespace daemark
