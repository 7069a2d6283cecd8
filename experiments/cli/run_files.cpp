#include "experiments/cli/run_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>

#include "analysis/report/figure.hpp"
#include "analysis/report/table.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/near.hpp"
#include "base/text/printable.hpp"

namespace daemark {

namespace {

/// The numbers under column_names(), of the i-th time kept.
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

Drawing animation_drawing(const AnimationOptions& options, const Problem& problem) {
  Drawing drawing = drawing_of(*problem.make<double>());
  if (drawing.empty())
    throw BadInput(
        fmt::format("--animate: problem {} has no drawing; accepted: a planar mechanism "
                    "or another one with a drawing, e.g. two_link",
                    problem.name));
  if (!options.view.empty()) {
    const std::vector<Expression> angles = read_numbers(options.view, "--view");
    if (angles.size() != 2)
      throw BadInput(fmt::format("--view {}: accepted: AZIMUTH,ELEVATION in degrees, e.g. -60,20",
                                 printable(options.view)));
    drawing.look_from(angles[0].eval<double>(), angles[1].eval<double>());
  }
  return drawing;
}

/// "x1 [m]" as its parts.
std::pair<std::string, std::string> parts_of(const std::string& column) {
  const std::size_t at = column.find(" [");
  if (at == std::string::npos) return {column, ""};
  return {column.substr(0, at), column.substr(at + 2, column.size() - at - 3)};
}

}  // namespace

TrajectoryFile::TrajectoryFile(const std::string& file, const StateNames& names, long rows,
                               std::ostream& out)
    : out_(out) {
  if (file != "-") draft_.emplace(in_a_folder(file));
  const std::vector<std::string> fields = column_names(names);
  constexpr double bytes_a_number = 12, gigabyte = 1e9;  // most take 19, zeros 2
  const double needed = bytes_a_number * static_cast<double>(rows * fields.size());
  if (draft_ && needed > draft_->free_space())
    throw BadInput(fmt::format(
        "--trajectory {}: {} rows of {} numbers need at least {:.3g} GB, {:.3g} GB are free; "
        "accepted: fewer rows (--every N), a smaller span or a larger step",
        printable(file, 200), rows, fields.size(), needed / gigabyte,
        draft_->free_space() / gigabyte));
  write(csv_line(fields));
}

void TrajectoryFile::write(const std::string& line) {
  if (draft_)
    draft_->write(line);
  else if (!(out_ << line))
    throw CannotWrite("cannot write the trajectory to standard output");
}

void TrajectoryFile::add(const History& rows) {
  constexpr double nothing = 1e-100;  // a zero after rounding to 130 digits: cos(pi/2) at the start
  if (failure_.failed()) return;
  for (std::size_t i = 0; i < rows.t.size(); ++i) {
    std::string line;
    for (const double value : trajectory_row(rows, i))
      fmt::format_to(std::back_inserter(line), "{}{}", line.empty() ? "" : ",",
                     std::abs(value) < nothing ? 0 : value + 0.0);
    line += '\n';
    failure_.guard([&] { write(line); });
  }
}

void TrajectoryFile::finish() {
  failure_.raise();
  if (draft_) draft_->commit();
}

void add_animation_options(OptionSet& app, AnimationOptions& options) {
  app.add_option("--animate", options.file, "FILE.svg|FILE.html",
                 "write the motion as an animation that plays offline")
      ->ending({".svg", ".html"});
  app.add_option("--view", options.view, "A,E",
                 "view the animation from this azimuth and elevation [degrees], z up; by default "
                 "the view of the drawing")
      ->needs("--animate");
}

long animation_every(const BoundRun& run) {
  constexpr long kept = 1000;
  return std::max(1L, run.steps / kept);
}

AnimationFile::AnimationFile(const AnimationOptions& options, const BoundRun& run)
    : minimal_(run.formulation.info.minimal ? run.problem.make<double>(true) : nullptr),
      page_(options.file.ends_with(".html")),
      draft_((animation_.drawing = animation_drawing(options, run.problem),
              in_a_folder(options.file))) {
  animation_.title = run.problem.name;
  animation_.caption = fmt::format("{}, {}, h = {} s", run.formulation.name(), run.method_name,
                                   run.request.h.text());
}

void AnimationFile::add(const History& rows) {
  constexpr std::size_t kept = 4000;
  for (std::size_t i = 0; i < rows.t.size(); ++i) {
    if (seen_++ % every_ != 0) continue;
    animation_.t.push_back(rows.t[i]);
    animation_.q.push_back(rows.q[i]);
    if (minimal_) {
      std::vector<double> shown(minimal_->reference_coordinates()), rates(shown.size());
      minimal_->to_reference({rows.t[i], rows.q[i].data(), rows.v[i].data()}, shown.data(),
                             rates.data());
      animation_.q.back() = std::move(shown);
    }
    if (animation_.t.size() < kept) continue;
    every_ *= 2;  // drops every second row
    for (std::size_t k = 1; 2 * k < kept; ++k) {
      animation_.t[k] = animation_.t[2 * k];
      animation_.q[k] = std::move(animation_.q[2 * k]);
    }
    animation_.t.resize(kept / 2);
    animation_.q.resize(kept / 2);
  }
}

void AnimationFile::finish() {
  draft_.write(page_ ? animation_html(animation_) : animation_svg(animation_));
  draft_.commit();
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
      throw BadInput(fmt::format("--plot: {} is unknown{}", in_quotes(name),
                                 accepted_names(name, known, "the header of run --trajectory -")));
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
