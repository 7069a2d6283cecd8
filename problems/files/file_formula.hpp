// Arithmetic of mechanism files: numbers, names of the file's own numbers, and what moves: the time
// `t`, in outputs the state of the bodies ("crank.theta"), in equations coordinates and their rates
// (x, x', x'').
//
// Grammar: numbers, + - * /, ^ with an integer, parentheses, pi, sqrt sin cos tan asin acos atan
// atan2 exp log tanh abs. What no variable enters is computed once in `wide`. In a law of time
// t may stand under + - * / ^ sqrt sin cos only. In a
// known solution there are also sn(u, k), cn(u, k), dn(u, k) of Jacobi with modulus k, and
// integral(f), of f from time 0 to t.
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

  bool is_constant() const { return nodes_.back().op == Op::constant; }
  const wide& constant() const { return nodes_.back().exact; }  ///< where it is one

  /// variable(number) gives a T; T: Var, of solutions real50. For integrals variable.time() is t,
  /// and variable.at_time(s) gives values at another one.
  template <class T, class Variable>
  T value(const Variable& variable) const {
    return at<T>(static_cast<int>(nodes_.size()) - 1, variable);
  }

 private:
  friend class FileFormulaParser;
  enum class Op {
    constant,
    variable,
    add,
    subtract,
    multiply,
    divide,
    negate,
    power,
    sqrt,
    sin,
    cos,
    tan,
    asin,
    acos,
    atan,
    exp,
    log,
    tanh,
    abs,
    atan2,
    jacobi_sn,
    jacobi_cn,
    jacobi_dn,
    integral
  };
  struct Node {
    Op op;
    int left = -1, right = -1;  ///< nodes; variable: its number; power: right is the exponent
    wide exact = 0;             ///< constant
  };

  static real50 jacobi(Op op, const real50& u, const real50& k);
  static real50 integral(const real50& t, const std::function<real50(const real50&)>& rate);

  template <class T, class Variable>
  T at(int index, const Variable& variable) const {
    const Node& node = nodes_[index];
    switch (node.op) {
      case Op::constant:
        return T(node.exact);
      case Op::variable:
        return variable(node.left);
      case Op::power:
        return raised(at<T>(node.left, variable), node.right);
      case Op::add:
      case Op::subtract:
      case Op::multiply:
      case Op::divide:
      case Op::atan2:
      case Op::jacobi_sn:
      case Op::jacobi_cn:
      case Op::jacobi_dn:
        return combined(node.op, at<T>(node.left, variable), at<T>(node.right, variable));
      case Op::integral:
        if constexpr (requires { variable.at_time(variable.time()); })
          return integral(variable.time(),
                          [&](const real50& s) { return at<T>(node.left, variable.at_time(s)); });
        throw std::logic_error("an integral outside a known solution");
      default:
        return applied(node.op, at<T>(node.left, variable));
    }
  }

  template <class T>
  static T raised(const T& base, int exponent) {
    T product(1);
    for (int i = 0; i < std::abs(exponent); ++i) product = product * base;
    return exponent < 0 ? T(1) / product : product;
  }
  template <class T>
  static T combined(Op op, const T& x, const T& y) {
    using std::atan2;
    if (op == Op::add) return x + y;
    if (op == Op::subtract) return x - y;
    if (op == Op::multiply) return x * y;
    if (op == Op::divide) return x / y;
    if (op == Op::atan2) return atan2(x, y);
    if constexpr (std::is_same_v<T, real50>) return jacobi(op, x, y);
    throw std::logic_error("a Jacobi function outside a known solution");
  }
  template <class T>
  static T applied(Op op, const T& x) {
    using std::sqrt, std::sin, std::cos, std::tan, std::asin, std::acos, std::atan, std::exp,
        std::log, std::tanh, std::abs;
    switch (op) {
      case Op::negate:
        return -x;
      case Op::sqrt:
        return sqrt(x);
      case Op::sin:
        return sin(x);
      case Op::cos:
        return cos(x);
      case Op::tan:
        return tan(x);
      case Op::asin:
        return asin(x);
      case Op::acos:
        return acos(x);
      case Op::atan:
        return atan(x);
      case Op::exp:
        return exp(x);
      case Op::log:
        return log(x);
      case Op::tanh:
        return tanh(x);
      case Op::abs:
        return abs(x);
      default:
        throw std::logic_error("no function of one argument");
    }
  }

  std::vector<Node> nodes_;  ///< operands before what uses them; the last is the whole
};

}  // namespace daemark
