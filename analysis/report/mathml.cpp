#include "analysis/report/mathml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
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

std::string number(const rational& value) {
  const rational size = value < 0 ? rational(-value) : value;
  const std::string elements =
      denominator(size) == 1
          ? tag("mn", numerator(size).str())
          : tag("mfrac", tag("mn", numerator(size).str()) + tag("mn", denominator(size).str()));
  return value < 0 ? row(sign("−") + elements) : elements;
}

/// How tightly an operation binds: what is inside another of higher rank needs parentheses.
int rank(const Node& node) {
  switch (node.op) {
    case Node::Op::add:
    case Node::Op::sub:
      return 1;
    case Node::Op::neg:
      return 2;
    case Node::Op::mul:
      return 3;
    case Node::Op::number:
      return node.value < 0 ? 2 : denominator(node.value) == 1 ? 5 : 4;
    case Node::Op::div:
    case Node::Op::cos_pi:
    case Node::Op::sin_pi:
      return 4;
    default:
      return 5;
  }
}

std::string elements(const Node& node);

std::string inside(const Node& node, int least) {
  return rank(node) < least ? in_parentheses(elements(node)) : elements(node);
}

std::string polynomial(const std::vector<rational>& coefficients) {
  std::string out;
  for (std::size_t k = coefficients.size(); k-- > 0;) {
    const rational& c = coefficients[k];
    if (c == 0) continue;
    const rational size = c < 0 ? rational(-c) : c;
    out += c < 0 ? sign("−") : out.empty() ? "" : sign("+");
    if (size != 1 || k == 0) out += number(size);
    const std::string x = tag("mi", "x");
    if (k > 0) out += k == 1 ? x : tag("msup", x + tag("mn", std::to_string(k)));
  }
  return out;
}

std::string elements(const Node& node) {
  const auto arg = [&](std::size_t i, int least) { return inside(*node.args[i], least); };
  switch (node.op) {
    case Node::Op::number:
      return node.decimal ? tag("mn", fmt::format("{}", static_cast<double>(node.value)))
                          : number(node.value);
    case Node::Op::variable:
      return tag("mi", escape_xml(node.name));
    case Node::Op::add:
      return row(arg(0, 1) + sign("+") + arg(1, 2));
    case Node::Op::sub:
      return row(arg(0, 1) + sign("−") + arg(1, 2));
    case Node::Op::mul:
      return row(arg(0, 3) + sign("⁢") + arg(1, 4));
    case Node::Op::div:
      return tag("mfrac", row(elements(*node.args[0])) + row(elements(*node.args[1])));
    case Node::Op::neg:
      return row(sign("−") + arg(0, 3));
    case Node::Op::pow:
      return tag("msup", row(arg(0, 5)) + tag("mn", std::to_string(node.exponent)));
    case Node::Op::sqrt:
      return tag("msqrt", elements(*node.args[0]));
    case Node::Op::cos_pi:
    case Node::Op::sin_pi:
      return row(tag("mi", node.op == Node::Op::cos_pi ? "cos" : "sin") +
                 in_parentheses(number(node.value) + sign("⁢") + tag("mi", "π")));
    case Node::Op::root:
      if (const auto a = radicand(node.polynomial); a && node.lower == 0)
        return tag("mroot",
                   row(number(*a)) + tag("mn", std::to_string(node.polynomial.size() - 1)));
      return "<mrow class=\"root\">" + tag("mtext", "root of ") + polynomial(node.polynomial) +
             tag("mtext", " in ") + sign("(") + number(node.lower) + sign(",") +
             number(node.upper) + sign(")") + "</mrow>";
  }
  return "";
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

std::string mathml(const Expression& expression) { return elements(expression.root()); }

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

namespace {

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
