#include "problems/mechanism/other_start.hpp"

#include <fmt/format.h>

#include "base/text/bad_input.hpp"

namespace daemark {
namespace {

const Mechanism& declared(const MechanicalSystem<double>& system, const std::string& problem) {
  const auto* recorded = dynamic_cast<const RecordedSystem<double>*>(&system);
  if (recorded == nullptr)
    throw BadInput(problem + " begins at its own start alone; accepted: a recorded mechanism");
  return recorded->mechanism();
}

/// Orientations go into the charts.
void place(Mechanism& mechanism, const OtherStart& start) {
  mechanism.q0 = start.q, mechanism.v0 = start.v;
  if (mechanism.charts.empty()) return;
  const RecordedSystem<real50> system(std::make_shared<const Mechanism>(mechanism));
  std::vector<real50> q_ref(start.q.begin(), start.q.end()), v_ref(start.v.begin(), start.v.end());
  std::vector<real50> q(q_ref.size()), v(v_ref.size()), numbers(system.chart_size());
  system.from_reference(q_ref.data(), v_ref.data(), q.data(), v.data(), numbers.data());
  mechanism.q0.assign(q.begin(), q.end()), mechanism.v0.assign(v.begin(), v.end());
  auto number = numbers.begin();
  for (Chart& chart : mechanism.charts)
    for (wide& held : chart.numbers) held = wide(*number++);
}

MechanismMakers started(const MechanismMakers& form, const OtherStart& start,
                        const std::string& problem) {
  MechanismMakers makers = recorded_makers([=] {
    const auto system = form.in_double();
    auto mechanism = std::make_shared<Mechanism>(declared(*system, problem));
    place(*mechanism, start);
    return std::shared_ptr<const Mechanism>(std::move(mechanism));
  });
  if (!form.in_real50) makers.in_real50 = {};
  return makers;
}

int coordinates_of(const MechanismMakers& form) { return form.in_double()->coordinates(); }

/// What minimal coordinates show.
OtherStart shown_by(const MechanicalPtr<real50>& minimal, const OtherStart& start) {
  const std::vector<real50> q(start.q.begin(), start.q.end()), v(start.v.begin(), start.v.end());
  std::vector<real50> q_ref(minimal->reference_coordinates()), v_ref(q_ref.size());
  MotionPoint<real50> point{real50(0), q.data(), v.data()};
  minimal->to_reference(point, q_ref.data(), v_ref.data());
  return {{q_ref.begin(), q_ref.end()}, {v_ref.begin(), v_ref.end()}};
}

}  // namespace

bool is_minimal_start(const Problem& problem, std::size_t coordinates) {
  return problem.has_minimal() &&
         coordinates_of(problem.absolute) != static_cast<int>(coordinates) &&
         coordinates_of(problem.minimal) == static_cast<int>(coordinates);
}

Problem starting_at(Problem problem, const OtherStart& start) {
  const bool minimal = is_minimal_start(problem, start.q.size());
  const int n = coordinates_of(problem.absolute);
  if (start.v.size() != start.q.size() || (!minimal && static_cast<int>(start.q.size()) != n))
    throw BadInput(fmt::format(
        "initial state has {} positions and {} velocities, accepted: {} of each for {}{}",
        start.q.size(), start.v.size(), n, problem.name,
        problem.has_minimal()
            ? fmt::format(", or {} in its minimal coordinates", coordinates_of(problem.minimal))
            : ""));
  const auto in_minimal = problem.minimal.in_real50;
  const bool same = problem.has_minimal() && coordinates_of(problem.minimal) == n &&
                    problem.make<double>()->constraints() == 0;
  problem.minimal =
      minimal || same ? started(problem.minimal, start, problem.name) : MechanismMakers{};
  problem.absolute =
      started(problem.absolute, minimal ? shown_by(in_minimal(), start) : start, problem.name);
  problem.series = {}, problem.closed_form = {}, problem.bodies = {};
  return problem;
}

}  // namespace daemark
