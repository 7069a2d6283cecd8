#include "analysis/reference/routes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/reference/taylor_reference.hpp"
#include "base/program/progress.hpp"
#include "base/program/stop.hpp"
#include "methods/loop/integrator.hpp"
#include "problems/system/index_one_solve.hpp"

namespace daemark {
namespace {

/// Dense pivoting beyond this size costs more than the whole sparse integration.
constexpr int most_unknowns = 60;
/// Digits that double can be hoped to give after some thousand steps.
constexpr int digits_of_double = 10;
/// Steps × unknowns of one integration, a minute or two: real50 costs sixty times more.
constexpr double most_work_double = 3e7, most_work_real50 = 5e5;

/// Products of numbers of a series, some ten seconds.
constexpr double most_products = 1.5e8;

int most_digits(Precision precision) {
  return precision == Precision::in_double ? 14 : most_reference_digits;
}

/// The multipliers of the problem's own model, where the series' model has none of them.
void add_multipliers(const Problem& problem, const real50& t, Motion& motion) {
  const auto own = problem.make<real50>();
  const int n = own->coordinates();
  std::vector<real50> q(n), v(n), a(n), chart(own->chart_size());
  own->from_reference(motion.q.data(), motion.v.data(), q.data(), v.data(), chart.data());
  motion.lambda.resize(own->constraints());
  const ConstraintWeights<real50> accelerations{real50(0), real50(0), real50(1)};
  if (!IndexOneSolve<real50>(*own).solve(*own,
                                         {t, q.data(), v.data(), nullptr, nullptr, chart.data()},
                                         accelerations, a.data(), motion.lambda.data()))
    throw TaylorFailure("the constraints are singular at an output time");
}

BoundRun bind_route(const Problem& problem, const std::string& method, const char* formulation,
                    Precision precision, std::map<std::string, std::string> settings,
                    const Expression& end) {
  RunRequest request;
  request.problem = problem.name;
  request.formulation = formulation, request.method = method;
  request.precision = precision, request.settings = std::move(settings);
  request.t_end = end;  // one step long: steps are made here
  request.h = problem.start.is_rational() && problem.start.as_rational() == 0
                  ? end
                  : Expression::parse(fmt::format("({})-({})", end.text(), problem.start.text()),
                                      "reference");
  return {std::move(request), problem};
}

/// With the multipliers that follow from q and v: those of the step are of a lower order.
template <class S>
State<S> of_state(const BoundSystem<S>& model, State<S> state) {
  const State<S> own = state;
  const bool regular =
      model.system->explicit_rates(state.y.data(), state.rate.data(), state.t, state.chart.data());
  return regular ? state : own;
}

/// Controlled steps, or about `equal` ones to the last time.
template <class S>
std::vector<RoutePoint> integrate_in(const BoundRun& run, const std::vector<Expression>& times,
                                     long equal) {
  BoundSystem<S> model(run);
  const int m = model.mechanism->constraints();
  State<S> state = initial_state(run, model);
  const S begin = state.t, span = times.back().eval<S>() - begin;
  const double unknowns = model.mechanism->coordinates() + m;
  const auto most_steps = static_cast<long>(
      (std::is_same_v<S, double> ? most_work_double : most_work_real50) / unknowns);
  if (equal > most_steps) return {};
  long steps = 0;
  const auto step_made = [&](const S& t) {
    checkpoint();
    tell_progress("integration", to_double(S((t - begin) / span)));
    if (++steps > most_steps && equal == 0)
      throw TaylorFailure(fmt::format("t = {} is not reached in {} steps of {}, but {:.6g}",
                                      times.back().text(), most_steps, run.request.method,
                                      to_double(t)));
  };
  std::vector<RoutePoint> points;
  for (const Expression& time : times) {
    const S length = time.eval<S>() - state.t;
    constexpr long least = 4;
    const long count = equal == 0
                           ? 1
                           : std::max(least, std::lround(std::ceil(to_double(S(length / span)) *
                                                                   static_cast<double>(equal))));
    const auto integrator = make_integrator<S>(*run.method, model.target(), run.settings);
    if (equal == 0) integrator->watch_steps([&](const State<S>& end) { step_made(end.t); });
    integrator->start(state, {state.t, S(length / count), count});
    for (long i = 0; i < count; ++i) {
      if (integrator->advance().status != Status::ok) return points;
      if (equal != 0) step_made(integrator->state().t);
    }
    state = integrator->state();
    points.push_back({shown(*model.mechanism, model.motion(of_state(model, state)), m),
                      fmt::format("{} on {} in {}, {} steps", run.request.method,
                                  run.request.formulation, name_of(run.request.precision), steps)});
  }
  return points;
}

std::vector<RoutePoint> integrate(const BoundRun& run, const std::vector<Expression>& times,
                                  long equal = 0) {
  return with_scalar(run.request.precision,
                     [&]<class S>() { return integrate_in<S>(run, times, equal); });
}

/// In equal steps, `first` of them to the last time and then as many more as a method of that order
/// needs for the digits that are missing.
Route equal_steps(const Problem& problem, const std::vector<Expression>& times,
                  const std::string& method, const char* formulation, Precision precision,
                  const std::map<std::string, std::string>& settings, int order,
                  std::shared_ptr<const long> first) {
  return [=, steps = 0.0, last = 0](int digits) mutable -> std::vector<RoutePoint> {
    constexpr double least_growth = 1.25, most_growth = 4;
    steps = last == 0
                ? static_cast<double>(std::max(1L, *first))
                : steps * std::clamp(std::pow(10.0, static_cast<double>(digits - last) / order),
                                     least_growth, most_growth);
    last = digits;
    return integrate(bind_route(problem, method, formulation, precision, settings, times.back()),
                     times, std::lround(steps));
  };
}

bool full_rank(const MechanicalSystem<double>& mechanism) {
  return mechanism.rank() == mechanism.constraints();
}

Precision precision_for(const Problem& problem, const MechanicalSystem<double>& mechanism,
                        int digits) {
  const bool wider = problem.absolute.in_real50 && digits > digits_of_double;
  return wider && full_rank(mechanism) ? Precision::in_real50 : Precision::in_double;
}

template <class S>
Motion start_in(const BoundRun& run, int nudge) {
  BoundSystem<S> model(run);
  State<S> state = initial_state(run, model);
  const int n = model.mechanism->coordinates();
  const S factor = S(1) + S(nudge) * S(unit_roundoff<S>());
  for (int i = 0; i < 2 * n; ++i) state.y[i] *= factor;
  if (nudge != 0)
    model.system->explicit_rates(state.y.data(), state.rate.data(), state.t, state.chart.data());
  return shown(*model.mechanism, model.motion(state), model.mechanism->constraints());
}

}  // namespace

int digits_within_reach(const Problem& problem) {
  return most_digits(precision_for(problem, *problem.make<double>(), most_reference_digits));
}

bool has_series(const Problem& problem) {
  const MechanismMakers& makers = problem.series.in_real50 ? problem.series : problem.absolute;
  if (!makers.in_real50) return false;
  const auto mechanism = makers.in_real50();
  return mechanism->has_record() && !mechanism->forces_of_multipliers() &&
         mechanism->coordinates() + mechanism->constraints() <= most_unknowns;
}

Route closed_form(const Problem& problem, const std::vector<Expression>& times) {
  const auto mechanism = problem.make<double>();
  std::vector<RoutePoint> points;
  for (const Expression& t : times) {
    Motion motion{std::vector<real50>(mechanism->reference_coordinates()), {}, {}};
    motion.v.resize(motion.q.size()), motion.lambda.resize(mechanism->constraints());
    problem.closed_form(t.eval<real50>(), motion.q.data(), motion.v.data(), motion.lambda.data());
    points.push_back({std::move(motion), "closed form"});
  }
  return [points](int) { return points; };
}

Route collocation(const Problem& problem, const std::vector<Expression>& times, const char* family,
                  const char* formulation, Precision precision) {
  return [=, last = 0](int digits) mutable -> std::vector<RoutePoint> {
    const int accuracy = std::min(digits + 3, most_digits(precision));
    if (accuracy == last) return {};
    last = accuracy;
    const int stages = std::clamp(digits / 3 + 2, 3, 16);
    return integrate(
        bind_route(problem, fmt::format("{}({})", family, stages), formulation, precision,
                   {{"control.tol", fmt::format("1e-{}", accuracy)}}, times.back()),
        times);
  };
}

std::array<Route, 2> with_series(const Problem& problem, const std::vector<Expression>& times,
                                 int digits) {
  const int m = problem.make<real50>()->constraints();
  std::vector<real50> at;
  for (const Expression& t : times) at.push_back(t.eval<real50>());
  const auto steps = std::make_shared<long>(0);
  const Route series = [=, last = 0](int asked) mutable -> std::vector<RoutePoint> {
    const int accuracy = std::min(asked + 3, 50);
    if (accuracy == last) return {};
    last = accuracy;
    const auto mechanism =
        problem.series.in_real50 ? problem.series.in_real50() : problem.make<real50>();
    std::vector<real50> q(mechanism->coordinates()), v(q.size());
    mechanism->initial(q.data(), v.data());
    TaylorIntegrator<real50> integrator(*mechanism, 0, accuracy);
    const int most_steps = static_cast<int>(
        most_products / (integrator.operations() * std::pow(integrator.order(), 2) / 2));
    std::vector<RoutePoint> points;
    for (const TaylorState<real50>& s :
         integrator.integrate(problem.start.eval<real50>(), q, v, at, most_steps)) {
      const bool has_all = mechanism->constraints() >= m;
      points.push_back(
          {shown(*mechanism, {s.t, s.q.data(), s.v.data(), s.a.data(), s.lambda.data(), nullptr},
                 has_all ? m : 0),
           problem.series.in_real50 ? "Taylor series of a second model" : "Taylor series"});
      if (!has_all) add_multipliers(problem, s.t, points.back().motion);
    }
    *steps = integrator.steps();
    return points;
  };
  constexpr int stages = 24, worth_equal_steps = 32;
  if (digits < worth_equal_steps) return {series, integrations(problem, times, digits)[1]};
  // Corrections by factors in double gain 13 digits each: after one of 1e-40 none is left to gain.
  return {
      series,
      equal_steps(problem, times, fmt::format("gauss({})", stages), "index1", Precision::in_real50,
                  {{"predictor", "extrapolated"}, {"newton.tol", "1e-40"}}, 2 * stages, steps)};
}

std::array<Route, 2> integrations(const Problem& problem, const std::vector<Expression>& times,
                                  int digits) {
  const auto mechanism = problem.make<double>();
  if (full_rank(*mechanism)) {
    const Precision precision = precision_for(problem, *mechanism, digits);
    const bool stabilised = mechanism->constraints() > 0 && mechanism->velocity_rows() == 0;
    return {collocation(problem, times, "gauss", "index1", precision),
            collocation(problem, times, "radau_iia", stabilised ? "ggl" : "index1", precision)};
  }
  return equal_integrations(problem, times, digits);
}

std::array<Route, 2> equal_integrations(const Problem& problem,
                                        const std::vector<Expression>& times, int digits) {
  const auto mechanism = problem.make<double>();
  const auto in_steps = [&](const std::string& method, const char* formulation, Precision precision,
                            int order) {
    return equal_steps(problem, times, method, formulation, precision, {{"newton.tol", "strict"}},
                       order, std::make_shared<long>(16));
  };
  if (full_rank(*mechanism)) {
    const Precision precision = precision_for(problem, *mechanism, digits);
    return {
        in_steps("gauss(6)", "index1", precision, 12),
        in_steps("radau_iia(6)", mechanism->constraints() > 0 ? "ggl" : "index1", precision, 11)};
  }
  if (mechanism->chart_size() > 0)
    throw TaylorFailure(
        "it has redundant constraints and spatial rotations, for which daemark has no two "
        "independent high-order methods");
  const auto in_tangent_space = [&](const char* inner, int order) {
    return in_steps(fmt::format("tangent_space(inner={},form=null_space)", inner), "index3",
                    Precision::in_double, order);
  };
  return {in_tangent_space("radau_iia(4)", 7), in_tangent_space("lobatto_iiic(4)", 6)};
}

RoutePoint start_of_motion(const Problem& problem, int digits, int& agreed_digits) {
  const auto mechanism = problem.make<double>();
  const Precision precision = precision_for(problem, *mechanism, digits);
  const Expression later =
      Expression::parse(fmt::format("({})+1", problem.start.text()), "reference");
  const BoundRun bound =
      full_rank(*mechanism)
          ? bind_route(problem, "gauss(6)", "index1", precision, {}, later)
          : bind_route(problem, "tangent_space(inner=radau_iia(4),form=null_space)", "index3",
                       precision, {}, later);
  const auto start = [&](int nudge) {
    return with_scalar(precision, [&]<class S>() { return start_in<S>(bound, nudge); });
  };
  const Motion motion = start(0);
  // The multipliers come from one solve; moved by a rounding they show what it amplifies.
  agreed_digits = agreement(motion, start(1), unit_roundoff(precision),
                            precision == Precision::in_double ? 15 : most_reference_digits);
  return {motion, fmt::format("initial values in {}", name_of(precision))};
}

}  // namespace daemark
