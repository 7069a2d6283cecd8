#include "base/numbers/expression.hpp"

#include <algorithm>
#include <boost/math/constants/constants.hpp>

#include "base/numbers/expression_value.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/printable.hpp"

namespace daemark {
namespace {

using Op = ExpressionNode::Op;

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
