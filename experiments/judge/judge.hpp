// From results to verdicts: every printed number and every claim of an item (judge.cpp), the latter
// by conditions and how far thresholds that are ours are from turning them (conditions.cpp).
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "experiments/spec/formula.hpp"
#include "experiments/spec/names.hpp"
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

/// By canonical cell; a cell that was left out is absent.
using Results = std::map<std::string, CellResult>;

struct NumberOutcome {
  std::string edition, printed;
  Judgement judgement;
};

struct ValueOutcome {
  std::string measured;         ///< the digits it claims; "" where there is none
  bool at_most = false;         ///< the value is that or less (a measure at_most_NAME is there)
  std::string beside;           ///< the number in parentheses (ColumnSpec::beside)
  std::string marks;            ///< signs behind it
  std::optional<double> floor;  ///< of the measured value
  std::string shown() const;  ///< "≤ 2.98 (3)↓"; "— (3)" without a value but with one beside it
  std::vector<NumberOutcome> numbers;
};

struct RowOutcome {
  const RowSpec* row = nullptr;
  const RowSpec* compared =
      nullptr;  ///< the row whose cell stands beside it: itself or a candidate
  const CellResult* result = nullptr;          ///< of `compared`; null: left out
  std::map<std::string, ValueOutcome> values;  ///< by column
};

struct ClaimOutcome {
  const ClaimSpec* claim = nullptr;
  Verdict verdict = Verdict::undetermined;
  std::vector<ConditionOutcome> conditions;
  std::string
      evidence;  ///< all of a few conditions, otherwise how many hold; then distances to thresholds
  std::string why;  ///< names the versions of the sources of kept results it rests on
};

struct ItemOutcome {
  const ItemSpec* item = nullptr;
  std::vector<RowOutcome> rows;
  std::vector<ClaimOutcome> claims;
  std::vector<std::string> findings;
};

/// A printed number with where it stands.
struct PlacedNumber {
  const RowOutcome* row;
  const ColumnSpec* column;
  const NumberOutcome* number;
};
/// Row by row, column by column, edition by edition; valid as long as the outcome.
std::vector<PlacedNumber> numbers_of(const ItemOutcome& outcome);

class Judge {
 public:
  /// Both must outlive it.
  Judge(const std::vector<ItemSpec>& items, const Results& results)
      : items_(items), results_(results) {}

  ItemOutcome judge(const ItemSpec& item) const;

  /// `row.measure` of this item or `item.row.measure`: a measure, a count, a column's id, `ok`,
  /// `failed`, `status_<word>` (1 or 0) or `t_reached`; absent for a result without an outcome.
  /// Throws BadInput for rows and items that do
  /// not exist; absent for what has not been computed.
  std::optional<double> lookup(const ItemSpec& item, const std::string& name) const;

  const CellResult* result(const FixedCell& cell) const;  ///< null: left out

 private:
  /// What values rest on that a reason has to say.
  struct Basis {
    std::set<std::string> kept;        ///< versions of kept results
    std::set<std::string> turns;       ///< rows whose end hangs on the first guess, with their ends
    bool guesses = false;              ///< an end was asked for that every other guess confirms
    std::set<std::string> no_outcome;  ///< rows whose runs have none, with the status they have
    bool lacks(const RowSpec& row, const CellResult& result) {
      if (!result.is_outcome()) no_outcome.insert(row.id + " (" + result.status + ")");
      return !result.is_outcome();
    }
  };
  /// The end of a run (is_end) has no value where another first guess gives another one.
  Conditions::Measured measured(const ItemSpec& item, const std::string& name,
                                Basis* basis = nullptr) const;
  Conditions::Measured end_of(const NamedMeasure& named, Basis& basis) const;
  RowOutcome judge_row(const ItemSpec& item, const RowSpec& row) const;
  ClaimOutcome judge_claim_of(const ItemSpec& item, const ClaimSpec& claim) const;
  const RowSpec& nearest(const ItemSpec& item, const RowSpec& row) const;
  double distance(const ItemSpec& item, const RowSpec& printed, const RowSpec& candidate) const;
  std::vector<std::string> violated(const ItemSpec& item, const RowSpec& row,
                                    const RowSpec& compared, const ColumnSpec& column,
                                    const std::string& edition) const;
  void ask_variants(const ItemSpec& item, const RowSpec& row, const ColumnSpec& column,
                    NumberOutcome& number) const;
  /// The floor of a column in a row with a cell, or what the value is known to where that is
  /// larger.
  std::optional<double> floor(const RowSpec& row, const ColumnSpec& column) const;
  Route route(const ColumnSpec& column, const FixedCell& cell, const std::string& name) const;

  const std::vector<ItemSpec>& items_;
  const Results& results_;
};

/// A measure or count of a result, `ok`, `failed`, `status_<word>`, `t_reached`; none without an
/// outcome.
std::optional<double> result_value(const CellResult& result, const std::string& name);

}  // namespace daemark
