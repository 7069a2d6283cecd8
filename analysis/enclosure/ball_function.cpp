#include "analysis/enclosure/ball_function.hpp"

namespace daemark {
namespace {

using graph::Op;

RealBall unknown() {
  RealBall x;
  arb_indeterminate(x.raw());
  return x;
}

RealBall absolute(const RealBall& x) {
  RealBall y;
  arb_abs(y.raw(), x.raw());
  return y;
}

RealBall chosen(const RealBall& condition, const RealBall& above, const RealBall& below) {
  if (arb_is_positive(condition.raw())) return above;
  return arb_is_nonpositive(condition.raw()) ? below : unknown();
}

RealBall value(Op op, const RealBall& a, const RealBall& b, const RealBall& c) {
  switch (op) {
    case Op::add:
      return a + b;
    case Op::subtract:
      return a - b;
    case Op::negate:
      return -a;
    case Op::multiply:
      return a * b;
    case Op::divide:
      return a / b;
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
      return atan2(a, b);
    case Op::abs:
      return absolute(a);
    case Op::select:
      return chosen(a, b, c);
    default:
      return unknown();
  }
}

}  // namespace

void BallFunction::evaluate() {
  for (std::size_t i = 0; i < code_.constants.size(); ++i)
    x_[code_.inputs + i] = from_wide<RealBall>(code_.constants[i]);
  const auto at = [this](int slot) -> const RealBall& { return x_[slot < 0 ? 0 : slot]; };
  for (const graph::Instruction& i : code_.list) {
    if (i.op == Op::sin && i.b >= 0) x_[i.b] = cos(at(i.a));
    x_[i.to] = value(i.op, at(i.a), at(i.b), at(i.c));
  }
}

}  // namespace daemark
