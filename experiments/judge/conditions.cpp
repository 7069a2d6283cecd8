#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text/read_double.hpp"
#include "experiments/judge/judge.hpp"
#include "experiments/spec/range.hpp"

namespace daemark {
namespace {

constexpr std::size_t no_threshold = std::numeric_limits<std::size_t>::max();

/// A verdict that stays the same over this factor either way does not depend on the threshold.
constexpr double farthest = 1000;

/// Enough digits that the number shown lies on the same side of `threshold`.
std::string show_beside(double value, double threshold) {
  std::string text;
  for (int digits = 3; digits <= 17; ++digits) {
    text = significant(value, digits);
    const double read = double_of(text);
    if ((read < threshold) == (value < threshold) && (read > threshold) == (value > threshold))
      break;
  }
  return text;
}

/// The long formulas of minima over a figure's curves are cut, between names.
std::string shown(const ConditionOutcome& condition) {
  constexpr std::size_t longest = 100;
  std::string formula = condition.formula;
  if (formula.size() > longest) {
    constexpr const char* between = " ,+*/(";
    std::size_t end = formula.find_last_of(between, longest);
    if (end == std::string::npos) end = formula.find_first_of(between, longest);
    formula = formula.substr(0, end) + " …";
  }
  return fmt::format("{} [{}]", condition.sides, formula);
}

const char* word(const ConditionOutcome& condition) {
  if (condition.floors) return "floors, which decide nothing";
  return !condition.truth ? "open" : *condition.truth ? "true" : "false";
}

}  // namespace

std::string truth_word(const ConditionOutcome& condition) {
  if (condition.floors) return "floors";
  return !condition.truth ? "open" : *condition.truth ? "true" : "false";
}

std::string four_digits(double value) { return significant(value, 4); }

Conditions::Conditions(ClaimSpec claim, const Lookup& lookup) : claim_(std::move(claim)) {
  for (const Formula& formula : claim_.conditions) {
    Condition condition{formula, {}, {}, {}, {}};
    for (const std::string& name : condition.formula.names()) {
      const auto found = std::find_if(claim_.thresholds.begin(), claim_.thresholds.end(),
                                      [&](const ThresholdSpec& t) { return t.name == name; });
      if (found != claim_.thresholds.end()) {
        condition.values.emplace_back(found->value);
        condition.kinds.push_back(Formula::Kind::constant);
        condition.floors.push_back(0);
        condition.threshold.push_back(static_cast<std::size_t>(found - claim_.thresholds.begin()));
        continue;
      }
      const Measured measured = lookup(name);
      condition.values.push_back(measured.value);
      condition.kinds.push_back(measured.floor ? Formula::Kind::floor : Formula::Kind::measured);
      condition.floors.push_back(measured.floor.value_or(0));
      condition.threshold.push_back(no_threshold);
    }
    conditions_.push_back(std::move(condition));
  }
}

std::vector<ConditionOutcome> Conditions::outcomes() const {
  std::vector<ConditionOutcome> out;
  for (const Condition& condition : conditions_) {
    const Formula::Decision decision =
        condition.formula.decide(condition.values, condition.kinds, condition.floors);
    out.push_back({condition.formula.text(), condition.formula.sides(condition.values),
                   decision.truth, decision.floors});
  }
  return out;
}

Verdict Conditions::verdict(std::optional<std::size_t> changed, double value) const {
  std::vector<std::optional<bool>> truths;
  for (const Condition& condition : conditions_) {
    std::vector<std::optional<double>> values = condition.values;
    for (std::size_t i = 0; changed && i < values.size(); ++i) {
      if (condition.threshold[i] == *changed) values[i] = value;
    }
    const Formula::Decision decision =
        condition.formula.decide(values, condition.kinds, condition.floors);
    if (!decision.floors) truths.push_back(decision.truth);
  }
  return judge_claim(truths);
}

/// The nearest threshold above (or below) ours with another verdict, and that verdict.
std::optional<std::pair<double, Verdict>> Conditions::turn(std::size_t which, bool upwards) const {
  constexpr int steps = 240;
  const Verdict now = verdict();
  const double ours = claim_.thresholds[which].value;
  const auto at = [&](double share) { return ours * std::pow(farthest, upwards ? share : -share); };
  for (int i = 1; i <= steps; ++i) {
    double same = (i - 1.0) / steps, other = static_cast<double>(i) / steps;
    if (verdict(which, at(other)) == now) continue;
    for (int bisection = 0; bisection < 50; ++bisection) {
      const double middle = (same + other) / 2;
      (verdict(which, at(middle)) == now ? same : other) = middle;
    }
    return std::pair(at(other), verdict(which, at(other)));
  }
  return std::nullopt;
}

std::string Conditions::threshold_line(std::size_t which) const {
  const ThresholdSpec& threshold = claim_.thresholds[which];
  const Verdict now = verdict();
  std::vector<std::string> turns, others;
  for (const bool upwards : {false, true}) {
    const auto found = turn(which, upwards);
    if (!found) continue;
    const double factor = upwards ? found->first / threshold.value : threshold.value / found->first;
    turns.push_back(fmt::format("{} at {} and {} (factor {})", verdict_name(found->second),
                                show_beside(found->first, threshold.value),
                                upwards ? "above" : "below", show_beside(factor, 1)));
  }
  for (const double other : threshold.plausible) {
    const Verdict then = verdict(which, other);
    if (then != now)
      others.push_back(fmt::format("{}: {}", four_digits(other), verdict_name(then)));
  }
  std::string line = fmt::format(
      "threshold {} = {} (ours): {}", threshold.name, four_digits(threshold.value),
      turns.empty()
          ? fmt::format("no other within a factor {} turns the verdict", four_digits(farthest))
          : fmt::format("{}", fmt::join(turns, ", ")));
  if (threshold.plausible.empty()) return line;
  std::vector<std::string> values;
  for (const double other : threshold.plausible) values.push_back(four_digits(other));
  return line + (others.empty()
                     ? fmt::format("; plausible {} too: the same verdict", fmt::join(values, ", "))
                     : fmt::format("; of the plausible {} turned by {}", fmt::join(values, ", "),
                                   fmt::join(others, ", ")));
}

std::string Conditions::nearest_number() const {
  const Formula::Margin* nearest = nullptr;
  const Condition* of = nullptr;
  double least = std::log(farthest);
  std::vector<std::vector<Formula::Margin>> margins;
  for (const Condition& condition : conditions_)
    margins.push_back(condition.formula.margins(condition.values, condition.kinds));
  for (std::size_t i = 0; i < margins.size(); ++i) {
    for (const Formula::Margin& margin : margins[i]) {
      const double ratio = margin.measured / margin.threshold;
      if (!(ratio > 0) || !std::isfinite(ratio) || std::abs(std::log(ratio)) >= least) continue;
      least = std::abs(std::log(ratio));
      nearest = &margin;
      of = &conditions_[i];
    }
  }
  if (nearest == nullptr) return "";
  return fmt::format("the measure nearest to its bound: {} against {}, {} times it [{}]",
                     show_beside(nearest->measured, nearest->threshold),
                     four_digits(nearest->threshold),
                     show_beside(nearest->measured / nearest->threshold, 1), of->formula.text());
}

std::vector<std::string> Conditions::distances() const {
  std::vector<std::string> lines;
  if (verdict() == Verdict::undetermined) return lines;
  for (std::size_t i = 0; i < claim_.thresholds.size(); ++i) lines.push_back(threshold_line(i));
  if (const std::string number = nearest_number(); !number.empty()) lines.push_back(number);
  return lines;
}

std::string evidence_line(const std::vector<ConditionOutcome>& conditions) {
  constexpr std::size_t all_of = 2, most = 4;
  std::vector<std::string> against, open;
  std::size_t hold = 0, floors = 0;
  for (const ConditionOutcome& condition : conditions) {
    if (condition.floors) ++floors;
    if (!condition.truth && !condition.floors) open.push_back(shown(condition));
    if (condition.truth == true) ++hold;
    if (condition.truth == false) against.push_back(shown(condition));
  }
  if (conditions.empty()) return "";
  if (conditions.size() <= all_of) {
    std::vector<std::string> parts;
    for (const ConditionOutcome& condition : conditions)
      parts.push_back(fmt::format("{}: {}", word(condition), shown(condition)));
    return fmt::format("{}", fmt::join(parts, "; "));
  }
  std::string line = fmt::format("{} of {} conditions{} are true", hold, conditions.size() - floors,
                                 floors > 0 ? " that decide" : "");
  if (!open.empty()) line += fmt::format(", {} open", open.size());
  if (floors == 1) line += ", 1 compares floors and decides nothing";
  if (floors > 1) line += fmt::format(", {} compare floors and decide nothing", floors);
  const auto add = [&](const char* what, const std::vector<std::string>& list) {
    const std::size_t named = std::min(most, list.size()), rest = list.size() - named;
    if (named > 0)
      line += fmt::format("; {}: {}", what, fmt::join(list.begin(), list.begin() + named, "; "));
    if (rest > 0) line += fmt::format("; and {} more", rest);
  };
  add("false", against), add("open", open);
  return line;
}

}  // namespace daemark
