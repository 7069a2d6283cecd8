#include "experiments/advice/judging_motion.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <limits>
#include <mutex>
#include <optional>
#include <thread>

#include "analysis/reference/reference.hpp"
#include "analysis/run/run.hpp"
#include "base/program/stop.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/cells/support/integration.hpp"

namespace daemark {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Stops a token when so many seconds have passed, unless it is gone before.
class Deadline {
 public:
  Deadline(StopToken& token, double seconds)
      : watch_([this, &token, seconds] {
          std::unique_lock lock(mutex_);
          if (!over_.wait_for(lock, std::chrono::duration<double>(seconds), [&] { return done_; }))
            token.stop(StopCause::timed_out);
        }) {}
  ~Deadline() {
    {
      const std::scoped_lock lock(mutex_);
      done_ = true;
    }
    over_.notify_one();
    watch_.join();
  }
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable over_;
  bool done_ = false;
  std::thread watch_;
};

MotionEnd at_row(const BoundRun& run, const History& history, std::size_t row) {
  return in_reference<double>(run, history.t[row],
                              MotionEnd{history.q[row], history.v[row], history.lambda[row]});
}

/// Radau IIA of order 9 on the constrained equations, and an explicit pair of order 8 on ordinary
/// ones: routes with nothing in common but the equations. Where rows that depend on each other are
/// refused by the first, another explicit pair.
struct JudgingRoute {
  const char *method, *formulation;
};
constexpr JudgingRoute implicit_routes[] = {
    {"radau_iia(5)", "index2"}, {"radau_iia(5)", "index1"}, {"verner_8", "index1"}};
constexpr JudgingRoute explicit_routes[] = {
    {"fehlberg_8", "minimal"}, {"fehlberg_8", "index1"}, {"fehlberg_8", "elimination"}};

struct Routed {
  MotionEnd start, end;
  double span = 0;
  std::string name;
};

/// The first of the routes that runs.
std::optional<Routed> first_that_runs(const std::string& problem, const std::string& t_end,
                                      const JudgingRoute* begin, const JudgingRoute* end,
                                      double tolerance, bool needs_multipliers, double seconds) {
  for (const JudgingRoute* route = begin; route != end; ++route) {
    Cell cell;
    cell.problem = problem, cell.method = route->method, cell.formulation = route->formulation;
    cell.t_end = t_end;
    try {
      const Problem made = problem_registry().make(problem);
      const rational span =
          Expression::parse(t_end, "t_end").as_rational() - made.start.as_rational();
      cell.h = {span.str()};
      RunRequest request = run_request(with_tolerance(cell, fmt::format("{:.0e}", tolerance)));
      request.history_every = 1, request.repeat = 0;
      const BoundRun bound(request, made);
      const RunResult result = run_within(bound, seconds);
      if (result.status != "ok") continue;
      Routed routed{at_row(bound, result.history, 0), at_end(bound, result),
                    span.convert_to<double>(),
                    fmt::format("{}, {}", route->method, route->formulation)};
      if (!needs_multipliers || !routed.end[2].empty()) return routed;
    } catch (const BadInput&) {  // refused: the next one
    }
  }
  return std::nullopt;
}

double way_of(const Routed& motion, int part) {
  if (part == 2) return std::max(two_norm(motion.start[2]), two_norm(motion.end[2]));
  const double way =
      std::max({apart(motion.start[0], motion.end[0]), motion.span * two_norm(motion.start[1]),
                motion.span * two_norm(motion.end[1])});
  return part == 0 ? way : way / motion.span;
}

}  // namespace

double apart(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return nan;
  std::vector<double> change(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) change[i] = a[i] - b[i];
  return two_norm(change);
}

MotionEnd at_end(const BoundRun& run, const RunResult& result) {
  return at_row(run, result.history, result.history.t.size() - 1);
}

RunResult run_within(const BoundRun& bound, double seconds) {
  StopToken token;
  const StopScope scope(token);
  const Deadline deadline(token, std::max(seconds, 0.0));
  return run(bound);
}

JudgingMotion judging_motion(const std::string& problem, const std::string& t_end, int part,
                             double accuracy, double seconds) {
  const auto begin = std::chrono::steady_clock::now();
  const auto left = [&] {
    const std::chrono::duration<double> used = std::chrono::steady_clock::now() - begin;
    return seconds - used.count();
  };
  double closest = std::numeric_limits<double>::infinity();
  for (double tolerance = std::max(accuracy * 1e-3, 1e-13); left() > 0; tolerance *= 1e-2) {
    const auto a = first_that_runs(problem, t_end, std::begin(implicit_routes),
                                   std::end(implicit_routes), tolerance, part == 2, left());
    const auto b = first_that_runs(problem, t_end, std::begin(explicit_routes),
                                   std::end(explicit_routes), tolerance, part == 2, left());
    if (a && b) {
      const double way = way_of(*a, part);
      if (way == 0) throw BadInput("nothing moves; accepted: a mechanism that does");
      const double differ = apart(a->end[part], b->end[part]) / way;
      closest = std::min(closest, differ);
      if (differ <= accuracy / 20) return {a->end, way, differ, {a->name, b->name}};
    }
    if (tolerance < 1e-14) break;
  }
  throw NoReference(
      std::isinf(closest)
          ? fmt::format("no two methods reached t = {} s in {:g} s; try a shorter --t-end", t_end,
                        seconds)
          : fmt::format(
                "two methods agree to {:.1e} at t = {} s only, and a twentieth of the "
                "accuracy is needed to judge by; try a shorter --t-end{}",
                closest, t_end,
                closest < 5e-3 ? fmt::format(", or an accuracy above {:.0e}", 20 * closest) : ""));
}

}  // namespace daemark
