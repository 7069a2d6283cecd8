// A method whose form is not known: its claim is judged by what its steps show.
#include "analysis/orders/measured_order.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/exact/proof/catalogue.hpp"
#include "analysis/orders/expected_orders.hpp"
#include "methods/catalogue/registry.hpp"
#include "tests/experiments/cli_fixture.hpp"

namespace daemark {
namespace {

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

}  // namespace
}  // namespace daemark
