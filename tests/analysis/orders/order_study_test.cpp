#include "analysis/orders/order_study.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

#include "analysis/exact/proof/catalogue.hpp"
#include "analysis/orders/constrained_orders.hpp"
#include "analysis/orders/expected_orders.hpp"
#include "methods/catalogue/registry.hpp"
#include "tests/experiments/cli_fixture.hpp"
#include "tests/support/tableaus.hpp"
#include "tests/support/temporary_results.hpp"

namespace daemark {
namespace {

OrderStudyRequest request(const std::string& method) {
  OrderStudyRequest r;
  r.problem = problem_registry().make("pendulum"), r.run.method = method;
  r.h = expressions({"1/20", "1/40", "1/80"}), r.t_ends = expressions({"1/2", "1"});
  return r;
}

TEST(OrderStudy, TakesTheMiddleOfSeveralTimes) {
  const test::TemporaryResults folder;
  const FormulationOrders found = study_orders(request("gauss(2)"), "index1");
  ASSERT_EQ(found.studies.size(), 2u);
  EXPECT_TRUE(found.refusal.empty());
  EXPECT_EQ(found.expected.q, 4);
  EXPECT_DOUBLE_EQ(found.seen[0].slope(),
                   (found.studies[0].fit[0].slope + found.studies[1].fit[0].slope) / 2);
  EXPECT_NEAR(found.seen[0].slope(), 4, 0.2);
}

// Round-off of double hides the order 8; where there is no wider arithmetic, what double shows
// stays.
TEST(OrderStudy, WidensOnlyWhereTheProblemExistsInReal50) {
  const test::TemporaryResults folder;
  OrderStudyRequest study = request("gauss(4)");
  study.widen = true;
  EXPECT_TRUE(study_orders(study, "index1").widened);
  study.problem.absolute.in_real50 = nullptr;
  const FormulationOrders found = study_orders(study, "index1");
  EXPECT_EQ(found.refusal, "");
  EXPECT_FALSE(found.widened);
  EXPECT_EQ(found.studies.size(), study.t_ends.size());
}

// A solver that chooses its steps errs as its tolerance says, whatever the output points.
TEST(OrderStudy, RefusesMethodsThatChooseTheirSteps) {
  const test::TemporaryResults folder;
  for (const char* method : {"cvode(1e-6)", "ida(1e-6)"}) {
    const FormulationOrders found = study_orders(request(method), "index1");
    EXPECT_THAT(found.refusal, testing::HasSubstr("chooses its steps itself")) << method;
    EXPECT_TRUE(found.studies.empty());
  }
}

// A method whose form is not known: its claim is judged by what its steps show.

using testing::HasSubstr;

/// Steps of another method, of which nothing else can be seen.
class Opaque final : public Method {
 public:
  explicit Opaque(std::shared_ptr<const Method> inner) : inner_(std::move(inner)) {}
  int cost_stages() const override { return inner_->cost_stages(); }
  std::string refusal(const SystemTraits& system) const override { return inner_->refusal(system); }
  std::unique_ptr<Stepper<double>> stepper(const Target<double>& t,
                                           const Settings& s) const override {
    return inner_->stepper(t, s);
  }
  std::unique_ptr<Stepper<real50>> stepper(const Target<real50>& t,
                                           const Settings& s) const override {
    return inner_->stepper(t, s);
  }
  std::unique_ptr<Stepper<rational>> stepper(const Target<rational>&,
                                             const Settings&) const override {
    return nullptr;
  }

 private:
  std::shared_ptr<const Method> inner_;
};

/// `inner` under another name, with that claim.
std::string opaque(const std::string& inner, int claimed) {
  const std::string id = "opaque_" + inner + "_" + std::to_string(claimed);
  MethodInfo info;
  info.id = id, info.summary = "a method of a user's own", info.kind = "other";
  info.claims.order = claimed;
  const auto made = std::make_shared<Opaque>(method_registry().make(inner));
  method_registry().from("methods/structural_family.cpp");
  method_registry().add(info, [made](const Arguments&) { return made; });
  return id;
}

/// The catalogue is that of before at the end: other tests go over all of it.
class MeasuredOrderTest : public testing::Test {
  MethodRegistry before_ = method_registry();
  void TearDown() override { method_registry() = before_; }
};

TEST_F(MeasuredOrderTest, JudgesTheClaimOfAMethodWithoutAForm) {
  const std::string wrong = opaque("backward_euler", 2), right = opaque("trapezoidal", 2);
  const auto measured = measured_order(wrong);
  ASSERT_TRUE(measured);
  EXPECT_NEAR(measured->order, 1, 0.05);
  EXPECT_THAT(judged(*measured, 2), HasSubstr("below the claimed 2"));
  EXPECT_THAT(judged(*measured_order(right), 2), HasSubstr("as claimed"));
  EXPECT_THAT(judged(*measured, std::nullopt), HasSubstr("nothing is claimed"));
  const auto refuted = exact::verify_method(wrong), held = exact::verify_method(right);
  EXPECT_FALSE(refuted.verified());
  EXPECT_THAT(refuted.failures, testing::Contains(HasSubstr("below the claimed 2")));
  EXPECT_TRUE(held.verified());
  EXPECT_THAT(held.notes, testing::Contains(HasSubstr("as claimed")));
}

TEST_F(MeasuredOrderTest, TheReasonIsTheClaimAndNotATheoremOnStages) {
  const ExpectedOrders expected = slopes_expected(opaque("backward_euler", 2), "index1");
  EXPECT_TRUE(expected.claimed);
  EXPECT_EQ(expected.q, 2);
  EXPECT_THAT(expected.reason, HasSubstr("what it claims, order 2"));
  EXPECT_THAT(slopes_expected("bdf(2)", "index1").reason, testing::Not(HasSubstr("stages")));
}

TEST_F(MeasuredOrderTest, ConvergeSaysSo) {
  const auto outcome = cli_testing::call({"converge", opaque("backward_euler", 2), "--problem",
                                          "pendulum", "--formulation", "index1", "--h",
                                          "1/40,1/80,1/160,1/320", "--t-end", "1"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("below the claimed 2"));
}

// How far orders on index 2 and 3 are derived, and what is said beyond.

constexpr exact::Imposed all_imposed[] = {exact::Imposed::positions, exact::Imposed::velocities,
                                          exact::Imposed::both};

ConstrainedOrders orders_of(const std::string& call, exact::Imposed imposed) {
  const auto method = method_registry().make(call);
  return constrained_orders(
      *method->tableau(), imposed,
      method->solves_end_rates() ? EndMultipliers::solved : EndMultipliers::of_last_stage);
}

// Fifteen differences magnify round-off by 1/(1 - rho) each: 1e75 for the last but one, of 130
// digits, but 1e180 for the last.
TEST(ConstrainedOrders, DoNotChangeAsROfInfinityComesNearOne) {
  for (const exact::Imposed imposed : all_imposed) {
    const ConstrainedOrders far = orders_of("bathe(9/10)", imposed);
    EXPECT_EQ(far.none, "");
    EXPECT_EQ(far.v.order, 2);
    for (const char* near : {"bathe(99/100)", "bathe(99999/100000)"}) {
      const ConstrainedOrders found = orders_of(near, imposed);
      EXPECT_EQ(found.none, "") << near;
      EXPECT_EQ(found.q.order, far.q.order) << near;
      EXPECT_EQ(found.v.order, far.v.order) << near;
      EXPECT_EQ(found.lambda.order, far.lambda.order) << near;
      EXPECT_FALSE(found.q.at_least || found.v.at_least || found.lambda.at_least) << near;
    }
    EXPECT_NE(orders_of("bathe(999999999999/1000000000000)", imposed).none, "");
  }
  EXPECT_TRUE(slopes_expected("bathe(999999999999/1000000000000)", "index2")
                  .reason.ends_with("too near to 1 to decide"));
}

// 2s - 1 and 2s - 2 hold, for which there are too many trees.
TEST(ConstrainedOrders, AreBoundsWhereTreesRunOut) {
  for (const auto& [call, order] :
       {std::pair("radau_iia(8)", 15), std::pair("lobatto_iiia(8)", 14), std::pair("gauss(8)", 16)})
    for (const exact::Imposed imposed : all_imposed) {
      const ConstrainedOrders found = orders_of(call, imposed);
      ASSERT_EQ(found.none, "") << call;
      for (const DerivedOrder& one : {found.q, found.v}) EXPECT_LT(one.order, order) << call;
      EXPECT_EQ(found.q.at_least, found.q.tree.empty()) << call;
    }
  EXPECT_TRUE(orders_of("radau_iia(8)", exact::Imposed::velocities).v.at_least);
  EXPECT_TRUE(slopes_expected("gauss(8)", "index2").q_at_least);
}

// Behind an explicit first stage without stiff accuracy two numbers take the place of R(infinity).
TEST(ConstrainedOrders, AreNotDerivedWhereErrorsGrowOrMix) {
  const WideTableau growing{{{1}}, {3}, {1}};
  const WideTableau mixing{
      {{0, 0}, {wide(1) / 2, wide(1) / 2}}, {wide(1) / 4, wide(3) / 4}, {0, 1}};
  const auto none = [](const WideTableau& t) {
    return constrained_orders(t, exact::Imposed::positions, EndMultipliers::solved).none;
  };
  EXPECT_TRUE(none(growing).starts_with("|R(infinity)| > 1"));
  EXPECT_TRUE(none(mixing).ends_with("depend on each other"));
}

// One memory of many tableaus.
TEST(ExpectedOrders, AreNotThoseOfATableauThatAgreesInThirtyDigits) {
  MethodFacts facts = facts_of(*method_registry().make("radau_iia(2)")->tableau());
  EXPECT_EQ(expected_orders(facts, 3).text(), "q 3, v 2, lambda 1");
  facts.tableau.A[0][0] += wide("1e-32"), facts.tableau.A[0][1] -= wide("1e-32");
  EXPECT_NE(expected_orders(facts, 3).text(), "q 3, v 2, lambda 1");
}

TEST(ExpectedOrders, SayWhereTheyAreBetterFromRest) {
  EXPECT_TRUE(slopes_expected("gauss(3)", "index3").better_from_rest);
  EXPECT_FALSE(slopes_expected("gauss(3)", "index2").better_from_rest);
  EXPECT_FALSE(slopes_expected("radau_iia(3)", "index3").better_from_rest);
}

}  // namespace
}  // namespace daemark
