#include "experiments/spec/formula.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/numbers/arithmetic_parser.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/printable.hpp"
#include "base/text/read_double.hpp"
#include "experiments/spec/range.hpp"

namespace daemark {

struct Formula::Node {
  enum class Kind { number, name, call, comparison };
  Kind kind = Kind::number;
  double value = 0;
  int depth = 1;  ///< of the tree below
  std::size_t name = 0;
  std::string op;                  ///< call: function or operator
  std::vector<std::string> tests;  ///< comparison: one fewer than args
  std::vector<std::shared_ptr<const Node>> args;
};

using NodePtr = std::shared_ptr<const Formula::Node>;

namespace {

/// Values of the names, what they stand for, and whether a comparison of floors was met.
struct Values {
  const std::vector<std::optional<double>>& values;
  const std::vector<Formula::Kind>* kinds = nullptr;  ///< null: floors count as measured
  const std::vector<double>* bounds = nullptr;        ///< by name: the floor it may lie at
  bool floors = false;
};

/// Whether `test` is true of this node or one below.
template <class Test>
bool any(const Formula::Node& node, const Test& test) {
  return test(node) || std::any_of(node.args.begin(), node.args.end(),
                                   [&](const NodePtr& arg) { return any(*arg, test); });
}

bool has(const Formula::Node& node, Formula::Node::Kind kind) {
  return any(node, [&](const Formula::Node& n) { return n.kind == kind; });
}

bool has_kind(const Formula::Node& node, const std::vector<Formula::Kind>& kinds,
              Formula::Kind kind) {
  return any(node, [&](const Formula::Node& n) {
    return n.kind == Formula::Node::Kind::name && kinds[n.name] == kind;
  });
}

bool only_floors(const Formula::Node& node, const std::vector<Formula::Kind>& kinds) {
  return has_kind(node, kinds, Formula::Kind::floor) &&
         !has_kind(node, kinds, Formula::Kind::measured);
}

/// Whether `side` is made of floors alone and `other` is a bare number that lies below them.
bool below_floor(const Formula::Node& side, const Formula::Node& other, const Range& number,
                 const Values& in) {
  using Kind = Formula::Node::Kind;
  if (!in.kinds || !in.bounds || !only_floors(side, *in.kinds) || has(other, Kind::name))
    return false;
  return any(side, [&](const Formula::Node& n) {
    return n.kind == Kind::name && number.value() && (*in.bounds)[n.name] > 0 &&
           std::abs(*number.value()) <= (*in.bounds)[n.name];
  });
}

Range evaluate(const Formula::Node& node, Values& in) {
  using Kind = Formula::Node::Kind;
  if (node.kind == Kind::number) return Range::of(node.value);
  if (node.kind == Kind::name) {
    const std::optional<double>& value = in.values[node.name];
    return value ? Range::of(*value) : Range{};
  }
  std::vector<Range> args;
  for (const NodePtr& arg : node.args) args.push_back(evaluate(*arg, in));
  if (node.kind == Kind::call) return combine(node.op, args);
  bool decided = false, open = false;
  for (std::size_t i = 0; i < node.tests.size(); ++i) {
    if (in.kinds && only_floors(*node.args[i], *in.kinds) &&
        only_floors(*node.args[i + 1], *in.kinds)) {
      continue;
    }
    const std::optional<bool> holds = compare(node.tests[i], args[i], args[i + 1]);
    if (holds == false && (below_floor(*node.args[i], *node.args[i + 1], args[i + 1], in) ||
                           below_floor(*node.args[i + 1], *node.args[i], args[i], in))) {
      continue;
    }
    decided = true;
    if (holds == false) return Range::of(0);
    open = open || !holds;
  }
  in.floors = in.floors || !decided;
  return decided && !open ? Range::of(1) : Range{0, 1};
}

}  // namespace

class FormulaParser : ArithmeticParser<NodePtr> {
 public:
  FormulaParser(std::string_view text, std::string_view where)
      : ArithmeticParser(text), where_(where) {
    if (text.size() > longest_text) refuse("more than 10000 characters");
    formula_.text_ = std::string(text);
  }

  Formula parse() {
    formula_.root_ = comparison();
    peek();
    if (!at_end()) refuse(fmt::format("'{}' is unexpected", text_.substr(at_, 12)));
    return formula_;
  }

 private:
  static constexpr std::size_t longest_text = 10000;
  static constexpr int deepest_tree = 1000;  // 1+1+...: everyone's recursion stays small

  [[noreturn]] void refuse(const std::string& what) const {
    constexpr std::size_t shown = 200;
    throw BadInput(fmt::format(
        "{}: condition {}: {}; accepted: + - * / ^, comparisons, abs min max log log10 sqrt, "
        "names such as row.measure",
        where_, in_quotes(text_, shown), what));
  }

  NodePtr call(std::string op, std::vector<NodePtr> args) const {
    auto node = std::make_shared<Formula::Node>();
    node->kind = Formula::Node::Kind::call;
    node->op = std::move(op);
    for (const NodePtr& arg : args) node->depth = std::max(node->depth, arg->depth + 1);
    if (node->depth > deepest_tree) refuse("a chain of more than 1000 operations");
    node->args = std::move(args);
    return node;
  }

  NodePtr comparison() {
    auto node = std::make_shared<Formula::Node>();
    node->kind = Formula::Node::Kind::comparison;
    node->args.push_back(sum());
    for (bool more = true; more;) {
      more = false;
      for (const char* op : {"<=", ">=", "==", "!=", "<", ">"}) {
        if (accept(op)) {
          node->tests.emplace_back(op);
          node->args.push_back(sum());
          more = true;
          break;
        }
      }
    }
    for (const NodePtr& arg : node->args) node->depth = std::max(node->depth, arg->depth + 1);
    return node->tests.empty() ? node->args.front() : node;
  }

  NodePtr joined(char op, const NodePtr& left, const NodePtr& right, std::size_t) override {
    return call(std::string(1, op), {left, right});
  }

  /// A power behind a sign, whose exponent may carry one again.
  NodePtr factor() override {
    if (++depth_ > 100) refuse("nested deeper than 100");
    NodePtr result;
    if (accept("-")) {
      result = call("neg", {factor()});
    } else {
      result = primary();
      if (accept("^")) result = call("^", {result, factor()});
    }
    --depth_;
    return result;
  }

  NodePtr primary() {
    if (accept("(")) {
      NodePtr inner = comparison();
      if (!accept(")")) refuse("a ')' is missing");
      return inner;
    }
    const char c = peek();
    if (at_end()) refuse("it ends too early");
    if (is_digit(c) || c == '.') return literal();
    if (is_letter(c)) return name();
    refuse(fmt::format("'{}' is unexpected", text_.substr(at_, 12)));
  }

  NodePtr literal() {
    auto node = std::make_shared<Formula::Node>();
    const auto [value, length] = leading_double(text_.substr(at_));
    if (length == 0) refuse("a number is malformed");
    node->value = value, at_ += length;
    return node;
  }

  NodePtr name() {
    const std::size_t start = at_;
    const std::string word(run_of([](char c) { return is_letter(c) || is_digit(c) || c == '.'; }));
    if (accept("(")) return function(word);
    auto node = std::make_shared<Formula::Node>();
    node->kind = Formula::Node::Kind::name;
    auto& names = formula_.names_;
    const auto known = std::find(names.begin(), names.end(), word);
    node->name = static_cast<std::size_t>(known - names.begin());
    if (known == names.end()) names.push_back(word);
    formula_.places_.emplace_back(start, word.size());
    return node;
  }

  NodePtr function(const std::string& word) {
    static const std::vector<std::string> one = {"abs", "log", "log10", "sqrt"};
    const bool single = std::find(one.begin(), one.end(), word) != one.end();
    if (!single && word != "min" && word != "max") {
      refuse(fmt::format("unknown function '{}'", word));
    }
    std::vector<NodePtr> args{sum()};
    while (accept(",")) args.push_back(sum());
    if (!accept(")")) refuse("a ')' is missing");
    if (single && args.size() != 1) refuse(fmt::format("{} takes one argument", word));
    return call(word, std::move(args));
  }

  std::string_view where_;
  int depth_ = 0;
  Formula formula_;
};

Formula Formula::parse(std::string_view text, std::string_view where) {
  return FormulaParser(text, where).parse();
}

bool Formula::is_comparison() const { return root_->kind == Node::Kind::comparison; }

std::optional<double> Formula::eval(const std::vector<std::optional<double>>& values) const {
  Values in{values};
  return evaluate(*root_, in).value();
}

Formula::Decision Formula::decide(const std::vector<std::optional<double>>& values,
                                  const std::vector<Kind>& kinds,
                                  const std::vector<double>& bounds) const {
  Values in{values, &kinds, bounds.empty() ? nullptr : &bounds};
  const std::optional<double> value = evaluate(*root_, in).value();
  if (value) return {*value != 0, false};
  return {std::nullopt, in.floors};
}

std::vector<Formula::Margin> Formula::margins(const std::vector<std::optional<double>>& values,
                                              const std::vector<Kind>& kinds) const {
  std::vector<Margin> out;
  if (!is_comparison() || has_kind(*root_, kinds, Kind::constant)) return out;
  const auto measured = [](const Node& side) {  // a count of true comparisons has no distance
    return has(side, Node::Kind::name) && !has(side, Node::Kind::comparison);
  };
  for (std::size_t i = 0; i < root_->tests.size(); ++i) {
    if (root_->tests[i] == "==" || root_->tests[i] == "!=") continue;
    for (const auto& [m, t] : {std::pair(i, i + 1), std::pair(i + 1, i)}) {
      if (!measured(*root_->args[m]) || has(*root_->args[t], Node::Kind::name)) continue;
      Values in{values};
      const auto a = evaluate(*root_->args[m], in).value(),
                 b = evaluate(*root_->args[t], in).value();
      if (a && b) out.push_back({*a, *b});
    }
  }
  return out;
}

std::optional<double> Formula::eval(const Lookup& lookup) const {
  std::vector<std::optional<double>> values;
  for (const std::string& name : names_) values.push_back(lookup(name));
  return eval(values);
}

std::string Formula::sides(const std::vector<std::optional<double>>& values) const {
  Values in{values};
  if (!is_comparison()) return shown(evaluate(*root_, in), 4);
  std::vector<Range> sides;
  for (const NodePtr& side : root_->args) sides.push_back(evaluate(*side, in));
  const auto rounded = [](double x, int digits) { return double_of(significant(x, digits)); };
  constexpr int least = 4, most = 17;
  std::string text;
  for (int digits = least; digits <= most; ++digits) {
    bool faithful = true;
    text = shown(sides[0], digits);
    for (std::size_t i = 0; i < root_->tests.size(); ++i) {
      const Range &a = sides[i], &b = sides[i + 1];
      const std::string& op = root_->tests[i];
      text += " " + op + " " + shown(b, digits);
      const bool distinct = !a.value() || !b.value() || *a.value() == *b.value() ||
                            shown(a, digits) != shown(b, digits);
      faithful = faithful && distinct &&
                 compare(op, a, b) == compare(op, {rounded(a.low, digits), rounded(a.high, digits)},
                                              {rounded(b.low, digits), rounded(b.high, digits)});
    }
    if (faithful) break;
  }
  return text;
}

std::string Formula::with_values(const Lookup& lookup,
                                 const std::function<std::string(double)>& show) const {
  std::string out;
  std::size_t at = 0;
  for (const auto& [offset, length] : places_) {
    out += text_.substr(at, offset - at);
    const std::optional<double> value = lookup(text_.substr(offset, length));
    out += value ? show(*value) : "?";
    at = offset + length;
  }
  return out + text_.substr(at);
}

FilledText FilledText::parse(std::string_view text, std::string_view where) {
  FilledText out;
  std::size_t at = 0;
  for (std::size_t open = text.find('{'); open != text.npos; open = text.find('{', at)) {
    const std::size_t shut = text.find('}', open);
    if (shut == text.npos) throw BadInput(fmt::format("{}: '{{' is never closed", where));
    out.between_.emplace_back(text.substr(at, open - at));
    out.formulas_.push_back(Formula::parse(text.substr(open + 1, shut - open - 1), where));
    at = shut + 1;
  }
  out.between_.emplace_back(text.substr(at));
  return out;
}

std::string FilledText::with_values(const Formula::Lookup& lookup,
                                    const std::function<std::string(double)>& show) const {
  std::string out = between_.front();
  for (std::size_t i = 0; i < formulas_.size(); ++i) {
    const std::optional<double> value = formulas_[i].eval(lookup);
    out += (value ? show(*value) : "not available") + between_[i + 1];
  }
  return out;
}

}  // namespace daemark
