// Settings of a run: what `--set KEY=VALUE` and experiments may set.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/numbers/precision.hpp"

namespace daemark {

/// A step's error is about constant · (hω)^order h |ẏ| for motions of frequency ω; 0: not known.
struct LeadingError {
  int order = 0;
  double constant = 0;
};

/// What is done where Newton's iteration fails, or leads far away.
enum class Rescue {
  on,          ///< made again damped and from other guesses, where a failure would end the run
  off,         ///< nothing
  questioned,  ///< the same also where it succeeded by increments that grew on the way
};

struct NewtonSettings {
  double tol = 1e-10;  ///< on the norm of the increment of (ẏ, algebraic) [units of the unknowns]
  bool by_step = false;  ///< instead: what the step can use (methods/stages/step_truncation.cpp)
  bool on_residual = false;   ///< on the norm of the residual instead, tested before each solve
  bool infinity_norm = true;  ///< otherwise the 2-norm
  int max = 30;               ///< iterations a stage system
  bool simplified = false;    ///< one Jacobian a stage system, transformed blocks
  int reuse = 0;  ///< simplified: steps a factorisation may be kept while it converges fast
  Rescue rescue = Rescue::on;
  double relative = 0;  ///< stop also at this part of the solution's size; no setting of a run
  LeadingError step;    ///< of the method that solves; no setting of a run
  double allowed_position = 0, allowed_velocity = 0;  ///< of a controlled step; 0: fixed steps
};

/// First guess of a stage's ẏ, from earlier points of the step and of the steps before:
/// `hermite2`, `hermite4` the derivative at the stage of the cubic (quintic) Hermite interpolant of
/// y, ẏ at the last two (three) points, multipliers constant (Zhang 2022, eqs. 12-17).
enum class Predictor { constant, extrapolated, hermite2, hermite4 };

/// How a k-step formula gets its first k points.
enum class Start {
  own_order,     ///< `lower_orders` in families that lose no order by it, `radau_iia` in others
  lower_orders,  ///< trapezoidal rule, then the formulas of the family with 2, 3, … steps; order 3
  trapezoidal,   ///< trapezoidal rule throughout (the text of Zhang 2022, eq. 3)
  radau_iia,     ///< Radau IIA of order at least that of any formula here
};

/// Step ends put onto the constraints (analysis/decisions/0010): the levels, and what the distance
/// is measured in.
struct ProjectionSettings {
  bool position = false, velocity = false;
  bool mass_metric = true;  ///< else Euclidean in the units of the coordinates
  bool on() const { return position || velocity; }
};

/// How multipliers take part in step-size control on index 2 and 3: their estimated error times
/// h^(index − 1), as it is, or not at all.
enum class AlgebraicControl { scaled, full, off };

/// What a component of a state is, as far as tolerances differ.
enum class ErrorKind { position, angle, velocity, multiplier };
inline constexpr std::array error_kind_names{"position", "angle", "velocity", "multiplier"};

/// On the estimated error of a component; where empty, ControlSettings::tol.
struct Tolerance {
  std::optional<double> absolute;  ///< [unit of the component]
  std::optional<double> relative;
};

/// Step-size control (methods/core/step_controller.hpp); off unless a tolerance is given.
struct ControlSettings {
  double tol = 0;  ///< on the estimated error of a step, relative to 1 + |y|; 0: fixed steps
  std::array<Tolerance, error_kind_names.size()> of;  ///< by ErrorKind
  double first = 0, least = 0, most = 0;              ///< step sizes [s]; 0: chosen
  AlgebraicControl algebraic = AlgebraicControl::scaled;
  bool inside = true;             ///< values at output points inside steps, where there are any
  bool vary_order = false;        ///< the order is chosen along with the step
  int filter = 0;                 ///< place in step_filters()
  double safety = 0.9;            ///< factor on every step that is chosen
  double shrink = 0.2, grow = 5;  ///< least and largest ratio of a step to the one before
  double dead_zone = 1;           ///< a ratio from 1 to this keeps the step
  double accept = 1;              ///< largest error, in units of the tolerances
  double failed = 0.25;           ///< ratio after an attempt that found no solution
  bool on() const { return tol > 0; }
};

struct Settings {
  NewtonSettings newton;
  ControlSettings control;
  ProjectionSettings project;
  int retry = 0;  ///< how often a failed fixed step is halved
  Predictor predictor = Predictor::constant;
  Start start = Start::own_order;
  /// v̇ = 0 and λ = 0 at t = 0 instead of the solved ones: what a code does that is not given them.
  bool unconverged_rates = false;
};

/// What solves the equations of a method with this error: with step-size control, of steps that are
/// held against tol^exponent.
NewtonSettings newton_for(const Settings& settings, const LeadingError& step, double exponent = 1);

struct SettingInfo {
  std::string key, accepted, fallback, meaning;
};

/// Every key that exists, for help, `show` and refusals.
const std::vector<SettingInfo>& setting_infos();

/// Throws BadInput for unknown keys and values. `precision` decides where newton.tol stands by
/// default: by the step in double, at ε^0.7 elsewhere.
Settings parse_settings(const std::map<std::string, std::string>& values, Precision precision);

}  // namespace daemark
