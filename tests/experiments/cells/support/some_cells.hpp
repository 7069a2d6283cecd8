// Small cells of several kinds.
#pragma once

#include <string>

#include "experiments/cells/support/cell.hpp"

namespace daemark::test {

inline Cell run_cell(const std::string& problem, const std::string& method) {
  Cell cell;
  cell.problem = problem;
  cell.formulation = "index3";
  cell.method = method;
  cell.h = {"1/100"};
  cell.t_end = "1/10";
  return cell;
}

inline Cell orders_cell() {
  Cell cell = run_cell("two_link", "gauss(2)");
  cell.kind = "orders";
  cell.h = {"1/10", "1/20", "1/40"};
  cell.more = {{"formulations", {"index1", "index3"}}, {"t_ends", {"1/2", "1"}}};
  return cell;
}

inline Cell of_kind(const std::string& kind, const std::string& method) {
  Cell cell;
  cell.kind = kind;
  cell.method = method;
  return cell;
}

}  // namespace daemark::test
