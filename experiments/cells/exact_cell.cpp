#include "experiments/cells/exact_cell.hpp"

#include <fmt/format.h>

#include <optional>

#include "analysis/exact/catalogue.hpp"
#include "analysis/exact/errata.hpp"
#include "base/program/paths.hpp"
#include "base/text/bad_input.hpp"

namespace daemark {
namespace {

/// 1: the formula stands, 0: it is wrong in the paper; absent where our transcription is damaged or
/// the entry is open, so that no claim is judged on it.
std::optional<double> printed_holds(const std::string& erratum) {
  const std::size_t slash = erratum.find('/');
  if (slash == std::string::npos) {
    throw BadInput(fmt::format("erratum '{}': accepted is PAPER/PLACE", erratum));
  }
  const exact::Erratum found =
      exact::find_erratum(source_root() / "analysis" / "exact" / "errata", erratum.substr(0, slash),
                          erratum.substr(slash + 1));
  if (!found.refusal.empty())
    throw BadInput(fmt::format("erratum '{}': {}", erratum, found.refusal));
  if (found.kind == exact::ErratumKind::right) return 1;
  if (found.kind == exact::ErratumKind::wrong) return 0;
  return std::nullopt;
}

}  // namespace

CellResult run_exact(const Cell& cell) {
  CellResult result;
  const exact::VerifyReport report = exact::verify_method(cell.method);
  const auto put = [&](const char* name, const auto& value) {
    if (value) result.measures[name] = static_cast<double>(*value);
  };
  put("order", report.order);
  put("stage_order", report.stage_order);
  put("a_stable", report.a_stable);
  put("l_stable", report.l_stable);
  result.measures["verified"] = report.verified() ? 1 : 0;
  if (!cell.erratum.empty()) put("printed_holds", printed_holds(cell.erratum));
  return result;
}

}  // namespace daemark
