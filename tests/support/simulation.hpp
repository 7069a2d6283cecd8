// A mechanism that is not in the catalogue, formulated and ready to step.
#pragma once

#include <memory>
#include <string>

#include "methods/catalogue/registry.hpp"
#include "problems/formulations/formulation.hpp"
#include "problems/system/registry.hpp"

namespace daemark::test {

template <class S>
struct Simulation {
  MechanicalPtr<S> mechanism;
  MechanicalPtr<double> twin_mechanism;
  std::unique_ptr<ImplicitSystem<S>> system;
  std::unique_ptr<ImplicitSystem<double>> twin;
  Formulation formulation;
  State<S> initial;
  std::unique_ptr<Stepper<S>> stepper;

  Simulation(const Problem& problem, const std::string& formulation_text, const std::string& method,
             const wide& h, const std::map<std::string, std::string>& settings = {})
      : formulation(Formulation::parse(formulation_text)) {
    const bool minimal = formulation.info.minimal;
    mechanism = problem.make<S>(minimal);
    system = formulate<S>(formulation, mechanism, h);
    Target<S> target;
    target.system = system.get(), target.mechanism = mechanism.get();
    target.formulation = &formulation;
    if constexpr (std::is_same_v<S, double>) {
      target.factor_system = system.get(), target.factor_mechanism = mechanism.get();
    } else {
      twin_mechanism = problem.make<double>(minimal);
      twin = formulate<double>(formulation, twin_mechanism, h);
      target.factor_system = twin.get(), target.factor_mechanism = twin_mechanism.get();
    }
    initial.t = problem.start.template eval<S>();
    initial.chart.resize(mechanism->chart_size());
    mechanism->initial_chart(initial.chart.data());
    initial.y.assign(system->size(), S(0));
    initial.rate = initial.y;
    mechanism->initial(initial.y.data(), initial.y.data() + mechanism->coordinates());
    if (!system->explicit_rates(initial.y.data(), initial.rate.data(), initial.t,
                                initial.chart.data()))
      throw BadInput("singular start");
    stepper =
        method_registry().make(method)->stepper(target, parse_settings(settings, precision_of<S>));
    stepper->start(initial, from_wide<S>(h));
  }

  /// The first status that is not ok, or ok.
  Status run(int steps) {
    for (int i = 0; i < steps; ++i) {
      const StepReport report = stepper->step();
      if (report.status != Status::ok) return report.status;
    }
    return Status::ok;
  }
};

}  // namespace daemark::test
