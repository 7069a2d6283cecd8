// daemark advise: method, formulation and step for a mechanism and an accuracy.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ostream>

#include "analysis/reference/reference.hpp"
#include "analysis/run/run.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/advice/advice.hpp"
#include "experiments/cells/support/integration.hpp"
#include "experiments/cli/common_options.hpp"
#include "experiments/cli/verb.hpp"
#include "experiments/compare/compare_field.hpp"
#include "experiments/terminal/progress_line.hpp"
#include "problems/system/registry.hpp"

namespace daemark {
namespace {

struct AdviseOptions {
  std::string problem, accuracy = "1e-4", what = "q", t_end;
  double seconds = 20;
  StartOptions start;
};

AdviceRequest request_of(const AdviseOptions& options) {
  AdviceRequest request;
  const Problem problem = problem_registry().make(options.problem);
  request.problem = problem.name;
  request.accuracy = Expression::parse(options.accuracy, "--accuracy").eval<double>();
  if (!(request.accuracy >= 1e-11 && request.accuracy <= 0.1))
    throw BadInput(fmt::format(
        "--accuracy: {}, accepted: from 1e-11 to 0.1, relative to the motion", options.accuracy));
  const auto part = std::find(motion_parts.begin(), motion_parts.end(), options.what);
  if (part == motion_parts.end())
    throw BadInput(fmt::format("--what: {}, accepted: q, v, lambda", options.what));
  request.part = static_cast<int>(part - motion_parts.begin());
  request.t_end = options.t_end.empty() ? assumed_motion(problem).t_end
                                        : read_time(options.t_end, "--t-end").text();
  request.seconds = options.seconds;
  return request;
}

std::string size_text(const Trial& trial) {
  return trial.reached ? (trial.controlled ? "tolerance " : "h = ") + trial.size : "-";
}

std::string command_of(const Trial& trial) {
  return integration_command(trial.cell) + file_options();
}

Report report_of(const AdviceRequest& request, const Advice& advice) {
  Report report;
  report.set("problem", request.problem).set("t_end", request.t_end);
  report.set("accuracy", request.accuracy).set("what", motion_parts[request.part]);
  report.set("judged_by", advice.routes).set("uncertainty", advice.uncertainty);
  report.set("scale", advice.way);
  report.say(fmt::format("{}: {} to {:g} of the motion ({:.3g}) at t = {} s", request.problem,
                         motion_parts[request.part], request.accuracy, advice.way, request.t_end));
  if (advice.trials.empty() || !advice.trials.front().reached) {
    report.say("no candidate reaches it in this time; try a longer --seconds");
    report.status = 1;
  } else {
    const Trial& best = advice.trials.front();
    report.set("command", command_of(best));
    report.say(
        fmt::format("take {} on {}, {}: error {:.1e}, {:.3g} ms ({:.3g} at most of three)\n  {}",
                    best.name, best.cell.formulation, size_text(best), best.error,
                    best.seconds * 1e3, best.slowest * 1e3, command_of(best)));
  }
  ReportRows rows({{"method", "method"},
                   {"formulation", "formulation"},
                   {"size", "step or tolerance"},
                   {"error", "error", "{:.1e}"},
                   {"milliseconds", "ms", "{:.3g}"},
                   {"evaluations", "evaluations"},
                   {"from", "from"},
                   {"outcome", ""}});
  for (const Trial& trial : advice.trials)
    rows.add({trial.name, trial.cell.formulation, size_text(trial), trial.error,
              trial.seconds * 1e3, trial.evaluations, trial.popular ? "popular" : "atlas",
              trial.reached          ? ""
              : trial.status == "ok" ? "not reached"
                                     : trial.status});
  report.rows("candidates", "", rows);
  return report.say(fmt::format("judged by {}, which agree to {:.1e}",
                                fmt::join(advice.routes, " and "), advice.uncertainty));
}

Report advise_verb(const AdviseOptions& options, std::ostream&, std::ostream& err) {
  const GivenStart start(options.start, options.problem, "advise", err);
  const AdviceRequest request = request_of(options);
  try {
    const ProgressLine progress(err, request.problem);
    return report_of(request, advise(request));
  } catch (const NoReference& failure) {
    err << fmt::format("daemark advise: {}: {}\n", request.problem, failure.what());
    return Report::ended(1);
  }
}

void declare(OptionSet& app, AdviseOptions& options) {
  app.add_option("problem", options.problem, "P", a_problem)->required();
  app.add_option("--accuracy", options.accuracy, "E",
                 "error at the end, relative to the motion, default 1e-4");
  app.add_option("--what", options.what, "q|v|lambda", "whose error, default q");
  app.add_option("--t-end", options.t_end, "T",
                 "end of the motion [s], default 1 s after its start");
  app.add_option("--seconds", options.seconds, "S", "time for all trial runs, default 20")
      ->positive();
  add_start_options(app, options.start);
}

}  // namespace

void register_advise(Verbs& verbs) {
  verbs.add<AdviseOptions>({"advise", VerbGroup::run,
                            "method, formulation and step that take a mechanism to an accuracy",
                            "daemark advise two_link --accuracy 1e-4"},
                           declare, advise_verb);
}

}  // namespace daemark
