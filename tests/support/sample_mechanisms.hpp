// Small planar mechanisms that use every element of the builder, for tests.
#pragma once

#include <string>
#include <vector>

#include "problems/planar/planar_mechanism.hpp"

namespace daemark::test {

/// Two thin rods in series, the two-link of the catalogue, with rows of either kind.
PlanarMechanism double_rod(Rows rows);
/// Rod, connecting rod and a block that slides on the ground along a slanted line, with a spring.
PlanarMechanism slider_crank();
/// A closed loop of three bars, damped, with a torque on the first.
PlanarMechanism four_bar(Rows rows);
/// A rod whose angle is prescribed, and a free one hanging on it.
PlanarMechanism driven_rod();
/// A block sliding along a moving rod, with a spring and a damper between points off the centres.
PlanarMechanism moving_slider();
/// Torsion spring and damper between two rods, a force and a torque.
PlanarMechanism torsion_chain();

/// Equal rods hanging from one another, released level.
PlanarMechanism pendulum_chain(int rods);
/// Four-bar loops side by side that share their bars: bars 2 m apart turn about the ground,
/// couplers join their tips. One degree of freedom, released from 60 degrees.
PlanarMechanism four_bar_row(int loops);

struct SampleMechanism {
  std::string name;
  PlanarMechanism mechanism;
};
/// All of fixed size.
std::vector<SampleMechanism> sample_mechanisms();

}  // namespace daemark::test
