#include "experiments/compare/compare_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <set>

#include "analysis/reference/reference.hpp"
#include "analysis/reference/taylor_reference.hpp"
#include "analysis/run/run.hpp"
#include "analysis/setup/bound_run.hpp"
#include "experiments/cells/support/integration.hpp"
#include "methods/catalogue/registry.hpp"
#include "problems/formulations/formulation.hpp"
#include "problems/system/registry.hpp"

namespace daemark {
namespace {

constexpr int steps_of_a_curve = 5;  ///< each half of the one before

bool has_required(const std::vector<Parameter>& parameters) {
  return std::any_of(parameters.begin(), parameters.end(),
                     [](const Parameter& p) { return p.fallback.empty() && !p.optional; });
}

/// The catalogue in calls that can be run.
std::vector<std::string> catalogue() {
  std::vector<std::string> calls;
  const MethodRegistry& registry = method_registry();
  for (const std::string& id : registry.ids()) {
    const MethodInfo& info = registry.info(id);
    if (!has_required(info.parameters))
      calls.push_back(registry.bind(id).canonical());
    else
      for (const std::string& example : info.examples) {  // the small members of a family
        const WideTableau* tableau = registry.make(example)->tableau();
        if (tableau && (tableau->stages() == 2 || tableau->stages() == 3))
          calls.push_back(registry.bind(example).canonical());
      }
  }
  return calls;
}

bool takes(const std::string& method, const SystemTraits& system) {
  return method_registry().make(method)->refusal(system).empty();
}

/// Formulations of a problem that need no arguments, with what the method sees.
std::vector<std::pair<std::string, SystemTraits>> formulations_of(const Problem& problem) {
  std::vector<std::pair<std::string, SystemTraits>> out;
  const auto mechanism = problem.make<double>();
  const bool constrained = mechanism->constraints() > 0;
  for (const FormulationInfo& info : formulations()) {
    if (has_required(info.parameters)) continue;
    if (info.index == 0 && !problem.has_minimal()) continue;
    if (!constrained && info.index != 1) continue;  // without constraints all are the same
    SystemTraits traits(info);
    if (!constrained) traits.index = 0;
    traits.full_rank = mechanism->rank() == mechanism->constraints();
    traits.velocity_rows = mechanism->velocity_rows();
    out.emplace_back(info.id, traits);
  }
  return out;
}

/// (t_end − start)/steps, exactly.
std::string step_text(const Problem& problem, const std::string& t_end, long steps) {
  const rational span =
      Expression::parse(t_end, "t_end").as_rational() - problem.start.as_rational();
  return rational(span / steps).str();
}

/// The longest of 1, 1/2, 1/5, 1/10, 1/20, … s that a Taylor series in double crosses in 100 steps:
/// in as many steps as these methods take, a faster motion would only show noise.
rational own_time(const Problem& problem) {
  constexpr int most_steps = 100;
  const auto mechanism =
      problem.series.in_double ? problem.series.in_double() : problem.make<double>();
  const bool full_rank = mechanism->rank() == mechanism->constraints();
  if (!mechanism->has_record() || !full_rank) return rational(1, 10);  // no series
  std::vector<double> q(mechanism->coordinates()), v(q.size());
  mechanism->initial(q.data(), v.data());
  for (const int part : {1, 2, 5, 10, 20, 50, 100, 200, 500}) {
    try {
      TaylorIntegrator<double> integrator(*mechanism);
      integrator.integrate(0, q, v, {1.0 / part});
      if (integrator.steps() <= most_steps) return rational(1, part);
    } catch (const TaylorFailure&) {  // too far for a series: a shorter time
    }
  }
  return rational(1, 1000);
}

/// The longest way of the motion, by its ends: no error beyond it says anything. 2-norms over q.
void measure_way(const Problem& problem, CompareField& motion) {
  const std::string& t_end = motion.t_end;
  constexpr int digits = 25;
  const std::vector<ReferenceState> ends =
      reference_states(problem, {problem.start.text(), t_end}, digits);
  const real50 span =
      Expression::parse(t_end, "t_end").eval<real50>() - problem.start.eval<real50>();
  real50 moved = 0, first = 0, last = 0;
  for (std::size_t i = 0; i < ends[0].q.size(); ++i)
    moved += pow(real50(ends[1].q[i] - ends[0].q[i]), 2);
  for (const real50& v : ends[0].v) first += v * v;
  for (const real50& v : ends[1].v) last += v * v;
  motion.way =
      to_double(real50(sqrt(std::max<real50>(moved, span * span * std::max(first, last)))));
  motion.reference_digits = ends[1].agreed_digits;
}

/// The least of 5, 10, 20, ... steps with which the trapezoidal rule errs by 1/20 of the way:
/// coarser ones show noise.
long first_steps_of(const Problem& problem, const CompareField& motion) {
  constexpr long least = 5, usual = 20, most = 1280;
  constexpr double tolerable = 0.05;
  const std::vector<std::string> forms = problem.has_minimal()
                                             ? std::vector<std::string>{"minimal"}
                                             : std::vector<std::string>{"index1", "index2"};
  for (const std::string& formulation : forms) {
    const auto h_of = [&](long steps) {
      return Expression::parse(step_text(problem, motion.t_end, steps), "h");
    };
    RunRequest request;
    request.problem = problem.name, request.formulation = formulation;
    request.method = formulation == "index2" ? "radau_iia(2)" : "trapezoidal";
    request.t_end = Expression::parse(motion.t_end, "t_end"), request.h = h_of(least);
    request.errors = true, request.repeat = 0;
    try {
      const BoundRun first(request, problem);
      for (long steps = least; steps <= most; steps *= 2) {
        const RunResult result = run(first.with_step(h_of(steps)));
        if (result.status == "ok" && result.measures.at("error_q") <= tolerable * motion.way)
          return steps;
      }
    } catch (const BadInput&) {  // refused: the next formulation
    }
  }
  return usual;
}

/// What all formulations of a problem have in common: times, steps, the length of its way.
CompareField motion_of(const Problem& problem, const CompareRequest& request) {
  CompareField motion;
  motion.problem = problem.name;
  motion.t_end = request.t_end.empty()
                     ? rational(problem.start.as_rational() + own_time(problem)).str()
                     : request.t_end;
  motion.h = request.h;
  try {
    measure_way(problem, motion);
    if (motion.way == 0) throw NoReference("nothing moves: errors have nothing to be relative to");
    if (!motion.h.empty()) return motion;
    const long first = first_steps_of(problem, motion);
    for (int k = 0; k < steps_of_a_curve; ++k)
      motion.h.push_back(step_text(problem, motion.t_end, first << k));
  } catch (const NoReference& why) {
    motion.no_reference = why.what();
  }
  return motion;
}

CompareField::Entry entry_of(const CompareRequest& request, const Problem& problem,
                             const CompareField& field, const std::string& method, bool is_new,
                             bool controlled) {
  const bool own = method_registry().make(method)->owns_loop();
  CompareField::Entry entry{
      controlled && !own ? method + " with control" : method, is_new, controlled, {}};
  Cell cell;
  cell.problem = field.problem;
  cell.formulation = field.formulation;
  cell.method = method;
  cell.t_end = field.t_end;
  cell.more["errors"] = true;
  for (const std::string& knob : controlled ? request.tolerances : field.h) {
    cell.h = {controlled ? step_text(problem, field.t_end, 1) : knob};
    entry.cells.push_back(controlled ? with_tolerance(cell, knob) : cell);
  }
  return entry;
}

/// Problems to compare on where none is named: not those that exist in double only, which are
/// large.
std::vector<std::string> small_problems() {
  std::vector<std::string> ids;
  for (const std::string& id : problem_registry().ids())
    if (problem_registry().make(id).absolute.in_quad) ids.push_back(id);
  return ids;
}

}  // namespace

std::vector<CompareField> compare_fields(const CompareRequest& request, std::ostream& err) {
  std::vector<std::string> added;
  for (const std::string& method : request.methods) {
    method_registry().make(method);  // refuses bad arguments before anything runs
    added.push_back(method_registry().bind(method).canonical());
  }
  const std::vector<std::string> known = catalogue();
  std::vector<CompareField> fields;
  for (const std::string& call : request.problems.empty() ? small_problems() : request.problems) {
    const Problem problem = problem_registry().make(call);
    const auto forms = formulations_of(problem);
    const bool any = std::any_of(added.begin(), added.end(), [&](const std::string& method) {
      return std::any_of(forms.begin(), forms.end(),
                         [&](const auto& form) { return takes(method, form.second); });
    });
    if (!any) continue;
    const CompareField motion = motion_of(problem, request);
    if (!motion.no_reference.empty()) {
      err << fmt::format("daemark compare: {} is left out: {}\n", problem.name,
                         motion.no_reference);
      continue;
    }
    for (const auto& [formulation, traits] : forms) {
      CompareField field = motion;
      field.formulation = formulation;
      std::set<std::string> seen;
      const auto add = [&, &traits = traits](const std::string& method, bool is_new) {
        if (!takes(method, traits) || !seen.insert(method).second) return;
        for (const bool controlled : {false, true}) {
          const bool possible =
              controlled ? takes_tolerance(method) : !method_registry().make(method)->owns_loop();
          if (possible)
            field.entries.push_back(entry_of(request, problem, field, method, is_new, controlled));
        }
      };
      for (const std::string& method : added) add(method, true);
      if (field.entries.empty()) continue;
      for (const std::string& method : known) add(method, false);
      fields.push_back(std::move(field));
    }
  }
  if (fields.empty()) throw BadInput("no problem takes these methods; accepted: another method");
  return fields;
}

}  // namespace daemark
