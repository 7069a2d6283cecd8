#include "analysis/reference/reference_store.hpp"

#include <fmt/format.h>

#include <cctype>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/numbers/expression.hpp"
#include "base/program/paths.hpp"
#include "base/program/source_graph.hpp"
#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/call.hpp"
#include "base/text/strict_json.hpp"
#include "problems/core/registry.hpp"

namespace daemark {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::string file_name(const std::string& problem) {
  std::string name;
  for (const char c : problem)
    name += std::isalnum(static_cast<unsigned char>(c)) || c == '_' ? c : '-';
  return name + ".json";
}

fs::path committed_file(const std::string& problem) {
  return results_root() / "references" / file_name(problem);
}

fs::path local_file(const std::string& problem) {
  return results_root() / ".local" / "references" / file_name(problem);
}

/// Of the problem's own source: states of an edited problem are not taken for those of the new one.
std::string model_digest(const std::string& problem) {
  const std::string file = problem_registry().info(parse_call(problem, "problem").id).file;
  const std::string path = source_graph().find(file);
  return path.empty() ? "unknown" : source_graph().digest_of(path);
}

json strings(const std::vector<real50>& x, int digits) {
  json list = json::array();
  for (const real50& value : x) list.push_back(value.str(std::max(digits, 1) + 2));
  return list;
}

json to_json(const ReferenceState& s) {
  return {{"t", s.t},
          {"q", strings(s.q, s.agreed_digits)},
          {"v", strings(s.v, s.agreed_digits)},
          {"lambda", strings(s.lambda, s.agreed_digits)},
          {"agreed_digits", s.agreed_digits},
          {"first_route", s.first_route},
          {"second_route", s.second_route}};
}

ReferenceState from_json(const json& j) {
  const auto list = [](const json& from) {
    std::vector<real50> x;
    for (const json& value : from) x.emplace_back(value.get<std::string>());
    return x;
  };
  return {j.at("t"),
          list(j.at("q")),
          list(j.at("v")),
          list(j.at("lambda")),
          j.at("agreed_digits"),
          j.at("first_route"),
          j.at("second_route")};
}

/// Adds the states of a file to `states`, those with more digits; nothing from a file that is
/// missing, damaged or of another state of the problem's source.
void read_states(const fs::path& path, const std::string& model,
                 std::map<rational, ReferenceState>& states) {
  if (!fs::exists(path)) return;
  try {
    const json file = parse_json_file(path.string());
    if (file.at("model") != model) return;
    for (const json& entry : file.at("states")) {
      const ReferenceState state = from_json(entry);
      ReferenceState& known = states[Expression::parse(state.t, "reference").as_rational()];
      if (known.t.empty() || known.agreed_digits < state.agreed_digits) known = state;
    }
  } catch (const std::exception&) {  // computed anew
  }
}

void write_states(const fs::path& path, const std::string& problem, const std::string& model,
                  const std::map<rational, ReferenceState>& states) {
  json all = json::array();
  for (const auto& [t, state] : states) all.push_back(to_json(state));
  write_if_changed(path,
                   json{{"problem", problem}, {"model", model}, {"states", all}}.dump(1) + "\n");
}

}  // namespace

ReferenceStore::ReferenceStore(const std::string& problem)
    : problem_(problem), model_(model_digest(problem)) {
  read_states(committed_file(problem), model_, states_);
  read_states(local_file(problem), model_, states_);
}

const ReferenceState* ReferenceStore::find(const rational& t) const {
  const auto found = states_.find(t);
  return found == states_.end() ? nullptr : &found->second;
}

void ReferenceStore::save() const { write_states(local_file(problem_), problem_, model_, states_); }

void ReferenceStore::publish(const std::set<rational>& times) const {
  std::map<rational, ReferenceState> shown;
  read_states(committed_file(problem_), model_, shown);
  for (const rational& t : times)
    if (const ReferenceState* state = find(t)) shown.try_emplace(t, *state);
  if (!shown.empty()) write_states(committed_file(problem_), problem_, model_, shown);
}

}  // namespace daemark
