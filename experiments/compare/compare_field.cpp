#include "experiments/compare/compare_field.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "analysis/reference/reference.hpp"
#include "analysis/reference/taylor_reference.hpp"
#include "analysis/run/run.hpp"
#include "analysis/setup/bound_run.hpp"
#include "experiments/cells/support/cell_kind.hpp"
#include "experiments/cells/support/integration.hpp"
#include "methods/catalogue/registry.hpp"
#include "problems/formulations/formulation.hpp"
#include "problems/system/registry.hpp"

namespace daemark {

namespace {

constexpr int steps_of_a_curve = 5;  ///< each half of the one before

/// The longest of 1, 1/2, 1/5, 1/10, 1/20, … s that a Taylor series in double crosses in 100 steps:
/// in as many steps as these methods take, a faster motion would only show noise.
rational own_time(const Problem& problem) {
  constexpr int most_steps = 100;
  const auto mechanism =
      problem.series.in_double ? problem.series.in_double() : problem.make<double>();
  const bool full_rank = mechanism->rank() == mechanism->constraints();
  if (!mechanism->has_record() || mechanism->forces_of_multipliers() || !full_rank)
    return rational(1, 10);  // no series
  std::vector<double> q(mechanism->coordinates()), v(q.size());
  mechanism->initial(q.data(), v.data());
  for (const int part : {1, 2, 5, 10, 20, 50, 100, 200, 500}) {
    try {
      TaylorIntegrator<double>(*mechanism).integrate(0, q, v, {1.0 / part}, most_steps);
      return rational(1, part);
    } catch (const TaylorFailure&) {  // too far: a shorter time
    }
  }
  return rational(1, 1000);
}

real50 squares(const std::vector<real50>& values) {
  real50 sum = 0;
  for (const real50& x : values) sum += x * x;
  return sum;
}

/// The scale of the motion, from its ends: no larger error says anything. 2-norms.
void measure_way(const Problem& problem, CompareMotion& motion) {
  constexpr int digits = 25;
  const std::vector<ReferenceState> ends =
      reference_states(problem, {problem.start.text(), motion.t_end}, digits);
  const ReferenceState &start = ends[0], &end = ends[1];
  const real50 span =
      Expression::parse(motion.t_end, "t_end").eval<real50>() - problem.start.eval<real50>();
  real50 moved = 0;
  for (std::size_t i = 0; i < start.q.size(); ++i) moved += pow(real50(end.q[i] - start.q[i]), 2);
  const real50 fastest = std::max(squares(start.v), squares(end.v));
  motion.way = to_double(real50(sqrt(std::max<real50>(moved, span * span * fastest))));
  motion.multipliers =
      to_double(real50(sqrt(std::max(squares(start.lambda), squares(end.lambda)))));
  motion.span = to_double(span);
  motion.reference_digits = end.agreed_digits;
}

/// The least of 5, 10, 20, ... steps with which the trapezoidal rule errs by 1/20 of the way:
/// coarser ones show noise.
long first_steps_of(const Problem& problem, const CompareMotion& motion) {
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

}  // namespace

std::string step_text(const Problem& problem, const std::string& t_end, long steps) {
  const rational span =
      Expression::parse(t_end, "t_end").as_rational() - problem.start.as_rational();
  return rational(span / steps).str();
}

CompareMotion assumed_motion(const Problem& problem) {
  constexpr long first_steps = 20;
  CompareMotion motion;
  motion.problem = problem.name;
  motion.t_end = rational(problem.start.as_rational() + 1).str();
  motion.span = motion.way = 1;
  for (int k = 0; k < steps_of_a_curve; ++k)
    motion.h.push_back(step_text(problem, motion.t_end, first_steps << k));
  return motion;
}

CompareMotion motion_of(const Problem& problem, const std::vector<std::string>& h,
                        const std::string& t_end) {
  constexpr long most_first_steps = 40;  // 640 of the finest run: a sweep takes about a second
  CompareMotion motion;
  motion.problem = problem.name;
  rational time = t_end.empty() ? own_time(problem) : rational(0);
  while (true) {
    motion.t_end = t_end.empty() ? rational(problem.start.as_rational() + time).str() : t_end;
    measure_way(problem, motion);
    if (motion.way == 0) throw NoReference("nothing moves: errors have nothing to be relative to");
    motion.h = h;
    if (!h.empty()) return motion;
    const long first = first_steps_of(problem, motion);
    if (t_end.empty() && first > most_first_steps) {  // a shorter time, in which less happens
      time /= 2;
      continue;
    }
    for (int k = 0; k < steps_of_a_curve; ++k)
      motion.h.push_back(step_text(problem, motion.t_end, first << k));
    return motion;
  }
}

namespace {

bool has_required(const std::vector<Parameter>& parameters) {
  return std::any_of(parameters.begin(), parameters.end(),
                     [](const Parameter& p) { return p.fallback.empty() && !p.optional; });
}

std::vector<std::string> runnable() {
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

struct Form {
  std::string call;
  SystemTraits system;  ///< what a method sees of the problem in it
  bool takes(const std::string& method) const {
    return method_registry().make(method)->refusal(system).empty();
  }
};

std::vector<Form> forms_of(const Problem& problem, const std::vector<std::string>& asked) {
  std::vector<std::string> calls = asked;
  if (calls.empty())
    for (const FormulationInfo& info : formulations())
      if (!has_required(info.parameters)) calls.push_back(info.id);
  const bool constrained = problem.make<double>()->constraints() > 0;
  std::vector<Form> forms;
  for (const std::string& call : calls) {
    const FormulationInfo info = Formulation::parse(call).info;
    if (info.minimal && !problem.has_minimal()) continue;
    if (!constrained && asked.empty() && info.id != "index1") continue;  // all are the same
    forms.push_back({call, traits_of(info, *problem.make<double>(info.minimal))});
  }
  return forms;
}

bool takes_any(const Form& form, const std::vector<std::string>& methods) {
  return methods.empty() || std::any_of(methods.begin(), methods.end(),
                                        [&](const auto& method) { return form.takes(method); });
}

/// The call without the tolerance that is swept.
std::string shown_name(const std::string& method, bool controlled) {
  if (!method_registry().make(method)->owns_loop())
    return controlled ? method + " with control" : method;
  Call call = parse_call(method, "method");
  std::erase_if(call.arguments, [](const CallArgument& a) { return a.key == "tol"; });
  return call.text();
}

CompareEntry entry_of(const CompareField& field, const std::string& method, bool is_new,
                      bool controlled) {
  Cell cell;
  cell.kind = "work_precision";
  cell.problem = field.motion.problem;
  cell.formulation = field.formulation;
  cell.method = method;
  cell.t_end = field.motion.t_end;
  cell.h = field.motion.h;
  if (controlled) {
    cell.h = {step_text(problem_registry().make(cell.problem), cell.t_end, 1)};
    cell.more["tols"] = compare_tolerances;
    cell.more["most_evaluations"] = most_evaluations;
  }
  return {shown_name(method, controlled), is_new, controlled, cell, std::nullopt, false};
}

}  // namespace

const std::vector<std::string>& core_members() {
  static const std::vector<std::string> known = runnable();
  return known;
}

std::vector<CompareField> fields_of(const CompareMotion& motion,
                                    const std::vector<std::string>& methods,
                                    const std::vector<std::string>& asked,
                                    const std::vector<std::string>& others) {
  std::vector<std::string> added;
  for (const std::string& method : methods)
    added.push_back(method_registry().bind(method).canonical());
  std::vector<CompareField> fields;
  for (const Form& form : forms_of(problem_registry().make(motion.problem), asked)) {
    if (!takes_any(form, added)) continue;
    CompareField field{motion, form.call, {}};
    std::set<std::string> seen;
    const auto add = [&](const std::string& method, bool is_new) {
      if (!form.takes(method) || !seen.insert(method).second) return;
      if (!method_registry().make(method)->chooses_steps())
        field.entries.push_back(entry_of(field, method, is_new, false));
      if (takes_tolerance(method)) field.entries.push_back(entry_of(field, method, is_new, true));
    };
    for (const std::string& method : added) add(method, true);
    for (const std::string& method : others) add(method, false);
    fields.push_back(std::move(field));
  }
  return fields;
}

bool any_takes(const std::string& problem, const std::vector<std::string>& methods,
               const std::vector<std::string>& asked) {
  const std::vector<Form> forms = forms_of(problem_registry().make(problem), asked);
  return std::any_of(forms.begin(), forms.end(),
                     [&](const Form& form) { return takes_any(form, methods); });
}

std::vector<std::string> small_problems() {
  constexpr std::size_t most_coordinates = 22;
  std::vector<std::string> ids;
  for (const std::string& id : problem_registry().catalogue_ids()) {
    const Problem problem = problem_registry().make(id);
    if (!problem.absolute.in_real50 || problem_shape(id)->coordinates.size() > most_coordinates)
      continue;
    // Without a series a reference takes minutes.
    const auto own = problem.series.in_double ? problem.series.in_double() : problem.make<double>();
    if (own->has_record() && !own->forces_of_multipliers()) ids.push_back(id);
  }
  std::stable_sort(ids.begin(), ids.end(), [](const std::string& a, const std::string& b) {
    return problem_shape(a)->coordinates.size() < problem_shape(b)->coordinates.size();
  });
  return ids;
}

}  // namespace daemark
