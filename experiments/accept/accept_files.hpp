// An acceptance report as JSON, as a page and as JUnit XML.
#pragma once

#include <nlohmann/json.hpp>

#include "experiments/accept/accept.hpp"

namespace daemark {

/// {"method", "formulation", "verdict", "expected", "checks": [{"id", ..., "findings": [...]}]}.
nlohmann::ordered_json accept_json(const AcceptSubject& subject, const AcceptReport& report);

/// A page without further files; `command` makes it again.
std::string accept_page(const nlohmann::ordered_json& report, const std::string& command);

/// A test suite with a test case a check: failures with their cause, what was not judged as
/// skipped, what could not run as errors.
std::string accept_junit(const nlohmann::ordered_json& report);

}  // namespace daemark
