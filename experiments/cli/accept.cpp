// daemark accept: the acceptance kit on one method.
#include "experiments/accept/accept.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/program/paths.hpp"
#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/printable.hpp"
#include "base/text/shell_word.hpp"
#include "experiments/cli/common_options.hpp"
#include "experiments/cli/verb.hpp"
#include "experiments/engine/run/study.hpp"
#include "methods/external/program.hpp"

namespace daemark {
namespace {

struct AcceptOptions {
  AcceptRequest request;
  std::vector<std::string> settings;
  std::string only, junit, html;
  int order = 0;
  unsigned jobs = 0;
};

/// A path, or the name of a joined program, is that program.
std::string method_of(const std::string& typed) {
  const std::string ending = std::filesystem::path(typed).extension();
  if (ending == ".so" || ending == ".c")
    throw BadInput(fmt::format("{}: accepted: the name it has by daemark join NAME={}",
                               in_quotes(typed), printable(typed)));
  const std::vector<std::string> joined = joined_names();
  const bool is_program = typed.find('(') == std::string::npos &&
                          (typed.find('/') != std::string::npos ||
                           (!method_registry().has(typed) &&
                            std::find(joined.begin(), joined.end(), typed) != joined.end()));
  return is_program ? "program(" + typed + ")" : typed;
}

AcceptRequest accept_request(const AcceptOptions& options) {
  AcceptRequest request = options.request;
  request.settings = read_settings(options.settings);
  if (!options.only.empty()) request.only = read_calls(options.only);
  if (options.order > 0) request.order = options.order;
  const Expression tol = read_time(request.tol, "--tol");
  request.tol = tol.text();
  if (request.settings.contains("control.tol"))
    throw BadInput("--set control.tol: the kit chooses tolerances; accepted: --tol");
  return request;
}

std::string command_of(const AcceptOptions& options) {
  std::string command = "daemark accept " + shell_word(options.request.method);
  if (!options.request.formulation.empty())
    command += " --formulation " + shell_word(options.request.formulation);
  for (const std::string& setting : options.settings) command += " --set " + shell_word(setting);
  if (!options.only.empty()) command += " --only " + shell_word(options.only);
  if (options.order > 0) command += fmt::format(" --order {}", options.order);
  return command + file_options();
}

Report report_of(const nlohmann::ordered_json& json, const AcceptReport& found) {
  Report report;
  report.say(fmt::format("{}, {}; expected {}", json.at("method").get<std::string>(),
                         json.at("formulation").get<std::string>(),
                         json.at("expected").get<std::string>()));
  ReportRows rows({{"id", "check"}, {"judgement", "result"}, {"question", "question"}});
  for (const CheckReport& check : found.checks)
    rows.add({check.check->id, name_of(check.judgement), check.check->question});
  report.say(rows.text());
  for (const CheckReport& check : found.checks) {
    if (check.judgement == Outcome::pass) continue;
    report.say(fmt::format("{}: {}: {}", check.check->id, name_of(check.judgement), check.cause));
    if (check.judgement != Outcome::fail) continue;
    for (const AcceptFinding& finding : check.findings)
      if (finding.judgement == Outcome::fail)
        report.say(fmt::format("    {}: {}", finding.mechanism, finding.seen));
  }
  report.say(json.at("verdict").get<std::string>());
  report.json = json;
  report.status = found.passed() ? 0 : 1;
  return report;
}

Report accept_verb(const AcceptOptions& given, std::ostream&, std::ostream& err) {
  AcceptOptions options = given;
  options.request.method = method_of(given.request.method);
  const AcceptSubject subject(accept_request(options));
  warn_of_defects("accept", {options.request.method}, err);
  constexpr double limit = 20;  // [s] of a cell
  Study study(
      catalogue_services(),
      {.command = "accept", .results = results_root(), .jobs = options.jobs, .time_limit = limit});
  std::optional<int> ends;
  const auto found = accept(subject, [&](AcceptRuns& runs) {
    const RunnerReport done = study.run(runs.open());
    if (!done.refused.empty()) throw BadInput(done.refused.begin()->second);
    study.cache_failure().raise();
    ends = study.ends();
    runs.take(done.results);
    return !ends;
  });
  if (!found) return Report::ended(*ends);
  const nlohmann::ordered_json json = accept_json(subject, *found);
  if (!options.junit.empty()) write_if_changed(options.junit, accept_junit(json));
  if (!options.html.empty()) write_if_changed(options.html, accept_page(json, command_of(options)));
  return report_of(json, *found);
}

void declare(OptionSet& app, AcceptOptions& options) {
  app.add_option("method", options.request.method, "M",
                 "a method, or a program: a path, or the name of a joined one")
      ->required();
  app.add_option(
      "--formulation", options.request.formulation, "F",
      "default: of index1, index2, index3, minimal the one with most mechanisms the method takes");
  app.add_option("--set", options.settings, "KEY=VALUE", "a setting of every run (repeatable)")
      ->once();
  app.add_option("--tol", options.request.tol, "TOL",
                 "tolerance of the checks that use a single one, default 1e-6");
  app.add_option("--order", options.order, "N",
                 "expected order of q and v, where no theory is recorded")
      ->range(1, 30);
  app.add_option("--only", options.only, "CHECK,...", "only these checks");
  app.add_option("--junit", options.junit, "FILE.xml", "write the result as JUnit XML")
      ->ending({".xml"});
  app.add_option("--html", options.html, "FILE.html", "write a report page")->ending({".html"});
  add_jobs(app, options.jobs);
}

}  // namespace

void register_accept(Verbs& verbs) {
  verbs.add<AcceptOptions>(
      {"accept", VerbGroup::run,
       "tests a method on small mechanisms: orders, tolerances, drift, invariance, failures",
       "daemark accept 'radau_iia(3)' --formulation index2 --junit accept.xml"},
      declare, accept_verb);
}

}  // namespace daemark
