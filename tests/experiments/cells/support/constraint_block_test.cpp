// What a block method makes of Φ_q z and hΦ_q ż, against one exact step of the method itself.
#include "experiments/cells/kinds/integration_cell.hpp"

#include <gtest/gtest.h>

#include "methods/catalogue/registry.hpp"
#include "methods/runge_kutta/pade.hpp"

namespace daemark {
namespace {

/// q̇ = v, v̇ + λ = 0, q = 0: index 3 with Φ_q = 1, whatever v and v̇ one starts from.
class HeldPoint final : public ImplicitSystem<rational> {
 public:
  HeldPoint() {
    components_ = {{"q", Component::Kind::integral, 1},
                   {"v", Component::Kind::differential, -1},
                   {"lambda", Component::Kind::algebraic, -1}};
    finish_components();
    row_power_ = {0, -2};
    pattern_y_ = {2, 3, {{0, 2}, {1, 0}}};
    pattern_rate_ = {2, 3, {{0, 1}}};
  }
  void evaluate(const SystemPoint<rational>& p, rational* r, rational* by_y,
                rational* by_rate) override {
    r[0] = p.rate[1] + p.y[2];
    r[1] = p.y[0];
    if (by_y) by_y[0] = by_y[1] = by_rate[0] = 1;
  }
  bool explicit_rates(rational*, rational*, const rational&, const rational*) override {
    return false;
  }
};

/// (v, h v̇) after one step of size h from q = 0 and the pair given.
std::pair<rational, rational> carried(const Method& method, const rational& h, const rational& v,
                                      const rational& h_rate) {
  HeldPoint system;
  const auto stepper = method.stepper(Target<rational>{&system, &system}, Settings{});
  State<rational> start;
  start.t = 0;
  start.y = {rational(0), v, rational(-h_rate / h)};
  start.rate = {v, rational(h_rate / h), rational(0)};
  stepper->start(start, h);
  EXPECT_EQ(stepper->step().status, Status::ok);
  const State<rational>& end = stepper->state();
  EXPECT_EQ(end.y[0], 0);
  return {end.y[1], rational(h * end.rate[1])};
}

TEST(ConstraintBlock, IsWhatOneStepDoesToTheHiddenConstraints) {
  for (const char* call :
       {"pade_block(r=2,k=0)", "pade_block(r=2,k=2)", "pade_block(r=3,k=2)", "pade_block(r=3,k=3)",
        "pade_block(r=4,k=2)", "pade_block(r=4,k=4)", "pade_block(r=3,k=3,nodes=[1/5,2/3,1])"}) {
    SCOPED_TRACE(call);
    const auto method = method_registry().make(call);
    const ConstraintBlock block = constraint_block(*method->as<RungeKuttaForm>()->block);
    ASSERT_TRUE(block.exists);
    for (const rational& h : {rational(1), rational(1) / 50}) {
      const auto [v_of_v, rate_of_v] = carried(*method, h, 1, 0);
      const auto [v_of_rate, rate_of_rate] = carried(*method, h, 0, 1);
      EXPECT_EQ(v_of_rate, 0);
      // Computed at 130 digits and rounded once.
      EXPECT_DOUBLE_EQ(block.rho, to_double(v_of_v));
      EXPECT_DOUBLE_EQ(block.rho, to_double(rate_of_rate));
      EXPECT_DOUBLE_EQ(block.coupling, to_double(rate_of_v));
    }
  }
}

// rho = R(∞), known from the degrees: 0 below the diagonal of Padé's table, (−1)^r on it. The
// coupling there is what makes index 3 grow linearly.
TEST(ConstraintBlock, RhoIsTheStabilityFunctionAtInfinity) {
  for (const std::string& nodes : node_set_names())
    for (int r = 2; r <= 6; ++r)
      for (int k = 0; k <= r; ++k) {
        const ConstraintBlock block = constraint_block(pade_block(node_set(nodes, r), k, r));
        ASSERT_TRUE(block.exists) << nodes << r << k;
        EXPECT_DOUBLE_EQ(block.rho, k < r ? 0.0 : r % 2 == 0 ? 1.0 : -1.0) << nodes << r << k;
        if (k == r) {
          EXPECT_GT(std::abs(block.coupling), 1) << nodes << r;
        }
      }
}

TEST(ConstraintBlock, ExistsWhereBIsRegular) {
  EXPECT_FALSE(constraint_block(pade_block(node_set("equidistant", 4), 3, 3)).exists);
  EXPECT_FALSE(constraint_block(WideBlock{}).exists);
}

}  // namespace
}  // namespace daemark
