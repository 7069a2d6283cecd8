// Events, inconsistent starts and failures.
#include <fmt/format.h>

#include <cmath>

#include "analysis/run/run.hpp"
#include "base/text/read_double.hpp"
#include "experiments/accept/accept.hpp"
#include "problems/system/state_names.hpp"

namespace daemark {
namespace {

/// A coordinate that passes a value at a known time for the first time.
struct Passage {
  std::string event;
  double t = 0, speed = 0;
};

struct Exact {
  std::vector<real50> q, v, lambda;
};

Passage passage_of(const AcceptMechanism& mechanism) {
  const Problem problem = problem_registry().make(mechanism.problem);
  const auto made = problem.make<double>();
  const auto n = static_cast<std::size_t>(made->coordinates());
  const auto at = [&](double t) {
    Exact state{std::vector<real50>(n), std::vector<real50>(n),
                std::vector<real50>(made->constraints())};
    problem.closed_form(real50(t), state.q.data(), state.v.data(), state.lambda.data());
    return state;
  };
  constexpr double part = 0.37;  // of the motion: at no output point
  const double t = part * Expression::parse(mechanism.t_end, "t_end").eval<double>();
  const Exact there = at(t), before = at(t / 2), start = at(0);
  Passage passage;
  for (std::size_t i = 0; i < n; ++i) {
    const double speed = to_double(there.v[i]);
    const real50 first = start.q[i] - there.q[i], middle = before.q[i] - there.q[i];
    // Nearer and nearer, from one side.
    if (first * middle <= 0 || abs(middle) > abs(first) || std::abs(speed) <= passage.speed)
      continue;
    passage = {fmt::format("{}={:.17g}", made->coordinate_names()[i], to_double(there.q[i])), t,
               std::abs(speed)};
  }
  return passage;
}

bool is_finite(const CellResult& result) {
  for (const auto* values : {&result.q, &result.v})
    for (const std::string& text : *values)
      if (!std::isfinite(double_of(text))) return false;
  return true;
}

double tolerance_of(const AcceptSubject& subject) {
  return Expression::parse(subject.request().tol, "tol").eval<double>();
}

/// Of errors of positions in the run of a cell.
double allowed_by(const AcceptSubject& subject, const AcceptMechanism& mechanism,
                  const CellResult& result) {
  constexpr double restart = 10;
  if (!subject.given_steps())
    return allowed_error(subject, mechanism, result, 0, tolerance_of(subject));
  const double h = last_of(result, "h");
  return restart *
         (last_of(result, "error_q") + subject.round_off(0, last_of(result, "size_q"), 1).bound(h));
}

}  // namespace

std::vector<AcceptFinding> judge_events(const AcceptSubject& subject, AcceptRuns& runs) {
  if (subject.is_program())
    return {{"", Outcome::not_applicable, "a program cannot start between its rows", ""}};
  const auto passing = [&](const AcceptMechanism& mechanism) {
    Cell cell = subject.typical(mechanism);
    cell.more["events"] = {passage_of(mechanism).event};
    return cell;
  };
  const auto judge = [&](const AcceptMechanism& mechanism, const CellResult& result) {
    const Passage passage = passage_of(mechanism);
    const double found = last_of(result, "event");
    const double off = std::abs(found - passage.t) * passage.speed,
                 allowed = allowed_by(subject, mechanism, result);
    AcceptFinding finding{
        mechanism.problem, Outcome::pass,
        fmt::format("{} at t = {:.10g}, exact {:.10g}: {:.1e} m or rad, threshold {:.1e}",
                    passage.event, found, passage.t, off, allowed),
        ""};
    if (!(off <= allowed)) {
      finding.judgement = Outcome::fail;
      finding.cause = std::isnan(found) ? "an event is missed"
                                        : "an event is found at another time: a restart with a "
                                          "shorter step gives another motion";
    }
    return finding;
  };
  return judge_each(subject, runs, "event", passing, judge);
}

std::vector<AcceptFinding> judge_start(const AcceptSubject& subject, AcceptRuns& runs) {
  constexpr int fine = 256;  // steps: errors of low orders must not hide the start
  std::vector<AcceptFinding> findings;
  for (const AcceptMechanism& mechanism : accept_mechanisms()) {
    if (!mechanism.has("start")) continue;
    const CellResult* sound = runs(subject.typical(mechanism, fine));
    for (const char* what : {"displacement", "kick"}) {
      Cell cell = subject.typical(mechanism, fine);
      cell.more[what] = "1/1000";
      const CellResult* result = runs(cell);
      if (result == nullptr || sound == nullptr) continue;
      if (result->status == "refused" && sound->status == "refused") {
        findings.push_back(*not_judged(subject, mechanism, *result));
        continue;
      }
      AcceptFinding finding{mechanism.problem, Outcome::pass,
                            fmt::format("{}: {}", what, result->status), ""};
      if (result->ok()) {
        const double span = Expression::parse(mechanism.t_end, "t_end").eval<double>();
        const double allowed = 2 * (last_of(*result, "first_violation") +
                                    span * last_of(*result, "first_rate_violation") +
                                    last_of(*sound, "position_violation"));
        const double seen = last_of(*result, "position_violation");
        finding.seen += fmt::format(", position constraints violated by {:.1e}, threshold {:.1e}",
                                    seen, allowed);
        const bool carried = subject.index() == 3 && subject.at_infinity() >= 1 - 1e-9;
        if (carried && seen > allowed) {  // no theorem promises more than a consistent start
          finding.judgement = Outcome::undecided;
          finding.seen += "; |R(infinity)| = 1 carries errors off the constraints on";
        } else if (!is_finite(*result) || seen > allowed) {
          finding.judgement = Outcome::fail;
          finding.cause = "an inconsistent start ends as ok with a motion far off the constraints";
        }
      }
      findings.push_back(std::move(finding));
    }
  }
  return findings;
}

namespace {

/// Says how far the level that the formulation holds is left, where the method satisfies it to
/// round-off with all smaller steps.
std::string level_left(const AcceptSubject& subject, const CellResult& fine,
                       const CellResult& large) {
  constexpr double solved = 1e-6;  // far above what Newton leaves, far below one step's motion
  const std::string level = subject.index() == 2 ? "velocity_violation" : "position_violation";
  const std::string reach = subject.index() == 2 ? "reach_v" : "reach_q";
  // Constraints have products of two coordinates, their rates of coordinate and velocity.
  const auto size = [&](const CellResult& run) {
    return (1 + last_of(run, "reach_q")) * (1 + last_of(run, reach));
  };
  // Whoever holds it does so with every step size.
  const auto held = fine.series.find(level);
  if (held == fine.series.end() || last_of(large, level) <= solved * size(large)) return "";
  for (std::size_t k = 0; k < held->second.size(); ++k)
    if (held->second[k] > subject.round_off(0, size(fine), 1).bound(fine.series.at("h")[k]))
      return "";
  return fmt::format("{} {:.1e}, with small steps {:.1e}", level, last_of(large, level),
                     last_of(fine, level));
}

void judge_large_steps(const AcceptSubject& subject, AcceptRuns& runs,
                       const AcceptMechanism& mechanism, std::vector<AcceptFinding>& findings) {
  AcceptMechanism longer = mechanism;
  longer.t_end = "40", longer.times = {};
  const CellResult *fine = runs(subject.steps(mechanism, subject.request().steps)),
                   *large = runs(subject.steps(longer, {16}));
  if (fine == nullptr || large == nullptr) return;
  AcceptFinding finding{mechanism.problem, Outcome::pass, "h = 5/2: " + large->status, ""};
  if (auto refused = not_judged(subject, mechanism, *large); refused && large->status == "refused")
    finding = *refused;
  if (large->ok()) {
    const bool implicit = subject.index() > 1 && !subject.method().is_explicit();
    const std::string left = fine->ok() && implicit ? level_left(subject, *fine, *large) : "";
    if (!left.empty()) finding.seen += ", " + left;
    if (!is_finite(*large) || !left.empty()) {
      finding.judgement = Outcome::fail;
      finding.cause = "a failed step is reported as ok";
    }
  }
  findings.push_back(std::move(finding));
}

void judge_hard(const AcceptSubject& subject, AcceptRuns& runs, const AcceptMechanism& mechanism,
                std::vector<AcceptFinding>& findings) {
  const CellResult* result = runs(subject.controlled(mechanism, subject.request().tol));
  if (result == nullptr) return;
  if (result->status == "refused" || result->status == "timed_out") {
    findings.push_back(*not_judged(subject, mechanism, *result));
    return;
  }
  AcceptFinding finding{mechanism.problem, Outcome::pass, result->status, ""};
  if (result->ok()) {
    constexpr double wrong = 0.01;  // of the size: wrong by any bound
    const double error = last_of(*result, "error_q"),
                 allowed =
                     std::min(wrong * last_of(*result, "size_q"),
                              allowed_error(subject, mechanism, *result, 0, tolerance_of(subject)));
    finding.seen += fmt::format(", error {:.1e}, threshold {:.1e}", error, allowed);
    if (!(error <= allowed)) {
      finding.judgement = Outcome::fail;
      finding.cause = "a wrong motion is reported as ok";
    }
  }
  findings.push_back(std::move(finding));
}

}  // namespace

std::vector<AcceptFinding> judge_failure(const AcceptSubject& subject, AcceptRuns& runs) {
  std::vector<AcceptFinding> findings;
  for (AcceptMechanism mechanism : accept_mechanisms()) {
    if (subject.given_steps() && mechanism.has("start"))
      judge_large_steps(subject, runs, mechanism, findings);
    if (!subject.takes_tolerance()) continue;
    if (mechanism.has("singular")) judge_hard(subject, runs, mechanism, findings);
    if (!mechanism.has("stiff") || !mechanism.problem.starts_with("generated")) continue;
    mechanism.problem.insert(mechanism.problem.size() - 1, "0");
    judge_hard(subject, runs, mechanism, findings);
  }
  return findings;
}

}  // namespace daemark
