#include "experiments/compare/atlas.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ostream>

#include "analysis/reference/reference.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/counted.hpp"
#include "base/text/near.hpp"
#include "base/text/printable.hpp"
#include "experiments/cells/support/problem_shape.hpp"
#include "experiments/engine/run/learnt_costs.hpp"
#include "experiments/engine/run/split.hpp"
#include "experiments/terminal/text.hpp"
#include "problems/system/registry.hpp"

namespace daemark {
namespace {

/// Processor time for a unit of CellKind::cost where nothing was learnt [s], and for a sweep
/// however small.
constexpr double seconds_a_unit = 1.5e-6, seconds_a_sweep = 0.01;
constexpr double bytes_a_sweep = 420, bytes_of_head = 1200;

double expected_seconds(const LearntCosts& learnt, const CompareEntry& entry, double cost) {
  const double known = learnt.of(Forecast::kin_of(entry.cell), cost);
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
  if (share.sweeps == 0) share.left_out = "no method takes it in what is asked for";
  share.bytes = bytes_of_head + bytes_a_sweep * share.sweeps;
  return share;
}

void check_problems(const std::vector<std::string>& problems) {
  const std::vector<std::string> known = atlas_problems();
  for (const std::string& id : problems)
    if (std::find(known.begin(), known.end(), id) == known.end())
      throw BadInput(fmt::format("--problem: {}{}; accepted: {}", in_quotes(id),
                                 did_you_mean(id, known), fmt::join(known, ", ")));
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
      share.left_out = "no method takes it in what is asked for";
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
        fmt::format("nothing is selected ({}: {}); accepted: other problems, "
                    "formulations or tags",
                    shares.front().problem, shares.front().left_out));
  return shares;
}

bool fill_atlas(const CompareRequest& request, const CompareTools& tools,
                const std::vector<AtlasShare>& shares, std::ostream& out) {
  const Sweeps sweeps(request, tools);
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
    KeptFailure failure;
    const bool whole = sweeps.integrate(stale, request.all ? 0 : patience, failure);
    failure.raise();
    if (Split::active() != nullptr && whole) continue;
    const Problem problem = problem_registry().make(share.problem);
    if (!problem.closed_form)
      publish_reference(problem.name, {problem.start.text(), fields.front().motion.t_end});
    write_shelf(tools.results, share.problem, fields);
    out << fmt::format("{}: {}, {} of them integrated\n", problem.name,
                       counted(share.sweeps, "sweep"), stale.size())
        << std::flush;
    if (!whole) return false;
  }
  return true;
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
