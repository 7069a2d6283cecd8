#include "experiments/compare/compare_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "analysis/run/slope.hpp"
#include "base/numbers/expression.hpp"
#include "experiments/terminal/text.hpp"
#include "problems/formulations/formulation.hpp"

namespace daemark {
namespace {

double norm(const std::vector<std::string>& values) {
  double sum = 0;
  for (const std::string& text : values) sum += std::pow(std::stod(text), 2);
  return std::sqrt(sum);
}

/// Slopes of q, v, λ where steps are fixed.
struct Errors {
  std::vector<double> q, v, lambda;
  std::array<double, 3> scale{};  ///< sizes of q, v, λ at the end of the finest run
};

void add_slopes(CompareLine& line, const CompareField& field, const Errors& errors) {
  const int index = Formulation::parse(field.formulation).info.index;
  const double span = Expression::parse(field.t_end, "t_end").eval<double>();
  const auto slope = [&](const std::vector<double>& error, int level) {
    RoundOff round_off;
    round_off.unit = unit_roundoff<double>(), round_off.span = span;
    round_off.scale = errors.scale[static_cast<std::size_t>(level)];
    round_off.power = round_off_power(level, index);
    round_off.reference = round_off.scale * std::pow(10, -field.reference_digits);
    const SlopeFit fit = fit_slope(line.h, error, round_off);
    return fit.verdict == SlopeVerdict::pre_asymptotic ? missing : fit.slope;
  };
  line.slope_q = slope(errors.q, 0);
  line.slope_v = slope(errors.v, 1);
  line.slope_lambda = slope(errors.lambda, 2);
}

CompareLine line_of(const CompareField& field, const CompareField::Entry& entry,
                    const RunnerReport& report) {
  CompareLine line;
  line.method = entry.method;
  line.is_new = entry.is_new;
  line.status = "ok";
  line.slope_q = line.slope_v = line.slope_lambda = line.error_v = missing;
  Errors errors;
  for (const Cell& cell : entry.cells) {
    const std::string key = canonical(cell);
    const CellResult result = report.results.contains(key) ? report.results.at(key) : CellResult{};
    if (!result.ok()) line.status = result.status;
    if (result.ok()) errors.scale = {norm(result.q), norm(result.v), norm(result.lambda)};
    const auto measure = [&](const char* name) {
      return result.ok() && result.measures.contains(name) ? result.measures.at(name) : missing;
    };
    const auto count = [&](const char* name) {
      return result.counts.contains(name) ? result.counts.at(name) : 0L;
    };
    line.h.push_back(Expression::parse(cell.h.front(), "h").eval<double>());
    errors.q.push_back(measure("error_q"));
    errors.v.push_back(measure("error_v"));
    errors.lambda.push_back(measure("error_lambda"));
    line.error.push_back(errors.q.back() / field.way);
    line.energy.push_back(measure("energy_error_max"));
    line.position.push_back(measure("position_violation_max"));
    line.velocity.push_back(measure("velocity_violation_max"));
    line.work.push_back(static_cast<double>(count("residual_evals")));
    line.time.push_back(result.ok() && result.seconds > 0 ? result.seconds : missing);
    line.error_v = errors.v.back();
    line.residuals = result.ok() ? count("residual_evals") : 0;
    line.factorizations = result.ok() ? count("factorizations") : 0;
  }
  if (!entry.controlled) add_slopes(line, field, errors);
  for (std::size_t k = 0; k < compare_targets.size(); ++k)
    line.reached[k] = reach(line.work, line.error, compare_targets[k]);
  return line;
}

/// Equal work has equal rank; what takes at most so much stands before what takes as much.
void rank(std::vector<CompareLine>& lines) {
  for (std::size_t k = 0; k < compare_targets.size(); ++k)
    for (CompareLine& line : lines) {
      if (!line.reached[k]) continue;
      line.rank[k] = 1;
      for (const CompareLine& other : lines)
        if (other.reached[k] && other.reached[k]->work < line.reached[k]->work) ++line.rank[k];
    }
}

/// Number of targets reached: they are nested.
std::size_t depth(const CompareLine& line) {
  std::size_t count = 0;
  while (count < line.reached.size() && line.reached[count]) ++count;
  return count;
}

double finest_error(const CompareLine& line) {
  double least = std::numeric_limits<double>::infinity();
  for (const double e : line.error) least = std::min(least, e);  // keeps it where e is NaN
  return least;
}

bool before(const CompareLine& a, const CompareLine& b) {
  if (depth(a) != depth(b)) return depth(a) > depth(b);
  if (depth(a) > 0) {
    const double x = a.reached[depth(a) - 1]->work, y = b.reached[depth(b) - 1]->work;
    if (x != y) return x < y;
  }
  return finest_error(a) < finest_error(b);
}

std::string number(double value) {
  return std::isfinite(value) ? fmt::format("{:.2e}", value) : "-";
}
std::string slope_entry(double value) {
  if (std::isnan(value)) return "-";
  const std::string text = fmt::format("{:.1f}", value);
  return text == "-0.0" ? "0.0" : text;
}

/// "≤ 120 (3.)"
std::string reach_text(const CompareLine& line, std::size_t k) {
  if (!line.reached[k]) return "-";
  return fmt::format("{}{:.0f} ({}.)", line.reached[k]->at_most ? "≤ " : "", line.reached[k]->work,
                     line.rank[k]);
}

double last(const std::vector<double>& values) { return values.empty() ? missing : values.back(); }

std::string caption(const CompareField& field) {
  return fmt::format("{}, {}, t = {} s, h = {} to {} s", field.problem, field.formulation,
                     field.t_end, field.h.front(), field.h.back());
}

}  // namespace

std::optional<Reach> reach(const std::vector<double>& work, const std::vector<double>& error,
                           double target) {
  double last_work = missing, last_error = missing;
  for (std::size_t i = 0; i < work.size(); ++i) {
    if (!std::isfinite(error[i])) continue;
    if (error[i] <= target) {
      if (!(last_error > target) || error[i] == 0) return Reach{work[i], true};
      const double part = std::log(last_error / target) / std::log(last_error / error[i]);
      return Reach{last_work * std::pow(work[i] / last_work, part), false};
    }
    last_work = work[i], last_error = error[i];
  }
  return std::nullopt;
}

std::vector<CompareLine> compare_lines(const CompareField& field, const RunnerReport& report) {
  std::vector<CompareLine> lines;
  for (const auto& entry : field.entries) lines.push_back(line_of(field, entry, report));
  rank(lines);
  std::stable_sort(lines.begin(), lines.end(), before);
  return lines;
}

Table compare_table(const CompareField& field, const std::vector<CompareLine>& lines) {
  Table table;
  table.caption = caption(field);
  table.head = {"method"};
  for (const double target : compare_targets)
    table.head.push_back(fmt::format("work to {:.0e}", target));
  table.head.insert(
      table.head.end(),
      {"error q", "error v", "slope q", "slope v", "slope λ", "energy error [J]",
       "position violation", "velocity violation", "residuals", "factorizations", "status"});
  for (const CompareLine& line : lines) {
    const bool ran = line.residuals > 0;
    std::vector<std::string> row = {(line.is_new ? "→ " : "") + line.method};
    for (std::size_t k = 0; k < compare_targets.size(); ++k) row.push_back(reach_text(line, k));
    row.insert(row.end(),
               {number(last(line.error)), number(line.error_v), slope_entry(line.slope_q),
                slope_entry(line.slope_v), slope_entry(line.slope_lambda),
                number(last(line.energy)), number(last(line.position)), number(last(line.velocity)),
                ran ? std::to_string(line.residuals) : "-",
                ran ? std::to_string(line.factorizations) : "-", line.status});
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table compare_summary(const CompareField& field, const std::vector<CompareLine>& lines) {
  constexpr std::size_t best = 5;
  Table table;
  table.caption = fmt::format("{} ({} methods)", caption(field), lines.size());
  table.head = {"method"};
  for (const double target : compare_targets) table.head.push_back(fmt::format("{:.0e}", target));
  table.head.insert(table.head.end(), {"error q", "slope q", "time [ms]", "status"});
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const CompareLine& line = lines[i];
    if (i >= best && !line.is_new) continue;
    std::vector<std::string> row = {
        fmt::format("{}. {}{}", i + 1, line.is_new ? "→ " : "", line.method)};
    for (std::size_t k = 0; k < compare_targets.size(); ++k) row.push_back(reach_text(line, k));
    const double time = last(line.time);
    row.insert(row.end(),
               {number(last(line.error)), slope_entry(line.slope_q),
                std::isnan(time) ? "-" : fmt::format("{:.3g}", 1e3 * time), line.status});
    table.rows.push_back(std::move(row));
  }
  return table;
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

std::vector<Profile> profiles_of(const std::vector<CompareField>& fields,
                                 const std::vector<std::vector<CompareLine>>& lines) {
  std::map<std::string, Profile> by_formulation;
  std::map<std::string, std::map<std::string, Profile::Curve>> curves;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    Profile& profile = by_formulation[fields[i].formulation];
    profile.formulation = fields[i].formulation;
    for (const CompareLine& line : lines[i]) {
      Profile::Curve& curve = curves[profile.formulation][line.method];
      curve.method = line.method, curve.is_new = line.is_new;
    }
    for (std::size_t k = 0; k < compare_targets.size(); ++k) {
      double least = std::numeric_limits<double>::infinity();
      for (const CompareLine& line : lines[i])
        if (line.reached[k]) least = std::min(least, line.reached[k]->work);
      if (!std::isfinite(least) || least <= 0) continue;
      ++profile.instances;
      for (const CompareLine& line : lines[i])
        if (line.reached[k])
          curves[profile.formulation][line.method].ratios.push_back(line.reached[k]->work / least);
    }
  }
  std::vector<Profile> profiles;
  for (auto& [formulation, profile] : by_formulation) {
    if (profile.instances == 0) continue;
    for (auto& [method, curve] : curves[formulation]) {
      std::sort(curve.ratios.begin(), curve.ratios.end());
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

Table profile_table(const Profile& profile) {
  constexpr double factors[] = {1, 2, 4, 10};
  Table table;
  table.caption = fmt::format("Performance profile, {}: {} pairs of a problem and an accuracy",
                              profile.formulation, profile.instances);
  table.head = {"method", "least work", "within 2", "within 4", "within 10", "reached"};
  const auto percent = [](double share) { return fmt::format("{:.0f} %", 100 * share); };
  for (const Profile::Curve& curve : profile.curves) {
    std::vector<std::string> row = {(curve.is_new ? "→ " : "") + curve.method};
    for (const double factor : factors)
      row.push_back(percent(curve.share(factor, profile.instances)));
    row.push_back(percent(curve.share(std::numeric_limits<double>::infinity(), profile.instances)));
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table profile_summary(const Profile& profile) {
  constexpr std::size_t best = 5;
  Table table = profile_table(profile);
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    if (i >= best && !profile.curves[i].is_new) continue;
    rows.push_back(table.rows[i]);
    rows.back().front() = fmt::format("{}. {}", i + 1, rows.back().front());
  }
  table.rows = std::move(rows);
  return table;
}

}  // namespace daemark
