#include <fmt/format.h>

#include "analysis/report/figure_plan.hpp"
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

std::string findings_text(const ordered_json& check) {
  std::string text;
  for (const ordered_json& finding : check.at("findings"))
    text += fmt::format("{}: {}: {}\n", escape_xml(finding.at("mechanism")),
                        escape_xml(finding.at("judgement")), escape_xml(finding.at("seen")));
  return text;
}

/// What stands in a test case: nothing for a pass.
std::string outcome_xml(const ordered_json& check) {
  const std::string judgement = check.at("judgement"), cause = escape_xml(check.at("cause"));
  if (judgement == name_of(Outcome::pass)) return "";
  if (judgement == name_of(Outcome::fail))
    return fmt::format("<failure message=\"{}\">{}</failure>", cause, findings_text(check));
  if (judgement == name_of(Outcome::could_not_run))
    return fmt::format("<error message=\"{}\">{}</error>", cause, findings_text(check));
  return fmt::format("<skipped message=\"{}: {}\"/>", judgement, cause);
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
  const auto count = [&](Outcome judgement) {
    int found = 0;
    for (const ordered_json& check : report.at("checks"))
      found += check.at("judgement") == name_of(judgement) ? 1 : 0;
    return found;
  };
  std::string text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuite name=\"daemark accept {} {}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" "
      "skipped=\"{}\">\n",
      escape_xml(report.at("method")), escape_xml(report.at("formulation")),
      report.at("checks").size(), count(Outcome::fail), count(Outcome::could_not_run),
      count(Outcome::known) + count(Outcome::undecided) + count(Outcome::not_applicable));
  for (const ordered_json& check : report.at("checks"))
    text += fmt::format("<testcase classname=\"daemark.accept\" name=\"{}\">{}</testcase>\n",
                        escape_xml(check.at("id")), outcome_xml(check));
  return text + "</testsuite>\n";
}

}  // namespace daemark
