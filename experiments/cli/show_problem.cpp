#include <fmt/format.h>

#include "analysis/run/measures.hpp"
#include "experiments/cli/show.hpp"
#include "experiments/cli/state_names.hpp"
#include "experiments/cli/text.hpp"
#include "problems/core/formulation.hpp"
#include "problems/core/registry.hpp"

namespace daemark {
namespace {

using nlohmann::ordered_json;

/// Names and initial values in one kind of coordinates.
struct Coordinates {
  StateNames names;
  std::vector<std::string> q, v;
};

Coordinates coordinates_of(const Problem& problem, bool minimal) {
  const auto mechanism = problem.make<real50>(minimal);
  std::vector<real50> q0(mechanism->coordinates()), v0(q0.size()), chart(mechanism->chart_size());
  mechanism->initial(q0.data(), v0.data());
  mechanism->initial_chart(chart.data());
  const auto [q, v] = shown_motion<real50>(
      *mechanism, {real50(0), q0.data(), v0.data(), nullptr, nullptr, chart.data()});
  Coordinates out{state_names(problem, minimal), {}, {}};
  constexpr int digits = 40;
  for (const real50& value : q) out.q.push_back(value.str(digits));
  for (const real50& value : v) out.v.push_back(value.str(digits));
  return out;
}

ordered_json coordinates_json(const Coordinates& c) {
  return {{"q", c.names.q},
          {"v", c.names.v},
          {"lambda", c.names.lambda},
          {"initial", {{"q", c.q}, {"v", c.v}}}};
}

std::string coordinates_text(const char* title, const Coordinates& c) {
  const auto brief = [](const std::string& value) { return real50(value).str(17); };
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < c.q.size(); ++i) {
    rows.push_back({c.names.q[i], brief(c.q[i]), c.names.v[i], brief(c.v[i])});
  }
  std::string text = std::string(title) + " and their initial values\n" + columns(rows);
  std::string names;
  for (const std::string& name : c.names.lambda) names += (names.empty() ? "" : ", ") + name;
  return names.empty() ? text : text + "multipliers: " + names + "\n";
}

}  // namespace

Shown show_problem(const std::string& text) {
  const ProblemInfo& info = problem_registry().info(parse_call(text, "show").id);
  const Problem problem = problem_registry().make(text);
  std::vector<std::string> accepted;
  for (const FormulationInfo& formulation : formulations()) {
    if (!formulation.minimal || problem.has_minimal()) {
      accepted.push_back(signature(formulation.id, formulation.parameters));
    }
  }
  const Coordinates absolute = coordinates_of(problem, false);
  ordered_json data = ordered_json::array();
  std::vector<std::vector<std::string>> rows;
  for (const ProblemParameter& p : info.data) {
    data.push_back({{"name", p.name}, {"value", p.value}, {"unit", p.unit}, {"source", p.source}});
    rows.push_back({p.name, p.value, p.unit, p.source});
  }
  ordered_json outputs = ordered_json::array();
  std::vector<std::vector<std::string>> output_rows;
  for (const OutputInfo& output : absolute.names.outputs) {
    outputs.push_back({{"id", output.id}, {"meaning", output.meaning}, {"unit", output.unit}});
    output_rows.push_back({output.id, output.meaning, output.unit});
  }
  Shown shown;
  shown.json = {{"id", info.id},
                {"what", "problem"},
                {"call", problem.name},
                {"summary", info.summary},
                {"source", info.source},
                {"equations", info.equations},
                {"file", tree_path(info.file)},
                {"parameters", parameters_json(info.parameters)},
                {"data", data},
                {"coordinates", coordinates_json(absolute)},
                {"formulations", accepted},
                {"closed_form", static_cast<bool>(problem.closed_form)},
                {"start", problem.start.text()},
                {"outputs", outputs}};
  shown.text = fmt::format("{}: {}\n  source {}; {}\n", problem.name, info.summary, info.source,
                           tree_path(info.file));
  if (!info.parameters.empty()) shown.text += "parameters\n" + parameter_lines(info.parameters);
  shown.text += "equations\n  " + info.equations + "\ndata\n" + columns(rows) +
                coordinates_text("coordinates", absolute);
  if (problem.has_minimal()) {
    const Coordinates minimal = coordinates_of(problem, true);
    shown.json["minimal_coordinates"] = coordinates_json(minimal);
    shown.text += coordinates_text("minimal coordinates", minimal);
  }
  if (!output_rows.empty()) shown.text += "outputs\n" + columns(output_rows);
  if (problem.start.as_rational() != 0)
    shown.text += "the motion starts at t = " + problem.start.text() + " s\n";
  std::string names;
  for (const std::string& name : accepted) names += (names.empty() ? "" : ", ") + name;
  shown.text += "formulations: " + names + "\n";
  if (problem.closed_form) shown.text += "a closed form is known and serves as a reference\n";
  return shown;
}

}  // namespace daemark
