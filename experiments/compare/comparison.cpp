#include "experiments/compare/comparison.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <ostream>

#include "analysis/reference/reference.hpp"
#include "analysis/report/table.hpp"
#include "base/input/call.hpp"
#include "base/numbers/expression.hpp"
#include "base/program/stop.hpp"
#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/counted.hpp"
#include "base/text/near.hpp"
#include "base/text/printable.hpp"
#include "base/text/read_double.hpp"
#include "experiments/cells/support/cell_kind.hpp"
#include "experiments/compare/compare_lines.hpp"
#include "experiments/compare/sweeps.hpp"
#include "experiments/engine/run/forecast.hpp"
#include "experiments/engine/run/runner.hpp"
#include "experiments/terminal/text.hpp"
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

/// The fields of a problem that something was integrated of, and why there are no others.
void add_compared(std::vector<CompareField>& fields, const Problem& problem,
                  const CompareRequest& request, Comparison& result) {
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
}

}  // namespace

Comparison compare(const CompareRequest& request, const CompareTools& tools,
                   const std::function<void(const Comparison&)>& show) {
  Sweeps work(request, tools);
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
      result.left_out.push_back(fmt::format(
          "{}: skipped, since it takes longer than a minute (--all integrates it)", problem.name));
      continue;
    }
    if (selection.left > 0)
      result.left_out.push_back(
          fmt::format("{}: {} of the catalogue skipped: not stored yet and together longer than a "
                      "minute (--all integrates them)",
                      problem.name, counted(selection.left, "sweep")));
    result.interrupted = !work.integrate(selection.entries);
    if (Split::active() != nullptr && !result.interrupted) continue;
    count(fields, selection, result);
    add_compared(fields, problem, request, result);
    show(result);
    if (result.interrupted) break;
  }
  result.cache_failure = work.study().cache_failure();
  result.ends = work.study().ends();
  return result;
}

namespace {

/// Processor time for a unit of CellKind::cost where nothing was learnt [s], and for a sweep
/// however small.
constexpr double seconds_a_unit = 1.5e-6, seconds_a_sweep = 0.01;
constexpr double bytes_a_sweep = 420, bytes_of_head = 1200;

double expected_seconds(const LearntCosts& learnt, const CompareEntry& entry, double cost) {
  const double known = learnt.of(Forecast::cost_class_of(entry.cell), cost);
  return std::min(patience, seconds_a_sweep + (known > 0 ? known : cost * seconds_a_unit));
}

/// CellKind::cost of all that is asked for of a problem, whatever is known: the same on every call.
double whole_cost(const CompareRequest& request, const std::string& id) {
  double sum = 0;
  for (const CompareField& field : fields_of(assumed_motion(problem_registry().make(id)), {},
                                             request.formulations, request.catalogue))
    for (const CompareEntry& entry : field.entries) sum += cost_guess(entry.cell);
  return sum;
}

AtlasShare share_of(const Sweeps& sweeps, const std::string& id, const LearntCosts& learnt) {
  AtlasShare share;
  share.problem = id;
  for (const CompareField& field : sweeps.fields(id, true)) {
    if (!field.entries.empty()) share.formulations.push_back(field.formulation);
    for (const CompareEntry& entry : field.entries) {
      ++share.sweeps;
      const double cost = sweeps.cost(entry);
      if (cost == 0) {
        ++share.known;
        continue;
      }
      if (entry.earlier) ++share.earlier;
      const double seconds = expected_seconds(learnt, entry, cost);
      share.seconds[seconds < 1 ? 0 : seconds < 10 ? 1 : 2] += seconds;
    }
  }
  if (share.sweeps == 0) share.left_out = "no selected method accepts it";
  share.bytes = bytes_of_head + bytes_a_sweep * share.sweeps;
  return share;
}

void check_problems(const std::vector<std::string>& problems) {
  const std::vector<std::string> known = atlas_problems();
  for (const std::string& id : problems)
    if (std::find(known.begin(), known.end(), id) == known.end())
      throw BadInput(fmt::format("--problem: {}{}", in_quotes(id),
                                 accepted_names(id, known, "daemark list problems")));
}

}  // namespace

std::vector<std::string> atlas_problems() {
  std::vector<std::string> ids = problem_registry().catalogue_ids();
  std::stable_sort(ids.begin(), ids.end(), [](const std::string& a, const std::string& b) {
    return problem_shape(a)->coordinates.size() < problem_shape(b)->coordinates.size();
  });
  return ids;
}

std::vector<AtlasShare> atlas_shares(const CompareRequest& request, const CompareTools& tools,
                                     bool short_only) {
  /// CellKind::cost of the short atlas: less than five minutes on two cores, whose rates differ.
  constexpr double short_budget = 7e8;
  check_problems(request.problems);
  const Sweeps sweeps(request, tools);
  const LearntCosts learnt = LearntCosts::read(tools.results / ".cache");
  const std::vector<std::string> small = small_problems();
  double left = short_budget;
  std::vector<AtlasShare> shares;
  for (const std::string& id : request.problems.empty() ? atlas_problems() : request.problems) {
    AtlasShare share;
    share.problem = id;
    if (short_only && std::find(small.begin(), small.end(), id) == small.end())
      share.left_out = "not in the short atlas";
    else if (!any_takes(id, request.catalogue, request.formulations))
      share.left_out = "no selected method accepts it";
    else
      share = share_of(sweeps, id, learnt);
    if (short_only && share.left_out.empty()) {
      left -= whole_cost(request, id);
      if (left < 0) share.left_out = "not in the short atlas";
    }
    shares.push_back(share);
  }
  if (std::all_of(shares.begin(), shares.end(),
                  [](const AtlasShare& share) { return !share.left_out.empty(); }))
    throw BadInput(
        fmt::format("nothing is selected ({}: {}); accepted: other problems, formulations or tags",
                    shares.front().problem, shares.front().left_out));
  return shares;
}

std::optional<int> fill_atlas(const CompareRequest& request, const CompareTools& tools,
                              const std::vector<AtlasShare>& shares, std::ostream& out) {
  Sweeps sweeps(request, tools);
  for (const AtlasShare& share : shares) {
    if (!share.left_out.empty()) {
      out << fmt::format("{}: left out, {}\n", share.problem, share.left_out);
      continue;
    }
    std::vector<CompareField> fields;
    try {
      fields = sweeps.fields(share.problem);
    } catch (const NoReference& why) {
      out << fmt::format("{}: left out, {}\n", share.problem, why.what());
      continue;
    }
    std::vector<CompareEntry*> stale;
    for (CompareField& field : fields)
      for (CompareEntry& entry : field.entries)
        if (!entry.result || entry.earlier) stale.push_back(&entry);
    const bool whole = sweeps.integrate(stale);
    sweeps.study().cache_failure().raise();
    if (Split::active() != nullptr && whole) continue;
    const Problem problem = problem_registry().make(share.problem);
    if (!problem.closed_form)
      publish_reference(problem.name, {problem.start.text(), fields.front().motion.t_end});
    store_sweeps(tools.results, share.problem, fields);
    out << fmt::format("{}: {}, {} of them integrated\n", problem.name,
                       counted(share.sweeps, "sweep"), stale.size())
        << std::flush;
    if (!whole) break;
  }
  return sweeps.study().ends();
}

std::vector<Compared> stored_fields(const CompareRequest& request, const CompareTools& tools,
                                    const std::vector<std::string>& problems) {
  const Sweeps sweeps(request, tools);
  std::vector<Compared> out;
  for (const std::string& id : problems) {
    if (!read_sweeps(tools.results, id)) continue;
    for (CompareField& field : sweeps.fields(id, true)) {
      std::vector<CompareLine> lines = compare_lines(field, request.accuracies);
      if (!lines.empty()) out.push_back({std::move(field), std::move(lines)});
    }
  }
  return out;
}

std::string shares_text(const std::vector<AtlasShare>& shares) {
  const auto time = [](double seconds) {
    return seconds == 0    ? std::string("-")
           : seconds < 100 ? fmt::format("{:.0f} s", seconds)
                           : fmt::format("{:.0f} min", seconds / 60);
  };
  std::vector<std::vector<std::string>> rows = {{"problem", "formulations", "cells", "known",
                                                 "older", "below 1 s", "below 10 s", "longer",
                                                 "disk"}};
  AtlasShare sum;
  const auto add = [&](const std::string& name, const AtlasShare& share,
                       const std::string& formulations) {
    rows.push_back({name, formulations, std::to_string(share.sweeps), std::to_string(share.known),
                    std::to_string(share.earlier), time(share.seconds[0]), time(share.seconds[1]),
                    time(share.seconds[2]), fmt::format("{:.0f} kB", share.bytes / 1000)});
  };
  std::string left_out;
  for (const AtlasShare& share : shares) {
    if (!share.left_out.empty()) {
      left_out += fmt::format("left out: {}, {}\n", share.problem, share.left_out);
      continue;
    }
    add(share.problem, share, fmt::format("{}", fmt::join(share.formulations, ",")));
    sum.sweeps += share.sweeps, sum.known += share.known, sum.earlier += share.earlier;
    for (int k = 0; k < 3; ++k) sum.seconds[k] += share.seconds[k];
    sum.bytes += share.bytes;
  }
  add("all", sum, "");
  return columns(rows) + left_out +
         "A cell is a sweep of one method over five steps or tolerances; times are of one core, of "
         "sweeps that are not known.\n";
}

}  // namespace daemark
