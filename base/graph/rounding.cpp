// What the arithmetic of double can lose in a code at one point: a running error analysis.
#include <algorithm>
#include <cmath>

#include "base/graph/source.hpp"

namespace daemark::graph {
namespace {

constexpr double roundoff = 0x1p-53;

/// Sizes of an argument's value and of its error.
struct Size {
  double value, error;
};

/// What the errors of the arguments make of the result, whose size is z.
double propagated(Op op, double z, const Size& a, const Size& b, const Size& c) {
  const double least_a = a.value - a.error, least_b = b.value - b.error;
  switch (op) {
    case Op::add:
    case Op::subtract:
      return a.error + b.error;
    case Op::multiply:
      return a.value * b.error + b.value * a.error + a.error * b.error;
    case Op::square:
      return (2 * a.value + a.error) * a.error;
    case Op::divide:
      return least_b > 0 ? (a.error + z * b.error) / least_b : INFINITY;
    case Op::sqrt:
      return a.error == 0 ? 0 : a.error / (z + std::sqrt(std::max(least_a, 0.0)));
    case Op::exp:
      return z * std::expm1(a.error);
    case Op::log:
      return -std::log1p(-a.error / a.value);
    case Op::asin:
    case Op::acos: {
      const double most = a.value + a.error;
      return a.error == 0 ? 0 : a.error / std::sqrt((1 - most) * (1 + most));
    }
    case Op::atan2: {
      const double radius = std::hypot(std::max(least_a, 0.0), std::max(least_b, 0.0));
      return a.error + b.error == 0 ? 0 : (a.error + b.error) / radius;
    }
    case Op::select:  // by the condition; of the branches the larger
      return std::max(b.error, c.error);
    default:  // negate, abs, sin, cos, tanh, atan: slopes of at most 1
      return a.error;
  }
}

class Analysis {
 public:
  Analysis(const Code& code, const std::vector<double>& inputs) : x_(code.slots) {
    for (int i = 0; i < code.inputs; ++i) x_[i].value = inputs[i];
    for (std::size_t i = 0; i < code.constants.size(); ++i) {
      Rounded& x = x_[code.inputs + i];
      x.value = code.constants[i];
      x.error = distance(x.value);
    }
    for (const Instruction& i : code.list) {
      step(i.op, i.to, i.a, i.op == Op::sin ? -1 : i.b, i.c);
      if (i.op == Op::sin && i.b >= 0) step(Op::cos, i.b, i.a, -1, -1);
    }
  }
  const Rounded& at(int slot) const { return x_[slot]; }

 private:
  static double distance(const wide& x) {
    return to_double(wide(abs(wide(x - wide(to_double(x))))));
  }
  Size size(int slot) const {
    return slot < 0 ? Size{0, 0} : Size{std::abs(to_double(x_[slot].value)), x_[slot].error};
  }
  Var value(int slot) const { return slot < 0 ? Var() : Var(x_[slot].value); }

  void step(Op op, int to, int a, int b, int c) {
    Rounded& z = x_[to];
    const Size first = size(a);
    z.value = apply(op, value(a), value(b), value(c)).constant();
    const double of_result = std::abs(to_double(z.value));
    double error = propagated(op, of_result, first, size(b), size(c));
    if (op == Op::select && first.value <= first.error)  // either branch may be taken
      error += to_double(wide(abs(wide(x_[b].value - x_[c].value))));
    const bool exact = op == Op::negate || op == Op::abs || op == Op::select;
    const double units = exact ? 0 : is_elementary(op) ? 8 : 1;
    z.error = error + units * roundoff * (of_result + error);
  }

  std::vector<Rounded> x_;
};

}  // namespace

std::vector<Rounded> rounded_values(const Code& code, const std::vector<double>& inputs) {
  const Analysis analysis(code, inputs);
  std::vector<Rounded> values;
  for (const auto& group : code.outputs)
    for (const int slot : group) values.push_back(analysis.at(slot));
  return values;
}

}  // namespace daemark::graph
