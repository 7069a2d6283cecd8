// Formulations: MechanicalSystem × formulation → ImplicitSystem. One table (formulation.cpp) says
// all there is to say of one: its id, parameters, index, coordinates and how it is made.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/input/call.hpp"
#include "problems/system/mechanical_system.hpp"

namespace daemark {

/// How a formulation is made of a mechanism in each scalar; `h` is the step (or, where steps vary,
/// the spacing of output points) that gains may use.
template <class S>
using FormulationMaker = std::function<std::unique_ptr<ImplicitSystem<S>>(
    MechanicalPtr<S> mechanism, const Arguments& arguments, const wide& h)>;

struct FormulationInfo {
  std::string id, summary;
  std::vector<Parameter> parameters;
  int index = 1;  ///< differentiation index of what the method sees; 0 for ordinary equations
  bool minimal = false;          ///< works on the mechanism in independent coordinates
  bool second_order = true;      ///< the rates of positions are the velocities themselves
  bool needs_positions = false;  ///< every constraint row must have a Φ
  /// M v̇ + Gᵀλ = f with combinations of Φ, Φ̇, Φ̈ as rows (MechanicalFormulation::levels).
  bool levels = false;
  FormulationMaker<double> in_double;
  FormulationMaker<real50> in_real50;
};

const std::vector<FormulationInfo>& formulations();

/// Ids of the formulations that hold for `accepted`, in the order of the table: "index1, minimal".
std::string formulation_ids(const std::function<bool(const FormulationInfo&)>& accepted);

/// A formulation with its arguments bound.
struct Formulation {
  FormulationInfo info;
  Arguments arguments;
  /// Throws BadInput for unknown ids and arguments.
  static Formulation parse(const std::string& text);
  std::string name() const { return arguments.canonical(); }
};

/// The system keeps `mechanism` alive.
template <class S>
std::unique_ptr<ImplicitSystem<S>> formulate(const Formulation& formulation,
                                             MechanicalPtr<S> mechanism, const wide& h);

/// The mechanism's part of a point: in every formulation y is q, then v, then λ, then the rest.
template <class S>
MotionPoint<S> motion_point(int coordinates, const SystemPoint<S>& p) {
  return {p.t, p.y, p.y + coordinates, p.rate + coordinates, p.y + 2 * coordinates, p.chart};
}

}  // namespace daemark
