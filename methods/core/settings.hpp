// Settings of a run: what `--set KEY=VALUE` and experiments may set.
// A value that a run may set, which knows whether it was read: a setting that nothing has read is
// one that the run ignores.
#pragma once

#include <array>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/numbers/precision.hpp"

namespace daemark {

/// While it lives, the keys of the settings that its thread reads.
class SettingReads {
 public:
  SettingReads() : before_(current()) { current() = this; }
  ~SettingReads() { current() = before_; }
  SettingReads(const SettingReads&) = delete;
  SettingReads& operator=(const SettingReads&) = delete;

  bool contains(const std::string& key) const { return keys_.contains(key); }
  static void note(const char* key) {
    if (SettingReads* const reads = current()) reads->keys_.emplace(key);
  }

 private:
  static SettingReads*& current() {
    static thread_local SettingReads* reads = nullptr;
    return reads;
  }
  SettingReads* before_;
  std::set<std::string, std::less<>> keys_;
};

template <class T>
class Setting {
 public:
  constexpr Setting(const char* key, T value) : key_(key), value_(value) {}
  Setting& operator=(const T& value) { return value_ = value, *this; }
  operator const T&() const {  // NOLINT: to be used as the value
    SettingReads::note(key_);
    return value_;
  }

 private:
  const char* key_;  ///< "newton.tol"; not of what lives shorter
  T value_;
};

/// A step's error is about constant · (hω)^order h |ẏ| for motions of frequency ω; 0: not known.
struct LeadingErrorTerm {
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
  /// On the norm of the increment of (ẏ, algebraic) [units of the unknowns].
  Setting<double> tol{"newton.tol", 1e-10};
  /// Instead: what the step can use (methods/stages/step_truncation.cpp).
  Setting<bool> by_step{"newton.tol", false};
  /// On the norm of the residual instead, tested before each solve.
  Setting<bool> on_residual{"newton.test", false};
  Setting<bool> infinity_norm{"newton.norm", true};  ///< otherwise the 2-norm
  Setting<int> max{"newton.max", 30};                ///< iterations a stage system
  /// One Jacobian a stage system, transformed blocks.
  Setting<bool> simplified{"newton.kind", false};
  /// Simplified: steps a factorisation may be kept while it converges fast.
  Setting<int> reuse{"newton.reuse", 0};
  Setting<Rescue> rescue{"newton.rescue", Rescue::on};
  double relative = 0;    ///< stop also at this part of the solution's size; no setting of a run
  LeadingErrorTerm step;  ///< of the method that solves; no setting of a run
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
  Setting<bool> position{"project", false}, velocity{"project", false};
  /// Else Euclidean in the units of the coordinates.
  Setting<bool> mass_metric{"project.metric", true};
  bool on() const { return position || velocity; }
};

/// How multipliers take part in step-size control on index 2 and 3: their estimated error times
/// h^(index − 1), as it is, or not at all.
enum class AlgebraicControl { scaled, full, off };

/// What a component of a state is, as far as tolerances differ.
enum class ErrorKind { position, angle, velocity, multiplier };
inline constexpr std::array error_kind_names{"position", "angle", "velocity", "multiplier"};

/// On the estimated error of a component; < 0: ControlSettings::tol.
struct Tolerance {
  Setting<double> absolute;  ///< [unit of the component]
  Setting<double> relative;
};

/// Step-size control (methods/core/stepper.hpp); off unless a tolerance is given.
struct ControlSettings {
  /// On the estimated error of a step, relative to 1 + |y|; 0: fixed steps.
  Setting<double> tol{"control.tol", 0};
  std::array<Tolerance, error_kind_names.size()> of = {{
      {{"control.atol.position", -1}, {"control.rtol.position", -1}},
      {{"control.atol.angle", -1}, {"control.rtol.angle", -1}},
      {{"control.atol.velocity", -1}, {"control.rtol.velocity", -1}},
      {{"control.atol.multiplier", -1}, {"control.rtol.multiplier", -1}},
  }};  ///< by ErrorKind
  /// Step sizes [s]; 0: chosen.
  Setting<double> first{"control.first", 0}, least{"control.least", 0}, most{"control.most", 0};
  Setting<AlgebraicControl> algebraic{"control.algebraic", AlgebraicControl::scaled};
  /// Values at output points inside steps, where there are any.
  Setting<bool> inside{"control.output", true};
  bool inside_asked = false;  ///< and not to be replaced; no setting of a run
  Setting<bool> vary_order{"control.order", false};  ///< the order is chosen along with the step
  Setting<int> filter{"control.kind", 0};            ///< place in step_filters()
  Setting<double> safety{"control.safety", 0.9};     ///< factor on every step that is chosen
  /// Least and largest ratio of a step to the one before.
  Setting<double> shrink{"control.shrink", 0.2}, grow{"control.grow", 5};
  Setting<double> dead_zone{"control.dead_zone", 1};  ///< a ratio from 1 to this keeps the step
  Setting<double> accept{"control.accept", 1};        ///< largest error, in units of the tolerances
  Setting<double> failed{"control.failed", 0.25};     ///< ratio after an attempt without a solution
  bool on() const { return tol > 0; }
  double absolute(ErrorKind kind) const { return or_tol(of[static_cast<int>(kind)].absolute); }
  double relative(ErrorKind kind) const { return or_tol(of[static_cast<int>(kind)].relative); }

 private:
  double or_tol(double given) const { return given < 0 ? static_cast<double>(tol) : given; }
};

struct Settings {
  NewtonSettings newton;
  ControlSettings control;
  ProjectionSettings project;
  Setting<int> retry{"retry", 0};  ///< how often a failed fixed step is halved
  Setting<Predictor> predictor{"predictor", Predictor::constant};
  Setting<Start> start{"start", Start::own_order};
  /// v̇ = 0 and λ = 0 at t = 0 instead of the solved ones: what a code does that is not given them.
  Setting<bool> unconverged_rates{"start.rates", false};
};

/// What solves the equations of a method with this error: with step-size control, of steps that are
/// held against tol^exponent.
NewtonSettings newton_for(const Settings& settings, const LeadingErrorTerm& step,
                          double exponent = 1);

struct SettingInfo {
  std::string key, accepted, fallback, meaning;
};

/// Every key that exists, for help, `show` and refusals.
const std::vector<SettingInfo>& setting_infos();

/// Throws BadInput for unknown keys and values. `precision` decides where newton.tol stands by
/// default: by the step in double, at ε^0.7 elsewhere.
Settings parse_settings(const std::map<std::string, std::string>& values, Precision precision);

}  // namespace daemark
