#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "analysis/report/table.hpp"
#include "base/input/call.hpp"
#include "base/program/stop.hpp"
#include "base/program/write_file.hpp"
#include "base/text/counted.hpp"
#include "base/text/read_double.hpp"
#include "base/text/wrap.hpp"
#include "experiments/compare/compare_lines.hpp"
#include "experiments/compare/compare_views.hpp"
#include "experiments/compare/comparison.hpp"
#include "experiments/compare/sweeps.hpp"
#include "experiments/engine/run/runner.hpp"
#include "experiments/terminal/text.hpp"

namespace daemark {
namespace {

std::string number(double value) {
  return std::isfinite(value) ? fmt::format("{:.2e}", value) : "";
}
std::string slope_entry(double value) {
  if (!std::isfinite(value)) return "";
  const std::string text = fmt::format("{:.1f}", value);
  return text == "-0.0" ? "0.0" : text;
}
std::string whole(double value) { return std::isfinite(value) ? fmt::format("{:.0f}", value) : ""; }
double last(const std::vector<double>& values) { return values.empty() ? NAN : values.back(); }

std::string padded(const std::string& text, std::size_t width) {
  const std::size_t own = text_width(text);
  return text + std::string(own < width ? width - own : 0, ' ');
}

/// "reached on 5 of 6, ranks 2 to 9, median 4"
std::string ranks_text(const Profile::Curve& curve, int instances) {
  if (curve.ranks.empty()) return fmt::format("reached on none of {}", instances);
  return fmt::format("reached on {} of {}, ranks {} to {}, median {}", curve.ranks.size(),
                     instances, curve.ranks.front(), curve.ranks.back(),
                     curve.ranks[curve.ranks.size() / 2]);
}

/// One line for each formulation and accuracy.
struct Place {
  const Compared* one;
  std::size_t k;
};
std::vector<Place> places(const std::vector<Compared>& compared, std::size_t from,
                          std::size_t accuracies) {
  std::vector<Place> out;
  for (std::size_t i = from; i < compared.size(); ++i)
    for (std::size_t k = 0; k < accuracies; ++k) out.push_back({&compared[i], k});
  return out;
}

}  // namespace

std::string compare_explanation(const std::vector<Compared>& compared) {
  std::string text =
      "Work to a relative error at the end: evaluations, Jacobians, factorisations and linear "
      "algebra, each times its measured cost, in evaluations of the problem's index-1 residual; "
      "evaluations alone where costs are not measured (formulations and problems with arguments). "
      "It is interpolated between the runs that bracket the error; <=: even the coarsest run is "
      "more accurate than asked, this is its cost. Errors are 2-norms against the reference. "
      "Position errors are relative to the scale of the motion, the largest of |q(T) - q(0)|, "
      "T |v(0)| and T |v(T)|, velocity errors to that scale per time, multiplier errors to the "
      "largest multiplier.";
  for (const Compared& one : compared)
    for (const CompareLine& line : one.lines)
      if (line.earlier)
        return text + " †: computed with earlier sources (daemark atlas integrates it again).";
  return text;
}

std::string places_of_new(const Compared& one, std::size_t k) {
  const auto ranked = one.by_rank(k);
  const bool several = std::count_if(one.lines.begin(), one.lines.end(),
                                     [](const CompareLine& line) { return line.is_new; }) > 1;
  std::string text;
  for (const CompareLine& line : one.lines) {
    if (!line.is_new) continue;
    text += (text.empty() ? "" : "; ") + (several ? line.method + " " : "");
    const std::string take =
        std::isnan(line.take[k])
            ? ""
            : fmt::format("; {} {:.6g}", line.controlled ? "tol" : "h", line.take[k]);
    text += line.reached[k] ? fmt::format("rank {} of {} ({}{})", line.rank[k], ranked.size(),
                                          text_of(*line.reached[k]), take)
                            : fmt::format("not reached ({} do)", ranked.size());
  }
  return text;
}

std::string cheapest(const Compared& one, std::size_t k, std::size_t count) {
  std::string text;
  for (const CompareLine* line : one.by_rank(k)) {
    if (count-- == 0) break;
    text +=
        fmt::format("{}{} {}", text.empty() ? "" : ", ", line->name(), text_of(*line->reached[k]));
  }
  return text.empty() ? "no method reaches it" : text;
}

std::string screen_lines(const std::vector<Compared>& compared, std::size_t from,
                         const std::vector<Accuracy>& accuracies) {
  if (from >= compared.size()) return "";
  const CompareMotion& motion = compared[from].field.motion;
  std::string text = fmt::format("{}, t = {} s, h = {} to {} s\n", motion.problem, motion.t_end,
                                 motion.h.front(), motion.h.back());
  std::size_t wide = 0, named = 0, ours = 0;
  for (const Place& place : places(compared, from, accuracies.size())) {
    wide = std::max(wide, text_width(place.one->field.formulation));
    named = std::max(named, text_width(accuracies[place.k].name()));
    ours = std::max(ours, text_width(places_of_new(*place.one, place.k)));
  }
  for (const Place& place : places(compared, from, accuracies.size())) {
    const std::string mine = places_of_new(*place.one, place.k);
    text += "  " + padded(place.one->field.formulation, wide) + "  " +
            padded(accuracies[place.k].name(), named) + "  ";
    if (ours > 0) text += padded(mine, ours) + "  cheapest: ";
    text += cheapest(*place.one, place.k) + "\n";
  }
  return text;
}

Table over_problems(const std::vector<Compared>& compared,
                    const std::vector<Accuracy>& accuracies) {
  constexpr std::size_t best = 3;
  Table table;
  table.caption = "Over all problems";
  table.head = {"formulation", "accuracy", "problems", "here", "in front (performance profile)"};
  std::vector<std::string> problems;
  for (const Compared& one : compared)
    if (std::find(problems.begin(), problems.end(), one.field.motion.problem) == problems.end())
      problems.push_back(one.field.motion.problem);
  if (problems.size() < 2) return table;
  std::vector<std::vector<Profile>> profiles;
  std::vector<std::string> formulations;
  for (std::size_t k = 0; k < accuracies.size(); ++k) {
    profiles.push_back(profiles_of(compared, k));
    for (const Profile& profile : profiles.back())
      if (std::find(formulations.begin(), formulations.end(), profile.formulation) ==
          formulations.end())
        formulations.push_back(profile.formulation);
  }
  for (const std::string& formulation : formulations)
    for (std::size_t k = 0; k < accuracies.size(); ++k)
      for (const Profile& profile : profiles[k]) {
        if (profile.formulation != formulation) continue;
        std::string ours, leaders;
        std::size_t shown = 0;
        for (std::size_t i = 0; i < profile.curves.size(); ++i) {
          const Profile::Curve& curve = profile.curves[i];
          if (shown < best && !curve.ranks.empty())
            leaders += (shown++ == 0 ? "" : ", ") + curve.method;
          if (curve.is_new)
            ours += fmt::format("{}{} {}", ours.empty() ? "" : "; ", curve.method,
                                ranks_text(curve, profile.instances));
        }
        table.rows.push_back(
            {formulation, accuracies[k].name(), std::to_string(profile.instances), ours, leaders});
      }
  return table;
}

std::string compare_markdown(const std::vector<Compared>& compared,
                             const std::vector<Accuracy>& accuracies,
                             const std::vector<std::string>& left_out) {
  constexpr std::size_t most = 120;
  std::string page = wrapped(compare_explanation(compared)) + "\n\n";
  const Table over = over_problems(compared, accuracies);
  if (!over.rows.empty()) page += "## " + over.caption + "\n\n" + markdown(over, false) + "\n";
  Table table;
  table.head = {"problem", "formulation", "accuracy", "here", "cheapest"};
  const std::vector<Place> all = places(compared, 0, accuracies.size());
  for (const Place& place : all) {
    if (table.rows.size() == most) break;
    table.rows.push_back({place.one->field.motion.problem, place.one->field.formulation,
                          accuracies[place.k].name(), places_of_new(*place.one, place.k),
                          cheapest(*place.one, place.k, 3)});
  }
  page += "## Problem by problem\n\n" + markdown(table, false) + "\n";
  page += all.size() > most
              ? fmt::format("{} more rows, and all methods, are in table.csv.\n", all.size() - most)
              : "All methods are in table.csv.\n";
  for (const std::string& note : left_out) page += "\n" + wrapped("Left out: " + note) + "\n";
  return page;
}

std::string compare_csv(const std::vector<Compared>& compared,
                        const std::vector<Accuracy>& accuracies, bool with_steps) {
  std::vector<std::string> head = {"problem", "formulation", "method", "new", "sources"};
  if (with_steps) head.emplace_back("swept");
  for (const Accuracy& accuracy : accuracies) {
    for (const char* what : {"work ", "bound ", "rank "}) head.push_back(what + accuracy.name());
    if (with_steps) head.push_back("take " + accuracy.name());
  }
  head.insert(head.end(), {"error q", "error v", "error lambda", "slope q", "slope v",
                           "slope lambda", "energy error [J]", "position violation",
                           "velocity violation", "residuals", "factorizations", "status"});
  std::string text = csv_line(head);
  for (const Compared& one : compared)
    for (const CompareLine& line : one.lines) {
      std::vector<std::string> row = {one.field.motion.problem, one.field.formulation, line.method,
                                      line.is_new   ? "new"
                                      : line.scored ? "scored"
                                                    : "",
                                      line.earlier ? "earlier" : ""};
      if (with_steps) row.emplace_back(line.controlled ? "tolerance" : line.scored ? "" : "step");
      for (std::size_t k = 0; k < accuracies.size(); ++k) {
        const std::optional<Reach>& reached = line.reached[k];
        row.push_back(reached ? whole(reached->work) : "");
        row.emplace_back(reached && reached->at_most ? "<=" : "");
        row.push_back(reached ? std::to_string(line.rank[k]) : "");
        if (with_steps) row.push_back(std::isnan(line.take[k]) ? "" : brief(line.take[k]));
      }
      for (const auto& error : line.error) row.push_back(number(last(error)));
      for (const double slope : line.slope) row.push_back(slope_entry(slope));
      row.insert(row.end(), {number(line.energy), number(line.position), number(line.velocity),
                             whole(line.residuals), whole(line.factorizations), line.status});
      text += csv_line(row);
    }
  return text;
}

std::string compare_latex(const std::vector<Compared>& compared,
                          const std::vector<Accuracy>& accuracies) {
  std::string text;
  for (const Compared& one : compared) {
    const CompareMotion& motion = one.field.motion;
    Table table;
    table.caption =
        fmt::format("{}, {}, t = {} s: {}; step size [s] or tolerance that reaches it",
                    motion.problem, one.field.formulation, motion.t_end, work_label(one.field));
    table.head = {"method"};
    for (const Accuracy& accuracy : accuracies)
      for (const char* what : {"work, ", "step, "}) table.head.push_back(what + accuracy.name());
    for (const char* slope : {"slope q", "slope v", "slope λ"}) table.head.emplace_back(slope);
    for (const CompareLine& line : one.lines) {
      std::vector<std::string> row = {line.name()};
      for (std::size_t k = 0; k < accuracies.size(); ++k) {
        row.push_back(line.reached[k] ? text_of(*line.reached[k]) : "—");
        row.push_back(std::isnan(line.take[k]) ? "—" : brief(line.take[k]));
      }
      for (const double slope : line.slope) row.push_back(slope_entry(slope));
      table.rows.push_back(std::move(row));
    }
    text += latex(table, fmt::format("tab:{}-{}", motion.problem, one.field.formulation)) + "\n";
  }
  return text;
}

namespace {

/// What moved most in a sweep; by: 0 where nothing did.
struct SweepChange {
  double by = 0;
  std::string text;

  void take(double by_now, const std::string& what) {
    if (by_now > by) by = by_now, text = what;
  }
};

/// Relative distance beyond what is claimed, else 0.
double distance(const std::string& column, double there, double here) {
  constexpr double four_digits = 1e-3, round_off = 1e-10, few = 2, part = 0.01;
  if (std::isnan(there) && std::isnan(here)) return 0;
  if (!std::isfinite(there) || !std::isfinite(here))
    return there == here ? 0 : std::numeric_limits<double>::infinity();
  const double size = std::max(std::abs(there), std::abs(here)), off = std::abs(there - here);
  const bool is_error = column.starts_with("error");
  if (is_error ? size <= round_off || off <= four_digits * size : off <= std::max(few, part * size))
    return 0;
  return off / size;
}

SweepChange moved_of(const CellResult& there, const CellResult& here) {
  SweepChange moved;
  const double infinite = std::numeric_limits<double>::infinity();
  if (there.status != here.status)
    moved.take(infinite, fmt::format("status {} there, {} here", there.status, here.status));
  for (const auto& [column, values] : there.series) {
    const auto own = here.series.find(column);
    if (own == here.series.end() || own->second.size() != values.size()) {
      moved.take(infinite, column + ": other runs");
      continue;
    }
    for (std::size_t i = 0; i < values.size(); ++i)
      moved.take(distance(column, values[i], own->second[i]),
                 fmt::format("{} of run {}: {:.4g} there, {:.4g} here", column, i + 1, values[i],
                             own->second[i]));
  }
  return moved;
}

}  // namespace

std::string beside_lines(const std::vector<Compared>& compared, std::size_t shown,
                         const std::filesystem::path& results, const std::string& name) {
  std::string text;
  for (std::size_t k = shown; k < compared.size(); ++k) {
    const CompareField& field = compared[k].field;
    const std::string id = parse_call(field.motion.problem, "problem").id;
    const std::optional<StoredSweeps> stored = read_sweeps(results, id);
    if (!stored || stored->motion.problem != field.motion.problem) {
      text += fmt::format("  {}: no sweeps of {} as it is here\n", name, field.motion.problem);
      continue;
    }
    int same = 0, moved = 0, missing = 0;
    SweepChange worst;
    for (const CompareEntry& entry : field.entries) {
      if (!entry.result || entry.is_new) continue;
      const auto found = stored->sweeps.find({field.formulation, entry.method});
      if (found == stored->sweeps.end()) {
        ++missing;
        continue;
      }
      const SweepChange by = moved_of(found->second, as_stored(*entry.result));
      ++(by.by > 0 ? moved : same);
      worst.take(by.by, entry.method + ": " + by.text);
    }
    text += fmt::format("  {}: {}, {}: {} as here", name, field.motion.problem, field.formulation,
                        counted(same, "sweep"));
    if (missing > 0) text += fmt::format(", {} not there", missing);
    text += moved == 0 ? "\n" : fmt::format(", {} moved; most: {}\n", moved, worst.text);
  }
  return text;
}

namespace {

/// Between the two values beside it.
double quantile(const std::vector<double>& sorted, double part) {
  const double at = part * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

/// Beside the median of the field.
void add_ratios(const CompareField& field, const std::map<std::string, double>& units,
                nlohmann::json& ratios) {
  if (units.empty()) return;
  std::vector<double> all;
  for (const auto& [method, unit] : units) all.push_back(unit);
  const double median = time_statistics(all).median;
  nlohmann::json& own = ratios[parse_call(field.motion.problem, "problem").id][field.formulation];
  for (const auto& [method, unit] : units)
    own[method] = double_of(fmt::format("{:.2g}", unit / median));
}

}  // namespace

TimeStatistics time_statistics(std::vector<double> seconds) {
  std::sort(seconds.begin(), seconds.end());
  return {seconds.front(), quantile(seconds, 0.25), quantile(seconds, 0.5), quantile(seconds, 0.75),
          seconds.back()};
}

double time_sweeps(const std::vector<CompareField>& fields, int repeats, const RunCell& run,
                   const std::filesystem::path& file, nlohmann::json& ratios) {
  std::string text = csv_line({"formulation", "method", "h or tolerance", "repeats", "least [s]",
                               "median [s]", "spread [s]"});
  std::vector<double> relative;
  for (const CompareField& field : fields) {
    std::map<std::string, double> units;  // what one of the weighted sum takes in the finest run
    for (const CompareEntry& entry : field.entries) {
      if (!entry.result || !entry.result->ok()) continue;
      std::vector<std::vector<double>> times;  // by run of the sweep
      std::vector<double> knobs;
      for (int k = 0; k < repeats; ++k) {
        checkpoint();
        const CellResult result = run(entry.cell);
        knobs = result.series.at("knob");
        const std::vector<double>& seconds = result.timings.at("seconds");
        times.resize(seconds.size());
        for (std::size_t i = 0; i < seconds.size(); ++i) times[i].push_back(seconds[i]);
      }
      for (std::size_t i = 0; i < times.size(); ++i) {
        const TimeStatistics found = time_statistics(times[i]);
        text +=
            csv_line({field.formulation, entry.method, fmt::format("{:.6g}", knobs[i]),
                      std::to_string(repeats), fmt::format("{:.3e}", found.min),
                      fmt::format("{:.3e}", found.median), fmt::format("{:.1e}", found.spread())});
        if (found.median > 0) relative.push_back(found.spread() / found.median);
      }
      const std::vector<double> work = work_in(WorkUnit::weighted, field, entry);
      if (!work.empty() && work.size() == times.size() && work.back() > 0)
        units[entry.method] = time_statistics(times.back()).min / work.back();
    }
    add_ratios(field, units, ratios);
  }
  write_if_changed(file, text);
  if (relative.empty()) return missing;
  return time_statistics(relative).median;
}

}  // namespace daemark
