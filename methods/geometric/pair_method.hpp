// Methods that are a partitioned Runge–Kutta pair on a mechanism.
#pragma once

#include <memory>
#include <string>

#include "methods/core/method.hpp"
#include "methods/core/tableau.hpp"

namespace daemark {

/// Coefficients of a pair; the nodes of the momenta are those of the positions.
struct PairForm {
  enum class Constraints { positions, velocities };
  WideTableau position, momentum;
  Constraints constraints = Constraints::positions;
  bool projects_end = true;
  bool holds_constraints = true;
  int stages() const { return position.stages(); }
};

/// Lobatto IIIA for positions and IIIB, b_i â_ij = b_i b_j − b_j a_ji, for momenta; s ≥ 2.
PairForm lobatto_pair(int s);

/// On mechanisms without constraints and with them; empty orders: nothing is known.
struct PairOrders {
  KnownOrders free, constrained;
};
/// `family`: what exact work derives the pair from.
std::shared_ptr<const Method> pair_method(PairForm form, PairOrders orders, Family family = {});

/// Of a file: positions by the first tableau, momenta M v by the second. With constraints where it
/// is a Lobatto pair, otherwise without.
std::shared_ptr<const Method> partitioned_method(const Coefficients& pair);

}  // namespace daemark
