#include "analysis/enclosure/ball_function.hpp"

#include "base/graph/operation.hpp"

namespace daemark {
void BallFunction::evaluate() {
  for (std::size_t i = 0; i < code_.constants.size(); ++i)
    x_[code_.inputs + i] = from_wide<RealBall>(code_.constants[i]);
  const auto at = [this](int slot) { return slot < 0 ? nullptr : &x_[slot]; };
  for (const graph::Instruction& i : code_.list) {
    if (i.op == graph::Op::sin && i.b >= 0) x_[i.b] = cos(x_[i.a]);
    x_[i.to] = graph::operation_value<RealBall>(i.op, x_[i.a], at(i.b), at(i.c));
  }
}

}  // namespace daemark
