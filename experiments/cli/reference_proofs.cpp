#include "experiments/cli/reference_proofs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analysis/enclosure/proof_file.hpp"
#include "analysis/reference/reference_store.hpp"
#include "base/program/paths.hpp"
#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/cli/common_options.hpp"
#include "experiments/cli/report.hpp"
#include "experiments/field/published.hpp"
#include "experiments/terminal/progress_line.hpp"

namespace daemark {
namespace {

constexpr int checked_digits = 20;
constexpr double most_work = 2.5e6;  // steps × (2n)², a few minutes

Report report_of(const ProvedState& state, const StateNames& names) {
  constexpr int guard_digits = 2;
  Report report;
  report.say(
      fmt::format("t = {}: {} digits proved, in {} steps of order {} with {} bits; {} digits "
                  "were lost on the way",
                  state.t, state.digits, state.steps, state.order, state.bits, state.digits_lost));
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

/// The committed states of a problem, in the order of time, and what is found of each.
struct Checked {
  std::vector<Expression> times;
  std::map<std::string, std::string> found;  ///< by time
  bool failed = false;

  void all(const std::string& what) {
    for (const Expression& t : times) found.try_emplace(t.text(), what);
  }
};

/// As many states as can be reached: the last ones may be too far.
ProvedMotion first_states(const Problem& problem, std::vector<Expression> times) {
  const double size = 2 * problem.make<double>(false)->coordinates();
  const int most_steps = static_cast<int>(std::min(8000.0, most_work / (size * size)));
  std::string too_far;
  for (;; times.pop_back()) {
    ProvedMotion motion = proved_motion(problem, times, checked_digits, most_steps);
    if (too_far.empty()) too_far = motion.failure;
    if (motion.states.empty() && times.size() > 1) continue;
    motion.failure = too_far;
    return motion;
  }
}

void prove_anew(const std::string& name, Checked& checked, std::ostream& err) {
  const Problem problem = problem_registry().make(name);
  const ProvedMotion motion = first_states(problem, checked.times);
  std::vector<std::string> digests;
  for (const ProvedState& state : motion.states) {
    const ReferenceState stored =
        reference_states(problem, {state.t}, standard_digits, false, false).front();
    if (!contains(state, stored.q, stored.v, stored.lambda, stored.agreed_digits))
      throw Contradiction("CONTRADICTED: the stored state is outside the proved balls");
    digests.push_back(state_digest(name, state.t));
  }
  const ReferenceProof proof = written_proof(problem.name, motion, digests);
  const ProofCheck second = motion.states.empty() ? ProofCheck() : check_proof(proof);
  if (!second.refusal.empty())
    throw Contradiction("the check refuses the proof: " + second.refusal);
  for (const ProvedState& state : motion.states)
    checked.found[state.t] = fmt::format("{} digits proved in {} steps, and checked {}",
                                         state.digits, state.steps, second.means);
  checked.all("no proof: " + motion.failure);
  const FileLock lock = lock_results(results_root(), "daemark reference", err);
  write_proof(proof);
}

/// What fails is found too, so that nothing else is lost.
void check(const std::string& name, Checked& checked, std::ostream& err) {
  try {
    const ProgressLine progress(err, name);
    prove_anew(name, checked, err);
  } catch (const EnclosureFailure& failure) {
    checked.all(std::string("no proof: ") + failure.what());
  } catch (const std::runtime_error& failure) {
    checked.all(failure.what());
    checked.failed = true;
  }
}

Report report_of(const std::vector<PublishedReference>& all) {
  ReportRows rows({{"name", "reference"},
                   {"problem", "-"},
                   {"t", "t"},
                   {"digits", "printed"},
                   {"right", "right"},
                   {"first", "fails first"},
                   {"wrong", "wrong"},
                   {"open", "open"},
                   {"values", "of"},
                   {"by", "-"}});
  for (const PublishedReference& reference : all)
    rows.add({reference.name, reference.problem, reference.t, reference.printed_digits(),
              reference.worst().right,
              reference.worst().verdict == PrintedVerdict::wrong ? reference.worst().name : "",
              reference.count(PrintedVerdict::wrong), reference.count(PrintedVerdict::open),
              reference.values.size(), reference.decided_by});
  return Report().array(rows);
}

}  // namespace

Report report_of_state(const std::string& problem, const std::string& t, const std::string& found) {
  Report report;
  report.set("problem", problem).set("t", t).set("state", found);
  return report.say(fmt::format("{}, t = {}: {}", problem, t, found));
}

Report prove_states(const std::string& name, const std::string& times, int digits,
                    std::ostream& out, std::ostream& err) {
  const Problem problem = problem_registry().make(name);
  const StateNames names = state_names(problem);
  const std::vector<Expression> at = sorted(read_numbers(times, "--t"));
  std::vector<std::string> texts;
  for (const Expression& t : at) texts.push_back(t.text());
  check_reference(problem, texts, digits);
  Report report;
  ProvedMotion motion;
  try {
    const ProgressLine progress(err, fmt::format("{}, proof", name));
    motion = proved_motion(problem, at, digits);
  } catch (const EnclosureFailure& failure) {
    motion.failure = failure.what();
  }
  for (const ProvedState& state : motion.states) {
    report.add(report_of(state, names), out);
    if (state.digits >= digits) continue;
    err << fmt::format("daemark reference: t = {}: {} digits are proved, {} were requested\n",
                       state.t, state.digits, digits);
    report.status = 1;
  }
  if (motion.failure.empty()) return report;
  err << fmt::format("daemark reference: {}: no proof: {}{}\n", name, motion.failure,
                     motion.too_wide ? "; more --digits or an earlier --t may help" : "");
  report.status = 1;
  return report;
}

Report check_references(const std::string& only, std::ostream& out, std::ostream& err) {
  require_writable(results_root());
  std::map<std::string, Checked> problems;
  for (const PublishedState& known : published_references()) {
    if (!only.empty() && known.problem != problem_registry().make(only).name) continue;
    Checked& checked = problems[known.problem];
    if (known.is_current)
      checked.times.push_back(Expression::parse(known.t, known.problem));
    else
      checked.found[known.t] = "of another model";
  }
  if (problems.empty())
    throw BadInput(only + ": no state of it is stored under results/references");
  Report report;
  ProgressParts parts(std::vector<double>(problems.size(), 1.0));
  for (auto& [name, checked] : problems) {
    const ProgressShare share = parts.next();
    checked.times = sorted(checked.times);
    if (!checked.times.empty()) check(name, checked, err);
    if (checked.failed) report.status = 1;
    for (const auto& [t, found] : checked.found) report.add(report_of_state(name, t, found), out);
  }
  return report;
}

Report check_proof_file(const std::string& file, std::ostream& err) {
  const ReferenceProof proof = read_proof(file);
  const ProofCheck check = [&] {
    const ProgressLine progress(err, proof.problem);
    return check_proof(proof);
  }();
  const bool accepted = check.refusal.empty();
  Report report;
  report.set("file", file).set("accepted", accepted);
  report.set(accepted ? "means" : "refusal", accepted ? check.means : check.refusal);
  report.say(file + (accepted ? ": accepted, " + check.means : ": refused: " + check.refusal));
  report.status = accepted ? 0 : 1;
  return report;
}

Report judge_published_references(std::ostream& err) {
  require_writable(results_root());
  std::vector<PublishedReference> all =
      read_published(source_root() / "experiments" / "field" / "references.json");
  {
    const ProgressLine progress(err, "published references");
    judge_published(all);
  }
  {
    const FileLock lock = lock_results(results_root(), "daemark reference", err);
    write_published(all, results_root() / "references");
  }
  return report_of(all);
}

}  // namespace daemark
