#include "experiments/cells/support/reference_curve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "analysis/setup/bound_run.hpp"
#include "base/input/fields.hpp"
#include "base/program/digest.hpp"
#include "base/program/once.hpp"
#include "base/program/paths.hpp"
#include "base/program/write_file.hpp"
#include "base/text/read_double.hpp"
#include "experiments/cells/support/cell_kind.hpp"
#include "problems/system/registry.hpp"

namespace daemark {

namespace {

/// Σ w_i x_i and Σ w_i |x_i| with weights in [1, 2) that no pattern of the model follows.
void add_sums(const std::vector<double>& x, std::vector<double>& print) {
  const double golden = (std::sqrt(5.0) - 1) / 2;
  double sum = 0, size = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double place = golden * static_cast<double>(i + 1);
    const double weight = 1 + place - std::floor(place);
    sum += weight * x[i], size += weight * std::abs(x[i]);
  }
  print.push_back(sum), print.push_back(size);
}

class Probe {
 public:
  explicit Probe(MechanicalSystem<double>& system)
      : system_(system),
        q_(system.coordinates()),
        v_(q_.size()),
        a_(q_.size()),
        lambda_(system.constraints()),
        chart_(system.chart_size()) {
    system.initial(q_.data(), v_.data());
    system.initial_chart(chart_.data());
  }

  /// Away from the start: strained, moving and accelerated.
  void move(double size) {
    for (std::size_t i = 0; i < q_.size(); ++i) {
      const double place = static_cast<double>(i);
      q_[i] += 1e-3 * size * std::sin(place + size);
      v_[i] += 0.1 * size * std::cos(2 * place);
      a_[i] = size * std::sin(3 * place + 1);
    }
    for (std::size_t i = 0; i < lambda_.size(); ++i)
      lambda_[i] = size * std::cos(static_cast<double>(i));
  }

  void add(double t, std::vector<double>& print) {
    std::vector<double> residual(q_.size()), mass(system_.mass_pattern().size()),
        position(lambda_.size()), acceleration(lambda_.size()), outputs(system_.outputs().size());
    const MotionPoint<double> at{t, q_.data(), v_.data(), a_.data(), lambda_.data(), chart_.data()};
    MotionValues<double> out;
    out.residual = residual.data(), out.mass = mass.data();
    out.position = position.data(), out.acceleration = acceleration.data();
    system_.evaluate(at, {}, out);
    system_.output_values(at, outputs.data());
    for (const auto* part : {&residual, &mass, &position, &acceleration, &outputs})
      add_sums(*part, print);
  }

 private:
  MechanicalSystem<double>& system_;
  std::vector<double> q_, v_, a_, lambda_, chart_;
};

}  // namespace

std::vector<double> model_print(const std::string& problem, double t_end) {
  constexpr int times = 7;
  const Problem made = problem_registry().make(problem);
  const double start = made.start.eval<double>();
  const auto system = made.make<double>();
  std::vector<double> print;
  Probe probe(*system);
  const double golden = (std::sqrt(5.0) - 1) / 2;
  for (int k = 0; k <= times; ++k) {  // at no round share of the time, where laws may have breaks
    probe.add(start + (t_end - start) * (k * golden - std::floor(k * golden)), print);
    probe.move(1.0 + k);
  }
  return print;
}

bool same_model(const std::vector<double>& a, const std::vector<double>& b) {
  constexpr double relative = 1e-9, absolute = 1e-7;  // rounding of strains, times stiffness
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i + 1 < a.size(); i += 2) {
    const double bound = absolute + relative * std::max(std::abs(a[i + 1]), std::abs(b[i + 1]));
    for (const std::size_t k : {i, i + 1})
      if (!(std::abs(a[k] - b[k]) <= bound)) return false;
  }
  return true;
}

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
