#include "analysis/report/mathml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <utility>

#include "analysis/report/figure_plan.hpp"
#include "base/numbers/polynomial_root.hpp"

namespace daemark {

namespace {

using Node = ExpressionNode;

std::string tag(const char* name, const std::string& inner) {
  return fmt::format("<{0}>{1}</{0}>", name, inner);
}
std::string sign(const char* text) { return tag("mo", text); }
std::string row(const std::string& inner) { return tag("mrow", inner); }
std::string in_parentheses(const std::string& inner) { return row(sign("(") + inner + sign(")")); }

/// How an operation is written, how tightly it binds, and how tightly what stands in its places
/// binds at least without parentheses.
struct Operation {
  const char* form;
  int rank = 0, left = 0, right = 0;
};

struct Notation {
  std::map<Node::Op, Operation> operations;
  int negative, fraction, whole;  ///< how tightly numbers bind
  const char *digits, *quotient, *negated, *parentheses, *nth_root;
  const char *plus, *minus, *x, *power;  ///< of polynomials
};

using Op = Node::Op;

const Notation mathml_notation = {
    .operations =
        {{Op::variable, {"<mi>{}</mi>", 5}},
         {Op::add, {"<mrow>{}<mo>+</mo>{}</mrow>", 1, 1, 2}},
         {Op::sub, {"<mrow>{}<mo>−</mo>{}</mrow>", 1, 1, 2}},
         {Op::mul, {"<mrow>{}<mo>⁢</mo>{}</mrow>", 3, 3, 4}},
         {Op::div, {"<mfrac><mrow>{}</mrow><mrow>{}</mrow></mfrac>", 4}},
         {Op::neg, {"<mrow><mo>−</mo>{}</mrow>", 2, 3}},
         {Op::pow, {"<msup><mrow>{}</mrow><mn>{}</mn></msup>", 5, 5}},
         {Op::sqrt, {"<msqrt>{}</msqrt>", 5}},
         {Op::cos_pi,
          {"<mrow><mi>cos</mi><mrow><mo>(</mo>{}<mo>⁢</mo><mi>π</mi><mo>)</mo></mrow></mrow>",
           4}},
         {Op::sin_pi,
          {"<mrow><mi>sin</mi><mrow><mo>(</mo>{}<mo>⁢</mo><mi>π</mi><mo>)</mo></mrow></mrow>",
           4}},
         {Op::root,
          {"<mrow class=\"root\"><mtext>root of </mtext>{}<mtext> in </mtext>"
           "<mo>(</mo>{}<mo>,</mo>{}<mo>)</mo></mrow>",
           5}}},
    .negative = 2,
    .fraction = 4,
    .whole = 5,
    .digits = "<mn>{}</mn>",
    .quotient = "<mfrac>{}{}</mfrac>",
    .negated = "<mrow><mo>−</mo>{}</mrow>",
    .parentheses = "<mrow><mo>(</mo>{}<mo>)</mo></mrow>",
    .nth_root = "<mroot><mrow>{}</mrow><mn>{}</mn></mroot>",
    .plus = "<mo>+</mo>",
    .minus = "<mo>−</mo>",
    .x = "<mi>x</mi>",
    .power = "<msup><mi>x</mi><mn>{}</mn></msup>"};

const Notation tex_notation = {
    .operations = {{Op::variable, {"\\mathit{{{}}}", 4}},
                   {Op::add, {"{}+{}", 1, 1, 2}},
                   {Op::sub, {"{}-{}", 1, 1, 2}},
                   {Op::mul, {"{}\\,{}", 2, 2, 2}},
                   {Op::div, {"\\frac{{{}}}{{{}}}", 3}},
                   {Op::neg, {"-{}", 1, 2}},
                   {Op::pow, {"{}^{{{}}}", 4, 4}},
                   {Op::sqrt, {"\\sqrt{{{}}}", 4}},
                   {Op::cos_pi, {"\\cos\\left({}\\,\\pi\\right)", 4}},
                   {Op::sin_pi, {"\\sin\\left({}\\,\\pi\\right)", 4}},
                   {Op::root, {"\\mathrm{{root}}\\left({},\\ {}<x<{}\\right)", 4}}},
    .negative = 1,
    .fraction = 3,
    .whole = 4,
    .digits = "{}",
    .quotient = "\\frac{{{}}}{{{}}}",
    .negated = "-{}",
    .parentheses = "\\left({}\\right)",
    .nth_root = "\\sqrt[{1}]{{{0}}}",
    .plus = "+",
    .minus = "-",
    .x = "x",
    .power = "x^{{{}}}"};

template <class... Values>
std::string put(const char* form, const Values&... values) {
  return fmt::format(fmt::runtime(form), values...);
}

std::string number(const Notation& in, const rational& value) {
  const rational size = value < 0 ? rational(-value) : value;
  const std::string top = put(in.digits, numerator(size).str()),
                    bottom = put(in.digits, denominator(size).str());
  const std::string text = denominator(size) == 1 ? top : put(in.quotient, top, bottom);
  return value < 0 ? put(in.negated, text) : text;
}

std::string polynomial(const Notation& in, const std::vector<rational>& coefficients) {
  std::string out;
  for (std::size_t k = coefficients.size(); k-- > 0;) {
    const rational& c = coefficients[k];
    if (c == 0) continue;
    const rational size = c < 0 ? rational(-c) : c;
    out += c < 0 ? in.minus : out.empty() ? "" : in.plus;
    if (size != 1 || k == 0) out += number(in, size);
    if (k > 0) out += k == 1 ? in.x : put(in.power, k);
  }
  return out;
}

int rank(const Notation& in, const Node& node) {
  if (node.op != Op::number) return in.operations.at(node.op).rank;
  return node.value < 0 ? in.negative : denominator(node.value) == 1 ? in.whole : in.fraction;
}

std::string written(const Notation& in, const Node& node) {
  if (node.op == Op::number)
    return node.decimal ? put(in.digits, static_cast<double>(node.value)) : number(in, node.value);
  const auto& [form, own, left, right] = in.operations.at(node.op);
  const auto arg = [&](std::size_t i, int least) {
    const std::string inner = written(in, *node.args[i]);
    return rank(in, *node.args[i]) < least ? put(in.parentheses, inner) : inner;
  };
  if (node.op == Op::variable) return put(form, node.name);
  if (node.op == Op::cos_pi || node.op == Op::sin_pi) return put(form, number(in, node.value));
  if (node.op == Op::pow) return put(form, arg(0, left), node.exponent);
  if (node.op == Op::root) {
    if (const auto a = radicand(node.polynomial); a && node.lower == 0)
      return put(in.nth_root, number(in, *a), node.polynomial.size() - 1);
    return put(form, polynomial(in, node.polynomial), number(in, node.lower),
               number(in, node.upper));
  }
  return node.args.size() == 1 ? put(form, arg(0, left)) : put(form, arg(0, left), arg(1, right));
}

constexpr std::array greek = {
    std::pair("alpha", "α"),  std::pair("beta", "β"),    std::pair("gamma", "γ"),
    std::pair("delta", "δ"),  std::pair("epsilon", "ε"), std::pair("theta", "θ"),
    std::pair("lambda", "λ"), std::pair("mu", "μ"),      std::pair("phi", "φ"),
    std::pair("rho", "ρ"),    std::pair("tau", "τ"),     std::pair("omega", "ω"),
    std::pair("pi", "π"),     std::pair("Omega", "Ω"),   std::pair("Phi", "Φ")};
constexpr std::array functions = {"sin", "cos", "tan", "exp", "diag"};

bool starts_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool in_number(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// Recursive descent over a formula in plain text; stops where it is none.
class Formula {
 public:
  explicit Formula(std::string_view text) : text_(text) {}

  std::optional<std::string> whole() {
    std::string out = sum();
    while (ok_ && peek() == '=') {
      out += take_sign("=");
      out += sum();
    }
    return ok_ && at_ == text_.size() && !out.empty() ? std::optional(out) : std::nullopt;
  }

 private:
  char peek() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  std::string take_sign(const char* shown) {
    ++at_;
    return sign(shown);
  }
  std::string fail() {
    ok_ = false;
    return "";
  }

  std::string sum() {
    std::string out;
    if (peek() == '-') out += take_sign("−");
    out += product();
    while (ok_ && (peek() == '+' || peek() == '-')) {
      out += take_sign(text_[at_] == '+' ? "+" : "−");
      out += product();
    }
    return row(out);
  }
  std::string product() {
    std::string out = power();
    while (ok_) {
      const char next = peek();
      if (next == '/') {
        ++at_;
        out = tag("mfrac", row(out) + row(power()));
      } else if (next == '(' || starts_name(next) || in_number(next)) {
        out += sign("⁢") + power();
      } else {
        break;
      }
    }
    return out;
  }
  std::string power() {
    std::string base = factor();
    if (!ok_ || peek() != '^') return base;
    ++at_;
    return tag("msup", row(base) + row(factor()));
  }
  std::string factor() {
    const char next = peek();
    if (in_number(next)) {
      const std::size_t from = at_;
      while (at_ < text_.size() && (in_number(text_[at_]) || text_[at_] == '.')) ++at_;
      return tag("mn", std::string(text_.substr(from, at_ - from)));
    }
    if (next == '(') return in_parentheses(inside(false));
    return starts_name(next) ? name() : fail();
  }
  /// Between the parentheses that stand here; several sums only where a `list` may.
  std::string inside(bool list) {
    if (peek() != '(') return fail();
    ++at_;
    std::string inner = sum();
    while (ok_ && list && peek() == ',') {
      inner += take_sign(",");
      inner += sum();
    }
    if (peek() != ')') return fail();
    ++at_;
    return inner;
  }
  std::string name() {
    const std::size_t from = at_;
    while (at_ < text_.size() && starts_name(text_[at_])) ++at_;
    const std::string word(text_.substr(from, at_ - from));
    if (word == "sqrt" && peek() == '(') return tag("msqrt", inside(false));
    if (std::find(functions.begin(), functions.end(), word) != functions.end())
      return row(tag("mi", word) + in_parentheses(inside(true)));
    return dotted(symbol(word));
  }
  /// A name with the index behind it.
  std::string symbol(const std::string& word) {
    std::string shown = word;
    for (const auto& [name, letter] : greek)
      if (word == name) shown = letter;
    if (shown == word && word.size() > 2) return fail();  // a word, not a name
    std::string index;
    const bool written = at_ < text_.size() && text_[at_] == '_';
    if (written) ++at_;
    while (at_ < text_.size() && (in_number(text_[at_]) || (written && starts_name(text_[at_]))))
      index += text_[at_++];
    return index.empty() ? tag("mi", shown) : tag("msub", tag("mi", shown) + tag("mi", index));
  }
  std::string dotted(const std::string& shown) {
    int dots = 0;
    while (at_ < text_.size() && text_[at_] == '\'') ++at_, ++dots;
    if (dots == 0) return shown;
    return tag("mover", shown + sign(dots == 1 ? "˙" : dots == 2 ? "¨" : "⃛"));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool ok_ = true;
};

/// A formula says something: it has an equals sign, or an operation on names.
bool worth(std::string_view clause) {
  return clause.find('=') != std::string_view::npos || clause.find('\'') != std::string_view::npos;
}

}  // namespace

std::string mathml(const Expression& expression) {
  return written(mathml_notation, expression.root());
}

std::optional<std::string> mathml_of(std::string_view formula) { return Formula(formula).whole(); }

std::string math(const std::string& inner, bool block) {
  return std::string("<math") + (block ? " display=\"block\">" : ">") + inner + "</math>";
}

std::string mathml_matrix(const std::vector<std::vector<std::string>>& rows) {
  std::string inner;
  for (const auto& cells : rows) {
    std::string line;
    for (const std::string& cell : cells) line += tag("mtd", cell);
    inner += tag("mtr", line);
  }
  return row(sign("[") + tag("mtable", inner) + sign("]"));
}

std::string mathml_sentence(const std::string& text) {
  std::string out, clause;
  int depth = 0;
  const auto flush = [&] {
    const std::size_t from = clause.find_first_not_of(' ');
    const std::string trimmed = from == std::string::npos ? "" : clause.substr(from);
    const auto formula = worth(trimmed) ? mathml_of(trimmed) : std::nullopt;
    out += formula ? clause.substr(0, from) + math(*formula) : escape_xml(clause);
    clause.clear();
  };
  for (const char c : text) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (depth == 0 && (c == ',' || c == ';' || c == ':')) {
      flush();
      out += c;
    } else {
      clause += c;
    }
  }
  flush();
  return out;
}

std::string latex_formula(const Expression& expression) {
  return written(tex_notation, expression.root());
}

}  // namespace daemark
