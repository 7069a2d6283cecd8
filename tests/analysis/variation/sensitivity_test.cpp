// Sensitivities of motions that are known functions of a parameter.
#include "analysis/variation/sensitivity.hpp"

#include <gtest/gtest.h>

#include "analysis/reference/reference.hpp"
#include "base/text/bad_input.hpp"
#include "problems/files/mechanism_file.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/tableaus.hpp"

namespace daemark {
namespace {

// A motion from rest under its weight alone depends on √g t: ∂q/∂g = t v/(2 g), and λ grows with g.
void expect_scaling(const std::string& call) {
  SCOPED_TRACE(call);
  const Problem problem = problem_registry().make(call);
  const auto t = Expression::parse("1/2", "t");
  const Sensitivity found = sensitivities(problem, "g", {t}).front();
  EXPECT_GE(found.agreed_digits, 30);
  const ReferenceState state = fresh_reference(problem, "1/2", 40);
  real50 g = 0;
  for (const Datum& datum : problem.data)
    if (datum.name == "g") g = datum.numbers.front().exact().eval<real50>();
  ASSERT_GT(g, 0);
  ASSERT_EQ(found.derivative.q.size(), state.q.size());
  for (std::size_t i = 0; i < state.q.size(); ++i) {
    const real50 known = state.v[i] / (4 * g);
    EXPECT_LT(to_double(real50(abs(found.derivative.q[i] - known))), 1e-33) << i;
  }
}

TEST(Sensitivity, ToGravityIsATimeScale) {
  for (const char* call : {"pendulum", "two_link", "chain(n=3)"}) expect_scaling(call);
}

TEST(Sensitivity, ToInitialAnglesAndMasses) {
  const Problem problem = problem_registry().make("two_link");
  for (const char* parameter : {"theta1(0)", "m2", "L1"}) {
    SCOPED_TRACE(parameter);
    const auto found = sensitivities(problem, parameter, expressions({"1/4", "1"}));
    ASSERT_EQ(found.size(), 2u);
    for (const Sensitivity& one : found) EXPECT_GE(one.agreed_digits, 28);
  }
}

// The start is the nearest that closes, in the mass metric: it moves with the mass. Two masses on
// the x axis, stated 2 apart and held 1 apart: each moves by the other's share.
TEST(Sensitivity, OfAnAssembledStart) {
  const test::ScratchFolder folder;
  test::write_text(folder.path / "pair.json", R"({"id": "assembled_pair", "kind": "planar",
    "source": "test", "assemble": true, "data": [{"name": "m", "value": 3, "unit": "kg"}],
    "bodies": [{"name": "a", "mass": "m", "position": [0, 0]},
               {"name": "b", "mass": 1, "position": [2, 0], "velocity": [0, 1]}],
    "elements": [{"type": "distance", "bodies": ["a", "b"], "points": [[0, 0], [0, 0]],
                  "length": 1}]})");
  const std::string id = add_mechanism_file(folder.path / "pair.json", problem_registry());
  const auto found = sensitivities(problem_registry().make(id), "m", expressions({"0", "1"}));
  // a.x = 1/(m + 1) at the start.
  EXPECT_LT(to_double(real50(abs(found[0].derivative.q[0] + real50(1) / 16))), 1e-33);
  for (const Sensitivity& one : found) EXPECT_GE(one.agreed_digits, 25);
}

TEST(Sensitivity, NamesWhatAProblemHas) {
  const auto t = Expression::parse("1", "t");
  const Problem problem = problem_registry().make("two_link");
  EXPECT_THAT(test::refusal([&] { sensitivities(problem, "m3", {t}); }),
              testing::HasSubstr("theta2(0)"));
  EXPECT_THROW(sensitivities(problem_registry().make("heavy_top"), "g", {t}), BadInput);
}

}  // namespace
}  // namespace daemark
