#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>

#include "analysis/run/run.hpp"
#include "analysis/tags/tags.hpp"
#include "experiments/compare/compare_views.hpp"
#include "experiments/compare/sweeps.hpp"
#include "experiments/report/report_html.hpp"
#include "experiments/terminal/text.hpp"

namespace daemark {

namespace {

constexpr std::array part_labels = {"relative error of q", "relative error of v",
                                    "relative error of λ"};

ExplorePart part_of(const Compared& one, std::size_t part) {
  ExplorePart out{motion_parts[part], part_labels[part], {}};
  const std::vector<const CompareLine*> front = front_of(one, part);
  for (const CompareLine& line : one.lines) {
    ExploreCurve curve;
    curve.name = line.name(), curve.method = method_of(line.method);
    curve.family = method_family(line.method);
    curve.front = line.is_new || std::find(front.begin(), front.end(), &line) != front.end();
    curve.ours = line.is_new;
    curve.dashed = line.controlled;
    curve.x = line.work;
    for (const double error : line.error[part]) curve.y.push_back(error <= 1 ? error : NAN);
    out.curves.push_back(std::move(curve));
  }
  return out;
}

}  // namespace

const std::vector<std::string> family_names = {"explicit Runge–Kutta",
                                               "diagonally implicit Runge–Kutta",
                                               "fully implicit Runge–Kutta",
                                               "block",
                                               "multistep",
                                               "structural",
                                               "partitioned and Nyström",
                                               "half-explicit and Rosenbrock",
                                               "external or built around another",
                                               "others"};

int method_family(const std::string& sweep) {
  // A block method is fully implicit as well: the first that holds counts.
  constexpr std::pair<const char*, int> by_tag[] = {
      {"wrapping", 8},   {"external", 8},   {"block", 3},          {"dirk", 1},
      {"multistep", 4},  {"structural", 5}, {"fully_implicit", 2}, {"partitioned", 6},
      {"nystrom", 6},    {"additive", 6},   {"half_explicit", 7},  {"rosenbrock", 7},
      {"runge_kutta", 0}};
  static std::map<std::string, int> known;
  static std::mutex mutex;
  const int others = static_cast<int>(family_names.size()) - 1;
  const std::string call = method_of(sweep);
  if (call.empty()) return others;
  const std::lock_guard lock(mutex);
  const auto [found, first] = known.try_emplace(call, others);
  if (!first) return found->second;
  for (const auto& [tag, family] : by_tag)
    if (tag_value(call, *find_tag(tag)) == 1.0) return found->second = family;
  return found->second;
}

std::vector<std::string> families_in(const std::vector<const Compared*>& fields) {
  std::vector<std::string> names(family_names.size());
  for (const Compared* one : fields)
    for (const CompareLine& line : one->lines) {
      const auto k = static_cast<std::size_t>(method_family(line.method));
      names[k] = family_names[k];
    }
  return names;
}

std::vector<const CompareLine*> front_of(const Compared& field, std::size_t part) {
  struct Point {
    double work, error;
    const CompareLine* line;
  };
  std::vector<Point> points;
  for (const CompareLine& line : field.lines)
    for (std::size_t i = 0; i < line.work.size(); ++i)
      if (line.error[part][i] <= 1 && line.work[i] > 0)
        points.push_back({line.work[i], line.error[part][i], &line});
  std::stable_sort(points.begin(), points.end(), [](const Point& a, const Point& b) {
    return a.work != b.work ? a.work < b.work : a.error < b.error;
  });
  std::vector<const CompareLine*> front;
  double least = std::numeric_limits<double>::infinity();
  for (const Point& point : points) {
    if (point.error >= least) continue;
    least = point.error;
    if (std::find(front.begin(), front.end(), point.line) == front.end())
      front.push_back(point.line);
  }
  return front;
}

ExplorePlot explore_plot(const Compared& one) {
  ExplorePlot plot;
  plot.title = fmt::format("{}, {}: error at t = {} s over work", one.field.motion.problem,
                           one.field.formulation, one.field.motion.t_end);
  plot.x_label = work_label(one.field);
  for (std::size_t part = 0; part < part_labels.size(); ++part)
    plot.parts.push_back(part_of(one, part));
  for (const std::string& h : one.field.motion.h) plot.knobs.push_back("h = " + h + " s");
  for (const std::string& tol : compare_tolerances) plot.dashed_knobs.push_back("tolerance " + tol);
  return plot;
}

std::vector<std::pair<std::string, std::string>> explore_parts(const CompareMotion& motion) {
  std::vector<std::pair<std::string, std::string>> parts = {{"q", "q"}, {"v", "v"}};
  if (motion.multipliers > 0) parts.emplace_back("lambda", "λ");
  return parts;
}

namespace {

constexpr int most_others = 6, black = 6;  // the palette has seven colours, black the last

/// Style of the n-th of the new methods, of the others.
void dress(Curve& curve, bool is_new, int& news, int& others) {
  curve.style = CurveStyle::linespoints;
  curve.width = is_new ? 3.0 : 1.2;
  curve.colour = is_new ? black - news % black : others;
  (is_new ? news : others) += 1;
}

/// Beyond the scale of the motion an error says nothing.
std::vector<double> without_noise(std::vector<double> error) {
  for (double& e : error)
    if (!(e > 0 && e <= 1)) e = missing;
  return error;
}

Panel panel_of(const Compared& one, const Accuracy& accuracy) {
  Panel panel;
  panel.title = one.field.formulation;
  panel.x = {work_label(one.field), "", true, {}, {}};
  panel.y = {part_labels[accuracy.part], "", true, {}, {}};
  panel.legend = LegendPosition::below;
  panel.lines.push_back({ReferenceLine::Kind::horizontal, accuracy.value, ""});
  int news = 0, others = 0;
  for (const CompareLine& line : one.lines) {
    if (!line.is_new && others >= most_others) continue;
    Curve curve;
    curve.label = line.method;
    curve.x = line.work;
    curve.y = without_noise(line.error[static_cast<std::size_t>(accuracy.part)]);
    if (std::none_of(curve.y.begin(), curve.y.end(), [](double e) { return std::isfinite(e); }))
      continue;
    dress(curve, line.is_new, news, others);
    panel.curves.push_back(std::move(curve));
  }
  return panel;
}

}  // namespace

FigureSpec compare_figure(const std::vector<const Compared*>& of_a_problem,
                          const Accuracy& accuracy) {
  FigureSpec figure;
  const CompareMotion& motion = of_a_problem.front()->field.motion;
  figure.title = fmt::format("{}, t = {} s", motion.problem, motion.t_end);
  figure.caption =
      "Relative error at the end over work; thick: the new methods, thin: the cheapest others for "
      "the accuracy marked";
  figure.width = 1000;
  figure.columns = 2;
  for (const Compared* one : of_a_problem) {
    Panel panel = panel_of(*one, accuracy);
    if (!panel.curves.empty()) figure.panels.push_back(std::move(panel));
  }
  figure.height = 80 + 400 * static_cast<int>((figure.panels.size() + 1) / 2);
  return figure;
}

FigureSpec profile_figure(const std::vector<Profile>& profiles) {
  FigureSpec figure;
  figure.title = "performance profiles";
  figure.caption =
      "Share of the pairs of a problem and an accuracy that a method reaches with at most τ times "
      "the least work of all (Dolan & Moré 2002); thick: the new methods, thin: the best others";
  figure.width = 1000;
  figure.columns = 2;
  constexpr double widest = 100;
  for (const Profile& profile : profiles) {
    Panel panel;
    panel.title = fmt::format("{} ({} pairs)", profile.formulation, profile.instances);
    panel.x = {"work / least work, τ", "", true, 1.0, widest};
    panel.y = {"share reached", "", false, 0.0, 1.0};
    panel.legend = LegendPosition::below;
    int news = 0, others = 0;
    for (const Profile::Curve& from : profile.curves) {
      if (!from.is_new && others >= most_others) continue;
      Curve curve;
      curve.label = from.method;
      dress(curve, from.is_new, news, others);
      curve.style = CurveStyle::line;
      double share = from.share(1, profile.instances);
      curve.x = {1}, curve.y = {share};
      for (const double ratio : from.ratios) {  // a staircase
        if (ratio > widest) break;
        curve.x.push_back(ratio), curve.y.push_back(share);
        share = from.share(ratio, profile.instances);
        curve.x.push_back(ratio), curve.y.push_back(share);
      }
      curve.x.push_back(widest), curve.y.push_back(share);
      panel.curves.push_back(std::move(curve));
    }
    figure.panels.push_back(std::move(panel));
  }
  figure.height = 80 + 400 * static_cast<int>((figure.panels.size() + 1) / 2);
  return figure;
}

namespace {

PageData table_data(const Table& table) {
  return {{"class", "sortable"}, {"heads", table.head}, {"rows", table_rows(table.rows)}};
}

/// The cheapest ten and the new ones.
PageData field_data(const Compared& one, const std::vector<Accuracy>& accuracies) {
  constexpr std::size_t best = 10;
  Table table;
  table.head = {"", "method"};
  for (const Accuracy& accuracy : accuracies) table.head.push_back("work, " + accuracy.name());
  table.head.insert(table.head.end(), {"slope q", "slope v", "slope λ", "status"});
  std::vector<bool> marked;
  for (std::size_t i = 0; i < one.lines.size(); ++i) {
    const CompareLine& line = one.lines[i];
    if (i >= best && !line.is_new) continue;
    std::vector<std::string> row = {line.rank[0] > 0 ? std::to_string(line.rank[0]) : "",
                                    line.name()};
    for (const auto& reached : line.reached) row.push_back(reached ? text_of(*reached) : "—");
    for (const double slope : line.slope)
      row.push_back(slope == slope ? std::to_string(slope).substr(0, 4) : "");
    row.push_back(line.status);
    table.rows.push_back(std::move(row));
    marked.push_back(line.is_new);
  }
  PageData data = table_data(table);
  for (std::size_t i = 0; i < marked.size(); ++i) data["rows"][i]["marked"] = bool(marked[i]);
  data["formulation"] = one.field.formulation;
  data["figure"] = explore_figure(explore_plot(one));
  data["methods"] = one.lines.size();
  return data;
}

PageData problems_data(const ComparePage& page, const std::vector<Compared>& compared,
                       const std::vector<Accuracy>& accuracies) {
  PageData problems = PageData::array();
  for (const Compared& one : compared) {
    const CompareMotion& motion = one.field.motion;
    if (problems.empty() || problems.back()["problem"] != motion.problem) {
      const auto figure = std::find_if(page.figures.begin(), page.figures.end(),
                                       [&](const auto& f) { return f.first == motion.problem; });
      problems.push_back({{"problem", motion.problem},
                          {"t_end", motion.t_end},
                          {"h_first", motion.h.front()},
                          {"h_last", motion.h.back()},
                          {"drawn", figure == page.figures.end() ? "" : figure->second},
                          {"fields", PageData::array()}});
    }
    problems.back()["fields"].push_back(field_data(one, accuracies));
  }
  return problems;
}

}  // namespace

std::string compare_page(const ComparePage& page, const std::vector<Compared>& compared,
                         const std::vector<Accuracy>& accuracies,
                         const std::vector<std::string>& left_out) {
  std::vector<const Compared*> all;
  CompareMotion any;
  for (const Compared& one : compared) {
    all.push_back(&one);
    any.multipliers = std::max(any.multipliers, one.field.motion.multipliers);
  }
  const Table over = over_problems(compared, accuracies);
  return html_page(
      {}, {page.path, page.title + " compared with the catalogue", page.tags},
      fill_template("compare", {{"title", page.title},
                                {"command", page.command},
                                {"explanation", compare_explanation(compared)},
                                {"over", over.rows.empty() ? PageData() : table_data(over)},
                                {"profiles", page.profiles},
                                {"legend", explore_legend(families_in(all), explore_parts(any))},
                                {"problems", problems_data(page, compared, accuracies)},
                                {"lines", left_out}}));
}

}  // namespace daemark
