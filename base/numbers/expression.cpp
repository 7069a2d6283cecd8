#include <algorithm>
#include <boost/math/constants/constants.hpp>
#include <cstdlib>

#include "base/numbers/expression_value.hpp"
#include "base/numbers/polynomial_root.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/printable.hpp"

namespace daemark {
namespace {

using Op = ExpressionNode::Op;

constexpr std::size_t kMaxBits = 40000;

/// Below this, a constant computed in `wide` (130 digits) cannot be told from zero.
const wide& zero_threshold() {
  static const wide threshold("1e-100");
  return threshold;
}

bool is_zero(const NodeValue& value) {
  if (value.exact) return *value.exact == 0;
  if (!value.constant) return value.approximate == 0;
  return mp::abs(value.approximate) < zero_threshold();
}

NodeValue binary_value(Op op, const NodeValue& a, const NodeValue& b) {
  if (op == Op::div && b.known && is_zero(b)) throw NotReal{"division by zero"};
  NodeValue result{a.known && b.known, a.constant && b.constant, std::nullopt, 0};
  if (a.exact && b.exact) {
    const rational& x = *a.exact;
    const rational& y = *b.exact;
    result.exact = op == Op::add ? x + y : op == Op::sub ? x - y : op == Op::mul ? x * y : x / y;
    size_checked(*result.exact);
  } else if (result.known) {
    const wide x = a.as_wide();
    const wide y = b.as_wide();
    result.approximate = op == Op::add   ? x + y
                         : op == Op::sub ? x - y
                         : op == Op::mul ? x * y
                                         : x / y;
  }
  return result;
}

NodeValue power_value(NodeValue base, int exponent) {
  if (base.exact) {
    base.exact = exact_power(*base.exact, exponent);
  } else if (base.known) {
    if (exponent < 0 && is_zero(base)) throw NotReal{"division by zero"};
    if (exponent == 0 && is_zero(base)) throw NotReal{"0^0 is undefined"};
    base.approximate = mp::pow(base.approximate, exponent);
  }
  return base;
}

NodeValue sqrt_value(NodeValue a) {
  if (!a.known) return a;
  if (a.exact) {
    if (*a.exact < 0) throw NotReal{"square root of a negative number"};
    if (const auto root = exact_root(*a.exact, 2)) return NodeValue::of(*root);
    return NodeValue::of(wide(mp::sqrt(wide(*a.exact))));
  }
  if (a.constant && is_zero(a)) {
    throw NotReal{"square root of a number that cannot be distinguished from 0"};
  }
  if (a.approximate < 0) throw NotReal{"square root of a negative number"};
  a.approximate = mp::sqrt(a.approximate);
  return a;
}

/// cos(r * pi), reduced to [0, pi/4] so that zeros, and by Niven's theorem every rational value,
/// are exact.
NodeValue cos_pi(const rational& multiple) {
  const rational period = mp::abs(multiple) / 2;
  const exact_integer turns = mp::numerator(period) / mp::denominator(period);
  rational r = mp::abs(multiple) - 2 * rational(turns);
  if (r > 1) r = 2 - r;
  const bool negative = 2 * r > 1;
  if (negative) r = 1 - r;
  const int sign = negative ? -1 : 1;
  if (r == 0) return NodeValue::of(rational(sign));
  if (2 * r == 1) return NodeValue::of(rational(0));
  if (3 * r == 1) return NodeValue::of(rational(sign, 2));
  wide pi;
  mpfr_const_pi(pi.backend().data(), MPFR_RNDN);
  const bool upper = 4 * r > 1;
  const wide angle = pi * wide(upper ? rational(1, 2) - r : r);
  return NodeValue::of(wide(sign * (upper ? mp::sin(angle) : mp::cos(angle))));
}

int checked_degree(std::size_t degree) {
  constexpr std::size_t kMaxDegree = 200;
  if (degree > kMaxDegree) throw NotReal{"a polynomial of degree over 200"};
  return static_cast<int>(degree);
}

using Polynomial = std::vector<rational>;

/// Polynomial arithmetic with a bound on its total work, so that no short text runs for long.
class PolynomialBuilder {
 public:
  Polynomial build(const ExpressionNode& node) {
    switch (node.op) {
      case Op::number:
        return trimmed({node.value});
      case Op::variable:
        return {0, 1};
      case Op::neg:
        return product(build(*node.args[0]), {-1});
      case Op::add:
        return sum(build(*node.args[0]), build(*node.args[1]), 1);
      case Op::sub:
        return sum(build(*node.args[0]), build(*node.args[1]), -1);
      case Op::mul:
        return product(build(*node.args[0]), build(*node.args[1]));
      case Op::div:
        return quotient(build(*node.args[0]), build(*node.args[1]));
      case Op::pow:
        return power(build(*node.args[0]), node.exponent);
      default:
        throw NotReal{"not a polynomial in x with rational coefficients"};
    }
  }

 private:
  static Polynomial trimmed(Polynomial p) {
    while (!p.empty() && p.back() == 0) p.pop_back();
    return p;
  }

  static Polynomial sum(Polynomial a, const Polynomial& b, int sign) {
    if (a.size() < b.size()) a.resize(b.size());
    for (std::size_t i = 0; i < b.size(); ++i) {
      a[i] += sign * b[i];
      size_checked(a[i]);
    }
    return trimmed(std::move(a));
  }

  Polynomial product(const Polynomial& a, const Polynomial& b) {
    if (a.empty() || b.empty()) return {};
    checked_degree(a.size() + b.size() - 2);
    Polynomial p(a.size() + b.size() - 1);
    for (std::size_t i = 0; i < a.size(); ++i) {
      for (std::size_t j = 0; j < b.size(); ++j) {
        p[i + j] += a[i] * b[j];
        work_ += bit_size(p[i + j]);
      }
      if (work_ > kMaxWork) throw NotReal{"a polynomial that takes too long to expand"};
    }
    for (const rational& c : p) size_checked(c);
    return p;
  }

  Polynomial quotient(const Polynomial& a, const Polynomial& b) {
    if (b.empty()) throw NotReal{"division by zero"};
    if (b.size() > 1) throw NotReal{"division by a polynomial in x"};
    return product(a, {1 / b[0]});
  }

  Polynomial power(const Polynomial& base, int exponent) {
    if (base.size() <= 1) {
      const rational value = exact_power(base.empty() ? rational(0) : base[0], exponent);
      return trimmed({value});
    }
    if (exponent < 0) throw NotReal{"a negative power of x"};
    checked_degree((base.size() - 1) * static_cast<std::size_t>(exponent));
    Polynomial result{1};
    for (int i = 0; i < exponent; ++i) result = product(result, base);
    return result;
  }

  static constexpr std::size_t kMaxWork = 50'000'000;
  std::size_t work_ = 0;
};

/// a + b pi.
struct PiValue {
  rational plain, times_pi;
};

PiValue pi_value(const ExpressionNode& node) {
  const auto none = [] { return NotReal{"the argument is not a rational multiple of pi"}; };
  if (node.op == Op::number) return {node.value, 0};
  if (node.op == Op::variable) return {0, 1};
  if (node.args.empty() || node.op == Op::sqrt) throw none();
  const PiValue a = pi_value(*node.args[0]);
  if (node.op == Op::neg) return {-a.plain, -a.times_pi};
  if (node.op == Op::pow) {
    if (a.times_pi != 0) throw none();
    return {exact_power(a.plain, node.exponent), 0};
  }
  const PiValue b = pi_value(*node.args[1]);
  PiValue result;
  if (node.op == Op::add) {
    result = {a.plain + b.plain, a.times_pi + b.times_pi};
  } else if (node.op == Op::sub) {
    result = {a.plain - b.plain, a.times_pi - b.times_pi};
  } else if (node.op == Op::mul) {
    if (a.times_pi != 0 && b.times_pi != 0) throw none();
    result = {a.plain * b.plain, a.plain * b.times_pi + a.times_pi * b.plain};
  } else {
    if (b.times_pi != 0) throw none();
    if (b.plain == 0) throw NotReal{"division by zero"};
    result = {a.plain / b.plain, a.times_pi / b.plain};
  }
  size_checked(result.plain);
  size_checked(result.times_pi);
  return result;
}

}  // namespace

std::size_t bit_size(const rational& value) {
  return mpz_sizeinbase(mpq_numref(value.backend().data()), 2) +
         mpz_sizeinbase(mpq_denref(value.backend().data()), 2);
}

const rational& size_checked(const rational& value) {
  if (bit_size(value) > kMaxBits) throw NotReal{"an exact number of more than 12000 digits"};
  return value;
}

rational exact_power(const rational& base, int exponent) {
  if (base == 0) {
    if (exponent == 0) throw NotReal{"0^0 is undefined"};
    if (exponent < 0) throw NotReal{"division by zero"};
    return 0;
  }
  const auto n = static_cast<unsigned>(std::abs(exponent));
  // NOLINTNEXTLINE(misc-redundant-expression): 1 and −1 are two numbers
  if (base != 1 && base != -1 && bit_size(base) * n > 2 * kMaxBits) {
    throw NotReal{"an exact number of more than 12000 digits"};
  }
  const rational power(mp::pow(mp::numerator(base), n), mp::pow(mp::denominator(base), n));
  return size_checked(exponent < 0 ? rational(1 / power) : power);
}

NodeValue node_value(const ExpressionNode& node, const std::vector<NodeValue>& operands) {
  NodeValue result;
  switch (node.op) {
    case Op::number:
      return NodeValue::of(node.value);
    case Op::cos_pi:
      return cos_pi(node.value);
    case Op::sin_pi:
      return cos_pi(rational(1, 2) - node.value);
    case Op::root:
      return NodeValue::of(node.root_value);
    case Op::neg:
      result = binary_value(Op::sub, NodeValue::of(rational(0)), operands[0]);
      break;
    case Op::pow:
      result = power_value(operands[0], node.exponent);
      break;
    case Op::sqrt:
      result = sqrt_value(operands[0]);
      break;
    case Op::variable:
      return {false, false, std::nullopt, 0};
    default:
      result = binary_value(node.op, operands[0], operands[1]);
  }
  if (!result.exact && result.known && !mp::isfinite(result.approximate)) {
    throw NotReal{"a number out of range"};
  }
  return result;
}

std::vector<rational> polynomial_of(const ExpressionNode& node) {
  return PolynomialBuilder().build(node);
}

rational multiple_of_pi(const ExpressionNode& node) {
  const PiValue value = pi_value(node);
  if (value.plain != 0) throw NotReal{"the argument is not a rational multiple of pi"};
  return value.times_pi;
}

namespace {

template <class Predicate>
bool any_node(const ExpressionNode& node, const Predicate& holds) {
  if (holds(node)) return true;
  return std::any_of(node.args.begin(), node.args.end(),
                     [&](const auto& arg) { return any_node(*arg, holds); });
}

NodeValue evaluate(const ExpressionNode& node, const std::map<std::string, wide>& variables,
                   bool exact) {
  if (node.op == Op::variable) {
    const auto found = variables.find(node.name);
    if (found == variables.end() && node.name == "pi")  // where the caller allows the name
      return NodeValue::of(boost::math::constants::pi<wide>());
    if (found == variables.end()) throw NotReal{node.name + " has no value here"};
    if (!mp::isfinite(found->second)) throw NotReal{node.name + " is not finite"};
    NodeValue value = NodeValue::of(found->second);
    value.constant = false;
    if (exact) value.exact = size_checked(rational(found->second));
    return value;
  }
  std::vector<NodeValue> operands;
  operands.reserve(node.args.size());
  for (const auto& arg : node.args) operands.push_back(evaluate(*arg, variables, exact));
  return node_value(node, operands);
}

[[noreturn]] void refuse(const std::string& text, const std::string& what,
                         const std::map<std::string, wide>& variables,
                         const std::string& accepted) {
  std::string message = in_quotes(text) + ": " + what;
  const char* separator = " for ";
  for (const auto& [name, value] : variables) {
    message += separator + name + " = " + value.str(6);
    separator = ", ";
  }
  throw BadInput(message + "; accepted: " + accepted);
}

}  // namespace

Expression::Expression(const rational& value) : text_(value.str()) {
  ExpressionNode node{};
  node.op = Op::number;
  node.value = value;
  root_ = std::make_shared<const ExpressionNode>(std::move(node));
}

bool Expression::has_decimal() const {
  return any_node(*root_, [](const ExpressionNode& node) { return node.decimal; });
}

bool Expression::is_rational() const {
  return !any_node(*root_, [](const ExpressionNode& node) {
    return node.op == Op::variable || node.op == Op::sqrt || node.op == Op::cos_pi ||
           node.op == Op::sin_pi || node.op == Op::root;
  });
}

rational Expression::as_rational() const {
  if (!is_rational()) {
    refuse(text_, "not a rational number", {}, "+ - * / ^ of numbers");
  }
  return eval<rational>();
}

template <class S>
S Expression::eval(const std::map<std::string, wide>& variables) const {
  NodeValue value;
  try {
    value = evaluate(*root_, variables, is_exact<S>);
  } catch (const NotReal& error) {
    refuse(text_, error.reason, variables, "expressions with a real value");
  }
  if constexpr (is_exact<S>) {
    if (!value.exact) refuse(text_, "not a rational number", {}, "rational values");
    return *value.exact;
  } else {
    using std::isfinite;
    const wide unrounded = value.as_wide();
    const S result = from_wide<S>(unrounded);
    if (!isfinite(result) || (result == 0 && unrounded != 0)) {
      refuse(text_, "beyond the range of numbers", variables,
             std::string("what fits in ") + scalar_name<S>());
    }
    return result;
  }
}

template double Expression::eval(const std::map<std::string, wide>&) const;
template real50 Expression::eval(const std::map<std::string, wide>&) const;
template wide Expression::eval(const std::map<std::string, wide>&) const;
template rational Expression::eval(const std::map<std::string, wide>&) const;

}  // namespace daemark
