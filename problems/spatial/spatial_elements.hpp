// The elements of a spatial mechanism, recorded: bodies, joints and prescribed motion, springs,
// dampers, loads. A node has (x, g), six coordinates, and the quaternion of R_ref on its chart.
#pragma once

#include "problems/spatial/spatial_mechanism.hpp"

namespace daemark {

/// Elements of one mechanism, in its order of rows.
class SpatialElements {
 public:
  explicit SpatialElements(const SpatialMechanism& mechanism) : m_(mechanism) {}
  std::vector<Element> all();

 private:
  Element custom(const SpatialMechanism::Custom& custom);
  Element body(int node);
  Element joint(const SpatialMechanism::Joint& joint);
  Element turn_rate(const SpatialMechanism::Joint& joint);
  Element coupling(const SpatialMechanism::Coupling& coupling);
  Element load(const SpatialMechanism::Load& load);

  const SpatialMechanism& m_;
  ElementKinds kinds_;
};

}  // namespace daemark
