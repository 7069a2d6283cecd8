#include "analysis/tags/tag_expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "analysis/tags/tags.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/near.hpp"
#include "base/text/printable.hpp"
#include "base/text/read_double.hpp"
#include "methods/catalogue/registry.hpp"

namespace daemark {

struct TagExpression::Node {
  enum class Op { either, both, negated, tag, member, compared };
  Op op;
  std::vector<std::shared_ptr<const Node>> args = {};
  const Tag* tag = nullptr;
  std::string name = {};  ///< member: id of the method
  std::string sign = {};
  double number = 0;
};

namespace {

using Node = TagExpression::Node;
using Pointer = std::shared_ptr<const Node>;
using Truth = std::optional<bool>;

constexpr const char* grammar =
    "tags and comparisons (order>=3) joined by &, |, !, ( ), as daemark list tags has them";

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

class Parser {
 public:
  Parser(const std::string& text, const std::string& where) : text_(text), where_(where) {}

  Pointer whole() {
    constexpr std::size_t longest = 1000;
    if (text_.size() > longest) fail("it is longer than 1000 characters", 0);
    Pointer node = either(0);
    blanks();
    if (at_ < text_.size()) fail(in_quotes(text_.substr(at_, 10)) + " does not belong there", at_);
    return node;
  }

 private:
  [[noreturn]] void fail(const std::string& what, std::size_t at,
                         const std::string& accepted = grammar) const {
    throw BadInput(fmt::format("{}: {}, character {}: {}; accepted: {}", where_, in_quotes(text_),
                               at + 1, what, accepted));
  }
  void blanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  /// One of the signs `once`, which may stand twice: & and &&.
  bool take(char once) {
    blanks();
    if (at_ >= text_.size() || text_[at_] != once) return false;
    ++at_;
    if ((once == '&' || once == '|') && at_ < text_.size() && text_[at_] == once) ++at_;
    return true;
  }

  Pointer either(int depth) { return joined(Node::Op::either, '|', depth); }
  Pointer joined(Node::Op op, char sign, int depth) {
    const auto part = [&] {
      return op == Node::Op::either ? joined(Node::Op::both, '&', depth) : unary(depth);
    };
    std::vector<Pointer> args = {part()};
    while (take(sign)) args.push_back(part());
    return args.size() == 1 ? args.front() : std::make_shared<const Node>(Node{op, args});
  }

  Pointer unary(int depth) {
    constexpr int deepest = 100;
    if (depth > deepest) fail("nested deeper than 100", at_);
    blanks();
    const std::size_t begin = at_;
    if (at_ < text_.size() && text_[at_] == '!' && text_.substr(at_, 2) != "!=") {
      ++at_;
      return std::make_shared<const Node>(Node{Node::Op::negated, {unary(depth + 1)}});
    }
    if (take('(')) {
      Pointer inner = either(depth + 1);
      if (!take(')')) fail("the parenthesis opened here is not closed", begin);
      return inner;
    }
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    if (begin == at_)
      fail(begin < text_.size() ? in_quotes(text_.substr(begin, 1)) + " where a tag should stand"
                                : "it ends where a tag should stand",
           begin);
    return named(text_.substr(begin, at_ - begin), begin);
  }

  Pointer named(const std::string& name, std::size_t begin) {
    const Tag* tag = find_tag(name);
    if (tag == nullptr && method_registry().has(name))
      return std::make_shared<const Node>(Node{Node::Op::member, {}, nullptr, name});
    if (tag == nullptr) {
      std::vector<std::string> known;
      for (const Tag& each : tags()) known.emplace_back(each.name);
      fail(in_quotes(name) + " is no tag" + did_you_mean(name, known), begin,
           "what daemark list tags names, ids of methods");
    }
    const std::string sign = comparison();
    if (!tag->is_number && !sign.empty())
      fail(std::string(tag->name) + " holds or not, it is no number", begin,
           fmt::format("{}, !{}", tag->name, tag->name));
    if (!tag->is_number) return std::make_shared<const Node>(Node{Node::Op::tag, {}, tag});
    if (sign.empty())
      fail(std::string(tag->name) + " is a number", at_,
           fmt::format("a comparison, {}>=2, with < <= > >= = !=", tag->name));
    return std::make_shared<const Node>(Node{Node::Op::compared, {}, tag, "", sign, number()});
  }

  std::string comparison() {
    blanks();
    for (const char* sign : {"<=", ">=", "!=", "==", "<", ">", "="})
      if (text_.compare(at_, std::string(sign).size(), sign) == 0) {
        at_ += std::string(sign).size();
        return sign == std::string("==") ? "=" : sign;
      }
    return "";
  }

  double number() {
    blanks();
    const auto [value, length] = leading_double(std::string_view(text_).substr(at_));
    if (length == 0 || value != value)
      fail("a number should stand here", at_, "a decimal number, 3 or 0.5");
    at_ += length;
    return value;
  }

  const std::string& text_;
  const std::string& where_;
  std::size_t at_ = 0;
};

bool compare(double value, const std::string& sign, double number) {
  if (sign == "<") return value < number;
  if (sign == "<=") return value <= number;
  if (sign == ">") return value > number;
  if (sign == ">=") return value >= number;
  return (value == number) == (sign == "=");
}

Truth holds(const Node& node, const std::string& call) {
  switch (node.op) {
    case Node::Op::negated: {
      const Truth inner = holds(*node.args.front(), call);
      return inner ? Truth(!*inner) : std::nullopt;
    }
    case Node::Op::either:
    case Node::Op::both: {
      const bool decisive = node.op == Node::Op::either;
      Truth all = !decisive;
      for (const Pointer& part : node.args) {
        const Truth truth = holds(*part, call);
        if (truth == decisive) return decisive;
        if (!truth) all = std::nullopt;
      }
      return all;
    }
    case Node::Op::member:
      return parse_call(call, "method").id == node.name;
    default:
      break;
  }
  const std::optional<double> value = tag_value(call, *node.tag);
  if (!value) return std::nullopt;
  return node.op == Node::Op::tag ? *value == 1 : compare(*value, node.sign, node.number);
}

bool names(const Node& node, const std::string& what) {
  return node.name == what || (node.tag != nullptr && node.tag->name == what) ||
         std::any_of(node.args.begin(), node.args.end(),
                     [&](const Pointer& part) { return names(*part, what); });
}

}  // namespace

TagExpression TagExpression::parse(const std::string& text, const std::string& where) {
  TagExpression expression;
  expression.text_ = text;
  expression.root_ = Parser(text, where).whole();
  return expression;
}

std::optional<bool> TagExpression::holds(const std::string& call) const {
  return daemark::holds(*root_, call);
}
bool TagExpression::names(const std::string& what) const { return daemark::names(*root_, what); }

std::vector<std::string> select_methods(const std::string& text, const std::string& where,
                                        const std::vector<std::string>& calls) {
  const TagExpression expression = TagExpression::parse(text, where);
  std::vector<std::string> selected;
  for (const std::string& call : calls)
    if (expression.holds(call) == std::optional(true)) selected.push_back(call);
  if (selected.empty())
    throw BadInput(
        fmt::format("{}: {} holds of none of the {} methods; accepted: an expression that holds of "
                    "some (daemark list methods --tag, daemark show M names the tags of a method)",
                    where, in_quotes(text), calls.size()));
  return selected;
}

std::vector<std::string> select_methods(const std::string& text, const std::string& where) {
  const TagExpression expression = TagExpression::parse(text, where);
  const MethodRegistry& registry = method_registry();
  std::vector<std::string> calls;
  std::set<std::string> known;
  const auto add = [&](const std::string& call) {
    const std::string canonical = registry.bind(call).canonical();
    if (known.insert(canonical).second) calls.push_back(canonical);
  };
  for (const std::string& call : registry.examples()) add(call);
  for (const std::string& id : registry.ids())  // what is left: methods that --tableau added
    if (registry.info(id).parameters.empty()) add(id);
  for (const std::string& id : registry.library_ids())
    if (expression.names("library") || expression.names(id)) add(id);
  return select_methods(text, where, calls);
}

}  // namespace daemark
