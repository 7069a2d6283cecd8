#include "experiments/cells/exact_cell.hpp"

#include <fmt/format.h>

#include "analysis/exact/catalogue.hpp"
#include "analysis/exact/errata.hpp"
#include "base/program/paths.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/strict_json.hpp"

namespace daemark {
namespace {

double printed_holds(const std::string& erratum) {
  const std::size_t slash = erratum.find('/');
  const std::string paper = erratum.substr(0, slash), place = erratum.substr(slash + 1);
  const auto file = source_root() / "analysis" / "exact" / "errata" / (paper + ".json");
  const nlohmann::ordered_json data =
      nlohmann::ordered_json::parse(parse_json_file(file.string()).dump());
  for (const auto& entry : data.at("entries"))
    if (entry.at("place") == place) return exact::run_erratum(paper, entry).printed_holds ? 1 : 0;
  throw BadInput(fmt::format("erratum '{}' is unknown, accepted: PAPER/PLACE of {}", erratum,
                             "analysis/exact/errata"));
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
  if (!cell.erratum.empty()) result.measures["printed_holds"] = printed_holds(cell.erratum);
  return result;
}

}  // namespace daemark
