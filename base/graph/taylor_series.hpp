// Truncated Taylor series of a recorded function, order by order.
//
// In every operation the coefficient of order k >= 1 is affine in the arguments' coefficients of
// order k, and the sum over lower orders ("interior") does not involve them: a coefficient found
// afterwards, from a linear system, is propagated at O(1) per node. Recurrences: Jorba & Zou, Exp.
// Math. 14 (2005), Prop. 2.1; for every function f of one argument they are one,
//   k z_k = Σ_{j=1..k} j x_j w_{k−j},  z = f(x), w = f'(x),
// with w recorded on the same graph (derivative.hpp), which may use z.
#pragma once

#include "base/graph/code.hpp"

namespace daemark::graph {

/// Whether a series exists: nothing branches.
bool has_series(const Graph& graph, const std::vector<std::vector<Var>>& groups);

/// Outputs come in groups that advance separately: a node belongs to the first group that needs it,
/// so a later group at order k expects every earlier one at order k or beyond. Coefficients are
/// contiguous by node.
template <class S>
class TaylorSeries {
 public:
  /// weight: z_k = k x_k, shared by the functions of one argument.
  enum class Kind {
    add,
    subtract,
    negate,
    scale,
    multiply,
    square,
    divide,
    sqrt,
    weight,
    function
  };
  struct Step {
    Kind kind;
    Op op;
    int to, a, b = -1;
    int slope_a = -1, slope_b = -1;    ///< function: slots of ∂z/∂a, ∂z/∂b
    int weight_a = -1, weight_b = -1;  ///< and of j a_j, j b_j
    S interior{};  ///< the part of the current coefficient that lower orders fix
  };

  /// Adds derivatives to the graph. Throws std::logic_error where there is no series.
  TaylorSeries(Graph& graph, const std::vector<std::vector<Var>>& groups, int max_order);

  int max_order() const { return stride_ - 1; }
  int operations(int group) const { return static_cast<int>(steps_[group].size()); }
  /// In the order in which they are evaluated, and where they have their coefficients.
  const std::vector<Step>& steps(int group) const { return steps_[group]; }
  int slots() const { return slots_; }
  int output_slot(int group, int i) const { return outputs_[group][i]; }
  const S* at(int slot) const { return &series_[static_cast<std::size_t>(slot) * stride_]; }

  /// Coefficients 0..max_order of the i-th input, for the caller to fill.
  S* input(int i) { return at(i); }
  const S* input(int i) const { return at(i); }
  const S* output(int group, int i) const { return at(outputs_[group][i]); }

  /// Coefficient k of the group's nodes, from coefficients 0..k of the inputs; orders in sequence.
  void evaluate_order(int group, int k);
  /// The same after only coefficients k of the inputs have changed: O(1) per node. Valid after
  /// evaluate_order(group, k), until the next order of that group.
  void update_order(int group, int k);

 private:
  void add_step(const Instruction& i, const std::vector<int>& slopes, int group);
  int weight_of(int slot, int group);
  void set_interior(Step& step, int k) const;
  void set_first(const Step& step);
  void set_coefficient(const Step& step, int k);
  S* at(int slot) { return &series_[static_cast<std::size_t>(slot) * stride_]; }

  int stride_, inputs_ = 0, first_computed_ = 0, slots_ = 0;
  std::vector<S> series_;
  std::vector<int> weight_;  ///< by slot
  std::vector<std::vector<Step>> steps_;
  std::vector<std::vector<int>> outputs_;
};

}  // namespace daemark::graph
