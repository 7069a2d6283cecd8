#include "analysis/setup/cell_setup.hpp"

#include <fmt/format.h>

#include "base/linear/rank_revealing_qr.hpp"
#include "methods/catalogue/registry.hpp"
#include "methods/loop/integrator.hpp"

namespace daemark {
namespace {

/// The step that makes `count` of them to t_end, as something that can be typed.
std::string step_text(const Expression& t_end, const Expression& start, const wide& count) {
  const auto n = static_cast<long>(count);
  if (t_end.is_rational() && start.is_rational()) {
    const std::string exact = rational((t_end.as_rational() - start.as_rational()) / n).str();
    constexpr std::size_t longest = 40;
    if (exact.size() <= longest) return exact;
  }
  const wide zero = start.eval<wide>();
  return zero == 0 ? fmt::format("({})/{}", t_end.text(), n)
                   : fmt::format("({}-({}))/{}", t_end.text(), start.text(), n);
}

/// Steps of size h from `begin` to t_end.
long whole_steps(const Expression& h, const Expression& t_end, const Expression& begin) {
  const wide start = begin.eval<wide>();
  const wide step = h.eval<wide>(), last = t_end.eval<wide>(), end = last - start;
  if (!(step > 0))
    throw BadInput(fmt::format("step h = '{}' is not accepted: a real number > 0", h.text()));
  if (!(end > 0))
    throw BadInput(fmt::format("t-end = '{}' is not accepted: a real number > {:g}", t_end.text(),
                               to_double(start)));
  const wide ratio = end / step;
  constexpr double most = 1e9;
  if (ratio > most)
    throw BadInput(
        fmt::format("h = {} needs more than 1e9 steps to t-end = {}, accepted: a larger h",
                    h.text(), t_end.text()));
  const wide n = floor(ratio + wide(1) / 2);
  if (n < 1 || abs(ratio - n) > wide(1e-30)) {
    const auto offer = [&](const wide& count) {
      return fmt::format("{} ({} steps)", step_text(t_end, begin, count), static_cast<long>(count));
    };
    const wide nearest = n < 1 ? wide(1) : n, step_to = ratio > nearest ? 1 : -1;
    std::string near = offer(nearest);
    if (nearest + step_to >= 1) near += " or " + offer(nearest + step_to);
    const std::string time = start == 0
                                 ? "t-end = " + t_end.text()
                                 : fmt::format("the time from the start at {} s to t-end = {}",
                                               begin.text(), t_end.text());
    throw BadInput(
        fmt::format("h = {} does not divide {}, the nearest steps are {}", h.text(), time, near));
  }
  return static_cast<long>(n);
}

}  // namespace

CellSetup::CellSetup(const RunRequest& r) : CellSetup(r, problem_registry().make(r.problem)) {}

CellSetup::CellSetup(const RunRequest& r, Problem given)
    : problem(std::move(given)),
      formulation(Formulation::parse(r.formulation)),
      method(method_registry().make(r.method)),
      method_name(method_registry().bind(r.method).canonical()) {
  if (r.precision != "double" && r.precision != "quad" && r.precision != "real50")
    throw BadInput(
        fmt::format("precision '{}' is unknown, accepted: double, quad, real50", r.precision));
  settings = parse_settings(r.settings, r.precision);
  t_start = problem.start.eval<wide>();
  steps = whole_steps(r.h, r.t_end, problem.start);
  t_end = r.t_end.eval<wide>();
  h = (t_end - t_start) / steps;
  if (!settings.control.on() && steps < method->least_steps())
    throw BadInput(
        fmt::format("method {} needs {} steps, of which all but one are its start; accepted: "
                    "h = {:.6g} or less, not {} steps",
                    method_name, method->least_steps(),
                    to_double(wide((t_end - t_start) / method->least_steps())), steps));
  const bool minimal = formulation.info.minimal;
  if (minimal && !problem.has_minimal())
    throw BadInput(
        fmt::format("problem {} has no minimal form, accepted: {}", problem.name,
                    formulation_ids([](const FormulationInfo& i) { return !i.minimal; })));
  const auto mechanism = problem.make<double>(minimal);
  SystemTraits traits(formulation.info);
  if (mechanism->constraints() == 0) traits.index = 0;
  traits.full_rank = mechanism->rank() == mechanism->constraints();
  traits.flat = mechanism->chart_size() == 0;
  traits.precision = r.precision;
  traits.constraints = mechanism->constraints();
  if (settings.project.on() && traits.index == 0)
    throw BadInput(fmt::format("setting project: {} in {} has no constraints, accepted: none",
                               problem.name, formulation.name()));
  if (const std::string why = method->refusal(traits); !why.empty())
    throw BadInput(
        fmt::format("method {} cannot take {}: {}", method_name, formulation.name(), why));
  if (const std::string why = step_refusal(*method, settings); !why.empty())
    throw BadInput(fmt::format("method {}: {}", method_name, why));
}

int digits_for_errors(const std::string& precision) { return precision == "double" ? 25 : 36; }

template <class S>
CellSystem<S>::CellSystem(const CellSetup& setup)
    : mechanism(setup.problem.make<S>(setup.formulation.info.minimal)),
      system(formulate<S>(setup.formulation, mechanism, setup.h)),
      formulation_(&setup.formulation) {
  if constexpr (!std::is_same_v<S, double>) {
    twin_mechanism = setup.problem.make<double>(setup.formulation.info.minimal);
    twin = formulate<double>(setup.formulation, twin_mechanism, setup.h);
  }
}

template <class S>
Target<S> CellSystem<S>::target() const {
  if constexpr (std::is_same_v<S, double>)
    return {system.get(), system.get(), mechanism.get(), mechanism.get(), formulation_};
  else
    return {system.get(), twin.get(), mechanism.get(), twin_mechanism.get(), formulation_};
}

/// Throws BadInput where G at the state has another rank than the mechanism names.
template <class S>
void refuse_rank(CellSystem<S>& cell, const State<S>& state) {
  MechanicalSystem<S>& mechanism = *cell.mechanism;
  std::vector<S> gradient(mechanism.gradient_pattern().size());
  MotionValues<S> out;
  out.gradient = gradient.data();
  mechanism.evaluate(cell.motion(state), {}, out);
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

/// Where all constraints are said to be independent the index-1 solve finds out by itself.
template <class S>
void check_rank(CellSystem<S>& cell, const State<S>& state) {
  if (cell.mechanism->rank() < cell.mechanism->constraints()) refuse_rank(cell, state);
}

template <class S>
State<S> initial_state(const CellSetup& setup, CellSystem<S>& cell,
                       const std::optional<InitialState>& given) {
  MechanicalSystem<S>& mechanism = *cell.mechanism;
  const int n = mechanism.coordinates(), m = mechanism.constraints();
  State<S> state;
  state.t = from_wide<S>(setup.t_start);
  state.y.assign(cell.system->size(), S(0));
  state.rate = state.y;
  state.chart.resize(mechanism.chart_size());
  mechanism.initial_chart(state.chart.data());
  mechanism.initial(state.y.data(), state.y.data() + n);
  if (given) {
    if (static_cast<int>(given->q.size()) != n || static_cast<int>(given->v.size()) != n)
      throw BadInput(fmt::format(
          "initial state has {} positions and {} velocities, accepted: {} of "
          "each for {} in {}",
          given->q.size(), given->v.size(), n, setup.problem.name, setup.formulation.name()));
    std::vector<S> q(n), v(n);
    for (int i = 0; i < n; ++i) {
      q[i] = given->q[i].template eval<S>();
      v[i] = given->v[i].template eval<S>();
    }
    if (mechanism.chart_size() > 0) {
      mechanism.from_reference(q.data(), v.data(), state.y.data(), state.y.data() + n,
                               state.chart.data());
    } else {
      std::copy(q.begin(), q.end(), state.y.begin());
      std::copy(v.begin(), v.end(), state.y.begin() + n);
    }
  }
  std::vector<S> violations[2] = {std::vector<S>(m), std::vector<S>(m)};
  MotionValues<S> out;
  out.position = violations[0].data(), out.velocity = violations[1].data();
  if (m > 0) mechanism.evaluate(cell.motion(state), {}, out);
  const double tolerance = std::max(1e-12, std::sqrt(unit_roundoff<S>()) * 1e-4);
  const char* levels[] = {"position", "velocity"};
  for (int level = 0; level < 2 && (!given || given->consistent); ++level) {
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
  check_rank(cell, state);
  if (!cell.system->explicit_rates(state.y.data(), state.rate.data(), state.t,
                                   state.chart.data())) {
    refuse_rank(cell, state);
    throw BadInput(
        "initial state: the index-1 matrix is singular, accepted: a regular mass matrix");
  }
  if (setup.settings.unconverged_rates) {
    for (int i = 0; i < n; ++i) state.rate[n + i] = S(0);
    for (std::size_t i = 2 * n; i < state.y.size(); ++i) state.y[i] = S(0);
  }
  return state;
}

#define DAEMARK_INSTANTIATE(S)                                         \
  template struct CellSystem<S>;                                       \
  template State<S> initial_state<S>(const CellSetup&, CellSystem<S>&, \
                                     const std::optional<InitialState>&);
DAEMARK_INSTANTIATE(double)
DAEMARK_INSTANTIATE(quad)
DAEMARK_INSTANTIATE(real50)
#undef DAEMARK_INSTANTIATE

}  // namespace daemark
