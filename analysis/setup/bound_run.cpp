#include "analysis/setup/bound_run.hpp"

#include <fmt/format.h>

#include "methods/loop/integrator.hpp"
#include "problems/geometry/body_frames.hpp"
#include "problems/system/force_structure.hpp"

namespace daemark {
namespace {

/// The step that leads from the start to t_end in `count` steps, as something that can be typed.
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
