#include "experiments/cli/state_names.hpp"

#include "experiments/terminal/text.hpp"

namespace daemark {
namespace {

/// How far the work may be off, where that leaves no digit of the energy error; else 0.
double doubt_of_energy(const std::map<std::string, double>& all) {
  constexpr double one_digit = 10;
  const auto doubt = all.find("work_doubt_max"), error = all.find("energy_error_max");
  if (doubt == all.end() || error == all.end()) return 0;
  return error->second > one_digit * doubt->second ? 0 : doubt->second;
}

}  // namespace

std::string unit_of_measure(const std::string& measure, const StateNames& names) {
  const bool energy = measure.starts_with("energy") || measure.starts_with("work") ||
                      measure.starts_with("error_energy");
  return energy ? names.energy_unit : "";
}

std::string shown_value(const std::string& measure, double value,
                        const std::map<std::string, double>& all) {
  const double doubt = measure.starts_with("energy_error") ? doubt_of_energy(all) : 0;
  return doubt == 0 ? brief(value) : "<= " + brief(value + doubt);
}

std::string work_note(const std::map<std::string, double>& all) {
  if (doubt_of_energy(all) == 0) return {};
  return "  energy error not resolved: the work of drives and dampers is integrated step by step, "
         "with an error of up to work_doubt_max; accepted: smaller steps\n";
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
