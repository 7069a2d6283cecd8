#include "base/graph/graph.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/graph/code.hpp"
#include "base/graph/derivative.hpp"
#include "base/graph/source.hpp"
#include "base/graph/taylor_series.hpp"
#include "base/numbers/jet.hpp"
#include "tests/support/source_run.hpp"

namespace daemark {

template <class T, int N>
Dual<T, N> tanh(const Dual<T, N>& x) {
  const T value = std::tanh(x.value);
  return x.chain(value, 1 - value * value);
}

namespace {

using graph::Evaluator;
using graph::Graph;

/// Arithmetic with constants and the functions that jets know, too.
template <class T>
std::array<T, 3> bench(const T& x, const T& y) {
  using std::cos, std::sin, std::sqrt, std::tanh;
  const T s = sin(x * y), c = cos(x * y);
  return {s * c / (T(2) + x * x) - T(3) * y, sqrt(T(4) + s) * tanh(y) / c, -x * T(0.5) * (y - x)};
}

template <class S>
std::vector<S> values_of(Graph& g, const std::vector<Var>& functions, const std::vector<S>& at,
                         bool reuse = true) {
  Evaluator<S> evaluator(
      std::make_shared<const graph::Code>(graph::compile(g, {functions}, reuse)));
  std::copy(at.begin(), at.end(), evaluator.inputs());
  std::vector<S> values(functions.size());
  evaluator.run(values.data());
  return values;
}

template <class S>
void expect_equal_to_direct(const S& x, const S& y) {
  Graph g;
  const auto in = g.inputs(2);
  const auto recorded = bench(in[0], in[1]);
  const auto direct = bench(x, y);
  for (const bool reuse : {true, false}) {
    const auto values =
        values_of<S>(g, {recorded.begin(), recorded.end()}, std::vector<S>{x, y}, reuse);
    // Constants are pulled out of products: a few roundings.
    for (int i = 0; i < 3; ++i)
      EXPECT_NEAR(to_double(S((values[i] - direct[i]) / direct[i])), 0,
                  8 * to_double(std::numeric_limits<S>::epsilon()))
          << i;
  }
}

TEST(Graph, EvaluatesAsTheFunctionItselfInEveryScalar) {
  expect_equal_to_direct<double>(0.7, -1.3);
  expect_equal_to_direct<real50>(real50(0.7), real50(-1.3));
}

TEST(Graph, DerivativesAreThoseOfJets) {
  Graph g;
  const auto in = g.inputs(2);
  const auto recorded = bench(in[0], in[1]);
  const std::vector<Var> f(recorded.begin(), recorded.end());
  const double x = 0.7, y = -1.3;
  const auto jets = bench(Dual<double, 2>::variable(x, 0), Dual<double, 2>::variable(y, 1));
  constexpr double bound = 1e-14;  // values of order one, some dozen operations
  for (const graph::Entry& e : graph::jacobian(f, in))
    EXPECT_NEAR(values_of<double>(g, {e.value}, {x, y})[0], jets[e.row].grad[e.column], bound);
  for (int i = 0; i < 3; ++i) {
    const auto backward = values_of<double>(g, graph::gradient(f[i], in), {x, y});
    for (int j = 0; j < 2; ++j) EXPECT_NEAR(backward[j], jets[i].grad[j], bound);
  }
  const auto along = values_of<double>(g, graph::directional(f, in, {Var(2), in[0]}), {x, y});
  for (int i = 0; i < 3; ++i)
    EXPECT_NEAR(along[i], 2 * jets[i].grad[0] + x * jets[i].grad[1], bound);
}

TEST(Graph, JacobiansKeepZerosOfTheStructure) {
  Graph g;
  const auto in = g.inputs(3);
  const auto entries = graph::jacobian({in[0] * in[2], Var(5), in[1] - in[1], sin(in[1])}, in);
  ASSERT_EQ(entries.size(), 3U);
  EXPECT_EQ(entries[0].column, 0);
  EXPECT_EQ(entries[1].column, 2);
  EXPECT_EQ(std::pair(entries[2].row, entries[2].column), std::pair(3, 1));
}

/// Central differences in 50 digits, for the functions jets do not have.
TEST(Graph, EveryFunctionHasItsDerivativeAndItsSeries) {
  using Function = Var (*)(const Var&);
  const real50 at(real50(2) / 5), h("1e-16");
  int number = 0;
  for (const Function f : {Function([](const Var& x) { return graph::square(x); }),
                           Function([](const Var& x) { return graph::sqrt(x); }),
                           Function([](const Var& x) { return graph::sin(x); }),
                           Function([](const Var& x) { return graph::cos(x); }),
                           Function([](const Var& x) { return graph::tan(x); }),
                           Function([](const Var& x) { return graph::exp(x); }),
                           Function([](const Var& x) { return graph::log(x); }),
                           Function([](const Var& x) { return graph::tanh(x); }),
                           Function([](const Var& x) { return graph::asin(x); }),
                           Function([](const Var& x) { return graph::acos(x); }),
                           Function([](const Var& x) { return graph::atan(x); }),
                           Function([](const Var& x) { return graph::abs(x); }),
                           Function([](const Var& x) { return atan2(x, Var(1) - x); })}) {
    Graph g;
    const Var x = g.input();
    const std::vector<Var> y = {f(x)};
    const auto value = [&](const real50& where) { return values_of<real50>(g, y, {where})[0]; };
    const real50 slope = values_of<real50>(g, graph::directional(y, {x}, {Var(1)}), {at})[0];
    const real50 difference = (value(at + h) - value(at - h)) / (2 * h);
    EXPECT_NEAR(to_double(real50(slope - difference)), 0, 1e-29) << number;
    if (graph::has_series(g, {y})) {
      graph::TaylorSeries<real50> series(g, {y}, 12);
      series.input(0)[0] = at, series.input(0)[1] = 1;
      for (int k = 0; k <= 12; ++k) series.evaluate_order(0, k);
      real50 sum(0);
      const real50 step("1e-4");
      for (int k = 12; k >= 0; --k) sum = sum * step + series.output(0, 0)[k];
      EXPECT_NEAR(to_double(real50(sum - value(at + step))), 0, 1e-45) << number;
    }
    ++number;
  }
}

TEST(Graph, SelectTakesOneBranchAndItsDerivative) {
  Graph g;
  const Var x = g.input();
  const Var f = select(x, x * x, Var(3) * x), root = select(x, sqrt(x), 0);
  const auto slope = graph::directional({f}, {x}, {Var(1)});
  EXPECT_EQ(values_of<double>(g, {f, slope[0], root}, {2.0}),
            (std::vector<double>{4, 4, std::sqrt(2.0)}));
  EXPECT_EQ(values_of<double>(g, {f, slope[0], root}, {-2.0}), (std::vector<double>{-6, 3, 0}));
  EXPECT_EQ(select(Var(1), x, f).node(), x.node());
  EXPECT_FALSE(graph::has_series(g, {{f}}));
  EXPECT_THROW(graph::TaylorSeries<double>(g, {{f}}, 3), std::logic_error);
  EXPECT_THROW(static_cast<double>(f), std::logic_error);
}

TEST(Graph, CallPutsArgumentsInPlaceOfInputs) {
  Graph inner, outer;
  const auto in = inner.inputs(2);
  const Var u = outer.input();
  const auto moved = inner.call({in[0] * in[1] + Var(1), Var(7)}, {u, Var(3)});
  EXPECT_EQ(values_of<double>(outer, moved, {5.0}), (std::vector<double>{16, 7}));
  EXPECT_THROW(inner.call({in[0]}, {u}), std::logic_error);
}

TEST(Graph, SlotsAreUsedAgain) {
  Graph g;
  Var x = g.input();
  for (int i = 0; i < 100; ++i) x = sin(x) + Var(0.5);
  EXPECT_LT(graph::compile(g, {{x}}).slots, 6);
  EXPECT_GT(graph::compile(g, {{x}}, false).slots, 200);
}

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
