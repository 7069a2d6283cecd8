// Discs of numbers, Taylor models and discs of time contain what they enclose, and prove nothing
// where there is a singularity.
#include "analysis/enclosure/motion_disc.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <functional>
#include <random>

#include "analysis/enclosure/matrices.hpp"
#include "analysis/enclosure/motion_series.hpp"
#include "tests/problems/files/mechanism_file_fixture.hpp"

namespace daemark {
namespace {

using Complex = std::complex<double>;

ComplexBall exact(const Complex& x) {
  ComplexBall z;
  acb_set_d_d(z.raw(), x.real(), x.imag());
  return z;
}

class Random {
 public:
  double real(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  Complex on_circle() { return std::polar(1.0, real(-M_PI, M_PI)); }

 private:
  std::mt19937 random_{20261128};
};

TEST(ComplexDiscs, ContainWhatTheirMembersGive) {
  const EnclosureBits bits(200);
  Random random;
  const auto expect = [](const ComplexDisc& disc, const ComplexBall& member, const char* what) {
    ASSERT_TRUE(disc.finite()) << what;
    RealBall distance;
    acb_abs(distance.raw(), (member - exact(disc.middle)).raw(), 200);
    EXPECT_TRUE(arb_le(distance.raw(), ball_of(disc.radius).raw())) << what;
  };
  for (int i = 0; i < 2000; ++i) {
    const auto disc = [&](double low, double high) {
      return ComplexDisc(random.real(low, high), i % 3 == 0 ? 0 : random.real(0, 0.2));
    };
    const auto member = [&](const ComplexDisc& x) {
      // Exactly representable, and inside by more than its rounding.
      return exact(x.middle) + exact(x.radius * (1 - 1e-12) * random.on_circle());
    };
    const ComplexDisc x = disc(-2, 2), y = disc(0.5, 2);
    const ComplexBall a = member(x), b = member(y);
    expect(x + y, a + b, "+"), expect(x - y, a - b, "-"), expect(x * y, a * b, "*");
    expect(x / y, a / b, "/"), expect(x / 7, a / 7, "/ 7"), expect(3 * x, 3 * a, "3 *");
    expect(sqrt(y), sqrt(b), "sqrt"), expect(sin(x), sin(a), "sin"), expect(cos(x), cos(a), "cos");
    expect(exp(x), exp(a), "exp"), expect(log(y), log(b), "log"), expect(atan(y), atan(b), "atan");
    expect(tanh(y), tanh(b), "tanh"), expect(atan2(x / 10, y), atan2(a / 10, b), "atan2");
    const ComplexDisc row[] = {x, y, x}, column[] = {y, y, x};
    expect(dot(row, column, 3), a * b + b * b + a * a, "dot");
    expect(dot_reversed(row, column, 3), a * a + b * b + a * b, "dot_reversed");
  }
  EXPECT_FALSE((ComplexDisc(1) / ComplexDisc(0.1, 0.1)).finite());
  EXPECT_FALSE(sqrt(ComplexDisc(0.1, 0.1)).finite());
  EXPECT_FALSE(abs(ComplexDisc(1)).finite());
}

struct Function {
  const char* name;
  std::function<Var(const Var&, const Var&)> recorded;
  std::function<ComplexBall(const ComplexBall&, const ComplexBall&)> value;
  template <class F>
  Function(const char* text, F f) : name(text), recorded(f), value(f) {}
};

#define DAEMARK_FUNCTION(f) \
  Function(#f, [](const auto& x, [[maybe_unused]] const auto& y) { return f; })
const Function functions[] = {DAEMARK_FUNCTION(x * y + x),
                              DAEMARK_FUNCTION(x / y),
                              DAEMARK_FUNCTION(x* x / (y * y)),
                              DAEMARK_FUNCTION(sqrt(y) * x),
                              DAEMARK_FUNCTION(sin(x) * cos(y)),
                              DAEMARK_FUNCTION(exp(x* y)),
                              DAEMARK_FUNCTION(log(y) - x),
                              DAEMARK_FUNCTION(tanh(x)),
                              DAEMARK_FUNCTION(atan(x* y)),
                              DAEMARK_FUNCTION(atan2(x, y)),
                              DAEMARK_FUNCTION(asin(x) + acos(x) * y)};
#undef DAEMARK_FUNCTION

// At points of the circle, for arguments that are polynomials and a rest.
TEST(TaylorModels, ContainTheFunctionOnTheDisc) {
  const EnclosureBits bits(200);
  constexpr int order = 9;
  Random random;
  for (const Function& f : functions) {
    graph::Graph graph;
    const auto in = graph.inputs(2);
    TaylorModels models(graph, {{f.recorded(in[0], in[1])}}, order);
    for (int trial = 0; trial < 30; ++trial) {
      double rest[2], coefficients[2][order + 1];
      for (int i : {0, 1}) {
        rest[i] = trial % 3 == 0 ? 0 : random.real(0, 1e-3);
        for (int k = 0; k <= order; ++k) {
          coefficients[i][k] =
              k == 0 ? (i == 0 ? 0.3 : 1.5) : random.real(-1, 1) * std::pow(0.2, k);
          models.input(i)[k] = ComplexDisc(coefficients[i][k], 0);
        }
      }
      models.evaluate();
      for (int i : {0, 1}) models.set_rest(i, rest[i]);
      bool bounded = false;
      for (int pass = 0; pass < 10 && !bounded; ++pass) bounded = models.bound();
      ASSERT_TRUE(bounded) << f.name;
      double most = 0;
      for (int point = 0; point < 20; ++point) {
        const Complex s = random.on_circle();
        ComplexBall x[2], z(0), power(1);
        for (int k = 0; k <= order; ++k, power = power * exact(s)) {
          for (int i : {0, 1}) x[i] += exact(coefficients[i][k]) * power;
          z += exact(models.output(0, 0)[k].middle) * power;
        }
        for (int i : {0, 1}) x[i] += exact(rest[i] * random.on_circle()) * power;
        most = std::max(most, magnitude(f.value(x[0], x[1]) - z));
      }
      EXPECT_LE(most, models.rest(0, 0) * (1 + 1e-6) + 1e-12) << f.name;
      EXPECT_LE(models.rest(0, 0), 300 * most + 1e-4) << f.name << ": too wide to be of use";
    }
  }
}

TEST(TaylorModels, ProveNothingAroundASingularity) {
  for (const double centre : {0.9, 1.1}) {
    graph::Graph graph;
    const Var x = graph.input();
    TaylorModels models(graph, {{1 / x, sqrt(x), log(x)}}, 60);
    models.input(0)[0] = ComplexDisc(centre, 0), models.input(0)[1] = ComplexDisc(1);
    models.evaluate();
    for (int pass = 0; pass < 5; ++pass) models.bound();
    for (int i = 0; i < 3; ++i)
      EXPECT_EQ(std::isfinite(models.rest(0, i)), centre > 1) << centre << ", " << i;
  }
}

class MotionOnADisc : public test::MechanismFile {
 protected:
  /// Whether motions of x¨ = force from x = 1 at rest exist for |τ| <= h.
  void prove(const std::string& force, double h) {
    const auto system = read(
                            "{'id': 'mine', 'kind': 'equations', 'source': 'test',"
                            " 'coordinates': [{'name': 'x', 'unit': 'm', 'start': 1}],"
                            " 'kinetic': 'x`^2/2', 'forces': {'x': '" +
                            force + "'}}")
                            .make<real50>();
    constexpr int order = 40;
    const EnclosureBits bits(120);
    MotionSeries<RealBall> series(*system, {}, order);
    const RealBall q(1), v(0), t(0);
    series.start(t, &q, &v);
    series.extend(order);
    MotionDisc disc(*system, {}, order, true);
    holds = disc.holds(series, t, ball_of(h));
    if (!holds) return;
    at_h = polynomial(series.state(0), order + 1, ball_of(h));
    rest = disc.rest(0);
    DiscMatrix columns(2, 1);
    columns.middle(0, 0) = 1;
    moved = disc.moved(columns);
  }
  bool holds = false;
  double rest = 0;
  RealBall at_h;
  std::optional<DiscMatrix> moved;
};

TEST_F(MotionOnADisc, BoundsAnEntireMotion) {
  for (const double h : {0.5, 2.0, 8.0}) {
    prove("-x", h);
    ASSERT_TRUE(holds) << h;
    const EnclosureBits bits(200);
    const double error = magnitude(at_h - cos(ball_of(h)));
    EXPECT_LE(error, rest * (1 + 1e-6) + 1e-30);
    EXPECT_LE(rest, 1e3 * error + 1e-30) << "too wide to be of use";
    ASSERT_TRUE(moved);
    EXPECT_LE(std::abs(moved->middle(0, 0) - std::cos(h)), moved->radius(0, 0) + 1e-15);
    EXPECT_LE(std::abs(moved->middle(1, 0) + std::sin(h)), moved->radius(1, 0) + 1e-15);
    EXPECT_LE(moved->radius(0, 0), h < 8 ? 1e-9 : 1e-2);
  }
}

// The motion falls into the centre at π/√8 = 1.11.
TEST_F(MotionOnADisc, EndsBeforeASingularity) {
  prove("-1/x^2", 0.8);
  EXPECT_TRUE(holds);
  prove("-1/x^2", 1.2);
  EXPECT_FALSE(holds);
}

// Series over balls, their derivatives, and the matrix that solves for them.

class EnclosedSeries : public test::MechanismFile {};

/// What the derivatives of the constraints share with Gᵀλ: 1/√, quotients, slopes of functions; of
/// both levels.
constexpr const char* shared_functions = R"({'id': 'mine', 'kind': 'equations', 'source': 'test',
  'data': [{'name': 'l', 'value': 2, 'unit': 'm'}],
  'coordinates': [{'name': 'x', 'unit': 'm', 'start': 'l'}, {'name': 'y', 'unit': 'm'},
                  {'name': 's', 'unit': 'm', 'start': '1/2'},
                  {'name': 'u', 'unit': 'm', 'velocity_near': 1}],
  'kinetic': '3*(x`^2 + y`^2)/2 + s`^2 + u`^2/(1 + y^2)', 'potential': '5*y + s^2',
  'constraints': [
    {'name': 'length', 'unit': 'm', 'position': 'sqrt(x^2 + y^2) - l'},
    {'name': 'quotient', 'unit': 'm', 'position': 's + y/(x + y*s) - cos(t)/2'},
    {'name': 'rolling', 'unit': 'm', 'velocity': 'u` - (1 + x`)*asin(y/4)/sqrt(s + x) - 1'}]})";

// At the start, where nothing is left of another point, and from there to a second point; against
// a quotient of differences with δ = 2⁻²⁰⁰.
TEST_F(EnclosedSeries, TheDerivativeOfASeriesIsThatOfItsStart) {
  const EnclosureBits all(800);
  constexpr int n = 4, order = 6;
  const auto system = read(shared_functions).make<real50>();
  const std::vector<int> rows = {0, 1, 2};
  MotionSeries<RealBall> series(*system, rows, order, true), moved(*system, rows, order);
  RealBall delta = ball_of(1.0);
  arb_mul_2exp_si(delta.raw(), delta.raw(), -200);
  for (const int point : {0, 1, 2}) {
    std::vector<RealBall> x, dx;
    for (int i = 0; i < 2 * n; ++i) {
      x.push_back(ball_of((i + 5.0 * point + 4) / (i + 7.0)));
      dx.push_back(ball_of((i % 3 - 1.0) / (i + 2)));
    }
    const RealBall t = ball_of(0.25 * point);
    series.start(t, x.data(), x.data() + n);
    series.extend(order);
    series.follow(dx.data(), dx.data() + n, order);
    for (int i = 0; i < 2 * n; ++i) x[i] = x[i] + delta * dx[i];
    moved.start(t, x.data(), x.data() + n);
    moved.extend(order);
    for (int i = 0; i < 2 * n; ++i)
      for (int k = 0; k <= order; ++k) {
        const RealBall slope = (moved.state(i)[k] - series.state(i)[k]) / delta;
        EXPECT_LT(magnitude(slope - series.tangent(i)[k]), 1e-45)
            << point << ", component " << i << ", " << k;
      }
  }
}

TEST(EnclosedMatrix, EnclosesEverySolutionAndASingularOneIsRefused) {
  const auto wide_ball = [](double centre, double radius) {
    RealBall x = ball_of(centre);
    add_error(x, radius);
    return x;
  };
  const std::vector<RealBall> entries = {wide_ball(2, 0.01), wide_ball(1, 0.01),
                                         wide_ball(-1, 0.01), wide_ball(3, 0.01)};
  std::vector<RealBall> x;
  RegularMatrix<RealBall>(entries, 2).solve({ball_of(1.0), ball_of(2.0)}, x);
  for (const double a : {1.99, 2.01})
    for (const double b : {0.99, 1.01})
      for (const double c : {-1.01, -0.99})
        for (const double d : {2.99, 3.01}) {
          const double determinant = a * d - b * c;
          EXPECT_LT(std::abs((d - 2 * b) / determinant - to_double(middle(x[0]))),
                    to_double(radius(x[0])));
          EXPECT_LT(std::abs((2 * a - c) / determinant - to_double(middle(x[1]))),
                    to_double(radius(x[1])));
        }
  EXPECT_LT(to_double(radius(x[0])), 0.03);
  const std::vector<RealBall> singular = {wide_ball(1, 0.01), wide_ball(1, 0), wide_ball(1, 0),
                                          wide_ball(1, 0)};
  EXPECT_THROW(RegularMatrix<RealBall>(singular, 2), EnclosureFailure);
}

TEST(EnclosedMatrix, BoundsBeyondTheRangeOfDoubleProveNothing) {
  RealBall tiny = ball_of(1.0);
  arb_mul_2exp_si(tiny.raw(), tiny.raw(), -3000);
  add_error(tiny, 0x1p-900);  // and 0 is among them
  EXPECT_THROW(RegularMatrix<RealBall>({tiny}, 1), EnclosureFailure);
  RealBall small = ball_of(1.0);
  arb_mul_2exp_si(small.raw(), small.raw(), -1010);
  EXPECT_GE(magnitude(small), 0x1p-1010);
}

}  // namespace
}  // namespace daemark
