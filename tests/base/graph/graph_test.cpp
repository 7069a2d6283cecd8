#include "base/graph/graph.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/graph/code.hpp"
#include "base/graph/derivative.hpp"
#include "base/graph/taylor_series.hpp"
#include "base/numbers/jet.hpp"

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

}  // namespace
}  // namespace daemark
