#include "experiments/cli/modes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/constants/constants.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <ostream>

#include "analysis/linear/natural_frequencies.hpp"
#include "analysis/reference/reference.hpp"
#include "analysis/report/figure.hpp"
#include "analysis/roots/eigenvalues.hpp"
#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/printable.hpp"
#include "experiments/cli/common_options.hpp"
#include "experiments/terminal/progress_line.hpp"
#include "experiments/terminal/text.hpp"
#include "methods/catalogue/registry.hpp"
#include "problems/formulations/formulation.hpp"

namespace daemark {
namespace {

using nlohmann::ordered_json;

double hertz(const Mode& mode) {
  return mode.frequency() / (2 * boost::math::constants::pi<double>());
}
/// Of critical damping; a mode at rest has none.
double damping(const Mode& mode) { return mode.frequency() > 0 ? mode.damping() : 0; }

ordered_json table_json(const ModeTable& table, const ModeOptions& options) {
  ordered_json out = {{"problem", table.problem},
                      {"t", table.t},
                      {"highest", table.highest},
                      {"speed", table.speed},
                      {"acceleration", table.acceleration}};
  ordered_json& modes = out["modes"] = ordered_json::array();
  for (const Mode& mode : table.modes)
    modes.push_back(
        {{"omega", mode.frequency()}, {"hertz", hertz(mode)}, {"damping", damping(mode)}});
  if (!table.methods.empty()) out["h"] = options.h;
  ordered_json& methods = out["methods"] = ordered_json::array();
  for (const OscillatorSteps& m : table.methods)
    methods.push_back({{"method", m.method},
                       {"amplitude_decay_percent", m.amplitude_decay_percent},
                       {"period_elongation_percent", m.period_elongation_percent},
                       {"spectral_radius", m.spectral_radius}});
  return out;
}

void print_table(const ModeTable& table, const ModeOptions& options, std::ostream& out) {
  out << fmt::format(
      "{} linearised at t = {} s in the tangent space of its constraints: {} mode{} "
      "shown, the highest of all at {} rad/s\n",
      table.problem, table.t, table.modes.size(), table.modes.size() == 1 ? "" : "s",
      brief(table.highest));
  std::vector<std::vector<std::string>> rows = {{"mode", "rad/s", "Hz", "damping"}};
  for (std::size_t i = 0; i < table.modes.size(); ++i)
    rows.push_back({std::to_string(i + 1), fmt::format("{:.8g}", table.modes[i].frequency()),
                    fmt::format("{:.8g}", hertz(table.modes[i])), brief(damping(table.modes[i]))});
  for (std::size_t m = 0; m < table.methods.size(); ++m) {
    rows[0].push_back(fmt::format("AD% [{}]", m + 1));
    rows[0].push_back(fmt::format("PE% [{}]", m + 1));
    for (std::size_t i = 0; i < table.modes.size(); ++i) {
      rows[i + 1].push_back(brief(table.methods[m].amplitude_decay_percent[i]));
      rows[i + 1].push_back(brief(table.methods[m].period_elongation_percent[i]));
    }
  }
  out << columns(rows);
  constexpr double at_rest = 1e-9;
  if (std::max(table.speed, table.acceleration) > at_rest)
    out << fmt::format(
        "no equilibrium (velocities up to {}, accelerations up to {}): modes of other coordinates "
        "differ\n",
        brief(table.speed), brief(table.acceleration));
  for (std::size_t m = 0; m < table.methods.size(); ++m)
    out << fmt::format("[{}] {} at h = {} s, on an undamped oscillator of the mode's frequency\n",
                       m + 1, table.methods[m].method, options.h);
  if (!table.methods.empty()) out << decay_meaning;
}

FigureSpec figure_of(const ModeTable& table, const ModeOptions& options) {
  FigureSpec figure;
  figure.title = fmt::format("Modes of {} at t = {} s", table.problem, table.t);
  if (!table.methods.empty()) figure.title += fmt::format(", h = {} s", options.h);
  std::vector<double> number, frequency;
  for (std::size_t i = 0; i < table.modes.size(); ++i) {
    number.push_back(static_cast<double>(i + 1));
    frequency.push_back(hertz(table.modes[i]));
  }
  Panel spectrum;
  spectrum.x.label = "mode";
  spectrum.y.label = "frequency", spectrum.y.unit = "Hz", spectrum.y.log = true;
  spectrum.legend = LegendPosition::none;
  spectrum.curves.push_back({"", number, frequency, CurveStyle::linespoints});
  figure.panels.push_back(std::move(spectrum));
  if (table.methods.empty()) return figure;
  Panel decay, elongation;
  decay.x = elongation.x = figure.panels.front().y;
  decay.y.label = "amplitude decay", elongation.y.label = "period elongation";
  decay.y.unit = elongation.y.unit = "%";
  for (const OscillatorSteps& m : table.methods) {
    decay.curves.push_back(
        {m.method, frequency, m.amplitude_decay_percent, CurveStyle::linespoints});
    elongation.curves.push_back(
        {m.method, frequency, m.period_elongation_percent, CurveStyle::linespoints});
  }
  figure.panels.push_back(std::move(decay));
  figure.panels.push_back(std::move(elongation));
  return figure;
}

}  // namespace

void ModeOptions::refuse_without_problem() const {
  for (const auto& [name, given] :
       {std::pair{"--modes", count > 0}, std::pair{"--t", !t.empty()}, std::pair{"--h", !h.empty()},
        std::pair{"--figure", !figure.empty()}})
    if (given) throw BadInput(fmt::format("{}: of which problem, accepted: --problem P", name));
}

void add_mode_options(OptionSet& app, ModeOptions& options) {
  app.add_option("--problem", options.problem, "P",
                 "instead: the modes of this problem's mechanism, linearised");
  app.add_option("--modes", options.count, "N", "so many of lowest frequency; all without it")
      ->range(1, 100000);
  app.add_option("--t", options.t, "T", "at this time of the reference motion, default: its start");
  app.add_option("--h", options.h, "H",
                 "step at which decay and elongation of each mode are shown");
  app.add_option("--figure", options.figure, "FILE.svg", "also draw the modes into this file");
}

int print_modes(const ModeOptions& options, const std::string& formulation,
                const std::vector<std::string>& methods, bool json, std::ostream& out,
                std::ostream& err) {
  ModeRequest request;
  request.problem = options.problem;
  request.count = options.count;
  request.methods = methods;
  if (!formulation.empty()) request.minimal = Formulation::parse(formulation).info.minimal;
  if (!options.t.empty()) request.t = Expression::parse(options.t, "--t");
  if (methods.empty() != options.h.empty())
    throw BadInput("--problem: methods are shown at a step, accepted: methods and --h, or neither");
  if (!options.figure.empty() && !options.figure.ends_with(".svg"))
    throw BadInput(fmt::format("--figure {}: unknown ending; accepted: FILE.svg",
                               printable(options.figure, 200)));
  if (!options.figure.empty())
    require_writable(std::filesystem::absolute(options.figure).parent_path());
  if (!options.h.empty()) {
    request.h = read_time(options.h, "--h");
    if (!(request.h->eval<real50>() > 0))
      throw BadInput(fmt::format("--h: '{}' is not accepted: a number > 0", options.h));
  }
  try {
    const ModeTable table = [&] {
      const ProgressLine progress(err, "modes of " + request.problem);
      return mode_table(request);
    }();
    if (json)
      out << table_json(table, options).dump(2) << "\n";
    else
      print_table(table, options, out);
    if (!options.figure.empty()) write_svg(figure_of(table, options), options.figure);
  } catch (const NoReference& why) {
    throw NumericalFailure(why.what());
  }
  return 0;
}

}  // namespace daemark
