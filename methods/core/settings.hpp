// Settings of a run: what `--set KEY=VALUE` and experiments may set.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace daemark {

struct NewtonSettings {
  double tol = 1e-10;       ///< on the norm of the increment of (ẏ, algebraic) [units of the unknowns]
  bool infinity_norm = true;  ///< otherwise the 2-norm
  int max = 30;             ///< iterations a stage system
  bool simplified = false;  ///< one Jacobian a step, transformed blocks
  int reuse = 0;            ///< simplified: steps a factorisation may be kept while it converges fast
};

enum class Predictor { constant, extrapolated, hermite2, hermite4 };

struct Settings {
  NewtonSettings newton;
  Predictor predictor = Predictor::constant;
  std::string start = "consistent";
};

struct SettingInfo {
  std::string key, accepted, fallback, meaning;
};

/// Every key that exists, for help, `show` and refusals.
const std::vector<SettingInfo>& setting_infos();

/// Throws BadInput for unknown keys and values. `precision` decides the default tolerance
/// (1e-10 in double, ε^0.7 elsewhere).
Settings parse_settings(const std::map<std::string, std::string>& values,
                        const std::string& precision);

}  // namespace daemark
