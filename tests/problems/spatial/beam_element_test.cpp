#include "problems/spatial/beam_element.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <random>

#include "base/text/bad_input.hpp"
#include "problems/spatial/finite_volume_beam.hpp"
#include "problems/spatial/two_node_beam.hpp"
#include "tests/support/static_beam.hpp"

namespace daemark {
namespace {

using namespace rotation;

SectionStiffness coupled_stiffness() {
  SectionStiffness D = section_stiffness({90, 40, 30, 7, 5, 3});
  D[0][5] = D[5][0] = 4, D[1][3] = D[3][1] = -2, D[2][4] = D[4][2] = 1;
  return D;
}

class Numbers {
 public:
  double operator()(double size) {
    return size * std::uniform_real_distribution<double>(-1, 1)(engine_);
  }
  Vec3<double> vector(double size) { return {(*this)(size), (*this)(size), (*this)(size)}; }
  Quaternion<double> turn(double size) { return exponential(vector(size)); }

 private:
  std::mt19937 engine_{7};
};

/// A slightly curved element, far from its unloaded shape, in charts of its own.
template <class Law>
struct Sample {
  static constexpr int nodes = Law::nodes, k = 6 * nodes;
  std::array<double, k> q, v;
  std::array<double, 4 * nodes> chart;
  std::unique_ptr<test::BeamPart<Law>> element;

  explicit Sample(Numbers& random) {
    std::array<SectionPose<wide>, nodes> unloaded;
    for (int i = 0; i < nodes; ++i) {
      const auto position = random.vector(0.1);
      const auto turn = random.turn(0.2), reference = random.turn(0.6);
      unloaded[i] = {{position[0] + i, position[1], position[2]},
                     {turn[0], turn[1], turn[2], turn[3]}};
      std::copy(reference.begin(), reference.end(), chart.begin() + 4 * i);
      const auto x = random.vector(0.5), g = random.vector(0.7);
      for (int j = 0; j < 3; ++j) q[6 * i + j] = x[j] + (j == 0 ? i : 0), q[6 * i + 3 + j] = g[j];
    }
    for (double& rate : v) rate = random(2);
    element = std::make_unique<test::BeamPart<Law>>(Law(unloaded, coupled_stiffness()));
  }
};

template <class Law>
class BeamElementTest : public ::testing::Test {};
using Laws = ::testing::Types<FiniteVolumeBeam, TwoNodeBeam>;
TYPED_TEST_SUITE(BeamElementTest, Laws);

/// Entries are sums of some hundred products of size up to 100.
constexpr double round_off = 1e-11;

TYPED_TEST(BeamElementTest, StiffnessIsTheDerivativeOfTheForces) {
  Numbers random;
  constexpr int k = Sample<TypeParam>::k;
  const Sample<TypeParam> sample(random);
  const auto by_q = sample.element->stiffness(sample.q, sample.chart);
  const double h = 1e-5;  // differences are good to h² and to round-off over h
  for (int j = 0; j < k; ++j) {
    auto above = sample.q, below = sample.q;
    above[j] += h, below[j] -= h;
    const auto up = sample.element->force(above, sample.chart),
               down = sample.element->force(below, sample.chart);
    for (int i = 0; i < k; ++i)
      EXPECT_NEAR(by_q[i * k + j], (down[i] - up[i]) / (2 * h), 1e-6) << i << ' ' << j;
  }
}

TYPED_TEST(BeamElementTest, RigidMotionsTurnTheForcesAndNothingElse) {
  Numbers random;
  constexpr int k = Sample<TypeParam>::k, nodes = Sample<TypeParam>::nodes;
  const Sample<TypeParam> sample(random);
  const Quaternion<double> turn = random.turn(3);
  const Vec3<double> away = random.vector(1);
  // The moved element stands at g = 0 of another chart, so that Gᵀ is the unit there.
  std::array<double, k> moved{};
  std::array<double, 4 * nodes> chart;
  for (int i = 0; i < nodes; ++i) {
    const auto x = combine(1.0, rotate(turn, vector(sample.q.data() + 6 * i)), 1.0, away);
    std::copy(x.begin(), x.end(), moved.begin() + 6 * i);
    const double *g = sample.q.data() + 6 * i + 3, *c = sample.chart.data() + 4 * i;
    const Quaternion<double> increment{1, g[0] / 2, g[1] / 2, g[2] / 2};
    const auto p = product(turn, product(increment, {c[0], c[1], c[2], c[3]}));
    const double norm = std::sqrt(1 + dot(vector(g), vector(g)) / 4);
    for (int j = 0; j < 4; ++j) chart[4 * i + j] = p[j] / norm;
  }
  const auto there = sample.element->force(moved, chart),
             here = sample.element->force(sample.q, sample.chart);
  Vec3<double> sum{}, moments{};
  for (int i = 0; i < nodes; ++i) {
    const auto F = rotate(turn, vector(here.data() + 6 * i));
    const auto on_g =
        cayley_spin_transposed(vector(sample.q.data() + 6 * i + 3),
                               rotate(conjugate(turn), vector(there.data() + 6 * i + 3)));
    for (int j = 0; j < 3; ++j) {
      EXPECT_NEAR(there[6 * i + j], F[j], 10 * round_off);
      EXPECT_NEAR(here[6 * i + 3 + j], on_g[j], 10 * round_off);
    }
    const auto f = vector(there.data() + 6 * i);
    sum = combine(1.0, sum, 1.0, f);
    moments = combine(1.0, moments, 1.0, cross(vector(moved.data() + 6 * i), f));
    moments = combine(1.0, moments, 1.0, vector(there.data() + 6 * i + 3));
  }
  for (int j = 0; j < 3; ++j) {  // an element in balance
    EXPECT_NEAR(sum[j], 0, 10 * round_off);
    EXPECT_NEAR(moments[j], 0, 10 * round_off);
  }
}

TYPED_TEST(BeamElementTest, WhatTheForcesDoBeyondTheEnergyIsPower) {
  Numbers random;
  constexpr int k = Sample<TypeParam>::k;
  const Sample<TypeParam> sample(random);
  const auto f = sample.element->force(sample.q, sample.chart);
  double done = 0;
  for (int i = 0; i < k; ++i) done += f[i] * sample.v[i];
  const auto energy_at = [&](double s) {
    std::array<double, k> q = sample.q;
    for (int i = 0; i < k; ++i) q[i] += s * sample.v[i];
    return sample.element->potential(q, sample.chart);
  };
  const double s = 1e-5;  // differences are good to s² and to round-off over s
  const double rate = (energy_at(s) - energy_at(-s)) / (2 * s);
  EXPECT_NEAR(sample.element->power(sample.q, sample.v, sample.chart), done + rate,
              1e-7 * std::abs(rate));
  if (TypeParam::conservative) {
    EXPECT_NEAR(done + rate, 0, 1e-7 * std::abs(rate));
  }
}

TYPED_TEST(BeamElementTest, BadInput) {
  using Poses = std::array<SectionPose<wide>, TypeParam::nodes>;
  const auto poses = [](double length) {
    Poses all;
    for (int i = 0; i < TypeParam::nodes; ++i) all[i] = {{wide(length * i), 1, 2}, {1, 0, 0, 0}};
    return all;
  };
  const auto D = coupled_stiffness();
  EXPECT_NO_THROW(TypeParam(poses(1), D));
  EXPECT_THROW(TypeParam(poses(0), D), BadInput);
  SectionStiffness bad = D;
  bad[2][2] = 0;
  EXPECT_THROW(TypeParam(poses(1), bad), BadInput);
  bad = D, bad[0][1] = bad[1][0] = 1000;
  EXPECT_THROW(TypeParam(poses(1), bad), BadInput);
  EXPECT_THROW(section_stiffness({1, 1, 1, 1, -1, 1}), BadInput);
  EXPECT_THROW(section_stiffness({1, 1, 1, 1, std::nan(""), 1}), BadInput);
}

// Beams at rest, compared with closed forms and published positions.

using std::numbers::pi;
using Vector6 = Eigen::Matrix<double, 6, 1>;

template <class Law>
class StaticBeamTest : public ::testing::Test {};
TYPED_TEST_SUITE(StaticBeamTest, Laws);

/// Elements of different lengths, for three nodes with the middle ones in the middle.
template <class Law>
std::vector<SectionPose<double>> uneven_beam() {
  std::vector<SectionPose<double>> poses = {{{0, 0, 0}, {1, 0, 0, 0}}};
  double x = 0;
  for (const double length : {0.3, 0.5, 0.2})
    for (int i = 1; i < Law::nodes; ++i)
      poses.push_back({{x += length / (Law::nodes - 1), 0, 0}, {1, 0, 0, 0}});
  return poses;
}

/// Small displacements of constant strain: forces at the ends alone, n and m of the section.
TYPED_TEST(StaticBeamTest, PatchesOfConstantStrain) {
  const std::array<double, 6> stiff = {90, 40, 30, 7, 5, 3};
  StaticBeam<TypeParam> beam(uneven_beam<TypeParam>(), section_stiffness({90, 40, 30, 7, 5, 3}));
  const Eigen::MatrixXd K = beam.stiffness();
  const int n = static_cast<int>(K.rows());
  for (int strain = 0; strain < 6; ++strain) {
    Eigen::VectorXd u = Eigen::VectorXd::Zero(n);
    for (std::size_t i = 0; i < beam.poses().size(); ++i) {
      const double x = beam.poses()[i].position[0];
      u[6 * i + strain] = x;                       // stretch, shear, twist, turn
      if (strain == 4) u[6 * i + 2] = -x * x / 2;  // bending about axis 2
      if (strain == 5) u[6 * i + 1] = x * x / 2;   // and 3
    }
    Eigen::VectorXd expected = Eigen::VectorXd::Zero(n);
    expected[strain] = -stiff[strain], expected[n - 6 + strain] = stiff[strain];
    if (strain == 1) expected[5] = expected[n - 1] = -stiff[1] / 2;  // shear over length 1
    if (strain == 2) expected[4] = expected[n - 2] = stiff[2] / 2;
    Eigen::VectorXd forces = K * u;
    if (strain == 1 || strain == 2) {  // the moments of a shear grow along the beam: sums only
      Eigen::VectorXd sums = Eigen::VectorXd::Zero(n);
      for (int i = 0; i < n; i += 6)
        for (int j = 3; j < 6; ++j)
          sums[j] += forces[i + j], forces[i + j] = 0, expected[i + j] = 0;
      forces[strain == 1 ? 5 : 4] = std::abs(sums[strain == 1 ? 5 : 4]);
      expected[strain == 1 ? 5 : 4] = stiff[strain];
    }
    EXPECT_LT((forces - expected).cwiseAbs().maxCoeff(), 1e-10) << "strain " << strain;
  }
}

/// A tip force in the linear range: F L³/(3EJ) + F L/GA. Two-node elements with one point miss
/// F h² L/(12 EJ) of it, three-node ones nothing.
TYPED_TEST(StaticBeamTest, SmallTipForce) {
  const double EJ = 3, GA = 40, F = 1e-7;
  StaticBeam<TypeParam> beam(straight_beam<TypeParam>(1, 4),
                             section_stiffness({90, GA, 30, 7, 5, EJ}));
  ASSERT_GT(beam.solve(Vector6(F * Vector6::Unit(1)), 1), 0);
  const double missed = TypeParam::nodes == 2 ? F / (16 * 12 * EJ) : 0;
  EXPECT_NEAR(beam.poses().back().position[1], F / (3 * EJ) + F / GA - missed, 1e-6 * F);
}

/// An end moment 2π EJ/L bends a straight beam into a full circle.
TYPED_TEST(StaticBeamTest, RollUp) {
  const double EJ = 2, length = 1;
  double before = 0;
  for (const int count : {5, 10, 20}) {
    StaticBeam<TypeParam> beam(straight_beam<TypeParam>(length, count * (4 - TypeParam::nodes)),
                               section_stiffness({1e4, 1e4, 1e4, 2, 2, EJ}));
    Vector6 load = Vector6::Zero();
    load[5] = 2 * pi * EJ / length;
    ASSERT_GT(beam.solve(load, 10), 0) << count;
    const auto& tip = beam.poses().back().position;
    const double error = std::hypot(tip[0], tip[1]);
    EXPECT_NEAR(tip[2], 0, 1e-9);
    EXPECT_LT(error, 0.06 * std::pow(5.0 / count, 2)) << count;  // second order at least
    if (before > 0) {
      EXPECT_LT(error, 0.3 * before);
    }
    before = error;
  }
}

/// Bathe & Bolourchi 1979, Int. J. Numer. Methods Eng. 14, 961-986: a cantilever curved over 45° of
/// radius 100, unit square section, E = 1e7, ν = 0, tip force 600 out of its plane. Tip positions
/// published: (15.9, 47.2, 53.4) there; (15.79, 47.23, 53.37) Simo & Vu-Quoc 1986.
TYPED_TEST(StaticBeamTest, FortyFiveDegreeBend) {
  const int spans = TypeParam::nodes == 3 ? 16 : 32;
  std::vector<SectionPose<double>> poses;
  for (int i = 0; i <= spans; ++i) {
    const double angle = pi / 4 * i / spans;
    poses.push_back({{100 * std::sin(angle), 100 * (1 - std::cos(angle)), 0},
                     {std::cos(angle / 2), 0, 0, std::sin(angle / 2)}});
  }
  StaticBeam<TypeParam> beam(poses,
                             section_stiffness({1e7, 5e6, 5e6, 1e7 / 12, 1e7 / 12, 1e7 / 12}));
  Vector6 load = Vector6::Zero();
  load[2] = 600;
  ASSERT_GT(beam.solve(load, 24), 0);
  // There the beam starts along y and bends towards x.
  const auto& tip = beam.poses().back().position;
  EXPECT_NEAR(tip[1], 15.79, 0.25);
  EXPECT_NEAR(tip[0], 47.23, 0.25);
  EXPECT_NEAR(tip[2], 53.37, 0.25);
}

}  // namespace
}  // namespace daemark
