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

/// What the runs had done where their error first falls to 10^-power.
void add_amounts(int power, CellResult& result) {
  for (const char* name : amounts) {
    const auto done = result.series.find(name);
    if (done == result.series.end()) continue;
    const auto found = reach(done->second, result.series["error_q"], std::pow(10.0, -power));
    result.measures[fmt::format("{}_{}", name, power)] = found ? found->work : missing;
    if (found && found->at_most) result.measures[fmt::format("at_most_{}_{}", name, power)] = 1;
  }
}

}  // namespace

std::optional<Reach> reach(const std::vector<double>& work, const std::vector<double>& error,
                           double target, bool exact) {
  double last_work = missing, last_error = missing;
  for (std::size_t i = 0; i < work.size(); ++i) {
    if (!is_error(error[i]) && !(exact && error[i] == 0)) continue;
    if (error[i] <= target) {
      if (!(last_error > target) || error[i] == 0) return Reach{work[i], true};
      const double part = std::log(last_error / target) / std::log(last_error / error[i]);
      return Reach{last_work > 0 ? last_work * std::pow(work[i] / last_work, part) : 0, false};
    }
    last_work = work[i], last_error = error[i];
  }
  return std::nullopt;
}

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
  for (const int k : targets) add_amounts(k, result);
  double least = missing;
  for (const double e : result.series["error_q"])
    if (std::isfinite(e)) least = std::isnan(least) ? e : std::min(least, e);
  result.measures["least_error"] = least;
}

}  // namespace daemark
