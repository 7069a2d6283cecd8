#include "analysis/exact/theory/uncertain.hpp"

#include <algorithm>

#include "base/numbers/scalar.hpp"

namespace daemark::exact {

namespace {

using Op = ExpressionNode::Op;

constexpr int exact_decimals = 3, double_decimals = 15, double_most = 18, long_decimals = 12,
              shortest_denominator = 1000;

/// Digits after the point of every decimal in the text: "1.250e-3" has 6.
std::vector<int> decimals_in(const std::string& text) {
  std::vector<int> out;
  const auto digit = [&](std::size_t i) {
    return i < text.size() && text[i] >= '0' && text[i] <= '9';
  };
  for (std::size_t i = 0; i < text.size();) {
    if (!digit(i) && text[i] != '.') {
      ++i;
      continue;
    }
    int places = 0;
    bool decimal = false;
    while (digit(i)) ++i;
    if (i < text.size() && text[i] == '.') {
      decimal = true;
      for (++i; digit(i); ++i) ++places;
    }
    if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
      decimal = true;
      std::string exponent;
      for (++i; digit(i) || (i < text.size() && (text[i] == '-' || text[i] == '+')); ++i)
        exponent += text[i];
      places -= std::stoi(exponent);
    }
    if (decimal) out.push_back(std::max(places, 0));
  }
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

void find_denominators(const ExpressionNode& node, wide& longest) {
  if (is_fraction(node)) longest = std::max(longest, wide(node.args[1]->value));
  for (const auto& arg : node.args) find_denominators(*arg, longest);
}

/// An entry of so many decimals is one whose zeros were dropped.
bool is_short(int own, int longest) { return own < std::min(longest / 2, long_decimals); }

wide decimal_uncertainty(const rational& value, int own, int longest) {
  if (longest <= exact_decimals) return 0;
  // A long entry of its own accuracy, or a short one whose zeros were dropped.
  const int digits = is_short(own, longest) ? longest : own;
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

/// `places`: digits of the decimals in the text, from `next` on in the order of the tree. Decimals
/// that radicals hold are exact.
Spread spread_of(const ExpressionNode& node, const Digits& file, const std::vector<int>& places,
                 std::size_t& next) {
  if (node.op == Op::number) {
    const int own = node.decimal && next < places.size() ? places[next++] : file.decimals;
    return {wide(node.value),
            node.decimal ? decimal_uncertainty(node.value, own, file.decimals) : wide(0)};
  }
  std::vector<Spread> of;
  for (const auto& arg : node.args) of.push_back(spread_of(*arg, file, places, next));
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
  for (const Expression* e : entries) {
    for (const int places : decimals_in(e->text())) out.decimals = std::max(out.decimals, places);
    find_denominators(e->root(), out.denominator);
  }
  return out;
}

Digits digits_of_group(const std::vector<const Expression*>& group, const Digits& file) {
  const int own = digits_of(group).decimals;
  if (own <= exact_decimals || !is_short(own, file.decimals)) return file;
  const auto rounded = [own](const Expression* e) {
    if (digits_of({e}).decimals != own) return false;
    const wide scaled = mp::ldexp(e->eval<wide>(), own);  // an integer of a dyadic fraction
    return abs(scaled - mp::round(scaled)) > exactly_zero();
  };
  return std::count_if(group.begin(), group.end(), rounded) < 2 ? file
                                                                : Digits{own, file.denominator};
}

wide uncertainty(const Expression& entry, const Digits& file) {
  if (!entry.is_rational() && !entry.has_decimal()) return 0;
  std::size_t next = 0;
  return spread_of(entry.root(), file, decimals_in(entry.text()), next).uncertainty;
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

wide rounding_unit(const std::vector<std::vector<const Expression*>>& groups) {
  std::vector<const Expression*> all;
  for (const auto& group : groups) all.insert(all.end(), group.begin(), group.end());
  const Digits file = digits_of(all);
  wide unit("1e-12");
  for (const auto& group : groups)
    for (const Expression* e : group)
      unit = std::max(unit, wide(10 * uncertainty(*e, digits_of_group(group, file))));
  return unit;
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

SizedVector sized(const std::vector<wide>& list) {
  SizedVector out;
  for (const wide& x : list) out.emplace_back(x);
  return out;
}
std::vector<SizedVector> sized(const std::vector<std::vector<wide>>& rows) {
  std::vector<SizedVector> out;
  for (const auto& row : rows) out.push_back(sized(row));
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
