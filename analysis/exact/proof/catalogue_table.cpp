#include "analysis/exact/proof/catalogue_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "analysis/exact/proof/catalogue.hpp"
#include "analysis/exact/proof/certificate.hpp"
#include "base/input/strict_json.hpp"
#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"
#include "methods/catalogue/coefficients.hpp"
#include "methods/catalogue/registry.hpp"

namespace daemark::exact {
namespace {

std::string cell(const std::optional<bool>& value) { return value ? (*value ? "yes" : "no") : "?"; }
std::string cell(const std::optional<int>& value) { return value ? std::to_string(*value) : "?"; }

template <class T>
std::optional<T> value_of(const nlohmann::json& line, const char* key) {
  const nlohmann::json& value = line.at(key);
  return value.is_null() ? std::nullopt : std::optional(value.get<T>());
}

const char* verdict_of(const VerifyReport& report) {
  if (ran_out(report)) return "undecided";
  if (!report.verified()) return "FAILS";
  if (report.is_unstable()) return "not zero-stable";
  if (!report.exact) return "holds to rounding";
  return report.order ? "verified" : "undecided";
}

/// Exact numbers of a field may be long: they stand in full in the certificate.
std::string short_number(const std::string& exact) {
  constexpr std::size_t most = 40;
  return exact.size() <= most ? exact : exact.substr(0, most - 3) + "...";
}

std::string row_text(const std::vector<std::string>& cells) {
  return fmt::format("| {} |\n", fmt::join(cells, " | "));
}

std::string head_text(const std::vector<std::string>& columns) {
  std::string rule = "|";
  for (std::size_t i = 0; i < columns.size(); ++i) rule += "---|";
  return row_text(columns) + rule + "\n";
}

/// The facts that --json gives, one row a method.
std::string facts_table(const std::vector<VerifyReport>& reports) {
  std::string text;
  for (const VerifyReport& report : reports) {
    std::vector<std::string> row{report.id}, head{"method"};
    const Json facts = report.facts.to_json();
    for (const auto& [key, value] : facts.items()) {
      head.push_back(key);
      row.push_back(value.is_null()     ? ""
                    : value.is_string() ? short_number(value.get<std::string>())
                                        : value.dump());
    }
    if (text.empty()) text = head_text(head);
    text += row_text(row);
  }
  return text;
}

}  // namespace

bool ran_out(const VerifyReport& report) {
  return !report.order && !report.stage_order && !report.a_stable && report.num.empty();
}

std::vector<std::string> CatalogueLine::cells() const {
  return {method,         cell(order),    has_stages ? cell(stage_order) : "-",
          cell(a_stable), cell(l_stable), verdict};
}

CatalogueLine catalogue_line(const VerifyReport& report) {
  return {report.id,
          report.order,
          report.stage_order,
          report.no_stage_order.empty(),
          report.a_stable,
          report.l_stable,
          verdict_of(report),
          {},
          report.facts.to_json(),
          report.notes,
          report.failures};
}

CatalogueLine printed_line(const VerifyReport& report) {
  CatalogueLine line = catalogue_line(report);
  line.print = coefficient_digest(report.id, *method_registry().make(report.id));
  return line;
}

Json json_of(const CatalogueLine& line) {
  return {{"method", line.method},
          {"order", or_null(line.order)},
          {"has_stages", line.has_stages},
          {"stage_order", or_null(line.stage_order)},
          {"A_stable", or_null(line.a_stable)},
          {"L_stable", or_null(line.l_stable)},
          {"verdict", line.verdict},
          {"print", line.print},
          {"facts", line.facts},
          {"notes", line.notes},
          {"failures", line.failures}};
}

CatalogueLine read_line(const nlohmann::json& json) {
  CatalogueLine line{json.at("method").get<std::string>(), value_of<int>(json, "order"),
                     value_of<int>(json, "stage_order"),   json.at("has_stages").get<bool>(),
                     value_of<bool>(json, "A_stable"),     value_of<bool>(json, "L_stable"),
                     json.at("verdict").get<std::string>()};
  line.print = json.value("print", "");
  line.facts = json.value("facts", nlohmann::json());
  line.notes = json.value("notes", std::vector<std::string>());
  line.failures = json.value("failures", std::vector<std::string>());
  return line;
}

namespace {

/// Certificates of methods that the catalogue no longer has.
void drop_certificates(const std::vector<VerifyReport>& reports,
                       const std::filesystem::path& folder) {
  std::set<std::string> kept;
  for (const VerifyReport& report : reports) kept.insert(report.certificate);
  std::vector<std::filesystem::path> left;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none))
    if (entry.path().extension() == ".json" && !kept.contains(entry.path().filename().string()))
      left.push_back(entry.path());
  for (const std::filesystem::path& file : left) std::filesystem::remove(file);
}

}  // namespace

void write_catalogue(std::vector<VerifyReport> reports, const std::filesystem::path& results) {
  drop_certificates(reports, results / "certificates");
  std::erase_if(reports, [](const VerifyReport& report) { return !has_form(report.id); });
  std::string text = "# The catalogue, proved exactly; ? where nothing was decided\n\n" +
                     head_text(catalogue_columns);
  Json lines = Json::array();
  for (const VerifyReport& report : reports) {
    const CatalogueLine line = printed_line(report);
    text += row_text(line.cells());
    lines.push_back(json_of(line));
  }
  text += "\n# Facts beside them\n\n" + facts_table(reports);
  text += "\n# Padé approximants: Ehle's theorem as a map\n\n" + ehle_map();
  write_if_changed(results / "certificates" / "catalogue.md", text);
  write_if_changed(results / "catalogue.json", lines.dump(1) + "\n");
}

void write_library(const std::vector<VerifyReport>& reports, const std::filesystem::path& results) {
  std::vector<std::string> columns = catalogue_columns;
  columns.insert(columns.end(), {"kind", "what it is", "source"});
  std::string text =
      "# The library of published tableaus, proved; ? where nothing was decided\n\n"
      "Decimals and fractions that approximate hold to their digits. `daemark verify ID` says more "
      "of "
      "one, with a certificate where its coefficients are exact.\n\n" +
      head_text(columns);
  Json lines = Json::array();
  for (const VerifyReport& report : reports) {
    const MethodInfo& info = method_registry().info(parse_call(report.id, "method").id);
    if (!info.library) continue;
    const CatalogueLine line = printed_line(report);
    std::vector<std::string> cells = line.cells();
    const std::string where = info.source.where.empty() ? "" : ", " + info.source.where;
    cells.insert(cells.end(), {info.kind, info.summary, "[" + info.source.key + "]" + where});
    text += row_text(cells);
    lines.push_back(json_of(line));
  }
  write_if_changed(results / "certificates" / "library.md", text);
  write_if_changed(results / "library.json", lines.dump(1) + "\n");
}

namespace {

std::vector<CatalogueLine> read_lines(const std::filesystem::path& file) {
  std::vector<CatalogueLine> out;
  if (!std::filesystem::exists(file)) return out;
  try {
    for (const nlohmann::json& line : parse_json_file(file.string()))
      out.push_back(read_line(line));
  } catch (const nlohmann::json::exception& problem) {
    throw BadInput(file.string() + ": " + problem.what() +
                   "; accepted: what `daemark verify` writes there");
  }
  return out;
}

}  // namespace

std::vector<CatalogueLine> read_catalogue(const std::filesystem::path& results) {
  return read_lines(results / "catalogue.json");
}
std::vector<CatalogueLine> read_library(const std::filesystem::path& results) {
  return read_lines(results / "library.json");
}

}  // namespace daemark::exact
