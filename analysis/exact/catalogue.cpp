#include "analysis/exact/catalogue.hpp"

#include <fmt/format.h>

#include "analysis/exact/code_theory.hpp"
#include "analysis/exact/high_order.hpp"
#include "analysis/exact/spectral.hpp"
#include "methods/core/registry.hpp"
#include "methods/multistep/flat_multistep.hpp"

namespace daemark::exact {
namespace {

/// Members of families with a proof for all rho; none for other methods.
std::optional<VerifyReport> prove_member(const Method& method, const Arguments& arguments,
                                         const std::string& id, const Claims& claims) {
  const auto tableau = method.tableau();
  if (id == "msstc" && tableau)
    return verify_msstc(static_cast<int>(arguments.integer("n", 2, 8)),
                        arguments.real_in("rho", 0, 1), *tableau, claims);
  if ((id == "mssth" || id == "mssth_min") && tableau)
    return verify_mssth(arguments.canonical(), static_cast<int>(arguments.integer("n", 3, 5)),
                        arguments.real_in("rho", 0, 1), id == "mssth", *tableau, claims);
  return std::nullopt;
}

/// bathe, lms and ss: proved as they stand; the statement for all rho beside it.
void add_family_of(VerifyReport& report, const Arguments& arguments, const std::string& id) {
  if (id != "bathe" && id != "lms" && id != "ss") return;
  const rational rho = arguments.real_in("rho", 0, 1);
  if (id == "bathe") {
    add_bathe_family(report, rho);
  } else if (rho < 1) {
    const int n = static_cast<int>(arguments.integer("n", 2, max_flat_steps));
    const FlatMember member = flat_member(n, rho);
    if (report.certificate_data.at("rho") == json_of(member.alpha) &&
        report.certificate_data.at("sigma") == json_of(member.beta)) {
      add_family(report, flat_family(n));
    } else {
      const std::string failure = "the formula is not the one that Q gives";
      report.failures.push_back(failure);
    }
  }
  if (report.certificate_data.contains("for_all_rho"))
    report.certificate_data["rho_infinity"] = rational_text(rho);
}

VerifyReport prove_plain(const std::string& call) {
  const MethodInfo& info = method_registry().info(parse_call(call, "method").id);
  if (info.exact) return verify_tableau(*info.exact);
  if (info.multistep) return verify_multistep(*info.multistep);
  const std::shared_ptr<const Method> method = method_registry().make(call);
  if (const auto family = method->exact_family()) {
    if (family->family == "pade_block")
      return verify_pade_block(family->stages, family->k, family->j, family->nodes, family->list);
    return verify_collocation(family->family, family->stages);
  }
  if (auto tableau = method->exact_tableau()) {
    tableau->claims = info.claims;
    VerifyReport report = verify_tableau(*tableau);
    if (report.certificate_data.is_object())  // bound by the family, not by expressions
      report.certificate_data.erase("radicals");
    return report;
  }
  if (auto multistep = method->exact_multistep()) {
    if (!multistep->claims.order) multistep->claims = info.claims;
    return verify_multistep(*multistep);
  }
  const Arguments arguments = method_registry().bind(call);
  if (auto member = prove_member(*method, arguments, info.id, info.claims)) return *member;
  VerifyReport report;
  report.notes = {"no exact form at these parameters: undecided"};
  return report;
}

VerifyReport prove(const std::string& call) {
  VerifyReport report = prove_plain(call);
  add_family_of(report, method_registry().bind(call), parse_call(call, "method").id);
  return report;
}

}  // namespace

VerifyReport verify_method(const std::string& call) {
  const std::string canonical = method_registry().bind(call).canonical();
  VerifyReport report = prove(call);
  report.id = canonical;
  if (report.certificate_data.is_object()) {  // ss is proved as lms, but is not called so
    bind_certificate(report.certificate_data, canonical);
    report.certificate = certificate_name(canonical);
  }
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

}  // namespace daemark::exact
