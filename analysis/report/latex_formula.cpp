#include "analysis/report/latex_formula.hpp"

#include <fmt/format.h>

#include "base/numbers/polynomial_root.hpp"

namespace daemark {
namespace {

using Node = ExpressionNode;

std::string latex_number(const rational& value) {
  const rational size = value < 0 ? rational(-value) : value;
  const std::string sign = value < 0 ? "-" : "";
  if (denominator(size) == 1) return sign + numerator(size).str();
  return sign + fmt::format("\\frac{{{}}}{{{}}}", numerator(size).str(), denominator(size).str());
}

/// How tightly an operation binds: what is inside another of higher rank needs parentheses.
int latex_rank(const Node& node) {
  switch (node.op) {
    case Node::Op::add:
    case Node::Op::sub:
    case Node::Op::neg:
      return 1;
    case Node::Op::mul:
      return 2;
    case Node::Op::number:
      return node.value < 0 ? 1 : denominator(node.value) == 1 ? 4 : 3;
    case Node::Op::div:
      return 3;
    default:
      return 4;
  }
}

std::string latex_polynomial(const std::vector<rational>& coefficients) {
  std::string out;
  for (std::size_t k = coefficients.size(); k-- > 0;) {
    const rational& c = coefficients[k];
    if (c == 0) continue;
    const rational size = c < 0 ? rational(-c) : c;
    out += c < 0 ? "-" : out.empty() ? "" : "+";
    if (size != 1 || k == 0) out += latex_number(size);
    if (k > 0) out += k == 1 ? "x" : fmt::format("x^{{{}}}", k);
  }
  return out;
}

std::string latex_of(const Node& node) {
  const auto arg = [&](std::size_t i, int least) {
    const std::string inner = latex_of(*node.args[i]);
    return latex_rank(*node.args[i]) < least ? "\\left(" + inner + "\\right)" : inner;
  };
  switch (node.op) {
    case Node::Op::number:
      return node.decimal ? fmt::format("{}", static_cast<double>(node.value))
                          : latex_number(node.value);
    case Node::Op::variable:
      return "\\mathit{" + node.name + "}";
    case Node::Op::add:
      return arg(0, 1) + "+" + arg(1, 2);
    case Node::Op::sub:
      return arg(0, 1) + "-" + arg(1, 2);
    case Node::Op::mul:
      return arg(0, 2) + "\\," + arg(1, 2);
    case Node::Op::div:
      return fmt::format("\\frac{{{}}}{{{}}}", arg(0, 0), arg(1, 0));
    case Node::Op::neg:
      return "-" + arg(0, 2);
    case Node::Op::pow:
      return fmt::format("{}^{{{}}}", arg(0, 4), node.exponent);
    case Node::Op::sqrt:
      return fmt::format("\\sqrt{{{}}}", arg(0, 0));
    case Node::Op::cos_pi:
    case Node::Op::sin_pi:
      return fmt::format("\\{}\\left({}\\,\\pi\\right)",
                         node.op == Node::Op::cos_pi ? "cos" : "sin", latex_number(node.value));
    case Node::Op::root:
      if (const auto a = radicand(node.polynomial); a && node.lower == 0)
        return fmt::format("\\sqrt[{}]{{{}}}", node.polynomial.size() - 1, latex_number(*a));
      return fmt::format("\\mathrm{{root}}\\left({},\\ {}<x<{}\\right)",
                         latex_polynomial(node.polynomial), latex_number(node.lower),
                         latex_number(node.upper));
  }
  return "";
}

}  // namespace

std::string latex_formula(const Expression& expression) { return latex_of(expression.root()); }

}  // namespace daemark
