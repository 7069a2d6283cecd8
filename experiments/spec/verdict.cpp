#include "experiments/spec/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <regex>

#include "base/text/bad_input.hpp"
#include "experiments/cells/support/cell.hpp"

namespace daemark {
namespace {

using integer = mp::mpz_int;

rational power_of_ten(int exponent) {
  const integer power = mp::pow(integer(10), static_cast<unsigned>(std::abs(exponent)));
  return exponent < 0 ? rational(1) / rational(power) : rational(power);
}

std::string short_number(double value) { return claimed_digits(value, std::nullopt, 5); }

bool within_factor(double a, double b, double factor) {
  return a * b > 0 && std::abs(a) <= factor * std::abs(b) && std::abs(b) <= factor * std::abs(a);
}

/// A number hangs on a method that ran; that it does not apply decides claims about that only.
bool decides(const std::string& status) { return is_outcome(status) && status != "refused"; }

std::string run_state(const Route& route) {
  if (route.status.empty()) return "was not run";
  if (route.status != "ok") return "ended with " + route.status;
  return route.measured ? "gives " + short_number(*route.measured) : "gives no value";
}

/// Whether the printed digits are those of `ours`, the rest cut off.
bool cut_off(const PrintedInterval& printed, const rational& ours) {
  const rational size = abs(printed.value);
  return ours * printed.value > 0 && size <= abs(ours) &&
         abs(ours) < size + (printed.upper - printed.lower);
}

/// The printed value is elsewhere: `contradicted` if every second route confirms ours, `differs` if
/// one that has an outcome does not.
Judgement elsewhere(const NumberEvidence& evidence, std::string why) {
  Judgement result{Verdict::differs, std::move(why)};
  for (const std::string& bound : evidence.violated) result.why += "; " + bound;
  if (evidence.second.empty()) {
    result.why += "; no second route was run";
    return result;
  }
  bool all_agree = true, open = false;
  for (const Route& second : evidence.second) {
    const bool agree = routes_agree(evidence.ours, second, evidence.floor);
    const bool none = !second.status.empty() && !decides(second.status);
    open = open || none;
    all_agree = all_agree && (agree || none);
    result.why += fmt::format("; second route ({}) {}{}", second.name, run_state(second),
                              none    ? ", which decides nothing"
                              : agree ? ", as ours"
                                      : ", which does not confirm ours");
  }
  if (all_agree) result.verdict = open ? Verdict::undetermined : Verdict::contradicted;
  return result;
}

}  // namespace

PrintedInterval printed_interval(std::string_view text, std::string_view where) {
  static const std::regex form(R"((-?)(\d*)\.?(\d*)(?:[eE]([-+]?\d{1,3}))?)");
  constexpr std::size_t longest = 60;
  std::match_results<std::string_view::const_iterator> parts;
  const bool is_number = text.size() <= longest + 7 &&  // with signs, point and exponent
                         std::regex_match(text.begin(), text.end(), parts, form);
  std::string digits = is_number ? parts[2].str() + parts[3].str() : "";
  if (digits.empty() || digits.size() > longest)
    throw BadInput(fmt::format(
        "{}: '{}' is not a printed number; accepted: digits with an optional point and exponent, "
        "such as 0.0021 or 7.0007e-05",
        where, text));
  const int all = static_cast<int>(digits.size()), decimals = static_cast<int>(parts[3].length()),
            exponent = parts[4].matched ? std::stoi(parts[4].str()) : 0;
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));  // no octal reading
  const rational unit = power_of_ten(exponent - decimals);
  const rational value = rational(integer(digits)) * unit * (parts[1].length() > 0 ? -1 : 1);
  return {value, value - unit / 2, value + unit / 2,
          value == 0 ? all : static_cast<int>(digits.size())};
}

bool routes_agree(const Route& ours, const Route& second, std::optional<double> floor) {
  if (ours.status.empty() || second.status.empty()) return false;
  if (ours.status != "ok" || second.status != "ok") return ours.status == second.status;
  if (!ours.measured || !second.measured) return false;
  const double a = *ours.measured;
  const double b = *second.measured;
  if (floor && std::abs(a) <= *floor && std::abs(b) <= *floor) return true;
  return std::abs(a - b) <= 0.05 * std::abs(a);
}

Judgement judge_number(const NumberEvidence& evidence) {
  if (!evidence.not_comparable.empty()) {
    return {Verdict::not_comparable, evidence.not_comparable};
  }
  const PrintedInterval printed = printed_interval(evidence.printed, evidence.where);
  if (evidence.ours.status.empty()) {
    return {Verdict::undetermined, "the cell was left out of this run"};
  }
  if (!decides(evidence.ours.status)) {
    return {Verdict::undetermined,
            "our run ended with " + evidence.ours.status + ", which says nothing of the method"};
  }
  if (evidence.ours.status != "ok") {
    return elsewhere(evidence, "our run ended with " + evidence.ours.status);
  }
  if (!evidence.ours.measured || !std::isfinite(*evidence.ours.measured)) {
    return {Verdict::undetermined, "the run gives no such measure"};
  }
  const double ours = *evidence.ours.measured;
  const double value = to_double(printed.value);
  if (evidence.floor && std::abs(ours) <= *evidence.floor && std::abs(value) <= *evidence.floor) {
    return {Verdict::floor,
            fmt::format("both lie below the floor {:.2g}: a bound, not digits", *evidence.floor)};
  }
  const rational exact(ours);
  if (printed.lower <= exact && exact <= printed.upper) {
    return {Verdict::reproduced, "inside the interval the printed digits stand for"};
  }
  if (std::abs(ours - value) <= 0.05 * std::abs(value)) {
    return {
        Verdict::close,
        fmt::format("{:+.2g} % from the printed value{}", 100 * (ours - value) / value,
                    cut_off(printed, exact) ? ": its digits are ours cut off, not rounded" : "")};
  }
  const std::string ratio =
      ours * value > 0 ? fmt::format("printed/ours = {}", claimed_digits(value / ours, {}, 3))
                       : "no common sign";
  if (within_factor(ours, value, 3)) return {Verdict::same_order, ratio};
  return elsewhere(evidence, ratio);
}

Verdict judge_claim(const std::vector<std::optional<bool>>& conditions) {
  if (conditions.empty()) return Verdict::undetermined;
  const auto held = std::count(conditions.begin(), conditions.end(), true);
  const auto not_held = std::count(conditions.begin(), conditions.end(), false);
  if (held > 0 && not_held > 0) return Verdict::holds_partly;  // whatever is open
  if (std::count(conditions.begin(), conditions.end(), std::nullopt) > 0)
    return Verdict::undetermined;
  return held > 0 ? Verdict::holds : Verdict::fails;
}

std::string claimed_digits(double value, std::optional<double> floor, int digits) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  if (value == 0) return "0";
  if (floor && *floor > 0) {
    if (std::abs(value) <= *floor) {
      digits = std::min(digits, 2);
    } else {
      // The last digit shown may not lie below a tenth of the floor.
      const int top = static_cast<int>(std::floor(std::log10(std::abs(value))));
      const int bottom = static_cast<int>(std::floor(std::log10(*floor))) - 1;
      digits = std::clamp(top - bottom + 1, 1, digits);
    }
  }
  std::string text = fmt::format("{:#.{}g}", value, digits);
  if (text.ends_with('.')) text.pop_back();
  const auto shown =
      std::count_if(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (text.ends_with(".0") && shown > digits) text.resize(text.size() - 2);  // claims one more
  return text;
}

}  // namespace daemark
