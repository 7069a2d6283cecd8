#include "experiments/judge/judge.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/numbers/expression.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/cells/support/cell_kind.hpp"

namespace daemark {
namespace {

std::optional<double> value_of(const Formula& formula, const CellResult& result) {
  return formula.eval([&](const std::string& name) { return result_value(result, name); });
}

void set_beside(ValueOutcome& value, const ColumnSpec& column, const CellResult& result) {
  value.at_most = result.measures.count("at_most_" + column.measure.text()) > 0;
  if (column.beside) {
    const auto beside = value_of(*column.beside, result);
    const bool bound = result.measures.count("at_least_" + column.beside->text()) > 0;
    if (beside) value.beside = fmt::format("{}{:.0f}", bound ? "≥ " : "", *beside);
  }
  for (const MarkSpec& mark : column.marks)
    if (value_of(mark.when, result).value_or(0) != 0) value.marks += mark.sign;
}

void add_kept(const CellResult* result, std::set<std::string>& versions) {
  if (result != nullptr && result->kept) versions.insert(result->version());
}

/// The end of a reason that rests on results of other versions of the program.
std::string of_kept(const std::set<std::string>& versions) {
  if (versions.empty()) return "";
  return fmt::format("; kept, from {}", fmt::join(versions, ", "));
}

/// Whether the ends of runs hang on the first guess, behind the evidence.
std::string guesses_line(bool asked, const std::set<std::string>& turns) {
  if (!asked) return "";
  if (turns.empty()) return "; same outcome with every predictor";
  return fmt::format("; undecided, since the outcome depends on the predictor: {}",
                     fmt::join(turns, " | "));
}

/// As many digits as the column claims, or as the numbers printed beside it have.
int digits_beside(const RowSpec& row, const ColumnSpec& column) {
  int digits = std::max(1, column.digits);
  if (const auto texts = row.printed.find(column.id); texts != row.printed.end())
    for (const auto& [edition, text] : texts->second)
      digits = std::max(digits, printed_interval(text, column.id).digits);
  return digits;
}

std::string reason_not_compared(const RowSpec& row, const ColumnSpec& column) {
  const auto own = row.not_comparable.find(column.id);
  return own != row.not_comparable.end() ? own->second : column.not_comparable;
}

}  // namespace

std::vector<PlacedNumber> numbers_of(const ItemOutcome& outcome) {
  std::vector<PlacedNumber> numbers;
  for (const RowOutcome& row : outcome.rows)
    for (const ColumnSpec& column : outcome.item->columns)
      for (const NumberOutcome& number : row.values.at(column.id).numbers)
        numbers.push_back({&row, &column, &number});
  return numbers;
}

std::string ValueOutcome::shown() const {
  std::string text = at_most && !measured.empty() ? "≤ " + measured : measured;
  if (text.empty() && !(beside.empty() && marks.empty())) text = "—";
  if (!beside.empty()) text += fmt::format(" ({})", beside);
  return text + marks;
}

std::optional<double> result_value(const CellResult& result, const std::string& name) {
  if (!result.is_outcome()) return std::nullopt;
  if (name.starts_with("status_")) return result.status == name.substr(7) ? 1 : 0;
  if (name == "ok") return result.ok() ? 1 : 0;
  if (name == "failed") return result.ok() ? 0 : 1;
  if (name == "t_reached") return result.t;
  if (const auto measure = result.measures.find(name); measure != result.measures.end()) {
    return std::isnan(measure->second) ? std::nullopt : std::optional(measure->second);
  }
  if (const auto count = result.counts.find(name); count != result.counts.end()) {
    return static_cast<double>(count->second);
  }
  return std::nullopt;
}

std::optional<double> Judge::floor(const RowSpec& row, const ColumnSpec& column) const {
  const auto own = row.floors.find(column.id);
  const std::optional<double> stated =
      own != row.floors.end() ? std::optional(own->second) : column.floor;
  const CellResult* found = column.known_to && row.cell ? result(*row.cell) : nullptr;
  const std::optional<double> known = found ? value_of(*column.known_to, *found) : std::nullopt;
  return stated && known ? std::max(*stated, *known) : known ? known : stated;
}

const CellResult* Judge::result(const FixedCell& cell) const {
  const auto found = results_.find(canonical(cell));
  return found == results_.end() ? nullptr : &found->second;
}

Conditions::Measured Judge::end_of(const NamedMeasure& named, Basis& basis) const {
  const CellResult* own = result(*named.row->cell);
  if (own == nullptr) return {};
  const std::string& measure = named.column ? named.column->measure.text() : named.measure;
  const std::optional<double> value = result_value(*own, measure);
  std::vector<std::string> same = {own->status}, others;
  for (const SecondRoute& guess : other_guesses(*named.row->cell)) {
    const CellResult* found = result(guess.cell);
    if (found == nullptr) return {};
    add_kept(found, basis.kept);
    if (basis.lacks(*named.row, *found)) return {};
    basis.guesses = true;
    auto& list = result_value(*found, measure) == value ? same : others;
    list.push_back(fmt::format("{} with {}", found->status, guess.name));
  }
  if (others.empty()) return {value};
  basis.turns.insert(fmt::format("{}.{}: {}; {}", named.item->id, named.row->id,
                                 fmt::join(same, ", "), fmt::join(others, ", ")));
  return {};
}

Conditions::Measured Judge::measured(const ItemSpec& item, const std::string& name,
                                     Basis* basis) const {
  const NamedMeasure named =
      named_measure(items_, item, fmt::format("{}/{}", item.paper, item.id), name);
  const CellResult* found = result(*named.row->cell);
  if (found == nullptr) return {};
  if (basis != nullptr) add_kept(found, basis->kept);
  if (basis != nullptr && basis->lacks(*named.row, *found)) return {};
  if (basis != nullptr && is_end(named)) return end_of(named, *basis);
  if (named.column == nullptr) return {result_value(*found, named.measure)};
  const std::optional<double> value = value_of(named.column->measure, *found);
  const auto reaches = [&](const std::optional<double>& bound) {
    return value && bound && std::abs(*value) <= *bound;
  };
  const std::optional<double> rounding = floor(*named.row, *named.column);
  if (reaches(rounding)) return {value, rounding};
  if (reaches(named.column->least)) return {value, 0};
  return {value};
}

std::optional<double> Judge::lookup(const ItemSpec& item, const std::string& name) const {
  return measured(item, name).value;
}

Route Judge::route(const ColumnSpec& column, const FixedCell& cell, const std::string& name) const {
  const CellResult* found = result(cell);
  if (found == nullptr) return {name, std::nullopt, ""};
  // A study in which a coarse step failed still has its slopes: it counts as run where they exist.
  const bool study = kind_of(cell).is_study(cell);
  const bool usable = found->ok() || (study && found->is_outcome());
  const std::optional<double> value = usable ? value_of(column.measure, *found) : std::nullopt;
  return {name, value, value && study ? "ok" : found->status};
}

double Judge::distance(const ItemSpec& item, const RowSpec& printed,
                       const RowSpec& candidate) const {
  double sum = 0;
  for (const ColumnSpec& column : item.columns) {
    const auto texts = printed.printed.find(column.id);
    if (texts == printed.printed.end() || texts->second.empty()) continue;
    if (!reason_not_compared(printed, column).empty()) continue;
    const double value =
        to_double(printed_interval(texts->second.begin()->second, column.id).value);
    const Route ours = route(column, *candidate.cell, "");
    const double measured = std::abs(ours.measured.value_or(0));
    const std::optional<double> least = floor(candidate, column);
    if (least && measured <= *least && std::abs(value) <= *least && ours.measured) continue;
    const bool comparable = measured > 0 && std::isfinite(measured) && value != 0;
    sum += comparable ? std::abs(std::log(measured / std::abs(value))) : 1e3;
  }
  return sum;
}

const RowSpec& Judge::nearest(const ItemSpec& item, const RowSpec& row) const {
  if (row.cell) return row;
  const RowSpec* best = nullptr;
  double least = std::numeric_limits<double>::infinity();
  for (const std::string& id : row.candidates) {
    const RowSpec* candidate = find_row(item, id);
    const CellResult* found = result(*candidate->cell);
    if (found != nullptr && !found->is_outcome()) return *candidate;  // it may be the nearest
    const double far = distance(item, row, *candidate);
    if (best == nullptr || far < least) {
      best = candidate;
      least = far;
    }
  }
  return *best;
}

std::vector<std::string> Judge::violated(const ItemSpec& item, const RowSpec& row,
                                         const RowSpec& compared, const ColumnSpec& column,
                                         const std::string& edition) const {
  std::vector<std::string> out;
  for (const BoundSpec& bound : item.bounds) {
    if (bound.column != column.id) continue;
    const Formula::Lookup values = [&](const std::string& name) -> std::optional<double> {
      if (name == "t_end") return Expression::parse((*compared.cell)->t_end, name).eval<double>();
      if (name == "h") return Expression::parse((*compared.cell)->h.front(), name).eval<double>();
      if (!name.starts_with("printed.")) {
        throw BadInput(
            fmt::format("{}/{}, bound {}: unknown name '{}'; accepted: printed.<column>, t_end, h",
                        item.paper, item.id, bound.id, name));
      }
      const auto texts = row.printed.find(name.substr(8));
      if (texts == row.printed.end() || !texts->second.contains(edition)) return std::nullopt;
      return to_double(printed_interval(texts->second.at(edition), name).value);
    };
    if (bound.formula.eval(values) == 0.0) {
      out.push_back(fmt::format("the printed row breaks {}: {} is false", bound.why,
                                bound.formula.with_values(values, four_digits)));
    }
  }
  return out;
}

/// Of a number that is elsewhere than in the nearest row: `differs`, since what was printed may be
/// another one, and which of all that it may be come within a factor of 3.
void Judge::ask_variants(const ItemSpec& item, const RowSpec& row, const ColumnSpec& column,
                         NumberOutcome& number) const {
  number.judgement.verdict = Verdict::differs;
  std::vector<std::string> all = row.candidates, near;
  all.insert(all.end(), row.variants.begin(), row.variants.end());
  if (all.size() < 2) return;
  for (const std::string& id : all) {
    const RowSpec& variant = *find_row(item, id);
    const Route ours = route(column, *variant.cell, "ours");
    const Judgement found =
        judge_number({number.printed, id, ours, {}, floor(variant, column), {}, ""});
    if (found.verdict == Verdict::undetermined) {
      number.judgement = {found.verdict, fmt::format("{}: {}", variant.label, found.why)};
      return;
    }
    if (found.verdict != Verdict::differs) near.push_back(variant.label);
  }
  number.judgement.why +=
      near.empty() ? fmt::format("; none of the {} variants computed gives it", all.size())
                   : fmt::format("; of the {} variants computed within a factor 3 of it: {}",
                                 all.size(), fmt::join(near, "; "));
}

RowOutcome Judge::judge_row(const ItemSpec& item, const RowSpec& row) const {
  const RowSpec& compared = nearest(item, row);
  RowOutcome outcome{&row, &compared, result(*compared.cell), {}};
  std::set<std::string> kept;
  add_kept(outcome.result, kept);
  for (const SecondRoute& second : compared.second) add_kept(result(second.cell), kept);
  for (const ColumnSpec& column : item.columns) {
    ValueOutcome& value = outcome.values[column.id];
    const Route ours = route(column, *compared.cell, "ours");
    value.floor = floor(compared, column);
    if (ours.measured) {
      const bool whole = column.digits == 0 && std::isfinite(*ours.measured);
      value.measured =
          whole ? fmt::format("{:.0f}", *ours.measured)
                : claimed_digits(*ours.measured, value.floor, digits_beside(row, column));
    }
    if (outcome.result != nullptr) set_beside(value, column, *outcome.result);
    if (outcome.result != nullptr && outcome.result->kept) value.marks += "†";
    const auto texts = row.printed.find(column.id);
    if (texts == row.printed.end()) continue;
    for (const auto& [edition, text] : texts->second) {
      NumberEvidence evidence{text,
                              item.id + "." + row.id,
                              ours,
                              {},
                              value.floor,
                              violated(item, row, compared, column, edition),
                              reason_not_compared(row, column)};
      for (const SecondRoute& second : compared.second) {
        evidence.second.push_back(route(column, second.cell, second.name));
      }
      NumberOutcome number{edition, text, judge_number(evidence)};
      if (&compared != &row) {
        const Verdict verdict = number.judgement.verdict;
        if (verdict == Verdict::differs || verdict == Verdict::contradicted)
          ask_variants(item, row, column, number);
        number.judgement.why += fmt::format("; compared with {}", compared.label);
      }
      number.judgement.why += of_kept(kept);
      value.numbers.push_back(std::move(number));
    }
  }
  return outcome;
}

ClaimOutcome Judge::judge_claim_of(const ItemSpec& item, const ClaimSpec& claim) const {
  ClaimOutcome outcome{&claim, Verdict::undetermined, {}, "", claim.why};
  Basis basis;
  const Conditions conditions(
      claim, [&](const std::string& name) { return measured(item, name, &basis); });
  outcome.conditions = conditions.outcomes();
  outcome.verdict = conditions.verdict();
  outcome.evidence = evidence_line(outcome.conditions);
  for (const std::string& line : conditions.distances()) outcome.evidence += "; " + line;
  outcome.evidence += guesses_line(basis.guesses, basis.turns);
  if (!basis.no_outcome.empty())
    outcome.evidence += fmt::format("; no outcome: {}", fmt::join(basis.no_outcome, ", "));
  if (outcome.why.empty()) {
    const bool open = std::any_of(outcome.conditions.begin(), outcome.conditions.end(),
                                  [](const auto& c) { return !c.truth && !c.floors; });
    outcome.why = !basis.no_outcome.empty()                  ? "a run it needs has no outcome"
                  : open                                     ? "a run it needs is missing"
                  : outcome.verdict == Verdict::undetermined ? "nothing but floors is compared"
                  : outcome.verdict == Verdict::holds        ? "every condition is true"
                  : outcome.verdict == Verdict::fails        ? "no condition is true"
                                                             : "not every condition is true";
  }
  outcome.why += of_kept(basis.kept);
  return outcome;
}

ItemOutcome Judge::judge(const ItemSpec& item) const {
  ItemOutcome outcome{&item, {}, {}, {}};
  for (const RowSpec& row : item.rows) outcome.rows.push_back(judge_row(item, row));
  for (const ClaimSpec& claim : item.claims) {
    outcome.claims.push_back(judge_claim_of(item, claim));
  }
  for (const FilledText& finding : item.findings) {
    outcome.findings.push_back(finding.with_values(
        [&](const std::string& name) { return lookup(item, name); }, four_digits));
  }
  return outcome;
}

}  // namespace daemark
