#include "analysis/exact/proof/half_explicit_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/exact/proof/report_parts.hpp"
#include "analysis/exact/theory/half_explicit.hpp"
#include "methods/catalogue/coefficients.hpp"

namespace daemark::exact {

VerifyReport verify_half_explicit(const Coefficients& method) {
  const HalfExplicitOrders found = half_explicit_orders(method);
  VerifyReport report;
  report.id = method.id;
  report.exact = !method.decimal;
  report.order = std::min(found.q, found.v);
  report.notes.push_back(
      fmt::format("orders on mechanisms of index 2 by their trees{}: q {}, v {}, lambda {}; the "
                  "first tree that "
                  "fails of v is {}",
                  method.decimal ? ", to the accuracy of the digits" : " at 130 digits", found.q,
                  found.v, found.lambda, found.failing));
  if (found.carried)
    report.notes.push_back(fmt::format(
        "multipliers of the last stage: errors of size h^{}, from those carried over times {:.3g}",
        found.multipliers, *found.carried));
  if (found.carried && *found.carried >= 1)
    report.failures.push_back(
        fmt::format("multipliers: errors grow from step to step, times {:.6g}", *found.carried));
  if (found.embedded > 0) {
    report.facts.embedded_order = found.embedded;
    report.notes.push_back(fmt::format("embedded formula: order {}", found.embedded));
  }
  report.has_no_stages("stages of a half-explicit method solve no equation of their own");
  for (const std::string& defect : tableau_defects(method)) report.failures.push_back(defect);
  check_claim(report, "order", method.claims.order, *report.order, "tree " + found.failing);
  check_claim(report, "embedded_order", method.claims.embedded_order, found.embedded,
              "by the trees of v");
  return report;
}

}  // namespace daemark::exact
