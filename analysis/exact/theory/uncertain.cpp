#include "analysis/exact/theory/uncertain.hpp"

#include <algorithm>

#include "base/numbers/scalar.hpp"

namespace daemark::exact {

namespace {

using Op = ExpressionNode::Op;

constexpr int exact_decimals = 3, double_decimals = 15, double_most = 18, long_decimals = 12,
              shortest_denominator = 1000;

/// Digits after the point of a decimal: 3 of 0.125.
int decimals_of(rational value) {
  int out = 0;
  for (; mp::denominator(value) != 1 && out < 1000; ++out) value *= 10;
  return out;
}

/// p/q of two integers.
bool is_fraction(const ExpressionNode& node) {
  const auto is_integer = [](const ExpressionNode& n) {
    return n.op == Op::number && !n.decimal && mp::denominator(n.value) == 1;
  };
  return node.op == Op::div && is_integer(*node.args[1]) &&
         (is_integer(*node.args[0]) ||
          (node.args[0]->op == Op::neg && is_integer(*node.args[0]->args[0])));
}

void find_longest(const ExpressionNode& node, Digits& out) {
  if (node.op == Op::number && node.decimal)
    out.decimals = std::max(out.decimals, decimals_of(node.value));
  if (is_fraction(node)) out.denominator = std::max(out.denominator, wide(node.args[1]->value));
  for (const auto& arg : node.args) find_longest(*arg, out);
}

wide decimal_uncertainty(const rational& value, int longest) {
  if (longest <= exact_decimals) return 0;
  const int own = decimals_of(value);
  // A long entry of its own accuracy, or a short one whose zeros were dropped.
  const int digits = own >= std::min(longest / 2, long_decimals) ? own : longest;
  const bool as_double = digits >= double_decimals && digits <= double_most;
  const wide computed = as_double ? wide(mp::ldexp(wide(abs(value)), -52)) : wide(0);
  return std::max(wide(mp::pow(wide(10), -digits)), computed);
}

/// `numerator`: an integer.
wide fraction_uncertainty(const rational& denominator, const wide& numerator, const wide& longest) {
  const wide q(mp::denominator(rational(exact_value(numerator) / denominator)));
  if (q >= shortest_denominator) return 1 / (q * q);
  return longest >= shortest_denominator && q * q >= longest ? wide(1 / (q * longest)) : wide(0);
}

struct Spread {
  wide value, uncertainty;
};

/// Decimals that radicals hold are exact.
Spread spread_of(const ExpressionNode& node, const Digits& file) {
  if (node.op == Op::number)
    return {wide(node.value),
            node.decimal ? decimal_uncertainty(node.value, file.decimals) : wide(0)};
  std::vector<Spread> of;
  for (const auto& arg : node.args) of.push_back(spread_of(*arg, file));
  const auto& [x, u] = of.empty() ? Spread{} : of[0];
  const auto& [y, v] = of.size() < 2 ? Spread{} : of[1];
  switch (node.op) {
    case Op::neg:
      return {-x, u};
    case Op::add:
      return {x + y, u + v};
    case Op::sub:
      return {x - y, u + v};
    case Op::mul:
      return {x * y, abs(x) * v + u * abs(y)};
    case Op::div:
      if (is_fraction(node))
        return {x / y, fraction_uncertainty(node.args[1]->value, x, file.denominator)};
      return {x / y, (u + abs(x / y) * v) / abs(y)};
    case Op::pow: {
      const wide power = mp::pow(x, node.exponent);
      return {power, u == 0 ? wide(0) : wide(abs(node.exponent * power / x) * u)};
    }
    default:
      return {0, 0};
  }
}

}  // namespace

wide exactly_zero() { return wide("1e-100"); }

Digits digits_of(const std::vector<const Expression*>& entries) {
  Digits out;
  for (const Expression* e : entries) find_longest(e->root(), out);
  return out;
}

wide uncertainty(const Expression& entry, const Digits& file) {
  return entry.is_rational() || entry.has_decimal() ? spread_of(entry.root(), file).uncertainty
                                                    : wide(0);
}

std::vector<wide> uncertainties(const std::vector<Expression>& list, const Digits& file,
                                bool has_sum) {
  std::vector<wide> out;
  wide sum = 0;
  for (const Expression& entry : list) sum += out.emplace_back(uncertainty(entry, file));
  for (std::size_t i = 0; i < list.size() && has_sum; ++i)
    if (list[i].eval<wide>() != 0) out[i] = sum;
  return out;
}

bool any_uncertain(const std::vector<const Expression*>& entries) {
  const Digits file = digits_of(entries);
  return std::any_of(entries.begin(), entries.end(),
                     [&](const Expression* e) { return uncertainty(*e, file) > 0; });
}

namespace {

Ball ball_around(const Expression& entry, const wide& u) {
  if (u == 0 && entry.is_rational()) return Ball(entry.as_rational());
  const rational value = exact_value(entry.eval<wide>());
  const rational radius = exact_value(std::max(u, exactly_zero()));
  return {rational(value - radius), rational(value + radius)};
}

}  // namespace

Ball ball_of(const Expression& entry, const Digits& file) {
  return ball_around(entry, uncertainty(entry, file));
}

BallVector balls_of(const std::vector<Expression>& list, const Digits& file, bool has_sum) {
  BallVector out;
  const std::vector<wide> all = uncertainties(list, file, has_sum);
  for (std::size_t i = 0; i < list.size(); ++i) out.push_back(ball_around(list[i], all[i]));
  return out;
}

Uncertain::Uncertain(const std::vector<Expression>& list, const Digits& file, bool has_sum) {
  const std::vector<wide> all = uncertainties(list, file, has_sum);
  for (std::size_t i = 0; i < list.size(); ++i) {
    value.push_back(list[i].eval<wide>());
    size.push_back(to_double(wide(abs(value.back()))));
    excess.push_back(to_double(all[i]));
  }
}

Uncertain Uncertain::ones(std::size_t count) {
  Uncertain out;
  out.value.assign(count, wide(1));
  out.size.assign(count, 1.0);
  out.excess.assign(count, 0.0);
  return out;
}

Uncertain product(const Uncertain& x, const Uncertain& y) {
  Uncertain out = x;
  for (std::size_t i = 0; i < x.count(); ++i) {
    out.value[i] *= y.value[i];
    out.size[i] = x.size[i] * y.size[i];
    out.excess[i] = x.size[i] * y.excess[i] + x.excess[i] * y.size[i] + x.excess[i] * y.excess[i];
  }
  return out;
}

Condition condition(const Uncertain& weights, const Uncertain& function, const wide& target) {
  Condition out{-target, 0};
  for (std::size_t i = 0; i < weights.count(); ++i) {
    if (weights.size[i] != 0 && function.size[i] != 0)
      out.residual += weights.value[i] * function.value[i];
    out.bound += weights.size[i] * function.excess[i] + weights.excess[i] * function.size[i] +
                 weights.excess[i] * function.excess[i];
  }
  return out;
}

Uncertain applied(const std::vector<Uncertain>& rows, const Uncertain& x) {
  Uncertain out;
  for (const Uncertain& row : rows) {
    const Condition entry = condition(row, x, 0);
    double size = 0;
    for (std::size_t j = 0; j < x.count(); ++j) size += row.size[j] * x.size[j];
    out.value.push_back(entry.residual);
    out.size.push_back(size);
    out.excess.push_back(entry.bound);
  }
  return out;
}

}  // namespace daemark::exact
