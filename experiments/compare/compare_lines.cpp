#include "experiments/compare/compare_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "analysis/run/slope.hpp"
#include "base/input/call.hpp"
#include "base/numbers/expression.hpp"
#include "base/program/paths.hpp"
#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/printable.hpp"
#include "base/text/read_double.hpp"
#include "experiments/compare/sweeps.hpp"
#include "experiments/terminal/text.hpp"
#include "methods/catalogue/registry.hpp"
#include "problems/formulations/formulation.hpp"
#include "problems/system/registry.hpp"

namespace daemark {

namespace {

constexpr const char* parts[] = {"q", "v", "lambda"};

Accuracy read_one(const std::string& text) {
  constexpr const char* accepted =
      "numbers > 0 and < 1, for velocities and multipliers as v:1e-4, lambda:1e-4";
  Accuracy accuracy;
  const std::size_t colon = text.find(':');
  if (colon != std::string::npos) {
    const auto* const found = std::find(std::begin(parts), std::end(parts), text.substr(0, colon));
    if (found == std::end(parts))
      throw BadInput(fmt::format("--accuracy: {}, accepted: {}", in_quotes(text), accepted));
    accuracy.part = static_cast<int>(found - std::begin(parts));
  }
  const std::string number = colon == std::string::npos ? text : text.substr(colon + 1);
  accuracy.value = Expression::parse(number, "--accuracy").eval<double>();
  accuracy.text = printable(number);
  if (!(accuracy.value > 0 && accuracy.value < 1))
    throw BadInput(fmt::format("--accuracy: {}, accepted: {}", in_quotes(text), accepted));
  return accuracy;
}

}  // namespace

std::string Accuracy::name() const {
  constexpr const char* symbols[] = {"q", "v", "λ"};
  return fmt::format("{} to {}", symbols[part], text);
}

std::vector<Accuracy> read_accuracies(const std::string& text) {
  std::vector<Accuracy> accuracies;
  std::size_t from = 0;
  while (true) {
    const std::size_t comma = text.find(',', from);
    const Accuracy one = read_one(text.substr(from, comma - from));
    for (const Accuracy& other : accuracies)
      if (other.part == one.part && other.value == one.value)
        throw BadInput(
            fmt::format("--accuracy: {} is given twice, accepted: each once", other.name()));
    accuracies.push_back(one);
    if (comma == std::string::npos) return accuracies;
    from = comma + 1;
  }
}

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

namespace {

constexpr std::array part_names = {"error_q", "error_v", "error_lambda"};

std::vector<double> series_of(const CellResult& result, const char* name) {
  const auto found = result.series.find(name);
  return found == result.series.end() ? std::vector<double>{} : found->second;
}

double last_of(const CellResult& result, const char* name) {
  const std::vector<double> series = series_of(result, name);
  return series.empty() ? missing : series.back();
}

std::array<double, 3> slopes_of(const CompareField& field, const CellResult& result) {
  const CompareMotion& motion = field.motion;
  const int index = Formulation::parse(field.formulation).info.index;
  std::vector<double> h;
  for (const std::string& text : motion.h) h.push_back(Expression::parse(text, "h").eval<double>());
  std::array<double, 3> slopes{};
  for (std::size_t part = 0; part < slopes.size(); ++part) {
    RoundOff round_off;
    round_off.unit = unit_roundoff<double>(), round_off.span = motion.span;
    round_off.scale = motion.scale()[part];
    round_off.power = round_off_power(static_cast<int>(part), index);
    round_off.reference = round_off.scale * std::pow(10, -motion.reference_digits);
    const std::vector<double> error = series_of(result, part_names[part]);
    slopes[part] = missing;
    if (error.size() != h.size()) continue;
    const SlopeFit fit = fit_slope(h, error, round_off);
    if (fit.verdict != SlopeVerdict::pre_asymptotic) slopes[part] = fit.slope;
  }
  return slopes;
}

std::string status_of(const CellResult& result, const std::vector<double>& error_q) {
  if (!result.ok()) return result.status + (result.why.empty() ? "" : ": " + result.why);
  const auto failed =
      std::count_if(error_q.begin(), error_q.end(), [](double e) { return std::isnan(e); });
  return failed == 0 ? "ok"
                     : fmt::format("{} of {} runs failed, {}", failed, error_q.size(), result.why);
}

CompareLine line_of(const CompareField& field, const CompareEntry& entry,
                    const std::vector<Accuracy>& accuracies, WorkUnit unit) {
  const CellResult& result = *entry.result;
  CompareLine line;
  line.method = entry.method, line.is_new = entry.is_new, line.earlier = entry.earlier;
  line.slope = {missing, missing, missing};
  if (!entry.controlled) line.slope = slopes_of(field, result);
  line.work = work_in(unit, field, entry);
  for (std::size_t part = 0; part < line.error.size(); ++part) {
    line.error[part] = series_of(result, part_names[part]);
    const double scale = field.motion.scale()[part];
    for (double& e : line.error[part]) e = scale > 0 ? e / scale : missing;
  }
  line.status = status_of(result, line.error[0]);
  line.energy = last_of(result, "energy_error");
  line.position = last_of(result, "position_violation");
  line.velocity = last_of(result, "velocity_violation");
  line.residuals = last_of(result, "evaluations");
  line.factorizations = last_of(result, "factorizations");
  line.controlled = entry.controlled;
  const std::vector<std::string>& swept = entry.controlled ? compare_tolerances : field.motion.h;
  for (const Accuracy& accuracy : accuracies) {
    const std::vector<double>& error = line.error[static_cast<std::size_t>(accuracy.part)];
    line.reached.push_back(reach(line.work, error, accuracy.value, true));
    const auto first =
        std::find_if(error.begin(), error.end(), [&](double e) { return e <= accuracy.value; });
    const auto at = static_cast<std::size_t>(first - error.begin());
    line.take.push_back(at < std::min(error.size(), swept.size())
                            ? Expression::parse(swept[at], "step").eval<double>()
                            : missing);
  }
  line.rank.resize(accuracies.size());
  return line;
}

void rank(std::vector<CompareLine>& lines, std::size_t accuracies) {
  for (std::size_t k = 0; k < accuracies; ++k)
    for (CompareLine& line : lines) {
      if (!line.reached[k]) continue;
      line.rank[k] = 1;
      for (const CompareLine& other : lines)
        if (other.reached[k] && other.reached[k]->work < line.reached[k]->work) ++line.rank[k];
    }
}

double least(const std::vector<double>& errors) {
  double out = std::numeric_limits<double>::infinity();
  for (const double e : errors) out = std::min(out, e);  // keeps it where e is NaN
  return out;
}

}  // namespace

std::string text_of(const Reach& reach) {
  return fmt::format("{}{:.0f}", reach.at_most ? "≤ " : "", reach.work);
}

std::vector<CompareLine> compare_lines(const CompareField& field,
                                       const std::vector<Accuracy>& accuracies,
                                       std::optional<WorkUnit> unit) {
  if (!unit) unit = ranking_unit(field);
  std::vector<CompareLine> lines;
  for (const CompareEntry& entry : field.entries)
    if (entry.result && entry.result->status != "refused")
      lines.push_back(line_of(field, entry, accuracies, *unit));
  rank(lines, accuracies.size());
  const auto part = static_cast<std::size_t>(accuracies.front().part);
  std::stable_sort(lines.begin(), lines.end(), [part](const CompareLine& a, const CompareLine& b) {
    const auto &x = a.reached.front(), &y = b.reached.front();
    if (x && y) return x->work < y->work;
    if (x || y) return x.has_value();
    return least(a.error[part]) < least(b.error[part]);
  });
  return lines;
}

std::vector<const CompareLine*> Compared::by_rank(std::size_t k) const {
  std::vector<const CompareLine*> out;
  for (const CompareLine& line : lines)
    if (line.reached[k]) out.push_back(&line);
  std::stable_sort(out.begin(), out.end(),
                   [k](const auto* a, const auto* b) { return a->rank[k] < b->rank[k]; });
  return out;
}

double Profile::Curve::share(double tau, int count) const {
  const auto end = std::upper_bound(ratios.begin(), ratios.end(), tau * (1 + 1e-12));
  return count > 0 ? static_cast<double>(end - ratios.begin()) / count : 0;
}

double Profile::Curve::area(int count) const {
  constexpr double widest = 100;
  double sum = 0;
  for (const double ratio : ratios) sum += std::max(0.0, std::log(widest / ratio));
  return count > 0 ? sum / count / std::log(widest) : 0;
}

std::vector<Profile> profiles_of(const std::vector<Compared>& compared,
                                 std::optional<std::size_t> only) {
  std::map<std::string, Profile> by_formulation;
  std::map<std::string, std::map<std::string, Profile::Curve>> curves;
  for (const Compared& one : compared) {
    Profile& profile = by_formulation[one.field.formulation];
    profile.formulation = one.field.formulation;
    auto& of_methods = curves[profile.formulation];
    for (const CompareLine& line : one.lines) {
      if (line.scored) continue;
      Profile::Curve& curve = of_methods[line.method];
      curve.method = line.method, curve.is_new = line.is_new;
    }
    const std::size_t count = one.lines.empty() ? 0 : one.lines.front().reached.size();
    for (std::size_t k = 0; k < count; ++k) {
      if (only && *only != k) continue;
      const auto ranked = one.by_rank(k);
      if (ranked.empty() || ranked.front()->reached[k]->work <= 0) continue;
      ++profile.instances;
      for (const CompareLine* line : ranked) {
        Profile::Curve& curve = of_methods[line->method];
        curve.ratios.push_back(line->reached[k]->work / ranked.front()->reached[k]->work);
        curve.ranks.push_back(line->rank[k]);
      }
    }
  }
  std::vector<Profile> profiles;
  for (auto& [formulation, profile] : by_formulation) {
    if (profile.instances == 0) continue;
    for (auto& [method, curve] : curves[formulation]) {
      std::sort(curve.ratios.begin(), curve.ratios.end());
      std::sort(curve.ranks.begin(), curve.ranks.end());
      profile.curves.push_back(std::move(curve));
    }
    const int count = profile.instances;
    std::stable_sort(
        profile.curves.begin(), profile.curves.end(),
        [count](const auto& a, const auto& b) { return a.area(count) > b.area(count); });
    profiles.push_back(std::move(profile));
  }
  return profiles;
}

}  // namespace daemark
