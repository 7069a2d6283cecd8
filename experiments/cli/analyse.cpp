// daemark analyse: a method on the undamped oscillator, on a linear constrained system, on the
// modes of a mechanism.
#include "analysis/linear/analyse.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/math/constants/constants.hpp>
#include <cmath>
#include <filesystem>
#include <map>
#include <ostream>

#include "analysis/linear/amplification.hpp"
#include "analysis/linear/mode_table.hpp"
#include "analysis/reference/reference.hpp"
#include "analysis/report/figure.hpp"
#include "analysis/roots/eigenvalues.hpp"
#include "base/program/progress.hpp"
#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/counted.hpp"
#include "experiments/cli/common_options.hpp"
#include "experiments/cli/stability_region.hpp"
#include "experiments/cli/verb.hpp"
#include "experiments/terminal/progress_line.hpp"
#include "experiments/terminal/text.hpp"
#include "methods/catalogue/registry.hpp"
#include "problems/formulations/formulation.hpp"

namespace daemark {
namespace {

using Json = Report::Json;

constexpr const char* default_x = "0.01,0.02,0.05,0.1,0.15,0.2,0.25,0.5,1,10,100";
constexpr const char* decay_meaning =
    "decay (AD) 100 a/W and elongation (PE) 100 (w dt/W - 1), z the principal root, a = -ln|z|, "
    "W = sqrt(a^2 + (arg z)^2): a/W is the damping ratio a step adds\n";

struct AnalyseOptions {
  std::vector<std::string> methods;
  std::string x, region, box, formulation;
  std::string problem, t, h, figure;  ///< of modes
  int modes = 0;                      ///< how many; 0: all

  std::vector<Expression> points() const { return read_numbers(x.empty() ? default_x : x, "--x"); }
};

/// A coefficient of many digits cut to 24 characters besides the exponent.
std::string shortened(const std::string& number) {
  const std::size_t exponent = std::min(number.find('e'), number.size());
  return number.substr(0, std::min<std::size_t>(exponent, 24)) + number.substr(exponent);
}

/// Of one method on the undamped oscillator.
Report report_of(const AnalyseResult& r) {
  Report report;
  report.set("method", r.method).set("n", r.n);
  ReportRows rows({{"x", "x", "{}"},
                   {"amplitude_decay_percent", "amplitude decay %", "{:.8g}"},
                   {"period_elongation_percent", "period elongation %", "{:.8g}"},
                   {"spectral_radius", "spectral radius", "{:.10f}"}});
  for (std::size_t i = 0; i < r.x.size(); ++i)
    rows.add({r.x[i], r.amplitude_decay_percent[i], r.period_elongation_percent[i],
              r.spectral_radius[i]});
  report.lists(
      fmt::format("{}, undamped oscillator of period T, x = dt/(nT) with n = {}", r.method, r.n),
      rows);
  report.say(decay_meaning).set("stability_function", nullptr);
  if (!r.stability_function) return report;
  report.say("stability function, ascending powers of z");
  for (const auto& [name, list] : {std::pair{"num", &r.stability_function->num},
                                   std::pair{"den", &r.stability_function->den}}) {
    report.json["stability_function"][name] = *list;
    std::string line = fmt::format("  {}:", name);
    for (const std::string& c : *list) line += " " + shortened(c);
    report.say(line);
  }
  return report;
}

std::string root_text(const std::complex<double>& z) {
  if (std::abs(z.imag()) < 1e-9 * std::abs(z)) return fmt::format("{:.6g}", z.real());
  return fmt::format("{:.6g}{:+.6g}i", z.real(), z.imag());
}

Json pairs_of(const std::vector<std::complex<double>>& roots) {
  Json row = Json::array();
  for (const auto& z : roots) row.push_back({z.real(), z.imag()});
  return row;
}

/// The roots of one step on a linear constrained system.
Report constrained(const AnalyseOptions& options) {
  const ConstrainedRoots r =
      constrained_roots({options.methods.front(), options.formulation, options.points()});
  Report report;
  report.set("method", r.method).set("formulation", r.formulation).set("n", r.n);
  ReportRows rows({{"x", "x", "{}"},
                   {"roots", "-"},
                   {"constraint_roots", "-"},
                   {"constraint_radius", "radius"},
                   {"", "roots along the constraint"}});
  for (std::size_t i = 0; i < r.x.size(); ++i) {
    std::string roots;
    for (const auto& z : r.constraint[i]) roots += (roots.empty() ? "" : ", ") + root_text(z);
    rows.add({r.x[i], pairs_of(r.roots[i]), pairs_of(r.constraint[i]), r.radius[i],
              roots.empty() ? "0" : roots});
  }
  return report.lists(
      fmt::format("{} on {}: two oscillators of period T held together, x = dt/(nT), n = {}",
                  r.method, r.formulation, r.n),
      rows);
}

/// The whole catalogue, a row for each method.
Report of_catalogue(std::ostream& err) {
  ReportRows rows({{"method", "method"},
                   {"n", "n"},
                   {"order", "order"},
                   {"rho_infinity", "rho_inf"},
                   {"x", "-"},
                   {"amplitude_decay_percent", "-"},
                   {"period_elongation_percent", "-"},
                   {"", "AD% 0.05"},
                   {"", "AD% 0.1"},
                   {"", "PE% 0.05"},
                   {"", "PE% 0.1"}});
  std::map<std::string, std::vector<std::string>> left_out;  // by reason
  const std::vector<std::string> calls = method_registry().examples();
  {
    const ProgressLine progress(err);
    ProgressParts parts(std::vector<double>(calls.size(), 1.0));
    for (const std::string& call : calls) {
      const ProgressShare share = parts.next();
      tell_progress("methods", 0);
      const LinearSummary s = summarise(call);
      if (!s.failure.empty()) {
        left_out[s.failure].push_back(s.method);
        continue;
      }
      rows.add({s.method, s.n, s.order > 0 ? Json(s.order) : Json(nullptr), s.rho_infinity,
                Json::array({0.05, 0.1}), Json::array({s.decay_005, s.decay_010}),
                Json::array({s.elongation_005, s.elongation_010}), s.decay_005, s.decay_010,
                s.elongation_005, s.elongation_010});
    }
  }
  for (const auto& [why, methods] : left_out)
    err << fmt::format("left out, {}: {}\n", why, fmt::join(methods, ", "));
  Report report;
  report.say("on the undamped oscillator, x = dt/(nT), n stages counted");
  return report.array(rows).say(decay_meaning);
}

double hertz(const Mode& mode) {
  return mode.frequency() / (2 * boost::math::constants::pi<double>());
}
/// Of critical damping; a mode at rest has none.
double damping(const Mode& mode) { return mode.frequency() > 0 ? mode.damping() : 0; }

Report report_of(const ModeTable& table, const AnalyseOptions& options) {
  Report report;
  report.set("problem", table.problem).set("t", table.t).set("highest", table.highest);
  report.set("speed", table.speed).set("acceleration", table.acceleration);
  std::vector<Column> columns = {{"", "mode"},
                                 {"omega", "rad/s", "{:.8g}"},
                                 {"hertz", "Hz", "{:.8g}"},
                                 {"damping", "damping"}};
  ReportRows methods({{"method", "-"},
                      {"amplitude_decay_percent", "-"},
                      {"period_elongation_percent", "-"},
                      {"spectral_radius", "-"}});
  for (const OscillatorSteps& m : table.methods) {
    methods.add(
        {m.method, m.amplitude_decay_percent, m.period_elongation_percent, m.spectral_radius});
    for (const char* what : {"AD% [{}]", "PE% [{}]"})
      columns.push_back({"", fmt::format(fmt::runtime(what), columns.size() / 2 - 1)});
  }
  ReportRows modes(columns);
  for (std::size_t i = 0; i < table.modes.size(); ++i) {
    std::vector<Json> row = {i + 1, table.modes[i].frequency(), hertz(table.modes[i]),
                             damping(table.modes[i])};
    for (const OscillatorSteps& m : table.methods) {
      row.emplace_back(m.amplitude_decay_percent[i]);
      row.emplace_back(m.period_elongation_percent[i]);
    }
    modes.add(row);
  }
  report.rows("modes",
              fmt::format("{} linearised at t = {} s in the tangent space of its constraints: {} "
                          "shown, the highest of all at {} rad/s",
                          table.problem, table.t, counted(table.modes.size(), "mode"),
                          brief(table.highest)),
              modes);
  if (!table.methods.empty()) report.set("h", options.h);
  report.set("methods", methods.objects());
  constexpr double at_rest = 1e-9;
  if (std::max(table.speed, table.acceleration) > at_rest)
    report.say(
        fmt::format("no equilibrium (velocities up to {}, accelerations up to {}): modes in "
                    "other coordinates differ",
                    brief(table.speed), brief(table.acceleration)));
  for (std::size_t m = 0; m < table.methods.size(); ++m)
    report.say(fmt::format("[{}] {} at h = {} s, on an undamped oscillator of the mode's frequency",
                           m + 1, table.methods[m].method, options.h));
  return table.methods.empty() ? report : report.say(decay_meaning);
}

FigureSpec figure_of(const ModeTable& table, const AnalyseOptions& options) {
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

/// The modes of a mechanism and what methods do to each.
Report modes(const AnalyseOptions& options, std::ostream& err) {
  ModeRequest request;
  request.problem = options.problem;
  request.count = options.modes;
  request.methods = options.methods;
  if (!options.formulation.empty())
    request.minimal = Formulation::parse(options.formulation).info.minimal;
  if (!options.t.empty()) request.t = Expression::parse(options.t, "--t");
  if (options.methods.empty() != options.h.empty())
    throw BadInput("--problem: methods are shown at a step; accepted: methods and --h, or neither");
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
    Report report = report_of(table, options);
    if (!options.figure.empty())
      report.then = [=] { write_svg(figure_of(table, options), options.figure); };
    return report;
  } catch (const NoReference& why) {
    throw NumericalFailure(why.what());
  }
}

Report of_method(const AnalyseOptions& options, std::ostream& err) {
  const std::string& method = options.methods.front();
  method_registry().make(method);
  warn_of_defects("analyse", {method}, err);
  if (!options.formulation.empty()) return constrained(options);
  StabilityRegion region = region_asked(options.box, options.region);
  const ProgressLine progress(err, method);
  Report report = report_of(analyse({method, options.points()}));
  if (options.region.empty()) return report;
  fill_region(method, region);
  report.then = [=, to = options.region] { write_region(region, method, to); };
  return report;
}

Report analyse_verb(const AnalyseOptions& options, std::ostream&, std::ostream& err) {
  try {
    if (!options.problem.empty()) return modes(options, err);
    if (options.methods.size() > 1)
      throw BadInput(fmt::format("{} methods; accepted: one, or --problem for its modes",
                                 options.methods.size()));
    if (!options.methods.empty()) return of_method(options, err);
    if (!options.formulation.empty())
      throw BadInput("--formulation needs M; accepted: a method before it");
    return of_catalogue(err);
  } catch (const NumericalFailure& failure) {
    const std::string& what = options.methods.empty() || !options.problem.empty()
                                  ? options.problem
                                  : options.methods.front();
    err << fmt::format("daemark analyse: {}: {}\n", what, failure.what());
    return Report::ended(1);
  }
}

void declare(OptionSet& app, AnalyseOptions& options) {
  const char* const a_method_first = "a method before it";
  app.add_option("method", options.methods, "M",
                 "a method; without it: order, radius at infinity, decay and elongation of all; "
                 "with --problem any number");
  app.add_option("--x", options.x, "X,X,...",
                 fmt::format("x = dt/(nT), separated by commas, default {}", default_x))
      ->needs("method", a_method_first)
      ->excludes("--problem");
  app.add_option("--formulation", options.formulation, "F",
                 "show the roots of a step on a linear constrained system in this formulation, "
                 "those along the constraint in a separate column; with --problem: minimal shows "
                 "the modes of minimal coordinates");
  app.add_option("--region", options.region, "FILE.csv|FILE.svg",
                 "also write |R(z)| on a grid of the complex plane to this file, or draw the "
                 "stability region and the order star")
      ->ending({".csv", ".svg"})
      ->needs("method", a_method_first)
      ->excludes("--problem")
      ->excludes("--formulation");
  app.add_option("--box", options.box, "RE,RE,IM,IM",
                 "the part of the plane that the grid covers, default -10,10,-10,10")
      ->needs("method", a_method_first)
      ->excludes("--problem")
      ->excludes("--formulation");
  app.add_option("--problem", options.problem, "P",
                 "show the modes of this problem, linearised, in place of the method table");
  app.add_option("--modes", options.modes, "N", "only the N modes of lowest frequency")
      ->range(1, 100000)
      ->needs("--problem", "--problem P");
  app.add_option("--t", options.t, "T",
                 "linearise at this time of the reference motion, default: its start")
      ->needs("--problem", "--problem P");
  app.add_option("--h", options.h, "H", "step at which decay and elongation of each mode are shown")
      ->needs("--problem", "--problem P");
  app.add_option("--figure", options.figure, "FILE.svg", "also draw the modes into this file")
      ->needs("--problem", "--problem P")
      ->ending({".svg"});
}

}  // namespace

void register_analyse(Verbs& verbs) {
  verbs.add<AnalyseOptions>(
      {"analyse", VerbGroup::run, "amplitude decay, period elongation, spectral radius",
       "daemark analyse 'gauss(2)' --x 0.1,0.2,0.5"},
      declare, analyse_verb);
}

}  // namespace daemark
