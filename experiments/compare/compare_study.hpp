// A method beside the catalogue: the cells of `daemark compare`.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "experiments/cells/support/cell.hpp"

namespace daemark {

struct CompareRequest {
  std::vector<std::string> methods;   ///< calls, the new ones
  std::vector<std::string> problems;  ///< calls; empty: all
  std::vector<std::string> h;         ///< coarse to fine; empty: chosen for each problem
  std::string t_end;                  ///< empty: each problem's own time, in which much happens
  /// What methods that choose their steps are given instead of h, with output at the end alone.
  std::vector<std::string> tolerances = {"1e-3", "1e-4", "1e-5", "1e-6", "1e-8"};
};

/// One problem in one formulation that a new method takes; per method its runs, coarse to fine.
struct CompareField {
  std::string problem, formulation, t_end;
  std::vector<std::string> h;
  /// Length of the way of the motion, what errors are relative to: the largest of ‖q(T) − q(0)‖,
  /// T ‖v(0)‖ and T ‖v(T)‖, in the units of q.
  double way = 0;
  int reference_digits = 50;  ///< on which its routes agree; all there are until it is read
  std::string no_reference;   ///< why there is none
  struct Entry {
    std::string method;  ///< canonical; "… with control" where tolerances are swept
    bool is_new = false, controlled = false;
    std::vector<Cell> cells;
  };
  std::vector<Entry> entries;
};

/// Every problem × formulation some new method takes, with the catalogue's methods that take it
/// too: those that need no arguments, and families with one integer parameter at 2 and 3. Throws
/// BadInput for unknown methods and problems, and for a method that takes nothing; problems without
/// a reference are named on `err`.
std::vector<CompareField> compare_fields(const CompareRequest& request, std::ostream& err);

}  // namespace daemark
