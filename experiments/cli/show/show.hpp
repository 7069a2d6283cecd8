// What `daemark show` says of one thing: for readers and for machines.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace daemark {

struct Shown {
  nlohmann::ordered_json json;
  std::string text;
};

Shown show_method(const std::string& call);
Shown show_problem(const std::string& call);
Shown show_paper(const std::string& paper);
Shown show_item(const std::string& paper, const std::string& item);

/// A line for each reference that a source cites.
std::string reference_lines(const std::string& source);

/// {"name", "accepted", "default"} of each parameter.
nlohmann::ordered_json parameters_json(const std::vector<struct Parameter>& parameters);

}  // namespace daemark
