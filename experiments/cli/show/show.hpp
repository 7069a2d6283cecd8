// What `daemark show` says of one thing: for readers and for machines.
#pragma once

#include <string>

#include "experiments/cli/report.hpp"

namespace daemark {

Report show_method(const std::string& call);
Report show_problem(const std::string& call);

/// A line for each reference that a source cites.
std::string reference_lines(const std::string& source);

/// {"name", "accepted", "default"} of each parameter.
nlohmann::ordered_json parameters_json(const std::vector<struct Parameter>& parameters);

}  // namespace daemark
