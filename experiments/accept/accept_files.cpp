#include <fmt/format.h>

#include "analysis/report/template.hpp"
#include "analysis/run/run.hpp"
#include "experiments/accept/accept.hpp"

namespace daemark {

using nlohmann::ordered_json;

namespace {

std::string expected_text(const AcceptSubject::Expected& expected) {
  std::string text;
  for (std::size_t part = 0; part < motion_parts.size(); ++part)
    if (expected.order[part])
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", motion_parts[part],
                          *expected.order[part]);
  return fmt::format("{}: {}", text.empty() ? "none, orders are shown and not judged" : text,
                     expected.reason);
}

}  // namespace

ordered_json accept_json(const AcceptSubject& subject, const AcceptReport& report) {
  ordered_json checks = ordered_json::array();
  for (const CheckReport& one : report.checks) {
    ordered_json findings = ordered_json::array();
    for (const AcceptFinding& finding : one.findings)
      findings.push_back({{"mechanism", finding.mechanism},
                          {"judgement", name_of(finding.judgement)},
                          {"seen", finding.seen},
                          {"cause", finding.cause}});
    checks.push_back({{"id", one.check->id},
                      {"question", one.check->question},
                      {"judgement", name_of(one.judgement)},
                      {"cause", one.cause},
                      {"threshold", one.check->threshold},
                      {"findings", findings}});
  }
  const int failed = report.count(Outcome::fail), passed = report.count(Outcome::pass),
            known = report.count(Outcome::known);
  return {{"method", subject.request().method},
          {"formulation", subject.request().formulation},
          {"accepted", report.passed()},
          {"verdict",
           fmt::format("{}: {} checks passed, {} failed, {} could not run, {} undecided, "
                       "{} not applicable{}",
                       report.passed() ? "accepted" : "not accepted", passed, failed,
                       report.count(Outcome::could_not_run), report.count(Outcome::undecided),
                       report.count(Outcome::not_applicable),
                       known == 0 ? "" : fmt::format(", {} known properties", known))},
          {"expected", expected_text(subject.expected())},
          {"checks", checks}};
}

std::string accept_page(const ordered_json& report, const std::string& command) {
  PageData data = report;
  data["command"] = command, data["style"] = asset("report.css");
  return fill_template("acceptance", data);
}

std::string accept_junit(const ordered_json& report) {
  PageData data = report;
  int failures = 0, errors = 0, skipped = 0;
  for (PageData& check : data["checks"]) {
    const bool failed = check["judgement"] == name_of(Outcome::fail),
               broken = check["judgement"] == name_of(Outcome::could_not_run),
               skips = !failed && !broken && check["judgement"] != name_of(Outcome::pass);
    failures += failed, errors += broken, skipped += skips;
    check["element"] = failed ? "failure" : broken ? "error" : "";
    check["skip"] = skips;
  }
  data["failures"] = failures, data["errors"] = errors, data["skipped"] = skipped;
  return fill_template("acceptance_junit", data);
}

}  // namespace daemark
