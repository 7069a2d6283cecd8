#include "problems/files/file_formula.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/constants/constants.hpp>
#include <boost/math/quadrature/gauss.hpp>
#include <boost/math/special_functions/jacobi_elliptic.hpp>
#include <cstdlib>

#include "base/numbers/arithmetic_parser.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/near.hpp"
#include "base/text/printable.hpp"

namespace daemark {

/// Terms are the numbers of nodes.
class FileFormulaParser : ArithmeticParser<int> {
 public:
  FileFormulaParser(std::string_view text, std::string_view where, const FileFormula::Scope& scope)
      : ArithmeticParser(text), where_(where), scope_(scope) {
    if (text.size() > longest_text) fail("more than 10000 characters", 0);
  }

  FileFormula run() {
    sum();
    if (peek() != '\0' || !at_end()) unexpected();
    return std::move(formula_);
  }

 private:
  using Op = FileFormula::Op;
  struct Function {
    const char* name;
    Op op;
    int arguments;
    bool of_solutions;  ///< in known solutions alone
  };
  static constexpr Function functions[] = {
      {"sqrt", Op::sqrt, 1, false},   {"sin", Op::sin, 1, false},
      {"cos", Op::cos, 1, false},     {"tan", Op::tan, 1, false},
      {"asin", Op::asin, 1, false},   {"acos", Op::acos, 1, false},
      {"atan", Op::atan, 1, false},   {"exp", Op::exp, 1, false},
      {"log", Op::log, 1, false},     {"tanh", Op::tanh, 1, false},
      {"abs", Op::abs, 1, false},     {"atan2", Op::atan2, 2, false},
      {"sn", Op::jacobi_sn, 2, true}, {"cn", Op::jacobi_cn, 2, true},
      {"dn", Op::jacobi_dn, 2, true}, {"integral", Op::integral, 1, true}};
  static constexpr std::size_t longest_text = 10000;
  static constexpr int deepest = 200, largest_exponent = 100;

  [[noreturn]] void fail(const std::string& what, std::size_t at) const {
    throw BadInput(fmt::format(
        "{}: {} at character {} of {}; accepted: numbers, + - * /, ^ with an integer from -100 to "
        "100, parentheses, pi, sqrt sin cos tan asin acos atan exp log tanh abs atan2, names "
        "of data and definitions",
        printable(where_, 300), what, at + 1, in_quotes(text_)));
  }
  [[noreturn]] void unexpected() {
    peek();
    fail(at_end() ? "it ends too early" : "unexpected '" + printable(text_.substr(at_, 1)) + "'",
         at_);
  }

  int size() const { return static_cast<int>(formula_.nodes_.size()); }
  static bool is_jacobi(Op op) {
    return op == Op::jacobi_sn || op == Op::jacobi_cn || op == Op::jacobi_dn;
  }
  bool is_constant(int node) const { return formula_.nodes_[node].op == Op::constant; }
  const wide& value_of(int node) const { return formula_.nodes_[node].exact; }
  int constant(const wide& value, std::size_t at) {
    if (!isfinite(value)) fail("no real number", at);
    formula_.nodes_.push_back({Op::constant, -1, -1, value});
    return size() - 1;
  }
  int node(Op op, int left, int right = -1) {
    formula_.nodes_.push_back({op, left, right});
    return size() - 1;
  }

  int joined(char op, const int& left, const int& right, std::size_t at) override {
    const Op found = op == '+'   ? Op::add
                     : op == '-' ? Op::subtract
                     : op == '*' ? Op::multiply
                                 : Op::divide;
    return binary(found, left, right, at);
  }
  int binary(Op op, int left, int right, std::size_t at) {
    if (++chain_ > 1000) fail("more than 1000 operations", at);
    if (!is_constant(left) || !is_constant(right) || is_jacobi(op)) return node(op, left, right);
    return constant(FileFormula::combined(op, value_of(left), value_of(right)), at);
  }
  int unary(Op op, int operand, std::size_t at) {
    if (!is_constant(operand) || op == Op::integral) return node(op, operand);
    return constant(FileFormula::applied(op, value_of(operand)), at);
  }

  /// A power behind any number of signs.
  int factor() override {
    peek();
    const std::size_t at = at_;
    if (++nesting_ > deepest) fail("nesting deeper than 200", at);
    int result;
    if (accept("-")) {
      result = unary(Op::negate, factor(), at);
    } else if (accept("+")) {
      result = factor();
    } else {
      result = primary();
      if (peek() == '^') result = power(result);
    }
    --nesting_;
    return result;
  }
  int power(int base) {
    const std::size_t at = at_++;
    const bool bracket = accept("("), minus = accept("-");
    peek();
    const std::string_view found = digits();
    if (found.empty() || here() == '.' || (bracket && !accept(")")))
      fail("a power that is not an integer", at);
    const int size =
        found.size() > 3 ? largest_exponent + 1 : std::atoi(std::string(found).c_str());
    if (size > largest_exponent) fail("a power beyond 100", at);
    if (peek() == '^') fail("a tower of powers without parentheses", at_);
    const int exponent = minus ? -size : size;
    if (is_constant(base)) return constant(FileFormula::raised(value_of(base), exponent), at);
    return node(Op::power, base, exponent);
  }

  int primary() {
    const char c = peek();
    if (is_digit(c) || c == '.') return number();
    if (is_letter(c)) return name();
    if (!accept("(")) unexpected();
    const int inner = sum();
    if (!accept(")")) unexpected();
    return inner;
  }
  int number() {
    const std::size_t at = at_;
    digits();
    if (here() == '.') ++at_, digits();
    if (here() == 'e' || here() == 'E') {
      ++at_;
      if (here() == '+' || here() == '-') ++at_;
      if (digits().empty()) fail("malformed number", at);
    }
    if (is_letter(here()) || here() == '.') fail("malformed number", at);
    const Expression exact = Expression::parse(text_.substr(at, at_ - at), where_);
    return constant(exact.eval<wide>(), at);
  }

  int name() {
    const std::size_t at = at_;
    std::string word(run_of([](char c) { return is_letter(c) || is_digit(c) || c == '.'; }));
    word += run_of([](char c) { return c == '\''; });
    if (accept("(")) return function(word, at);
    if (scope_.used) scope_.used->insert(word);
    if (word == "pi") return constant(boost::math::constants::pi<wide>(), at);
    if (const auto known = scope_.constants.find(word); known != scope_.constants.end())
      return constant(known->second, at);
    if (const auto known = scope_.variables.find(word); known != scope_.variables.end())
      return node(Op::variable, known->second);
    std::vector<std::string> names;
    for (const auto& [id, value] : scope_.constants) names.push_back(id);
    for (const auto& [id, number] : scope_.variables) names.push_back(id);
    fail(fmt::format("unknown name '{}'{}", word, did_you_mean(word, names)), at);
  }
  int function(const std::string& word, std::size_t at) {
    const auto* known =
        std::find_if(std::begin(functions), std::end(functions), [&](const Function& f) {
          return f.name == word && (!f.of_solutions || scope_.of_solution);
        });
    if (known == std::end(functions)) fail("unknown function '" + printable(word) + "'", at);
    const int first = sum();
    int second = -1;
    if (known->arguments == 2) {
      if (!accept(",")) fail(fmt::format("{} takes two arguments", word), at);
      second = sum();
    }
    if (!accept(")")) fail(fmt::format("a ')' is missing behind the argument of {}", word), at_);
    return second < 0 ? unary(known->op, first, at) : binary(known->op, first, second, at);
  }

  std::string_view where_;
  const FileFormula::Scope& scope_;
  FileFormula formula_;
  int nesting_ = 0, chain_ = 0;
};

FileFormula FileFormula::parse(std::string_view text, std::string_view where, const Scope& scope) {
  return FileFormulaParser(text, where, scope).run();
}

real50 FileFormula::jacobi(Op op, const real50& u, const real50& k) {
  real50 cn, dn;
  const real50 sn = boost::math::jacobi_elliptic(k, u, &cn, &dn);
  return op == Op::jacobi_sn ? sn : op == Op::jacobi_cn ? cn : dn;
}

/// Gauss quadrature on panels that are halved: where it converges, the digits more than double.
real50 FileFormula::integral(const real50& t, const std::function<real50(const real50&)>& rate) {
  using Rule = boost::math::quadrature::gauss<real50, 30>;
  const real50 enough("1e-32");
  real50 sum = 0;
  for (int panels = 1; panels <= 4096; panels *= 2) {
    const real50 half = t / (2 * panels), before = sum;
    sum = 0;
    for (int i = 0; i < panels; ++i)
      for (std::size_t k = 0; k < Rule::abscissa().size(); ++k)
        for (const int side : {-1, 1})
          sum += half * Rule::weights()[k] * rate(half * (2 * i + 1 + side * Rule::abscissa()[k]));
    if (panels > 1 && abs(real50(sum - before)) <= enough * (1 + abs(sum))) return sum;
  }
  return std::numeric_limits<real50>::quiet_NaN();
}

}  // namespace daemark
