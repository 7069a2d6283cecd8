// Cells of kind "outputs": runs of large problems, of which only the quantities they name are kept,
// set against a reference curve at the same times (reference_curve.hpp).
//
// Keys: outputs (texts), from (text: where what is measured begins), split (text: a time between),
// ripple (text: the length of a window [s]), truth (object, the reference), history_every (N: of
// every 2 N points the least and the largest value go into the series, so that what swings between
// them is still seen).
//
// One step size, for every output X over the times from `from` to the end of the reference:
//   error_X          √(Σ (x_j − x(t_j))² / Σ x(t_j)²), eq. (26) of Zhang 2022; error_before_X and
//                    error_after_X: of the times up to `split` and after it
//   deviation_X      max |x_j − x(t_j)| / max |x(t)|; departs_X the first time that is above 1 %
//   largest_X        max |x|; size_after_X, likeness_after_X: √(Σx²/Σx(t)²) and
//                    Σ x x(t)/√(Σx² Σx(t)²) after `split`: an amplitude, and what a shift of phase
//                    takes from 1
//   way_X            Σ |x_{j+1} − x_j|, against that of the reference at the same times
//   ripple_X         what is faster than the windows: the root mean square of x beside the straight
//                    lines that fit it best in each; it needs no reference. lasts_X: the time in
//                    windows where it is above a tenth of the window that has the most of it
//   reaches_X        the first time at which |x| is above a tenth of max |x(t)|; swings_X: how
//                    often x changes its sign after that
//   apart_X          how far the two routes of the reference are apart, max relative to max |x(t)|;
//                    above 1 % there is no reference to measure against: what is relative to it is
//                    left out, so that nothing is decided by it
// and what every run has. A run that fails has what it passed (departs_X, reaches_X, and
// error_before_X where it came that far), not what is of the whole time. Series: t_X, X,
// reference_X, deviation_X.
// Several: series h, h_sub (over the stages) and error_X; slope_X by least squares over the steps
// that reached the end, slope_last_X between the finest two and, where there are more,
// slope_first_X between the coarsest two.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/run/slope.hpp"
#include "analysis/setup/bound_run.hpp"
#include "base/input/strict_json.hpp"
#include "base/program/progress.hpp"
#include "base/program/stop.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/cells/support/cell_kind.hpp"
#include "experiments/cells/support/integration.hpp"
#include "experiments/cells/support/measure_names.hpp"
#include "experiments/cells/support/reference_curve.hpp"
#include "methods/catalogue/registry.hpp"

namespace daemark {
namespace {

using nlohmann::json;

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

/// Sums over the times at which there is a reference.
struct Sums {
  double error = 0, ours = 0, truth = 0, product = 0;
  void add(double x, double reference) {
    error += (x - reference) * (x - reference);
    ours += x * x, truth += reference * reference, product += x * reference;
  }
  double relative() const { return truth > 0 ? std::sqrt(error / truth) : nothing; }
  double size() const { return truth > 0 ? std::sqrt(ours / truth) : nothing; }
  double likeness() const { return ours * truth > 0 ? product / std::sqrt(ours * truth) : nothing; }
};

/// Indices of the least and the largest value of every 2 · every points, in their order.
std::vector<std::size_t> thinned(const std::vector<double>& x, std::size_t every) {
  std::vector<std::size_t> kept;
  for (std::size_t first = 0; first < x.size(); first += 2 * every) {
    const auto begin = x.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = x.begin() + static_cast<std::ptrdiff_t>(std::min(x.size(), first + 2 * every));
    const auto [least, most] = std::minmax_element(begin, end);
    const auto low = static_cast<std::size_t>(least - x.begin());
    const auto high = static_cast<std::size_t>(most - x.begin());
    kept.push_back(std::min(low, high));
    if (low != high) kept.push_back(std::max(low, high));
  }
  return kept;
}

double largest(const std::vector<double>& x) {
  double most = 0;
  for (const double value : x) most = std::max(most, std::abs(value));
  return most;
}

/// Where |x| first exceeds `bound`, the size of x where it never does.
std::size_t first_beyond(const std::vector<double>& x, double bound) {
  const auto found =
      std::find_if(x.begin(), x.end(), [bound](double value) { return std::abs(value) > bound; });
  return static_cast<std::size_t>(found - x.begin());
}

/// Σ of squares beside the least-squares line through points first..last.
double beside_line(const OutputCurve& curve, const std::vector<double>& x, std::size_t first,
                   std::size_t last) {
  const auto count = static_cast<double>(last - first);
  double t = 0, mean = 0, tt = 0, tx = 0, sum = 0;
  for (std::size_t i = first; i < last; ++i) t += curve.t[i] / count, mean += x[i] / count;
  for (std::size_t i = first; i < last; ++i) {
    tt += (curve.t[i] - t) * (curve.t[i] - t);
    tx += (curve.t[i] - t) * (x[i] - mean);
  }
  const double slope = tt > 0 ? tx / tt : 0;
  for (std::size_t i = first; i < last; ++i) {
    const double rest = x[i] - mean - slope * (curve.t[i] - t);
    sum += rest * rest;
  }
  return sum;
}

struct Ripple {
  double mean = nothing;   ///< root mean square over all windows
  double lasts = nothing;  ///< [s] time in windows whose own is above a tenth of the largest
};

/// Over windows of at least three points; the last, shorter one is left out.
Ripple ripple_of(const OutputCurve& curve, const std::vector<double>& x, double window) {
  double sum = 0, points = 0, most = 0;
  std::vector<std::pair<double, double>> windows;  // mean square, length
  for (std::size_t first = 0, i = 0; i < x.size(); ++i) {
    const double length = curve.t[i] - curve.t[first];
    if (length < window * (1 - 1e-9)) continue;
    if (i - first >= 3) {
      const double squares = beside_line(curve, x, first, i);
      sum += squares;
      points += static_cast<double>(i - first);
      windows.emplace_back(squares / static_cast<double>(i - first), length);
      most = std::max(most, windows.back().first);
    }
    first = i;
  }
  if (points == 0) return {};
  Ripple ripple{std::sqrt(sum / points), 0};
  for (const auto& [mean_square, length] : windows)
    if (mean_square > most / 100) ripple.lasts += length;
  return ripple;
}

/// The reference at the times of a curve; NaN where it has none.
std::vector<double> truth_along(const std::string& name, const OutputCurve& curve,
                                const ReferenceCurve& reference) {
  std::vector<double> truth;
  for (const double t : curve.t) {
    const long at = reference.at(t);
    truth.push_back(at < 0 ? nothing : reference.values.at(name)[at]);
  }
  return truth;
}

/// What a run that ended before `split`, or before its end, says nothing of.
void leave_out(const std::string& name, bool reached_split, std::map<std::string, double>& m) {
  for (const char* whole : {"error_", "error_after_", "size_after_", "likeness_after_", "largest_",
                            "deviation_", "way_", "ripple_", "lasts_", "swings_"})
    m[whole + name] = nothing;
  if (!reached_split) m["error_before_" + name] = nothing;
}

/// Times of a cell.
struct Span {
  double split, window;  ///< window: NaN where there is none
  bool reached_end = true;
};

/// One output of one run against the reference.
void compare(const std::string& name, const OutputCurve& curve, const ReferenceCurve& reference,
             const Span& span, std::size_t every, CellResult& result) {
  const std::vector<double>& x = curve.values.at(name);
  const auto apart = reference.disagreement.find(name);
  constexpr double believed = 0.01;
  const bool trusted = apart != reference.disagreement.end() && apart->second <= believed;
  const std::vector<double> truth =
      trusted ? truth_along(name, curve, reference) : std::vector<double>(x.size(), nothing);
  const double scale =
      reference.t.empty() || !trusted ? nothing : largest(reference.values.at(name));
  Sums all, before, after;
  double most = 0, way = 0, true_way = 0;
  std::ptrdiff_t last = -1;  // at which there was a reference
  std::vector<double> off;
  for (std::size_t i = 0; i < x.size(); ++i) {
    off.push_back((x[i] - truth[i]) / scale);
    if (std::isnan(truth[i])) continue;
    all.add(x[i], truth[i]);
    (curve.t[i] <= span.split ? before : after).add(x[i], truth[i]);
    most = std::max(most, std::abs(off[i]));
    if (last >= 0) way += std::abs(x[i] - x[last]), true_way += std::abs(truth[i] - truth[last]);
    last = static_cast<std::ptrdiff_t>(i);
  }
  const auto time_at = [&](std::size_t i) { return i < curve.t.size() ? curve.t[i] : nothing; };
  const std::size_t reaches = first_beyond(x, scale / 10);
  double swings = std::isnan(scale) ? nothing : 0;
  for (std::size_t i = reaches + 1; i < x.size(); ++i) swings += x[i] * x[i - 1] < 0 ? 1 : 0;
  auto& m = result.measures;
  m["error_" + name] = all.relative(), m["error_before_" + name] = before.relative();
  m["error_after_" + name] = after.relative(), m["size_after_" + name] = after.size();
  m["likeness_after_" + name] = after.likeness(), m["largest_" + name] = largest(x);
  m["deviation_" + name] = std::isnan(scale) ? nothing : most;
  m["departs_" + name] = time_at(first_beyond(off, 0.01));
  m["way_" + name] = true_way > 0 ? way / true_way : nothing;
  m["reaches_" + name] = time_at(reaches), m["swings_" + name] = swings;
  if (!std::isnan(span.window)) {
    const Ripple ripple = ripple_of(curve, x, span.window);
    m["ripple_" + name] = ripple.mean, m["lasts_" + name] = ripple.lasts;
  }
  m["apart_" + name] = apart == reference.disagreement.end() ? nothing : apart->second;
  if (!span.reached_end) leave_out(name, !curve.t.empty() && curve.t.back() >= span.split, m);
  if (every == 0) return;
  for (const std::size_t i : thinned(x, every)) {
    result.series["t_" + name].push_back(curve.t[i]);
    result.series[name].push_back(x[i]);
    result.series["reference_" + name].push_back(truth[i]);
    result.series["deviation_" + name].push_back(off[i]);
  }
}

double last_time(const Cell& cell) {
  return number(get_string(cell.object("truth"), "t_end", "truth"), "t_end");
}

CellResult one_run(const Cell& cell, const std::string& h) {
  RunRequest request = run_request(run_of(cell, json::object()));
  request.h = Expression::parse(h, "h");
  request.repeat = 0;
  const auto [curve, run] = run_outputs(BoundRun(request), number(cell.text("from"), "from"), 1);
  CellResult result = from_run(run, {});
  result.q.clear(), result.v.clear(), result.a.clear(), result.lambda.clear();
  if (const auto steps = result.counts.find("steps"); steps != result.counts.end())
    result.counts["sub_steps"] = steps->second * method_registry().make(cell.method)->cost_stages();
  const auto reference = reference_curve(curve_request(cell, cell.object("truth")));
  const auto every = static_cast<std::size_t>(cell.whole("history_every"));
  const auto time = [&](const char* key, double otherwise) {
    return cell.text(key).empty() ? otherwise : number(cell.text(key), key);
  };
  const Span span{time("split", last_time(cell)), time("ripple", nothing), run.status == "ok"};
  for (const std::string& name : cell.texts("outputs"))
    compare(name, curve, *reference, span, every, result);
  return result;
}

CellResult study(const Cell& cell) {
  CellResult result;
  const double stages = method_registry().make(cell.method)->cost_stages();
  std::map<std::string, std::vector<double>> reached_error;
  std::vector<double> reached;
  ProgressParts parts(run_sizes(cell.h));
  for (const std::string& h : cell.h) {
    checkpoint();
    const ProgressShare share = parts.next();
    const CellResult one = one_run(cell, h);
    if (result.take_status(one.status)) {
      result.why = fmt::format("at h = {}: {}", h, one.why);
      result.t = one.t;
    }
    if (one.ok()) result.t = one.t, reached.push_back(number(h, "h"));
    result.series["h"].push_back(number(h, "h"));
    result.series["h_sub"].push_back(number(h, "h") / stages);
    for (const std::string& name : cell.texts("outputs")) {
      const double error = one.ok() ? one.measures.at("error_" + name) : nothing;
      result.series["error_" + name].push_back(error);
      if (one.ok()) reached_error[name].push_back(error);
      result.measures["apart_" + name] = one.measures.at("apart_" + name);
    }
    for (const auto& [name, count] : one.counts) result.counts[name] += count;
  }
  for (const auto& [name, error] : reached_error) {
    const auto part = [](const std::vector<double>& x, bool first) {
      return first ? std::vector<double>(x.begin(), x.begin() + 2)
                   : std::vector<double>(x.end() - 2, x.end());
    };
    result.measures["slope_" + name] = log_log_slope(reached, error);
    if (reached.size() < 2) continue;
    if (reached.size() > 2)  // else it is the other one
      result.measures["slope_first_" + name] =
          log_log_slope(part(reached, true), part(error, true));
    result.measures["slope_last_" + name] = log_log_slope(part(reached, false), part(error, false));
    result.measures["error_first_" + name] = error.front();
    result.measures["error_last_" + name] = error.back();
  }
  return result;
}

CellResult run_outputs_cell(const Cell& cell) {
  return is_study(cell) ? study(cell) : one_run(cell, cell.h.front());
}

void check(const Cell& cell) {
  curve_request(cell, cell.object("truth"));
  check_outputs(cell);
  check_span(cell);
}

Commands commands_of(const Cell& cell) {
  Commands commands;
  Cell one = run_of(cell, json::object());
  for (const std::string& h : cell.h) one.h = {h}, commands.push_back(integration_command(one));
  return commands;
}

void use_truth(const Cell& cell, CellUses& uses) {
  const CurveRequest truth = curve_request(cell, cell.object("truth"));
  uses.methods.push_back(truth.first.method), uses.methods.push_back(truth.second.method);
}

std::vector<CellMeasure> output_measures() {
  const auto runs = [](const Cell& cell) { return !is_study(cell); };
  const auto outputs = [](const Cell& cell) { return cell.texts("outputs"); };
  return {{"{error,error_before,error_after,deviation,size_after,likeness_after,way}_*", "", runs,
           outputs},
          {"{departs,reaches,lasts}_*", "s", runs, outputs},
          {"{largest,ripple}_*", "?", runs, outputs},
          {"swings_*", "", runs, outputs},
          {"{slope,slope_first,slope_last,error_first,error_last}_*", "", is_study, outputs},
          {"apart_*", "", nullptr, outputs},
          {"sub_steps", ""}};
}

}  // namespace

void register_outputs_cell(CellKinds& kinds) {
  using Type = CellKey::Type;
  CellKind kind;
  kind.id = "outputs";
  kind.keys =
      run_keys() +
      std::vector<CellKey>{required({"from"}),
                           required({"truth", Type::object}),
                           required({"outputs", Type::texts}),
                           {"split"},
                           {.name = "ripple", .identity = CellKey::Identity::where_given},
                           {.name = "history_every", .type = Type::whole, .second_routes = false}};
  kind.measures = output_measures() + std::vector<CellMeasure>{count_measures()} + end_measures();
  kind.compute = run_outputs_cell;
  kind.commands = commands_of;
  // An element costs some ten times what a coordinate of a planar mechanism does.
  kind.cost = [](const Cell& cell) { return 10 * integration_cost(cell); };
  kind.refusable = true;
  kind.check_more = check;
  kind.uses_more = use_truth;
  kinds.add(std::move(kind));
}

}  // namespace daemark
