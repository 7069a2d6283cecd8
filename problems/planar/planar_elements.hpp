// The elements of a planar mechanism, recorded: bodies, rows of joints and drives, springs, dampers
// and loads. Coordinates of a body are (x, y, θ), three from 3 b on.
#pragma once

#include "problems/mechanism/element.hpp"
#include "problems/planar/planar_mechanism.hpp"

namespace daemark {

/// Elements of one mechanism, in its order of rows.
class PlanarElements {
 public:
  explicit PlanarElements(const PlanarMechanism& mechanism) : m_(mechanism) {}

  std::vector<Element> all();  ///< in coordinates (x, y, θ)
  /// What acts on a tree's angles θ_b, coordinate b, besides bodies.
  std::vector<Element> on_angles();

 private:
  Element body(int b);
  /// Rows i … i + count − 1, of the same angles.
  Element rows(std::size_t i, std::size_t count);
  Element prismatic(int number);
  Element coupling(const PlanarMechanism::CouplingData& c, const std::vector<ElementNode>& nodes);
  Element load(const PlanarMechanism::TimedLoad& load, int coordinate);

  const PlanarMechanism& m_;
  ElementKinds kinds_;
};

}  // namespace daemark
