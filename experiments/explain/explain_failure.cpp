#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <numbers>
#include <optional>

#include "analysis/orders/expected_orders.hpp"
#include "analysis/soundness/first_motion.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/advice/advice.hpp"
#include "experiments/explain/explain.hpp"

namespace daemark {
namespace {

std::vector<real50> numbers(const std::vector<std::string>& texts) {
  return {texts.begin(), texts.end()};
}

class FailureTrials {
 public:
  FailureTrials(const BoundRun& run, const RunResult& failed, double seconds)
      : run_(run), failed_(failed), reruns_(run, seconds) {}

  FailureExplanation explain() {
    try_settings();
    if (!out_.cause.empty()) return out_;
    const std::optional<std::string> works = try_steps();
    const std::vector<std::string> formulations = try_formulations();
    const std::vector<std::string> methods = try_methods();
    const std::optional<FirstMotion::Dip> dip = singular_position();
    const std::string at = fmt::format("t = {:.4g} s", failed_.t);
    const std::string step = step_of(run_.request);
    if (dip) {
      conclude(
          "singular",
          fmt::format("a singular position is near: at t = {:.4g} s the smallest singular value "
                      "of the constraint Jacobian falls to {:.1e} of its largest, and the run "
                      "fails at {}{}",
                      dip->t, dip->share, at, works ? "; the smaller step passes it" : ""),
          works.value_or(""));
    } else if (works) {
      conclude("step",
               fmt::format("the step is too large: {} fails at {}, {} reaches the end", step, at,
                           *works),
               *works);
    } else if (!formulations.empty()) {
      conclude("formulation",
               fmt::format("{} does not integrate {} in {}{}{}; it runs with {}{}",
                           run_.method_name, run_.problem.name, run_.formulation.name(), theory(),
                           reached(), fmt::join(formulations, ", "), also(methods)),
               formulations.front());
    } else if (!methods.empty()) {
      conclude("method",
               fmt::format("{} does not reach the end in any formulation{}{}", run_.method_name,
                           reached(), also(methods)),
               fmt::format("--method '{}'", methods.front()));
    } else {
      conclude("unknown", "no cause was found: no change that was tried reaches the end", "");
    }
    return out_;
  }

 private:
  void conclude(const char* cause, const std::string& sentence, const std::string& setting) {
    out_.cause = cause, out_.sentence = sentence, out_.setting = setting;
  }
  bool try_run(const std::string& what, const RunRequest& request, bool smaller = false) {
    constexpr double share = 0.2;
    const RunResult result = reruns_(request, share).result;
    if (result.status == "refused") return false;
    out_.trials.push_back({what, result.status, result.t, smaller});
    return result.status == "ok";
  }
  bool controlled() const { return run_.settings.control.on(); }
  std::string step_of(const RunRequest& request) const {
    return controlled() ? "--set control.tol=" + request.settings.at("control.tol")
                        : "--h " + request.h.text();
  }

  void try_settings() {
    RunRequest changed = reruns_.request();
    std::erase_if(changed.settings, [](const auto& s) { return s.first.starts_with("newton."); });
    if (changed.settings.size() == reruns_.request().settings.size()) return;
    if (try_run("the default settings newton.*", changed))
      conclude("settings", "with the default settings newton.* the run reaches the end", "");
  }
  /// The largest step that reaches the end.
  std::optional<std::string> try_steps() {
    RunRequest changed = reruns_.request();
    for (const int by : {2, 4, 8, 16, 32, 64}) {
      if (controlled())
        changed.settings["control.tol"] =
            fmt::format("{:g}", run_.settings.control.tol / std::pow(10, std::log2(by)));
      else
        changed.h = divided(run_.request.h, by);
      const std::string step = step_of(changed);
      if (try_run(step, changed, true)) return step;
      if (!out_.trials.empty() && out_.trials.back().status == "timed_out") break;
    }
    return std::nullopt;
  }
  /// How far the smaller steps get at most, and what theory knows.
  std::string reached() const {
    const FailureTrial* far = nullptr;
    for (const FailureTrial& trial : out_.trials)
      if (trial.smaller && (!far || trial.t > far->t)) far = &trial;
    if (!far) return "";
    return fmt::format("; of the smaller steps {} gets farthest, to t = {:.3g} s", far->what,
                       far->t);
  }
  std::string theory() const {
    const ExpectedOrders known = slopes_expected(run_.method_name, run_.formulation.name());
    return known.v && known.lambda ? "" : fmt::format(" ({})", known.reason);
  }
  static std::string also(const std::vector<std::string>& methods) {
    return methods.empty() ? ""
                           : fmt::format("; in this formulation {} reach{} the end",
                                         fmt::join(methods, ", "), methods.size() == 1 ? "es" : "");
  }

  /// As typed; with an eighth of the step where none runs with this one.
  std::vector<std::string> try_formulations() {
    std::vector<std::string> run;
    for (const int by : {1, 8}) {
      for (const char* other : {"ggl", "index2", "index1", "index3", "elimination", "minimal"}) {
        RunRequest changed = reruns_.request();
        changed.formulation = other;
        if (other == run_.formulation.name() || (changed.initial && run_.formulation.info.minimal))
          continue;
        std::string what = fmt::format("--formulation {}", other);
        if (by > 1) {
          changed.h = divided(changed.h, by);
          what += " --h " + changed.h.text();
        }
        if (try_run(what, changed)) run.push_back(what);
      }
      if (!run.empty()) break;
    }
    return run;
  }
  std::vector<std::string> try_methods() {
    std::vector<std::string> run;
    for (const char* other : {"radau_iia(3)", "bdf(2)", "generalized_alpha", "dormand_prince_5"}) {
      RunRequest changed = reruns_.request();
      changed.method = other;
      if (try_run(fmt::format("--method '{}'", other), changed)) run.emplace_back(other);
    }
    return run;
  }

  /// One that the motion meets within the steps around the failure.
  std::optional<FirstMotion::Dip> singular_position() const {
    constexpr double near = 2;  // steps
    if (run_.request.initial || run_.system.constraints == 0) return std::nullopt;
    const double start = to_double(run_.t_start), span = to_double(run_.t_end) - start,
                 h = to_double(run_.h);
    constexpr double periods = 10;  // first_motion() takes ten of the frequency
    const FirstMotion motion = first_motion(run_.problem, 2 * std::numbers::pi * periods / span,
                                            std::max(reruns_.left(), 0.0));
    for (const FirstMotion::Dip& dip : motion.dips)
      if (std::abs(dip.t - failed_.t) < near * h) return dip;
    return std::nullopt;
  }

  const BoundRun& run_;
  const RunResult& failed_;
  Reruns reruns_;
  FailureExplanation out_;
};

}  // namespace

Reruns::Reruns(const BoundRun& run, double seconds) : run_(run), request_(run.request) {
  begin(seconds);
  request_.errors = request_.warnings = false;
  request_.history_every = 0, request_.repeat = 0;
  request_.history_sink = nullptr;
  request_.events.clear();
}

void Reruns::begin(double seconds) {
  end_ = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
}

double Reruns::left() const {
  return std::chrono::duration<double>(end_ - std::chrono::steady_clock::now()).count();
}

Rerun Reruns::operator()(const RunRequest& request, double share) const {
  Rerun rerun;
  try {
    const BoundRun bound(request, run_.problem);
    rerun.result = run_within(bound, share * left());
    const RunResult& result = rerun.result;
    if (rerun.ok())
      rerun.end = with_scalar(request.precision, [&]<class S>() {
        return in_reference(bound, S(result.t),
                            EndState{numbers(result.q), numbers(result.v), numbers(result.lambda)});
      });
  } catch (const BadInput& refusal) {
    rerun.result.status = "refused", rerun.result.why = refusal.what();
  }
  return rerun;
}

Expression divided(const Expression& h, int by) {
  if (h.is_rational()) return Expression(rational(h.as_rational() / by));
  return Expression::parse(fmt::format("({})/{}", h.text(), by), "h", {"pi"});
}

FailureExplanation explain_failure(const BoundRun& run, const RunResult& failed, double seconds) {
  return FailureTrials(run, failed, seconds).explain();
}

}  // namespace daemark
