// What must not matter: the frame, the unit of length and the order of the bodies. The same
// generated mechanism is run twice, and the second motion is put back into the first's terms.
#include <fmt/format.h>

#include <boost/math/constants/constants.hpp>
#include <cmath>
#include <map>

#include "analysis/run/run.hpp"
#include "base/text/read_double.hpp"
#include "experiments/accept/accept.hpp"
#include "methods/core/unit_dependence.hpp"
#include "problems/system/state_names.hpp"

namespace daemark {
namespace {

constexpr double turn = 2 * boost::math::constants::pi<double>() / 7, unit = 1000;

/// A state by the names of its components: q, v, λ.
using Named = std::array<std::map<std::string, double>, 3>;

Named named(const std::string& problem, const CellResult& result) {
  const StateNames names = state_names(problem_registry().make(problem));
  const std::array texts = {&result.q, &result.v, &result.lambda};
  const std::array of = {&names.q, &names.v, &names.lambda};
  Named state;
  for (std::size_t part = 0; part < 3; ++part)
    for (std::size_t i = 0; i < texts[part]->size(); ++i)
      state[part][of[part]->at(i)] = double_of((*texts[part])[i]);
  return state;
}

bool is_angle(const std::string& name) { return name.find("theta") != std::string::npos; }

/// The partner of a component along x: "v_x_1" of "v_y_1", "lambda_joint1_x".
std::string along(char axis, std::string name) {
  if (name.ends_with("_x") || name.ends_with("_y"))
    name.back() = axis;
  else
    name[name.find_first_of("xy")] = axis;
  return name;
}

Named turned_back(const Named& state) {
  Named out = state;
  const double c = std::cos(turn), s = std::sin(turn);
  for (std::size_t part = 0; part < 3; ++part)
    for (auto& [name, value] : out[part]) {
      if (is_angle(name)) {
        if (part == 0) value -= turn;
        continue;
      }
      const double x = state[part].at(along('x', name)), y = state[part].at(along('y', name));
      value = name == along('x', name) ? c * x + s * y : c * y - s * x;
    }
  return out;
}

Named in_metres(const Named& state) {
  Named out = state;
  for (auto& part : out)
    for (auto& [name, value] : part)
      if (!is_angle(name)) value /= unit;
  return out;
}

Named unchanged(const Named& state) { return state; }

double distance(const std::map<std::string, double>& a, const std::map<std::string, double>& b) {
  double sum = 0;
  for (const auto& [name, value] : a) sum += std::pow(value - b.at(name), 2);
  return std::sqrt(sum);
}

double length(const std::map<std::string, double>& a) {
  double sum = 0;
  for (const auto& [name, value] : a) sum += value * value;
  return std::sqrt(sum);
}

/// Of two runs; the springs turn a difference of positions into one of multipliers.
double round_off_apart(const AcceptSubject& subject, const CellResult& run, const Named& state,
                       std::size_t part) {
  constexpr double stiffness = 100, mass = 3;  // [N/m] the default of generated, [kg] its heaviest
  const double h = 1 / std::max(1.0, last_of(run, "steps"));
  const std::array sizes = {length(state[0]), length(state[1]), length(state[2])};
  const double of_part =
      subject.round_off(part, subject.rounded_size(part, sizes, 1, mass), 1).bound(h);
  return 2 *
         (part < 2 ? of_part : of_part + stiffness * subject.round_off(0, sizes[0], 1).bound(h));
}

AcceptFinding compared(const AcceptSubject& subject, const AcceptMechanism& mechanism,
                       const CellResult& one, const CellResult& other, const Named& a,
                       const Named& b, const char* cause, const std::string& why_not_invariant) {
  AcceptFinding finding{mechanism.problem, Outcome::pass, "", ""};
  const std::size_t parts = subject.given_steps() ? 3 : 2;
  for (std::size_t part = 0; part < parts; ++part) {
    const std::string name = motion_parts[part];
    if (a[part].empty()) continue;
    const double apart = distance(a[part], b[part]);
    const double tol = Expression::parse(subject.request().tol, "tol").eval<double>();
    const double allowed = subject.given_steps()
                               ? mechanism.growth * round_off_apart(subject, one, a, part)
                               : allowed_error(subject, mechanism, one, part, tol) +
                                     allowed_error(subject, mechanism, other, part, tol);
    finding.seen += fmt::format("{}{} differs by {:.1e}, threshold {:.1e}", part == 0 ? "" : "; ",
                                name, apart, allowed);
    if (apart <= allowed || finding.judgement == Outcome::fail) continue;
    // The motion may depend on what the method says it depends on, by no more than its errors.
    constexpr double of_errors = 10;
    const bool stated = !why_not_invariant.empty() && subject.given_steps() &&
                        apart <= of_errors * last_of(one, "error_" + name);
    finding.judgement = stated ? Outcome::known : Outcome::fail;
    finding.cause = stated ? why_not_invariant : cause;
  }
  return finding;
}

std::vector<AcceptFinding> against(const AcceptSubject& subject, AcceptRuns& runs,
                                   const std::string& argument, Named (*back)(const Named&),
                                   const char* cause, const std::string& why_not_invariant = "") {
  std::vector<AcceptFinding> findings;
  for (const AcceptMechanism& mechanism : accept_mechanisms()) {
    if (!mechanism.problem.starts_with("generated") || !mechanism.has("time")) continue;
    AcceptMechanism varied = mechanism;
    varied.problem.insert(varied.problem.size() - 1, "," + argument);
    const CellResult *one = runs(subject.typical(mechanism)),
                     *other = runs(subject.typical(varied));
    if (one == nullptr || other == nullptr) continue;
    if (auto finding = not_judged(subject, mechanism, *one)) {
      findings.push_back(*finding);
    } else if (!(last_of(*one, "error_q") < last_of(*one, "size_q"))) {
      findings.push_back(
          {mechanism.problem, Outcome::undecided, "errors are as large as the motion", ""});
    } else if (auto failed = not_judged(subject, varied, *other)) {
      if (subject.given_steps())
        failed->judgement = why_not_invariant.empty() ? Outcome::fail : Outcome::known,
        failed->cause = why_not_invariant.empty() ? cause : why_not_invariant;
      findings.push_back(*failed);
    } else {
      findings.push_back(compared(subject, mechanism, *one, *other, named(mechanism.problem, *one),
                                  back(named(varied.problem, *other)), cause, why_not_invariant));
    }
  }
  return findings;
}

}  // namespace

std::vector<AcceptFinding> judge_rotation(const AcceptSubject& subject, AcceptRuns& runs) {
  return against(subject, runs, "turn=1/7", turned_back,
                 "the motion depends on the frame: one axis is treated in its own way");
}

std::vector<AcceptFinding> judge_unit(const AcceptSubject& subject, AcceptRuns& runs) {
  if (!subject.given_steps())
    return {{"", Outcome::not_applicable, "absolute tolerances have a unit", ""}};
  const auto* stated = dynamic_cast<const DependsOnUnit*>(&subject.method());
  return against(subject, runs, "unit=1000", in_metres,
                 "the motion depends on the unit of length: an absolute number is hidden in a "
                 "tolerance, a difference quotient or a rounding",
                 stated ? stated->depends_on_unit() : "");
}

std::vector<AcceptFinding> judge_body_order(const AcceptSubject& subject, AcceptRuns& runs) {
  return against(subject, runs, "order=5", unchanged,
                 "the motion depends on the order of the bodies: an index or a pivot");
}

}  // namespace daemark
