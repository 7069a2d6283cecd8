#include "experiments/compare/explore_field.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>

#include "analysis/tags/tags.hpp"
#include "experiments/compare/shelf.hpp"

namespace daemark {
namespace {

constexpr std::array part_ids = {"q", "v", "lambda"};
constexpr std::array part_labels = {"relative error of q", "relative error of v",
                                    "relative error of λ"};

ExplorePart part_of(const Compared& one, std::size_t part) {
  ExplorePart out{part_ids[part], part_labels[part], {}};
  const std::vector<const CompareLine*> front = front_of(one, part);
  for (const CompareLine& line : one.lines) {
    ExploreCurve curve;
    curve.name = line.name(), curve.method = method_of(line.method);
    curve.family = family_of(line.method);
    curve.front = line.is_new || std::find(front.begin(), front.end(), &line) != front.end();
    curve.ours = line.is_new;
    curve.dashed =
        line.slope[0] != line.slope[0] && line.method.find(" with control") != std::string::npos;
    curve.x = line.work;
    for (const double error : line.error[part]) curve.y.push_back(error <= 1 ? error : NAN);
    out.curves.push_back(std::move(curve));
  }
  return out;
}

bool follows_tolerances(const Compared& one, const CompareLine& line) {
  for (const CompareEntry& entry : one.field.entries)
    if (entry.method == line.method) return entry.controlled;
  return false;
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

int family_of(const std::string& sweep) {
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
      const auto k = static_cast<std::size_t>(family_of(line.method));
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
  for (std::size_t part = 0; part < part_ids.size(); ++part) {
    plot.parts.push_back(part_of(one, part));
    for (std::size_t i = 0; i < one.lines.size(); ++i)
      plot.parts.back().curves[i].dashed = follows_tolerances(one, one.lines[i]);
  }
  for (const std::string& h : one.field.motion.h) plot.knobs.push_back("h = " + h + " s");
  for (const std::string& tol : compare_tolerances) plot.dashed_knobs.push_back("tolerance " + tol);
  return plot;
}

std::vector<std::pair<std::string, std::string>> explore_parts(const CompareMotion& motion) {
  std::vector<std::pair<std::string, std::string>> parts = {{"q", "q"}, {"v", "v"}};
  if (motion.multipliers > 0) parts.emplace_back("lambda", "λ");
  return parts;
}

}  // namespace daemark
