// Taylor series of a mechanism's motion in numbers that enclose: the recursion of
// analysis/reference/taylor_reference, with a linear system that is solved with a proof.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "analysis/enclosure/enclosure.hpp"
#include "base/graph/taylor_series.hpp"
#include "problems/system/mechanical_system.hpp"

namespace daemark {

/// No enclosure: a matrix that may be singular, a function at its branch cut, a law with branches.
struct EnclosureFailure : std::runtime_error {
  explicit EnclosureFailure(const std::string& message, bool more_digits_help = false)
      : std::runtime_error(message), too_wide(more_digits_help) {}
  bool too_wide;  ///< errors grew beyond what the estimates admit: more digits help
};

/// A square matrix of enclosures, each member of which is proved to be regular.
template <class S>
class RegularMatrix {
 public:
  /// Row-major. Throws EnclosureFailure where a member may be singular. With C an approximate
  /// inverse and E = I − C A: every member is regular if |E| u < u for some u > 0.
  RegularMatrix(const std::vector<S>& entries, int size);
  /// Encloses all solutions of A x = right: x = C right + E x.
  void solve(const std::vector<S>& right, std::vector<S>& x) const;

 private:
  int size_;
  std::vector<S> inverse_;     ///< C
  std::vector<double> error_;  ///< |E|, rounded up
  std::vector<double> u_;
  double contraction_ = 0;  ///< max (|E| u)_i / u_i
};

template <class S>
class MotionSeries {
 public:
  /// `rows`: the constraints that hold; multipliers of the others are 0. `tangents`: whether
  /// follow() may be called. Throws EnclosureFailure for laws with branches.
  MotionSeries(MechanicalSystem<real50>& system, const std::vector<int>& rows, int max_order,
               bool tangents = false);

  /// Order 0, with accelerations and multipliers, order 1 of q and v, order 2 of q.
  /// Throws EnclosureFailure.
  void start(const S& t, const S* q, const S* v);
  /// Coefficients of v up to `order`, of q up to order + 1.
  void extend(int order);

  const S* v(int i) const { return state(n_ + i); }
  const S* state(int i) const { return series_.input(i); }             ///< q, then v
  const S* lambda(int i) const { return series_.input(3 * n_ + i); }   ///< of the rows that hold
  const S* unknown(int i) const { return series_.input(2 * n_ + i); }  ///< accelerations, then λ

  /// The derivative of the series, extended to `order` before, along a change of the start.
  void follow(const S* dq, const S* dv, int order);
  const S* tangent(int i) const { return series_.input(tangent_ + i); }  ///< of q, then of v

 private:
  struct Recorded {
    Recorded(MechanicalSystem<real50>& system, const std::vector<int>& rows, bool tangents);
    graph::Graph graph;
    std::vector<std::vector<Var>> groups;
  };
  struct Row {
    int group, place, ahead;
  };
  MotionSeries(MechanicalSystem<real50>& system, const std::vector<int>& rows, Recorded&& recorded,
               int max_order);

  S* in(int i) { return series_.input(i); }
  std::vector<S> matrix();
  /// Of the motion (first input 0, first group 0) or of its derivative.
  void solve_order(int k, int first, int group);

  int n_, m_, tangent_, known_ = 0;
  bool followed_;  ///< there are tangents
  std::vector<Row> rows_;
  graph::TaylorSeries<S> series_;
  std::vector<RegularMatrix<S>> factors_;  ///< one
  std::vector<S> right_, solution_;
};

}  // namespace daemark
