#include "experiments/cells/support/work_curve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "base/input/strict_json.hpp"
#include "base/text/bad_input.hpp"

namespace daemark {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();
constexpr int targets[] = {3, 4, 6, 8};
constexpr const char* amounts[] = {"work", "evaluations", "jacobians", "factorizations", "pairs"};

bool weighted(const Cell& cell) { return !cell.object("weights").is_null(); }

/// What one of each costs; without, `work` is not there.
std::map<std::string, double> weights_of(const Cell& cell) {
  const nlohmann::json own = cell.object("weights");
  std::map<std::string, double> weights;
  if (own.is_null()) return weights;
  require_keys(own, "weights", {"evaluation", "jacobian", "factorization", "pair"}, {});
  for (const auto& [key, text] : own.items()) {
    weights[key + "s"] = get_expression(own, key, "weights").eval<double>();
    if (!(weights[key + "s"] > 0)) throw BadInput(fmt::format("weights, {}: a number > 0", key));
  }
  return weights;
}

/// What the runs had done where the polyline of logarithms first falls to `target`.
void add_amounts(double target, int power, CellResult& result) {
  const std::vector<double>& error = result.series["error_q"];
  std::size_t last = error.size(), at = 0;
  for (; at < error.size() && !(is_error(error[at]) && error[at] <= target); ++at)
    if (is_error(error[at])) last = at;
  for (const char* name : amounts) {
    const auto done = result.series.find(name);
    if (done == result.series.end()) continue;
    double& measure = result.measures[fmt::format("{}_{}", name, power)] = missing;
    if (at == error.size()) continue;
    const std::vector<double>& work = done->second;
    if (last == error.size()) {  // nothing coarser: as much or less
      measure = work[at];
      result.measures[fmt::format("at_most_{}_{}", name, power)] = 1;
      continue;
    }
    const double part = std::log(error[last] / target) / std::log(error[last] / error[at]);
    measure = work[last] > 0 ? work[last] * std::pow(work[at] / work[last], part) : 0;
  }
}

}  // namespace

CellKey key_weights() {
  return {
      .name = "weights", .type = CellKey::Type::object, .identity = CellKey::Identity::where_given};
}

std::vector<CellMeasure> curve_measures() {
  return {{"least_error", ""},
          {"work_{3,4,6,8}", "", weighted},
          {"at_most_work_{3,4,6,8}", "", weighted},
          {"{evaluations,jacobians,factorizations,pairs}_{3,4,6,8}", ""},
          {"at_most_{evaluations,jacobians,factorizations,pairs}_{3,4,6,8}", ""}};
}

void check_weights(const Cell& cell) { weights_of(cell); }

bool is_error(double error) { return error > 0 && std::isfinite(error); }

void add_work(const Cell& cell, CellResult& result) {
  if (!weighted(cell)) return;
  double& work = result.series["work"].emplace_back(0);
  for (const auto& [kind, weight] : weights_of(cell)) work += weight * result.series[kind].back();
}

void read_curve(CellResult& result) {
  for (const int k : targets) add_amounts(std::pow(10.0, -k), k, result);
  double least = missing;
  for (const double e : result.series["error_q"])
    if (std::isfinite(e)) least = std::isnan(least) ? e : std::min(least, e);
  result.measures["least_error"] = least;
}

}  // namespace daemark
