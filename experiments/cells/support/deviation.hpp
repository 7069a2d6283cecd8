// The deviation of a run's history from that of another run, for example one with a much smaller
// step.
#pragma once

#include <optional>

#include "experiments/cells/support/cell.hpp"

namespace daemark {

/// A run to measure a cell's history against: the same problem and formulation.
struct Against {
  std::string series;  ///< e.g. "v_theta_OF"
  std::string method, h;
  std::map<std::string, std::string> settings;
};

/// The key `against` of a cell, {series, method, h[, settings]}; absent where it is not given.
/// Throws BadInput where it is malformed.
std::optional<Against> against_of(const Cell& cell);

/// The value of the key as the identity of a cell has it.
nlohmann::json against_identity(const nlohmann::json& value);

/// For a cell with `against`: the series itself as ours and, at the same times (cubic
/// interpolation), of the other run. Adds the series deviation and reference_<series>, and the
/// measures
///   deviation_max, deviation_rms, deviation_quarter1..4   relative to the largest |reference|
///   departs_at     the first time at which the deviation exceeds 1 % [s]; the end if it never does
///   energy_error_upper, energy_error_lower   signed extremes [J]
///   energy_error_mean1..4                    mean over each quarter, signed [J]
///   energy_error_jitter   sum of |rises and falls| against the extent: 1 is monotone
/// Where the other run failed nothing but the energy measures is added.
void add_deviation(const Cell& cell, const std::vector<std::string>& components,
                   CellResult& result);

}  // namespace daemark
