// Beams at rest against closed forms and published positions.
#include "tests/support/static_beam.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "problems/spatial/finite_volume_beam.hpp"
#include "problems/spatial/two_node_beam.hpp"

namespace daemark {
namespace {

using std::numbers::pi;
using Vector6 = Eigen::Matrix<double, 6, 1>;

template <class Law>
class StaticBeamTest : public ::testing::Test {};
using Laws = ::testing::Types<FiniteVolumeBeam, TwoNodeBeam>;
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
