// daemark score
#include "analysis/run/score.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <ostream>

#include "analysis/enclosure/proof_file.hpp"
#include "base/numbers/expression.hpp"
#include "base/program/paths.hpp"
#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/printable.hpp"
#include "experiments/cli/common_options.hpp"
#include "experiments/cli/verb.hpp"
#include "experiments/terminal/progress_line.hpp"
#include "experiments/terminal/text.hpp"

namespace daemark {
namespace {

using Json = Report::Json;

struct ScoreOptions {
  ScoreRequest request;
  std::vector<std::string> files;
  std::string cost, save, h;
  StartOptions start;
};

bool is_name(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '-';
  });
}

/// "evaluations=120,seconds=0.5": numbers of the author's.
Json read_cost(const std::string& text) {
  Json cost = Json::object();
  if (text.empty()) return cost;
  for (const std::string& entry : read_calls(text)) {
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

constexpr std::size_t most_shown = 60;

/// Its text is cut where it is long; the JSON value has everything.
Report report_of(const std::string& problem, const ScoredTime& time) {
  Report report;
  const std::string standing = reference_standing(problem, time.t, time.reference_digits);
  report.say(fmt::format("t = {} s, against a reference {}", time.t, standing));
  ReportRows shown({{"", ""}, {"", ""}, {"", ""}});
  for (const auto& [name, error] : time.errors)
    shown.add(
        {name, brief(error), fmt::format("{} of these digits tell it", time.digits_used.at(name))});
  ReportRows columns({{"name"}, {"unit"}, {"value"}, {"reference"}, {"error"}});
  for (const ScoredColumn& column : time.columns) {
    columns.add({column.name, column.unit, column.value, column.reference, column.error});
    const std::size_t count = columns.size() + time.errors.size();
    if (count <= most_shown)
      shown.add({column.name, brief(column.error), column.unit});
    else if (count == most_shown + 1)
      shown.add({"...", "--json has the others", ""});
  }
  report.set("t", time.t).set("reference_digits", time.reference_digits);
  report.set("reference", standing);
  report.set("errors", time.errors).set("digits_used", time.digits_used);
  return report.set("columns", columns.objects()).rows("", "", shown);
}

/// Of a few times everything; of many the errors, and everything of the last one.
void add_times(const std::string& problem, const std::vector<ScoredTime>& times, Report& report) {
  constexpr std::size_t most_in_full = 3;
  Json all = Json::array();
  std::string text;
  for (const ScoredTime& time : times) {
    const Report one = report_of(problem, time);
    all.push_back(one.json);
    text = times.size() <= most_in_full ? text + one.text : one.text;
  }
  report.set("times", all);
  if (times.size() > most_in_full) {
    std::vector<Column> columns = {{"", "t"}};
    for (const auto& [name, error] : times.back().errors) columns.push_back({"", name});
    ReportRows rows(columns);
    for (const ScoredTime& time : times) {
      if (rows.size() == most_shown) break;
      std::vector<Json> row = {Expression::parse(time.t, "t").eval<double>()};
      for (const auto& [name, error] : times.back().errors)
        row.push_back(time.errors.contains(name) ? Json(time.errors.at(name)) : Json(nullptr));
      rows.add(row);
    }
    report.say(rows.text());
    if (times.size() > most_shown) report.say("  ...  --json has the others");
  }
  report.say(text);
}

Report report_of(const Score& score, const Json& cost) {
  Report report;
  report.say(fmt::format("{}, {}: {} rows from t = {:.10g} to {:.10g} s", score.problem,
                         score.formulation, score.rows, score.t_start, score.t_end));
  report.set("problem", score.problem).set("formulation", score.formulation);
  report.set("rows", score.rows).set("t_start", score.t_start).set("t_end", score.t_end);
  add_times(score.problem, score.times, report);
  const StateNames names = state_names(problem_registry().make(score.problem));
  ReportRows measures({{"", ""}, {"", ""}, {"", ""}});
  for (const auto& [name, value] : score.measures)
    measures.add({name, shown_value(name, value, score.measures), unit_of_measure(name, names)});
  ReportRows not_judged({{"what"}, {"why"}});
  for (const NotJudged& what : score.not_judged) not_judged.add({what.what, what.why});
  report.set("measures", score.measures).rows("", "measures over all rows", measures);
  if (!measures.empty()) report.say(work_note(score.measures));
  report.rows("not_judged", "not judged", not_judged);
  return cost.empty() ? report : report.pairs("cost", "cost, stated by the author", cost);
}

/// Of the file's header, else the spacing of its rows; 0 with a single row.
double step_of(const Score& score) {
  if (score.h > 0) return score.h;
  return score.rows > 1 ? (score.t_end - score.t_start) / static_cast<double>(score.rows - 1) : 0;
}

double error_in(const ScoredTime& time, const std::string& name) {
  if (const auto found = time.errors.find(name); found != time.errors.end()) return found->second;
  for (const ScoredColumn& column : time.columns)
    if (column.name == name) return column.error;
  return missing;
}

/// The step sizes of several files, checked. Throws BadInput.
std::vector<double> steps_of(const std::vector<std::string>& files,
                             const std::vector<Score>& scores, const std::string& steps) {
  std::vector<double> h;
  if (!steps.empty())
    for (const Expression& step : read_numbers(steps, "--h")) h.push_back(step.eval<double>());
  if (steps.empty())
    for (const Score& score : scores) h.push_back(step_of(score));
  if (h.size() != files.size())
    throw BadInput(fmt::format("--h states {} step sizes for {} files; accepted: one a file",
                               h.size(), files.size()));
  for (std::size_t i = 0; i < h.size(); ++i)
    if (!(h[i] > 0) || (i > 0 && h[i] == h[i - 1]))
      throw BadInput(
          fmt::format("the step size of {} is {:g}; accepted: --h with one a file, > 0 and "
                      "not that of the file before",
                      printable(files[i], 200), h[i]));
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (scores[i].times.empty())
      throw BadInput(fmt::format("{}: no reference at its last time", printable(files[i], 200)));
    if (scores[i].times.back().t != scores[0].times.back().t)
      throw BadInput(fmt::format("{} ends at t = {}, {} at {}; accepted: files that end together",
                                 printable(files[0], 200), scores[0].times.back().t,
                                 printable(files[i], 200), scores[i].times.back().t));
  }
  return h;
}

/// Orders of accuracy: the errors at the last time of several files, their ratios and slopes.
Report orders_of(const std::vector<std::string>& files, const std::vector<Score>& scores,
                 const std::string& steps) {
  const std::vector<double> h = steps_of(files, scores, steps);
  const ScoredTime& last = scores[0].times.back();
  Json quantities = Json::object();
  const auto add = [&](const std::string& name) {
    std::vector<double> errors, ratios, slopes;
    for (const Score& score : scores) errors.push_back(error_in(score.times.back(), name));
    for (std::size_t i = 1; i < h.size(); ++i) {
      const double ratio = errors[i - 1] / errors[i];
      ratios.push_back(std::isfinite(ratio) ? ratio : missing);
      slopes.push_back(std::isfinite(ratio) && ratio > 0
                           ? std::log(ratio) / std::log(h[i - 1] / h[i])
                           : missing);
    }
    quantities[name] = {{"errors", errors}, {"ratios", ratios}, {"slopes", slopes}};
  };
  for (const auto& [name, error] : last.errors) add(name);
  for (const ScoredColumn& column : last.columns) add(column.name);
  const char* const h_from = steps.empty() ? "headers or spacing of rows" : "--h";
  Report report;
  report.set("t", last.t).set("files", files).set("h", h).set("h_from", h_from);
  report.set("errors", quantities);
  ReportRows list({{"", ""}, {"", ""}});
  for (std::size_t i = 0; i < files.size(); ++i) list.add({files[i], "h = " + brief(h[i])});
  report.rows("", fmt::format("errors at t = {} s; h from {}", last.t, h_from), list);
  for (const auto& [key, title] :
       {std::pair("errors", "errors"), std::pair("ratios", "ratios, each file to the next"),
        std::pair("slopes", "slopes")}) {
    ReportRows rows(std::vector<Column>(files.size() + 1));
    for (const auto& [name, values] : quantities.items()) {
      std::vector<Json> row = {name};
      for (const Json& value : values.at(key)) row.push_back(value);
      rows.add(row);
    }
    report.rows("", title, rows);
  }
  return report;
}

/// Several files, and their orders.
Report score_files(const ScoreOptions& options, std::ostream& err) {
  std::vector<Score> scores;
  {
    const ProgressLine progress(err);
    for (const std::string& file : options.files) {
      ScoreRequest request = options.request;
      request.file = file;
      scores.push_back(score(request));
    }
  }
  const Report orders = orders_of(options.files, scores, options.h);
  Report report;
  report.set("files", Json::array());
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const Report one = report_of(scores[i], Json::object());
    report.json["files"].push_back(one.json);
    report.say(options.files[i]).say(one.text);
  }
  return report.set("orders", orders.json).say(orders.text);
}

Report score_verb(const ScoreOptions& options, std::ostream&, std::ostream& err) {
  const GivenStart start(options.start, options.request.problem, "score", err);
  if (options.files.size() > 1) {
    if (!options.save.empty() || !options.cost.empty())
      throw BadInput("--save and --cost are for a single file; accepted: one file, or neither");
    return score_files(options, err);
  }
  if (!options.h.empty())
    throw BadInput("--h is for the slopes between several files; accepted: two files or more");
  if (!options.save.empty() && !is_name(options.save))
    throw BadInput(fmt::format("--save {} is not accepted: letters, digits, _ and -",
                               in_quotes(options.save)));
  const Json cost = read_cost(options.cost);
  const Score judged = [&] {
    const ProgressLine progress(err);
    ScoreRequest request = options.request;
    request.file = options.files.front();
    return score(request);
  }();
  Report report = report_of(judged, cost);
  const std::string beyond =
      beyond_horizon(problem_registry().make(judged.problem), judged.t_end, step_of(judged));
  if (!beyond.empty()) err << fmt::format("daemark score: warning: {}\n", beyond);
  if (options.save.empty()) return report;
  Json kept = {{"name", options.save}};
  kept.update(report.json);
  const std::string file = "local/" + options.save + ".json";
  write_if_changed(results_root() / file, kept.dump(1) + "\n");
  return report.say("kept as " + shown_result(file));
}

void declare(OptionSet& app, ScoreOptions& options) {
  app.add_option(
         "trajectory", options.files, "TRAJECTORY.csv...",
         "times and named columns, as `run --trajectory` writes them, any of them; of bodies "
         "also BODY.x, y, z (or theta) of the mass centre, BODY.vx, vy, vz (omega), "
         "BODY.e0, e1, e2, e3, the quaternion from the body's to the fixed frame, scalar "
         "first, and BODY.wx, wy, wz, the angular velocity in the fixed frame; der(NAME) "
         "is a rate; several files give ratios and slopes")
      ->required();
  app.add_option("--h", options.h, "H,H,...",
                 "step size of each of several files; default: that of a line \"# h = 1/100\" "
                 "before the header, else the spacing of rows");
  app.add_option("--problem", options.request.problem, "P", a_problem)->required();
  app.add_option(
      "--formulation", options.request.formulation, "F",
      "whose coordinates the columns contain, default index1; minimal has other coordinates");
  app.add_option("--tolerance", options.request.tolerance, "TOL",
                 "largest constraint violation accepted in a state, default 0.1")
      ->positive();
  add_start_options(app, options.start);
  app.add_option("--cost", options.cost, "KEY=VALUE,...",
                 "cost of the run as stated by its author; shown, never ranked");
  app.add_option("--save", options.save, "NAME", "keep the result as results/local/NAME.json")
      ->excludes("--init");  // `compare --with` takes it for the problem's own motion
}

}  // namespace

void register_score(Verbs& verbs) {
  verbs.add<ScoreOptions>(
      {"score", VerbGroup::run,
       "judges a trajectory of any program against references, by energy and constraints",
       "daemark score motion.csv --problem two_link"},
      declare, score_verb);
}

}  // namespace daemark
