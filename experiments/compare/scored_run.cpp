#include "experiments/compare/scored_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/input/strict_json.hpp"
#include "base/numbers/expression.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/printable.hpp"
#include "experiments/terminal/text.hpp"

namespace daemark {
namespace {

using nlohmann::json;

/// A number under a key that need not be there.
double number_or_missing(const json& in, const char* key) {
  return in.contains(key) && in[key].is_number() ? in[key].get<double>() : missing;
}

std::string cost_text(const json& cost) {
  std::string text;
  for (const auto& [key, value] : cost.items())
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", key, value.dump());
  return text;
}

}  // namespace

ScoredRun read_scored_run(const std::string& file) {
  const json in = parse_json_file(file);
  const std::string where = printable(file, 200);
  require_keys(in, where,
               {"name", "problem", "formulation", "rows", "t_start", "t_end", "times", "measures",
                "not_judged"},
               {"cost"});
  ScoredRun run;
  run.name = get_string(in, "name", where);
  run.problem = get_string(in, "problem", where);
  run.formulation = get_string(in, "formulation", where);
  for (const json& time : get_array(in, "times", where)) {
    const json& errors = get_object(time, "errors", where + ", times");
    const Expression t = Expression::parse(get_string(time, "t", where + ", times"), "t");
    run.errors[t.as_rational()] = {number_or_missing(errors, "error_q"),
                                   number_or_missing(errors, "error_v"),
                                   number_or_missing(errors, "error_lambda")};
  }
  const json& measures = get_object(in, "measures", where);
  run.energy = number_or_missing(measures, "energy_error_max");
  run.position = number_or_missing(measures, "position_violation_max");
  run.velocity = number_or_missing(measures, "velocity_violation_max");
  if (in.contains("cost")) run.cost = cost_text(get_object(in, "cost", where));
  return run;
}

std::optional<CompareLine> scored_line(const ScoredRun& run, const CompareField& field,
                                       const std::vector<Accuracy>& accuracies) {
  if (run.problem != field.motion.problem || run.formulation != field.formulation) return {};
  const auto at = run.errors.find(Expression::parse(field.motion.t_end, "t-end").as_rational());
  if (at == run.errors.end()) return {};
  CompareLine line;
  line.method = run.name, line.scored = true;
  line.status = run.cost.empty() ? "scored" : "scored, cost stated by its author: " + run.cost;
  line.slope = {missing, missing, missing};
  line.work = {missing};
  for (std::size_t part = 0; part < line.error.size(); ++part) {
    const double scale = field.motion.scale()[part];
    line.error[part] = {scale > 0 ? at->second[part] / scale : missing};
  }
  line.energy = run.energy, line.position = run.position, line.velocity = run.velocity;
  line.residuals = line.factorizations = missing;
  line.reached.resize(accuracies.size());
  line.rank.resize(accuracies.size());
  return line;
}

std::string scored_lines(const std::vector<Compared>& compared, std::size_t from) {
  constexpr std::size_t shown = 3;
  std::string text;
  for (std::size_t i = from; i < compared.size(); ++i)
    for (const CompareLine& line : compared[i].lines) {
      if (!line.scored) continue;
      std::vector<std::pair<double, std::string>> cheapest;
      for (const CompareLine& other : compared[i].lines)
        if (const auto found = reach(other.work, other.error[0], line.error[0].front());
            !other.scored && found)
          cheapest.emplace_back(found->work, other.name() + " " + found->text());
      std::sort(cheapest.begin(), cheapest.end());
      text += fmt::format("  {}  {}: q {}, v {}, lambda {} ({})\n", compared[i].field.formulation,
                          line.method, brief(line.error[0].front()), brief(line.error[1].front()),
                          brief(line.error[2].front()), line.status);
      cheapest.resize(std::min(shown, cheapest.size()));
      std::string names;
      for (const auto& [work, name] : cheapest) names += (names.empty() ? "" : ", ") + name;
      text += "    as accurate in q: " + (names.empty() ? "nobody" : names) + "\n";
    }
  return text;
}

}  // namespace daemark
