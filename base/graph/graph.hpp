// Functions written down as graphs of operations, recorded once and evaluated in any arithmetic.
//
// A function templated on its scalar is recorded by calling it with Var arguments. Equal nodes are
// shared; operations on constants are carried out in `wide`, so that constants are rounded once,
// when the graph is evaluated; 0 and 1 are removed, and with them structural zeros. A recorded
// function must not branch on values: piecewise laws are written with select().
//
// Derivatives are graphs too (derivative.hpp); code.hpp evaluates, taylor_series.hpp expands.
#pragma once

#include <concepts>
#include <deque>
#include <map>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "base/numbers/scalar.hpp"

namespace daemark::graph {

enum class Op : unsigned char {
  input,
  constant,
  add,
  subtract,
  negate,
  multiply,
  divide,
  square,
  sqrt,
  sin,
  cos,
  exp,
  log,
  tanh,
  asin,
  acos,
  atan,
  atan2,
  abs,
  select,  ///< a > 0 ? b : c
};

int arity(Op op);           ///< how many arguments
bool is_elementary(Op op);  ///< sin … atan2: no operation of the processor

/// Arguments precede their uses. input, constant: `a` is its number.
struct Node {
  Op op = Op::input;
  int a = -1, b = -1, c = -1;
  bool operator==(const Node&) const = default;
};

class Graph;

/// A node of a graph, or a constant (no graph). Copyable; default: 0. Mixes with double, int and
/// wide. Mixing two graphs throws std::logic_error, a constant that is not finite
/// std::domain_error.
class Var {
 public:
  Var() : constant_(0) {}
  template <class T>
  requires(std::is_arithmetic_v<T> || mp::is_number<T>::value)
      // NOLINTNEXTLINE(google-explicit-constructor): literals mix freely
      Var(const T& value)
      : constant_(static_cast<wide>(value)) {}
  Var(Graph* graph, int node) : graph_(graph), node_(node), constant_(0) {}

  bool is_constant() const { return graph_ == nullptr; }
  bool is_zero() const { return is_constant() && constant_ == 0; }
  bool is(int value) const { return is_constant() && constant_ == value; }
  const wide& constant() const { return constant_; }  ///< its value where is_constant()
  explicit operator double() const;                   ///< of a constant; throws std::logic_error
  Graph* graph() const { return graph_; }
  int node() const { return node_; }  ///< −1 for constants

  Var& operator+=(const Var& o) { return *this = *this + o; }
  Var& operator-=(const Var& o) { return *this = *this - o; }
  Var& operator*=(const Var& o) { return *this = *this * o; }
  Var& operator/=(const Var& o) { return *this = *this / o; }

  friend Var operator+(const Var& x) { return x; }
  friend Var operator-(const Var& x);
  friend Var operator+(const Var& x, const Var& y);
  friend Var operator-(const Var& x, const Var& y);
  friend Var operator*(const Var& x, const Var& y);
  friend Var operator/(const Var& x, const Var& y);

 private:
  Graph* graph_ = nullptr;
  int node_ = -1;
  wide constant_;
};

Var square(const Var& x);
Var sqrt(const Var& x);
Var sin(const Var& x);
Var cos(const Var& x);
Var tan(const Var& x);
Var exp(const Var& x);
Var log(const Var& x);
Var tanh(const Var& x);
Var asin(const Var& x);
Var acos(const Var& x);
Var atan(const Var& x);
Var atan2(const Var& y, const Var& x);
Var abs(const Var& x);
/// condition > 0 ? above : below. Both are evaluated; what is not chosen need not be a number.
Var select(const Var& condition, const Var& above, const Var& below);

class Graph {
 public:
  Graph() = default;
  Graph(const Graph&) = delete;  // handles point here
  Graph& operator=(const Graph&) = delete;

  Var input();  ///< a new independent variable, numbered from 0 in order of creation
  std::vector<Var> inputs(int count);

  int input_count() const { return static_cast<int>(inputs_.size()); }
  int input_node(int i) const { return inputs_[i]; }
  int size() const { return static_cast<int>(nodes_.size()); }
  const Node& node(int i) const { return nodes_[i]; }
  const wide& constant(int i) const { return constants_[i]; }
  Var var(int node);  ///< a constant where the node is one

  /// The node of an operation, a known one where there is an equal one; no simplification.
  int intern(Op op, int a, int b = -1, int c = -1);
  int node_of(const Var& x);  ///< constants become nodes

  /// The same functions of other arguments, as nodes of `to`: arguments[i] takes the place of input
  /// i. Throws std::logic_error where there are fewer arguments than inputs.
  std::vector<Var> call(const std::vector<Var>& functions, const std::vector<Var>& arguments) const;

 private:
  struct Hash {
    std::size_t operator()(const Node& n) const;
  };
  std::vector<Node> nodes_;
  std::vector<int> inputs_;
  std::deque<wide> constants_;
  std::map<wide, int> constant_node_;
  std::unordered_map<Node, int, Hash> known_;
};

/// An operation on recorded or constant arguments, simplified: what the operators above do.
Var apply(Op op, const Var& a, const Var& b = {}, const Var& c = {});

/// Which nodes outputs need, arguments included.
std::vector<char> live_nodes(const Graph& graph, const std::vector<Var>& outputs);

}  // namespace daemark::graph

namespace daemark {

using graph::select;
using graph::Var;

/// The same for numbers.
template <class S>
requires(!std::is_same_v<S, Var>) S select(const S& condition, const S& above, const S& below) {
  return condition > 0 ? above : below;
}

inline void sin_cos(const Var& angle, Var& sine, Var& cosine) {
  const Var x = angle;
  sine = sin(x), cosine = cos(x);
}

}  // namespace daemark
