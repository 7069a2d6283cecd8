// daemark export-problem: the equations of a problem as one source file of another language.
// daemark export-mechanism: its bodies and joints as the file that programs get.
#include <fmt/format.h>

#include <cmath>
#include <ostream>

#include "analysis/reference/reference.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/wrap.hpp"
#include "experiments/bibliography/bibliography.hpp"
#include "experiments/cli/common_options.hpp"
#include "experiments/cli/exported_functions.hpp"
#include "experiments/cli/verb.hpp"
#include "experiments/terminal/text.hpp"
#include "problems/bodies/mechanism_json.hpp"
#include "problems/system/registry.hpp"

namespace daemark {
namespace {

using graph::SourceFunction;

struct EquationOptions {
  std::string problem, formulation = "index1", format = "c", h;
};

/// Sizes grow with the square of it: Jacobians are written as full matrices.
constexpr int most_unknowns = 300;

/// y and its rate at the start, and what is needed to make them.
struct MotionStart {
  double t;
  std::vector<double> y, rate;
};

/// A problem in a formulation of levels.
struct ExportedProblem {
  Problem problem;
  Formulation formulation;
  MechanicalPtr<double> mechanism;
  ConstraintLevels<double> levels;
  MotionStart start;
};

ConstraintLevels<double> levels_of(const ImplicitSystem<double>& system) {
  return dynamic_cast<const MechanicalFormulation<double>&>(system).levels().value();
}

/// The step that gains of the formulation are for. Throws BadInput where it is asked for and
/// missing.
wide step_of(const EquationOptions& options, const Formulation& formulation,
             const MechanicalPtr<double>& mechanism) {
  if (!options.h.empty()) return read_time(options.h, "--h").eval<wide>();
  const auto at = [&](const wide& h) {
    const auto weights = levels_of(*formulate<double>(formulation, mechanism, h)).weights;
    return std::pair(weights.position, weights.velocity);
  };
  if (at(1) != at(2))
    throw BadInput(
        fmt::format("the gains of {} depend on the step; accepted: --h H", formulation.name()));
  return 1;
}

ExportedProblem bound_export(const EquationOptions& options) {
  ExportedProblem out{problem_registry().make(options.problem),
                      Formulation::parse(options.formulation),
                      {},
                      {},
                      {}};
  const FormulationInfo& info = out.formulation.info;
  if (!info.levels)
    throw BadInput(fmt::format("--formulation {}: its residual is no formula; accepted: {}",
                               out.formulation.name(),
                               formulation_ids([](const auto& i) { return i.levels; })));
  out.mechanism = out.problem.make<double>(info.minimal);
  if (!out.mechanism->has_record())
    throw BadInput(
        fmt::format("{} is not recorded as one graph: its orientations are on charts; "
                    "accepted: a problem in flat coordinates",
                    out.problem.name));
  const int n = out.mechanism->coordinates();
  if (const int unknowns = n + out.mechanism->constraints(); unknowns > most_unknowns)
    throw BadInput(fmt::format("{} has {} coordinates and multipliers; accepted: at most {}",
                               out.problem.name, unknowns, most_unknowns));
  const auto system = formulate<double>(out.formulation, out.mechanism,
                                        step_of(options, out.formulation, out.mechanism));
  out.levels = levels_of(*system);
  MotionStart& start = out.start;
  start.t = out.problem.start.eval<double>();
  start.y.assign(system->size(), 0), start.rate = start.y;
  out.mechanism->initial(start.y.data(), start.y.data() + n);
  if (!system->explicit_rates(start.y.data(), start.rate.data(), start.t, nullptr))
    throw BadInput(
        fmt::format("{} has no accelerations at its start: the matrix of the index-1 "
                    "solve is singular; accepted: a regular start",
                    out.problem.name));
  return out;
}

/// At the start, and moved from there by up to 1/16 of the sizes, or less where that is not finite.
std::vector<graph::TestPoint> test_points(const std::vector<SourceFunction>& functions,
                                          const MotionStart& start) {
  std::vector<double> at = {start.t};
  at.insert(at.end(), start.y.begin(), start.y.end());
  at.insert(at.end(), start.rate.begin(), start.rate.end());
  std::vector<graph::TestPoint> points;
  for (const double move : {0.0, 0x1p-8, 0x1p-12, 0x1p-16}) {
    std::vector<double> moved = at;
    for (std::size_t i = 0; i < moved.size(); ++i)
      moved[i] += move * static_cast<double>(i * 7 % 16 + 1) * (1 + std::abs(moved[i]));
    graph::TestPoint point = graph::test_point(functions, moved);
    if (!point.inputs.empty()) points.push_back(std::move(point));
    if (points.size() > 1) break;
  }
  return points;
}

/// The start as functions without arguments.
SourceFunction constant_function(const std::string& name, const std::string& meaning,
                                 const std::vector<double>& values) {
  graph::Graph none;
  SourceFunction f{name, meaning, {}, static_cast<int>(values.size()), 0, {}, {}};
  for (int i = 0; i < f.rows; ++i) f.places.emplace_back(i, 0);
  f.code = graph::compile(none, {{values.begin(), values.end()}}, false);
  return f;
}

/// "x1 [m], y1 [m]".
std::string with_units(const std::vector<std::string>& names,
                       const std::vector<std::string>& units) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i > 0 ? ", " : "") + with_unit(names[i], units[i]);
  return text;
}

std::vector<std::string> multiplier_units(const MechanicalSystem<double>& mechanism) {
  std::vector<std::string> units;
  for (const std::string& unit : mechanism.constraint_units())
    units.push_back(multiplier_unit(unit));
  return units;
}

/// What the file holds, how its functions are called, and the numbers it was made with.
std::string header_of(const ExportedProblem& of) {
  const ProblemInfo& info = problem_registry().info(parse_call(of.problem.name, "problem").id);
  const MechanicalSystem<double>& mechanism = *of.mechanism;
  const int n = mechanism.coordinates(), m = mechanism.constraints();
  const bool constrained = m > 0, stabilised = of.levels.stabilised;
  std::string text = wrapped(of.problem.name + ": " + info.summary) + "\n" +
                     wrapped("source " + with_citations(info.source)) + "\n" +
                     wrapped("written by " + version_line()) + "\n\n";
  const auto add = [&text](const std::string& paragraph) { text += wrapped(paragraph) + "\n"; };
  if (constrained)
    add(
        fmt::format("M a + G^T lam = f and Phi = 0 with G = dPhi/dq, or of a velocity-level "
                    "constraint its gradient in v; q, v, a have {} entries, lam has {}.",
                    n, m));
  else
    add(fmt::format("M a = f; q, v, a have {} entries.", n));
  add(fmt::format(
      "The residual is that of {} for y = (q, v{}{}) and its rate, {} entries each. Its rows: rate "
      "of q - v{}; M a - f{} with a the rate of v{}.",
      of.formulation.name(), constrained ? ", lam" : "", stabilised ? ", mu" : "",
      of.start.y.size(), stabilised ? " + G^T mu" : "", constrained ? " + G^T lam" : "",
      stabilised    ? "; Phi; its rate"
      : constrained ? "; a combination of Phi and its two rates"
                    : ""));
  add(
      fmt::format("The motion starts at t = {} s with start_y and start_rate. The main program "
                  "compares every function with stored values; its exit status is 1 where one "
                  "differs by more than rounding in double explains.",
                  of.start.t));
  add("q: " + with_units(mechanism.coordinate_names(), mechanism.coordinate_units()));
  if (constrained)
    add("lam: " + with_units(mechanism.constraint_names(), multiplier_units(mechanism)));
  std::vector<std::vector<std::string>> rows;
  for (const Datum& d : of.problem.data)
    rows.push_back({d.name, d.text(), d.unit, with_citations(d.source)});
  return text + "data, which the constants of the functions are made of\n" + columns(rows);
}

std::string file_of_equations(const ExportedProblem& of, const graph::Language& language) {
  std::vector<SourceFunction> functions = exported_functions(*of.mechanism, of.levels);
  functions.push_back(constant_function("start_y", "y at the start", of.start.y));
  functions.push_back(constant_function("start_rate", "the rate of y at the start", of.start.rate));
  const std::vector<graph::TestPoint> points = test_points(functions, of.start);
  if (points.empty())
    throw BadInput(of.problem.name +
                   " has functions that are not finite at its start; accepted: a regular start");
  std::string text = graph::comment_lines(header_of(of), language) + "\n" + language.begin + "\n";
  for (const SourceFunction& f : functions) text += graph::function_source(f, language);
  return text + graph::self_test(functions, points, language);
}

void declare(OptionSet& app, EquationOptions& options) {
  std::vector<std::string> names;
  for (const auto& [name, language] : graph::languages()) names.push_back(name);
  app.add_option("problem", options.problem, "P", a_problem)->required();
  app.add_option("--format", options.format, "FORMAT", "c (the default), fortran, julia, python")
      ->one_of(names);
  app.add_option("--formulation", options.formulation, "F",
                 "of the residual: " + formulation_ids([](const FormulationInfo& i) {
                   return i.levels;
                 }) + "; default index1");
  app.add_option("--h", options.h, "H", "step for gains that depend on it");
}

int write(const EquationOptions& options, std::ostream& out, std::ostream&) {
  out << file_of_equations(bound_export(options), graph::languages().at(options.format));
  return 0;
}

struct MechanismOptions {
  std::string problem, t_end, h;
};

/// The last time at which a reference of the problem is published, else one second.
Expression default_end(const Problem& problem) {
  Expression last = Expression::parse((problem.start.eval<wide>() + 1).str(), "t");
  bool found = false;
  for (const PublishedState& known : published_references()) {
    const Expression t = Expression::parse(known.t, known.problem);
    if (known.problem != problem.name || !known.is_current) continue;
    if (!found || t.eval<wide>() > last.eval<wide>()) last = t;
    found = true;
  }
  return last;
}

int export_mechanism(const MechanismOptions& options, std::ostream& out, std::ostream&) {
  const Problem problem = problem_registry().make(options.problem);
  if (!problem.bodies)
    throw BadInput(fmt::format(
        "{} is no mechanism of rigid bodies and joints in these coordinates; accepted: problems of "
        "kind planar or spatial, or with a twin of bodies",
        problem.name));
  const wide begin = problem.start.eval<wide>();
  const Expression t_end =
      options.t_end.empty() ? default_end(problem) : read_time(options.t_end, "--t-end");
  const wide span = t_end.eval<wide>() - begin;
  const wide h = options.h.empty() ? span / 100 : read_time(options.h, "--h").eval<wide>();
  const wide count = h > 0 ? round(wide(span / h)) : wide(0);
  constexpr long most = 100000000;
  if (!(h > 0 && span > 0 && count >= 1 && count <= most &&
        abs(wide(count * h - span)) <= h * wide("1e-20")))
    throw BadInput(
        fmt::format("--h {}, --t-end {}: accepted: a step > 0 that divides the time from "
                    "the start to the end, {} times at most",
                    options.h, t_end.text(), most));
  out << mechanism_json(problem.name, problem.bodies().get(), {begin, h, static_cast<long>(count)})
             .dump(1)
      << "\n";
  return 0;
}

void declare(OptionSet& app, MechanismOptions& options) {
  app.add_option("problem", options.problem, "P", a_problem)->required();
  app.add_option("--t-end", options.t_end, "T",
                 "last output time [s]; default: of the last published reference, else one second");
  app.add_option("--h", options.h, "H", "spacing of output times [s]; default: 100 of them");
}

}  // namespace

void register_export_problem(Verbs& verbs) {
  verbs.add<MechanismOptions>(
      {"export-mechanism", VerbGroup::make,
       "bodies, joints and forces of a problem as a JSON file for other programs",
       "daemark export-mechanism 'four_bar(loops=2)' --t-end 1 --h 1/100"},
      declare, export_mechanism);
  verbs.add<EquationOptions>(
      {"export-problem", VerbGroup::make,
       "the equations of a problem as one file of C, Fortran, Julia or Python",
       "daemark export-problem pendulum --formulation index3 --format python"},
      declare, write);
}

}  // namespace daemark
