#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/report/figure_plan.hpp"
#include "base/program/write_file.hpp"

namespace daemark {
namespace {

constexpr double points_an_inch = 72, mm_an_inch = 25.4;

/// Of the plan, whose letters have kFontSize pixels.
double pixels_a_mm(const PrintedSize& size) {
  return kFontSize / size.letters * points_an_inch / mm_an_inch;
}

int height_of(const FigureSpec& spec, const PrintedSize& size) {
  constexpr double slender = 0.75, name_row = 18, around = 70;
  if (size.height > 0) return static_cast<int>(std::lround(size.height * pixels_a_mm(size)));
  const Panel& panel = spec.panels.front();
  const double rows = name_row * static_cast<double>(panel.y.names.size()) + around;
  FigureSpec trial = spec;
  trial.height = static_cast<int>(std::max(slender * spec.width, panel.y.names.empty() ? 0 : rows));
  constexpr int much = 400;  // for any legend
  trial.height += much;
  double legend = 0;
  for (const LegendPlan& plan : plan_figure(trial).legends)
    if (!plan.inside) legend = std::max(legend, plan.box.height + 4);
  return trial.height - much + static_cast<int>(legend);
}

FigureSpec figure_of(Panel panel, const PrintedSize& size) {
  if (panel.legend == LegendPosition::right_outside) panel.legend = LegendPosition::automatic;
  FigureSpec spec;
  spec.width = static_cast<int>(std::lround(size.width * pixels_a_mm(size)));
  spec.panels = {std::move(panel)};
  spec = as_drawn(std::move(spec));
  spec.height = height_of(spec, size);
  return spec;
}

}  // namespace

void write_printed(const Panel& panel, const PrintedSize& size, const std::filesystem::path& file) {
  const FigureSpec spec = figure_of(panel, size);
  const FigurePlan plan = plan_figure(spec);
  const std::string commands = figure_commands(plan, spec);
  const double height = size.height > 0 ? size.height : plan.height / pixels_a_mm(size),
               scale = size.letters / kFontSize;
  if (file.extension() == ".pdf") {
    // Its line of width 1 has half a point, that of the plan a pixel.
    constexpr double own_line = 0.5;
    write_if_changed(
        file, run_gnuplot(
                  commands,
                  {fmt::format("pdfcairo size {:.4f}cm,{:.4f}cm noenhanced rounded font "
                               "'sans,12' fontscale {:.4f} linewidth {:.4f} pointscale "
                               "{:.4f} dashlength {:.4f} background rgb 'white'",
                               size.width / 10, height / 10, scale, scale / own_line, scale, scale),
                   "%%EOF"}));
    return;
  }
  std::string svg = tidy_svg(run_gnuplot(commands, svg_terminal(plan.width, plan.height)),
                             spec.title, spec.caption);
  const std::string pixels = fmt::format("width=\"{}\" height=\"{}\"", plan.width, plan.height);
  if (const std::size_t at = svg.find(pixels); at != std::string::npos)
    svg.replace(at, pixels.size(),
                fmt::format("width=\"{:g}mm\" height=\"{:.4g}mm\"", size.width, height));
  write_if_changed(file, svg);
}

}  // namespace daemark
