// Formulations: MechanicalSystem × formulation → ImplicitSystem.
//
//   index3: Φ = 0            index2: Φ̇ = 0            index1: Φ̈ = 0
//   baumgarte(alpha, beta): Φ̈ + 2αΦ̇ + β²Φ = 0 (gains may use h)
//   ggl: q̇ = v − Gᵀμ, Φ = 0, Φ̇ = 0 (Gear, Gupta & Leimkuhler 1985)
//   minimal: the mechanism in independent coordinates, where it has such a form
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/text/call.hpp"
#include "problems/core/mechanical_system.hpp"

namespace daemark {

struct FormulationInfo {
  std::string id, summary;
  std::vector<Parameter> parameters;
  int index = 1;  ///< differentiation index of what the method sees; 0 for ordinary equations
};

const std::vector<FormulationInfo>& formulations();

/// A formulation with its arguments bound.
struct Formulation {
  FormulationInfo info;
  Arguments arguments;
  /// Throws BadInput for unknown ids and arguments.
  static Formulation parse(const std::string& text);
  std::string name() const { return arguments.canonical(); }
};

/// `h` enters Baumgarte gains. The system keeps `mechanism` alive.
template <class S>
std::unique_ptr<ImplicitSystem<S>> formulate(const Formulation& formulation,
                                             MechanicalPtr<S> mechanism, const wide& h);

/// Layout of y in every mechanical formulation: q first, then v, then λ.
template <class S>
struct MechanicalView {
  int n, m;
  const S* q(const S* y) const { return y; }
  const S* v(const S* y) const { return y + n; }
  const S* lambda(const S* y) const { return y + 2 * n; }
};

}  // namespace daemark
