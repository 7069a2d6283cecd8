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
  using Kind = FileFormula::Kind;
  struct Function {
    const char* name;
    Kind kind;
    Op op;
    int arguments;
  };
  static constexpr Function functions[] = {
      {"sqrt", Kind::operation, Op::sqrt, 1}, {"sin", Kind::operation, Op::sin, 1},
      {"cos", Kind::operation, Op::cos, 1},   {"tan", Kind::tan, Op::input, 1},
      {"asin", Kind::operation, Op::asin, 1}, {"acos", Kind::operation, Op::acos, 1},
      {"atan", Kind::operation, Op::atan, 1}, {"exp", Kind::operation, Op::exp, 1},
      {"log", Kind::operation, Op::log, 1},   {"tanh", Kind::operation, Op::tanh, 1},
      {"abs", Kind::operation, Op::abs, 1},   {"atan2", Kind::operation, Op::atan2, 2},
      {"sn", Kind::sn, Op::input, 2},         {"cn", Kind::cn, Op::input, 2},
      {"dn", Kind::dn, Op::input, 2},         {"integral", Kind::integral, Op::input, 1},
      {"min", Kind::choice, Op::input, 2},    {"max", Kind::choice, Op::input, 2},
      {"if", Kind::choice, Op::input, 3}};
  /// Of known solutions alone, and never computed when it is read.
  static bool of_solutions(Kind kind) { return kind >= Kind::sn; }
  static constexpr std::size_t longest_text = 10000;
  static constexpr int deepest = 200, largest_exponent = 100;

  [[noreturn]] void fail(const std::string& what, std::size_t at) const {
    throw BadInput(fmt::format(
        "{}: {} at character {} of {}; accepted: numbers, + - * /, ^ with an integer from -100 to "
        "100, parentheses, pi, sqrt sin cos tan asin acos atan exp log tanh abs atan2 min max if, "
        "names of data and definitions",
        printable(where_, 300), what, at + 1, in_quotes(text_)));
  }
  [[noreturn]] void unexpected() {
    peek();
    fail(at_end() ? "it ends too early" : "unexpected '" + printable(text_.substr(at_, 1)) + "'",
         at_);
  }

  int size() const { return static_cast<int>(formula_.nodes_.size()); }
  bool is_constant(int node) const { return formula_.nodes_[node].kind == Kind::constant; }
  const wide& value_of(int node) const { return formula_.nodes_[node].exact; }
  int node(Kind kind, Op op, int left, int right = -1, const wide& exact = 0) {
    formula_.nodes_.push_back({kind, op, left, right, -1, exact});
    return size() - 1;
  }
  int constant(const wide& value, std::size_t at) {
    if (!isfinite(value)) fail("no real number", at);
    return node(Kind::constant, Op::input, -1, -1, value);
  }

  int joined(char op, const int& left, const int& right, std::size_t at) override {
    const Op found = op == '+'   ? Op::add
                     : op == '-' ? Op::subtract
                     : op == '*' ? Op::multiply
                                 : Op::divide;
    return binary(Kind::operation, found, left, right, at);
  }
  int binary(Kind kind, Op op, int left, int right, std::size_t at) {
    if (++chain_ > 1000) fail("more than 1000 operations", at);
    if (!is_constant(left) || !is_constant(right) || of_solutions(kind))
      return node(kind, op, left, right);
    return constant(FileFormula::computed(op, value_of(left), value_of(right)), at);
  }
  /// above where condition > 0, else below.
  int choice(int condition, int above, int below, std::size_t at) {
    if (is_constant(condition) && is_constant(above) && is_constant(below))
      return constant(value_of(condition) > 0 ? value_of(above) : value_of(below), at);
    const int made = node(Kind::choice, Op::input, condition, above);
    formula_.nodes_[made].third = below;
    return made;
  }
  int unary(Kind kind, Op op, int operand, std::size_t at) {
    if (!is_constant(operand) || of_solutions(kind)) return node(kind, op, operand);
    const wide& x = value_of(operand);
    return constant(
        kind == Kind::tan ? FileFormula::tangent(x) : FileFormula::computed(op, x, wide()), at);
  }

  /// A power behind any number of signs.
  int factor() override {
    peek();
    const std::size_t at = at_;
    if (++nesting_ > deepest) fail("nesting deeper than 200", at);
    int result;
    if (accept("-")) {
      result = unary(Kind::operation, Op::negate, factor(), at);
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
    if (peek() == '^') fail("nested powers without parentheses, to be written 2^(2^2),", at_);
    const int exponent = minus ? -size : size;
    if (is_constant(base)) return constant(FileFormula::raised(value_of(base), exponent), at);
    return node(Kind::power, Op::input, base, exponent);
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
      return node(Kind::variable, Op::input, known->second);
    std::vector<std::string> names;
    for (const auto& [id, value] : scope_.constants) names.push_back(id);
    for (const auto& [id, number] : scope_.variables) names.push_back(id);
    fail(fmt::format("unknown name '{}'{}", word, did_you_mean(word, names)), at);
  }
  int function(const std::string& word, std::size_t at) {
    const auto* known =
        std::find_if(std::begin(functions), std::end(functions), [&](const Function& f) {
          return f.name == word && (!of_solutions(f.kind) || scope_.of_solution);
        });
    if (known == std::end(functions)) fail("unknown function '" + printable(word) + "'", at);
    int given[3] = {sum(), -1, -1};
    for (int i = 1; i < known->arguments; ++i) {
      if (!accept(","))
        fail(fmt::format("{} takes {} arguments", word, known->arguments == 2 ? "two" : "three"),
             at);
      given[i] = sum();
    }
    if (!accept(")")) fail(fmt::format("a ')' is missing behind the argument of {}", word), at_);
    const auto [first, second, third] = given;
    if (third >= 0) return choice(first, second, third, at);
    if (known->kind == Kind::choice) {
      const bool least = word == "min";
      const int ahead = binary(Kind::operation, Op::subtract, second, first, at);
      return least ? choice(ahead, first, second, at) : choice(ahead, second, first, at);
    }
    return second < 0 ? unary(known->kind, known->op, first, at)
                      : binary(known->kind, known->op, first, second, at);
  }

  std::string_view where_;
  const FileFormula::Scope& scope_;
  FileFormula formula_;
  int nesting_ = 0, chain_ = 0;
};

FileFormula FileFormula::parse(std::string_view text, std::string_view where, const Scope& scope) {
  return FileFormulaParser(text, where, scope).run();
}

real50 FileFormula::jacobi(Kind kind, const real50& u, const real50& k) {
  real50 cn, dn;
  const real50 sn = boost::math::jacobi_elliptic(k, u, &cn, &dn);
  return kind == Kind::sn ? sn : kind == Kind::cn ? cn : dn;
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
