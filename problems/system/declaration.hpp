// What declarations of mechanisms are written in: exact numbers and functions of time.
#pragma once

#include <functional>

#include "base/graph/graph.hpp"
#include "base/numbers/expression.hpp"
#include "base/numbers/jet.hpp"

namespace daemark {

/// An exact number as written: 1, "1/12", "sqrt(3)/2", or the value of a parameter.
struct Exact {
  Exact(const char* text);                    // NOLINT: declarations read like data
  Exact(int value) : value(value) {}          // NOLINT
  Exact(const wide& value) : value(value) {}  // NOLINT: angles, which are no algebraic numbers
  Exact(const Expression& expression) : value(expression.eval<wide>()) {}  // NOLINT
  wide value;
};

/// A number in each scalar, for functions of time and outputs to compute with.
class EachScalar {
 public:
  EachScalar(const wide& value)  // NOLINT: they capture what a problem's data give
      : exact_(value), double_(from_wide<double>(value)), real50_(from_wide<real50>(value)) {}

  template <class S>
  const S& in() const {
    if constexpr (std::is_same_v<S, double>)
      return double_;
    else
      return real50_;
  }
  /// A constant of the kind of t.
  template <class S>
  TimeJet<S> like(const TimeJet<S>&) const {
    return TimeJet<S>(in<S>());
  }
  Var like(const Var&) const { return exact_; }
  const wide& exact() const { return exact_; }

 private:
  wide exact_;
  double double_;
  real50 real50_;
};

/// A function of time, given once as a generic callable: `motion_law([](auto t) { return ...; })`.
struct MotionLaw {
  std::function<TimeJet<double>(const TimeJet<double>&)> in_double;
  std::function<TimeJet<real50>(const TimeJet<real50>&)> in_real50;
  std::function<Var(const Var&)> recorded;
};
template <class F>
MotionLaw motion_law(F f) {
  return {f, f, f};
}

/// One that branches on t.value; for mechanisms that have no record on a graph.
template <class F>
MotionLaw piecewise_law(F f) {
  return {f, f, {}};
}

/// A law in the scalar asked for: value and two time derivatives, or operations on a graph.
template <class S>
const std::function<TimeJet<S>(const TimeJet<S>&)>& law_value(const MotionLaw& law) {
  if constexpr (std::is_same_v<S, double>)
    return law.in_double;
  else
    return law.in_real50;
}

}  // namespace daemark
