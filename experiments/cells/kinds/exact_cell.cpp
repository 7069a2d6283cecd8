// Cells of kind "exact": what is proved of a method, or of a printed formula.
//
// Key: erratum (text), "paper/place", an entry of experiments/<paper>/errata.json.
//   order, stage_order, a_stable, l_stable (1, 0; missing: undecided), verified
//   printed_holds   of the erratum: 1 for a form that is right, 0 for one that is wrong in the
//                   paper, missing where our transcription is damaged or the entry is open

#include <fmt/format.h>

#include <optional>

#include "analysis/exact/proof/catalogue.hpp"
#include "base/program/digest.hpp"
#include "base/program/paths.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/cells/support/cell_kind.hpp"
#include "experiments/errata/errata.hpp"

namespace daemark {
namespace {

std::string paper_of(const std::string& erratum) { return erratum.substr(0, erratum.find('/')); }

std::string errata_file(const std::string& erratum) {
  return "experiments/" + paper_of(erratum) + "/errata.json";
}

/// 1: the formula stands, 0: it is wrong in the paper; absent where our transcription is damaged or
/// the entry is open, so that no claim is judged on it.
std::optional<double> printed_holds(const std::string& erratum) {
  const std::size_t slash = erratum.find('/');
  if (slash == std::string::npos) {
    throw BadInput(fmt::format("erratum '{}': accepted is PAPER/PLACE", erratum));
  }
  const exact::Erratum found = exact::find_erratum(
      source_root() / "experiments", erratum.substr(0, slash), erratum.substr(slash + 1));
  if (!found.refusal.empty())
    throw BadInput(fmt::format("erratum '{}': {}", erratum, found.refusal));
  if (found.kind == exact::ErratumKind::right) return 1;
  if (found.kind == exact::ErratumKind::wrong) return 0;
  return std::nullopt;
}

Commands verify_command(const Cell& cell) {
  const std::string erratum = cell.text("erratum");
  return {"daemark verify " + (erratum.empty() ? shell_word(cell.method) : paper_of(erratum))};
}

void use_errata(const Cell& cell, CellUses& uses) {
  const std::string erratum = cell.text("erratum");
  if (!erratum.empty() && !source_graph().digest_of(errata_file(erratum)).empty())
    uses.files.push_back(errata_file(erratum));
}

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
  const std::string erratum = cell.text("erratum");
  if (!erratum.empty()) put("printed_holds", printed_holds(erratum));
  return result;
}

}  // namespace

void register_exact_cell(CellKinds& kinds) {
  CellKind kind;
  kind.id = "exact";
  kind.keys = {required(key_method()), {"erratum"}};
  kind.measures = {{"{order,stage_order,a_stable,l_stable,verified}", ""},
                   {"printed_holds", "", [](const Cell& c) { return !c.text("erratum").empty(); }}};
  kind.compute = run_exact;
  kind.commands = verify_command;
  kind.cost = [](const Cell&) { return 1e5; };
  kind.uses_more = use_errata;
  kinds.add(std::move(kind));
}

}  // namespace daemark
