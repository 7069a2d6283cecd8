// From a request to the objects of a run: problem, formulation, method, step, step count.
#pragma once

#include <memory>
#include <string>

#include "analysis/setup/run_request.hpp"
#include "methods/catalogue/registry.hpp"
#include "problems/formulations/formulation.hpp"
#include "problems/system/registry.hpp"

namespace daemark {

struct CellSetup {
  Problem problem;
  Formulation formulation;
  std::shared_ptr<const Method> method;
  std::string method_name;  ///< canonical
  Settings settings;
  wide t_start, h, t_end;  ///< absolute times; h: the step or the spacing of output points
  long steps = 0;          ///< of size h

  /// Throws BadInput for anything that cannot be run.
  explicit CellSetup(const RunRequest& request);
  /// Of a problem that need not be in the catalogue.
  CellSetup(const RunRequest& request, Problem problem);
};

/// Digits asked of the reference that errors in this precision are measured against.
int digits_for_errors(const std::string& precision);

/// The system of a setup in S and its twin in the scalar Newton matrices are factored in.
template <class S>
struct CellSystem {
  MechanicalPtr<S> mechanism;
  MechanicalPtr<double> twin_mechanism;
  std::unique_ptr<ImplicitSystem<S>> system;
  std::unique_ptr<ImplicitSystem<double>> twin;  ///< empty for S = double
  /// The setup outlives it.
  explicit CellSystem(const CellSetup& setup);
  Target<S> target() const;
  MotionPoint<S> motion(const State<S>& state) const {
    return motion_point(mechanism->coordinates(), state.point());
  }

 private:
  const Formulation* formulation_;
};

/// The problem's (or the user's) consistent state at its start time with accelerations and
/// multipliers. Throws BadInput with the size of the violation if q, v do not satisfy the
/// constraints.
template <class S>
State<S> initial_state(const CellSetup& setup, CellSystem<S>& cell,
                       const std::optional<InitialState>& given);

}  // namespace daemark
