// Tolerances: whether errors follow them, and whether the estimate falls as it should.
#include <fmt/format.h>

#include <cmath>

#include "analysis/run/run.hpp"
#include "experiments/accept/accept.hpp"
#include "methods/core/estimate_order.hpp"

namespace daemark {
namespace {

const std::vector<std::string> decades = {"1/1000",    "1/10000",    "1/100000",
                                          "1/1000000", "1/10000000", "1/100000000"};

double tolerance_of(const std::string& text) {
  return Expression::parse(text, "tolerance").eval<double>();
}

/// Runs of one mechanism over the decades; `judge` gets those that finished.
template <class F>
std::vector<AcceptFinding> over_decades(const AcceptSubject& subject, AcceptRuns& runs,
                                        const F& judge) {
  if (!subject.takes_tolerance())
    return {{"", Outcome::not_applicable, "the method takes no tolerance here", ""}};
  std::vector<AcceptFinding> findings;
  for (const AcceptMechanism& mechanism : accept_mechanisms()) {
    if (!mechanism.has("tolerance")) continue;
    std::vector<double> tols;
    std::vector<const CellResult*> results;
    std::optional<AcceptFinding> failed;
    bool known = true;
    for (const std::string& tol : decades) {
      const CellResult* result = runs(subject.controlled(mechanism, tol));
      known = known && result != nullptr;
      if (result == nullptr) continue;
      if (auto finding = not_judged(subject, mechanism, *result)) {
        failed = finding;
        continue;
      }
      tols.push_back(tolerance_of(tol)), results.push_back(result);
    }
    if (!known) continue;
    findings.push_back(results.size() < 3 ? *failed : judge(mechanism, tols, results));
  }
  return findings;
}

/// The power of an estimate e²/(e + 0.01 e_low), of a method with a second, lower formula, where e
/// is the larger part: that of e, which steps at most tolerances show; with smaller ones it grows
/// to the method's. `power` of the others.
int least_power(const AcceptSubject& subject, int power) {
  const Coefficients* method = subject.method().coefficients(MethodKind::half_explicit);
  return method != nullptr && method->has("b_low")
             ? std::min(power, order_of_difference(half_explicit_numbers(*method).stages))
             : power;
}

}  // namespace

double allowed_error(const AcceptSubject& subject, const AcceptMechanism& mechanism,
                     const CellResult& result, std::size_t part, double tol) {
  const std::string name = motion_parts[part];
  const double size = last_of(result, "size_" + name),
               steps = std::max(1.0, last_of(result, "steps"));
  const double span = Expression::parse(mechanism.t_end, "t_end").eval<double>();
  const double components = static_cast<double>((part == 0 ? result.q : result.v).size());
  return steps * mechanism.growth * std::sqrt(components) * (1 + size) * tol +
         subject.round_off(part, size, span).bound(span / steps);
}

std::vector<AcceptFinding> judge_tolerance(const AcceptSubject& subject, AcceptRuns& runs) {
  return over_decades(
      subject, runs,
      [&](const AcceptMechanism& mechanism, const std::vector<double>& tols,
          const std::vector<const CellResult*>& results) {
        AcceptFinding finding{mechanism.problem, Outcome::pass, "", ""};
        double worst = 0;
        for (std::size_t part : {0, 1}) {
          std::vector<double> errors;
          for (std::size_t k = 0; k < tols.size(); ++k) {
            const double error = last_of(*results[k], std::string("error_") + motion_parts[part]);
            errors.push_back(error);
            const double allowed = allowed_error(subject, mechanism, *results[k], part, tols[k]);
            worst = std::max(worst, error / allowed);
          }
          finding.seen +=
              fmt::format("{}{}: error/tol {:.2g} to {:.2g}, slope {:.2f}", part == 0 ? "" : "; ",
                          motion_parts[part], errors.front() / tols.front(),
                          errors.back() / tols.back(), log_log_slope(tols, errors));
        }
        finding.seen += fmt::format("; at most {:.2g} of the threshold", worst);
        if (worst <= 1) return finding;
        if (mechanism.has("linear") && subject.blind_on_linear()) {
          finding.judgement = Outcome::known;
          finding.cause =
              "on linear equations the estimate is 0: the embedded formula has the same stability "
              "function, by the exact coefficients";
          return finding;
        }
        finding.judgement = Outcome::fail;
        finding.cause = fmt::format(
            "errors are up to {:.1g} times what the tolerance allows: the estimate is too small, "
            "by its error constant or its embedded weights",
            worst);
        return finding;
      });
}

std::vector<AcceptFinding> judge_estimate(const AcceptSubject& subject, AcceptRuns& runs) {
  if (!subject.given_steps())
    return {{"", Outcome::not_applicable, "the method chooses its order or steps itself", ""}};
  const ControlOrders orders = subject.method().control_orders(subject.index());
  // By its author's claim, where the coefficients give less: they may be wrong.
  const Claims& claims = subject.claims();
  const int claimed = subject.index() < 2 && claims.order && claims.embedded_order
                          ? std::min(*claims.order, *claims.embedded_order) + 1
                          : 0;
  const int expected = std::max(orders.estimate, claimed), least = least_power(subject, expected);
  return over_decades(
      subject, runs,
      [&](const AcceptMechanism& mechanism, const std::vector<double>& tols,
          const std::vector<const CellResult*>& results) {
        // h as tol^(1/error order), where the estimate falls with the power it should.
        std::vector<double> fine, steps;
        for (std::size_t k = 0; k < tols.size(); ++k) {
          constexpr double fewest = 12;  // three between two output points
          const double made = last_of(*results[k], "steps");
          if (made >= fewest) fine.push_back(tols[k]), steps.push_back(made);
        }
        if (fine.size() < 3)
          return AcceptFinding{mechanism.problem, Outcome::undecided,
                               "too few steps at every tolerance", ""};
        const std::vector<double> last_tols(fine.end() - 3, fine.end()),
            last_steps(steps.end() - 3, steps.end());
        const double slope = -log_log_slope(last_tols, last_steps);
        const double power = orders.estimate / (orders.error * slope);
        AcceptFinding finding{
            mechanism.problem, Outcome::pass,
            fmt::format("h^{:.2f}, expected h^{}{}; {:.0f} to {:.0f} steps", power,
                        least < expected ? fmt::format("{} to h^", least) : "", orders.estimate,
                        steps.front(), steps.back()),
            ""};
        if (power < least - 0.5) {
          finding.judgement = Outcome::fail;
          finding.cause = fmt::format(
              "the error estimate falls with h^{:.1f} instead of h^{}: embedded weights (b hat)",
              power, expected);
        }
        return finding;
      });
}

}  // namespace daemark
