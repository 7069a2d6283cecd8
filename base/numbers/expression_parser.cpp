// Recursive descent for Expression::parse. Every node carries its value as far as it is known, so
// that 1/0 and sqrt(-1) are refused where they stand.
#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <utility>

#include "base/numbers/arithmetic_parser.hpp"
#include "base/numbers/expression.hpp"
#include "base/numbers/expression_value.hpp"
#include "base/numbers/polynomial_root.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/printable.hpp"

namespace daemark {
namespace {

using Node = ExpressionNode;
using Names = std::vector<std::string>;

constexpr std::size_t kMaxText = 10000;
constexpr std::size_t kMaxDigits = 2000;
constexpr int kMaxExponent = 1000;
constexpr int kMaxNesting = 200;
constexpr int kMaxTreeDepth = 1000;  // chains 1+1+... lean to the left: bounds all recursion

bool contains_decimal(const Node& node) {
  if (node.decimal) return true;
  return std::any_of(node.args.begin(), node.args.end(),
                     [](const auto& arg) { return contains_decimal(*arg); });
}

/// A subexpression with what is known about it.
struct Term {
  std::shared_ptr<const Node> node;
  NodeValue value;
  int depth = 1;
};

class ExpressionParser : ArithmeticParser<Term> {
 public:
  ExpressionParser(std::string_view text, std::string_view where, const Names& variables)
      : ArithmeticParser(text), where_(where), variables_(variables), names_(variables) {}

  /// Without the blanks around it.
  static std::string_view trimmed(std::string_view text) {
    while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
    return text;
  }

  std::shared_ptr<const Node> run() {
    if (text_.size() > kMaxText) fail("a text of more than 10000 characters", 0);
    const Term term = sum();
    if (!at_end()) fail_unexpected();
    return term.node;
  }

 private:
  [[noreturn]] void fail(const std::string& what, std::size_t at) const {
    std::string accepted =
        "integers, decimals, 2e-6, + - * /, ^ with an integer up to 1000 or, of rational numbers, "
        "a fraction as in 2^(1/3), parentheses, sqrt(e), cos(e) and sin(e) of rational multiples "
        "of pi, root(polynomial in x, lo, hi)";
    for (const std::string& name : variables_) accepted += ", " + name;
    throw BadInput(printable(where_, 200) + ": " + what + " at character " +
                   std::to_string(at + 1) + " of " + in_quotes(text_) + "; accepted: " + accepted);
  }

  [[noreturn]] void fail_unexpected() {
    if (peek() == '\0' && at_end()) {
      fail(text_.empty() ? "empty expression" : "unexpected end", at_);
    }
    fail("unexpected '" + printable(text_.substr(at_, 1)) + "'", at_);
  }

  void expect(std::string_view token) {
    if (!accept(token)) fail_unexpected();
  }

  template <class Action>
  auto real_or_fail(std::size_t at, Action&& action) const {
    try {
      return action();
    } catch (const NotReal& error) {
      fail(error.reason, at);
    }
  }

  Term make(Node node, const std::vector<Term>& operands, std::size_t at) const {
    Term term;
    std::vector<NodeValue> values;
    for (const Term& operand : operands) {
      node.args.push_back(operand.node);
      values.push_back(operand.value);
      term.depth = std::max(term.depth, operand.depth + 1);
    }
    if (term.depth > kMaxTreeDepth) fail("a chain of more than 1000 operations", at);
    term.value = real_or_fail(at, [&] { return node_value(node, values); });
    term.node = std::make_shared<const Node>(std::move(node));
    return term;
  }

  static Node operation(Node::Op op) {
    Node node{};
    node.op = op;
    return node;
  }

  Term joined(char op, const Term& left, const Term& right, std::size_t at) override {
    const Node::Op found = op == '+'   ? Node::Op::add
                           : op == '-' ? Node::Op::sub
                           : op == '*' ? Node::Op::mul
                                       : Node::Op::div;
    return make(operation(found), {left, right}, at);
  }

  /// A power behind any number of signs.
  Term factor() override {
    const char c = peek();
    const std::size_t at = at_;
    if (c != '-' && c != '+') return power();
    ++at_;
    enter(at);
    const Term operand = factor();
    --nesting_;
    if (c == '+') return operand;
    if (operand.node->op != Node::Op::number) return make(operation(Node::Op::neg), {operand}, at);
    Node folded = *operand.node;
    folded.value = -folded.value;
    return make(std::move(folded), {}, at);
  }

  Term power() {
    const Term base = primary();
    if (peek() != '^') return base;
    const std::size_t at = at_++;
    const auto [above, below] = exponent();
    if (peek() == '^') fail("nested powers without parentheses, to be written 2^(2^2),", at_);
    return below == 1 ? power_of(base, above, at) : fractional_power(base, above, below, at);
  }

  Term power_of(const Term& base, int exponent, std::size_t at) {
    Node node = operation(Node::Op::pow);
    node.exponent = exponent;
    return make(std::move(node), {base}, at);
  }

  /// b^(p/q) = r^p of a rational b >= 0: r is rational, or the root of x^n - a, n | q, where a is
  /// no power that would make that reducible.
  Term fractional_power(const Term& base, int exponent, int n, std::size_t at) {
    if (!base.value.constant || !base.value.exact || *base.value.exact < 0)
      fail("a fractional power of something other than a rational number >= 0", at);
    rational a = *base.value.exact;
    for (int k = 2; k <= n; ++k)
      for (std::optional<rational> r; n % k == 0 && (r = exact_root(a, k)); n /= k) a = *r;
    Node node = operation(n == 1 ? Node::Op::number : Node::Op::root);
    node.decimal = contains_decimal(*base.node);
    if (n == 1) {
      node.value = a;
      return power_of(make(std::move(node), {}, at), exponent, at);
    }
    node.polynomial.assign(static_cast<std::size_t>(n) + 1, 0);
    node.polynomial.front() = -a, node.polynomial.back() = 1;
    node.upper = a + 1;
    const Term root = isolated(std::move(node), at);
    return exponent == 1 ? root : power_of(root, exponent, at);
  }

  /// The integers p and q of ^p, ^(p) and ^(p/q), q > 0, without common factors.
  std::pair<int, int> exponent() {
    const bool bracket = accept("(");
    const bool minus = accept("-");
    if (!minus) accept("+");
    const int above = exponent_part(bracket);
    const int below = bracket && accept("/") ? exponent_part(true) : 1;
    if (below == 0) fail("a power with denominator 0", at_ - 1);
    if (bracket) expect(")");
    const int common = std::gcd(above, below);
    return {(minus ? -above : above) / common, below / common};
  }

  int exponent_part(bool bracket) {
    peek();
    const std::size_t at = at_;
    const std::string_view found = digits();
    if (found.empty()) fail("a power that is not an integer or a fraction in parentheses", at);
    const int value = found.size() > 4 ? kMaxExponent + 1 : std::atoi(std::string(found).c_str());
    if (value > kMaxExponent) fail("a power beyond 1000", at);
    const char next = here();
    if (next == '.' || is_letter(next) || (bracket && peek() != ')' && peek() != '/'))
      fail("a power that is not an integer or a fraction in parentheses", at);
    return value;
  }

  void enter(std::size_t at) {
    if (++nesting_ > kMaxNesting) fail("nesting deeper than 200", at);
  }

  Term primary() {
    const char c = peek();
    const std::size_t at = at_;
    if (is_digit(c) || c == '.') return number();
    if (is_letter(c)) return name();
    if (!accept("(")) fail_unexpected();
    enter(at);
    const Term inner = sum();
    --nesting_;
    expect(")");
    return inner;
  }

  Term number() {
    const std::size_t at = at_;
    std::string mantissa(digits());
    Node node = operation(Node::Op::number);
    long scale = 0;
    if (here() == '.') {
      ++at_;
      const std::string_view fraction = digits();
      scale = -static_cast<long>(fraction.size());
      mantissa += fraction;
      node.decimal = true;
    }
    if (mantissa.empty()) fail("a point without digits", at);
    const char e = here();
    if (e == 'e' || e == 'E') {
      ++at_;
      node.decimal = true;
      scale += decimal_exponent(at);
    }
    if (is_letter(here()) || here() == '.') fail("malformed number", at);
    const auto limit = static_cast<long>(kMaxDigits);
    if (mantissa.size() > kMaxDigits || std::labs(scale) > limit) {
      fail("a number of more than 2000 digits", at);
    }
    // A leading zero would be read as octal.
    const std::size_t significant = std::min(mantissa.find_first_not_of('0'), mantissa.size() - 1);
    const exact_integer whole(mantissa.substr(significant));
    const exact_integer power = mp::pow(exact_integer(10), static_cast<unsigned>(std::labs(scale)));
    node.value = scale < 0 ? rational(whole, power) : rational(whole * power);
    return make(std::move(node), {}, at);
  }

  long decimal_exponent(std::size_t at) {
    const char sign = here();
    if (sign == '+' || sign == '-') ++at_;
    std::string_view found = digits();
    if (found.empty()) fail("malformed number", at);
    while (found.size() > 1 && found.front() == '0') found.remove_prefix(1);
    if (found.size() > 5) fail("a number of more than 2000 digits", at);
    const long value = std::atol(std::string(found).c_str());
    return sign == '-' ? -value : value;
  }

  Term name() {
    const std::size_t at = at_;
    const std::string word(run_of([](char c) { return is_letter(c) || is_digit(c); }));
    if (std::find(names_.begin(), names_.end(), word) != names_.end()) {
      Node node = operation(Node::Op::variable);
      node.name = word;
      return make(std::move(node), {}, at);
    }
    if (word == "sqrt" || word == "cos" || word == "sin" || word == "root") {
      return function(word, at);
    }
    if (word == "pi") fail("pi outside cos and sin", at);
    fail("unknown name " + in_quotes(word, 40), at);
  }

  Term function(const std::string& word, std::size_t at) {
    expect("(");
    enter(at);
    Term term;
    if (word == "sqrt") {
      const Term inner = sum();
      term = make(operation(Node::Op::sqrt), {inner}, at);
    } else if (word == "root") {
      term = root(at);
    } else {
      const Term angle = sum_of({"pi"});
      Node node = operation(word == "cos" ? Node::Op::cos_pi : Node::Op::sin_pi);
      node.value = real_or_fail(at, [&] { return multiple_of_pi(*angle.node); });
      node.decimal = contains_decimal(*angle.node);
      term = make(std::move(node), {}, at);
    }
    --nesting_;
    expect(")");
    return term;
  }

  /// A sum in which exactly `names` are known.
  Term sum_of(Names names) {
    std::swap(names, names_);
    Term result = sum();
    std::swap(names, names_);
    return result;
  }

  Term root(std::size_t at) {
    const Term polynomial = sum_of({"x"});
    Node node = operation(Node::Op::root);
    node.decimal = contains_decimal(*polynomial.node);
    node.polynomial = real_or_fail(at, [&] { return polynomial_of(*polynomial.node); });
    if (node.polynomial.size() < 2) fail("root of a constant", at);
    expect(",");
    node.lower = bound(node);
    expect(",");
    node.upper = bound(node);
    if (node.lower >= node.upper) fail("an empty root interval", at);
    return isolated(std::move(node), at);
  }

  /// A root whose polynomial and interval are known.
  Term isolated(Node node, std::size_t at) {
    const SturmChain chain(small_enough(node, at));
    const int count = chain.count(node.lower, node.upper);
    if (count != 1) {
      fail("a root interval that holds " + std::to_string(count) + " roots instead of one", at);
    }
    node.root_value = refine_root(chain.square_free(), node.lower, node.upper);
    return make(std::move(node), {}, at);
  }

  /// The polynomial over the integers, after a bound on the time that its roots take.
  std::vector<exact_integer> small_enough(const Node& node, std::size_t at) {
    const auto spend = [&](double work) {
      root_work_ += work;
      if (root_work_ > kMaxRootWork) fail("a polynomial too large to count its roots", at);
    };
    const auto size = static_cast<double>(node.polynomial.size());
    double sum = 0;
    for (const rational& c : node.polynomial) sum += static_cast<double>(bit_size(c));
    spend(sum * size * size / 2);
    const auto ends = static_cast<double>(bit_size(node.lower) + bit_size(node.upper));
    spend(size * size * size * ends * ends / 2e4);
    std::vector<exact_integer> polynomial = primitive_part(node.polynomial);
    sum = 0;
    for (const exact_integer& c : polynomial) sum += static_cast<double>(bit_size(rational(c)));
    spend(sum * size * size);
    return polynomial;
  }

  rational bound(Node& node) {
    peek();
    const std::size_t at = at_;
    const Term term = sum_of({});
    if (!term.value.exact) fail("a root interval whose end is not rational", at);
    node.decimal = node.decimal || contains_decimal(*term.node);
    return *term.value.exact;
  }

  static constexpr double kMaxRootWork = 4e8;  ///< in units of about 3 ns: a second

  std::string_view where_;
  const Names& variables_;
  Names names_;  ///< variables known where we are
  int nesting_ = 0;
  double root_work_ = 0;
};

}  // namespace

Expression Expression::parse(std::string_view text, std::string_view where,
                             const std::vector<std::string>& variables) {
  text = ExpressionParser::trimmed(text);
  Expression expression;
  expression.root_ = ExpressionParser(text, where, variables).run();
  expression.text_ = std::string(text);
  return expression;
}

}  // namespace daemark
