#include "problems/system/state_names.hpp"

#include <algorithm>

#include "problems/system/quantity.hpp"

namespace daemark {

namespace {

/// What is declared without units has none in any derivative, product or energy either.
void show_no_units(StateNames& names) {
  for (auto* units : {&names.q_units, &names.v_units, &names.a_units, &names.lambda_units})
    std::fill(units->begin(), units->end(), "1");
  names.time_unit = names.energy_unit = "1";
}

}  // namespace

StateNames own_names(const MechanicalSystem<double>& mechanism) {
  StateNames names;
  names.q = mechanism.coordinate_names();
  for (const std::string& name : names.q) names.v.push_back("v_" + name);
  for (const std::string& name : mechanism.constraint_names())
    names.lambda.push_back(name.starts_with("lambda") ? name : "lambda_" + name);
  names.outputs = mechanism.outputs();
  names.q_units = mechanism.coordinate_units();
  for (const std::string& unit : names.q_units) {
    names.v_units.push_back(unit + "/s");
    names.a_units.push_back(unit + "/s^2");
  }
  for (const std::string& unit : mechanism.constraint_units())
    names.lambda_units.push_back(multiplier_unit(unit));
  const auto& units = mechanism.coordinate_units();
  if (std::find(units.begin(), units.end(), without_units) != units.end()) show_no_units(names);
  return names;
}

StateNames state_names(const MechanicalSystem<double>& mechanism) {
  StateNames names = own_names(mechanism);
  if (mechanism.chart_size() > 0) {
    names.q = mechanism.reference_names();
    names.v = mechanism.reference_velocity_names();
  }
  return names;
}

StateNames state_names(const Problem& problem, bool minimal) {
  return state_names(*problem.make<double>(minimal));
}

}  // namespace daemark
