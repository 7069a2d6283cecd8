// Explanations of runs: errors that are split, settings that are named, causes of failures.

#include "experiments/explain/explain.hpp"

namespace daemark {
namespace {

struct Case {
  const char *problem, *formulation, *method, *h, *t_end;
  const char *largest, *setting;  ///< of failures: cause, setting
  std::map<std::string, std::string> settings = {};
};

RunRequest request_of(const Case& c) {
  RunRequest request;
  request.problem = c.problem, request.formulation = c.formulation, request.method = c.method;
  request.h = Expression::parse(c.h, "h"), request.t_end = Expression::parse(c.t_end, "t_end");
  request.settings = c.settings;
  return request;
}

double error_of(RunRequest request) {
  request.errors = true;
  return run(request).measures.at("error_q");
}

TEST(Explain, PartsAddUpAndTheNamedSettingLowersTheError) {
  const Case cases[] = {
      {"two_link", "index2", "radau_iia(2)", "1/50", "1", "formulation", "--formulation index1"},
      {"two_link", "minimal", "dormand_prince_5", "1/50", "1", "step", "--h 1/100"},
      {"two_link", "index1", "gauss(6)", "1/100", "1", "round-off", "--precision quad"},
      {"two_link",
       "index1",
       "gauss(4)",
       "1/50",
       "1",
       "Newton tolerance",
       "--set newton.tol=1e-06",
       {{"newton.tol", "1e-1"}, {"newton.kind", "simplified"}}},
      {"two_link",
       "index3",
       "generalized_alpha",
       "1/500",
       "1",
       "start",
       "the default of the settings start and start.rates",
       {{"start.rates", "unconverged"}}}};
  for (const Case& c : cases) {
    SCOPED_TRACE(c.setting);
    const RunRequest request = request_of(c);
    const ErrorExplanation found = explain_error(BoundRun(request), 60);
    EXPECT_EQ(found.largest, c.largest);
    EXPECT_EQ(found.setting, c.setting);
    const double error = error_of(request);
    EXPECT_NEAR(found.error[0], error, 1e-6 * error);
    // As vectors they add up to the error; their sizes to no less than it, and to 1.5 times it at
    // most as explain_error.hpp derives, where the other parts are small.
    std::vector<double> sum(found.parts.front().change[0].size());
    for (const ErrorPart& part : found.parts) {
      ASSERT_EQ(part.unknown, "") << part.name;
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += part.change[0][i];
    }
    double square = 0;
    for (const double x : sum) square += x * x;
    EXPECT_NEAR(std::sqrt(square), error, 1e-6 * error);
    EXPECT_LE(found.sum(), 1.5 * error);
    // The setting, by a run that knows nothing of the explanation.
    RunRequest changed = request;
    if (found.largest == "step") changed.h = Expression::parse("1/100", "h");
    if (found.largest == "formulation") changed.formulation = "index1";
    if (found.largest == "round-off") changed.precision = Precision::in_real50;
    if (found.largest == "Newton tolerance") changed.settings["newton.tol"] = "1e-6";
    if (found.largest == "start") changed.settings.clear();
    const double lower = error_of(changed);
    EXPECT_LT(lower, error / 2);
    EXPECT_NEAR(found.rerun, lower, 1e-3 * lower);
    EXPECT_GT(found.predicted, lower / 1.5);
    EXPECT_LT(found.predicted, lower * 1.5);
  }
}

/// Its start is another than the problem's, and no stored reference judges it.
TEST(Explain, JudgesAnotherStart) {
  RunRequest request = request_of({"pendulum", "index2", "radau_iia(2)", "1/20", "1", "", ""});
  InitialState state;
  for (const char* q : {"1.18872", "-1.58496"}) state.q.push_back(Expression::parse(q, "q"));
  for (const char* v : {"0", "0"}) state.v.push_back(Expression::parse(v, "v"));
  request.initial = state;
  const ErrorExplanation found = explain_error(BoundRun(request), 60);
  EXPECT_EQ(found.largest, "step");
  EXPECT_LT(found.rerun, found.error[0] / 4);  // order 3
  EXPECT_LT(found.doubt[0], 1e-12 * found.error[0]);
}

TEST(Explain, NamesWhyARunFails) {
  const Case cases[] = {
      {"double_pendulum", "index3", "gauss(2)", "1/100", "1", "formulation", "--formulation ggl"},
      {"two_link", "index1", "erk4", "1/2", "5", "step", "--h 1/8"},
      {"slider_crank", "index1", "radau_iia(1)", "1/5", "2", "singular", ""},
      {"two_link", "index2", "radau_iia(2)", "1/10", "1", "settings", "", {{"newton.max", "1"}}}};
  for (const Case& c : cases) {
    SCOPED_TRACE(c.problem);
    RunRequest request = request_of(c);
    const BoundRun bound(request);
    const RunResult failed = run(bound);
    ASSERT_NE(failed.status, "ok");
    const FailureExplanation found = explain_failure(bound, failed, 60);
    EXPECT_EQ(found.cause, c.largest) << found.sentence;
    if (found.cause == "singular") continue;  // what passes it is a matter of luck
    EXPECT_EQ(found.setting, c.setting);
    if (found.cause == "formulation") request.formulation = "ggl";
    if (found.cause == "step") request.h = Expression::parse("1/8", "h");
    if (found.cause == "settings") request.settings.clear();
    EXPECT_EQ(run(request).status, "ok");
  }
}

}  // namespace
}  // namespace daemark
