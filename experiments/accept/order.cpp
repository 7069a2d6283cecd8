// Orders: errors, energy, constraint violations and dense output over step sizes, and what a slope
// that is too small points to.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "analysis/orders/inside_orders.hpp"
#include "analysis/run/run.hpp"
#include "experiments/accept/accept.hpp"
#include "problems/system/registry.hpp"

namespace daemark {
namespace {

// Orders are whole numbers: the nearest counts. A range counts as settled where neighbouring slopes
// differ by at most 1/4, and the others in it by 1/10 more (analysis/run/slope.hpp): less than 1/2.
constexpr double nearest = 0.5;
constexpr double small_part = 1e-3;  // of the size: errors of a method that converges
constexpr const char* loose_newton =
    "Newton's tolerance is too loose, or a number has too few digits";

/// One quantity over step sizes.
struct Slope {
  std::string name;
  std::optional<int> expected;
  SlopeFit fit;
  double error = 0, size = 0;  ///< of the finest step
  double coarse = 0;           ///< the largest error
  double floor = 0;            ///< what round-off may amount to at the finest step
  bool slow = false;           ///< of a slow mechanism: a range that is not settled counts too

  bool stops() const { return fit.verdict == SlopeVerdict::no_convergence; }
  /// Wrong whatever the order should be.
  bool diverges() const { return slow && name == "q" && !(error < size); }
  /// The error no longer falls at the finest steps.
  bool stalls() const { return stops() || fit.slope < nearest; }
  /// By more than round-off at the finest step.
  bool grows() const { return fit.slope < 0 && error > floor; }
  /// Neighbouring slopes of those used: nowhere what is expected.
  bool below() const {
    if (!expected || *expected < 1 || error <= floor) return false;
    if (stops()) return true;
    if (fit.verdict == SlopeVerdict::asymptotic) return fit.slope < *expected - nearest;
    return slow && fit.verdict == SlopeVerdict::pre_asymptotic &&
           fit.most < *expected - 2 * nearest;
  }
  /// The slope is as expected, or round-off is reached.
  bool sound() const {
    return expected && !below() &&
           (fit.verdict == SlopeVerdict::asymptotic || fit.verdict == SlopeVerdict::round_off ||
            error <= floor);
  }
  std::string text() const {
    std::string found = std::isnan(fit.slope) ? "-" : fmt::format("{:.2f}", fit.slope);
    if (fit.verdict != SlopeVerdict::asymptotic)
      found += fmt::format(" ({})", slope_verdict_name(fit.verdict));
    return fmt::format("{} {}{}, error {:.1e}", name, found,
                       expected ? fmt::format(", expected {}", *expected) : "", error);
  }
};

std::vector<double> series_of(const CellResult& result, const std::string& name) {
  const auto found = result.series.find(name);
  return found == result.series.end() ? std::vector<double>{} : found->second;
}

Slope slope_of(const AcceptMechanism& mechanism, const CellResult& result, const std::string& name,
               const std::string& series, const std::optional<int>& expected,
               const RoundOff& round_off) {
  const std::vector<double> error = series_of(result, series);
  Slope slope{name, expected, fit_slope(result.series.at("h"), error, round_off)};
  slope.error = error.back(), slope.size = round_off.scale;
  slope.slow = mechanism.has("slow");
  slope.floor = round_off.bound(result.series.at("h").back());
  for (const double e : error) slope.coarse = e > slope.coarse ? e : slope.coarse;
  return slope;
}

double span_of(const AcceptMechanism& mechanism) {
  return Expression::parse(mechanism.t_end, "t_end").eval<double>();
}

/// Stiff forces may take an order: theory has the step below every period.
std::optional<int> expected_on(const AcceptSubject& subject, const AcceptMechanism& mechanism,
                               std::size_t part) {
  const std::optional<int> order = subject.expected().order[part];
  return order && mechanism.has("stiff") ? std::optional(*order - 1) : order;
}

/// Slopes of q, v and λ, as far as there is something of each.
std::vector<Slope> slopes_of(const AcceptSubject& subject, const AcceptMechanism& mechanism,
                             const CellResult& result) {
  std::vector<Slope> slopes;
  std::array<double, 3> sizes;
  for (std::size_t part = 0; part < sizes.size(); ++part)
    sizes[part] = last_of(result, std::string("size_") + motion_parts[part]);
  const double span = span_of(mechanism);
  for (std::size_t part = 0; part < motion_parts.size(); ++part) {
    const std::string name = motion_parts[part];
    if (std::isnan(last_of(result, "error_" + name))) continue;
    Slope slope =
        slope_of(mechanism, result, name, "error_" + name, expected_on(subject, mechanism, part),
                 subject.round_off(part, subject.rounded_size(part, sizes, span, 0), span));
    slope.size = sizes[part];
    slopes.push_back(std::move(slope));
  }
  return slopes;
}

std::string all_of(const std::vector<Slope>& slopes) {
  std::string text;
  for (const Slope& slope : slopes) text += (text.empty() ? "" : "; ") + slope.text();
  return text;
}

/// Errors that are a shift of time: "lambda belongs to t - 1.00 h, ...".
std::string shift_of(const CellResult& result, const std::vector<Slope>& slopes) {
  constexpr double is_shift = 0.1, least = 0.1;
  std::string late, names;
  int count = 0, shifted = 0;
  for (const Slope& slope : slopes) {
    if (!slope.below()) continue;
    ++count;
    const double lag = last_of(result, "lag_" + slope.name);
    if (!(last_of(result, "stray_" + slope.name) < is_shift) || !(std::abs(lag) > least)) continue;
    ++shifted;
    names += (names.empty() ? "" : ", ") + slope.name;
    late = fmt::format("{:+.2f}", lag);
  }
  if (shifted == 0 || shifted < count) return "";
  if (names.starts_with("q"))
    return fmt::format("{} of another time: states are those of t {} h", names, late);
  return fmt::format("{} of another time: those of t {} h", names, late);
}

/// Of errors that are too large, what they have in common.
std::string cause_of(const AcceptSubject& subject, const CellResult& result,
                     const std::vector<Slope>& slopes, const std::string& feature, bool plain) {
  if (const std::string shift = shift_of(result, slopes); !shift.empty()) return shift;
  if (std::any_of(slopes.begin(), slopes.end(), [](const Slope& one) { return one.diverges(); }))
    return "it does not converge in this formulation: errors are as large as the motion";
  std::string low;
  bool stop = true, small = true, fell = true, lambda_only = true;
  for (const Slope& slope : slopes) {
    if (!slope.below()) continue;
    low += fmt::format("{}order {:.1f} of {} instead of {}", low.empty() ? "" : ", ",
                       std::max(0.0, slope.fit.slope), slope.name, *slope.expected);
    stop = stop && slope.stalls(), small = small && slope.error < small_part * slope.size;
    fell = fell && slope.error * 10 < slope.coarse;
    lambda_only = lambda_only && slope.name == "lambda";
  }
  if (stop && (small || fell))
    return fmt::format("{}: errors stop falling far above round-off; {}", low, loose_newton);
  if (small && !subject.method().is_explicit() &&
      std::any_of(slopes.begin(), slopes.end(), [](const Slope& one) { return one.grows(); }))
    return fmt::format("{}: errors grow with smaller steps; {}", low, loose_newton);
  if (plain && feature == "time")
    return fmt::format(
        "{} on mechanisms that depend on time, as expected on those that do not: stage times{}",
        low,
        subject.method().coefficients(MethodKind::rosenbrock) != nullptr
            ? " or the derivative with respect to time"
            : " (c)");
  if (plain && feature == "space")
    return low + ": rotations; a chart is not rebased, or rates belong to another chart";
  if (plain && feature == "rolling")
    return low + ": velocity-level constraints are treated as position-level ones, or left out";
  if (plain && feature == "redundant") return low + ": redundant constraints";
  if (plain && feature == "stiff") return low + ": stiff forces; order reduction or stability";
  if (lambda_only) return low + ": multipliers are taken from another stage or time";
  if (stop)
    return low + ": it does not converge; weights (b) do not sum to 1, a sign, or another equation";
  if (subject.method().coefficients(MethodKind::rosenbrock) != nullptr)
    return low + ": the matrix W (gamma, Jacobian) or the coefficients";
  return low + ": coefficients (A, b)";
}

/// Whether all plain mechanisms that are judged have the expected orders.
bool plain_is_sound(const AcceptSubject& subject, AcceptRuns& runs) {
  bool any = false;
  for (const AcceptMechanism& mechanism : accept_mechanisms()) {
    if (!mechanism.has("plain")) continue;
    const CellResult* result = runs(subject.steps(mechanism, subject.request().steps));
    if (result == nullptr || !result->ok()) continue;
    for (const Slope& slope : slopes_of(subject, mechanism, *result)) {
      if (slope.below()) return false;
      any = any || slope.sound();
    }
  }
  return any;
}

/// Newton's tolerance is an absolute number: where it makes the errors, they depend on the unit of
/// length, which those of coefficients do not.
bool newton_is_loose(const AcceptSubject& subject, AcceptRuns& runs) {
  if (subject.method().is_explicit()) return false;
  const std::vector<AcceptFinding> units = judge_unit(subject, runs);
  return std::any_of(units.begin(), units.end(),
                     [](const AcceptFinding& one) { return one.judgement == Outcome::fail; });
}

/// Of mechanisms with a feature; `judge` turns a result into slopes.
template <class F>
std::vector<AcceptFinding> over_steps(const AcceptSubject& subject, AcceptRuns& runs,
                                      const std::string& feature, const F& judge) {
  if (!subject.given_steps())
    return {{"", Outcome::not_applicable, "the method chooses its steps itself", ""}};
  const bool loose = newton_is_loose(subject, runs);
  return judge_each(
      subject, runs, feature,
      [&](const AcceptMechanism& mechanism) {
        return subject.steps(mechanism, subject.request().steps);
      },
      [&](const AcceptMechanism& mechanism, const CellResult& result) {
        AcceptFinding finding = judge(mechanism, result);
        if (loose && finding.judgement == Outcome::fail &&
            last_of(result, "error_q") < small_part * last_of(result, "size_q"))
          finding.cause = fmt::format("errors depend on the unit of length: {}", loose_newton);
        return finding;
      });
}

/// Errors so large that they say nothing of an order: but for slow mechanisms, on which no sound
/// method has them.
bool too_large(const AcceptMechanism& mechanism, const CellResult& result) {
  constexpr double part = 0.01;
  return !mechanism.has("slow") && (last_of(result, "error_q") > part * last_of(result, "size_q") ||
                                    last_of(result, "error_v") > part * last_of(result, "size_v"));
}

AcceptFinding found(const AcceptMechanism& mechanism, const CellResult& result,
                    const std::vector<Slope>& slopes) {
  AcceptFinding finding{mechanism.problem, Outcome::undecided, all_of(slopes), ""};
  if (too_large(mechanism, result)) {
    finding.seen += "; errors above 1 %: the steps are too large for this motion";
    return finding;
  }
  for (const Slope& slope : slopes) {
    if (slope.diverges()) finding.judgement = Outcome::fail;
    if (slope.sound()) finding.judgement = std::min(finding.judgement, Outcome::pass);
    if (slope.below()) finding.judgement = Outcome::fail;
  }
  return finding;
}

std::vector<AcceptFinding> judge_order(const AcceptSubject& subject, AcceptRuns& runs,
                                       const std::string& feature) {
  const bool plain = feature != "plain" && subject.given_steps() && plain_is_sound(subject, runs);
  return over_steps(subject, runs, feature,
                    [&](const AcceptMechanism& mechanism, const CellResult& result) {
                      const std::vector<Slope> slopes = slopes_of(subject, mechanism, result);
                      AcceptFinding finding = found(mechanism, result, slopes);
                      if (finding.judgement == Outcome::fail)
                        finding.cause = cause_of(subject, result, slopes, feature, plain);
                      return finding;
                    });
}

/// The smaller of the orders expected of q and v.
std::optional<int> order_of_motion(const AcceptSubject& subject) {
  const auto& [q, v, lambda] = subject.expected().order;
  return q && v ? std::optional(std::min(*q, *v)) : std::nullopt;
}

/// Of energy errors: terms of neighbouring orders cancel in parts, which hides up to one order.
std::optional<int> energy_order(const AcceptSubject& subject) {
  const std::optional<int> order = order_of_motion(subject);
  return order && *order > 1 ? std::optional(*order - 1) : order;
}

/// Inside a step: of the step or of the interpolant, whichever is lower.
std::optional<int> least_of(const std::optional<int>& step, int interpolant) {
  return step ? std::optional(std::min(*step, interpolant)) : std::nullopt;
}

}  // namespace

AcceptJudge order_on(const char* feature) {
  return [feature](const AcceptSubject& subject, AcceptRuns& runs) {
    return judge_order(subject, runs, feature);
  };
}

std::vector<AcceptFinding> judge_energy(const AcceptSubject& subject, AcceptRuns& runs) {
  return over_steps(
      subject, runs, "energy", [&](const AcceptMechanism& mechanism, const CellResult& result) {
        const Slope slope =
            slope_of(mechanism, result, "energy", "energy_error", energy_order(subject),
                     subject.round_off(1, last_of(result, "energy_size"), span_of(mechanism)));
        AcceptFinding finding = found(mechanism, result, {slope});
        if (finding.judgement == Outcome::fail)
          finding.cause = slope.stops()
                              ? "the energy error does not fall: a force, its sign or its time"
                              : "the energy error falls slower than q and v should";
        return finding;
      });
}

std::vector<AcceptFinding> judge_constraints(const AcceptSubject& subject, AcceptRuns& runs) {
  std::vector<AcceptFinding> findings;
  for (const char* feature : {"plain", "time", "rolling"})
    for (AcceptFinding& finding : over_steps(
             subject, runs, feature, [&](const AcceptMechanism&mechanism, const CellResult&result) {
               std::vector<Slope> slopes;
               for (std::size_t level : {0, 1}) {
                 const std::string name = level == 0 ? "position" : "velocity";
                 if (std::isnan(last_of(result, name + "_violation"))) continue;
                 const double size = subject.rounded_size(
                     level, {last_of(result, "size_q"), last_of(result, "size_v"), 0},
                     span_of(mechanism), 0);
                 slopes.push_back(
                     slope_of(mechanism, result, name + " level", name + "_violation",
                              level == 0 ? subject.expected().order[0] : order_of_motion(subject),
                              subject.round_off(level, std::max(size, 1.0), span_of(mechanism))));
               }
               if (slopes.empty())
                 return AcceptFinding{mechanism.problem, Outcome::not_applicable, "no constraints",
                                      ""};
               AcceptFinding finding = found(mechanism, result, slopes);
               if (finding.judgement != Outcome::fail) return finding;
               finding.cause = "violations do not fall with h: the motion leaves the constraints";
               constexpr double alone = 1e3;
               if (const double share = last_of(result, "row_share"); !(share < alone)) {
                 const auto names =
                     problem_registry().make(mechanism.problem).make<double>()->constraint_names();
                 const auto row = static_cast<std::size_t>(last_of(result, "row"));
                 finding.cause =
                     fmt::format("the constraint row {} is dropped or wrong: {}", names.at(row),
                                 std::isnan(share) ? "it is violated"
                                                   : fmt::format("violated {:.0e} times as much as "
                                                                 "any other",
                                                                 share));
               }
               return finding;
             }))
      if (std::none_of(findings.begin(), findings.end(), [&](const AcceptFinding& one) {
            return one.mechanism == finding.mechanism;
          }))
        findings.push_back(std::move(finding));
  return findings;
}

std::vector<AcceptFinding> judge_inside(const AcceptSubject& subject, AcceptRuns& runs) {
  const auto orders = inside_orders(subject.request().method);
  const auto here = orders.find(subject.request().formulation);
  if (here == orders.end())
    return {{"", Outcome::not_applicable, "no dense output in this formulation", ""}};
  const std::array stated = {here->second.q, here->second.v, here->second.lambda};
  const auto inside = [&](const AcceptMechanism& mechanism) {
    Cell cell = subject.steps(mechanism, subject.request().steps);
    cell.settings = subject.request().settings, cell.more = {{"inside", true}};
    return cell;
  };
  const auto judge = [&](const AcceptMechanism& mechanism, const CellResult& result) {
    std::vector<Slope> slopes;
    for (std::size_t part = 0; part < 3; ++part) {
      const std::string name = motion_parts[part];
      if (std::isnan(last_of(result, "error_" + name)) || stated[part] == 0) continue;
      constexpr double size = 10, newton = 1e-10;  // the tolerance of errors_inside
      RoundOff round_off = subject.round_off(part, size, span_of(mechanism));
      round_off.left = newton;
      slopes.push_back(slope_of(mechanism, result, name, "error_" + name,
                                least_of(subject.expected().order[part], stated[part]), round_off));
    }
    AcceptFinding finding = found(mechanism, result, slopes);
    if (finding.judgement == Outcome::fail)
      finding.cause = "values inside steps have a lower order than stated: the interpolant";
    return finding;
  };
  return judge_each(subject, runs, "event", inside, judge);
}

}  // namespace daemark
