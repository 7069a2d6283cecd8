// A recorded mechanism in one scalar.
#pragma once

#include "problems/system/drawing.hpp"
#include "problems/system/part.hpp"
#include "problems/system/registry.hpp"

namespace daemark {

/// A mechanism as it is declared, the same for all scalars.
struct Mechanism {
  struct Row {
    Quantity quantity;
    RowLevel level;
  };
  std::vector<Quantity> coordinates;
  std::vector<Row> rows;
  std::vector<wide> q0, v0, lambda0;  ///< λ: where the index-1 solve begins
  int redundant = 0;                  ///< rows that follow from the others
  std::shared_ptr<const Part> part;
  std::vector<OutputInfo> outputs;
  std::function<Drawing()> drawing;
  /// Reference coordinates and their velocities of (q, v), where they are not q and v themselves.
  std::function<std::vector<Var>(const Var* q, const Var* v)> shown;
};

/// The mechanism in each scalar; it is made at the first call.
MechanismMakers recorded_makers(std::function<std::shared_ptr<const Mechanism>()> make);

}  // namespace daemark
