// What each operation of a graph is in a scalar.
#pragma once

#include <cmath>
#include <stdexcept>

#include "base/graph/graph.hpp"

namespace daemark::graph {

/// op(a, *b, *c); only the arguments that the operation has are read.
template <class S>
inline S operation_value(Op op, const S& a, const S* b = nullptr, const S* c = nullptr) {
  using std::abs, std::acos, std::asin, std::atan, std::atan2, std::cos, std::exp, std::log,
      std::sin, std::sqrt, std::tanh;
  switch (op) {
    case Op::add:
      return a + *b;
    case Op::subtract:
      return a - *b;
    case Op::negate:
      return -a;
    case Op::multiply:
      return a * *b;
    case Op::divide:
      return a / *b;
    case Op::square:
      return a * a;
    case Op::sqrt:
      return sqrt(a);
    case Op::sin:
      return sin(a);
    case Op::cos:
      return cos(a);
    case Op::exp:
      return exp(a);
    case Op::log:
      return log(a);
    case Op::tanh:
      return tanh(a);
    case Op::asin:
      return asin(a);
    case Op::acos:
      return acos(a);
    case Op::atan:
      return atan(a);
    case Op::atan2:
      return atan2(a, *b);
    case Op::abs:
      return abs(a);
    case Op::select:
      if constexpr (requires { a > 0; })
        return a > 0 ? *b : *c;
      else
        return select(a, *b, *c);
    default:
      throw std::logic_error("graph: no operation");
  }
}

}  // namespace daemark::graph
