// Parts of the kinds of cells: the constraint pair of block methods, model prints, the
// tangent-space method as printed, errata.
#include <gtest/gtest.h>

#include <cmath>

#include "base/text/bad_input.hpp"
#include "experiments/cells/kinds/integration_cell.hpp"
#include "experiments/cells/kinds/printed_tangent_cell.hpp"
#include "experiments/cells/support/cell_kind.hpp"
#include "experiments/cells/support/reference_curve.hpp"
#include "methods/catalogue/registry.hpp"
#include "methods/runge_kutta/pade.hpp"
#include "problems/system/registry.hpp"
#include "tests/experiments/cells/support/some_cells.hpp"

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

TEST(ConstraintBlock, ExistsWhereBIsRegular) {
  EXPECT_FALSE(constraint_block(pade_block(node_set("equidistant", 4), 3, 3)).exists);
  EXPECT_FALSE(constraint_block(WideBlock{}).exists);
}

TEST(ModelPrint, TellsModelsApart) {
  const auto print = [](const char* problem) { return model_print(problem, -20); };
  const std::vector<double> bar = print("beam_four_bar(elements=1)");
  EXPECT_TRUE(same_model(bar, print("beam_four_bar(elements=1)")));
  EXPECT_FALSE(same_model(bar, print("beam_four_bar(elements=1,mass=shipped)")));
  EXPECT_FALSE(same_model(bar, print("beam_four_bar(elements=1,element=two_node)")));
  EXPECT_FALSE(same_model(bar, print("beam_four_bar(elements=2)")));
}

TEST(ModelPrint, SeesWhatDependsOnTime) {
  EXPECT_FALSE(same_model(model_print("beam_shaft(elements=2)", 2.5),
                          model_print("beam_shaft(elements=2,ramps=smooth)", 2.5)));
}

TEST(ModelPrint, OverlooksRounding) {
  const std::vector<double> print = model_print("beam_buckling(elements=1)", 1);
  std::vector<double> other = print;
  for (std::size_t i = 0; i < other.size(); ++i) other[i] *= 1 + (i % 2 == 0 ? 1e-12 : -1e-12);
  EXPECT_TRUE(same_model(print, other));
  other[2] += 1e-6 * print[3];
  EXPECT_FALSE(same_model(print, other));
}

MechanicalPtr<double> pendulum() {
  return problem_registry().make("driven_pendulum(T0=0,theta0=1)").make<double>();
}

/// θ at 1 s; 0.25 and 1/12 are average acceleration and Fox-Goodwin.
double angle(double beta, ParticularSolution choice, int steps) {
  PrintedTangent method(pendulum(), 0.5, beta, choice);
  EXPECT_TRUE(method.start());
  for (int i = 0; i < steps; ++i) EXPECT_TRUE(method.step(1.0 / steps));
  return method.q()[2];
}

double order(double beta, ParticularSolution choice) {
  const double a = angle(beta, choice, 80), b = angle(beta, choice, 160),
               c = angle(beta, choice, 320);
  return std::log2(std::abs((a - b) / (b - c)));
}

// Richardson's three values: C h^p (1 + c h) leaves c h/2 of p, with h = 1/160 and c of order 10.
TEST(PrintedTangent, MinimumNormIsOfSecondOrderAndSparseOfFirst) {
  EXPECT_NEAR(order(1.0 / 4, ParticularSolution::minimum), 2, 0.1);
  EXPECT_NEAR(order(1.0 / 12, ParticularSolution::minimum), 2, 0.3) << "not 4";
  EXPECT_NEAR(order(1.0 / 4, ParticularSolution::sparse), 1, 0.1);
  EXPECT_NEAR(order(1.0 / 12, ParticularSolution::sparse), 1, 0.1);
}

TEST(PrintedTangent, KeepsAllLevels) {
  const auto system = pendulum();
  PrintedTangent method(system, 0.5, 0.25, ParticularSolution::minimum);
  ASSERT_TRUE(method.start());
  for (int i = 0; i < 50; ++i) ASSERT_TRUE(method.step(0.02));
  double levels[6];
  MotionValues<double> out;
  out.position = levels, out.velocity = levels + 2, out.acceleration = levels + 4;
  system->evaluate({1, method.q().data(), method.v().data(), method.a().data()}, {}, out);
  // The iteration stops at changes of 1e-14 in x, 1e-14/h in ẋ and 1e-14/h² in ẍ, and converges
  // faster than linearly.
  for (int i = 0; i < 2; ++i) {
    EXPECT_LT(std::abs(levels[i]), 1e-14);
    EXPECT_LT(std::abs(levels[2 + i]), 1e-12);
    EXPECT_LT(std::abs(levels[4 + i]), 1e-10);
  }
}

CellResult run_with(const std::string& erratum) {
  Cell cell = test::of_kind("exact", "pade_block(r=3,k=2)");
  cell.more["erratum"] = erratum;
  return kind_of(cell).run(cell);
}

TEST(ExactCell, DamageOfOurTextDecidesNothing) {
  EXPECT_EQ(run_with("li2019/CN eq. (11)").measures.at("printed_holds"), 1);
  EXPECT_EQ(
      run_with("li2019/eq. (14), both versions: Chebyshev, r = 3").measures.at("printed_holds"), 0);
  for (const char* place : {"EN eq. (11), rows 2 and 3 of 3B", "EN eq. (16), B",
                            "eq. (15), both versions: Legendre, r = 3"}) {
    EXPECT_EQ(run_with(std::string("li2019/") + place).measures.count("printed_holds"), 0U)
        << place;
  }
  EXPECT_THROW(run_with("li2019/eq. (99)"), BadInput);
  EXPECT_THROW(run_with("nobody2020/eq. (1)"), BadInput);
  EXPECT_THROW(run_with("eq. (1)"), BadInput);
}

}  // namespace
}  // namespace daemark
