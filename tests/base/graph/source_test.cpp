#include "base/graph/source.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/source_run.hpp"

namespace daemark {
namespace {

using graph::Graph;

/// Every operation there is, some of them twice.
std::vector<Var> every_operation(const Var& x, const Var& y) {
  return {x + y,          x - Var(2) * y,
          -(x * y),       x / y,
          square(x),      sqrt(x + Var(3)),
          sin(x * y),     cos(x * y),
          exp(x),         log(y),
          tanh(x),        asin(x),
          acos(x),        atan(y),
          atan2(x, -y),   abs(x),
          cos(x),         select(x, y, -y * y),
          Var(-7),        x,
          Var(1e-20) * y, select(y, Var(3), x)};
}

graph::SourceFunction function_of_all() {
  Graph g;
  const auto in = g.inputs(3);
  graph::SourceFunction f{"all", "every operation", {{"x", 0, 0}, {"y", 1, 2}}, 0, 0, {}, {}};
  const std::vector<Var> values = every_operation(in[0], in[2]);
  f.rows = static_cast<int>(values.size()), f.columns = 2;
  for (int i = 0; i < f.rows; ++i) f.places.emplace_back(i, i % 2);
  f.code = graph::compile(g, {values}, false);
  return f;
}

std::string source_with_test(const graph::SourceFunction& f, const graph::Language& language) {
  std::vector<graph::TestPoint> points;
  for (const double x : {0.7, -0.3}) points.push_back(graph::test_point({f}, {x, 5, 1.3}));
  return language.begin + graph::function_source(f, language) +
         graph::self_test({f}, points, language);
}

class SourceInLanguage : public testing::TestWithParam<std::string> {};

TEST_P(SourceInLanguage, EveryOperationIsWithinRounding) {
  NEEDS_LANGUAGE(GetParam());
  const graph::Language& language = graph::languages().at(GetParam());
  const std::string source = source_with_test(function_of_all(), language);
  std::string said;
  EXPECT_TRUE(test::runs(GetParam(), source, "operations", &said)) << said << source;

  std::string wrong = source;
  const std::size_t at = wrong.find("1e-20");
  ASSERT_NE(at, wrong.npos);
  wrong.replace(at, 5, "2e-20");
  EXPECT_FALSE(test::runs(GetParam(), wrong, "wrong", &said));
  EXPECT_THAT(said, testing::HasSubstr("expected"));
}

INSTANTIATE_TEST_SUITE_P(All, SourceInLanguage, testing::Values("c", "fortran", "julia", "python"),
                         [](const auto& info) { return info.param; });

TEST(Source, WritesWhatALanguageSpells) {
  const graph::SourceFunction f = function_of_all();
  const auto in = [&](const char* format) {
    return graph::function_source(f, graph::languages().at(format));
  };
  EXPECT_THAT(in("c"),
              testing::HasSubstr("void all(double x, const double y[2], double out[22][2])"));
  EXPECT_THAT(in("c"), testing::HasSubstr("fabs(x)"));
  EXPECT_THAT(in("fortran"), testing::HasSubstr("merge(y(2), "));
  EXPECT_THAT(in("julia"), testing::HasSubstr("out[1, 1] = w1\n"));
  EXPECT_THAT(in("python"), testing::HasSubstr("out[18][0] = (-7.0)\n"));
}

TEST(Source, RefusesAnInputThatIsNoArgument) {
  graph::SourceFunction f = function_of_all();
  f.arguments.pop_back();
  EXPECT_THROW(graph::function_source(f, graph::languages().at("c")), std::logic_error);
}

// Double stays within the bound, which is not far off.
TEST(Rounding, BoundsWhatDoubleLoses) {
  double largest = 0;
  for (const double x : {0.7, -0.3, 1e-5, 0.9999})
    for (const double y : {1.3, 0.01, 300.0}) {
      Graph g;
      const auto in = g.inputs(2);
      std::vector<Var> values = every_operation(in[0], in[1]);
      values.push_back((sin(in[0] / Var(3)) - in[0] / Var(3)) / (in[1] * in[1] * in[1]));
      const auto code = std::make_shared<const graph::Code>(graph::compile(g, {values}, false));
      const auto bounded = graph::rounded_values(*code, {x, y});
      graph::Evaluator<double> evaluator(code);
      evaluator.inputs()[0] = x, evaluator.inputs()[1] = y;
      std::vector<double> plain(values.size());
      evaluator.run(plain.data());
      for (std::size_t i = 0; i < values.size(); ++i) {
        const double error = std::abs(to_double(wide(bounded[i].value - wide(plain[i]))));
        EXPECT_LE(error, bounded[i].error) << i << " at " << x << ", " << y;
        if (error > 0) largest = std::max(largest, error / bounded[i].error);
      }
    }
  EXPECT_GT(largest, 0.2);
}

TEST(Rounding, IsInfiniteAtTheEdgeOfADomain) {
  Graph g;
  const auto in = g.inputs(1);
  const Var zero_at_1 = sin(in[0]) - in[0] * sin(in[0]);
  const auto code = graph::compile(g, {{Var(1) / zero_at_1}}, false);
  EXPECT_FALSE(std::isfinite(graph::rounded_values(code, {1.0})[0].error));
}

}  // namespace
}  // namespace daemark
