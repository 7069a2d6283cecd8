#include "analysis/setup/bound_run.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/linear/rank_revealing_qr.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/printable.hpp"
#include "methods/loop/integrator.hpp"
#include "problems/geometry/body_frames.hpp"
#include "problems/system/force_structure.hpp"

namespace daemark {

EventRequest EventRequest::parse(const std::string& text, const std::string& where, bool ends) {
  EventRequest event;
  event.text = text, event.ends = ends;
  std::string rest = text;
  for (const auto& [word, direction] : {std::pair(":rising", 1), {":falling", -1}})
    if (rest.ends_with(word)) {
      event.direction = direction;
      rest.resize(rest.size() - std::string(word).size());
    }
  const std::size_t equal = rest.find('=');
  if (equal == std::string::npos || equal == 0 || rest.find(':') != std::string::npos)
    throw BadInput(
        fmt::format("{}: {}; accepted: NAME=VALUE, NAME=VALUE:rising, NAME=VALUE:falling", where,
                    in_quotes(text)));
  event.quantity = rest.substr(0, equal);
  event.value = Expression::parse(rest.substr(equal + 1), where, {"pi"});
  return event;
}

template <class S>
BoundSystem<S>::BoundSystem(const BoundRun& run)
    : mechanism(run.problem.make<S>(run.formulation.info.minimal)),
      system(formulate<S>(run.formulation, mechanism, run.h)),
      formulation_(&run.formulation),
      problem_(&run.problem) {
  if constexpr (!std::is_same_v<S, double>) {
    twin_mechanism = run.problem.make<double>(run.formulation.info.minimal);
    twin = formulate<double>(run.formulation, twin_mechanism, run.h);
  }
}

template <class S>
Target<S> BoundSystem<S>::target() const {
  if constexpr (std::is_same_v<S, double>)
    return {system.get(), system.get(), mechanism.get(), mechanism.get(), formulation_, problem_};
  else
    return {system.get(),         twin.get(),   mechanism.get(),
            twin_mechanism.get(), formulation_, problem_};
}

namespace {

/// Throws BadInput if the rank of G at the state is not the one the mechanism declares.
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

/// Checks the rank of G, relative to 1e-9. For many constraints declared independent this is left
/// to the index-1 solve, which detects dependence once all digits are lost.
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

namespace {

/// The step that reaches t_end from the start in `count` steps, as text that can be typed.
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
                                 : fmt::format("the time from the start at {:.10g} s to t-end = {}",
                                               to_double(start), t_end.text());
    throw BadInput(
        fmt::format("h = {} does not divide {}, the nearest steps are {}", h.text(), time, near));
  }
  return static_cast<long>(n);
}

}  // namespace

BoundRun::BoundRun(RunRequest asked) : BoundRun(asked, problem_registry().make(asked.problem)) {}

BoundRun::BoundRun(RunRequest asked, Problem given)
    : request(std::move(asked)),
      problem(std::move(given)),
      formulation(Formulation::parse(request.formulation)),
      method(method_registry().make(request.method)),
      method_name(method_registry().bind(request.method).canonical()),
      system(formulation.info),
      t_start(problem.start.eval<wide>()) {
  bind_settings();
  bind_steps();
  bind_system();
}

BoundRun BoundRun::with_step(const Expression& h_text) const {
  BoundRun other = *this;
  other.request.h = h_text;
  other.bind_steps();
  return other;
}

BoundRun BoundRun::until(const Expression& end) const {
  BoundRun other = *this;
  other.request.t_end = end;
  other.bind_steps();
  return other;
}

BoundRun BoundRun::in(Precision precision) const {
  BoundRun other = *this;
  other.request.precision = precision;
  other.bind_settings();
  other.bind_system();
  return other;
}

void BoundRun::bind_settings() {
  settings = parse_settings(request.settings, request.precision);
  if (request.events.empty()) return;
  if (settings.control.inside && request.settings.contains("control.output"))
    throw BadInput("setting control.output = 'inside' is not accepted with events: ends");
  settings.control.inside = false;
}

void BoundRun::bind_steps() {
  steps = whole_steps(request.h, request.t_end, problem.start);
  t_end = request.t_end.eval<wide>();
  h = (t_end - t_start) / steps;
  if (!settings.control.on() && steps < method->least_steps())
    throw BadInput(
        fmt::format("method {} needs {} steps, of which all but one are its start; accepted: "
                    "h = {:.6g} or less, not {} steps",
                    method_name, method->least_steps(),
                    to_double(wide((t_end - t_start) / method->least_steps())), steps));
}

/// Whether problem, formulation, method and settings go together.
void BoundRun::bind_system() {
  const bool minimal = formulation.info.minimal;
  if (minimal && !problem.has_minimal())
    throw BadInput(
        fmt::format("problem {} has no minimal form, accepted: {}", problem.name,
                    formulation_ids([](const FormulationInfo& i) { return !i.minimal; })));
  system = traits_of(formulation.info, *problem.make<double>(minimal));
  if (const std::string why = formulation_refusal(formulation.info, system); !why.empty())
    throw BadInput(fmt::format(
        "formulation {} cannot take {}: {}; accepted: {}", formulation.name(), problem.name, why,
        formulation_ids([this](const FormulationInfo& i) {
          return formulation_refusal(i, system).empty() && (!i.minimal || problem.has_minimal());
        })));
  system.precision = request.precision;
  if (settings.project.on() && system.index == 0)
    throw BadInput(fmt::format("setting project: {} in {} has no constraints, accepted: none",
                               problem.name, formulation.name()));
  if (const std::string why = method->refusal(system); !why.empty())
    throw BadInput(
        fmt::format("method {} cannot take {}: {}", method_name, formulation.name(), why));
  if (const std::string why = step_refusal(*method, system, settings); !why.empty())
    throw BadInput(fmt::format("method {}: {}", method_name, why));
}

std::string formulation_refusal(const FormulationInfo& formulation, const SystemTraits& system) {
  if (formulation.needs_positions && system.velocity_rows > 0) return refusals::needs_positions;
  if (!formulation.levels && system.multiplier_forces) return "its forces depend on multipliers";
  if (!formulation.levels && !system.full_rank) return "its constraints depend on each other";
  return "";
}

SystemTraits traits_of(const FormulationInfo& formulation, MechanicalSystem<double>& mechanism) {
  SystemTraits traits(formulation);
  if (mechanism.constraints() == 0) traits.index = 0;
  traits.full_rank = mechanism.rank() == mechanism.constraints();
  traits.flat = mechanism.chart_size() == 0;
  traits.constraints = mechanism.constraints();
  traits.velocity_rows = mechanism.velocity_rows();
  traits.multiplier_forces = mechanism.forces_of_multipliers();
  traits.mechanism = !traits.multiplier_forces;
  const ForceStructure forces = force_structure(mechanism);
  traits.constant_mass = forces.constant_mass;
  traits.velocity_forces = forces.velocity_forces;
  traits.stiff_forces = mechanism.stiff_part() != nullptr;
  traits.rigid_inertia =
      traits.flat ? forces.constant_mass && !forces.velocity_forces : has_rigid_inertia(mechanism);
  return traits;
}

int digits_for_errors(Precision precision) { return precision == Precision::in_double ? 25 : 36; }

}  // namespace daemark
