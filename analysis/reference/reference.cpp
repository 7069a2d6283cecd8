#include "analysis/reference/reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <mutex>

#include "analysis/reference/reference_shelf.hpp"
#include "analysis/reference/taylor_reference.hpp"
#include "analysis/run/cell_setup.hpp"
#include "base/program/stop.hpp"

namespace daemark {
namespace {

constexpr int most_digits = 48;  // what 50-digit arithmetic can show at best
constexpr int collocation_stages = 24;

struct Motion {
  std::vector<real50> q, v, lambda;
};

Motion by_closed_form(const Problem& problem, const real50& t, int n, int m) {
  Motion motion{std::vector<real50>(n), std::vector<real50>(n), std::vector<real50>(m)};
  problem.closed_form(t, motion.q.data(), motion.v.data(), motion.lambda.data());
  return motion;
}

/// In the coordinates results are compared in; the first m multipliers.
Motion shown(const MechanicalSystem<real50>& mechanism, const real50* q, const real50* v,
             const real50* lambda, int m) {
  const int n = mechanism.reference_coordinates();
  Motion motion{std::vector<real50>(n), std::vector<real50>(n), {lambda, lambda + m}};
  mechanism.to_reference(q, v, motion.q.data(), motion.v.data());
  return motion;
}

struct Series {
  std::vector<Motion> motions;
  int steps;  ///< to the last time: the problem's own time scale
};

Series by_taylor(const Problem& problem, const std::vector<real50>& times) {
  const int m = problem.make<real50>()->constraints();
  const auto mechanism =
      problem.series.in_real50 ? problem.series.in_real50() : problem.make<real50>();
  std::vector<real50> q(mechanism->coordinates()), v(q.size());
  mechanism->initial(q.data(), v.data());
  TaylorIntegrator<real50> integrator(*mechanism);
  Series series;
  for (const TaylorState<real50>& s : integrator.integrate(real50(0), q, v, times))
    series.motions.push_back(shown(*mechanism, s.q.data(), s.v.data(), s.lambda.data(), m));
  series.steps = integrator.steps();
  return series;
}

/// Gauss collocation on the index-1 equations, in one sweep over ascending times; about
/// `total_steps` to the last, equal ones between two times. `steps` counts them up to each time.
/// Shorter where a step failed.
std::vector<Motion> by_collocation(const std::string& problem, const std::vector<Expression>& times,
                                   long total_steps, std::vector<long>& steps) {
  RunRequest request;
  request.problem = problem;
  request.formulation = "index1";
  request.method = fmt::format("gauss({})", collocation_stages);
  request.h = request.t_end = times.back();  // steps are made here
  request.precision = "real50";
  // Corrections by factors in double gain 13 digits each: after one of 1e-40 nothing is left to
  // gain.
  request.settings = {{"predictor", "extrapolated"}, {"newton.tol", "1e-40"}};
  const CellSetup setup(request);
  CellSystem<real50> cell(setup);
  const int n = cell.mechanism->coordinates(), m = cell.mechanism->constraints();
  State<real50> state = initial_state(setup, cell, std::nullopt);
  std::vector<Motion> motions;
  steps.clear();
  for (const Expression& time : times) {
    const real50 length = time.eval<real50>() - state.t;
    constexpr long least = 4;
    const double share = to_double(real50(length / times.back().eval<real50>()));
    const long count = std::max(least, std::lround(std::ceil(share * total_steps)));
    steps.push_back(count + (steps.empty() ? 0 : steps.back()));
    const auto stepper = setup.method->stepper(cell.pair(), setup.settings);
    stepper->start(state, real50(length / count));
    for (long i = 0; i < count; ++i) {
      checkpoint();
      if (stepper->step().status != Status::ok) return motions;
    }
    state = stepper->state();
    const real50* y = state.y.data();
    motions.push_back(shown(*cell.mechanism, y, y + n, y + 2 * n, m));
  }
  return motions;
}

/// Significant digits on which all components agree; 0 where a route failed. Components below 1e-12
/// of the largest of their kind (a coordinate that stays 0) are measured against that.
int agreement(const Motion& a, const Motion& b) {
  double worst = most_digits;
  const auto compare = [&worst](const std::vector<real50>& x, const std::vector<real50>& y) {
    if (x.size() != y.size()) worst = 0;
    real50 least = 0;
    for (const real50& value : x) least = std::max<real50>(least, abs(value));
    least = least == 0 ? real50(1) : real50(least * real50(1e-12));
    for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
      const real50 difference = abs(x[i] - y[i]);
      const real50 size = std::max<real50>(least, std::max<real50>(abs(x[i]), abs(y[i])));
      if (difference == 0) continue;
      worst = std::min(worst, -to_double(real50(log10(real50(difference / size)))));
    }
  };
  compare(a.q, b.q);
  compare(a.v, b.v);
  compare(a.lambda, b.lambda);
  return std::max(0, static_cast<int>(std::floor(worst)));
}

ReferenceState state_of(const std::string& time, const Motion& motion, const char* route) {
  return {time, motion.q, motion.v, motion.lambda, 0, route, ""};
}

/// How many times more steps give `missing` digits more, with a digit to spare, by a method of
/// order 48; at most 4 times, and twice as many where too few digits tell the error's size.
double growth_for(int missing, int agreed) {
  constexpr int telling = 4, order = 2 * collocation_stages;
  if (agreed < telling) return 2;
  return std::clamp(std::pow(10.0, static_cast<double>(missing + 1) / order), 1.25, 4.0);
}

/// States at ascending times > 0 by both routes. The number of collocation steps starts at that of
/// the Taylor series and grows until `digits` agree everywhere or more steps no longer help.
std::vector<ReferenceState> compute(const Problem& problem, const std::vector<Expression>& times,
                                    int digits) {
  std::vector<real50> at;
  for (const Expression& t : times) at.push_back(t.eval<real50>());
  const Series taylor = by_taylor(problem, at);
  std::vector<ReferenceState> states;
  if (problem.closed_form) {
    const auto mechanism = problem.make<real50>();
    for (std::size_t i = 0; i < times.size(); ++i) {
      const Motion exact =
          by_closed_form(problem, at[i], mechanism->coordinates(), mechanism->constraints());
      states.push_back(state_of(times[i].text(), exact, "closed form"));
      states[i].second_route = "Taylor series";
      states[i].agreed_digits = agreement(exact, taylor.motions[i]);
    }
    return states;
  }
  const char* series =
      problem.series.in_real50 ? "Taylor series of a second model" : "Taylor series";
  for (std::size_t i = 0; i < times.size(); ++i)
    states.push_back(state_of(times[i].text(), taylor.motions[i], series));
  long total = std::max(1, taylor.steps);
  constexpr int most_sweeps = 12, most_complete = 4;  // sweeps that fail, early, cost little
  double growth = 2;
  for (int sweep = 0, complete = 0; sweep < most_sweeps && complete < most_complete;
       ++sweep, total = std::lround(growth * static_cast<double>(total))) {
    std::vector<long> steps;
    const std::vector<Motion> second = by_collocation(problem.name, times, total, steps);
    bool better = false, enough = true;
    int least = most_digits;
    for (std::size_t i = 0; i < times.size(); ++i) {
      const int agreed = i < second.size() ? agreement(second[i], taylor.motions[i]) : -1;
      least = std::min(least, agreed);
      if (agreed > states[i].agreed_digits) {
        better = true;
        states[i].agreed_digits = agreed;
        states[i].second_route =
            fmt::format("Gauss collocation, {} stages, {} steps", collocation_stages, steps[i]);
      }
      enough = enough && states[i].agreed_digits >= digits;
    }
    if (second.size() == times.size()) ++complete;
    if (enough || (!better && complete > 1)) break;
    growth = growth_for(digits - least, least);
  }
  return states;
}

/// t = 0, with multipliers from the series.
ReferenceState compute_initial(const Problem& problem, const Expression& t) {
  const Series taylor = by_taylor(problem, {real50(0)});
  ReferenceState state = state_of(t.text(), taylor.motions.front(), "initial values");
  state.second_route = "initial values";
  state.agreed_digits = most_digits;
  return state;
}

/// States at times >= 0, by the routes that fit them.
std::map<rational, ReferenceState> compute_all(const Problem& problem, const Times& wanted,
                                               int digits) try {
  std::map<rational, ReferenceState> found;
  std::vector<rational> later;
  std::vector<Expression> at;
  for (const auto& [key, t] : wanted) {
    if (key == 0) {
      found[key] = compute_initial(problem, t);
      continue;
    }
    later.push_back(key);
    at.push_back(t);
  }
  if (at.empty()) return found;
  const auto states = compute(problem, at, digits);
  for (std::size_t i = 0; i < at.size(); ++i) found[later[i]] = states[i];
  return found;
} catch (const TaylorFailure& why) {
  throw NoReference(fmt::format("no reference of {}: {}", problem.name, why.what()));
}

ReferenceShelf& shelf_of(const std::string& problem_call) {
  static std::mutex guard;
  static std::map<std::string, std::unique_ptr<ReferenceShelf>> shelves;
  const Problem problem = problem_registry().make(problem_call);
  const std::lock_guard lock(guard);
  std::unique_ptr<ReferenceShelf>& shelf = shelves[problem.name];
  if (!shelf) {
    shelf = std::make_unique<ReferenceShelf>(
        problem.name,
        [problem](const Times& times, int digits) { return compute_all(problem, times, digits); });
  }
  return *shelf;
}

}  // namespace

std::vector<ReferenceState> reference_states(const std::string& problem_call,
                                             const std::vector<std::string>& times, int digits,
                                             bool recompute, bool store) {
  if (digits < 1 || digits > most_digits)
    throw BadInput(fmt::format("digits = {} is not accepted: integer 1..{}", digits, most_digits));
  ReferenceShelf& shelf = shelf_of(problem_call);
  std::vector<rational> keys;
  Times wanted;
  for (const std::string& text : times) {
    const Expression t = Expression::parse(text, "time");
    if (!t.is_rational() || t.as_rational() < 0)
      throw BadInput(fmt::format("time '{}' is not accepted: a rational number >= 0", text));
    keys.push_back(t.as_rational());
    wanted.emplace(keys.back(), t);
  }
  if (recompute) shelf.forget();
  // A closed form costs nothing: it is not stored.
  const bool keep = store && !problem_registry().make(problem_call).closed_form;
  const std::vector<ReferenceState> states = shelf.get(wanted, digits, recompute, keep);
  std::map<rational, const ReferenceState*> by_time;
  std::size_t i = 0;
  for (const auto& [key, t] : wanted) by_time[key] = &states[i++];
  std::vector<ReferenceState> result;
  for (const rational& key : keys) result.push_back(*by_time.at(key));
  return result;
}

}  // namespace daemark
