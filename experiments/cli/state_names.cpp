#include "experiments/cli/state_names.hpp"

namespace daemark {

std::string unit_of_measure(const std::string& measure, const StateNames& names) {
  const bool energy = measure.starts_with("energy") || measure.starts_with("work");
  return energy ? names.energy_unit : "";
}

std::string with_unit(const std::string& name, const std::string& unit) {
  return name + " [" + unit + "]";
}

std::vector<std::string> column_names(const StateNames& names) {
  std::vector<std::string> columns = {with_unit("t", names.time_unit)};
  const auto add = [&](const std::vector<std::string>& ids, const std::vector<std::string>& units) {
    for (std::size_t i = 0; i < ids.size(); ++i) columns.push_back(with_unit(ids[i], units[i]));
  };
  add(names.q, names.q_units);
  add(names.v, names.v_units);
  add(names.lambda, names.lambda_units);
  for (const char* energy : {"kinetic", "potential", "energy_error"})
    columns.push_back(with_unit(energy, names.energy_unit));
  for (const char* level : {"position_violation", "velocity_violation", "acceleration_violation"})
    columns.emplace_back(level);
  for (const OutputInfo& output : names.outputs)
    columns.push_back(with_unit(output.id, output.unit));
  return columns;
}

}  // namespace daemark
