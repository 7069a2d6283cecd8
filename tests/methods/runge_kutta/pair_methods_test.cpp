// Nyström and additive methods on mechanisms: orders that tests/conformance does not see, step-size
// control, what they refuse.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "analysis/reference/taylor_reference.hpp"
#include "analysis/setup/bound_run.hpp"
#include "methods/catalogue/registry.hpp"
#include "problems/files/mechanism_file.hpp"
#include "tests/support/method_bench.hpp"
#include "tests/support/observed_order.hpp"
#include "tests/support/refusal.hpp"

namespace daemark {
namespace {

using test::MethodBench;
using test::ObservedOrder;

/// A mechanism of a file, in the registry under its id.
void add_file(const std::string& name, const std::string& text) {
  const auto file = std::filesystem::path(testing::TempDir()) / (name + ".json");
  std::string json = text;
  for (char& c : json)
    if (c == '\'') c = '"';
  std::ofstream(file, std::ios::binary) << json;
  add_mechanism_file(file, problem_registry());
}

/// A pendulum as one angle: no force depends on its velocity. Two links with a stiff joint between.
void add_problems() {
  static const bool done = [] {
    add_file(
        "one_angle",
        "{'id': 'one_angle', 'kind': 'planar', 'source': 'test', 'gravity': '9.81',"
        " 'bodies': [{'name': 'rod', 'mass': 2, 'inertia': '1/6', 'theta': '1/3', 'omega': 1}],"
        " 'elements': [{'type': 'revolute', 'bodies': ['ground', 'rod'],"
        "               'points': [[0, 0], ['-1/2', 0]]}]}");
    add_file("stiff_links",
             "{'id': 'stiff_links', 'kind': 'planar', 'source': 'test', 'gravity': '9.81', "
             "'bodies': [{'name': 'a', 'mass': 1, 'inertia': '1/12', 'theta': '1/3'},            "
             "{'name': 'b', 'mass': 1, 'inertia': '1/12', 'theta': '1/2', 'omega': 1}], "
             "'elements': [  {'type': 'revolute', 'bodies': ['ground', 'a'], 'points': [[0, 0], "
             "['-1/2', 0]]},  {'type': 'revolute', 'bodies': ['a', 'b'], 'points': [['1/2', 0], "
             "['-1/2', 0]]},  {'type': 'torsion_spring', 'bodies': ['a', 'b'], 'stiffness': 20,   "
             "'free_angle': 0, 'stiff': true},  {'type': 'torsion_damper', 'bodies': ['ground', "
             "'a'], 'coefficient': '1/5'}]}");
    return true;
  }();
  (void)done;
}

const TaylorState<real50>& reference(const std::string& problem) {
  static std::map<std::string, TaylorState<real50>> known;
  const auto found = known.find(problem);
  if (found != known.end()) return found->second;
  const auto mechanism = problem_registry().make(problem).make<real50>();
  std::vector<real50> q(mechanism->coordinates()), v(q.size());
  mechanism->initial(q.data(), v.data());
  return known
      .emplace(problem,
               TaylorIntegrator<real50>(*mechanism).integrate(0, q, v, {real50(0.25)}).front())
      .first->second;
}

/// Errors of positions and velocities at 1/4 s after so many steps.
double error_after(const std::string& problem, const std::string& formulation,
                   const std::string& method, int steps) {
  MethodBench<real50> bench(problem, formulation, method, "1/4/" + std::to_string(steps), "1/4");
  const auto stepper = bench.started();
  for (int i = 0; i < steps; ++i)
    if (stepper->step().status != Status::ok) return NAN;
  const TaylorState<real50>& exact = reference(problem);
  std::vector<real50> q(exact.q.size()), v(q.size());
  bench.cell.mechanism->to_reference(bench.cell.motion(stepper->state()), q.data(), v.data());
  real50 sum = 0;
  for (std::size_t i = 0; i < q.size(); ++i) {
    const real50 dq = real50(q[i]) - exact.q[i], dv = real50(v[i]) - exact.v[i];
    sum += dq * dq + dv * dv;
  }
  return std::sqrt(to_double(sum));
}

void expect_order(const std::string& problem, const std::string& formulation,
                  const std::string& method, int first_steps = 8) {
  ObservedOrder observed(1e-27);
  for (int steps = first_steps; steps <= 512 && !observed.order(); steps *= 2)
    observed.add(error_after(problem, formulation, method, steps));
  EXPECT_EQ(observed.order(), method_registry().info(method).claims.order)
      << method << " on " << formulation << ": " << observed.text();
}

TEST(NystromMethods, HaveTheirOrderWhereAccelerationsDependOnPositions) {
  add_problems();
  for (const char* method : {"nystrom_4_positions", "nystrom_5_positions", "dprkn_4", "bettis_5",
                             "dprkn_6fm", "dprkn_8", "demba_4", "demba_5"})
    expect_order("one_angle", "minimal", method, method == std::string("dprkn_8") ? 1 : 8);
}

TEST(NystromMethods, RefuseWhatTheyCannotTake) {
  add_problems();
  const auto refused = [](const std::string& problem, const std::string& formulation,
                          const std::string& method, const std::string& says) {
    EXPECT_THAT(
        test::refusal([&] { MethodBench<double>(problem, formulation, method, "1/100", "1/10"); }),
        testing::HasSubstr(says))
        << method << " on " << problem << " " << formulation;
  };
  refused("two_link", "minimal", "dprkn_6fm", "must not depend on velocities");
  refused("one_angle", "index1", "dprkn_6fm", "must not depend on velocities");
  refused("two_link", "index3", "fine_5", "determines no constraint");
  refused("two_link", "ggl", "fine_5", "other rates");
  refused("two_link", "index1", "ark4_3_6l", "declare stiff");
  refused("stiff_links", "index2", "ark4_3_6l", "determines no constraint");
}

TEST(NystromMethods, ControlTheStepByTheirPairs) {
  add_problems();
  MethodBench<double> bench("one_angle", "minimal", "dprkn_6fm", "1/4", "1/4",
                            {{"control.tol", "1e-7"}});
  const auto stepper = bench.started();
  // The embedded formulas have order 4 in q and v: the estimates fall with h^5, 32 a halving.
  std::vector<double> estimates[2];
  for (const double h : {0.125, 0.0625}) {
    ASSERT_EQ(stepper->attempt(h).status, Status::ok);
    const std::vector<double>& error = stepper->error_estimate();
    ASSERT_EQ(error.size(), 2u);
    for (int c = 0; c < 2; ++c) estimates[c].push_back(std::abs(error[c]));
  }
  for (const auto& estimate : estimates) EXPECT_NEAR(std::log2(estimate[0] / estimate[1]), 5, 0.7);
}

TEST(AdditiveMethods, HaveTheirOrderOnAStiffMechanism) {
  add_problems();
  for (const char* method : {"ark3_2_4l", "ark4_3_6l"})
    for (const char* formulation : {"index1", "minimal"})
      expect_order("stiff_links", formulation, method);
}

// With one stiff force alone among all, the implicit part is the whole of the accelerations, and
// an additive step is one of the implicit tableau on q' = v, v' = f.
TEST(AdditiveMethods, TreatStiffForcesImplicitly) {
  add_problems();
  // h = 1/4 with ω = sqrt(k/J) of some 1e4: an explicit step would multiply it by 1e9.
  add_file("very_stiff",
           "{'id': 'very_stiff', 'kind': 'planar', 'source': 'test', 'gravity': '9.81', 'bodies': "
           "[{'name': 'a', 'mass': 1, 'inertia': '1/12', 'theta': '1/3'}], 'elements': [{'type': "
           "'revolute', 'bodies': ['ground', 'a'],               'points': [[0, 0], ['-1/2', "
           "0]]},  {'type': 'torsion_spring', 'bodies': ['ground', 'a'], 'stiffness': '1e8',   "
           "'free_angle': '1/3', 'stiff': true}]}");
  for (const char* formulation : {"index1", "minimal"}) {
    MethodBench<double> bench("very_stiff", formulation, "ark4_3_6l", "1/4", "10");
    const auto stepper = bench.started();
    for (int i = 0; i < 40; ++i) ASSERT_EQ(stepper->step().status, Status::ok);
    std::vector<double> q(3), v(3);
    bench.cell.mechanism->to_reference(bench.cell.motion(stepper->state()), q.data(), v.data());
    // The equilibrium: k (θ - 1/3) = -m g cos(θ)/2, some 5e-8 rad below the start.
    EXPECT_NEAR(q[2], 1.0 / 3, 1e-6) << formulation;
  }
}

}  // namespace
}  // namespace daemark
