// Small cells of several kinds.
#pragma once

#include <string>

#include "experiments/cells/support/cell.hpp"

namespace daemark::test {

inline Cell run_cell(const std::string& problem, const std::string& method,
                     const std::string& formulation = "index3", const std::string& h = "1/100",
                     const std::string& t_end = "1/10") {
  Cell cell;
  cell.problem = problem;
  cell.formulation = formulation;
  cell.method = method;
  cell.h = {h};
  cell.t_end = t_end;
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
