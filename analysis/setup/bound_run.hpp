// A request with everything in it looked up and checked: made once, then passed on to whatever
// integrates, measures or prints it.
#pragma once

#include <memory>
#include <string>

#include "analysis/setup/run_request.hpp"
#include "methods/catalogue/registry.hpp"
#include "problems/formulations/formulation.hpp"
#include "problems/system/registry.hpp"

namespace daemark {

struct BoundRun {
  RunRequest request;  ///< as asked: numbers and settings as text, and what is recorded
  Problem problem;
  Formulation formulation;
  std::shared_ptr<const Method> method;
  std::string method_name;  ///< canonical
  Settings settings;
  SystemTraits system;     ///< what the method sees of problem and formulation
  wide t_start, h, t_end;  ///< absolute times; h: the step or the spacing of output points
  long steps = 0;          ///< of size h

  /// Throws BadInput for anything that cannot be run.
  explicit BoundRun(RunRequest request);
  /// Of a problem made already, which need not be in the catalogue.
  BoundRun(RunRequest request, Problem problem);

  /// The same with another step, end or precision; throw BadInput as the constructors do.
  BoundRun with_step(const Expression& h) const;
  BoundRun until(const Expression& t_end) const;
  BoundRun in(Precision precision) const;

 private:
  void bind_settings();
  void bind_steps();
  void bind_system();
};

/// Empty if the formulation takes a mechanism with such traits, otherwise why not.
std::string formulation_refusal(const FormulationInfo& formulation, const SystemTraits& system);

/// What a method sees of a mechanism in a formulation.
SystemTraits traits_of(const FormulationInfo& formulation, MechanicalSystem<double>& mechanism);

/// Digits asked of the reference that errors in this precision are measured against.
int digits_for_errors(Precision precision);

}  // namespace daemark
