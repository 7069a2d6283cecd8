// What a method is: its coefficients, and the family they belong to.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "methods/core/tableau.hpp"

namespace daemark {

/// A Runge–Kutta method: the tableau at 130 digits, and the exact forms that it has.
struct RungeKuttaForm {
  WideTableau tableau;
  /// With an explicit first stage and a stiffly accurate formula: ẏ_k is that of the last stage of
  /// the step before (the block form). False: from the index-1 solve at (q_k, v_k).
  bool carry_rate = true;
  /// Where the coefficients are rational: then there is a stepper in exact arithmetic.
  std::optional<RationalTableau> exact = std::nullopt;
  std::optional<ExactTableau> written = std::nullopt;  ///< where the coefficients are expressions
  std::optional<WideBlock> block = std::nullopt;       ///< where it was given in block form
  int interpolant_order = 0;  ///< order_of_interpolant of the tableau, set by the method
};

/// Multistep, half-explicit and Rosenbrock methods are their coefficients, methods of two tableaus
/// that pair, structural ones what a step does on a linear equation; methods built around another
/// one and external solvers have no form.
using MethodForm = std::variant<std::monostate, RungeKuttaForm, ExactMultistep, ExactSecondOrder,
                                ExactPair, ExactHalfExplicit, ExactRosenbrock>;

/// Gauss, Radau and Lobatto methods (methods/runge_kutta/collocation.hpp).
struct Collocation {
  std::string id;  ///< "gauss", "radau_ia", ...
  int stages;
};

/// Block methods (methods/runge_kutta/pade.hpp): r nodes, degrees k, j of the Padé approximant.
struct PadeBlock {
  int r, k, j;
  std::string nodes;             ///< a name, or "" with the list
  std::vector<Expression> list;  ///< otherwise empty
};

/// msstc: n sub-steps, order 2, spectral radius rho at infinity; n = 2 is the method of Bathe.
struct Msstc {
  int n;
  rational rho;
};

/// mssth: n sub-steps, order n; free nodes as published, or those of least error.
struct Mssth {
  int n;
  rational rho;
  bool published;
};

/// lms: n steps, order 2, every root at infinity at -rho.
struct FlatMultistep {
  int n;
  rational rho;
};

/// Lobatto IIIA for positions with IIIB for velocities (methods/geometric/pair_method.hpp).
struct LobattoPair {
  int stages;
};

/// The arguments that exact work derives a member from, of families that it knows.
using Family =
    std::variant<std::monostate, Collocation, PadeBlock, Msstc, Mssth, FlatMultistep, LobattoPair>;

}  // namespace daemark
