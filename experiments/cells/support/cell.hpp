// A cell: one computation (a run, or a study of a method) with everything that decides its result,
// and the result as it is recorded and cached. The kinds of cells: cell_kind.hpp.
#pragma once

#include <map>
#include <memory>
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

  /// Of `more`; false, 0, "", none and null where the key is not given. Throws std::logic_error for
  /// a key that the kind of the cell does not declare.
  bool flag(const std::string& key) const;
  long whole(const std::string& key) const;
  std::string text(const std::string& key) const;
  std::vector<std::string> texts(const std::string& key) const;
  nlohmann::json object(const std::string& key) const;
};

/// The identity as sorted JSON text; calls in their canonical spelling.
std::string canonical(const Cell& cell);

/// A cell that changes no more, with its canonical text, which is built once. Copies share both.
class FixedCell {
 public:
  FixedCell(const Cell& cell);  // NOLINT(google-explicit-constructor): it is a cell
  operator const Cell&() const { return content_->cell; }  // NOLINT(google-explicit-constructor)
  const Cell* operator->() const { return &content_->cell; }
  friend const std::string& canonical(const FixedCell& cell) { return cell.content_->name; }

 private:
  struct Content {
    Cell cell;
    std::string name;
  };
  std::shared_ptr<const Content> content_;
};
nlohmann::json cell_json(const Cell& cell);

/// The commands that a user runs to see what the cell saw, quoted for a shell, "; " between them.
std::string command(const Cell& cell);

/// Whether a status says what the method did on the problem: "ok", its own failures, "refused"
/// where it does not apply. Every other status (out of time or memory, a library or reference that
/// is missing) is one of the machine or the set-up, and nothing can be concluded from it.
const std::vector<std::string>& outcome_statuses();
bool is_outcome(const std::string& status);

/// The result of a cell. Series: t, components, v_<component>, lambda_<i>, kinetic, potential,
/// energy, energy_error, the violations (runs with history); h, error_q, error_v, error_lambda,
/// error_<component>, used_q, … (studies). Missing numbers are NaN.
struct CellResult {
  std::string status = "ok", why;
  double t = 0;
  std::vector<std::string> q, v, a, lambda;
  std::map<std::string, double> measures;
  std::map<std::string, long> counts;
  std::map<std::string, std::vector<double>> series;
  double seconds = 0;
  std::map<std::string, std::vector<double>> timings;  ///< series that depend on the machine [s]
  /// Digest of the sources it was computed with, 16 digits; "": as they are, or not known.
  std::string sources;
  bool kept = false;      ///< of another version of the sources: not computed again
  bool recorded = false;  ///< from a record, which holds no series but those of studies
  bool ok() const { return status == "ok"; }
  bool is_outcome() const { return daemark::is_outcome(status); }
  /// Of a whole made of parts: takes the first status that is not "ok", and one that is no outcome
  /// in place of one that is. Whether it did.
  bool take_status(const std::string& part);
  /// "sources 0123456789abcdef" of a kept one.
  std::string version() const { return sources.empty() ? "unknown sources" : "sources " + sources; }
};

/// Numbers that JSON has no place for are strings: "nan", "inf", "-inf".
nlohmann::json result_json(const CellResult& result, bool with_series, bool with_seconds);
/// Series to ten digits, as records keep them: what is drawn of a result and of its record is the
/// same. Done of every result that is computed or read.
void round_series(CellResult& result);
CellResult result_from_json(const nlohmann::json& json);  ///< throws nlohmann's or BadInput

}  // namespace daemark
