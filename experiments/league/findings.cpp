#include "experiments/league/findings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/numbers/expression.hpp"

namespace daemark {
namespace {

using Rows = std::vector<LeagueRow>;
using Found = std::vector<std::string>;
using Sweep = LeagueSweeps::Sweep;
constexpr double same_digits = 2e-6;  // six of them
constexpr double round_off = 1e-11;   // errors of q above it show orders

/// Fixed-step runs that ended well with an error above `telling`, the smallest first.
Sweep runs_at(const Rows& rows, const std::string& problem, const std::string& end,
              const std::string& step, double telling) {
  Sweep runs;
  for (const LeagueRow& row : rows)
    if (row.fixed && row.problem == problem && row.t_end == end && row.step == step &&
        row.status == "ok" && row.error_q > telling && std::isfinite(row.error_q))
      runs.push_back(&row);
  std::sort(runs.begin(), runs.end(), [](auto* a, auto* b) { return a->error_q < b->error_q; });
  return runs;
}

/// Versions of one program, mujoco and mujoco3, are no two witnesses.
std::string without_version(const std::string& program) {
  return program.substr(0, program.find_last_not_of("0123456789") + 1);
}

/// Middle runs of different programs that err by the same: they agree with each other.
void agreements(const LeagueSpec& spec, const Rows& rows, Found& found) {
  constexpr double telling = 1e-4;
  for (const LeagueSpec::Motion& motion : spec.problems) {
    const std::string step = spec.knobs(motion, 0, true)[1];
    const Sweep runs = runs_at(rows, motion.problem, motion.ends[0], step, telling);
    for (std::size_t i = 0; i < runs.size();) {
      std::size_t end = i + 1;
      while (end < runs.size() && runs[end]->error_q <= runs[i]->error_q * (1 + same_digits)) ++end;
      std::set<std::string> programs;
      Found names;
      for (std::size_t k = i; k < end; ++k)
        if (programs.insert(without_version(runs[k]->program)).second)
          names.push_back(league_title(*runs[k]));
      if (programs.size() > 1)
        found.push_back(fmt::format("{}, h = {}: {} err by the same {:.6e} (six digits).",
                                    motion.problem, step, fmt::join(names, ", "),
                                    runs[i]->error_q));
      i = end;
    }
  }
}

double least_error(const Rows& rows, const std::string& problem, const std::string& end) {
  double best = INFINITY;
  for (const LeagueRow& row : rows)
    if (row.problem == problem && row.t_end == end && row.status == "ok")
      best = std::min(best, row.error_q);
  return best;
}

/// Variants whose error does not fall with the step, where another one errs far less: they
/// converge, to something else.
void other_limits(const LeagueSpec& spec, const Rows& rows, Found& found) {
  constexpr double telling = 1e-6, falls = 0.5, far_less = 1e-2;
  for (const LeagueSpec::Motion& motion : spec.problems) {
    const LeagueSweeps sweeps(rows, motion.problem);
    const double best = least_error(rows, motion.problem, motion.ends[0]);
    std::map<std::string, Found> by_program;
    std::map<std::string, double> at;
    for (const LeagueSweeps::Key& key : sweeps.order) {
      const Sweep sweep = sweeps.to(key, motion.ends[0]);
      if (sweep.size() < 2 || !sweep[0]->fixed) continue;
      const LeagueRow &coarse = *sweep.front(), &fine = *sweep.back();
      if (coarse.status != "ok" || fine.status != "ok" || !(fine.error_q > telling) ||
          fine.error_q < falls * coarse.error_q || coarse.error_q < falls * fine.error_q ||
          best > far_less * fine.error_q)
        continue;
      by_program[key[0]].push_back(key[1]);
      at[key[0]] = std::max(at[key[0]], fine.error_q);
    }
    for (const auto& [program, variants] : by_program)
      found.push_back(fmt::format(
          "{}: the error of {} ({}) does not fall with the step: {:.1e} at the finest, where "
          "another program comes to {:.0e}.",
          motion.problem, program, fmt::join(variants, ", "), at[program], best));
  }
}

struct Seen {
  double order;
  std::string problem;
  const LeagueRow* fine;
};

/// Orders above round-off, the highest first.
std::map<LeagueSweeps::Key, std::vector<Seen>> orders_seen(const LeagueSpec& spec,
                                                           const Rows& rows) {
  constexpr double none = 0.5;
  std::map<LeagueSweeps::Key, std::vector<Seen>> orders;
  for (const LeagueSpec::Motion& motion : spec.problems) {
    const LeagueSweeps sweeps(rows, motion.problem);
    for (const LeagueSweeps::Key& key : sweeps.order) {
      Sweep above = sweeps.to(key, motion.ends[0]);
      std::erase_if(above, [](auto* row) {
        return !row->fixed || row->status != "ok" || !(row->error_q > round_off);
      });
      const double order = league_order(above, &LeagueRow::error_q);
      if (order > none) orders[key].push_back({order, motion.problem, above.back()});
    }
  }
  for (auto& [key, list] : orders)
    std::sort(list.begin(), list.end(), [](auto& a, auto& b) { return a.order > b.order; });
  return orders;
}

/// Another program with the same error at the same step, which makes it a property of the formulas.
std::string second_route(const Rows& rows, const LeagueRow& row) {
  for (const LeagueRow* other : runs_at(rows, row.problem, row.t_end, row.step, 0))
    if (without_version(other->program) != without_version(row.program) &&
        std::abs(other->error_q - row.error_q) <= same_digits * row.error_q)
      return fmt::format(" (as {}, to six digits)", league_title(*other));
  return "";
}

/// Orders of one variant that differ between mechanisms. It has the second highest one: the highest
/// may be that of steps too large. A first-order method has higher ones by symmetry alone.
void lost_orders(const LeagueSpec& spec, const Rows& rows, Found& found) {
  constexpr double lost = 1.2, high = 2.5, usual = 1.5;
  for (const auto& [key, list] : orders_seen(spec, rows)) {
    if (list.size() < 3 || list[1].order < high || list[list.size() / 2].order < usual) continue;
    Found low;
    for (const Seen& seen : list)
      if (seen.order < list[1].order - lost)
        low.push_back(fmt::format("{:.1f} on {}{}", seen.order, seen.problem,
                                  second_route(rows, *seen.fine)));
    if (!low.empty())
      found.push_back(fmt::format("{} {}: order {:.1f} on {}, but {}.", key[0], key[1],
                                  list[1].order, list[1].problem, fmt::join(low, ", ")));
  }
}

/// Energies far beyond those of the others, with status ok.
void energies(const LeagueSpec& spec, const Rows& rows, Found& found) {
  constexpr double beyond = 1e6;
  for (const LeagueSpec::Motion& motion : spec.problems) {
    const std::string step = spec.knobs(motion, 0, true)[1];
    const Sweep runs = runs_at(rows, motion.problem, motion.ends[0], step, 0);
    std::vector<double> all;
    for (const LeagueRow* row : runs)
      if (row->energy > 0) all.push_back(row->energy);
    if (all.size() < 3) continue;
    std::sort(all.begin(), all.end());
    const double middle = all[all.size() / 2];
    Found names;
    double most = 0;
    for (const LeagueRow* row : runs)
      if (row->energy > beyond * middle && row->error_q > 1) {
        names.push_back(league_title(*row));
        most = std::max(most, row->energy);
      }
    if (!names.empty())
      found.push_back(
          fmt::format("{}, h = {}: energy is wrong by up to {:.0e} J in {}, by {:.0e} J "
                      "in the middle of all.",
                      motion.problem, step, most, fmt::join(names, ", "), middle));
  }
}

/// Our own methods over the longer time, where another program with the same step is far better.
void outdone(const LeagueSpec& spec, const Rows& rows, Found& found) {
  constexpr double far = 100, telling = 1e-6;
  for (const LeagueSpec::Motion& motion : spec.problems) {
    if (motion.ends.size() < 2) continue;
    const std::string end = motion.ends[1], step = spec.knobs(motion, 1, true).back();
    const Sweep runs = runs_at(rows, motion.problem, end, step, 0);
    const auto best =
        std::find_if(runs.begin(), runs.end(), [](auto* row) { return row->program != "daemark"; });
    if (best == runs.end()) continue;
    Found worse;
    for (const LeagueRow& row : rows) {
      if (row.program != "daemark" || row.problem != motion.problem || row.t_end != end ||
          row.step != step)
        continue;
      if (row.status != "ok")
        worse.push_back(fmt::format("{} ends as {}", league_title(row), row.status));
      else if (row.error_q > std::max(telling, far * (*best)->error_q))
        worse.push_back(fmt::format("{} errs by {:.1e}", league_title(row), row.error_q));
    }
    if (!worse.empty())
      found.push_back(fmt::format("{}, {} s, h = {}: {}, where {} errs by {:.1e}.", motion.problem,
                                  end, step, fmt::join(worse, ", "), league_title(**best),
                                  (*best)->error_q));
  }
}

}  // namespace

LeagueSweeps::LeagueSweeps(const Rows& rows, const std::string& problem) {
  for (const LeagueRow& row : rows) {
    if (row.problem != problem) continue;
    const Key key{row.program, row.variant};
    if (!by_end.contains(key)) order.push_back(key);
    by_end[key][row.t_end].push_back(&row);
  }
}

bool LeagueSweeps::can_be_expressed(const Key& key) const {
  for (const auto& [end, sweep] : by_end.at(key))
    for (const LeagueRow* row : sweep)
      if (row->status != "cannot_express") return true;
  return false;
}

Sweep LeagueSweeps::to(const Key& key, const std::string& end) const {
  const auto& ends = by_end.at(key);
  const auto found = ends.find(end);
  return found == ends.end() ? Sweep{} : found->second;
}

std::string league_title(const LeagueRow& row) {
  return row.program == "daemark" ? row.variant : row.program + " " + row.variant;
}

double league_step(const std::string& text) {
  return Expression::parse(text, "step").eval<double>();
}

double league_order(const Sweep& sweep, double LeagueRow::*error) {
  const LeagueRow *coarse = nullptr, *fine = nullptr;
  for (const LeagueRow* row : sweep) {
    if (row->status != "ok" || !(row->*error > 0)) continue;
    coarse = fine, fine = row;
  }
  if (coarse == nullptr) return NAN;
  return std::log(coarse->*error / (fine->*error)) /
         std::log(league_step(coarse->step) / league_step(fine->step));
}

std::vector<std::string> league_findings(const LeagueSpec& spec, const Rows& rows) {
  Found found;
  other_limits(spec, rows, found), lost_orders(spec, rows, found), energies(spec, rows, found);
  outdone(spec, rows, found), agreements(spec, rows, found);
  return found;
}

}  // namespace daemark
