// The league as tables, findings and a figure.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "analysis/report/figure.hpp"
#include "analysis/report/table.hpp"
#include "base/numbers/expression.hpp"
#include "base/program/write_file.hpp"
#include "experiments/league/league.hpp"
#include "experiments/report/report_html.hpp"

namespace daemark {
namespace {

using Rows = std::vector<LeagueRow>;
using Key = std::array<std::string, 2>;  // program, variant

std::string error_text_of(double x) { return std::isnan(x) ? "" : fmt::format("{:.1e}", x); }
double value_of(const std::string& text) { return Expression::parse(text, "step").eval<double>(); }
std::string title(const LeagueRow& row) {
  return row.program == "daemark" ? row.variant : row.program + " " + row.variant;
}

/// The order that the two finest steps show; NaN where there are no two.
double observed(const std::vector<const LeagueRow*>& sweep, double LeagueRow::*error) {
  const LeagueRow *coarse = nullptr, *fine = nullptr;
  for (const LeagueRow* row : sweep) {
    if (row->status != "ok" || !(row->*error > 0)) continue;
    coarse = fine, fine = row;
  }
  if (coarse == nullptr) return NAN;
  return std::log(coarse->*error / (fine->*error)) /
         std::log(value_of(coarse->step) / value_of(fine->step));
}

/// Of one problem, by program and variant in the order they are in.
struct Sweeps {
  std::vector<Key> order;
  std::map<Key, std::map<std::string, std::vector<const LeagueRow*>>> by_end;

  Sweeps(const Rows& rows, const std::string& problem) {
    for (const LeagueRow& row : rows) {
      if (row.problem != problem) continue;
      const Key key{row.program, row.variant};
      if (!by_end.contains(key)) order.push_back(key);
      by_end[key][row.t_end].push_back(&row);
    }
  }
  bool can_be_expressed(const Key& key) const {
    for (const auto& [end, sweep] : by_end.at(key))
      for (const LeagueRow* row : sweep)
        if (row->status != "cannot_express") return true;
    return false;
  }
};

std::string order_text(double order) {
  return std::isnan(order) ? "" : fmt::format("{:.1f}", order);
}

/// A row a variant: errors of q over the steps (or tolerances) to each end, orders, and the rest of
/// the run in the middle.
Table table_of(const LeagueSpec& spec, const Sweeps& sweeps, const LeagueSpec::Motion& motion,
               const std::vector<LeagueTime>& times, bool fixed) {
  const auto knobs = [&](std::size_t end) { return fixed ? spec.steps[end] : spec.tolerances; };
  Table table{"", {"program"}, {}};
  for (std::size_t end = 0; end < motion.ends.size(); ++end)
    for (const std::string& knob : knobs(end))
      table.head.push_back(fmt::format("{} s, {}", motion.ends[end], knob));
  for (const char* name : {"order q", "order v", "v", "energy [J]", "violation", "cost"})
    table.head.emplace_back(name);
  for (const Key& key : sweeps.order) {
    const auto& by_end = sweeps.by_end.at(key);
    const auto first = by_end.find(motion.ends[0]);
    if (!sweeps.can_be_expressed(key) || first == by_end.end()) continue;
    const LeagueRow* middle = nullptr;
    std::vector<std::string> cells = {title(*first->second[0])};
    bool known = false;
    for (std::size_t end = 0; end < motion.ends.size(); ++end)
      for (const std::string& knob : knobs(end)) {
        const LeagueRow* at = nullptr;
        if (const auto found = by_end.find(motion.ends[end]); found != by_end.end())
          for (const LeagueRow* row : found->second)
            if (row->step == knob) at = row;
        known = known || at != nullptr;
        if (end == 0 && knob == knobs(0)[1]) middle = at;
        cells.push_back(at == nullptr        ? ""
                        : at->status == "ok" ? error_text_of(at->error_q)
                                             : at->status);
      }
    if (!known) continue;
    cells.push_back(fixed ? order_text(observed(first->second, &LeagueRow::error_q)) : "");
    cells.push_back(fixed ? order_text(observed(first->second, &LeagueRow::error_v)) : "");
    for (const auto part : {&LeagueRow::error_v, &LeagueRow::energy, &LeagueRow::violation})
      cells.push_back(middle == nullptr ? "" : error_text_of(middle->*part));
    const auto cost = std::find_if(times.begin(), times.end(), [&](const LeagueTime& t) {
      return t.program == key[0] && t.variant == key[1] && t.problem == motion.problem;
    });
    cells.push_back(cost == times.end() ? "" : fmt::format("{:.2g}", cost->ratio));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

/// Runs of different programs that err by the same, to six digits: they agree with each other.
void agreements(const LeagueSpec& spec, const Rows& rows, std::vector<std::string>& found) {
  constexpr double telling = 1e-4, same = 2e-6;
  for (const auto& [problem, ends] : spec.problems)
    for (const std::string& step : spec.steps[0]) {
      std::vector<const LeagueRow*> runs;
      for (const LeagueRow& row : rows)
        if (row.problem == problem && row.t_end == ends[0] && row.step == step &&
            row.status == "ok" && row.error_q > telling && std::isfinite(row.error_q))
          runs.push_back(&row);
      std::sort(runs.begin(), runs.end(), [](auto* a, auto* b) { return a->error_q < b->error_q; });
      for (std::size_t i = 0; i < runs.size();) {
        std::size_t end = i + 1;
        while (end < runs.size() && runs[end]->error_q <= runs[i]->error_q * (1 + same)) ++end;
        std::set<std::string> programs;
        std::vector<std::string> names;
        for (std::size_t k = i; k < end; ++k)
          if (programs.insert(runs[k]->program).second) names.push_back(title(*runs[k]));
        if (programs.size() > 1)
          found.push_back(fmt::format("{}, h = {}: {} err by the same {:.6e} (six digits).",
                                      problem, step, fmt::join(names, ", "), runs[i]->error_q));
        i = end;
      }
    }
}

/// Variants whose error does not fall with the step, where another one of the same program or
/// another program errs less: they converge, to something else.
void other_limits(const LeagueSpec& spec, const Rows& rows, std::vector<std::string>& found) {
  constexpr double telling = 1e-6, falls = 0.5, far_less = 1e-2;
  for (const auto& [problem, ends] : spec.problems) {
    const Sweeps sweeps(rows, problem);
    double best = INFINITY;
    for (const LeagueRow& row : rows)
      if (row.problem == problem && row.t_end == ends[0] && row.status == "ok")
        best = std::min(best, row.error_q);
    std::map<std::string, std::vector<std::string>> by_program;
    std::map<std::string, double> at;
    for (const auto& [key, by_end] : sweeps.by_end) {
      const auto sweep = by_end.find(ends[0]);
      if (sweep == by_end.end() || sweep->second.size() < 2) continue;
      const LeagueRow &coarse = *sweep->second.front(), &fine = *sweep->second.back();
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
          problem, program, fmt::join(variants, ", "), at[program], best));
  }
}

/// Orders of one variant that differ between mechanisms.
void lost_orders(const LeagueSpec& spec, const Rows& rows, std::vector<std::string>& found) {
  constexpr double lost = 1.2, floor = 1e-11, high = 2.5;
  std::map<Key, std::vector<std::pair<double, std::string>>> orders;
  for (const auto& [problem, ends] : spec.problems) {
    const Sweeps sweeps(rows, problem);
    for (const Key& key : sweeps.order) {
      const auto& by_end = sweeps.by_end.at(key);
      const auto sweep = by_end.find(ends[0]);
      if (sweep == by_end.end()) continue;
      std::vector<const LeagueRow*> above;
      for (const LeagueRow* row : sweep->second)
        if (row->error_q > floor) above.push_back(row);
      const double order = observed(above, &LeagueRow::error_q);
      if (order > 0.5) orders[key].emplace_back(order, problem);
    }
  }
  for (auto& [key, list] : orders) {
    std::sort(list.begin(), list.end());
    const double best = list.back().first;
    if (best < high || list.front().first > best - lost) continue;
    std::vector<std::string> low;
    for (const auto& [order, problem] : list)
      if (order < best - lost) low.push_back(fmt::format("{:.1f} on {}", order, problem));
    found.push_back(fmt::format("{} {}: order {:.1f} on {}, but {}.", key[0], key[1], best,
                                list.back().second, fmt::join(low, ", ")));
  }
}

std::string not_expressed(const Sweeps& sweeps) {
  std::map<std::string, std::set<std::string>> why;
  for (const Key& key : sweeps.order) {
    if (sweeps.can_be_expressed(key)) continue;
    why[key[0]].insert(sweeps.by_end.at(key).begin()->second[0]->why);
  }
  std::string text;
  for (const auto& [program, reasons] : why) {
    text += fmt::format("{} cannot express it: {}. ", program, fmt::join(reasons, "; "));
  }
  return text;
}

std::string first_end(const LeagueSpec& spec, const std::string& problem) {
  for (const auto& motion : spec.problems)
    if (motion.problem == problem) return motion.ends[0];
  return "";
}

FigureSpec figure_of(const LeagueSpec& spec, const Rows& rows) {
  FigureSpec figure;
  figure.columns = 2, figure.width = 980;
  figure.caption = "Error of q at 1 s against the step size";
  for (const std::string& problem : spec.figure_problems) {
    Panel panel;
    panel.title = problem.substr(0, problem.find('('));
    panel.x = {"h", "s", true}, panel.y = {"error of q", "", true};
    panel.legend = LegendPosition::below;
    for (const auto& [program, variant] : spec.figure_curves) {
      Curve curve;
      for (const LeagueRow& row : rows)
        if (row.problem == problem && row.program == program && row.variant == variant &&
            row.t_end == first_end(spec, problem) && row.status == "ok") {
          curve.label = title(row);
          curve.x.push_back(value_of(row.step)), curve.y.push_back(row.error_q);
        }
      curve.style = CurveStyle::linespoints;
      if (!curve.x.empty()) panel.curves.push_back(std::move(curve));
    }
    if (!panel.curves.empty()) figure.panels.push_back(std::move(panel));
  }
  return figure;
}

constexpr const char* explanation =
    "Errors of q, and of v in the middle run, are 2-norms of what separates the state at the end "
    "from the reference, in the coordinates daemark show prints; columns name the end and the step "
    "or tolerance. Orders are those of the two finest steps at the first time; "
    "energy and violation are the largest of the middle run; cost is the time of a step beside one "
    "of "
    "erk4 on index "
    "1, "
    "measured on one machine. runs.csv has every run, bindings/engines/README.md what the programs "
    "are set to. Physics engines are made for contact and speed, which nothing here measures.";

struct Section {
  std::string problem, note;  ///< note: who cannot express it
  std::vector<Table> tables;  ///< by steps, by tolerances
};

std::vector<Section> sections_of(const LeagueSpec& spec, const Rows& rows,
                                 const std::vector<LeagueTime>& times) {
  std::vector<Section> sections;
  for (const LeagueSpec::Motion& motion : spec.problems) {
    const Sweeps sweeps(rows, motion.problem);
    if (sweeps.order.empty()) continue;
    Section section{motion.problem, not_expressed(sweeps), {}};
    for (const bool fixed : {true, false}) {
      Table table = table_of(spec, sweeps, motion, times, fixed);
      if (!table.rows.empty()) section.tables.push_back(std::move(table));
    }
    sections.push_back(std::move(section));
  }
  return sections;
}

std::string page_of(const std::vector<Section>& sections, const std::vector<std::string>& programs,
                    const std::vector<std::string>& found) {
  PageData list = PageData::array();
  for (const Section& section : sections) {
    PageData tables = PageData::array();
    for (const Table& table : section.tables)
      tables.push_back({{"heads", table.head}, {"rows", table_rows(table.rows)}});
    list.push_back({{"problem", section.problem}, {"note", section.note}, {"tables", tables}});
  }
  return html_page({}, {"league/index.html", "Programs in a league"},
                   fill_template("league", {{"explanation", explanation},
                                            {"programs", programs},
                                            {"found", found},
                                            {"sections", list}}));
}

}  // namespace

void write_league(const LeagueSpec& spec, const Rows& rows, const std::vector<LeagueTime>& times,
                  const std::filesystem::path& results) {
  const std::filesystem::path folder = results / "league";
  std::vector<std::string> programs, found;
  for (const LeagueRow& row : rows)
    if (const std::string name = row.program + " " + row.version;
        row.program != "daemark" && (programs.empty() || programs.back() != name))
      programs.push_back(name);
  agreements(spec, rows, found), other_limits(spec, rows, found), lost_orders(spec, rows, found);
  const std::vector<Section> sections = sections_of(spec, rows, times);
  std::string text = fmt::format("# Programs in a league\n\n{}\n\n- {}\n", explanation,
                                 fmt::join(programs, "\n- "));
  if (!found.empty())
    text += fmt::format("\n## What stands out\n\n- {}\n", fmt::join(found, "\n- "));
  for (const Section& section : sections) {
    text += fmt::format("\n## {}\n\n", section.problem);
    for (const Table& table : section.tables) text += markdown(table) + "\n";
    if (!section.note.empty()) text += section.note + "\n";
  }
  write_if_changed(folder / "league.md", text);
  write_if_changed(folder / "index.html", page_of(sections, programs, found));
  const FigureSpec figure = figure_of(spec, rows);
  if (!figure.panels.empty()) write_svg(figure, folder / "league.svg");
}

}  // namespace daemark
