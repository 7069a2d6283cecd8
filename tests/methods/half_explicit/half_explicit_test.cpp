// Half-explicit methods: the constraints at step ends, rejected steps, refusals. Steps, orders and
// control: tests/conformance, tests/methods/core/estimate_order_test.cpp.
#include "methods/half_explicit/half_explicit.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "analysis/run/run.hpp"
#include "base/program/interrupt.hpp"
#include "methods/catalogue/registry.hpp"
#include "tests/support/catalogue.hpp"
#include "tests/support/method_bench.hpp"

namespace daemark {
namespace {

using test::MethodBench;

/// The catalogue's, and both bases of mexx.
std::vector<std::string> methods() {
  std::vector<std::string> out{"mexx(4)", "mexx(3,midpoint)"};
  for (const Coefficients& method : test::catalogue_files(MethodKind::half_explicit))
    out.push_back(method.id);
  return out;
}

TEST(HalfExplicit, WithoutConstraintsAreTheirTableau) {
  for (const char* method : {"phem56", "hedop5"}) {
    MethodBench<double> pair("two_link", "minimal", method, "1/64", "1"),
        plain("two_link", "minimal", "dormand_prince_5", "1/64", "1");
    const auto a = pair.started(), b = plain.started();
    for (int i = 0; i < 32; ++i) {
      ASSERT_EQ(a->step().status, Status::ok);
      ASSERT_EQ(b->step().status, Status::ok);
    }
    for (std::size_t k = 0; k < a->state().y.size(); ++k)  // sums in another order
      EXPECT_NEAR(a->state().y[k], b->state().y[k], 1e-12) << method;
  }
}

// Velocities to round-off of Φ̇, of some 10 m/s here; positions as far as the method has order.
TEST(HalfExplicit, HoldVelocitiesAtStepEnds) {
  for (const std::string& method : methods())
    for (const char* problem : {"two_link", "chaplygin_sleigh"}) {
      const RunResult result = run(test::run_request(problem, "index2", method, "1/64", "1"));
      ASSERT_EQ(result.status, "ok") << method;
      EXPECT_LE(result.measures.at("velocity_violation_max"), 1e-12) << method << " " << problem;
    }
}

// On the way to more columns a step was tried again and again as large as it had been rejected.
TEST(HalfExplicit, AStepThatIsRejectedIsMadeAgainSmaller) {
  RunRequest request = test::run_request("pendulum", "index2", "mexx(columns=3,basis=midpoint)",
                                         "5", "5", {{"control.order", "varied"}});
  for (const char* tol : {"1e-4", "1e-6"}) {
    request.settings["control.tol"] = tol;
    const Watch watch(30);  // it never ended
    const RunResult result = run(request);
    EXPECT_EQ(result.status, "ok") << result.why;
    EXPECT_LT(result.counts.at("rejected_steps"), 10);
  }
}

TEST(HalfExplicit, SaysWhatItTakes) {
  for (const std::string& call : methods()) {
    const auto method = method_registry().make(call);
    for (const char* formulation : {"index1", "index3", "ggl", "elimination"}) {
      const std::string why = method->refusal(Formulation::parse(formulation).info);
      EXPECT_NE(why.find("accepted: index2, minimal"), std::string::npos) << call << ": " << why;
    }
    SystemTraits redundant(Formulation::parse("index2").info);
    redundant.full_rank = false;
    EXPECT_EQ(method->refusal(redundant), refusals::redundant);
  }
}

}  // namespace
}  // namespace daemark
