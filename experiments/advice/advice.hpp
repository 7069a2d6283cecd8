// Which method, formulation and step (or tolerance) take a mechanism to an accuracy: short runs of
// candidates on the motion itself, judged by a motion that two methods agree on.
//
// Candidates are the methods that the atlas found cheapest for the accuracy in each formulation
// (results/atlas/ranks.csv) and a few that everyone knows. Each is run with steps that are halved,
// or with tolerances divided by ten, until the error is below the accuracy, or until its turn is
// over: a fair share of the time, and no more than ten times the run of the fastest candidate so
// far. Errors are 2-norms of q, v or λ at the end, relative to the motion (JudgingMotion).
#pragma once

#include <array>
#include <string>
#include <vector>

#include "analysis/setup/bound_run.hpp"
#include "experiments/cells/support/cell.hpp"

namespace daemark {

struct AdviceRequest {
  std::string problem;  ///< call
  std::string t_end;    ///< exact [s]
  double accuracy = 1e-4;
  int part = 0;         ///< of motion_parts: q, v, λ
  double seconds = 20;  ///< of the clock, for all
};

/// A candidate and the run of it that reaches the accuracy, or the best that was seen.
struct Trial {
  Cell cell;                ///< with its step or tolerance
  std::string name;         ///< "radau_iia(3) with control"
  std::string size;         ///< the step [s], or the tolerance
  bool controlled = false;  ///< `size` is a tolerance
  bool popular = false;     ///< everyone knows it; else of the atlas
  bool reached = false;
  std::string status;  ///< of the last run: "ok" or why it failed; "refused"
  double error = 0;    ///< relative, no less than the uncertainty of what it is judged by
  double seconds = 0;  ///< the least of several runs
  double slowest = 0;  ///< the most [s]
  long evaluations = 0;
};

struct Advice {
  std::vector<std::string> routes;  ///< the runs that judge, as "METHOD, FORMULATION"
  double uncertainty = 0;           ///< relative: how far they differ
  double way = 0;                   ///< what errors are relative to, in the unit of the part
  std::vector<Trial> trials;        ///< those that reach it first, the fastest first
};

/// Throws BadInput where the problem does not run in any formulation, NoReference where no two
/// runs agree well enough to judge by; the message says to which accuracy they do.
Advice advise(const AdviceRequest& request);

struct RunResult;

/// Runs for so many seconds of the processor at most: then its status is "timed_out".
RunResult run_within(const BoundRun& run, double seconds);

/// q, v, λ of a run, which is in scalar S, in the coordinates of references.
template <class S, class T>
std::array<std::vector<T>, 3> in_reference(const BoundRun& run, const S& t,
                                           std::array<std::vector<T>, 3> motion) {
  const auto mechanism = run.problem.make<S>(run.formulation.info.minimal);
  if (mechanism->chart_size() > 0) return motion;  // it is shown in these coordinates
  const std::vector<S> q(motion[0].begin(), motion[0].end()), v(motion[1].begin(), motion[1].end());
  std::vector<S> to_q(mechanism->reference_coordinates()), to_v(to_q.size());
  mechanism->to_reference({t, q.data(), v.data()}, to_q.data(), to_v.data());
  motion[0].assign(to_q.begin(), to_q.end()), motion[1].assign(to_v.begin(), to_v.end());
  return motion;
}

}  // namespace daemark
