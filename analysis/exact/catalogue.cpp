#include "analysis/exact/catalogue.hpp"

#include <fmt/format.h>

#include "analysis/exact/code_theory.hpp"
#include "methods/core/registry.hpp"

namespace daemark::exact {
namespace {

VerifyReport prove(const std::string& call) {
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
    return verify_tableau(*tableau);
  }
  if (auto multistep = method->exact_multistep()) {
    if (!multistep->claims.order) multistep->claims = info.claims;
    return verify_multistep(*multistep);
  }
  VerifyReport report;
  report.notes.push_back("no exact form at these parameters: undecided");
  return report;
}

}  // namespace

VerifyReport verify_method(const std::string& call) {
  const std::string canonical = method_registry().bind(call).canonical();
  VerifyReport report = prove(call);
  report.id = canonical;
  if (report.num.empty()) return report;
  const CodeCheck code = compare_code(canonical, report);
  if (!code.holds)
    report.failures.push_back("code is not the theory: " + code.failure);
  else
    report.notes.push_back(code.exact ? fmt::format("code = theory: exactly, {} points", code.points)
                                      : fmt::format("code = theory: {} digits at {} points",
                                                    code.digits, code.points));
  return report;
}

}  // namespace daemark::exact
