#include "experiments/cli/state_names.hpp"

namespace daemark {

std::string coordinate_unit(const std::string& name) {
  if (name.empty()) return "";
  for (const char* angle :
       {"theta", "phi", "psi", "alpha", "beta", "gamma", "delta", "omega", "eps"})
    if (name.starts_with(angle)) return "rad";
  if (name == "gx" || name == "gy" || name == "gz") return "rad";
  if (name.size() == 2 && name[0] == 'p' && name[1] >= '0' && name[1] <= '3') return "1";
  if (name.ends_with("_x") || name.ends_with("_y") || name.ends_with("_z"))
    if (name[0] == 'u' || name[0] == 'v') return "1";  // unit vectors of natural coordinates
  if (name[0] == 'i' || name[0] == 'j') return "m";    // their points
  return name[0] >= 'x' && name[0] <= 'z' ? "m" : "";
}

std::string multiplier_unit(const std::string& name) {
  for (const char* length : {"_x", "_y", "_z", "_normal"})
    if (name.ends_with(length)) return "N";
  const bool angle = name.find("drive_") != std::string::npos || name.ends_with("_angle");
  return angle ? "N m" : "";
}

std::string with_unit(const std::string& name, const std::string& unit) {
  return unit.empty() ? name : name + " [" + unit + "]";
}

namespace {

/// What a velocity is the rate of: "v_x1" or "dx1" of x1; "Omega_1" is an angular velocity.
std::string unit_of_motion(const std::string& velocity) {
  if (velocity.starts_with("Omega")) return "rad";
  if (velocity.size() > 1 && velocity[0] == 'd' && velocity[1] >= 'x' && velocity[1] <= 'z')
    return "m";
  return coordinate_unit(velocity.starts_with("v_") ? velocity.substr(2) : velocity);
}

void add_units(StateNames& names) {
  for (const std::string& name : names.q) names.q_units.push_back(coordinate_unit(name));
  for (const std::string& name : names.v) {
    const std::string unit = unit_of_motion(name);
    names.v_units.push_back(unit.empty() ? "" : unit + "/s");
    names.a_units.push_back(unit.empty() ? "" : unit + "/s^2");
  }
  for (const std::string& name : names.lambda) names.lambda_units.push_back(multiplier_unit(name));
}

}  // namespace

StateNames state_names(const Problem& problem, bool minimal) {
  const auto mechanism = problem.make<double>(minimal);
  StateNames names;
  names.q = mechanism->coordinate_names();
  for (const std::string& name : names.q) names.v.push_back("v_" + name);
  if (mechanism->chart_size() > 0) {
    names.q = mechanism->reference_names();
    names.v = mechanism->reference_velocity_names();
  }
  for (const std::string& name : mechanism->constraint_names()) {
    names.lambda.push_back(name.starts_with("lambda") ? name : "lambda_" + name);
  }
  names.outputs = mechanism->outputs();
  add_units(names);
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
