// The conditions of one claim with the measured values: their truth, the verdict, and how far the
// thresholds that are ours, not the paper's, are from turning that verdict.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiments/spec/formula.hpp"
#include "experiments/spec/spec.hpp"
#include "experiments/spec/verdict.hpp"

namespace daemark {

/// Four significant digits: how values are shown beside conditions.
std::string four_digits(double value);

struct ConditionOutcome {
  std::string formula, sides;  ///< as written, and with the values of its sides
  std::optional<bool> truth;   ///< empty: a value is missing, or `floors`
  bool floors = false;         ///< it compares floors alone, which decides nothing
};

/// "true", "false", "open" or "floors".
std::string truth_word(const ConditionOutcome& condition);

class Conditions {
 public:
  struct Measured {
    std::optional<double> value;
    /// That of its column, where it lies at or below it; 0: as low as it can be.
    std::optional<double> floor = {};
  };
  using Lookup = std::function<Measured(const std::string& name)>;

  /// Looks every name up once.
  Conditions(ClaimSpec claim, const Lookup& lookup);

  std::vector<ConditionOutcome> outcomes() const;

  /// With threshold `changed` (its place in the claim's list) set to `value`; none: as they stand.
  Verdict verdict(std::optional<std::size_t> changed = {}, double value = 0) const;

  /// A line for each threshold: where the verdict turns and which plausible others turn it; then
  /// the measured value nearest to a bare number of a condition (the paper's, or a tolerance).
  std::vector<std::string> distances() const;

 private:
  struct Condition {
    Formula formula;
    std::vector<std::optional<double>> values;
    std::vector<Formula::Kind> kinds;
    std::vector<double> floors;          ///< by name; 0 where it is above it
    std::vector<std::size_t> threshold;  ///< by name: place in the claim's list, or none
  };
  std::string threshold_line(std::size_t which) const;
  std::string nearest_number() const;
  std::optional<std::pair<double, Verdict>> turn(std::size_t which, bool upwards) const;

  ClaimSpec claim_;
  std::vector<Condition> conditions_;
};

/// One line: all of a few conditions, otherwise how many hold and which do not.
std::string evidence_line(const std::vector<ConditionOutcome>& conditions);

}  // namespace daemark
