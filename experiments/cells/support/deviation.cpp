#include "experiments/cells/support/deviation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/input/fields.hpp"
#include "base/program/once.hpp"
#include "experiments/cells/support/integration.hpp"

namespace daemark {
namespace {

struct Sampled {
  std::vector<double> t, y;
};

/// Runs of references, kept since many cells compare with the same one.
std::shared_ptr<const Sampled> reference_curve(const Cell& cell, const Against& against,
                                               const std::vector<std::string>& components) {
  static OncePerKey<Sampled> known;
  Cell other = run_of(cell, {{"history_every", 1}});
  other.method = against.method;
  other.h = {against.h};
  other.settings = against.settings;
  other.settings.emplace("newton.tol", "strict");
  return known.get(canonical(other) + against.series, [&]() -> Sampled {
    const CellResult result = from_run(run(run_request(other)), components);
    if (!result.ok()) return {};
    return {result.series.at("t"), series_of(cell, result, "against", against.series)};
  });
}

/// Lagrange's cubic through the four nearest points of an equidistant curve.
double at_time(const Sampled& curve, double t) {
  const double h = (curve.t.back() - curve.t.front()) / static_cast<double>(curve.t.size() - 1);
  const double place = (t - curve.t.front()) / h;
  const double last = static_cast<double>(curve.t.size()) - 4;
  const double first = std::clamp(std::floor(place) - 1, 0.0, std::max(0.0, last));
  const std::size_t base = static_cast<std::size_t>(first);
  double sum = 0;
  for (int i = 0; i < 4; ++i) {
    double weight = 1;
    for (int j = 0; j < 4; ++j) {
      if (j != i) weight *= (place - first - j) / (i - j);
    }
    sum += weight * curve.y[base + i];
  }
  return sum;
}

int quarter_of(double t, double begin, double end) {
  const double part = end > begin ? 4 * (t - begin) / (end - begin) : 0;
  return std::clamp(static_cast<int>(part), 0, 3);
}

void add_energy(CellResult& result) {
  const std::vector<double>& t = result.series["t"];
  const std::vector<double>& e = result.series["energy_error"];
  if (e.size() < 2) return;
  const auto [least, most] = std::minmax_element(e.begin(), e.end());
  result.measures["energy_error_upper"] = *most;
  result.measures["energy_error_lower"] = *least;
  double way = 0;
  double sums[4] = {}, counts[4] = {};
  for (std::size_t i = 0; i < e.size(); ++i) {
    if (i > 0) way += std::abs(e[i] - e[i - 1]);
    const int quarter = quarter_of(t[i], t.front(), t.back());
    sums[quarter] += e[i];
    counts[quarter] += 1;
  }
  if (*most > *least) result.measures["energy_error_jitter"] = way / (*most - *least);
  for (int k = 0; k < 4; ++k) {
    if (counts[k] > 0)
      result.measures[fmt::format("energy_error_mean{}", k + 1)] = sums[k] / counts[k];
  }
}

}  // namespace

namespace {

const Fields<Against>& fields_of_against() {
  static const auto fields = Fields<Against>()
                                 .required("series", &Against::series)
                                 .required("method", &Against::method)
                                 .required("h", &Against::h)
                                 .optional("settings", &Against::settings);
  return fields;
}

Against against(const nlohmann::json& in) { return fields_of_against().read(in, "against"); }

}  // namespace

std::optional<Against> against_of(const Cell& cell) {
  const nlohmann::json value = cell.object("against");
  return value.is_null() ? std::nullopt : std::optional(against(value));
}

nlohmann::json against_identity(const nlohmann::json& value) {
  const Against found = against(value);
  return {{"series", found.series},
          {"method", canonical_call(found.method, "method")},
          {"h", found.h},
          {"settings", found.settings}};
}

void add_deviation(const Cell& cell, const std::vector<std::string>& components,
                   CellResult& result) {
  constexpr double visible = 0.01;  // of the largest value: what a reader of a plot can see
  const Against against = against_of(cell).value();
  add_energy(result);
  const auto reference = reference_curve(cell, against, components);
  const auto ours = result.series.find(against.series);
  if (reference->t.size() < 4 || ours == result.series.end() || ours->second.empty()) return;
  double scale = 0;
  for (const double y : reference->y) scale = std::max(scale, std::abs(y));
  const std::vector<double>& t = result.series["t"];
  std::vector<double> deviation, expected;
  double squares = 0, largest[4] = {};
  double departs = std::numeric_limits<double>::quiet_NaN();  // never
  for (std::size_t i = 0; i < t.size(); ++i) {
    expected.push_back(at_time(*reference, t[i]));
    deviation.push_back((ours->second[i] - expected.back()) / scale);
    const double size = std::abs(deviation.back());
    squares += size * size;
    double& quarter = largest[quarter_of(t[i], t.front(), t.back())];
    quarter = std::max(quarter, size);
    if (size > visible && std::isnan(departs)) departs = t[i];
  }
  result.measures["deviation_max"] = *std::max_element(std::begin(largest), std::end(largest));
  result.measures["deviation_rms"] = std::sqrt(squares / static_cast<double>(t.size()));
  result.measures["departs_at"] = departs;
  for (int k = 0; k < 4; ++k) {
    result.measures[fmt::format("deviation_quarter{}", k + 1)] = largest[k];
  }
  result.series["deviation"] = std::move(deviation);
  result.series["reference_" + against.series] = std::move(expected);
}

}  // namespace daemark
