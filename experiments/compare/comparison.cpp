#include "experiments/compare/comparison.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ostream>

#include "analysis/reference/reference.hpp"
#include "base/numbers/expression.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/counted.hpp"
#include "experiments/compare/sweeps.hpp"
#include "experiments/engine/run/split.hpp"
#include "methods/catalogue/registry.hpp"
#include "problems/formulations/formulation.hpp"
#include "problems/system/registry.hpp"

namespace daemark {
namespace {

/// CellKind::cost of what a call without --all integrates: less than a minute on two cores.
constexpr double budget = 6e7;

/// Why a problem whose steps were asked for is left out; "": they divide its time.
std::string does_not_divide(const CompareMotion& motion, const Problem& problem) {
  const rational start = problem.start.as_rational();
  const rational end = Expression::parse(motion.t_end, "--t-end").as_rational();
  for (const std::string& h : motion.h) {
    const rational steps = (end - start) / Expression::parse(h, "--h").as_rational();
    if (denominator(steps) != 1)
      return fmt::format("h = {} does not divide the time of {}, from {} to {} s", h, problem.name,
                         start.str(), motion.t_end);
  }
  return "";
}

/// What is integrated of a problem: the new methods, then of the catalogue the cheapest first as
/// far as the budget goes. Empty where the new ones alone are beyond it and `must` is not set.
struct Selection {
  std::vector<CompareEntry*> entries;
  int left = 0;  ///< methods of the catalogue that are not
};
Selection select(const Sweeps& work, std::vector<CompareField>& fields, bool all, bool must,
                 double& left) {
  Selection selection;
  std::vector<std::pair<double, CompareEntry*>> others;
  double news = 0;
  for (CompareField& field : fields)
    for (CompareEntry& entry : field.entries) {
      if (entry.result) continue;
      const double cost = work.cost(entry);
      if (entry.is_new)
        news += cost, selection.entries.push_back(&entry);
      else
        others.emplace_back(cost, &entry);
    }
  if (!all && !must && news > left) return {};
  left -= news;
  std::stable_sort(others.begin(), others.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [cost, entry] : others) {
    if (!all && cost > left) {
      ++selection.left;
      continue;
    }
    left -= cost;
    selection.entries.push_back(entry);
  }
  return selection;
}

void count(const std::vector<CompareField>& fields, const Selection& selection, Comparison& into) {
  into.integrated += static_cast<int>(selection.entries.size());
  for (const CompareField& field : fields)
    for (const CompareEntry& entry : field.entries) {
      if (entry.result) ++into.read;
      if (entry.earlier) ++into.earlier;
    }
  into.read -= static_cast<int>(selection.entries.size());
}

/// Why nothing runs, e.g. a formulation that does not take dependent constraints; else empty.
std::string refused_by_all(const CompareField& field) {
  std::string why;
  for (const CompareEntry& entry : field.entries) {
    if (!entry.result) continue;
    if (entry.result->status != "refused") return "";
    why = entry.result->why;
  }
  return why;
}

/// The problems to look at, with what is asked of them checked.
std::vector<std::string> problems_of(const CompareRequest& request) {
  for (const std::string& method : request.methods) method_registry().make(method);
  for (const std::string& formulation : request.formulations) Formulation::parse(formulation);
  std::vector<std::string> problems;
  for (const std::string& call : request.problems.empty() ? small_problems() : request.problems)
    if (any_takes(call, request.methods, request.formulations)) problems.push_back(call);
  if (problems.empty())
    throw BadInput(request.formulations.empty()
                       ? "no problem takes these methods; accepted: another method"
                       : fmt::format("no problem takes these methods in {}; accepted: other "
                                     "methods, problems or formulations",
                                     fmt::join(request.formulations, ", ")));
  return problems;
}

}  // namespace

Comparison compare(const CompareRequest& request, const CompareTools& tools,
                   const std::function<void(const Comparison&)>& show) {
  const Sweeps work(request, tools);
  Comparison result;
  double left = budget;
  const bool named = !request.problems.empty();
  for (const std::string& call : problems_of(request)) {
    const Problem problem = problem_registry().make(call);
    std::vector<CompareField> fields;
    const auto check_steps = [&](const CompareMotion& motion) {
      const std::string why = does_not_divide(motion, problem);
      if (!why.empty() && named && !request.h.empty())
        throw BadInput(fmt::format("--h: {}; accepted: steps that do, or another --t-end", why));
      if (!why.empty()) throw NoReference(why);
    };
    try {
      if (!request.h.empty() && !request.t_end.empty()) {  // before a reference is computed
        CompareMotion asked;
        asked.h = request.h, asked.t_end = request.t_end;
        check_steps(asked);
      }
      fields = work.fields(call);
      check_steps(fields.front().motion);
    } catch (const NoReference& why) {
      result.left_out.push_back(fmt::format("{}: {}", problem.name, why.what()));
      continue;
    }
    const Selection selection = select(work, fields, request.all, named, left);
    const bool any_new = std::any_of(selection.entries.begin(), selection.entries.end(),
                                     [](const CompareEntry* entry) { return entry->is_new; });
    if (!request.methods.empty() && !any_new) {
      result.left_out.push_back(
          fmt::format("{}: it takes longer than a minute (--all integrates it)", problem.name));
      continue;
    }
    if (selection.left > 0)
      result.left_out.push_back(
          fmt::format("{}: {} of the catalogue, which are not on its shelf and take longer than a "
                      "minute (--all integrates them)",
                      problem.name, counted(selection.left, "sweep")));
    result.interrupted =
        !work.integrate(selection.entries, request.all ? 0 : patience, result.cache_failure);
    if (Split::active() != nullptr && !result.interrupted) continue;
    count(fields, selection, result);
    for (CompareField& field : fields) {
      const std::string why = refused_by_all(field);
      const bool any =
          std::any_of(field.entries.begin(), field.entries.end(), [&](const CompareEntry& entry) {
            return entry.result && (entry.is_new || request.methods.empty());
          });
      if (!why.empty())
        result.left_out.push_back(fmt::format("{}, {}: {}", problem.name, field.formulation, why));
      if (!why.empty() || !any) continue;
      std::vector<CompareLine> lines = compare_lines(field, request.accuracies);
      for (const ScoredRun& run : request.scored)
        if (auto line = scored_line(run, field, request.accuracies)) lines.push_back(*line);
      result.compared.push_back({std::move(field), std::move(lines)});
    }
    show(result);
    if (result.interrupted) break;
  }
  return result;
}

}  // namespace daemark
