#include "analysis/exact/proof/catalogue.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "analysis/exact/proof/code_theory.hpp"
#include "analysis/exact/proof/high_order.hpp"
#include "analysis/exact/proof/report_parts.hpp"
#include "analysis/exact/proof/spectral.hpp"
#include "analysis/exact/theory/composition.hpp"
#include "analysis/orders/expected_orders.hpp"
#include "analysis/orders/order_study.hpp"
#include "base/input/strict_json.hpp"
#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"
#include "methods/catalogue/coefficients.hpp"
#include "methods/catalogue/registry.hpp"

namespace daemark::exact {

namespace {

/// Members of a family in rho that have no exact form of their own.
std::optional<VerifyReport> prove_member(const Method& method, const std::string& id,
                                         const Claims& claims) {
  if (const auto* member = method.member_of<Msstc>())
    return verify_msstc(member->n, member->rho, *method.tableau(), claims);
  if (const auto* member = method.member_of<Mssth>())
    return verify_mssth(id, member->n, member->rho, member->published, *method.tableau(), claims);
  return std::nullopt;
}

/// The parameter of families whose members are proved for every rho in [0, 1] at once.
const rational* rho_of(const Family& family) {
  return std::visit(
      [](const auto& member) -> const rational* {
        if constexpr (requires { member.rho; })
          return &member.rho;
        else
          return nullptr;
      },
      family);
}

/// Adds the statement for all rho to what was proved of this one formula.
void add_flat_family(VerifyReport& report, int n, const rational& rho) {
  if (rho == 1) return;
  const FlatMember member = flat_member(n, rho);
  if (report.certificate_data.at("rho") != json_of(member.alpha) ||
      report.certificate_data.at("sigma") != json_of(member.beta)) {
    report.failures.emplace_back("the formula is not the one that Q gives");
    return;
  }
  add_family(report, flat_family(n));
}

/// Likewise of a tableau, where the member has an exact one.
void add_family_of(VerifyReport& report, const Method& method) {
  const rational* rho = rho_of(method.family());
  if (!rho) return;
  if (const auto* member = method.member_of<FlatMultistep>())
    add_flat_family(report, member->n, *rho);
  else if (method.coefficients(MethodKind::runge_kutta))
    add_bathe_family(report, *rho);
  if (report.certificate_data.is_object() && report.certificate_data.contains("for_all_rho"))
    report.certificate_data["rho_infinity"] = rational_text(*rho);
}

/// Without constraints a decorated method is its inner one: the same facts, under its certificate.
/// Whether it is symplectic where there are constraints depends on what it does about them.
VerifyReport prove_decorated(const std::string& inner) {
  VerifyReport report = verify_method(inner);
  report.notes.insert(report.notes.begin(),
                      "on equations without constraints it is " + report.id + ", proved there");
  std::erase_if(report.notes, [](const std::string& note) {  // with constraints it is another
    return note.starts_with("orders to expect on index 2") ||
           note.starts_with("orders to expect on index 3");
  });
  report.certificate_data = nullptr;
  report.certificate.clear();
  report.num.clear(), report.den.clear();
  if (report.facts.symplectic == std::optional(true)) report.facts.symplectic.reset();
  return report;
}

/// The order follows from the fractions. Compositions of symplectic steps are symplectic, and the
/// fractions are a palindrome, so that compositions of symmetric steps are symmetric.
VerifyReport prove_composition(const ExactComposition& scheme, const std::string& id) {
  const VerifyReport base = verify_method(scheme.base);
  const CompositionOrder found = composition_order(scheme, id);
  VerifyReport report;
  report.exact = found.exact && base.exact;
  report.order = found.order;
  report.has_no_stages("it composes steps");
  report.facts.symmetric = true;
  if (base.facts.symplectic == std::optional(true)) report.facts.symplectic = true;
  const std::string reason =
      fmt::format("the coefficient of {} is off by {}", found.failing_word, found.off);
  report.notes = {
      fmt::format("order {} by the conditions of compositions{}, for every symmetric "
                  "base of order 2; {}",
                  found.order, found.exact ? "" : " to the accuracy of the digits", reason),
      fmt::format("the base is {}, symmetric of order 2", base.id),
      "no certificate: compositions have none yet"};
  if (report.facts.symplectic) report.notes.emplace_back("symplectic, as the base is");
  report.failures = base.failures;
  if (base.order != std::optional(2))
    report.failures.push_back("base: order 2 needed, derived " +
                              (base.order ? std::to_string(*base.order) : "none"));
  check_claim(report, "order", std::optional(scheme.order), found.order, reason);
  return report;
}

std::string without_form(const Method& method, const std::string& id) {
  if (method.owns_loop()) return "it chooses steps and formulas as it runs: no formula to decide";
  if (inner_method(id) && !method.refusal(SystemTraits(0)).empty())
    return "it takes constrained equations only: no linear test to decide";
  return "";
}

/// What cannot be proved is measured: a claim that the steps do not show did not verify.
void judge_by_measure(VerifyReport& report, const std::string& id, const Claims& claims) {
  const auto measured = measured_order(id);
  if (!measured) return;
  const std::string text = fmt::format("order of q measured on pendulum, {}: {}",
                                       measured->formulation, judged(*measured, claims.order));
  const bool refuted =
      claims.order && measured->settled && is_below(measured->order, *claims.order);
  (refuted ? report.failures : report.notes).push_back(text);
}

VerifyReport prove(const Method& method, const std::string& id, const Claims& claims) {
  if (const auto* family = method.member_of<Collocation>())
    return verify_collocation(family->id, family->stages, *method.tableau());
  if (const auto* block = method.member_of<PadeBlock>())
    return verify_pade_block(block->r, block->k, block->j, block->nodes, block->list,
                             *method.tableau());
  if (const auto* pair = method.member_of<LobattoPair>())
    return verify_lobatto_pair(pair->stages, claims);
  if (const Coefficients* written = method.coefficients()) {
    Coefficients coefficients = *written;
    if (!coefficients.claims.order) coefficients.claims = claims;
    VerifyReport report = verify_coefficients(coefficients);
    if (coefficients.kind == MethodKind::multistep) add_start(report, method);
    // Bound by the family, not by expressions.
    if (coefficients.kind == MethodKind::runge_kutta && rho_of(method.family()) &&
        report.certificate_data.is_object())
      report.certificate_data.erase("radicals");
    return report;
  }
  if (const auto* second_order = method.as<ExactSecondOrder>()) {
    ExactSecondOrder step = *second_order;
    step.id = id;
    step.claims = claims;
    return verify_second_order(id, step);
  }
  if (auto member = prove_member(method, id, claims)) return *member;
  VerifyReport report;
  if (const std::string reason = without_form(method, id); !reason.empty()) {
    report.notes = {reason};
    return report;
  }
  if (const auto* composed = dynamic_cast<const ComposedStep*>(&method))
    return prove_composition(composed->composition(), id);
  if (const auto inner = inner_method(id)) return prove_decorated(*inner);
  report.notes = {"no exact form at these parameters: undecided"};
  judge_by_measure(report, id, claims);
  return report;
}

}  // namespace

bool has_form(const std::string& call) {
  const auto method = method_registry().make(call);
  const bool described = !method->as<std::monostate>() || !method->member_of<std::monostate>();
  return without_form(*method, call).empty() && (described || inner_method(call));
}

VerifyReport verify_method(const std::string& call) {
  const Arguments arguments = method_registry().bind(call);
  const std::string canonical = arguments.canonical();
  const auto method = method_registry().make(call);
  const Claims& claims = method_registry().info(parse_call(call, "method").id).claims;
  VerifyReport report = prove(*method, canonical, claims);
  add_family_of(report, *method);
  report.id = canonical;
  if (report.certificate_data.is_object())  // ss is proved as lms, but is not called so
    certify(report, report.certificate_data);
  if (report.num.empty()) return report;
  const CodeCheck code = compare_code(canonical, report);
  if (!code.holds)
    report.failures.push_back("code is not the theory: " + code.failure);
  else
    report.notes.push_back(
        code.exact
            ? fmt::format("code = theory: exactly, {} points", code.points)
            : fmt::format("code = theory: {} digits at {} points", code.digits, code.points));
  return report;
}

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

/// Certificates of methods that are not in the catalogue.
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
  text += "\n# Related facts\n\n" + facts_table(reports);
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
      "of one, with a certificate where its coefficients are exact.\n\n" +
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
