// daemark reference
#include "analysis/reference/reference.hpp"

#include <fmt/format.h>

#include <ostream>

#include "analysis/reference/reference_store.hpp"
#include "base/program/paths.hpp"
#include "base/program/progress.hpp"
#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/cli/common_options.hpp"
#include "experiments/cli/reference_proofs.hpp"
#include "experiments/cli/verb.hpp"
#include "experiments/terminal/progress_line.hpp"

namespace daemark {
namespace {

struct ReferenceOptions {
  std::string problem, times, proof, sensitivity;
  StartOptions start;
  int digits = 30;
  bool stored = false, publish = false, refresh = false;
  bool proved = false, check = false, published = false;
};

/// Two digits beyond those the routes agree on, as the stored files have.
std::vector<std::string> texts(const std::vector<real50>& values, int agreed_digits) {
  constexpr int guard_digits = 2;
  std::vector<std::string> out;
  for (const real50& value : values) out.push_back(value.str(agreed_digits + guard_digits));
  return out;
}

Report report_of(const ReferenceState& state, const StateNames& names) {
  Report report;
  report.say(fmt::format("t = {}: {} digits agree between {} and {}", state.t, state.agreed_digits,
                         state.first_route, state.second_route));
  report.set("t", state.t);
  const auto add = [&](const char* key, const std::vector<std::string>& name,
                       const std::vector<real50>& values) {
    const std::vector<std::string> digits = texts(values, state.agreed_digits);
    report.set(key, digits);
    return std::pair(name, digits);
  };
  ReportRows rows({{"", ""}, {"", ""}});
  for (const auto& [name, digits] : {add("q", names.q, state.q), add("v", names.v, state.v),
                                     add("lambda", names.lambda, state.lambda)})
    for (std::size_t i = 0; i < digits.size(); ++i) rows.add({name[i], digits[i]});
  report.set("agreed_digits", state.agreed_digits);
  const auto routes = Report::Json::array({state.first_route, state.second_route});
  return report.set("routes", routes).rows("", "", rows);
}

/// Of the motions to these times.
std::vector<double> lengths(const Problem& problem, const std::vector<std::string>& times) {
  std::vector<double> all;
  for (const std::string& t : times)
    all.push_back(Expression::parse(t, "--t").eval<double>() - problem.start.eval<double>());
  return all;
}

Report asked_for(const ReferenceOptions& options, std::ostream& out, std::ostream& err) {
  const Problem problem = problem_registry().make(options.problem);
  const StateNames names = state_names(problem);
  std::vector<std::string> times;
  for (const Expression& t : read_numbers(options.times, "--t")) times.push_back(t.text());
  Report report;
  check_reference(problem, times, options.digits);
  if (options.publish) {
    if (!problem_registry().info(parse_call(options.problem, "problem").id).of_catalogue)
      throw BadInput("--publish: of the catalogue's problems, not of " + options.problem +
                     ", which a file declares or which begins at --init");
    require_writable(results_root());
  }
  ProgressParts parts(lengths(problem, times));
  for (std::size_t i = 0; i < times.size(); ++i) {  // each is shown as soon as it is known
    const ProgressShare share = parts.next();
    const ReferenceState state = [&] {
      const ProgressLine progress(err, fmt::format("{} at t = {} ({} of {})", options.problem,
                                                   times[i], i + 1, times.size()));
      return options.stored || options.publish
                 ? reference_states(problem, {times[i]}, options.digits, !options.stored).front()
                 : fresh_reference(problem, times[i], options.digits);
    }();
    report.add(report_of(state, names), out);
    if (state.agreed_digits >= options.digits) continue;
    err << fmt::format(
        "daemark reference: t = {}: the routes agree on {} digits, {} were requested\n", state.t,
        state.agreed_digits, options.digits);
    report.status = 1;
  }
  if (options.publish) {
    const FileLock lock = lock_results(results_root(), "daemark reference", err);
    publish_reference(options.problem, times);
  }
  return report;
}

/// Derivatives in the place of states.
Report sensitivities_asked_for(const ReferenceOptions& options, std::ostream& err) {
  const Problem problem = problem_registry().make(options.problem);
  Report report;
  const int digits = [&] {
    const ProgressLine progress(err, problem.name);
    return add_sensitivities(problem, options.sensitivity, read_numbers(options.times, "--t"),
                             report);
  }();
  if (digits >= options.digits) return report;
  err << fmt::format("daemark reference: the routes agree on {} digits, {} were requested\n",
                     digits, options.digits);
  report.status = 1;
  return report;
}

/// Every committed state anew; those of another version of the model are replaced.
Report refresh(std::ostream& out, std::ostream& err) {
  require_writable(results_root());
  Report report;
  report.json = Report::Json::array();
  const std::vector<PublishedState> all = published_references();
  ProgressParts parts(std::vector<double>(all.size(), 1.0));
  for (const PublishedState& known : all) {
    const ProgressShare share = parts.next();
    std::string found = known.is_current ? "as stored" : "of another model, replaced";
    try {
      const ProgressLine progress(err, fmt::format("{} at t = {}", known.problem, known.t));
      reference_states(problem_registry().make(known.problem), {known.t}, standard_digits, true);
      const FileLock lock = lock_results(results_root(), "daemark reference", err);
      publish_reference(known.problem, {known.t});
    } catch (const std::runtime_error& failure) {  // Contradiction, NoReference, a call of old
      found = failure.what();
      report.status = 1;
    }
    report.add(report_of_state(known.problem, known.t, found), out);
  }
  return report;
}

Report reference_verb(const ReferenceOptions& options, std::ostream& out, std::ostream& err) {
  if (options.refresh) return refresh(out, err);
  if (options.check) return check_references(options.problem, out, err);
  if (!options.proof.empty()) return check_proof_file(options.proof, err);
  if (options.published) return judge_published_references(err);
  if (options.problem.empty())
    throw BadInput(
        "a problem is missing; accepted: P --t T[,T...], or --refresh, --check, --published or "
        "--proof FILE.json alone");
  if (options.times.empty()) throw BadInput("--t is missing; accepted: --t T[,T...]");
  const GivenStart start(options.start, options.problem, "reference", err);
  if (!options.sensitivity.empty()) return sensitivities_asked_for(options, err);
  if (options.proved) return prove_states(options.problem, options.times, options.digits, out, err);
  return asked_for(options, out, err);
}

void declare(OptionSet& app, ReferenceOptions& options) {
  app.add_option("problem", options.problem, "P", a_problem);
  app.add_option("--t", options.times, "T[,T...]", "times [s], exact numbers separated by commas");
  app.add_option("--digits", options.digits, "N", "significant digits, default 30");
  add_start_options(app, options.start);
  app.add_flag("--stored", options.stored,
               "take states stored under results/references/ instead of computing them again");
  app.add_flag("--publish", options.publish,
               "store the states under results/references/, which is committed");
  app.add_flag("--proved", options.proved,
               "balls that are proved to contain the exact solution, in place of two routes")
      ->excludes("--stored")
      ->excludes("--publish");
  app.add_option(
         "--sensitivity", options.sensitivity, "PARAM,...",
         "show derivatives of the state by numbers of the problem's data in place of the state")
      ->excludes("--stored")
      ->excludes("--publish")
      ->excludes("--proved")
      ->excludes("--init");
  const std::vector<std::pair<const char*, Option*>> alone = {
      {"--refresh",
       app.add_flag(
           "--refresh", options.refresh,
           "recompute every committed state and compare; replace those of a changed model")},
      {"--check",
       app.add_flag("--check", options.check,
                    "prove the committed states of P, or all, anew; a second enclosure checks the "
                    "proofs, which go to results/references/proofs")},
      {"--published",
       app.add_flag("--published", options.published,
                    "judge reference solutions that public files print by proved ones")},
      {"--proof", app.add_option("--proof", options.proof, "FILE.json",
                                 "check this proof by a second enclosure")}};
  for (std::size_t i = 0; i < alone.size(); ++i) {
    const auto& [name, option] = alone[i];
    if (name != std::string("--check")) option->excludes("problem");
    for (const char* other :
         {"--t", "--digits", "--stored", "--publish", "--proved", "--sensitivity", "--init"})
      option->excludes(other);
    for (std::size_t j = 0; j < i; ++j) option->excludes(alone[j].first);
  }
}

}  // namespace

void register_reference(Verbs& verbs) {
  verbs.add<ReferenceOptions>(
      {"reference", VerbGroup::run,
       "a state by two independent routes, with the digits on which they agree",
       "daemark reference two_link --t 1,10 --digits 30"},
      declare, reference_verb);
}

}  // namespace daemark
