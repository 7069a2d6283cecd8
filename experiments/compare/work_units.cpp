#include "experiments/compare/work_units.hpp"

#include <nlohmann/json.hpp>

#include "base/input/call.hpp"
#include "base/program/paths.hpp"
#include "base/program/write_file.hpp"
#include "base/text/read_double.hpp"
#include "experiments/compare/shelf.hpp"
#include "methods/catalogue/registry.hpp"
#include "problems/system/registry.hpp"

namespace daemark {
namespace {

using nlohmann::json;

/// By problem and formulation.
json measured(const char* file) {
  const auto text = read_text(source_root() / "experiments" / "compare" / file);
  return text ? json::parse(*text) : json::object();
}

/// Of the problem as it is without arguments.
const json* measured_of(const json& all, const CompareField& field) {
  const std::string& call = field.motion.problem;
  const auto problem = all.find(parse_call(call, "problem").id);
  if (problem == all.end() || call != problem_registry().make(problem.key()).name) return nullptr;
  const auto found = problem->find(field.formulation);
  return found == problem->end() ? nullptr : &*found;
}

std::vector<double> weighted_sum_of(const json& weights, const CompareEntry& entry) {
  const std::string call = method_of(entry.method);
  const bool rates = !call.empty() && method_registry().make(call)->is_explicit();
  const std::pair<const char*, const char*> kinds[] = {
      {"evaluations", rates ? "rates" : "residual"},
      {"jacobians", "jacobian"},
      {"factorizations", "factorization"},
      {"pairs", "pair"}};
  std::vector<double> sum;
  for (const auto& [series, weight] : kinds) {
    const auto found = entry.result->series.find(series);
    if (found == entry.result->series.end()) return {};
    const double each = double_of(weights.at(weight).get<std::string>());
    sum.resize(found->second.size());
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += each * found->second[i];
  }
  return sum;
}

}  // namespace

std::vector<double> work_in(WorkUnit unit, const CompareField& field, const CompareEntry& entry) {
  static const json weights = measured("weights.json"), ratios = measured("time_ratios.json");
  if (!entry.result) return {};
  const auto evaluations = entry.result->series.find("evaluations");
  if (evaluations == entry.result->series.end()) return {};
  if (unit == WorkUnit::evaluations) return evaluations->second;
  const json* const own = measured_of(weights, field);
  if (!own) return {};
  std::vector<double> work = weighted_sum_of(*own, entry);
  if (unit == WorkUnit::weighted) return work;
  const json* const ratio = measured_of(ratios, field);
  if (!ratio || !ratio->contains(entry.method)) return {};
  for (double& x : work) x *= ratio->at(entry.method).get<double>();
  return work;
}

WorkUnit ranking_unit(const CompareField& field) {
  for (const CompareEntry& entry : field.entries)
    if (!work_in(WorkUnit::evaluations, field, entry).empty() &&
        work_in(WorkUnit::weighted, field, entry).empty())
      return WorkUnit::evaluations;
  return WorkUnit::weighted;
}

std::string work_label(const CompareField& field) {
  return ranking_unit(field) == WorkUnit::weighted ? "work in index-1 residual evaluations"
                                                   : "residual evaluations";
}

}  // namespace daemark
