// A method with its arguments bound: what it takes, its steppers, its coefficients.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/numbers/precision.hpp"
#include "methods/core/stepper.hpp"
#include "methods/core/tableau.hpp"

namespace daemark {

/// A member of a family that exact work derives from its nodes, without a tableau of expressions:
/// gauss, radau_ia, ... with `stages`, or pade_block with r = stages and degrees k, j.
struct ExactFamily {
  std::string family;
  int stages = 0, k = 0, j = 0;
  std::string nodes;  ///< pade_block: a name, or "" with the list
  std::vector<Expression> list;
  bool is_block() const { return k + j > 0; }  ///< a block has k + j >= r
};

/// A member of a family whose members exact work proves for every rho in [0, 1] at once.
struct RhoFamily {
  enum class Kind {
    spectral_substeps,     ///< n sub-steps of order 2
    high_order_published,  ///< n sub-steps of order n, free nodes as published
    high_order_minimised,  ///< the same, free nodes that minimise the leading error
    flat_multistep,        ///< n steps, every root at infinity at -rho
  };
  Kind kind;
  int n;
  rational rho;
};

/// What a method needs to know of a system to refuse it.
struct SystemTraits {
  SystemTraits(int index) : index(index) {}         // NOLINT: an index is the least there is to say
  SystemTraits(const FormulationInfo& formulation)  // NOLINT
      : index(formulation.index), second_order(formulation.second_order) {}
  int index;                 ///< differentiation index of the equations: 0, 1, 2, 3
  bool mechanism = true;     ///< M, G, f and Φ can be had
  bool flat = true;          ///< no rotations in charts
  bool second_order = true;  ///< q̇ = v as it stands, so that v̇ gives positions too
  bool full_rank = true;     ///< no constraint is a consequence of the others
  Precision precision = Precision::in_double;
  int unknowns = 0;      ///< of one stage; 0: not known yet
  int constraints = -1;  ///< rows of Φ; −1: not known yet
};

/// The reasons of refusals that several methods share.
namespace refusals {
inline constexpr const char* needs_mechanism =
    "it works on mass, forces and constraints themselves, this system has none; accepted: "
    "mechanisms";
inline constexpr const char* flat_only =
    "rotations in charts are not supported; accepted: flat coordinates";
inline constexpr const char* second_order_only =
    "its formulas integrate accelerations twice, the positions of this formulation have other "
    "rates; "
    "accepted: formulations with q' = v";
inline constexpr const char* redundant =
    "constraints depend on each other and its Newton matrix is singular; accepted: tangent_space "
    "with form=null_space, minimal";
inline constexpr const char* double_only = "it computes in double only; accepted: precision double";
inline constexpr const char* constant_step = "its coefficients need a constant step; accepted: no ";
inline constexpr const char* owns_loop =
    "it chooses its steps itself, by its parameter tol; accepted: no ";
inline constexpr const char* no_estimate =
    "it has no embedded formula to control the step with; accepted: no control.tol";
}  // namespace refusals

template <class S>
class Integrator;

/// A method with its arguments bound: everything else (steppers, coefficients) comes from it.
/// Families derive from MethodOf, which asks for one template in place of the four overloads.
class Method {
 public:
  virtual ~Method() = default;
  /// Stages solved implicitly per step (cost normalisation n); all stages of explicit methods.
  virtual int cost_stages() const = 0;
  virtual bool is_explicit() const { return false; }
  /// Coefficients hold for a constant step only.
  virtual bool constant_step() const { return false; }
  /// Steppers estimate their error where Settings::control asks for it: it falls with h to this
  /// power; 0: no estimate.
  virtual int estimate_order() const { return 0; }
  /// Empty if the method takes such a system, otherwise why not.
  virtual std::string refusal(const SystemTraits& system) const = 0;

  virtual std::unique_ptr<Stepper<double>> stepper(const Target<double>&,
                                                   const Settings&) const = 0;
  virtual std::unique_ptr<Stepper<quad>> stepper(const Target<quad>&, const Settings&) const = 0;
  virtual std::unique_ptr<Stepper<real50>> stepper(const Target<real50>&,
                                                   const Settings&) const = 0;
  /// Exact arithmetic, for stability functions; null where the method is not rational.
  virtual std::unique_ptr<Stepper<rational>> stepper(const Target<rational>&,
                                                     const Settings&) const = 0;
  /// A method that owns its loop (an external solver): then own_integrator() gives its integrator
  /// and there is no stepper (null in every scalar).
  virtual bool owns_loop() const { return false; }
  virtual std::unique_ptr<Integrator<double>> own_integrator(const Target<double>&,
                                                             const Settings&) const;

  /// Coefficients, where the method has such a form.
  virtual std::optional<WideTableau> tableau() const { return std::nullopt; }
  virtual std::optional<WideBlock> block() const { return std::nullopt; }
  /// Exact coefficients at the bound arguments, where the family knows them: for `verify`.
  virtual std::optional<ExactTableau> exact_tableau() const { return std::nullopt; }
  virtual std::optional<ExactMultistep> exact_multistep() const { return std::nullopt; }
  virtual std::optional<ExactFamily> exact_family() const { return std::nullopt; }
  virtual std::optional<ExactSecondOrder> exact_second_order() const { return std::nullopt; }
  virtual std::optional<RhoFamily> rho_family() const { return std::nullopt; }
  /// Rates and multipliers at a step end come from an index-1 solve there, as functions of the
  /// state; false: from the step's own last stage or equation.
  virtual bool solves_end_rates() const { return false; }
  /// Further lines for `show`: what is known of an external solver and its tables.
  virtual std::vector<std::string> details() const { return {}; }
  /// Fewest steps of a run: multistep formulas need room for their start.
  virtual int least_steps() const { return 1; }
};

/// The four steppers of a family from its
///   template <class S> std::unique_ptr<Stepper<S>> make(const Target<S>&, const Settings&) const;
/// null where there is none in S.
template <class Derived>
class MethodOf : public Method {
 public:
  std::unique_ptr<Stepper<double>> stepper(const Target<double>& t,
                                           const Settings& s) const override {
    return self().template make<double>(t, s);
  }
  std::unique_ptr<Stepper<quad>> stepper(const Target<quad>& t, const Settings& s) const override {
    return self().template make<quad>(t, s);
  }
  std::unique_ptr<Stepper<real50>> stepper(const Target<real50>& t,
                                           const Settings& s) const override {
    return self().template make<real50>(t, s);
  }
  std::unique_ptr<Stepper<rational>> stepper(const Target<rational>& t,
                                             const Settings& s) const override {
    return self().template make<rational>(t, s);
  }

 private:
  const Derived& self() const { return static_cast<const Derived&>(*this); }
};

}  // namespace daemark
