#include "experiments/cli/trajectory_file.hpp"

#include <fmt/format.h>

#include <cmath>

#include "analysis/report/table.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/printable.hpp"

namespace daemark {
namespace {

/// What 130 digits leave of a zero, such as cos(pi/2) in initial values.
constexpr double nothing = 1e-100;

}  // namespace

TrajectoryFile::TrajectoryFile(const std::string& file, const StateNames& names, long rows)
    : draft_(in_a_folder(file)) {
  const std::vector<std::string> fields = column_names(names);
  constexpr double bytes_a_number = 12, gigabyte = 1e9;  // most take 19, zeros 2
  const double needed = bytes_a_number * static_cast<double>(rows * fields.size());
  if (needed > draft_.room())
    throw BadInput(fmt::format(
        "--trajectory {}: {} rows of {} numbers need at least {:.3g} GB, {:.3g} GB are free; "
        "accepted: fewer rows (--every N), a smaller span or a larger step",
        printable(file, 200), rows, fields.size(), needed / gigabyte, draft_.room() / gigabyte));
  draft_.write(csv_line(fields));
}

void TrajectoryFile::add(const History& rows) {
  if (failure_.failed()) return;
  for (std::size_t i = 0; i < rows.t.size(); ++i) {
    std::string line = fmt::format("{}", rows.t[i] + 0.0);
    const auto put = [&](double value) {
      fmt::format_to(std::back_inserter(line), ",{}", std::abs(value) < nothing ? 0 : value + 0.0);
    };
    for (const auto* group : {&rows.q, &rows.v, &rows.lambda})
      for (const double value : group->at(i)) put(value);
    for (const auto* column :
         {&rows.kinetic, &rows.potential, &rows.energy_error, &rows.position_violation,
          &rows.velocity_violation, &rows.acceleration_violation})
      put(column->at(i));
    if (!rows.outputs.empty())
      for (const double value : rows.outputs[i]) put(value);
    line += '\n';
    failure_.guard([&] { draft_.write(line); });
  }
}

void TrajectoryFile::finish() {
  failure_.raise();
  draft_.commit();
}

}  // namespace daemark
