#include "experiments/compare/comparison.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ostream>

#include "analysis/reference/reference.hpp"
#include "base/numbers/expression.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/counted.hpp"
#include "base/text/printable.hpp"
#include "experiments/compare/shelf.hpp"
#include "experiments/engine/run/split.hpp"
#include "methods/catalogue/registry.hpp"
#include "problems/formulations/formulation.hpp"
#include "problems/system/registry.hpp"

namespace daemark {
namespace {

/// CellKind::cost of what a call without --all integrates: less than a minute on two cores.
constexpr double budget = 6e7;

constexpr std::size_t digest_length = 16;

/// Processor time of one sweep [s] without --all: a method of low order takes millions of steps to
/// a tolerance that the others reach in hundreds, which its row says as "timed_out".
constexpr double patience = 20;

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

class Work {
 public:
  Work(const CompareRequest& request, const CompareTools& tools)
      : request_(request), tools_(tools), cache_(tools.results / ".cache") {}

  /// Fields of the problem with what is on the shelf; none where no method takes any.
  std::vector<CompareField> fields(const std::string& problem) const {
    const bool own = request_.h.empty() && request_.t_end.empty();
    std::optional<Shelf> shelf;
    if (own && !request_.fresh) shelf = read_shelf(tools_.results, problem);
    std::vector<CompareField> fields =
        fields_of(shelf ? shelf->motion
                        : motion_of(problem_registry().make(problem), request_.h, request_.t_end),
                  request_.methods, request_.formulations);
    if (!shelf) return fields;
    for (CompareField& field : fields)
      for (CompareEntry& entry : field.entries) {
        const auto found = shelf->sweeps.find({field.formulation, entry.method});
        if (entry.is_new || found == shelf->sweeps.end()) continue;
        entry.result = found->second;
        entry.earlier = found->second.sources != sources(entry);
      }
    return fields;
  }

  std::string sources(const CompareEntry& entry) const {
    return tools_.services.sources(entry.cell).substr(0, digest_length);
  }

  /// Of those that are not known; 0 where the result is in the cache.
  double cost(const CompareEntry& entry) const {
    if (entry.result) return 0;
    if (!request_.fresh && cache_.has(cell_key(entry.cell, tools_.services.sources))) return 0;
    return cost_guess(entry.cell);
  }

  /// Returns false where it was interrupted.
  bool integrate(const std::vector<CompareEntry*>& entries, KeptFailure& failure) const {
    std::vector<FixedCell> cells;
    for (const CompareEntry* entry : entries) cells.push_back(entry->cell);
    RunnerOptions options;
    options.jobs = request_.jobs, options.fresh = request_.fresh;
    options.progress = true, options.stop = &tools_.stop;
    if (!request_.all) options.time_limit = patience;
    const RunnerReport report =
        run_cells(cells, tools_.services.run_cell, tools_.services.sources, cache_, options);
    if (!report.refused.empty()) throw BadInput(report.refused.begin()->second);
    if (!failure.failed()) failure = report.cache_failure;
    for (CompareEntry* entry : entries) {
      const auto found = report.results.find(canonical(entry->cell));
      if (found == report.results.end()) continue;
      entry->result = shelved(found->second);
      entry->result->sources = sources(*entry);
      entry->earlier = false;
    }
    return !report.interrupted;
  }

 private:
  const CompareRequest& request_;
  const CompareTools& tools_;
  CellCache cache_;
};

/// What is integrated of a problem: the new methods, then of the catalogue the cheapest first as
/// far as the budget goes. Empty where the new ones alone are beyond it and `must` is not set.
struct Selection {
  std::vector<CompareEntry*> entries;
  int left = 0;  ///< methods of the catalogue that are not
};
Selection select(const Work& work, std::vector<CompareField>& fields, bool all, bool must,
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
  const Work work(request, tools);
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
    result.interrupted = !work.integrate(selection.entries, result.cache_failure);
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

bool refresh_shelves(const CompareRequest& request, const CompareTools& tools, std::ostream& out) {
  const Work work(request, tools);
  const std::vector<std::string> known = small_problems();
  for (const std::string& id : request.problems)
    if (std::find(known.begin(), known.end(), id) == known.end())
      throw BadInput(
          fmt::format("--refresh: {}, accepted: {}", in_quotes(id), fmt::join(known, ", ")));
  for (const std::string& id : request.problems.empty() ? known : request.problems) {
    const Problem problem = problem_registry().make(id);
    std::vector<CompareField> fields;
    try {
      fields = work.fields(id);
    } catch (const NoReference& why) {
      out << fmt::format("{}: {}\n", problem.name, why.what());
      continue;
    }
    std::vector<CompareEntry*> stale;
    std::size_t sweeps = 0;
    for (CompareField& field : fields)
      for (CompareEntry& entry : field.entries) {
        ++sweeps;
        if (!entry.result || entry.earlier) stale.push_back(&entry);
      }
    KeptFailure failure;
    const bool whole = work.integrate(stale, failure);
    failure.raise();
    if (!problem.closed_form)
      publish_reference(problem.name, {problem.start.text(), fields.front().motion.t_end});
    write_shelf(tools.results, id, fields);
    out << fmt::format("{}: {}, {} of them integrated\n", problem.name, counted(sweeps, "sweep"),
                       stale.size());
    if (!whole) return false;
  }
  return true;
}

}  // namespace daemark
