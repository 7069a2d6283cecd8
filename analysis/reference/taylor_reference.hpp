// High-precision motion of a mechanism by variable-step Taylor series on the index-3 equations
//   R = M(q) a + G'lambda - f(q, v, t) = 0,   Phi(q, t) = 0.
// With q known to order k+1, order k of R and order k+2 of Phi are linear in a_k = (k+2)(k+1)
// q_{k+2} and lambda_k, with the same matrix [M0 G0'; G0 0] for every k: one factorisation a step,
// one back-substitution an order (the idea of Pryce's structural method, BIT 41 (2001) 364-394).
// A row of velocities, affine in v, is one order behind: its order k+1 is linear in v_{k+1} =
// a_k/(k+1), with the same matrix.
// The multipliers are series too and no constraint is differentiated by hand. Nothing is projected:
// the constraints hold to truncation, so their residual is a check.
#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/graph/taylor_series.hpp"
#include "problems/system/mechanical_system.hpp"

namespace daemark {

/// The motion cannot be continued: singular matrix, values that are not finite, vanishing steps.
class TaylorFailure : public std::runtime_error {
 public:
  explicit TaylorFailure(const std::string& message) : std::runtime_error(message) {}
};

template <class S>
struct TaylorState {
  S t;
  std::vector<S> q, v, a;  ///< n entries each
  std::vector<S> lambda;   ///< m entries; with a from the equations at (t, q, v), not from a series
  double position_violation = 0;  ///< max |Phi|
  double velocity_violation = 0;  ///< max |dPhi/dt|
};

/// Writes R (n) and Phi (m) as operations on the graph; see MechanicalSystem::record.
template <class S>
using MotionRecorder =
    std::function<void(graph::Graph& graph, const Var* q, const Var* v, const Var* a,
                       const Var* lambda, const Var& t, Var* R, Var* Phi)>;

template <class S>
class TaylorIntegrator {
 public:
  /// `order`: degree of the series of q, at least 4; 0 chooses 0.6 of -ln(accuracy), for the
  /// round-off of double and real50 22 and 70. Convolutions alone would be cheapest at 0.5; the
  /// work in proportion to the order (products with the leading coefficients, substitutions) moves
  /// the optimum up. `digits`: those of the accuracy; 0: as many as S has. `velocity_rows`: for
  /// which rows of Phi the rate is recorded; empty: for none.
  TaylorIntegrator(int coordinates, int constraints, const MotionRecorder<S>& record, int order = 0,
                   std::vector<char> velocity_rows = {}, int digits = 0);
  explicit TaylorIntegrator(MechanicalSystem<S>& system, int order = 0, int digits = 0);

  /// States at `times` (each >= t0, any order), from consistent (q0, v0) at t0; steps end exactly
  /// there. Throws BadInput for a time before t0, and TaylorFailure, also after `most_steps` or
  /// where twice as many are foreseen: by default half a minute on small mechanisms, where a
  /// chaotic motion has long lost its digits.
  std::vector<TaylorState<S>> integrate(const S& t0, const std::vector<S>& q0,
                                        const std::vector<S>& v0, const std::vector<S>& times,
                                        int most_steps = 20000);

  int order() const { return order_; }
  int steps() const { return steps_; }  ///< of the last call
  int operations() const {
    return program_.operations(0) + program_.operations(1) + program_.operations(2);
  }

 private:
  struct Recorded {
    Recorded(int n, const std::vector<char>& velocity_rows, const MotionRecorder<S>& record);
    graph::Graph graph;
    /// Phi, which runs two orders ahead, rows of velocities, which run one ahead, then R.
    std::vector<std::vector<Var>> groups;
  };
  /// Where a constraint row is among the outputs, and how many orders ahead.
  struct Row {
    int group, place, ahead;
  };
  struct Matrix;  // the factored KKT matrix; Eigen stays out of this header

  TaylorIntegrator(int n, const std::vector<char>& velocity_rows, Recorded&& recorded, int order,
                   int digits);

  S* q(int i) { return program_.input(i); }
  S* v(int i) { return program_.input(n_ + i); }
  S* a(int i) { return program_.input(2 * n_ + i); }
  S* lambda(int i) { return program_.input(3 * n_ + i); }
  S* time() { return program_.input(3 * n_ + m_); }
  const S* output(const Row& row) const { return program_.output(row.group, row.place); }
  void expand_start(const S& t, const std::vector<S>& q0, const std::vector<S>& v0);
  void probe_matrix();
  void solve_order(int k);
  S step_size() const;
  TaylorState<S> state();
  void advance(const S& h, std::vector<S>& q0, std::vector<S>& v0);

  int n_, m_;
  double log_accuracy_;
  int order_, steps_ = 0;
  std::vector<Row> rows_;
  graph::TaylorSeries<S> program_;
  std::shared_ptr<Matrix> matrix_;
};

}  // namespace daemark
