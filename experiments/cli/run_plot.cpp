#include "experiments/cli/run_plot.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "analysis/report/figure.hpp"
#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/near.hpp"
#include "base/text/printable.hpp"
#include "experiments/cli/common_options.hpp"

namespace daemark {
namespace {

/// "x1 [m]" as its parts.
std::pair<std::string, std::string> parts_of(const std::string& column) {
  const std::size_t at = column.find(" [");
  if (at == std::string::npos) return {column, ""};
  return {column.substr(0, at), column.substr(at + 2, column.size() - at - 3)};
}

}  // namespace

std::vector<double> trajectory_row(const History& rows, std::size_t i) {
  std::vector<double> row = {rows.t[i]};
  for (const auto* group : {&rows.q, &rows.v, &rows.lambda})
    row.insert(row.end(), group->at(i).begin(), group->at(i).end());
  for (const auto* column :
       {&rows.kinetic, &rows.potential, &rows.energy_error, &rows.position_violation,
        &rows.velocity_violation, &rows.acceleration_violation})
    row.push_back(column->at(i));
  if (!rows.outputs.empty()) row.insert(row.end(), rows.outputs[i].begin(), rows.outputs[i].end());
  return row;
}

PlotFile::PlotFile(const std::vector<std::string>& asked, const StateNames& names,
                   const BoundRun& run)
    : title_(fmt::format("{}, {}, {}, h = {} s", run.problem.name, run.formulation.name(),
                         run.method_name, run.request.h.text())) {
  if (asked.size() != 2)
    throw BadInput("--plot takes two words; accepted: quantities and a file, e.g. energy,x1 e.svg");
  file_ = in_a_folder(asked[1]);
  if (!file_.ends_with(".svg"))
    throw BadInput(
        fmt::format("--plot {}: unknown ending; accepted: FILE.svg", printable(file_, 200)));
  const std::vector<std::string> columns = column_names(names);
  std::vector<std::string> known = {"energy"};
  for (std::size_t i = 1; i < columns.size(); ++i) known.push_back(parts_of(columns[i]).first);
  const auto place = [&](const std::string& name) {
    return static_cast<std::size_t>(std::find(known.begin(), known.end(), name) - known.begin());
  };
  for (const std::string& name : read_calls(asked[0])) {
    const std::size_t at = place(name);
    if (at == known.size())
      throw BadInput(fmt::format("--plot: {} is unknown{}; accepted: {}", in_quotes(name),
                                 did_you_mean(name, known), fmt::join(known, ", ")));
    if (name == "energy")
      quantities_.push_back({name, names.energy_unit, {place("kinetic"), place("potential")}, {}});
    else
      quantities_.push_back({name, parts_of(columns[at]).second, {at}, {}});
  }
}

void PlotFile::add(const History& rows) {
  constexpr std::size_t most = 1 << 20;
  for (std::size_t i = 0; i < rows.t.size(); ++i) {
    if (seen_++ % every_ != 0) continue;
    const std::vector<double> row = trajectory_row(rows, i);
    t_.push_back(row[0]);
    for (Quantity& quantity : quantities_) {
      double sum = 0;
      for (const std::size_t column : quantity.columns) sum += row[column];
      quantity.values.push_back(sum);
    }
    if (t_.size() < most) continue;
    every_ *= 2;
    const auto halve = [](std::vector<double>& values) {
      for (std::size_t k = 1; 2 * k < values.size(); ++k) values[k] = values[2 * k];
      values.resize((values.size() + 1) / 2);
    };
    halve(t_);
    for (Quantity& quantity : quantities_) halve(quantity.values);
  }
}

std::string PlotFile::finish() const {
  FigureSpec figure;
  figure.title = title_;
  for (const Quantity& quantity : quantities_) {
    Panel panel;
    panel.x = {"t", "s", false, {}, {}};
    panel.y = {quantity.name, quantity.unit, false, {}, {}};
    panel.legend = LegendPosition::none;
    Curve curve;
    curve.x = t_, curve.y = quantity.values;
    curve.colour = 0;
    panel.curves.push_back(std::move(curve));
    figure.panels.push_back(std::move(panel));
  }
  return write_svg(figure, file_);
}

}  // namespace daemark
