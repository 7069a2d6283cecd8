#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "analysis/reference/reference.hpp"
#include "experiments/explain/explain.hpp"

namespace daemark {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr const char *newton = "Newton tolerance", *round_off = "round-off", *start = "start",
                     *formulation = "formulation", *step = "step";

using Change = std::array<std::vector<double>, 3>;

double norm(const std::vector<double>& x) {
  return x.empty() ? nan : Eigen::Map<const Eigen::VectorXd>(x.data(), std::ssize(x)).norm();
}

/// a + factor b; where one is empty, the other.
std::vector<double> plus(std::vector<double> a, const std::vector<double>& b, double factor = 1) {
  a.resize(std::max(a.size(), b.size()));
  for (std::size_t i = 0; i < b.size(); ++i) a[i] += factor * b[i];
  return a;
}

/// What leads a run to a smaller error of its steps.
RunRequest finer(RunRequest request) {
  const auto tol = request.settings.find("control.tol");
  if (tol == request.settings.end() || tol->second == "off")
    request.h = divided(request.h, 2);
  else
    tol->second =
        fmt::format("{:g}", Expression::parse(tol->second, "control.tol").eval<double>() / 10);
  return request;
}

class Chain {
 public:
  Chain(const BoundRun& run, double seconds)
      : seconds_(seconds),
        reruns_(run, seconds),
        now_(reruns_.request()),
        mechanism_(run.problem.make<double>()) {}

  ErrorExplanation explain() {
    RunRequest recorded = now_;
    recorded.history_every = reruns_.run().steps;
    const Rerun given = reruns_(recorded);
    if (!given.ok()) throw NoReference(given.result.status + " " + given.result.why);
    at_ = given.end;
    find_start(given.result);
    find_reference();
    reruns_.begin(seconds_);
    error_ = difference(at_, truth_);
    for (int k = 0; k < 3; ++k) out_.error[k] = norm(error_[k]);
    find_newton(given.result.counts.at("newton_iterations") > 0);
    find_round_off();
    find_start_part();
    find_formulation();
    add(step, difference(at_, truth_));
    name_largest();
    return out_;
  }

 private:
  Change difference(const EndState& a, const EndState& b) const {
    Change change;
    for (int k = 0; k < 3; ++k) {
      if (a[k].size() != b[k].size()) continue;
      std::vector<real50> d(a[k].size());
      for (std::size_t i = 0; i < d.size(); ++i) d[i] = a[k][i] - b[k][i];
      if (k == 0) mechanism_->reference_difference(a[0].data(), b[0].data(), d.data());
      for (const real50& x : d) change[k].push_back(to_double(x));
    }
    return change;
  }
  void add(const char* name, const Change& change, const std::string& unknown = "") {
    out_.parts.push_back({name, change, unknown});
  }
  /// The chain goes on to this run, if it ends.
  bool move(const char* name, const RunRequest& to, double share = 1) {
    const Rerun rerun = reruns_(to, share);
    why_ = rerun.result.status + (rerun.result.why.empty() ? "" : ": " + rerun.result.why);
    if (!rerun.ok()) return false;
    add(name, difference(at_, rerun.end));
    at_ = rerun.end, now_ = to;
    return true;
  }
  const RunRequest& given() const { return reruns_.request(); }
  bool in_double() const { return given().precision == Precision::in_double; }

  /// exact_: the start on the constraints; rounded_: what the run takes for it.
  void find_start(const RunResult& run) {
    InitialState rounded;
    rounded.consistent = false;
    for (const double x : run.history.q.front()) rounded.q.emplace_back(rational(x));
    for (const double x : run.history.v.front()) rounded.v.emplace_back(rational(x));
    rounded_ = rounded;
    if (!given().initial) return;
    RunRequest wide_start = given();
    wide_start.precision = Precision::in_real50;
    exact_ = project_state(BoundRun(wide_start, reruns_.run().problem)).state;
  }

  void find_reference() {
    out_.doubt = {0, 0, 0};
    if (!given().initial) try {
        const ReferenceState state = reference_states(reruns_.run().problem, {given().t_end.text()},
                                                      digits_for_errors(given().precision))[0];
        truth_ = {state.q, state.v, state.lambda};
        for (int k = 0; k < 3; ++k) {
          std::vector<double> size(truth_[k].begin(), truth_[k].end());
          out_.doubt[k] = norm(size) * std::pow(10.0, -state.agreed_digits);
        }
        out_.reference = fmt::format("{} digits agreed by two routes", state.agreed_digits);
        return;
      } catch (const NoReference&) {  // runs in 50 digits may judge
      }
    compute_reference();
  }
  /// Two runs in 50 digits whose tolerances differ by a factor of 1000.
  void compute_reference() {
    RunRequest fine = given();
    fine.precision = Precision::in_real50, fine.initial = exact_;
    fine.method = "radau_iia(7)", fine.settings.clear();
    const bool minimal = reruns_.run().formulation.info.minimal;
    for (const char* form : {minimal ? "minimal" : "index2", "ggl", "index1"}) {
      fine.formulation = form;
      fine.settings["control.tol"] = "1e-18";
      const Rerun coarse = reruns_(fine, 0.1);
      fine.settings["control.tol"] = "1e-21";
      const Rerun best = coarse.ok() ? reruns_(fine, 0.2) : coarse;
      if (!best.ok()) continue;
      truth_ = best.end;
      const Change change = difference(best.end, coarse.end);
      for (int k = 0; k < 3; ++k) out_.doubt[k] = norm(change[k]);
      out_.reference = fmt::format("{} on {} in 50 digits, two tolerances", fine.method, form);
      return;
    }
    throw NoReference("no reference state, and no run in 50 digits ended to judge by");
  }

  void find_newton(bool iterates) {
    if (!iterates) return add(newton, difference(at_, at_));
    RunRequest tight = now_;
    std::erase_if(tight.settings, [](const auto& s) { return s.first.starts_with("newton."); });
    for (const char* tol : in_double() ? std::array{"1e-13", "1e-12", "strict"}
                                       : std::array{"1e-44", "1e-40", "strict"}) {
      tight.settings["newton.tol"] = tol;
      if (move(newton, tight)) return;
    }
    add(newton, {}, why_);
  }

  void find_round_off() {
    constexpr double share = 0.25;  // six more such runs may come
    RunRequest precise = now_;
    precise.precision = Precision::in_real50, precise.initial = rounded_;
    if (precise.settings.contains("newton.tol")) precise.settings["newton.tol"] = "strict";
    if (!in_double()) return add(round_off, {}, "no more precise arithmetic than 50 digits");
    if (!move(round_off, precise, share)) add(round_off, {}, "a run in 50 digits " + why_);
  }

  void find_start_part() {
    RunRequest exact = now_;
    exact.initial = exact_;
    exact.settings.erase("start"), exact.settings.erase("start.rates");
    if (in_double() && now_.precision == Precision::in_double && !exact_ &&
        exact.settings == now_.settings)
      return add(start, {}, "as round-off");
    if (!move(start, exact)) add(start, {}, why_);
  }

  /// Other formulations, and projections onto the constraints, at the same step in the precision
  /// of the run.
  void find_formulation() {
    const BoundRun& run = reruns_.run();
    constexpr double share = 0.1, cause = 0.25, clearly = 0.9;  // cause: see the header
    double best = cause * norm(difference(at_, truth_)[0]);
    std::optional<RunRequest> chosen;
    const auto consider = [&](RunRequest other) {
      other.precision = given().precision;
      const Rerun rerun = reruns_(other, share);
      if (!rerun.ok()) return;
      const double error = norm(difference(rerun.end, truth_)[0]);
      if (!(error < (chosen ? clearly : 1) * best)) return;
      best = error, chosen = other;
    };
    if (run.system.constraints > 0 && !run.formulation.info.minimal) {
      for (const char* other : {"index1", "index2", "index3", "ggl", "elimination"}) {
        RunRequest changed = now_;
        changed.formulation = other;
        if (run.formulation.name() != other) consider(changed);
      }
      RunRequest projected = now_;
      projected.settings["project"] = "both";
      if (!run.settings.project.on()) consider(projected);
    }
    if (chosen) {
      chosen->precision = now_.precision;
      if (!move(formulation, *chosen)) chosen.reset();
    }
    if (!chosen) return add(formulation, difference(at_, at_));
    better_ = chosen->formulation == given().formulation ? "--set project=both"
                                                         : "--formulation " + chosen->formulation;
  }

  /// The sum of all parts but one, of q.
  std::vector<double> without(const ErrorPart& part) const {
    return plus(error_[0], part.change[0], -1);
  }

  void name_largest() {
    const auto size = [](const ErrorPart& part) {
      return part.unknown.empty() ? part.size()[0] : 0;
    };
    const ErrorPart& part = *std::max_element(
        out_.parts.begin(), out_.parts.end(),
        [&](const ErrorPart& a, const ErrorPart& b) { return size(a) < size(b); });
    out_.largest = part.name;
    if (out_.doubt[0] > size(part)) {
      out_.largest = "reference";
      return;
    }
    RunRequest changed = given();
    out_.predicted = norm(without(part));
    if (part.name == step) lower_step(part, changed);
    if (part.name == newton) lower_newton(part, changed);
    if (part.name == formulation) {
      out_.setting = better_;
      if (better_.starts_with("--set"))
        changed.settings["project"] = "both";
      else
        changed.formulation = now_.formulation;
    }
    if (part.name == round_off) more_digits(changed);
    if (part.name == start) better_start(changed);
    out_.rerun = measured(changed);
    const bool loose = changed.settings.contains("newton.tol") && part.name != newton;
    if (!loose || out_.rerun < out_.error[0]) return;
    changed.settings["newton.tol"] = "strict";  // its part is another one with another step
    out_.setting += " --set newton.tol=strict";
    out_.rerun = measured(changed);
  }
  /// The error of q of a rerun.
  double measured(const RunRequest& changed) const {
    const Rerun rerun = reruns_(changed);
    return rerun.ok() ? norm(difference(rerun.end, truth_)[0]) : nan;
  }
  void lower_step(const ErrorPart& part, RunRequest& changed) {
    changed = finer(changed);
    const bool by_size = changed.h.text() != given().h.text();
    out_.setting = by_size ? "--h " + changed.h.text()
                           : "--set control.tol=" + changed.settings.at("control.tol");
    const Rerun half = reruns_(finer(now_));
    if (!half.ok()) {
      out_.predicted = nan;
      return;
    }
    const Change left = difference(half.end, truth_);
    if (by_size) out_.order = std::log2(part.size()[0] / norm(left[0]));
    out_.predicted = norm(plus(without(part), left[0]));
  }
  /// Its part falls at least in proportion to the tolerance: to a tenth of the other parts.
  void lower_newton(const ErrorPart& part, RunRequest& changed) {
    const std::vector<double> others = without(part);
    const double tol = to_double(reruns_.run().settings.newton.tol), size = part.size()[0];
    const double to =
        std::pow(10, std::floor(std::log10(tol * std::min(1.0, norm(others) / size)))) / 10;
    const bool strict = reruns_.run().settings.newton.by_step;
    changed.settings["newton.tol"] = strict ? "strict" : fmt::format("{:.0e}", to);
    out_.setting = "--set newton.tol=" + changed.settings["newton.tol"];
    out_.predicted = norm(plus(others, part.change[0], strict ? 0 : to / tol));
  }
  /// Takes away the other parts that end with double, too, unless a setting makes them.
  void more_digits(RunRequest& changed) {
    changed.precision = Precision::in_real50;
    out_.setting = "--precision quad";
    const auto& settings = changed.settings;
    std::vector<double> left(error_[0].size());
    for (const ErrorPart& part : out_.parts)
      if (part.name == step || part.name == formulation ||
          (part.name == newton && settings.contains("newton.tol")) ||
          (part.name == start &&
           (exact_ || settings.contains("start") || settings.contains("start.rates"))))
        left = plus(left, part.change[0]);
    out_.predicted = norm(left);
  }
  void better_start(RunRequest& changed) {
    const auto before = changed.settings.size();
    changed.settings.erase("start"), changed.settings.erase("start.rates");
    out_.setting = "";
    if (changed.settings.size() < before) {
      out_.setting = "the default of the settings start and start.rates";
    } else if (exact_) {
      out_.setting = "--project";
      changed.initial = exact_;
    } else {
      more_digits(changed);
    }
  }

  double seconds_;
  Reruns reruns_;
  RunRequest now_;  ///< where the chain is
  EndState at_;
  MechanicalPtr<double> mechanism_;
  std::optional<InitialState> exact_, rounded_;
  EndState truth_;
  Change error_;
  std::string why_;     ///< the last rerun of move() failed
  std::string better_;  ///< what chose the formulation
  ErrorExplanation out_;
};

}  // namespace

std::array<double, 3> ErrorPart::size() const {
  return {norm(change[0]), norm(change[1]), norm(change[2])};
}

double ErrorExplanation::sum() const {
  double sum = 0;
  for (const ErrorPart& part : parts)
    if (part.unknown.empty()) sum += part.size()[0];
  return sum;
}

ErrorExplanation explain_error(const BoundRun& run, double seconds) {
  return Chain(run, seconds).explain();
}

}  // namespace daemark
