#include "experiments/cells/support/reference_curve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "analysis/run/watched_run.hpp"
#include "analysis/setup/bound_run.hpp"
#include "base/input/fields.hpp"
#include "base/program/digest.hpp"
#include "base/program/once.hpp"
#include "base/program/paths.hpp"
#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/read_double.hpp"
#include "experiments/cells/support/cell_kind.hpp"
#include "experiments/cells/support/model_print.hpp"
#include "experiments/cells/support/problem_shape.hpp"
#include "problems/system/registry.hpp"

namespace daemark {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

Fields<CurveRoute> fields_of_route() {
  return Fields<CurveRoute>()
      .required("method", &CurveRoute::method)
      .required("h", &CurveRoute::h)
      .required("every", &CurveRoute::every, 1, 1000000)
      .optional("settings", &CurveRoute::settings);
}

/// The key `truth` of a cell: the first route, the end, and the second route.
struct Truth : CurveRoute {
  std::string t_end;
  CurveRoute second;
};
const Fields<Truth>& fields_of_truth() {
  static const auto fields = Fields<Truth>()
                                 .required("method", &Truth::method)
                                 .required("h", &Truth::h)
                                 .required("every", &Truth::every, 1, 1000000)
                                 .required("t_end", &Truth::t_end)
                                 .required("second", &Truth::second, fields_of_route())
                                 .optional("settings", &Truth::settings);
  return fields;
}

json route_json(const CurveRoute& route) {
  return {{"method", canonical_call(route.method, "method")},
          {"h", route.h},
          {"every", route.every},
          {"settings", route.settings}};
}

json request_json(const CurveRequest& request) {
  return {{"problem", problem_shape(request.problem)->name},
          {"formulation", canonical_call(request.formulation, "formulation")},
          {"from", request.from},
          {"t_end", request.t_end},
          {"first", route_json(request.first)},
          {"second", route_json(request.second)}};
}

OutputCurve run_route(const CurveRequest& request, const CurveRoute& route) {
  RunRequest run_request;
  run_request.problem = request.problem;
  run_request.formulation = request.formulation;
  run_request.method = route.method;
  run_request.h = Expression::parse(route.h, "h");
  run_request.t_end = Expression::parse(request.t_end, "t_end");
  run_request.settings = route.settings;
  run_request.settings.emplace("newton.tol", "strict");
  run_request.repeat = 0;
  return run_outputs(BoundRun(run_request), Expression::parse(request.from, "from").eval<double>(),
                     route.every)
      .first;
}

/// To what a file holds, so that the run that computes a curve uses the same as later ones.
void round_as_stored(ReferenceCurve& curve) {
  for (auto& [name, values] : curve.values)
    for (double& x : values) x = double_of(fmt::format("{:.9g}", x));
}

/// Points are equidistant; their times follow from the first and the spacing.
void place(ReferenceCurve& curve, double first, double spacing, std::size_t points) {
  curve.spacing = spacing;
  curve.t.resize(points);
  for (std::size_t i = 0; i < points; ++i) curve.t[i] = first + spacing * static_cast<double>(i);
}

ReferenceCurve compute(const CurveRequest& request) {
  ReferenceCurve curve;
  static_cast<OutputCurve&>(curve) = run_route(request, request.first);
  if (curve.status != "ok" || curve.t.size() < 2) return curve;
  place(curve, curve.t.front(),
        (curve.t.back() - curve.t.front()) / static_cast<double>(curve.t.size() - 1),
        curve.t.size());
  const OutputCurve other = run_route(request, request.second);
  for (const auto& [name, values] : curve.values) {
    double most = 0, disagreement = 0;
    const auto found = other.values.find(name);
    for (std::size_t i = 0; i < values.size(); ++i) {
      most = std::max(most, std::abs(values[i]));
      const bool there = other.status == "ok" && i < found->second.size() &&
                         std::abs(other.t[i] - curve.t[i]) < 1e-6 * curve.spacing;
      disagreement = std::max(disagreement, there ? std::abs(found->second[i] - values[i]) : most);
    }
    curve.disagreement[name] = disagreement / most;
  }
  round_as_stored(curve);
  return curve;
}

/// In the folder of results.
fs::path file_of(const json& key, bool committed) {
  const fs::path folder = committed ? "curves" : ".local/curves";
  const std::string problem = key.at("problem");
  return folder /
         (problem.substr(0, problem.find('(')) + "-" + digest(key.dump()).substr(0, 12) + ".json");
}

/// Nothing where the file is missing, damaged or of another model.
bool read(const fs::path& path, const json& key, const std::vector<double>& model,
          ReferenceCurve& curve) {
  if (!fs::exists(path)) return false;
  try {
    const json file = parse_json_file(path.string());
    if (file.at("request") != key || !same_model(file.at("model"), model)) return false;
    const double first = file.at("first"), spacing = file.at("spacing");
    for (const auto& [name, values] : file.at("values").items())
      curve.values[name] = values.get<std::vector<double>>();
    place(curve, first, spacing, curve.values.begin()->second.size());
    curve.disagreement = file.at("apart").get<std::map<std::string, double>>();
    return true;
  } catch (const std::exception&) {  // computed anew
    curve = {};
    return false;
  }
}

void write(const json& key, const std::vector<double>& model, const ReferenceCurve& curve) {
  constexpr std::size_t most = 13000;
  write_if_changed(results_root() / file_of(key, curve.t.size() <= most),
                   json{{"request", key},
                        {"model", model},
                        {"first", curve.t.front()},
                        {"spacing", curve.spacing},
                        {"apart", curve.disagreement},
                        {"values", curve.values}}
                           .dump() +
                       "\n");
}

}  // namespace

std::pair<OutputCurve, RunResult> run_outputs(const BoundRun& run, double from, long every) {
  const auto mechanism = run.problem.make<double>();
  const std::vector<OutputInfo>& outputs = mechanism->outputs();
  std::pair<OutputCurve, RunResult> out;
  OutputCurve& curve = out.first;
  for (const OutputInfo& output : outputs) curve.values[output.id];
  long count = 0;
  double before = from;
  out.second = watched_run(run, [&](const OutputSample& sample) {
    const double rounding = 1e-6 * (sample.t - before);
    before = sample.t;
    if (count++ % every != 0 || sample.t < from - rounding) return;
    curve.t.push_back(sample.t);
    for (std::size_t i = 0; i < outputs.size(); ++i)
      curve.values[outputs[i].id].push_back(sample.outputs[i]);
  });
  curve.status = out.second.status, curve.why = out.second.why;
  return out;
}

CurveRequest curve_request(const Cell& cell, const json& truth) {
  const Truth read = fields_of_truth().read(truth, "truth");
  return {cell.problem, cell.formulation, cell.text("from"), read.t_end, read, read.second};
}

long ReferenceCurve::at(double time) const {
  if (t.empty()) return -1;
  const double place = (time - t.front()) / spacing, nearest = std::round(place);
  const bool there =
      nearest >= 0 && nearest < static_cast<double>(t.size()) && std::abs(place - nearest) < 1e-3;
  return there ? static_cast<long>(nearest) : -1;
}

std::shared_ptr<const ReferenceCurve> reference_curve(const CurveRequest& request) {
  static OncePerKey<ReferenceCurve> known;
  const json key = request_json(request);
  return known.get(key.dump(), [&] {
    const double t_end = Expression::parse(request.t_end, "t_end").eval<double>();
    const std::vector<double> model = model_print(request.problem, t_end);
    ReferenceCurve curve;
    for (const bool committed : {true, false})
      if (read(known_result(file_of(key, committed)), key, model, curve)) return curve;
    curve = compute(request);
    if (curve.spacing > 0) write(key, model, curve);
    return curve;
  });
}

}  // namespace daemark
