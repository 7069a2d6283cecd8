// The league as tables, a figure and a page.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "analysis/report/figure.hpp"
#include "analysis/report/table.hpp"
#include "base/program/write_file.hpp"
#include "experiments/league/findings.hpp"
#include "experiments/report/report_html.hpp"

namespace daemark {
namespace {

using Rows = std::vector<LeagueRow>;
using Key = LeagueSweeps::Key;

std::string error_text_of(double x) { return std::isnan(x) ? "" : fmt::format("{:.1e}", x); }

double cost_of(const std::vector<LeagueTime>& times, const LeagueRow& row) {
  for (const LeagueTime& t : times)
    if (t.program == row.program && t.variant == row.variant && t.problem == row.problem)
      return t.ratio;
  return NAN;
}

std::string order_text(double order) {
  return std::isnan(order) ? "" : fmt::format("{:.1f}", order);
}

/// A row a variant: errors of q over the steps (or tolerances) to each end, orders, and the rest of
/// the run in the middle.
Table table_of(const LeagueSpec& spec, const LeagueSweeps& sweeps, const LeagueSpec::Motion& motion,
               const std::vector<LeagueTime>& times, bool fixed) {
  Table table{"", {"program"}, {}};
  for (std::size_t end = 0; end < motion.ends.size(); ++end)
    for (const std::string& knob : spec.knobs(motion, end, fixed))
      table.head.push_back(fmt::format("{} s, {}", motion.ends[end], knob));
  for (const char* name : {"order q", "order v", "v", "energy [J]", "violation", "steps"})
    table.head.emplace_back(name);
  if (!times.empty()) table.head.emplace_back("cost");
  const std::string middle_knob = spec.knobs(motion, 0, fixed)[1];
  for (const Key& key : sweeps.order) {
    const auto first = sweeps.to(key, motion.ends[0]);
    if (!sweeps.can_be_expressed(key) || first.empty() || first[0]->fixed != fixed) continue;
    const LeagueRow* middle = nullptr;
    std::vector<std::string> cells = {league_title(*first[0])};
    for (std::size_t end = 0; end < motion.ends.size(); ++end)
      for (const std::string& knob : spec.knobs(motion, end, fixed)) {
        const LeagueRow* at = nullptr;
        for (const LeagueRow* row : sweeps.to(key, motion.ends[end]))
          if (row->step == knob) at = row;
        if (end == 0 && knob == middle_knob) middle = at;
        cells.push_back(at == nullptr        ? ""
                        : at->status == "ok" ? error_text_of(at->error_q)
                                             : at->status);
      }
    for (const auto error : {&LeagueRow::error_q, &LeagueRow::error_v})
      cells.push_back(fixed ? order_text(league_order(first, error)) : "");
    for (const auto part : {&LeagueRow::error_v, &LeagueRow::energy, &LeagueRow::violation})
      cells.push_back(middle == nullptr ? "" : error_text_of(middle->*part));
    cells.push_back(middle == nullptr || middle->steps == 0 ? "" : std::to_string(middle->steps));
    if (!times.empty()) {
      const double cost = cost_of(times, *first[0]);
      cells.push_back(std::isnan(cost) ? "" : fmt::format("{:.2g}", cost));
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

/// Programs none of whose variants can express the problem, and why.
std::string not_expressed(const LeagueSweeps& sweeps) {
  std::map<std::string, std::set<std::string>> why;
  std::set<std::string> can;
  for (const Key& key : sweeps.order)
    if (sweeps.can_be_expressed(key))
      can.insert(key[0]);
    else
      why[key[0]].insert(sweeps.by_end.at(key).begin()->second[0]->why);
  std::string text;
  for (const auto& [program, reasons] : why)
    if (!can.contains(program))
      text += fmt::format("{} cannot express it: {}. ", program, fmt::join(reasons, "; "));
  return text;
}

std::string first_end(const LeagueSpec& spec, const std::string& problem) {
  for (const auto& motion : spec.problems)
    if (motion.problem == problem) return motion.ends[0];
  return "";
}

/// Above error over step, below error over the time of a run, counted in steps of erk4.
FigureSpec figure_of(const LeagueSpec& spec, const Rows& rows,
                     const std::vector<LeagueTime>& times) {
  FigureSpec figure;
  figure.columns = 2, figure.width = 980;
  figure.caption = "Error of q against the step size, and against the time of the run";
  for (const bool by_time : {false, true})
    for (const std::string& problem : spec.figure_problems) {
      Panel panel;
      panel.title = problem.substr(0, problem.find('('));
      panel.x = {by_time ? "time, in steps of erk4" : "h", by_time ? "" : "s", true};
      panel.y = {"error of q", "", true};
      panel.legend = LegendPosition::below;
      for (const auto& [program, variant] : spec.figure_curves) {
        Curve curve;
        for (const LeagueRow& row : rows) {
          if (row.problem != problem || row.program != program || row.variant != variant ||
              row.t_end != first_end(spec, problem) || row.status != "ok")
            continue;
          const double x = by_time     ? cost_of(times, row) * static_cast<double>(row.steps)
                           : row.fixed ? league_step(row.step)
                                       : NAN;
          if (!(x > 0)) continue;
          curve.label = league_title(row);
          curve.x.push_back(x), curve.y.push_back(row.error_q);
        }
        curve.style = CurveStyle::linespoints;
        if (!curve.x.empty()) panel.curves.push_back(std::move(curve));
      }
      if (!panel.curves.empty()) figure.panels.push_back(std::move(panel));
    }
  figure.height = 80 + 400 * static_cast<int>((figure.panels.size() + 1) / 2);
  return figure;
}

constexpr const char* explanation =
    "Errors of q, and of v in the middle run, are 2-norms of what separates the state at the end "
    "from the reference, in the coordinates daemark show prints; columns name the end and the step "
    "or tolerance. Orders are those of the two finest steps at the first time; energy, violation "
    "and steps are of the middle run; cost is the time of one of its steps relative to one of erk4 "
    "on index 1, measured on one machine. runs.csv has every run, bindings/engines/README.md and "
    "bindings/codes/README.md what the programs are set to. Physics engines are made for contact "
    "and speed, which nothing here measures.";

struct Section {
  std::string problem, note;  ///< note: who cannot express it
  std::vector<Table> tables;  ///< by steps, by tolerances
};

std::vector<Section> sections_of(const LeagueSpec& spec, const Rows& rows,
                                 const std::vector<LeagueTime>& times) {
  std::vector<Section> sections;
  for (const LeagueSpec::Motion& motion : spec.problems) {
    const LeagueSweeps sweeps(rows, motion.problem);
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
                    const std::vector<std::string>& found, bool timed) {
  std::vector<std::string> files = {"league.md", "runs.csv"};
  if (timed) files.emplace_back("times.csv");
  PageData list = PageData::array();
  for (const Section& section : sections) {
    PageData tables = PageData::array();
    for (const Table& table : section.tables)
      tables.push_back({{"heads", table.head}, {"rows", table_rows(table.rows)}});
    list.push_back({{"problem", section.problem}, {"missing", section.note}, {"tables", tables}});
  }
  return html_page({}, {"league/index.html", "Programs in a league"},
                   fill_template("league", {{"explanation", explanation},
                                            {"programs", programs},
                                            {"found", found},
                                            {"files", files},
                                            {"sections", list}}));
}

}  // namespace

void write_league(const LeagueSpec& spec, const Rows& rows, const std::vector<LeagueTime>& times,
                  const std::filesystem::path& results) {
  const std::filesystem::path folder = results / "league";
  std::vector<std::string> programs;
  for (const LeagueRow& row : rows)
    if (const std::string name = row.program + " " + row.version;
        row.program != "daemark" && (programs.empty() || programs.back() != name))
      programs.push_back(name);
  const std::vector<std::string> found = league_findings(spec, rows);
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
  write_if_changed(folder / "index.html", page_of(sections, programs, found, !times.empty()));
  const FigureSpec figure = figure_of(spec, rows, times);
  if (!figure.panels.empty()) write_svg(figure, folder / "league.svg");
}

}  // namespace daemark
