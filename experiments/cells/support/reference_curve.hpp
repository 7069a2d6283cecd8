// Outputs of a problem along a fine run, to measure others against: by one method, and by a second
// one that says how far the first can be believed. Kept under results/curves/, where
// they are no longer than a few thousand points, else under results/.local/.
//
// A stored curve is valid for the model it was computed with, whichever way the source of the model
// has been rewritten since; a digest of the source would call it stale at every edit. So it holds
// numbers that tell one model from another.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "analysis/run/run.hpp"
#include "experiments/cells/support/cell.hpp"

namespace daemark {

/// Of the problem's call, at times from its start to `t_end` [s].
std::vector<double> model_print(const std::string& problem, double t_end);

/// Whether two prints are of one model: equal to rounding.
bool same_model(const std::vector<double>& a, const std::vector<double>& b);

/// Values of outputs at times from `from` on.
struct OutputCurve {
  std::string status = "ok", why;
  std::vector<double> t;
  std::map<std::string, std::vector<double>> values;  ///< by output
};

/// A run of which only the outputs are kept, at every `every`-th step end.
std::pair<OutputCurve, RunResult> run_outputs(const BoundRun& run, double from, long every);

/// One of the two runs: every `every`-th step end is kept.
struct CurveRoute {
  std::string method, h;
  long every = 1;
  std::map<std::string, std::string> settings;
};

/// {method, h, every[, settings], second: {…}, t_end}. Throws BadInput where it is malformed.
struct CurveRequest {
  std::string problem, formulation, from, t_end;
  CurveRoute first, second;
};
CurveRequest curve_request(const Cell& cell, const nlohmann::json& truth);

struct ReferenceCurve : OutputCurve {
  double spacing = 0;                          ///< of its times [s]
  std::map<std::string, double> disagreement;  ///< of the two routes: max |difference|/max |value|
  /// Index of a time, −1 where the curve has none there.
  long at(double time) const;
};

/// From memory or disk, or computed.
std::shared_ptr<const ReferenceCurve> reference_curve(const CurveRequest& request);

}  // namespace daemark
