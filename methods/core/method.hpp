// A method with its arguments bound: which systems it takes, its coefficients, its steppers.
// What a method is: its coefficients, and the family they belong to.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/numbers/expression.hpp"
#include "base/numbers/precision.hpp"
#include "methods/core/stepper.hpp"
#include "methods/core/tableau.hpp"

namespace daemark {

/// A Runge–Kutta method: the tableau at 130 digits, and the exact forms that it has.
struct RungeKuttaForm {
  WideTableau tableau;
  /// With an explicit first stage and a stiffly accurate formula: ẏ_k is that of the last stage of
  /// the step before (the block form). False: from the index-1 solve at (q_k, v_k).
  bool first_same_as_last = true;
  /// Where the coefficients are rational: then there is a stepper in exact arithmetic.
  std::optional<Tableau<rational>> exact = std::nullopt;
  std::optional<Coefficients> written = std::nullopt;  ///< where the coefficients are expressions
  std::optional<WideBlock> block = std::nullopt;       ///< where it was given in block form
  int interpolant_order = 0;  ///< order_of_interpolant of the tableau, set by the method
};

/// Multistep, half-explicit and Rosenbrock methods are their coefficients, methods of two tableaus
/// that pair, structural ones what a step does on a linear equation; methods built around another
/// one and external solvers have no form.
using MethodForm = std::variant<std::monostate, RungeKuttaForm, Coefficients, ExactSecondOrder>;

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

// Methods whose step is several steps of a symmetric method, Φ_{γ_m h} ∘ … ∘ Φ_{γ_1 h}.

struct ExactComposition {
  std::string base;              ///< call of Φ, which is symmetric and of order 2
  std::vector<Expression> half;  ///< γ_1, γ_2, … before the middle; γ_i = γ_{m+1−i}, Σ γ = 1
  int order = 0;                 ///< as published
};

/// Implemented next to Method.
class ComposedStep {
 public:
  virtual ~ComposedStep() = default;
  virtual const ExactComposition& composition() const = 0;
};

/// What a method must know of a system to accept or refuse it.
struct SystemTraits {
  SystemTraits(int index) : index(index) {}         // NOLINT: an index is the least there is to say
  SystemTraits(const FormulationInfo& formulation)  // NOLINT
      : index(formulation.index),
        second_order(formulation.second_order),
        minimal(formulation.minimal),
        levels(formulation.levels) {}
  int index;                 ///< differentiation index of the equations: 0, 1, 2, 3
  bool mechanism = true;     ///< M, G, f and Φ can be had
  bool flat = true;          ///< no rotations in charts
  bool second_order = true;  ///< q̇ = v as it stands, so that v̇ gives positions too
  bool minimal = false;      ///< in minimal coordinates
  bool full_rank = true;     ///< no constraint is a consequence of the others
  Precision precision = Precision::in_double;
  int unknowns = 0;              ///< of one stage; 0: not known yet
  int constraints = -1;          ///< constraint rows; −1: not known yet
  int velocity_rows = 0;         ///< of these, rows that begin on the velocity level
  bool constant_mass = true;     ///< M does not depend on positions
  bool velocity_forces = false;  ///< f depends on velocities
  bool multiplier_forces =
      false;                  ///< f depends on λ: methods that work on M and G alone get nothing
  bool stiff_forces = false;  ///< some forces are declared stiff (MechanicalSystem::stiff_part)
  /// M constant in the frames of the bodies, and velocities in f by gyroscopic moments alone
  /// (problems/geometry/body_frames.hpp).
  bool rigid_inertia = true;
  bool levels = true;  ///< FormulationInfo::levels
};

/// Reasons for a refusal that several methods share.
namespace refusals {
inline constexpr const char* needs_mechanism =
    "it works on mass, forces and constraints themselves, this system has none or its forces "
    "depend on multipliers; accepted: mechanisms";
inline constexpr const char* flat_only =
    "rotations in charts are not supported; accepted: flat coordinates";
inline constexpr const char* second_order_only =
    "its formulas integrate accelerations twice, the positions of this formulation have other "
    "rates; accepted: formulations with q' = v";
inline constexpr const char* redundant =
    "constraints depend on each other and its Newton matrix is singular; accepted: tangent_space "
    "with form=null_space, minimal";
inline constexpr const char* needs_positions =
    "some constraints begin on the velocity level and have no positions to hold";
inline constexpr const char* double_only = "it computes in double only; accepted: precision double";
inline constexpr const char* constant_step = "its coefficients need a constant step; accepted: no ";
inline constexpr const char* owns_loop =
    "it chooses its steps itself, by its parameter tol; accepted: no ";
inline constexpr const char* no_estimate =
    "it has no embedded formula to control the step with; accepted: no control.tol";
}  // namespace refusals

/// What computes the first points of a formula that uses several earlier ones.
struct StartingProcedure {
  std::string how;  ///< "Radau IIA with 3 stages"
  int steps = 0;    ///< how many
  int order = 0;    ///< power of h in their errors, which bounds the order of a run (index 1)
};

/// Powers of h in the errors at step ends, of methods whose coefficients do not tell them; empty
/// entries: nothing is known.
struct KnownOrders {
  std::optional<int> q, v, lambda;
  bool observed = false;  ///< no source for it was read
  std::string reason;     ///< theorem and source, or how it was observed
};

/// Powers of h in the estimate of a step and in the errors of a run.
struct ControlOrders {
  int estimate = 0, error = 0;
};

template <class S>
class Integrator;

/// A method with its arguments bound. Implementations derive from MethodOf, which asks for one
/// template in place of the four overloads of stepper().
class Method {
 public:
  explicit Method(MethodForm form = {}, Family family = {})
      : form_(std::move(form)), family_(std::move(family)) {}
  virtual ~Method() = default;
  /// Stages solved implicitly per step (cost normalisation n); all stages of explicit methods.
  virtual int cost_stages() const = 0;
  virtual bool is_explicit() const { return false; }
  /// The coefficients hold for a constant step only.
  virtual bool constant_step() const { return false; }
  /// Order of the error that steppers estimate where Settings::control is on;
  /// 0: no estimate.
  virtual int estimate_order() const { return 0; }
  /// Power of h with which the errors of a run fall, where the estimate is of another quantity than
  /// what they add up from: steps are held against tol^(estimate_order/error_order), so that errors
  /// stay in proportion to the tolerance.
  virtual int error_order() const { return estimate_order(); }
  /// Both on equations of an index, where stages and multipliers may lower them.
  virtual ControlOrders control_orders(int index) const {
    (void)index;
    return {estimate_order(), error_order()};
  }
  /// Whether it takes ControlSettings::vary_order.
  virtual bool varies_order() const { return false; }
  /// Empty if the method can choose its steps on such a system, otherwise why not.
  virtual std::string control_refusal(const SystemTraits& system) const;
  /// Empty if the method takes such a system, otherwise why not.
  virtual std::string refusal(const SystemTraits& system) const = 0;

  virtual std::unique_ptr<Stepper<double>> stepper(const Target<double>&,
                                                   const Settings&) const = 0;
  virtual std::unique_ptr<Stepper<real50>> stepper(const Target<real50>&,
                                                   const Settings&) const = 0;
  /// Exact arithmetic, for stability functions; null where the method is not rational.
  virtual std::unique_ptr<Stepper<rational>> stepper(const Target<rational>&,
                                                     const Settings&) const = 0;
  /// An external solver, which chooses its steps itself: own_integrator() gives its integrator, and
  /// stepper() is null in every scalar.
  virtual bool owns_loop() const { return false; }
  /// Likewise; false of programs with fixed steps, which follow those of the run.
  virtual bool chooses_steps() const { return owns_loop(); }
  virtual std::unique_ptr<Integrator<double>> own_integrator(const Target<double>&,
                                                             const Settings&) const;

  /// The coefficients, where they have this form; null otherwise.
  template <class Form>
  const Form* as() const {
    return std::get_if<Form>(&form_);
  }
  /// The arguments of the member where the method belongs to this family; null otherwise.
  template <class OneFamily>
  const OneFamily* member_of() const {
    return std::get_if<OneFamily>(&family_);
  }
  const Family& family() const { return family_; }
  /// Of Runge–Kutta methods, at 130 digits.
  const WideTableau* tableau() const;
  /// As expressions, where the method is written so; null otherwise, and where it is of another
  /// kind.
  const Coefficients* coefficients() const;
  const Coefficients* coefficients(MethodKind kind) const;
  /// Rates and multipliers at a step end come from an index-1 solve there, as functions of the
  /// state; false: from the last stage or equation of the step.
  virtual bool solves_end_rates() const { return false; }
  /// On equations of an index it takes, 0 (none of its formulas meets a constraint) to 3.
  virtual std::optional<KnownOrders> known_orders(int index) const {
    (void)index;
    return std::nullopt;
  }
  /// Further lines for `show`: what is known of an external solver and its tables.
  virtual std::vector<std::string> details() const { return {}; }
  /// Fewest steps of a run; more than one for multistep formulas, which need first points.
  virtual int least_steps() const { return 1; }
  /// Empty for methods that need no start.
  virtual std::optional<StartingProcedure> starting_procedure(const Settings&) const {
    return std::nullopt;
  }

 private:
  MethodForm form_;
  Family family_;
};

/// The three steppers of a family from its
///   template <class S> std::unique_ptr<Stepper<S>> make(const Target<S>&, const Settings&) const;
/// null where there is none in S.
template <class Derived>
class MethodOf : public Method {
 public:
  using Method::Method;
  std::unique_ptr<Stepper<double>> stepper(const Target<double>& t,
                                           const Settings& s) const override {
    return self().template make<double>(t, s);
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
