#include "methods/core/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/numbers/expression.hpp"
#include "base/text/bad_input.hpp"

namespace daemark {

const std::vector<SettingInfo>& setting_infos() {
  static const std::vector<SettingInfo> all = {
      {"newton.tol", "real > 0", "1e-10 in double, eps^0.7 elsewhere",
       "bound on the norm of the Newton increment of (acceleration, multiplier), or of the "
       "residual; simplified: or on 20 times what is left of the increment"},
      {"newton.test", "increment | residual", "increment",
       "what newton.tol bounds; residual: tested before each solve, position rows as Φ/(b h) "
       "(Zhang 2022)"},
      {"newton.norm", "inf | two", "inf", "norm of the increment or residual"},
      {"newton.max", "integer 1..1000", "30", "iterations per stage system"},
      {"newton.kind", "full | simplified", "full",
       "simplified: one Jacobian a step and transformed blocks"},
      {"newton.reuse", "integer 0..1000000", "0",
       "simplified: steps a factorisation may be kept while it converges fast"},
      {"predictor", "constant | extrapolated | hermite2 | hermite4", "constant",
       "first guess of the stages; hermite2, hermite4: Zhang 2022, eqs. 12 and 16"},
      {"start", "lower_orders | trapezoidal | radau_iia", "lower_orders",
       "multistep formulas: what computes the first points"},
      {"start.rates", "consistent | unconverged", "consistent",
       "accelerations and multipliers at t = 0; unconverged: zero"},
  };
  return all;
}

namespace {

[[noreturn]] void refuse(const std::string& key, const std::string& value) {
  for (const SettingInfo& info : setting_infos())
    if (info.key == key)
      throw BadInput(
          fmt::format("setting {} = '{}' is not accepted: {}", key, value, info.accepted));
  std::string known;
  for (const SettingInfo& info : setting_infos()) known += (known.empty() ? "" : ", ") + info.key;
  throw BadInput(fmt::format("setting '{}' is unknown, accepted: {}", key, known));
}

/// The enumerator at the position of `value` among the accepted words.
template <class Choice>
Choice choice(const std::string& key, const std::string& value,
              const std::vector<std::string>& accepted) {
  const auto found = std::find(accepted.begin(), accepted.end(), value);
  if (found == accepted.end()) refuse(key, value);
  return static_cast<Choice>(found - accepted.begin());
}

int integer(const std::string& key, const std::string& value, int lo, int hi) {
  const Expression e = Expression::parse(value, "setting " + key);
  if (!e.is_rational()) refuse(key, value);
  const rational x = e.as_rational();
  if (x < lo || x > hi || denominator(x) != 1) refuse(key, value);
  return static_cast<int>(x);
}

}  // namespace

Settings parse_settings(const std::map<std::string, std::string>& values,
                        const std::string& precision) {
  Settings s;
  if (precision == "quad") s.newton.tol = std::pow(unit_roundoff<quad>(), 0.7);
  if (precision == "real50") s.newton.tol = std::pow(unit_roundoff<real50>(), 0.7);
  for (const auto& [key, value] : values) {
    if (key == "newton.tol") {
      s.newton.tol = Expression::parse(value, "setting newton.tol").eval<double>();
      if (!(s.newton.tol > 0)) refuse(key, value);
    } else if (key == "newton.test") {
      s.newton.on_residual = choice<int>(key, value, {"increment", "residual"}) == 1;
    } else if (key == "newton.norm") {
      if (value != "inf" && value != "two") refuse(key, value);
      s.newton.infinity_norm = value == "inf";
    } else if (key == "newton.max") {
      s.newton.max = integer(key, value, 1, 1000);
    } else if (key == "newton.kind") {
      if (value != "full" && value != "simplified") refuse(key, value);
      s.newton.simplified = value == "simplified";
    } else if (key == "newton.reuse") {
      s.newton.reuse = integer(key, value, 0, 1000000);
    } else if (key == "predictor") {
      s.predictor =
          choice<Predictor>(key, value, {"constant", "extrapolated", "hermite2", "hermite4"});
    } else if (key == "start") {
      s.start = choice<Start>(key, value, {"lower_orders", "trapezoidal", "radau_iia"});
    } else if (key == "start.rates") {
      s.unconverged_rates = choice<int>(key, value, {"consistent", "unconverged"}) == 1;
    } else {
      refuse(key, value);
    }
  }
  return s;
}

}  // namespace daemark
