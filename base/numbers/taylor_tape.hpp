// Truncated Taylor series by a tape of operations, on which the high-precision references rest.
//
// A templated functor is recorded once with TapeVar<S> arguments; the tape keeps a pruned graph of
// its operations (equal nodes shared, constants folded, 0 and 1 removed, so that nested dual
// numbers with structural zeros cost nothing). TaylorProgram then computes series coefficients
// order by order. In every operation the coefficient of order k >= 1 is affine in the arguments'
// coefficients of order k and the sum over lower orders ("interior") does not involve them: a
// coefficient found afterwards, from a linear system, is propagated at O(1) per node.
// Recurrences: Jorba & Zou, Exp. Math. 14 (2005), Prop. 2.1.
#pragma once

#include <concepts>
#include <cstddef>
#include <map>
#include <tuple>
#include <type_traits>
#include <vector>

#include "base/numbers/scalar.hpp"

namespace daemark {

template <class S>
class Tape;

/// Value recorded on a tape, or a constant (no tape). Copyable; default: the constant 0. Found by
/// ADL: + - * / (mixed with S, int, double), sin, cos, sqrt, square. There are no comparisons: a
/// recorded functor must not branch on values. Mixing two tapes throws std::logic_error.
template <class S>
class TapeVar {
 public:
  TapeVar() : constant_(0) {}
  template <class T>
  // NOLINTNEXTLINE(google-explicit-constructor)
  requires(std::is_arithmetic_v<T> || std::same_as<T, S>) TapeVar(const T& value)
      : constant_(value) {}  // NOLINT: literals mix freely
  TapeVar(Tape<S>* tape, int node) : tape_(tape), node_(node), constant_(0) {}

  bool is_constant() const { return tape_ == nullptr; }
  bool is_zero() const { return is_constant() && constant_ == 0; }
  const S& constant() const { return constant_; }  ///< its value where is_constant()
  Tape<S>* tape() const { return tape_; }
  int node() const { return node_; }  ///< index on the tape, -1 for constants

  TapeVar& operator+=(const TapeVar& o) { return *this = *this + o; }
  TapeVar& operator-=(const TapeVar& o) { return *this = *this - o; }
  TapeVar& operator*=(const TapeVar& o) { return *this = *this * o; }
  TapeVar& operator/=(const TapeVar& o) { return *this = *this / o; }

  friend TapeVar operator+(const TapeVar& x) { return x; }
  friend TapeVar operator-(const TapeVar& x) { return Tape<S>::multiply(TapeVar(-1), x); }
  friend TapeVar operator+(const TapeVar& x, const TapeVar& y) { return Tape<S>::add(x, y); }
  friend TapeVar operator-(const TapeVar& x, const TapeVar& y) { return Tape<S>::subtract(x, y); }
  friend TapeVar operator*(const TapeVar& x, const TapeVar& y) { return Tape<S>::multiply(x, y); }
  friend TapeVar operator/(const TapeVar& x, const TapeVar& y) { return Tape<S>::divide(x, y); }
  friend TapeVar square(const TapeVar& x) { return Tape<S>::multiply(x, x); }
  friend TapeVar sqrt(const TapeVar& x) { return Tape<S>::square_root(x); }
  friend TapeVar sin(const TapeVar& x) { return Tape<S>::sine_or_cosine(x, true); }
  friend TapeVar cos(const TapeVar& x) { return Tape<S>::sine_or_cosine(x, false); }

 private:
  Tape<S>* tape_ = nullptr;
  int node_ = -1;
  S constant_;
};

/// x, y below are the arguments' series, z the node's.
enum class TapeOp : unsigned char {
  input,
  constant,
  add,
  subtract,
  scale,     ///< c x
  shift,     ///< c + x
  multiply,  ///< x y
  square,    ///< x^2
  divide,    ///< x / y
  sqrt,
  weight,  ///< z_k = k x_k, shared by the sine and the cosine of x
  sin,     ///< the partner cosine is always the next node
  cos,
};

struct TapeNode {
  TapeOp op = TapeOp::input;
  int first = -1;   ///< argument node; input: its number; constant: index of the constant
  int second = -1;  ///< argument node; scale, shift: index of the constant
};

/// The recorded graph; arguments precede their uses.
template <class S>
class Tape {
 public:
  using Var = TapeVar<S>;

  Tape() = default;
  Tape(const Tape&) = delete;  // handles point here
  Tape& operator=(const Tape&) = delete;

  Var input();  ///< a new independent variable; inputs are numbered from 0 in order of creation
  std::vector<Var> inputs(int count);

  int input_count() const { return static_cast<int>(inputs_.size()); }
  int input_node(int i) const { return inputs_[i]; }
  int size() const { return static_cast<int>(nodes_.size()); }
  const TapeNode& node(int i) const { return nodes_[i]; }
  const S& constant(int i) const { return constants_[i]; }

  static Var add(const Var& x, const Var& y);
  static Var subtract(const Var& x, const Var& y);
  static Var multiply(const Var& x, const Var& y);
  static Var divide(const Var& x, const Var& y);
  static Var square_root(const Var& x);
  static Var sine_or_cosine(const Var& x, bool sine);

 private:
  static Tape* common(const Var& x, const Var& y);
  Var intern(TapeOp op, int first, int second = -1);
  Var scaled(const S& factor, int node);
  Var shifted(const S& offset, int node);
  Var product(int x, int y);
  Var quotient(int x, int y);
  int constant_index(const S& value);
  int constant_node(const S& value);
  bool is(TapeOp op, int node) const { return nodes_[node].op == op; }

  std::vector<TapeNode> nodes_;
  std::vector<int> inputs_;
  std::vector<S> constants_;
  std::map<S, int> constant_of_value_;
  std::map<std::tuple<TapeOp, int, int>, int> known_;
};

/// Evaluates the series of a tape's outputs. Outputs come in groups that advance separately: a node
/// belongs to the first group that needs it, so a later group at order k expects every earlier one
/// at order k or beyond. Nodes that no output needs are dropped. Coefficients are contiguous by
/// node.
template <class S>
class TaylorProgram {
 public:
  TaylorProgram(const Tape<S>& tape, const std::vector<std::vector<TapeVar<S>>>& groups,
                int max_order);

  int max_order() const { return stride_ - 1; }
  /// Live nodes of a group other than inputs.
  int operations(int group) const { return static_cast<int>(code_[group].size()); }

  /// Coefficients 0..max_order of the i-th input, for the caller to fill.
  S* input(int i) { return &series_[static_cast<std::size_t>(i) * stride_]; }
  const S* input(int i) const { return &series_[static_cast<std::size_t>(i) * stride_]; }
  const S* output(int group, int i) const {
    return &series_[static_cast<std::size_t>(outputs_[group][i]) * stride_];
  }

  /// Coefficient k of the group's nodes, from coefficients 0..k of the inputs; orders in sequence.
  void evaluate_order(int group, int k);
  /// The same after only coefficients k of the inputs have changed: O(1) per node. Valid after
  /// evaluate_order(group, k), until the next order of that group.
  void update_order(int group, int k);

 private:
  struct Instruction {
    TapeOp op;
    int result, first, second;
    int partner;  ///< sin: slot of cos and the reverse
    S constant;   ///< scale, shift, constant
    S interior;   ///< the part of the current coefficient that lower orders fix
  };

  void compile(const Tape<S>& tape, int group, const std::vector<char>& live,
               std::vector<int>& slot);
  void set_interior(Instruction& code, int k) const;
  void set_first(const Instruction& code);
  void set_coefficient(const Instruction& code, int k);
  const S* at(int slot) const { return &series_[static_cast<std::size_t>(slot) * stride_]; }
  S* at(int slot) { return &series_[static_cast<std::size_t>(slot) * stride_]; }

  int stride_;
  std::vector<S> series_;
  std::vector<std::vector<Instruction>> code_;
  std::vector<std::vector<int>> outputs_;
};

}  // namespace daemark
