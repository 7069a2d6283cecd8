#include "experiments/cli/reference_proofs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/enclosure/proof_file.hpp"
#include "analysis/enclosure/proved_reference.hpp"
#include "analysis/reference/reference_store.hpp"
#include "base/program/paths.hpp"
#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/cli/common_options.hpp"
#include "experiments/cli/report.hpp"
#include "experiments/terminal/progress_line.hpp"

namespace daemark {
namespace {

constexpr int checked_digits = 20;
constexpr int most_checked_steps = 8000;  // a few minutes

Report report_of(const ProvedState& state, const StateNames& names) {
  constexpr int guard_digits = 2;
  Report report;
  report.say(fmt::format("t = {}: {} digits proved, in {} steps of order {} with {} bits; {} digits "
                         "were lost on the way",
                         state.t, state.digits, state.steps, state.order, state.bits,
                         state.digits_lost));
  report.set("t", state.t);
  ReportRows rows({{"", ""}, {"", ""}, {"", ""}});
  Report::Json radii = Report::Json::object();
  const auto add = [&](const char* key, const std::vector<std::string>& name,
                       const std::vector<RealBall>& balls) {
    Report::Json centres = Report::Json::array(), widths = Report::Json::array();
    for (std::size_t i = 0; i < balls.size(); ++i) {
      const auto [centre, radius] = ball_texts(balls[i], state.digits + guard_digits);
      rows.add({name[i], centre, "± " + radius});
      centres.push_back(centre), widths.push_back(radius);
    }
    report.set(key, centres);
    radii[key] = widths;
  };
  add("q", names.q, state.q), add("v", names.v, state.v), add("lambda", names.lambda, state.lambda);
  report.set("radius", radii).set("proved_digits", state.digits);
  report.set("steps", state.steps).set("order", state.order).set("bits", state.bits);
  return report.set("digits_lost", state.digits_lost).rows("", "", rows);
}

std::vector<Expression> sorted(std::vector<Expression> times) {
  std::sort(times.begin(), times.end(), [](const Expression& a, const Expression& b) {
    return a.eval<real50>() < b.eval<real50>();
  });
  return times;
}

/// A committed state against its balls.
struct Checked {
  std::string found;
  bool contradicted = false;
  std::optional<ReferenceProof> proof;
};

Checked check(const PublishedState& known) {
  if (!known.is_current) return {"of another model"};
  const Problem problem = problem_registry().make(known.problem);
  const Expression time = Expression::parse(known.t, known.problem);
  const ReferenceState stored =
      reference_states(problem, {known.t}, standard_digits, false, false).front();
  try {
    const ProvedState state =
        proved_states(problem, {time}, checked_digits, most_checked_steps).front();
    if (!contains(state, stored.q, stored.v, stored.lambda, stored.agreed_digits))
      return {"CONTRADICTED: the stored state is outside the proved balls", true};
    return {fmt::format("{} digits proved", state.digits), false,
            ReferenceProof{known.problem, known.t, reference_digest(known.problem, known.t),
                           state.digits, state.steps, state.order, static_cast<int>(state.bits)}};
  } catch (const EnclosureFailure& failure) {
    return {std::string("no proof: ") + failure.what()};
  }
}

}  // namespace

int prove_states(const std::string& name, const std::string& times, int digits, bool as_json,
                 std::ostream& out, std::ostream& err) {
  const Problem problem = problem_registry().make(name);
  const StateNames names = state_names(problem);
  const std::vector<Expression> at = sorted(read_numbers(times, "--t"));
  std::vector<std::string> texts;
  for (const Expression& t : at) texts.push_back(t.text());
  check_reference(problem, texts, digits);
  Report::Json list = Report::Json::array();
  int status = 0;
  try {
    const ProgressLine progress(err, fmt::format("{}, proof", name));
    for (const ProvedState& state : proved_states(problem, at, digits)) {
      const Report report = report_of(state, names);
      if (as_json)
        list.push_back(report.json);
      else
        out << report.text;
      if (state.digits >= digits) continue;
      err << fmt::format("daemark reference: t = {}: {} digits are proved, {} were asked for\n",
                         state.t, state.digits, digits);
      status = 1;
    }
  } catch (const EnclosureFailure& failure) {
    err << fmt::format("daemark reference: {}: no proof: {}\n", name, failure.what());
    return 1;
  }
  if (as_json) out << list.dump(2) << "\n";
  return status;
}

int check_references(bool as_json, std::ostream& out, std::ostream& err) {
  require_writable(results_root());
  Report::Json list = Report::Json::array();
  int status = 0;
  const std::vector<PublishedState> all = published_references();
  ProgressParts parts(std::vector<double>(all.size(), 1.0));
  for (const PublishedState& known : all) {
    const ProgressShare share = parts.next();
    const Checked checked = [&] {
      const ProgressLine progress(err, fmt::format("{} at t = {}", known.problem, known.t));
      return check(known);
    }();
    if (checked.contradicted) status = 1;
    if (checked.proof) {
      const FileLock lock = lock_results(results_root(), "daemark reference", err);
      write_reference_proofs({*checked.proof});
    }
    if (as_json)
      list.push_back({{"problem", known.problem}, {"t", known.t}, {"state", checked.found}});
    else
      out << fmt::format("{}, t = {}: {}\n", known.problem, known.t, checked.found) << std::flush;
  }
  if (as_json) out << list.dump(2) << "\n";
  return status;
}

}  // namespace daemark
