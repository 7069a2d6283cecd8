// daemark score
#include "analysis/run/score.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>

#include "base/numbers/expression.hpp"
#include "base/program/paths.hpp"
#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/printable.hpp"
#include "experiments/cli/common_options.hpp"
#include "experiments/cli/score_orders.hpp"
#include "experiments/cli/state_names.hpp"
#include "experiments/cli/verb.hpp"
#include "experiments/terminal/progress_line.hpp"
#include "experiments/terminal/text.hpp"

namespace daemark {
namespace {

using nlohmann::ordered_json;

struct ScoreOptions {
  ScoreRequest request;
  std::vector<std::string> files;
  std::string cost, save, h;
  bool json = false;
};

bool is_name(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '-';
  });
}

/// "evaluations=120,seconds=0.5": numbers of the author's.
ordered_json read_cost(const std::string& text) {
  ordered_json cost = ordered_json::object();
  for (std::size_t from = 0; !text.empty() && from <= text.size();) {
    const std::size_t to = std::min(text.find(',', from), text.size());
    const std::string entry = text.substr(from, to - from);
    from = to + 1;
    const std::size_t equals = entry.find('=');
    const std::string key = entry.substr(0, equals);
    if (equals == std::string::npos || !is_name(key))
      throw BadInput(
          fmt::format("--cost {} is not accepted: KEY=VALUE,... such as "
                      "evaluations=1200,seconds=0.5",
                      in_quotes(entry)));
    if (cost.contains(key))
      throw BadInput(fmt::format("--cost: {} is given twice; accepted: one value a key", key));
    const double value =
        Expression::parse(entry.substr(equals + 1), "--cost " + key).eval<double>();
    if (!(value >= 0) || !std::isfinite(value))
      throw BadInput(fmt::format("--cost {}: {} is not accepted: a number >= 0", key,
                                 printable(entry.substr(equals + 1))));
    if (value == std::floor(value) && value < 1e15)
      cost[key] = static_cast<long>(value);
    else
      cost[key] = value;
  }
  return cost;
}

ordered_json time_json(const ScoredTime& time) {
  ordered_json columns = ordered_json::array();
  for (const ScoredColumn& column : time.columns)
    columns.push_back({{"name", column.name},
                       {"unit", column.unit},
                       {"value", column.value},
                       {"reference", column.reference},
                       {"error", column.error}});
  return {{"t", time.t},
          {"reference_digits", time.reference_digits},
          {"errors", time.errors},
          {"digits_used", time.digits_used},
          {"columns", columns}};
}

ordered_json score_json(const Score& score, const ordered_json& cost) {
  ordered_json times = ordered_json::array(), not_judged = ordered_json::array();
  for (const ScoredTime& time : score.times) times.push_back(time_json(time));
  for (const NotJudged& what : score.not_judged)
    not_judged.push_back({{"what", what.what}, {"why", what.why}});
  ordered_json out = {{"problem", score.problem},   {"formulation", score.formulation},
                      {"rows", score.rows},         {"t_start", score.t_start},
                      {"t_end", score.t_end},       {"times", times},
                      {"measures", score.measures}, {"not_judged", not_judged}};
  if (!cost.empty()) out["cost"] = cost;
  return out;
}

void print_time(const ScoredTime& time, std::ostream& out) {
  out << fmt::format("t = {} s, beside a reference of {} digits\n", time.t, time.reference_digits);
  std::vector<std::vector<std::string>> rows;
  for (const auto& [name, error] : time.errors)
    rows.push_back(
        {name, brief(error), fmt::format("{} of these digits tell it", time.digits_used.at(name))});
  constexpr std::size_t most_shown = 60;
  for (const ScoredColumn& column : time.columns) {
    if (rows.size() == most_shown) {
      rows.push_back({"...", "--json has the others", ""});
      break;
    }
    rows.push_back({column.name, brief(column.error), column.unit});
  }
  out << columns(rows);
}

/// Of many times the errors, and all of the last one.
void print_times(const std::vector<ScoredTime>& times, std::ostream& out) {
  constexpr std::size_t most_in_full = 3, most_shown = 60;
  if (times.size() <= most_in_full) {
    for (const ScoredTime& time : times) print_time(time, out);
    return;
  }
  std::vector<std::vector<std::string>> rows = {{"t"}};
  for (const auto& [name, error] : times.back().errors) rows[0].push_back(name);
  for (const ScoredTime& time : times) {
    if (rows.size() > most_shown) {
      rows.push_back({"...", "--json has the others"});
      break;
    }
    rows.push_back({brief(Expression::parse(time.t, "t").eval<double>())});
    for (const auto& [name, error] : times.back().errors)
      rows.back().push_back(time.errors.contains(name) ? brief(time.errors.at(name)) : "-");
  }
  out << columns(rows);
  print_time(times.back(), out);
}

void print_score(const Score& score, const ordered_json& cost, std::ostream& out) {
  out << fmt::format("{}, {}: {} rows from t = {:.10g} to {:.10g} s\n", score.problem,
                     score.formulation, score.rows, score.t_start, score.t_end);
  print_times(score.times, out);
  std::vector<std::vector<std::string>> rows;
  const StateNames names = state_names(problem_registry().make(score.problem));
  for (const auto& [name, value] : score.measures)
    rows.push_back({name, shown_value(name, value, score.measures), unit_of_measure(name, names)});
  if (!rows.empty())
    out << "measures over all rows\n" << columns(rows) << work_note(score.measures);
  rows.clear();
  for (const NotJudged& what : score.not_judged) rows.push_back({what.what, what.why});
  if (!rows.empty()) out << "not judged\n" << columns(rows);
  rows.clear();
  for (const auto& [key, value] : cost.items()) rows.push_back({key, value.dump()});
  if (!rows.empty()) out << "cost, stated by the author\n" << columns(rows);
}

/// Several files, and their orders.
int score_files(const ScoreOptions& options, std::ostream& out, std::ostream& err) {
  if (!options.save.empty() || !options.cost.empty())
    throw BadInput("--save and --cost are for a single file; accepted: one file, or neither");
  std::vector<Score> scores;
  {
    const ProgressLine progress(err);
    for (const std::string& file : options.files) {
      ScoreRequest request = options.request;
      request.file = file;
      scores.push_back(score(request));
    }
  }
  const ScoreOrders orders(options.files, scores, options.h);
  if (options.json) {
    ordered_json all = ordered_json::array();
    for (const Score& one : scores) all.push_back(score_json(one, ordered_json::object()));
    out << ordered_json{{"files", all}, {"orders", orders.json()}}.dump(2) << "\n";
    return 0;
  }
  for (std::size_t i = 0; i < scores.size(); ++i) {
    out << options.files[i] << "\n";
    print_score(scores[i], ordered_json::object(), out);
  }
  orders.print(out);
  return 0;
}

int score_verb(const ScoreOptions& options, std::ostream& out, std::ostream& err) {
  if (options.files.size() > 1) return score_files(options, out, err);
  if (!options.h.empty())
    throw BadInput("--h is for the slopes between several files; accepted: two files or more");
  if (!options.save.empty() && !is_name(options.save))
    throw BadInput(fmt::format("--save {} is not accepted: letters, digits, _ and -",
                               in_quotes(options.save)));
  const ordered_json cost = read_cost(options.cost);
  const Score judged = [&] {
    const ProgressLine progress(err);
    ScoreRequest request = options.request;
    request.file = options.files.front();
    return score(request);
  }();
  ordered_json json = score_json(judged, cost);
  if (!options.save.empty()) {
    ordered_json kept = {{"name", options.save}};
    kept.update(json);
    write_if_changed(results_root() / "local" / (options.save + ".json"), kept.dump(1) + "\n");
  }
  if (options.json)
    out << json.dump(2) << "\n";
  else
    print_score(judged, cost, out);
  if (!options.save.empty() && !options.json)
    out << "kept as " << shown_result("local/" + options.save + ".json") << "\n";
  return 0;
}

}  // namespace

VerbAction declare_score(OptionSet& app) {
  auto options = std::make_shared<ScoreOptions>();
  app.add_option(
         "trajectory", options->files, "TRAJECTORY.csv...",
         "times and named columns, as `run --trajectory` writes them, any of them; of bodies "
         "also BODY.x, y, z (or theta) of the mass centre, BODY.vx, vy, vz (omega), "
         "BODY.e0, e1, e2, e3, the quaternion from the body's to the fixed frame, scalar "
         "first, and BODY.wx, wy, wz, the angular velocity in the fixed frame; der(NAME) "
         "is a rate; several files give ratios and slopes")
      ->required();
  app.add_option(
      "--h", options->h, "H,H,...",
      "step size of each of several files; default: that of a line \"# h = 1/100\" before "
      "the header, else the spacing of rows");
  app.add_option("--problem", options->request.problem, "P",
                 "a problem, with arguments where it takes some")
      ->required();
  app.add_option("--formulation", options->request.formulation, "F",
                 "whose coordinates the columns are, default index1; minimal has its own");
  app.add_option("--tolerance", options->request.tolerance, "TOL",
                 "largest violation of a constraint by a state, default 0.1")
      ->positive();
  app.add_option("--cost", options->cost, "KEY=VALUE,...",
                 "what the run took, as its author states it; shown, never ranked");
  app.add_option("--save", options->save, "NAME", "keep the result as results/local/NAME.json");
  add_json_flag(app, options->json);
  return [options](std::ostream& out, std::ostream& err) { return score_verb(*options, out, err); };
}

}  // namespace daemark
