// Cells of kind "mutual": pairwise differences between methods.
//
// Keys: runs (object: a name → {method, h[, t_end, settings]}, over those of the cell), outputs
// (texts), from, split (texts: times, as in kind "outputs"). Two runs are compared at the times of
// [from, t_end] that are step ends of both.
//
// For every output X, the largest over all pairs:
//   mutual_X         √(Σ (x − y)² / Σ (x² + y²)/2), eq. (26) of Zhang 2022 with neither as the
//                    right one; mutual_before_X: up to `split`
//   between_X        max |x − y| / max |x| over all runs and times, the height of a figure that
//                    shows them; between_before_X: the differences up to `split` alone
//   typical_X        the median over all pairs of between_X, typical_before_X of between_before_X
// compared: the runs that reach t_end; those that do not are left out.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/setup/bound_run.hpp"
#include "base/input/fields.hpp"
#include "base/program/stop.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/cells/support/cell_kind.hpp"
#include "experiments/cells/support/integration.hpp"
#include "experiments/cells/support/measure_names.hpp"
#include "experiments/cells/support/reference_curve.hpp"

namespace daemark {
namespace {

using nlohmann::json;

/// The runs as cells of kind "integration": what a run says of itself, over what the cell says.
std::vector<Cell> runs_of(const Cell& cell) {
  struct Run {
    std::string method, h, t_end;
    std::map<std::string, std::string> settings;
  };
  static const auto fields = Fields<Run>()
                                 .required("method", &Run::method)
                                 .required("h", &Run::h)
                                 .optional("t_end", &Run::t_end)
                                 .optional("settings", &Run::settings);
  std::vector<Cell> out;
  const json runs = cell.object("runs");
  for (const auto& [name, in] : runs.items()) {
    const Run run = fields.read(in, "runs, " + name);
    Cell one = cell;
    one.method = run.method, one.h = {run.h};
    if (in.contains("t_end")) one.t_end = run.t_end;
    for (const auto& [key, value] : run.settings) one.settings[key] = value;
    out.push_back(run_of(one, json::object()));
  }
  return out;
}

struct Distance {
  double difference = 0, size = 0, most = 0;
  void add(double x, double y) {
    difference += (x - y) * (x - y), size += (x * x + y * y) / 2;
    most = std::max(most, std::abs(x - y));
  }
  double relative() const { return size > 0 ? std::sqrt(difference / size) : 0; }
};

class Comparison {
 public:
  Comparison(const Cell& cell, CellResult& result)
      : end_(number(cell.t_end, "t_end")),
        split_(cell.text("split").empty() ? end_ : number(cell.text("split"), "split")),
        measures_(result.measures) {}

  void compare(const std::string& name, const std::vector<OutputCurve>& curves) {
    double height = 0;
    for (const OutputCurve& curve : curves)
      for (const double x : curve.values.at(name)) height = std::max(height, std::abs(x));
    for (const char* measure : {"mutual_", "mutual_before_", "between_", "between_before_"})
      measures_[measure + name] = 0;
    between_.clear(), before_.clear();
    for (std::size_t i = 0; i < curves.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) pair(name, curves[i], curves[j], height);
    measures_["typical_" + name] = median(between_);
    measures_["typical_before_" + name] = median(before_);
  }

 private:
  void pair(const std::string& name, const OutputCurve& a, const OutputCurve& b, double height) {
    const std::vector<double>&x = a.values.at(name), &y = b.values.at(name);
    Distance all, before;
    constexpr double same = 1e-9;
    for (std::size_t i = 0, j = 0; i < x.size() && j < y.size();) {
      const double apart = a.t[i] - b.t[j];
      if (apart > same) ++j;
      if (apart < -same) ++i;
      if (std::abs(apart) > same) continue;
      if (a.t[i] <= end_ + same) all.add(x[i], y[j]);
      if (a.t[i] <= split_ + same) before.add(x[i], y[j]);
      ++i, ++j;
    }
    take("mutual_" + name, all.relative());
    take("mutual_before_" + name, before.relative());
    take("between_" + name, all.most / height);
    take("between_before_" + name, before.most / height);
    between_.push_back(all.most / height), before_.push_back(before.most / height);
  }
  static double median(std::vector<double> x) {
    if (x.empty()) return 0;
    const auto middle = x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2);
    std::nth_element(x.begin(), middle, x.end());
    return *middle;
  }
  void take(const std::string& measure, double value) {
    measures_[measure] = std::max(measures_[measure], value);
  }

  double end_, split_;
  std::vector<double> between_, before_;  ///< of one output, by pair
  std::map<std::string, double>& measures_;
};

CellResult run_mutual(const Cell& cell) {
  CellResult result;
  std::vector<OutputCurve> curves;
  for (const Cell& one : runs_of(cell)) {
    checkpoint();
    RunRequest request = run_request(one);
    request.repeat = 0;
    auto [curve, run] = run_outputs(BoundRun(request), number(cell.text("from"), "from"), 1);
    for (const auto& [name, count] : from_run(run, {}).counts) result.counts[name] += count;
    if (run.status == "ok") curves.push_back(std::move(curve));
    if (!is_outcome(run.status) && result.take_status(run.status)) result.why = run.why;
  }
  result.t = number(cell.t_end, "t_end");
  result.measures["compared"] = static_cast<double>(curves.size());
  Comparison comparison(cell, result);
  for (const std::string& name : cell.texts("outputs")) comparison.compare(name, curves);
  return result;
}

void check(const Cell& cell) {
  check_outputs(cell);
  const std::vector<Cell> runs = runs_of(cell);
  if (runs.size() < 2) throw BadInput("kind 'mutual' compares several runs: two or more");
  for (const Cell& one : runs) check_span(one);
}

Commands commands_of(const Cell& cell) {
  Commands commands;
  for (const Cell& one : runs_of(cell)) commands.push_back(integration_command(one));
  return commands;
}

}  // namespace

void register_mutual_cell(CellKinds& kinds) {
  using Type = CellKey::Type;
  CellKind kind;
  kind.id = "mutual";
  kind.keys = {required(key_problem()),
               required({"formulation", Type::call}),
               required({"t_end"}),
               required({"runs", Type::object}),
               required({"outputs", Type::texts}),
               required({"from"}),
               {"split"},
               {"precision"},
               {"settings", Type::settings}};
  kind.measures = {{"{mutual,between,typical}_*", "", nullptr,
                    [](const Cell& cell) { return cell.texts("outputs"); }},
                   {"{mutual,between,typical}_before_*", "", nullptr,
                    [](const Cell& cell) { return cell.texts("outputs"); }},
                   {"compared", ""},
                   count_measures()};
  kind.compute = run_mutual;
  kind.commands = commands_of;
  // An element costs some ten times what a coordinate of a planar mechanism does.
  kind.cost = [](const Cell& cell) {
    double cost = 0;
    for (const Cell& one : runs_of(cell)) cost += 10 * integration_cost(one);
    return cost;
  };
  kind.keeps_series = false;
  kind.check_more = check;
  kind.uses_more = [](const Cell& cell, CellUses& uses) {
    for (const Cell& one : runs_of(cell)) uses.methods.push_back(one.method);
  };
  kinds.add(std::move(kind));
}

}  // namespace daemark
