#include "experiments/accept/accept.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <cmath>
#include <limits>

#include "analysis/exact/theory/rosenbrock.hpp"
#include "analysis/exact/theory/second_order.hpp"
#include "analysis/linear/stability_function.hpp"
#include "analysis/orders/expected_orders.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/read_double.hpp"
#include "experiments/cells/support/integration.hpp"
#include "problems/formulations/formulation.hpp"

namespace daemark {
namespace {

/// Whether the method can take the mechanism in the formulation at all.
std::string refusal_of(const AcceptRequest& request, const std::string& formulation,
                       const AcceptMechanism& mechanism) {
  RunRequest run;
  run.problem = mechanism.problem, run.formulation = formulation, run.method = request.method;
  run.t_end = Expression::parse(mechanism.t_end, "t_end");
  run.h = Expression::parse(fmt::format("({})/64", mechanism.t_end), "h");
  run.settings = request.settings;
  try {
    const BoundRun bound(run);
  } catch (const BadInput& refusal) {
    return refusal.what();
  }
  return "";
}

/// The one that is asked for, or the first of those in which the method takes most mechanisms.
/// Throws BadInput with the last refusal where there is none.
std::string chosen_formulation(const AcceptRequest& request) {
  const std::vector<std::string> tried =
      request.formulation.empty()
          ? std::vector<std::string>{"index1", "index2", "index3", "minimal"}
          : std::vector<std::string>{Formulation::parse(request.formulation).name()};
  std::string refusal, best;
  int most = 0;
  for (const std::string& formulation : tried) {
    int taken = 0;
    for (const AcceptMechanism& mechanism : accept_mechanisms()) {
      if (!mechanism.has("energy")) continue;  // of every kind, and quick to make
      const std::string why = refusal_of(request, formulation, mechanism);
      taken += why.empty() ? 1 : 0;
      if (!why.empty()) refusal = why;
    }
    if (taken > most) most = taken, best = formulation;
  }
  if (best.empty()) throw BadInput(refusal);
  return best;
}

/// Σ |bᵀA⁻²|: what a step makes of the roundings of its stages' positions in velocities. Without an
/// explicit first stage, whose row is 0 and whose positions are the last step's.
double sum_of_differences(const WideTableau& tableau) {
  const int first = tableau.A[0] == std::vector<wide>(tableau.A[0].size()) ? 1 : 0;
  const int n = tableau.stages() - first;
  Eigen::MatrixXd A(n, n);
  Eigen::VectorXd b(n);
  for (int i = 0; i < n; ++i) {
    b(i) = to_double(tableau.b[i + first]);
    for (int j = 0; j < n; ++j) A(i, j) = to_double(tableau.A[i + first][j + first]);
  }
  const Eigen::PartialPivLU<Eigen::MatrixXd> turned(A.transpose());
  return turned.solve(turned.solve(b)).cwiseAbs().sum();
}

/// What theory promises, or what the author claims where that is more: the coefficients of a method
/// with a wrong one have no say in what it should be.
AcceptSubject::Expected expectation(const AcceptRequest& request, const Method& method, int index) {
  const ExpectedOrders known =
      slopes_expected(request.method, request.formulation, request.settings);
  AcceptSubject::Expected out{{known.q, known.v, known.lambda}, known.reason};
  const std::optional<int> claimed =
      request.order ? request.order
                    : method_registry().info(parse_call(request.method, "method").id).claims.order;
  const bool starts =
      method.starting_procedure(parse_settings(request.settings, Precision::in_double)).has_value();
  if (!claimed || starts || index > 1 || (known.q && *known.q >= *claimed && !request.order))
    return out;
  const bool all = request.order || method.as<std::monostate>() == nullptr;
  for (std::size_t part = 0; part < (all ? 3 : 1); ++part) out.order[part] = claimed;
  out.reason = request.order ? "--order" : fmt::format("order {}, as the method claims", *claimed);
  return out;
}

/// The last state is the start, to round-off, and its error a thousand times as large.
bool stands_still(const AcceptSubject& subject, const AcceptMechanism& mechanism,
                  const CellResult& result) {
  constexpr double far = 1e3;
  const auto made = problem_registry().make(mechanism.problem).make<double>();
  std::vector<double> q(static_cast<std::size_t>(made->coordinates())), v(q.size());
  made->initial(q.data(), v.data());
  if (result.q.size() != q.size()) return false;  // of dense output alone
  double moved = 0, size = 1;
  for (const double x : q) size = std::max(size, std::abs(x));
  for (std::size_t i = 0; i < q.size(); ++i)
    if (const double d = std::abs(double_of(result.q[i]) - q[i]); !(d <= moved)) moved = d;
  const double steps = std::max(1.0, last_of(result, "steps"));
  const double still = subject.round_off(0, size, 1).bound(1 / steps);
  return moved <= still && last_of(result, "error_q") > far * still;
}

constexpr const char* falls =
    "the nearest whole number to the slope of error over h, in the range where neighbouring "
    "slopes differ by at most 1/4, is at least the expected order";
constexpr const char* alike =
    "both runs differ by at most the round-off of their steps: 100 roundings a step, relative to "
    "the size of the quantity, a factor 1/h for each differentiation of the constraints, and the "
    "growth L of the motion; multipliers also by what springs make of differences of positions";

CheckReport reported(const AcceptSubject& subject, AcceptRuns& runs, const AcceptCheck& check) {
  CheckReport report{&check, Outcome::not_applicable, "", check.judge(subject, runs)};
  if (const std::string why = subject.instability(); !why.empty())
    for (AcceptFinding& finding : report.findings)
      if (finding.judgement == Outcome::fail)
        finding.judgement = Outcome::known, finding.cause = why;
  for (const AcceptFinding& finding : report.findings)
    report.judgement = std::min(report.judgement, finding.judgement);
  for (const AcceptFinding& finding : report.findings)
    if (finding.judgement == report.judgement && report.cause.empty() &&
        report.judgement != Outcome::pass)
      report.cause = finding.cause.empty() ? finding.seen : finding.cause;
  return report;
}

}  // namespace

AcceptSubject::AcceptSubject(AcceptRequest request) : request_(std::move(request)) {
  method_ = method_registry().make(request_.method);
  request_.method = method_registry().bind(request_.method).canonical();
  const Settings settings = parse_settings(request_.settings, Precision::in_double);
  for (const std::string& id : request_.only) {
    std::string known;
    bool found = false;
    for (const AcceptCheck& check : accept_checks()) {
      found = found || id == check.id;
      known += (known.empty() ? "" : ", ") + std::string(check.id);
    }
    if (!found) throw BadInput(fmt::format("--only: no check '{}'; accepted: {}", id, known));
  }
  request_.formulation = chosen_formulation(request_);
  const Formulation formulation = Formulation::parse(request_.formulation);
  index_ = formulation.info.minimal ? 0 : formulation.info.index;
  takes_tolerance_ = daemark::takes_tolerance(request_.method) &&
                     (method_->owns_loop() || method_->control_refusal(index_).empty());
  // Of the tolerance the kit sets: one that was asked for must not widen the thresholds.
  const double tol = NewtonSettings{}.tol;
  newton_ = settings.newton.simplified ? tol / 20 : tol * tol;
  claims_ = method_registry().info(parse_call(request_.method, "method").id).claims;
  expected_ = expectation(request_, *method_, index_);
  constexpr double on_rim = 1 - 1e-9;
  if (const WideTableau* tableau = method_->tableau();
      tableau != nullptr && index_ == 3 && !method_->is_explicit() && *at_infinity() > on_rim)
    carried_ = std::max(1.0, sum_of_differences(*tableau));
}

std::optional<double> AcceptSubject::at_infinity() const {
  if (const WideTableau* tableau = method_->tableau()) return modulus_at_infinity(*tableau);
  if (const auto* formula = method_->coefficients(MethodKind::multistep))
    return modulus_at_infinity(*formula);
  if (const auto* step = method_->as<ExactSecondOrder>()) return exact::modulus_at_infinity(*step);
  return std::nullopt;
}

std::string AcceptSubject::instability() const {
  constexpr double outside = 1 + 1e-9;
  if (index_ < 2 || claims_.a_stable.value_or(true)) return "";
  const std::optional<double> root = at_infinity();
  if (!root || *root < outside) return "";
  return fmt::format(
      "|R(infinity)| = {:.3g}: in index {} what a step leaves off the constraints grows by that "
      "factor in every step (the method claims no unconditional stability)",
      *root, index_);
}

bool AcceptSubject::blind_on_linear() const {
  const Coefficients* method = method_->coefficients(MethodKind::rosenbrock);
  return method != nullptr && exact::is_blind_on_linear(*method);
}

bool AcceptSubject::is_program() const {
  return method_registry().info(parse_call(request_.method, "method").id).outside != nullptr;
}

Cell AcceptSubject::steps(const AcceptMechanism& mechanism, const std::vector<int>& counts) const {
  Cell cell;
  cell.kind = "acceptance";
  cell.problem = mechanism.problem, cell.t_end = mechanism.t_end;
  cell.formulation = request_.formulation, cell.method = request_.method;
  for (const int count : counts) {
    const auto h = Expression::parse(fmt::format("({})/{}", mechanism.t_end, count), "h");
    cell.h.push_back(h.is_rational() ? h.as_rational().str() : h.text());
  }
  cell.settings = request_.settings;
  // Its increments end Newton's iteration; the solver of multipliers ends by the violation itself.
  const bool quadratic =
      method_registry().info(parse_call(request_.method, "method").id).kind != "multiplier";
  cell.settings.emplace("newton.tol", quadratic ? "strict" : "1/10^15");
  cell.more["times"] = mechanism.times;
  return cell;
}

Cell AcceptSubject::controlled(const AcceptMechanism& mechanism, const std::string& tol,
                               int outputs) const {
  Cell cell = steps(mechanism, {outputs});
  cell.settings = request_.settings;
  return with_tolerance(cell, tol);
}

Cell AcceptSubject::typical(const AcceptMechanism& mechanism, int count) const {
  return given_steps() ? steps(mechanism, {count}) : controlled(mechanism, request_.tol);
}

RoundOff AcceptSubject::round_off(std::size_t part, double size, double span) const {
  const int level = static_cast<int>(part);
  return {unit_roundoff(Precision::in_double), size,    span,
          round_off_power(level, index_),      newton_, size * unit_roundoff(Precision::in_double)};
}

double AcceptSubject::rounded_size(std::size_t part, const std::array<double, 3>& sizes,
                                   double span, double mass) const {
  const std::size_t given = index_ < 2 ? part : std::min<std::size_t>(part, index_ == 2 ? 1 : 0);
  const double differences =
      carried_ * sizes[given] / std::pow(span, static_cast<double>(part - given));
  return std::max(sizes[part], part == 2 && given < 2 ? mass * differences : differences);
}

const char* name_of(Outcome judgement) {
  static const char* const names[] = {"fail",          "known property", "pass",
                                      "could not run", "undecided",      "not applicable"};
  return names[static_cast<int>(judgement)];
}

const CellResult* AcceptRuns::operator()(const Cell& cell) {
  const FixedCell fixed(cell);
  const std::string& name = canonical(fixed);
  asked_.emplace(name, fixed);
  const auto found = results_.find(name);
  return found == results_.end() ? nullptr : &found->second;
}

std::vector<FixedCell> AcceptRuns::open() const {
  std::vector<FixedCell> cells;
  for (const auto& [name, cell] : asked_)
    if (!results_.contains(name)) cells.push_back(cell);
  return cells;
}

void AcceptRuns::take(const std::map<std::string, CellResult>& results) {
  results_.insert(results.begin(), results.end());
}

std::optional<AcceptFinding> not_judged(const AcceptSubject& subject,
                                        const AcceptMechanism& mechanism,
                                        const CellResult& result) {
  if (result.ok() && stands_still(subject, mechanism, result))
    return AcceptFinding{
        mechanism.problem, Outcome::fail,
        fmt::format("the state at the end is the start, error {:.1e}", last_of(result, "error_q")),
        "the solver stands still: it returns the start"};
  if (result.ok()) return std::nullopt;
  const bool cannot = result.status == "refused" || result.status == "cannot_express";
  return AcceptFinding{
      mechanism.problem,
      cannot ? Outcome::not_applicable : Outcome::could_not_run,
      result.why.empty() ? result.status : fmt::format("{}: {}", result.status, result.why),
      {}};
}

std::vector<AcceptFinding> judge_each(
    const AcceptSubject& subject, AcceptRuns& runs, const std::string& feature,
    const std::function<Cell(const AcceptMechanism&)>& cell_of,
    const std::function<AcceptFinding(const AcceptMechanism&, const CellResult&)>& judge) {
  std::vector<AcceptFinding> findings;
  for (const AcceptMechanism& mechanism : accept_mechanisms()) {
    if (!mechanism.has(feature)) continue;
    const CellResult* result = runs(cell_of(mechanism));
    if (result == nullptr) continue;
    const auto nothing = not_judged(subject, mechanism, *result);
    findings.push_back(nothing ? *nothing : judge(mechanism, *result));
  }
  return findings;
}

double last_of(const CellResult& result, const std::string& series) {
  const auto found = result.series.find(series);
  return found == result.series.end() || found->second.empty()
             ? std::numeric_limits<double>::quiet_NaN()
             : found->second.back();
}

const std::vector<AcceptCheck>& accept_checks() {
  static const std::vector<AcceptCheck> all = {
      {"order", "Do errors fall as expected where nothing depends on time?", falls,
       order_on("plain")},
      {"time", "Do they where forces or constraints depend on time?", falls, order_on("time")},
      {"stiff", "Do they with stiff springs?", falls, order_on("stiff")},
      {"redundant", "Do they with redundant constraints?", falls, order_on("redundant")},
      {"rolling", "Do they with velocity-level constraints?", falls, order_on("rolling")},
      {"space", "Do they with rotations in space?", falls, order_on("space")},
      {"energy", "Does the energy error fall like the errors of q and v?",
       "energy is a function of q and v: its order is at least the smaller of theirs, less one for "
       "terms that cancel in parts",
       judge_energy},
      {"constraints", "Do constraint violations stay at round-off or fall like the errors?",
       "Phi is a function of q, its rate of q and v: their orders are at least those of q, and of "
       "q and v",
       judge_constraints},
      {"inside", "Is the dense output of the order it states?", falls, judge_inside},
      {"tolerance", "Do errors follow the tolerance over five decades?",
       "each step may add the tolerance, (1 + |y|) tol in each component, which grows by at most "
       "the growth of the motion: N steps, growth L, n components: N L sqrt(n) (1 + |y|) tol",
       judge_tolerance},
      {"estimate", "Does the error estimate fall with the power of h it should?",
       "the number of steps grows as tol^(-1/p); the power of h in the estimate that follows is at "
       "most 1/2 below the method's",
       judge_estimate},
      {"rotation", "Does a turned frame give the turned motion?", alike, judge_rotation},
      {"unit", "Do millimetres give the same motion as metres?", alike, judge_unit},
      {"bodies", "Does the order of the bodies matter?", alike, judge_body_order},
      {"events", "Are events where the motion has them?",
       "the error of the time, times the speed there, is at most 10 times the error of the "
       "positions of the same run: the search restarts the method with a shorter step",
       judge_events},
      {"start", "What becomes of an inconsistent start?",
       "refused, a status, or violations of at most twice the sum of Phi + t Phi' of the start, "
       "which the second derivative of the constraints keeps, and of those from a sound start",
       judge_start},
      {"failure", "Is a wrong result ever reported as ok?",
       "ok means finite numbers, the constraint level that the method satisfies to round-off "
       "elsewhere, and with a tolerance errors within the bound of the check tolerance and 1 %",
       judge_failure},
  };
  return all;
}

int AcceptReport::count(Outcome judgement) const {
  return static_cast<int>(std::count_if(checks.begin(), checks.end(), [&](const CheckReport& one) {
    return one.judgement == judgement;
  }));
}

std::optional<AcceptReport> accept(const AcceptSubject& subject,
                                   const std::function<bool(AcceptRuns&)>& run) {
  std::vector<const AcceptCheck*> chosen;
  const std::vector<std::string>& only = subject.request().only;
  for (const AcceptCheck& check : accept_checks())
    if (only.empty() || std::find(only.begin(), only.end(), check.id) != only.end())
      chosen.push_back(&check);
  AcceptRuns runs;
  for (const AcceptCheck* check : chosen) check->judge(subject, runs);
  if (!run(runs)) return std::nullopt;
  AcceptReport report;
  for (const AcceptCheck* check : chosen) report.checks.push_back(reported(subject, runs, *check));
  return report;
}

}  // namespace daemark
