// What declarations of mechanisms are written in: exact numbers and functions of time.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "base/graph/graph.hpp"
#include "base/numbers/expression.hpp"

namespace daemark {

/// An exact number as written: 1, "1/12", "sqrt(3)/2", or the value of a parameter.
struct Exact {
  Exact(const char* text);                    // NOLINT: declarations read like data
  Exact(int value) : value(value) {}          // NOLINT
  Exact(const wide& value) : value(value) {}  // NOLINT: angles, which are no algebraic numbers
  Exact(const Expression& expression) : value(expression.eval<wide>()) {}  // NOLINT
  wide value;
};

/// A function of time, recorded.
using MotionLaw = std::function<Var(const Var&)>;
using SharedLaw = std::shared_ptr<const MotionLaw>;
/// Null of an empty one.
inline SharedLaw shared_law(MotionLaw law) {
  return law ? std::make_shared<const MotionLaw>(std::move(law)) : nullptr;
}

}  // namespace daemark
