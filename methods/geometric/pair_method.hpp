// Methods that are a partitioned pair on a mechanism (pair_equations.hpp).
#pragma once

#include <memory>
#include <string>

#include "methods/core/method.hpp"
#include "methods/geometric/pair_equations.hpp"

namespace daemark {

/// Lobatto IIIA for positions and IIIB, b_i â_ij = b_i b_j − b_j a_ji, for momenta; s ≥ 2.
PairForm lobatto_pair(int s);

/// `orders`: on mechanisms without constraints and with them.
struct PairOrders {
  StatedOrders free, constrained;
};
/// `family`: what exact work derives the pair from.
std::shared_ptr<const Method> pair_method(PairForm form, PairOrders orders, Family family = {});

}  // namespace daemark
