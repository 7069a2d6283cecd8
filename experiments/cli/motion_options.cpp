// Where a motion starts, until when its digits mean anything, and its sensitivities.
#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "analysis/run/run.hpp"
#include "analysis/variation/horizon.hpp"
#include "analysis/variation/sensitivity.hpp"
#include "base/input/strict_json.hpp"
#include "base/program/digest.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/shell_word.hpp"
#include "experiments/cli/common_options.hpp"
#include "problems/mechanism/other_start.hpp"

namespace daemark {
namespace {

std::vector<Expression> numbers_at(const nlohmann::json& object, const std::string& key,
                                   const std::string& file) {
  std::vector<Expression> numbers;
  for (const nlohmann::json& entry : get_array(object, key, file))
    numbers.push_back(
        to_expression(entry, fmt::format("{}, {} {}", file, key, numbers.size() + 1)));
  return numbers;
}

/// {"q": [...], "v": [...]}, exact expressions.
InitialState read_initial(const std::string& file) {
  const nlohmann::json object = parse_json_file(file);
  require_keys(object, file, {"q", "v"});
  return {numbers_at(object, "q", file), numbers_at(object, "v", file)};
}

/// Any run of the problem from the state, in the coordinates that it has.
BoundRun run_from(const InitialState& state, const Problem& problem) {
  RunRequest request;
  request.problem = problem.name, request.method = "radau_iia(2)";
  request.formulation = is_minimal_start(problem, state.q.size()) ? "minimal" : "index1";
  request.h = Expression(1);
  request.t_end = Expression::parse(fmt::format("({})+1", problem.start.text()), "start");
  if (problem.absolute.in_real50) request.precision = Precision::in_real50;
  request.initial = state;
  return {std::move(request), problem};
}

OtherStart numbers_of(const InitialState& state) {
  OtherStart start;
  for (const Expression& q : state.q) start.q.push_back(q.eval<wide>());
  for (const Expression& v : state.v) start.v.push_back(v.eval<wide>());
  return start;
}

InitialState projected(const BoundRun& run, const char* verb, std::ostream& err) {
  const ProjectedState projected = project_state(run);
  err << fmt::format(
      "daemark {}: --init projected: positions moved by {:.3g}, velocities by {:.3g} (they "
      "violated the constraints by {:.3g} and {:.3g})\n",
      verb, projected.moved_q, projected.moved_v, projected.position_before,
      projected.velocity_before);
  return projected.state;
}

std::string digest_of(const InitialState& state) {
  std::string text;
  for (const auto* part : {&state.q, &state.v})
    for (const Expression& x : *part) text += x.text() + "\n";
  return digest(text);
}

}  // namespace

void add_start_options(OptionSet& app, StartOptions& options) {
  app.add_option("--init", options.init, "FILE",
                 "the motion begins at the state of a file, JSON {\"q\":[...],\"v\":[...]} of "
                 "integers and exact expressions as strings: \"0.6\", \"1/3\"");
  app.add_flag(
         "--project", options.project,
         "project the state of --init onto the constraints (closest point in the mass metric)")
      ->needs("--init");
}

GivenStart::GivenStart(const StartOptions& options, const std::string& problem, const char* verb,
                       std::ostream& err) {
  if (options.init.empty()) return;
  InitialState state = read_initial(options.init);
  const Problem own = problem_registry().make(problem);
  starting_at(own, numbers_of(state));  // refuses other numbers of coordinates
  minimal_ = is_minimal_start(own, state.q.size());
  const BoundRun run = run_from(state, own);
  if (options.project)
    state = projected(run, verb, err);
  else
    with_scalar(run.request.precision, [&]<class S>() {
      BoundSystem<S> system(run);
      initial_state(run, system);
    });
  replaced_.emplace(
      parse_call(problem, "problem").id, digest_of(state),
      [start = numbers_of(state)](Problem of) { return starting_at(std::move(of), start); });
  add_file_option("--init " + shell_word(options.init) + (options.project ? " --project" : ""));
  state_ = std::move(state);
}

std::optional<InitialState> GivenStart::state_in(const std::string& formulation) const {
  if (minimal_ && !Formulation::parse(formulation).info.minimal) return std::nullopt;
  return state_;
}

std::string beyond_horizon(const Problem& problem, double t_end, double h) {
  constexpr int most_coordinates = 30;
  constexpr long most_work = 12000000;  // 0.2 to 0.5 s
  try {
    if (problem.make<double>()->coordinates() > most_coordinates) return "";
    const auto lost = horizon(problem, {t_end, h, false, most_work}).in_double(1);
    if (!lost) return "";
    return fmt::format(
        "t-end = {:.6g} s is beyond the horizon: round-off in double takes the first digit of this "
        "motion at t = {:.4g} s (daemark horizon '{}')",
        t_end, *lost, problem.name);
  } catch (const BadInput&) {  // no motion that can be followed
    return "";
  }
}

int add_sensitivities(const Problem& problem, const std::string& parameters,
                      const std::vector<Expression>& times, Report& report) {
  const StateNames names = state_names(problem);
  Report::Json list = Report::Json::array();
  int least = 1000;
  for (const std::string& parameter : read_calls(parameters))
    for (const Sensitivity& found : sensitivities(problem, parameter, times)) {
      constexpr int guard_digits = 2;
      ReportRows rows({{"", ""}, {"", ""}, {"", ""}});
      Report::Json entry = {{"parameter", found.parameter},
                            {"unit", found.unit},
                            {"t", found.t},
                            {"agreed_digits", found.agreed_digits}};
      const auto add = [&](const char* key, const std::vector<real50>& values,
                           const std::vector<std::string>& of,
                           const std::vector<std::string>& units) {
        Report::Json texts = Report::Json::array();
        for (std::size_t i = 0; i < values.size(); ++i) {
          const std::string text = values[i].str(std::max(found.agreed_digits, 1) + guard_digits);
          texts.push_back(text);
          rows.add({of[i], text, fmt::format("[{} per {}]", units[i], found.unit)});
        }
        entry[key] = texts;
      };
      add("q", found.derivative.q, names.q, names.q_units);
      add("v", found.derivative.v, names.v, names.v_units);
      add("lambda", found.derivative.lambda, names.lambda, names.lambda_units);
      report.rows("",
                  fmt::format("d/d{} at t = {}: {} digits agree between the variational equations "
                              "and differences of motions",
                              found.parameter, found.t, found.agreed_digits),
                  rows);
      least = std::min(least, found.agreed_digits);
      list.push_back(entry);
    }
  report.set("sensitivities", list);
  return least;
}

}  // namespace daemark
