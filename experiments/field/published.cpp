#include "experiments/field/published.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <regex>

#include "analysis/enclosure/ball_function.hpp"
#include "analysis/enclosure/proved_reference.hpp"
#include "analysis/reference/reference.hpp"
#include "analysis/reference/reference_store.hpp"
#include "analysis/report/table.hpp"
#include "base/input/strict_json.hpp"
#include "base/program/progress.hpp"
#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/wrap.hpp"
#include "problems/files/file_formula.hpp"
#include "problems/system/state_names.hpp"

namespace daemark {
namespace {

using nlohmann::json;

constexpr int most_digits = 40;  ///< that are judged
constexpr int spare_digits = 2;

/// "-0.0120e3" has three digits and the last place 10^-1.
struct PrintedDecimal {
  rational value, last_place;
  int digits = 0;
};

PrintedDecimal printed_decimal(const std::string& text, const std::string& where) {
  static const std::regex form(R"([-+]?(\d*)\.?(\d*)(?:[eE]([-+]?\d{1,3}))?)");
  std::smatch parts;
  const bool matches = std::regex_match(text, parts, form);
  const std::string all = matches ? parts[1].str() + parts[2].str() : "";
  const std::size_t first = all.find_first_not_of('0');
  if (first == all.npos || all.size() - first > most_digits)
    throw BadInput(
        fmt::format("{}: '{}'; accepted: a decimal other than 0 of up to {} digits, \"-0.12e-3\"",
                    where, text, most_digits));
  const int exponent = parts[3].matched ? std::stoi(parts[3]) : 0;
  const auto exact = [&](const std::string& number) {
    return Expression::parse(number, where).as_rational();
  };
  return {exact(text), exact(fmt::format("1e{}", exponent - static_cast<int>(parts[2].length()))),
          static_cast<int>(all.size() - first)};
}

/// The names of a state: positions, velocities, multipliers.
FileFormula::Scope names_in_order(const StateNames& names) {
  FileFormula::Scope scope;
  int number = 0;
  for (const auto* part : {&names.q, &names.v, &names.lambda})
    for (const std::string& name : *part) scope.variables.emplace(name, number++);
  return scope;
}

PublishedValue published_value(const json& entry, const std::string& where) {
  const bool sound =
      entry.is_array() && (entry.size() == 2 || entry.size() == 3) &&
      std::all_of(entry.begin(), entry.end(), [](const json& part) { return part.is_string(); });
  if (!sound) throw BadInput(where + R"(: a value is [name, printed] or [name, printed, formula])");
  PublishedValue value{entry[0], entry[1], entry[entry.size() == 3 ? 2 : 0]};
  value.digits = printed_decimal(value.printed, where + ", " + value.name).digits;
  return value;
}

PublishedReference published_reference(const json& entry, const std::string& where) {
  require_keys(entry, where, {"name", "problem", "t", "printed_in", "values", "note"}, {"decided"});
  PublishedReference reference;
  for (const auto& [key, text] :
       {std::pair("name", &reference.name), std::pair("problem", &reference.problem),
        std::pair("t", &reference.t), std::pair("note", &reference.note)})
    *text = get_string(entry, key, where);
  for (const json& place : get_array(entry, "printed_in", where)) {
    require_keys(place, where + ", printed_in", {"project", "version", "file", "line"});
    reference.places.push_back(
        {get_string(place, "project", where), get_string(place, "version", where),
         get_string(place, "file", where), static_cast<int>(get_int(place, "line", where, 1))});
  }
  for (const json& value : get_array(entry, "values", where))
    reference.values.push_back(published_value(value, where));
  if (entry.contains("decided"))
    reference.decided = static_cast<int>(get_int(entry, "decided", where, 1, most_digits));
  if (reference.places.empty() || reference.values.empty())
    throw BadInput(where + ": no places or no values");
  const Problem problem = problem_registry().make(reference.problem);
  check_reference(problem, {reference.t}, reference.printed_digits());
  const FileFormula::Scope scope = names_in_order(state_names(problem));
  for (const PublishedValue& value : reference.values)
    FileFormula::parse(value.formula, where + ", " + value.name, scope);
  return reference;
}

RealBall ball_about(const real50& middle, const real50& radius) {
  RealBall x = ball_of(Expression::parse(middle.str(50), "").as_rational());
  arb_add_error(x.raw(), ball_of(Expression::parse(radius.str(3), "").as_rational()).raw());
  return x;
}

/// Balls that hold the exact state, and by which right.
struct KnownState {
  std::vector<RealBall> balls;  ///< positions, velocities, multipliers
  bool proved = false;
  std::string by;
};

KnownState proved_state(const Problem& problem, const Expression& t, int digits) {
  constexpr int most_steps = 10000;
  const ProvedState state = proved_states(problem, {t}, digits, most_steps).front();
  if (state.lambda.size() != state_names(problem).lambda.size())
    throw EnclosureFailure("its multipliers are not unique");
  KnownState known{state.q, true, fmt::format("Proved to {} digits", state.digits)};
  for (const auto* part : {&state.v, &state.lambda})
    known.balls.insert(known.balls.end(), part->begin(), part->end());
  return known;
}

KnownState agreed_state(const Problem& problem, const std::string& t, int digits,
                        const char* no_proof) {
  const ReferenceState state = fresh_reference(problem, t, digits);
  KnownState known{
      {},
      false,
      fmt::format("Two routes agree on {} digits; no proof: {}", state.agreed_digits, no_proof)};
  for (const auto* part : {&state.q, &state.v, &state.lambda}) {
    real50 largest = 0;
    for (const real50& x : *part) largest = std::max<real50>(largest, abs(x));
    for (const real50& x : *part)
      known.balls.push_back(ball_about(x, largest * pow(real50(10), -state.agreed_digits)));
  }
  return known;
}

KnownState known_state(const Problem& problem, const std::string& t, int digits) {
  try {
    return proved_state(problem, Expression::parse(t, "t"), digits);
  } catch (const EnclosureFailure& failure) {
    return agreed_state(problem, t, digits, failure.what());
  }
}

void judge_value(PublishedValue& value, const RealBall& exact, int decided) {
  const PrintedDecimal printed = printed_decimal(value.printed, value.name);
  const RealBall gap = exact + -ball_of(printed.value);
  const real50 off = abs(middle(gap)), width = radius(gap), unit(printed.last_place);
  value.verdict = off + width <= unit  ? PrintedVerdict::right
                  : off - width > unit ? PrintedVerdict::wrong
                                       : PrintedVerdict::open;
  const Motion as_printed{{real50(printed.value)}, {}, {}}, as_is{{middle(exact)}, {}, {}};
  constexpr double accuracy = 1e-45;
  value.right = value.verdict == PrintedVerdict::right
                    ? value.digits
                    : agreement(as_printed, as_is, accuracy, value.digits - 1);
  if (value.verdict == PrintedVerdict::wrong && value.right >= decided)
    value.verdict = PrintedVerdict::open;
  value.exact = ball_texts(exact, value.digits + spare_digits).first;
}

void judge_values(PublishedReference& reference, const std::vector<RealBall>& state,
                  const FileFormula::Scope& scope) {
  constexpr long bits = 256;  // 40 digits and what formulas lose
  const EnclosureBits working(bits);
  graph::Graph graph;
  const std::vector<Var> inputs = graph.inputs(static_cast<int>(state.size()));
  std::vector<Var> formulas;
  for (const PublishedValue& value : reference.values)
    formulas.push_back(
        FileFormula::parse(value.formula, reference.name, scope).value<Var>([&](int number) {
          return inputs[number];
        }));
  BallFunction function(graph, {formulas});
  for (std::size_t i = 0; i < state.size(); ++i) function.input(static_cast<int>(i)) = state[i];
  function.evaluate();
  for (std::size_t i = 0; i < formulas.size(); ++i)
    judge_value(reference.values[i], function.output(0, static_cast<int>(i)), reference.decided);
}

}  // namespace

int PublishedReference::printed_digits() const {
  int most = 0;
  for (const PublishedValue& value : values) most = std::max(most, value.digits);
  return most;
}

const PublishedValue& PublishedReference::worst() const {
  return *std::min_element(values.begin(), values.end(),
                           [](const PublishedValue& a, const PublishedValue& b) {
                             return std::pair(a.verdict, a.right) < std::pair(b.verdict, b.right);
                           });
}

int PublishedReference::count(PrintedVerdict verdict) const {
  return static_cast<int>(std::count_if(
      values.begin(), values.end(), [&](const auto& value) { return value.verdict == verdict; }));
}

std::vector<PublishedReference> read_published(const std::filesystem::path& file) {
  const json all = parse_json_file(file.string());
  if (!all.is_array()) throw BadInput(file.string() + ": a list of entries is accepted");
  std::vector<PublishedReference> out;
  for (const json& entry : all)
    out.push_back(published_reference(
        entry, fmt::format("{}: entry {}", file.filename().string(), out.size() + 1)));
  return out;
}

void judge_published(std::vector<PublishedReference>& all) {
  std::map<std::pair<std::string, std::string>, std::vector<PublishedReference*>> groups;
  for (PublishedReference& reference : all)
    groups[{reference.problem, reference.t}].push_back(&reference);
  ProgressParts parts(std::vector<double>(groups.size(), 1.0));
  for (const auto& [at, group] : groups) {
    const ProgressShare share = parts.next();
    const Problem problem = problem_registry().make(at.first);
    int digits = 0;
    for (const PublishedReference* reference : group)
      digits = std::max(digits, reference->printed_digits());
    const KnownState state = known_state(problem, at.second, digits + spare_digits);
    const FileFormula::Scope scope = names_in_order(state_names(problem));
    for (PublishedReference* reference : group) {
      reference->proved = state.proved, reference->decided_by = state.by;
      judge_values(*reference, state.balls, scope);
    }
  }
}

void write_published(const std::vector<PublishedReference>& all,
                     const std::filesystem::path& folder) {
  constexpr const char* words[] = {"wrong", "open", "right"};
  Table rows{
      "", {"printed in", "values", "digits", "right", "fails first", "wrong", "open", "by"}, {}};
  Table values{"",
               {"reference", "problem", "t", "value", "formula", "printed", "digits", "exact",
                "right", "verdict"},
               {}};
  std::string details;
  for (const PublishedReference& reference : all) {
    const PublishedValue& worst = reference.worst();
    const bool fails = worst.verdict == PrintedVerdict::wrong;
    details += fmt::format("\n## {}\n\n", reference.name);
    for (const PrintedPlace& place : reference.places) {
      rows.rows.push_back({fmt::format("{}, {}:{}", place.project, place.file, place.line),
                           std::to_string(reference.values.size()),
                           std::to_string(reference.printed_digits()), std::to_string(worst.right),
                           fails ? worst.name : "",
                           std::to_string(reference.count(PrintedVerdict::wrong)),
                           std::to_string(reference.count(PrintedVerdict::open)),
                           reference.proved ? "proof" : "two routes"});
      details +=
          fmt::format("- {} {}, {}:{}\n", place.project, place.version, place.file, place.line);
    }
    if (fails)
      details += fmt::format("\n{} is {}, printed {}: wrong from digit {}.\n", worst.name,
                             worst.exact, worst.printed, worst.right + 1);
    details +=
        "\n" + wrapped(fmt::format("{}. {}", reference.decided_by, reference.note)) +
        fmt::format("\n\n      daemark reference '{}' --t {} --digits {}{}\n", reference.problem,
                    reference.t, reference.printed_digits() + spare_digits,
                    reference.proved ? " --proved" : "");
    for (const PublishedValue& value : reference.values)
      values.rows.push_back({reference.name, reference.problem, reference.t, value.name,
                             value.formula, value.printed, std::to_string(value.digits),
                             value.exact, std::to_string(value.right),
                             words[static_cast<int>(value.verdict)]});
  }
  const std::string head =
      "# Published reference solutions, judged\n\n" +
      wrapped(
          "What public files print as the state of a mechanism, against balls that are proved to "
          "contain the exact one (`proof`), or against the digits on which two routes agree where "
          "nothing is proved. A decimal is wrong where the interval of one unit of its last place "
          "about it and the ball are disjoint; it is open where the published data do not decide "
          "the digits. `right` is the number of significant digits of the value that has fewest; "
          "`published.csv` has every value.") +
      "\n\n";
  write_if_changed(folder / "published.md", head + markdown(rows) + details);
  write_if_changed(folder / "published.csv", csv(values));
}

}  // namespace daemark
