#include "analysis/setup/bound_system.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/linear/rank_revealing_qr.hpp"

namespace daemark {

template <class S>
BoundSystem<S>::BoundSystem(const BoundRun& run)
    : mechanism(run.problem.make<S>(run.formulation.info.minimal)),
      system(formulate<S>(run.formulation, mechanism, run.h)),
      formulation_(&run.formulation) {
  if constexpr (!std::is_same_v<S, double>) {
    twin_mechanism = run.problem.make<double>(run.formulation.info.minimal);
    twin = formulate<double>(run.formulation, twin_mechanism, run.h);
  }
}

template <class S>
Target<S> BoundSystem<S>::target() const {
  if constexpr (std::is_same_v<S, double>)
    return {system.get(), system.get(), mechanism.get(), mechanism.get(), formulation_};
  else
    return {system.get(), twin.get(), mechanism.get(), twin_mechanism.get(), formulation_};
}

namespace {

/// Throws BadInput where G at the state has another rank than the mechanism names.
template <class S>
void refuse_rank(BoundSystem<S>& model, const State<S>& state) {
  MechanicalSystem<S>& mechanism = *model.mechanism;
  std::vector<S> gradient(mechanism.gradient_pattern().size());
  MotionValues<S> out;
  out.gradient = gradient.data();
  mechanism.evaluate(model.motion(state), {}, out);
  const int m = mechanism.constraints();
  RankRevealingQr qr;
  qr.resize(mechanism.coordinates(), m, std::min(mechanism.coordinates(), m));
  const auto& entries = mechanism.gradient_pattern().entries;
  for (std::size_t k = 0; k < entries.size(); ++k)
    qr.column(entries[k].first)[entries[k].second] += to_double(gradient[k]);
  const double relative = 1e-9;  // of the largest pivot; states are consistent to 1e-12
  const int rank = qr.rank_of(relative);
  if (rank == mechanism.rank()) return;
  throw BadInput(fmt::format(
      "initial state: the {} constraints have rank {}, the mechanism names {}; accepted: "
      "a regular configuration and the rank it has",
      m, rank, mechanism.rank()));
}

/// Of many constraints that are said to be independent the index-1 solve finds out by itself, once
/// all digits are lost; of few ones 1e-9 of them count.
template <class S>
void check_rank(BoundSystem<S>& model, const State<S>& state) {
  constexpr int few = 100;  // dense: n m² operations
  const int m = model.mechanism->constraints();
  if (model.mechanism->rank() < m || (m > 0 && m <= few)) refuse_rank(model, state);
}

/// Positions and velocities as given, in the coordinates of the mechanism.
template <class S>
void take_given(const BoundRun& run, const InitialState& given, MechanicalSystem<S>& mechanism,
                State<S>& state) {
  const int n = mechanism.coordinates();
  if (static_cast<int>(given.q.size()) != n || static_cast<int>(given.v.size()) != n)
    throw BadInput(
        fmt::format("initial state has {} positions and {} velocities, accepted: {} of "
                    "each for {} in {}",
                    given.q.size(), given.v.size(), n, run.problem.name, run.formulation.name()));
  std::vector<S> q(n), v(n);
  for (int i = 0; i < n; ++i) {
    q[i] = given.q[i].template eval<S>();
    v[i] = given.v[i].template eval<S>();
  }
  if (mechanism.chart_size() > 0) {
    mechanism.from_reference(q.data(), v.data(), state.y.data(), state.y.data() + n,
                             state.chart.data());
  } else {
    std::copy(q.begin(), q.end(), state.y.begin());
    std::copy(v.begin(), v.end(), state.y.begin() + n);
  }
}

/// Throws BadInput where positions or velocities violate the constraints.
template <class S>
void check_consistent(BoundSystem<S>& model, const State<S>& state, bool given) {
  MechanicalSystem<S>& mechanism = *model.mechanism;
  const int m = mechanism.constraints();
  std::vector<S> violations[2] = {std::vector<S>(m), std::vector<S>(m)};
  MotionValues<S> out;
  out.position = violations[0].data(), out.velocity = violations[1].data();
  if (m > 0) mechanism.evaluate(model.motion(state), {}, out);
  const double tolerance = std::max(1e-12, std::sqrt(unit_roundoff<S>()) * 1e-4);
  const char* levels[] = {"position", "velocity"};
  for (int level = 0; level < 2; ++level) {
    double worst = 0;
    std::string where;
    for (int i = 0; i < m; ++i) {
      const double violation = std::abs(to_double(violations[level][i]));
      if (violation <= worst) continue;
      worst = violation;
      where = mechanism.constraint_names()[i];
      if (std::isnan(worst)) break;
    }
    if (!(worst <= tolerance))
      throw BadInput(fmt::format(
          "initial state violates the {} constraints by {:.3g}, most the one of {}, "
          "accepted: at most {:.0e}{}",
          levels[level], worst, where, tolerance, given ? ", or any with --project" : ""));
  }
}

}  // namespace

template <class S>
State<S> initial_state(const BoundRun& run, BoundSystem<S>& model) {
  MechanicalSystem<S>& mechanism = *model.mechanism;
  const int n = mechanism.coordinates();
  const std::optional<InitialState>& given = run.request.initial;
  State<S> state;
  state.t = from_wide<S>(run.t_start);
  state.y.assign(model.system->size(), S(0));
  state.rate = state.y;
  state.chart.resize(mechanism.chart_size());
  mechanism.initial_chart(state.chart.data());
  mechanism.initial(state.y.data(), state.y.data() + n);
  if (given) take_given(run, *given, mechanism, state);
  if (!given || given->consistent) check_consistent(model, state, given.has_value());
  check_rank(model, state);
  if (!model.system->explicit_rates(state.y.data(), state.rate.data(), state.t,
                                    state.chart.data())) {
    refuse_rank(model, state);
    throw BadInput(
        "initial state: the index-1 matrix is singular, accepted: a regular mass matrix");
  }
  if (run.settings.unconverged_rates) {
    for (int i = 0; i < n; ++i) state.rate[n + i] = S(0);
    for (std::size_t i = 2 * n; i < state.y.size(); ++i) state.y[i] = S(0);
  }
  return state;
}

#define DAEMARK_INSTANTIATE(S)    \
  template struct BoundSystem<S>; \
  template State<S> initial_state<S>(const BoundRun&, BoundSystem<S>&);
DAEMARK_INSTANTIATE(double)
DAEMARK_INSTANTIATE(real50)
#undef DAEMARK_INSTANTIATE

}  // namespace daemark
