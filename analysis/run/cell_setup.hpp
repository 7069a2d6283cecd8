// From a request to the objects of a run: problem, formulation, method, step, step count.
#pragma once

#include <memory>
#include <string>

#include "analysis/run/run.hpp"
#include "methods/core/registry.hpp"
#include "problems/core/formulation.hpp"
#include "problems/core/registry.hpp"

namespace daemark {

struct CellSetup {
  Problem problem;
  Formulation formulation;
  std::shared_ptr<const Method> method;
  std::string method_name;  ///< canonical
  Settings settings;
  wide h, t_end;
  long steps = 0;
  bool minimal = false;

  /// Throws BadInput for anything that cannot be run.
  explicit CellSetup(const RunRequest& request);
};

/// The system of a setup in S and its twin in the scalar Newton matrices are factored in.
template <class S>
struct CellSystem {
  MechanicalPtr<S> mechanism;
  MechanicalPtr<double> twin_mechanism;
  std::unique_ptr<ImplicitSystem<S>> system;
  std::unique_ptr<ImplicitSystem<double>> twin;  ///< empty for S = double
  explicit CellSystem(const CellSetup& setup);
  SystemPair<S> pair();
};

/// The problem's (or the user's) consistent state at t = 0 with accelerations and multipliers.
/// Throws BadInput with the size of the violation if q, v do not satisfy the constraints.
template <class S>
State<S> initial_state(const CellSetup& setup, CellSystem<S>& cell,
                       const std::optional<InitialState>& given);

}  // namespace daemark
