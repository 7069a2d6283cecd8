// A mechanism's elements: bodies, joints, springs, beam sections, each an instance of a part.
//
// A part is recorded once for a kind of element and shared by all elements of the kind; the numbers
// in which they differ are data. Numbers that are 0, 1 or −1 and coordinates that the ground holds
// belong to the kind, so that the part's equations are as short as they can be.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "problems/mechanism/part.hpp"

namespace daemark {

/// Coordinates first .. first + width of a mechanism; first = −1: the ground, all constants 0.
/// A node of a rigid body or beam is six wide, (x, g): its position and the increment g from the
/// orientation R_ref that the mechanism's chart holds at `chart` (rotation.hpp: R = R(g) R_ref).
struct ElementNode {
  static constexpr int fixed_chart = -2;  ///< R_ref = I for ever: a ground with an orientation
  int first, width;
  int chart = -1;  ///< offset of the unit quaternion R_ref in the system's chart; −1: none

  static ElementNode spatial(int node) {
    return node < 0 ? ElementNode{-1, 6, fixed_chart} : ElementNode{6 * node, 6, 4 * node};
  }
};

struct Element {
  std::shared_ptr<const Part> part;
  std::vector<int> coordinates, chart;  ///< of the mechanism, as the part has them
  std::vector<Quantity> rows;
  std::vector<wide> data;
};

/// A mechanism in one: all its coordinates, numbers of charts and rows, in their order.
Element whole_element(const PartSizes& sizes, std::vector<Quantity> rows,
                      const Part::Recorder& record);

/// Kinds that are known, each recorded at its first element.
class ElementKinds {
 public:
  /// What names a kind besides its numbers and nodes: the law's name, and functions of time that
  /// the law contains.
  struct Law {
    std::string name;
    std::vector<const void*> functions;
    int velocity_rows = 0;  ///< of the rows, the last
  };
  /// The recorder sees all coordinates of the nodes, 4 numbers of a chart of each node that has one
  /// and the data; it need not state forces or masses.
  Element make(const Law& law, const std::vector<ElementNode>& nodes, const std::vector<wide>& data,
               std::vector<Quantity> rows, const Part::Recorder& record);

 private:
  std::map<std::string, std::shared_ptr<const Part>> known_;
};

}  // namespace daemark
