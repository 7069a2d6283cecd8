#include "experiments/cli/state_names.hpp"

#include "problems/system/quantity.hpp"

namespace daemark {

std::string with_unit(const std::string& name, const std::string& unit) {
  return name + " [" + unit + "]";
}

StateNames state_names(const Problem& problem, bool minimal) {
  const auto mechanism = problem.make<double>(minimal);
  StateNames names;
  names.q = mechanism->coordinate_names();
  for (const std::string& name : names.q) names.v.push_back("v_" + name);
  if (mechanism->chart_size() > 0) {
    names.q = mechanism->reference_names();
    names.v = mechanism->reference_velocity_names();
  }
  for (const std::string& name : mechanism->constraint_names())
    names.lambda.push_back(name.starts_with("lambda") ? name : "lambda_" + name);
  names.outputs = mechanism->outputs();
  names.q_units = mechanism->coordinate_units();
  for (const std::string& unit : names.q_units) {
    names.v_units.push_back(unit + "/s");
    names.a_units.push_back(unit + "/s^2");
  }
  for (const std::string& unit : mechanism->constraint_units())
    names.lambda_units.push_back(multiplier_unit(unit));
  return names;
}

std::vector<std::string> column_names(const StateNames& names) {
  std::vector<std::string> columns = {"t [s]"};
  const auto add = [&](const std::vector<std::string>& ids, const std::vector<std::string>& units) {
    for (std::size_t i = 0; i < ids.size(); ++i) columns.push_back(with_unit(ids[i], units[i]));
  };
  add(names.q, names.q_units);
  add(names.v, names.v_units);
  add(names.lambda, names.lambda_units);
  for (const char* energy : {"kinetic [J]", "potential [J]", "energy_error [J]"})
    columns.emplace_back(energy);
  for (const char* level : {"position_violation", "velocity_violation", "acceleration_violation"})
    columns.emplace_back(level);
  for (const OutputInfo& output : names.outputs)
    columns.push_back(with_unit(output.id, output.unit));
  return columns;
}

}  // namespace daemark
