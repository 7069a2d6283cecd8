#include "analysis/linear/mode_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/reference/reference.hpp"
#include "base/text/bad_input.hpp"
#include "problems/system/registry.hpp"

namespace daemark {
namespace {

struct LinearisationPoint {
  double t;
  std::vector<double> q, v, chart;
};

LinearisationPoint start_of(const Problem& problem, const MechanicalSystem<double>& mechanism) {
  LinearisationPoint point{
      problem.start.eval<double>(), std::vector<double>(mechanism.coordinates()),
      std::vector<double>(mechanism.coordinates()), std::vector<double>(mechanism.chart_size())};
  mechanism.initial(point.q.data(), point.v.data());
  mechanism.initial_chart(point.chart.data());
  return point;
}

/// On the reference motion; six digits are more than a linearisation is worth.
LinearisationPoint at_time(const Problem& problem, const Expression& t,
                           const MechanicalSystem<double>& mechanism) {
  constexpr int digits = 6;
  const ReferenceState state = reference_states(problem, {t.text()}, digits, false, false).front();
  LinearisationPoint point{t.eval<double>(), std::vector<double>(mechanism.coordinates()),
                           std::vector<double>(mechanism.coordinates()),
                           std::vector<double>(mechanism.chart_size())};
  std::vector<double> q, v;
  for (const real50& x : state.q) q.push_back(to_double(x));
  for (const real50& x : state.v) v.push_back(to_double(x));
  mechanism.from_reference(q.data(), v.data(), point.q.data(), point.v.data(), point.chart.data());
  return point;
}

double largest(const std::vector<double>& values) {
  double most = 0;
  for (const double x : values) most = std::max(most, std::abs(x));
  return most;
}

}  // namespace

ModeTable mode_table(const ModeRequest& request) {
  const Problem problem = problem_registry().make(request.problem);
  const MechanicalPtr<double> mechanism = problem.make<double>(request.minimal);
  constexpr int most_coordinates = 2500;  // dense matrices
  if (mechanism->coordinates() > most_coordinates)
    throw BadInput(fmt::format("modes: {} has {} coordinates, accepted: at most {}", problem.name,
                               mechanism->coordinates(), most_coordinates));
  if (request.minimal && request.t)
    throw BadInput("modes: --t with minimal coordinates, accepted: the start, or absolute ones");
  const LinearisationPoint point =
      request.t ? at_time(problem, *request.t, *mechanism) : start_of(problem, *mechanism);
  ModeTable table;
  table.problem = problem.name;
  table.t = request.t ? request.t->text() : problem.start.text();
  FrequencyAnalysis analysis(mechanism);
  table.modes = analysis.modes(point.t, point.q.data(), point.v.data(), point.chart.data());
  table.speed = largest(point.v), table.acceleration = largest(analysis.accelerations());
  if (!table.modes.empty()) table.highest = table.modes.back().frequency();
  if (request.count > 0 && request.count < static_cast<int>(table.modes.size()))
    table.modes.resize(request.count);
  std::vector<real50> steps;
  if (!request.methods.empty())
    for (const Mode& mode : table.modes)
      steps.push_back(request.h->eval<real50>() * real50(mode.frequency()));
  for (const std::string& method : request.methods)
    table.methods.push_back(oscillator_steps(method, steps));
  return table;
}

}  // namespace daemark
