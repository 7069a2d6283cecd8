// Arithmetic of mechanism files: numbers, names of the file's own numbers, and what moves: the time
// `t`, in outputs the state of the bodies ("crank.theta"), in equations coordinates and their rates
// (x, x', x'').
//
// Grammar: numbers, + - * /, ^ with an integer, parentheses, pi, sqrt sin cos tan asin acos atan
// atan2 exp log tanh abs min max, and if(c, a, b): a where c > 0, else b. What no variable enters
// is computed once in `wide`. In a known solution there are also sn(u, k), cn(u, k), dn(u, k) of
// Jacobi with modulus k, and integral(f), of f from time 0 to t.
#pragma once

#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/graph/operation.hpp"
#include "problems/system/declaration.hpp"

namespace daemark {

class FileFormula {
 public:
  struct Scope {
    std::map<std::string, wide> constants;  ///< besides pi
    std::map<std::string, int> variables;   ///< by name, the number `value` asks for
    std::set<std::string>* used = nullptr;  ///< gathers the names that are met
    bool of_solution = false;               ///< also functions that solutions alone may have
  };
  /// Throws BadInput naming `where`, the text, and what is accepted; also for what is no real
  /// number, like sqrt(-1).
  static FileFormula parse(std::string_view text, std::string_view where, const Scope& scope);

  bool is_constant() const { return nodes_.back().kind == Kind::constant; }
  const wide& constant() const { return nodes_.back().exact; }  ///< where it is one

  /// variable(number) gives a T; T: Var, of solutions real50. For integrals variable.time() is t,
  /// and variable.at_time(s) gives values at another one.
  template <class T, class Variable>
  T value(const Variable& variable) const {
    return at<T>(static_cast<int>(nodes_.size()) - 1, variable);
  }

 private:
  friend class FileFormulaParser;
  using Op = graph::Op;
  /// What is no operation of a graph.
  enum class Kind { constant, variable, operation, choice, power, tan, sn, cn, dn, integral };
  struct Node {
    Kind kind;
    Op op = Op::input;          ///< operation
    int left = -1, right = -1;  ///< nodes; variable: its number; power: right is the exponent
    int third = -1;             ///< choice: right where left > 0, else this
    wide exact = 0;             ///< constant
  };

  static real50 jacobi(Kind kind, const real50& u, const real50& k);
  static real50 integral(const real50& t, const std::function<real50(const real50&)>& rate);

  template <class T, class Variable>
  T at(int index, const Variable& variable) const {
    const Node& node = nodes_[index];
    const auto left = [&] { return at<T>(node.left, variable); };
    const auto right = [&] { return node.right < 0 ? T() : at<T>(node.right, variable); };
    switch (node.kind) {
      case Kind::constant:
        return T(node.exact);
      case Kind::variable:
        return variable(node.left);
      case Kind::power:
        return raised(left(), node.right);
      case Kind::operation: {
        const T y = right();  // first: what is recorded in another order is summed up in another
        return computed(node.op, left(), y);
      }
      case Kind::choice: {
        const T condition = left(), above = right();
        return select(condition, above, at<T>(node.third, variable));
      }
      case Kind::tan:
        return tangent(left());
      default:
        break;
    }
    if constexpr (requires { variable.at_time(variable.time()); }) {
      if (node.kind != Kind::integral) {
        const T x = left();
        return jacobi(node.kind, x, right());
      }
      return integral(variable.time(),
                      [&](const real50& s) { return at<T>(node.left, variable.at_time(s)); });
    }
    throw std::logic_error("a function of known solutions outside of one");
  }

  template <class T>
  static T raised(const T& base, int exponent) {
    T product(1);
    for (int i = 0; i < std::abs(exponent); ++i) product = product * base;
    return exponent < 0 ? T(1) / product : product;
  }
  template <class T>
  static T tangent(const T& x) {
    using std::tan;
    return tan(x);
  }
  template <class T>
  static T computed(Op op, const T& x, const T& y) {
    if constexpr (std::is_same_v<T, Var>)
      return graph::apply(op, x, y);
    else
      return graph::operation_value(op, x, &y);
  }

  std::vector<Node> nodes_;  ///< operands before what uses them; the last is the whole
};

}  // namespace daemark
