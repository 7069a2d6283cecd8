// Series over balls, their derivatives, and the matrix that solves for them.
#include "analysis/enclosure/motion_series.hpp"

#include <gtest/gtest.h>

#include "analysis/enclosure/matrices.hpp"
#include "tests/problems/files/mechanism_file_fixture.hpp"

namespace daemark {
namespace {

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
