#include "analysis/reference/reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>

#include "analysis/reference/reference_shelf.hpp"
#include "analysis/reference/refined_reference.hpp"
#include "analysis/reference/sweep.hpp"
#include "analysis/reference/taylor_reference.hpp"
#include "base/linear/lu_tally.hpp"
#include "base/program/paths.hpp"
#include "problems/system/index_one_solve.hpp"

namespace daemark {
namespace {

constexpr int most_digits = 48;  // what 50-digit arithmetic can show at best
constexpr int collocation_stages = 24;

Motion by_closed_form(const Problem& problem, const real50& t, int n, int m) {
  Motion motion{std::vector<real50>(n), std::vector<real50>(n), std::vector<real50>(m)};
  problem.closed_form(t, motion.q.data(), motion.v.data(), motion.lambda.data());
  return motion;
}

/// Dense pivoting beyond this size costs more than the whole sparse integration.
constexpr int most_unknowns = 60;

/// Whether there is a model that a Taylor series can be made of.
bool has_series(const Problem& problem) {
  const MechanismMakers& makers = problem.series.in_real50 ? problem.series : problem.absolute;
  if (!makers.in_real50) return false;
  const auto mechanism = makers.in_real50();
  return mechanism->has_record() && !mechanism->forces_of_multipliers() &&
         mechanism->coordinates() + mechanism->constraints() <= most_unknowns;
}

struct Series {
  std::vector<Motion> motions;
  int steps;  ///< to the last time: the problem's own time scale
};

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

Series by_taylor(const Problem& problem, const std::vector<real50>& times) {
  const int m = problem.make<real50>()->constraints();
  const auto mechanism =
      problem.series.in_real50 ? problem.series.in_real50() : problem.make<real50>();
  std::vector<real50> q(mechanism->coordinates()), v(q.size());
  mechanism->initial(q.data(), v.data());
  TaylorIntegrator<real50> integrator(*mechanism);
  Series series;
  for (const TaylorState<real50>& s :
       integrator.integrate(problem.start.eval<real50>(), q, v, times)) {
    const bool has_all = mechanism->constraints() >= m;
    series.motions.push_back(
        shown(*mechanism, {s.t, s.q.data(), s.v.data(), s.a.data(), s.lambda.data(), nullptr},
              has_all ? m : 0));
    if (!has_all) add_multipliers(problem, s.t, series.motions.back());
  }
  series.steps = integrator.steps();
  return series;
}

/// Gauss collocation on the index-1 equations. Corrections by factors in double gain 13 digits
/// each: after one of 1e-40 nothing is left to gain.
SweepRoute collocation() {
  return {fmt::format("gauss({})", collocation_stages),
          "index1",
          Precision::in_real50,
          {{"predictor", "extrapolated"}, {"newton.tol", "1e-40"}}};
}

/// The fourth root of this is the 1e-12 below which a component counts as zero.
constexpr double roundoff = 1e-48;

int agreement(const Motion& a, const Motion& b) { return agreement(a, b, roundoff, most_digits); }

ReferenceState state_of(const std::string& time, const Motion& motion, const char* route) {
  return {time, motion.q, motion.v, motion.lambda, 0, route, "", 0};
}

constexpr double most_growth = 4;

/// How many times more steps give `missing` digits more, with a digit to spare, by a method of
/// order 48; at most 4 times, and twice as many where too few digits tell the error's size.
double growth_for(int missing, int agreed) {
  constexpr int telling = 4, order = 2 * collocation_stages;
  if (agreed < telling) return 2;
  return std::clamp(std::pow(10.0, static_cast<double>(missing + 1) / order), 1.25, most_growth);
}

std::vector<ReferenceState> compare_with_series(const Problem& problem,
                                                const std::vector<Expression>& times,
                                                const std::vector<Motion>& exact) {
  std::vector<real50> at;
  for (const Expression& t : times) at.push_back(t.eval<real50>());
  const Series taylor = by_taylor(problem, at);
  std::vector<ReferenceState> states;
  for (std::size_t i = 0; i < times.size(); ++i) {
    states.push_back(state_of(times[i].text(), exact[i], "closed form"));
    states[i].second_route = "Taylor series";
    states[i].agreed_digits = agreement(exact[i], taylor.motions[i]);
  }
  return states;
}

/// What is foreseen of the work: one sweep of as many steps as the Taylor series, whose time is the
/// unit, one more of so many times its work, and after one with `growth` times the steps of the one
/// before as many times that one's.
/// As seen on mechanisms of 2 to 21 coordinates, where a sweep takes 6 to 0.7 units; that shapes
/// what is told of the time left and no result.
constexpr double sweep_work = 0.9, second_sweep = 1.25;
double after_sweep(double growth) { return growth >= most_growth ? 1.5 : 0.25; }

/// The number of collocation steps starts at that of the Taylor series and grows until `digits`
/// agree everywhere or more steps no longer help.
std::vector<ReferenceState> by_series_and_collocation(const Problem& problem,
                                                      const std::vector<Expression>& times,
                                                      int digits) {
  std::vector<real50> at;
  for (const Expression& t : times) at.push_back(t.eval<real50>());
  SweepShares shares;
  const Series taylor = [&] {
    const ProgressShare share = shares.next(1, (1 + second_sweep) * sweep_work);
    return by_taylor(problem, at);
  }();
  std::vector<ReferenceState> states;
  const char* series =
      problem.series.in_real50 ? "Taylor series of a second model" : "Taylor series";
  for (std::size_t i = 0; i < times.size(); ++i)
    states.push_back(state_of(times[i].text(), taylor.motions[i], series));
  const BoundRun bound = bind_route(problem, collocation(), times.back());
  long total = std::max(1, taylor.steps);
  constexpr int most_sweeps = 12, most_complete = 4;  // sweeps that fail, early, cost little
  double growth = 2;
  for (int round = 0, complete = 0; round < most_sweeps && complete < most_complete;
       ++round, total = std::lround(growth * static_cast<double>(total))) {
    std::vector<long> steps;
    const double work = sweep_work * static_cast<double>(total) / std::max(1, taylor.steps);
    const std::vector<Motion> second = [&] {
      const ProgressShare share =
          shares.next(work, work * (round == 0 ? second_sweep : after_sweep(growth)));
      return sweep(bound, times, total, steps);
    }();
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

/// States at ascending times after the start by both routes.
std::vector<ReferenceState> compute(const Problem& problem, const std::vector<Expression>& times,
                                    int digits) {
  std::vector<Motion> exact;
  if (problem.closed_form) {
    const auto mechanism = problem.make<double>();
    for (const Expression& t : times)
      exact.push_back(by_closed_form(problem, t.eval<real50>(), mechanism->reference_coordinates(),
                                     mechanism->constraints()));
  }
  if (has_series(problem)) {
    try {
      return exact.empty()
                 ? by_series_and_collocation(problem, times, std::max(digits, standard_digits))
                 : compare_with_series(problem, times, exact);
    } catch (const TaylorFailure&) {  // singular or too long for a series: the other route
    }
  }
  return refined_reference(problem, times, digits, exact);
}

/// The start, with multipliers from the series, or from one solve where constraints depend on each
/// other; of a closed form, as far as that solve agrees with it.
ReferenceState compute_initial(const Problem& problem, const Expression& t, int digits) {
  if (has_series(problem)) {
    try {
      const Series taylor = by_taylor(problem, {problem.start.eval<real50>()});
      ReferenceState state = state_of(t.text(), taylor.motions.front(), "initial values");
      state.second_route = "initial values";
      state.agreed_digits = most_digits;
      return state;
    } catch (const TaylorFailure&) {  // singular: the other route
    }
  }
  ReferenceState state = refined_start(problem, t, digits);
  if (!problem.closed_form) return state;
  const Motion exact = by_closed_form(problem, t.eval<real50>(), static_cast<int>(state.q.size()),
                                      static_cast<int>(state.lambda.size()));
  const int agreed = agreement(exact, {state.q, state.v, state.lambda});
  return {t.text(),
          exact.q,
          exact.v,
          exact.lambda,
          std::min(agreed, state.agreed_digits),
          "closed form",
          state.first_route,
          0};
}

/// States at ascending times, the start among them.
std::vector<ReferenceState> compute_all(const Problem& problem,
                                        const std::vector<Expression>& times, int digits) {
  std::vector<ReferenceState> states;
  std::vector<Expression> later;
  for (const Expression& t : times) {
    if (t.as_rational() == problem.start.as_rational())
      states.push_back(compute_initial(problem, t, digits));
    else
      later.push_back(t);
  }
  if (later.empty()) return states;
  for (ReferenceState& state : compute(problem, later, digits)) states.push_back(std::move(state));
  return states;
}

/// Throws BadInput unless it is a rational number not before the start.
Expression checked_time(const Problem& problem, const std::string& text) {
  const Expression t = Expression::parse(text, "time");
  if (!t.is_rational() || t.as_rational() < problem.start.as_rational())
    throw BadInput(fmt::format("time '{}' is not accepted: a rational number >= {}", text,
                               problem.start.text()));
  return t;
}

void check_digits(int digits) {
  if (digits < 1 || digits > most_digits)
    throw BadInput(fmt::format("digits = {} is not accepted: integer 1..{}", digits, most_digits));
}

/// For the shelf.
ReferenceState compute_one(const Problem& problem, const Expression& t, int digits) try {
  return compute_all(problem, {t}, digits).front();
} catch (const TaylorFailure& why) {
  throw NoReference(fmt::format("no reference of {}: {}", problem.name, why.what()));
}

/// One a problem and folder of results, made when first asked for.
class Shelves {
 public:
  ReferenceShelf& of(const std::string& problem_call) {
    const std::lock_guard lock(guard_);
    const std::string folder = results_root().string() + "\n";
    ReferenceShelf*& known = by_call_[folder + problem_call];
    if (known != nullptr) return *known;
    known = &shelf_of(problem_registry().make(problem_call), folder);
    return *known;
  }

  ReferenceShelf& of(const Problem& problem) {
    const std::lock_guard lock(guard_);
    return shelf_of(problem, results_root().string() + "\n");
  }

  std::vector<ReferenceNote> take_notes() {
    const std::lock_guard lock(guard_);
    std::vector<ReferenceNote> notes;
    for (auto& [name, shelf] : shelves_)
      for (ReferenceNote& note : shelf.take_notes()) notes.push_back(std::move(note));
    return notes;
  }

 private:
  ReferenceShelf& shelf_of(const Problem& problem, const std::string& folder) {
    const auto compute = [problem](const Expression& t, int digits) {
      return compute_one(problem, t, digits);
    };
    return shelves_.try_emplace(folder + problem.name, problem.name, compute).first->second;
  }

  std::mutex guard_;
  std::map<std::string, ReferenceShelf*> by_call_;  ///< as spelled
  std::map<std::string, ReferenceShelf> shelves_;
};

Shelves& shelves() {
  static Shelves all;
  return all;
}

}  // namespace

std::vector<ReferenceState> reference_states(const Problem& problem,
                                             const std::vector<std::string>& times, int digits,
                                             bool recompute, bool store) {
  const LuTally apart;  // a run that is compared with it is not charged for it
  check_digits(digits);
  std::vector<std::pair<rational, std::string>> asked;
  Times wanted;
  for (const std::string& text : times) {
    const Expression t = checked_time(problem, text);
    asked.emplace_back(t.as_rational(), t.text());
    // However it is written: a stored state says nothing of who asked for it.
    wanted.emplace(asked.back().first, Expression::parse(asked.back().first.str(), "time"));
  }
  // A closed form costs nothing: it is not stored.
  const bool keep = store && !problem.closed_form;
  const std::vector<ReferenceState> states =
      shelves().of(problem).get(wanted, digits, recompute, keep);
  std::map<rational, const ReferenceState*> by_time;
  std::size_t i = 0;
  for (const auto& [key, t] : wanted) by_time[key] = &states[i++];
  std::vector<ReferenceState> result;
  for (const auto& [key, text] : asked) {
    result.push_back(*by_time.at(key));
    result.back().t = text;
  }
  return result;
}

void check_reference(const Problem& problem, const std::vector<std::string>& times, int digits) {
  check_digits(digits);
  for (const std::string& text : times) checked_time(problem, text);
}

std::string reference_digest(const std::string& problem, const std::string& t) {
  return shelves().of(problem).digest_of(Expression::parse(t, "time").as_rational());
}

void publish_reference(const std::string& problem, const std::vector<std::string>& times) {
  if (problem_registry().make(problem).closed_form) return;
  std::set<rational> keys;
  for (const std::string& t : times) keys.insert(Expression::parse(t, "time").as_rational());
  shelves().of(problem).publish(keys);
}

bool is_published(const std::string& problem, const std::string& t) {
  return problem_registry().make(problem).closed_form ||
         shelves().of(problem).is_published(Expression::parse(t, "time").as_rational());
}

std::vector<PublishedState> published_references() {
  std::vector<PublishedState> out;
  for (const std::string& problem : published_problems()) {
    const ReferenceStore store(problem);
    for (const rational& t : store.published())
      out.push_back({problem, t.str(), store.is_published(t)});
  }
  return out;
}

std::vector<ReferenceNote> take_reference_notes() { return shelves().take_notes(); }

std::vector<ReferenceState> compute_reference(const Problem& problem,
                                              const std::vector<std::string>& times, int digits) {
  check_digits(digits);
  std::vector<Expression> at;
  for (const std::string& text : times) at.push_back(checked_time(problem, text));
  return compute_all(problem, at, digits);
}

}  // namespace daemark
