#include "experiments/cli/trajectory_file.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "analysis/report/table.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/printable.hpp"

namespace daemark {
namespace {

[[noreturn]] void refuse(const char* option, const std::string& file) {
  throw BadInput(
      fmt::format("{} {}: cannot be written; accepted: a file in a folder that "
                  "exists and may be written to",
                  option, printable(file, 200)));
}

}  // namespace

void check_writable(const char* option, const std::string& file) {
  std::error_code ignored;
  const bool existed = std::filesystem::exists(file, ignored);
  const bool opened = std::ofstream(file, std::ios::app).is_open();
  if (!opened) refuse(option, file);
  if (!existed) std::filesystem::remove(file, ignored);
}

void write_trajectory(const std::string& file, const History& history, const StateNames& names) {
  std::ofstream out(file, std::ios::binary);
  std::vector<std::string> fields = {"t"};
  for (const auto* group : {&names.q, &names.v, &names.lambda}) {
    fields.insert(fields.end(), group->begin(), group->end());
  }
  for (const char* name : {"kinetic", "potential", "energy_error", "position_violation",
                           "velocity_violation", "acceleration_violation"}) {
    fields.emplace_back(name);
  }
  for (const OutputInfo& output : names.outputs) fields.push_back(output.id);
  out << csv_line(fields);
  for (std::size_t i = 0; i < history.t.size(); ++i) {
    fields = {fmt::format("{}", history.t[i])};
    const auto add = [&](double value) { fields.push_back(fmt::format("{}", value)); };
    for (const auto* group : {&history.q, &history.v, &history.lambda}) {
      for (const double value : group->at(i)) add(value);
    }
    for (const auto* column :
         {&history.kinetic, &history.potential, &history.energy_error, &history.position_violation,
          &history.velocity_violation, &history.acceleration_violation}) {
      add(column->at(i));
    }
    if (!history.outputs.empty())
      for (const double value : history.outputs[i]) add(value);
    out << csv_line(fields);
  }
  out.close();
  if (!out) refuse("--trajectory", file);
}

}  // namespace daemark
