// A cell: one computation (a run, a study of a method) with everything that decides its result, and
// the result as it is recorded and cached. What a cell can be: cell_kind.hpp.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace daemark {

struct Cell {
  std::string kind = "integration";          ///< id of a CellKind
  std::string problem, formulation, method;  ///< calls as text
  std::vector<std::string> h;
  std::string t_end;
  std::string precision = "double";
  std::map<std::string, std::string> settings;
  bool is_long = false;                            ///< cost class; not part of the identity
  nlohmann::json more = nlohmann::json::object();  ///< what only its kind reads, by CellKind::keys

  /// Of `more`; false, 0, "" and nothing where the key is not given.
  bool flag(const std::string& key) const { return more.value(key, false); }
  long whole(const std::string& key) const { return more.value(key, 0L); }
  std::string text(const std::string& key) const { return more.value(key, ""); }
  std::vector<std::string> texts(const std::string& key) const {
    return more.value(key, std::vector<std::string>{});
  }
};

/// The identity as sorted JSON text; calls in their canonical spelling.
std::string canonical(const Cell& cell);
nlohmann::json cell_json(const Cell& cell);

/// The command that reruns it, quoted for a shell.
std::string command(const Cell& cell);

/// What came out. Series: t, components, v_<component>, lambda_<i>, kinetic, potential, energy,
/// energy_error, the violations (runs with history); h, error_q, error_v, error_lambda,
/// error_<component>, used_q, … (studies). Missing numbers are NaN.
struct CellResult {
  std::string status = "ok", why;
  double t = 0;
  std::vector<std::string> q, v, a, lambda;
  std::map<std::string, double> measures;
  std::map<std::string, long> counts;
  std::map<std::string, std::vector<double>> series;
  double seconds = 0;
  std::map<std::string, std::vector<double>> apart;  ///< series of one machine: times, as `seconds`
  /// Digest of the sources it was computed with, 16 digits; "": as they are, or not known.
  std::string sources;
  bool kept = false;      ///< of another version of them: it was not computed again
  bool recorded = false;  ///< from a record, which holds no series but those of studies
  bool ok() const { return status == "ok"; }
  /// "sources 0123456789abcdef" of a kept one.
  std::string version() const { return sources.empty() ? "unknown sources" : "sources " + sources; }
};

/// Numbers that JSON has no place for are strings: "nan", "inf", "-inf".
nlohmann::json result_json(const CellResult& result, bool with_series, bool with_seconds);
CellResult result_from_json(const nlohmann::json& json);  ///< throws nlohmann's or BadInput

}  // namespace daemark
