#include "base/input/call.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

#include "base/text/near.hpp"
#include "base/text/printable.hpp"

namespace daemark {
namespace {

constexpr std::size_t kMaxText = 20000;
constexpr int kMaxCallDepth = 20;

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_word_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_word_part(char c) { return is_word_start(c) || (c >= '0' && c <= '9'); }

std::string without_spaces(std::string_view text) {
  std::string out;
  std::copy_if(text.begin(), text.end(), std::back_inserter(out),
               [](char c) { return !is_space(c); });
  return out;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

class CallParser {
 public:
  CallParser(std::string_view text, std::string_view where) : text_(text), where_(where) {
    if (text_.size() > kMaxText) fail("a text of more than 20000 characters", 0);
  }

  Call whole_call() {
    Call result = call(0);
    expect_end();
    return result;
  }

  CallValue whole_value() {
    CallValue result = value(0);
    expect_end();
    return result;
  }

 private:
  [[noreturn]] void fail(const std::string& what, std::size_t at) const {
    throw BadInput(printable(where_, 200) + ": " + what + " at character " +
                   std::to_string(at + 1) + " of " + in_quotes(text_) +
                   "; accepted: id or id(key=value,...), a value being an expression, a list "
                   "[a,b,...], a word or a call");
  }

  [[noreturn]] void fail_unexpected() const {
    if (position_ >= text_.size()) fail(text_.empty() ? "empty text" : "unexpected end", position_);
    fail("unexpected '" + printable(text_.substr(position_, 1)) + "'", position_);
  }

  void skip_spaces() {
    while (position_ < text_.size() && is_space(text_[position_])) ++position_;
  }

  bool next_is(char c) {
    skip_spaces();
    return position_ < text_.size() && text_[position_] == c;
  }

  bool accept(char c) {
    if (!next_is(c)) return false;
    ++position_;
    return true;
  }

  void expect(char c) {
    if (!accept(c)) fail_unexpected();
  }

  void expect_end() {
    skip_spaces();
    if (position_ < text_.size()) fail_unexpected();
  }

  std::string_view word() {
    skip_spaces();
    const std::size_t start = position_;
    if (start < text_.size() && is_word_start(text_[start]))
      while (position_ < text_.size() && is_word_part(text_[position_])) ++position_;
    return text_.substr(start, position_ - start);
  }

  Call call(int depth) {
    if (depth > kMaxCallDepth) fail("calls nested deeper than 20", position_);
    Call result;
    result.id = word();
    if (result.id.empty()) fail_unexpected();
    if (!accept('(') || accept(')')) return result;
    std::set<std::string> keys;
    do {
      CallArgument argument;
      argument.key = key();
      const std::size_t at = position_;
      if (!argument.key.empty() && !keys.insert(argument.key).second)
        fail("second value of " + argument.key, at);
      if (argument.key.empty() && !keys.empty()) fail("value without a key after one with", at);
      argument.value = value(depth);
      result.arguments.push_back(std::move(argument));
    } while (accept(','));
    expect(')');
    return result;
  }

  /// Reads `key=` if it is here; otherwise stays and returns nothing.
  std::string key() {
    skip_spaces();
    const std::size_t start = position_;
    std::string name(word());
    if (!name.empty() && accept('=')) {
      skip_spaces();
      return name;
    }
    position_ = start;
    return "";
  }

  CallValue value(int depth) {
    skip_spaces();
    const std::size_t start = position_;
    CallValue result;
    if (next_is('[')) {
      result.kind = CallValue::Kind::list;
      result.list = list();
    } else if (const std::string name = called_name(); !name.empty()) {
      result.kind = CallValue::Kind::call;
      result.call = std::make_shared<Call>(call(depth + 1));
    } else {
      const std::string_view span = expression_text();
      const bool is_path =
          span.starts_with('/') || span.starts_with("./") || span.starts_with("../");
      const bool is_word = is_word_start(span.front()) &&
                           std::all_of(span.begin(), span.end(),
                                       [](char c) { return is_word_part(c) || c == ':'; }) &&
                           span != "h" && span != "pi";
      if (is_word || is_path) {
        result.kind = CallValue::Kind::word;
        result.call = std::make_shared<Call>(Call{std::string(span), {}});
      } else {
        result.expression = Expression::parse(span, where_, {"h"});
      }
    }
    result.text = trimmed(text_.substr(start, position_ - start));
    return result;
  }

  /// The id of the nested call that starts here, or empty; does not move.
  std::string called_name() {
    const std::size_t start = position_;
    std::string name(word());
    if (!next_is('(') || name == "sqrt" || name == "cos" || name == "sin" || name == "root")
      name.clear();
    position_ = start;
    return name;
  }

  std::vector<Expression> list() {
    std::vector<Expression> result;
    expect('[');
    do {
      result.push_back(Expression::parse(expression_text(), where_, {"h"}));
    } while (accept(','));
    expect(']');
    return result;
  }

  /// Text up to a comma or a closing bracket of the level outside.
  std::string_view expression_text() {
    skip_spaces();
    const std::size_t start = position_;
    int open = 0;
    for (; position_ < text_.size(); ++position_) {
      const char c = text_[position_];
      if (open == 0 && (c == ',' || c == ')' || c == ']')) break;
      if (c == '(' || c == '[') ++open;
      if (c == ')' || c == ']') --open;
    }
    const std::string_view span = trimmed(text_.substr(start, position_ - start));
    if (span.empty()) fail_unexpected();
    return span;
  }

  std::string_view text_;
  std::string_view where_;
  std::size_t position_ = 0;
};

std::string joined(const std::string& id, const std::vector<std::string>& arguments) {
  if (arguments.empty()) return id;
  std::string out = id + "(";
  for (std::size_t i = 0; i < arguments.size(); ++i) out += (i == 0 ? "" : ",") + arguments[i];
  return out + ")";
}

std::string with_key(const std::string& key, const std::string& value) {
  return key.empty() ? value : key + "=" + value;
}

std::string canonical_expression(const Expression& expression) {
  return expression.is_rational() ? expression.as_rational().str()
                                  : without_spaces(expression.text());
}

}  // namespace

Call parse_call(std::string_view text, std::string_view where) {
  return CallParser(trimmed(text), where).whole_call();
}

CallValue parse_call_value(std::string_view text, std::string_view where) {
  return CallParser(trimmed(text), where).whole_value();
}

std::string Call::text() const {
  std::vector<std::string> parts;
  for (const CallArgument& argument : arguments)
    parts.push_back(with_key(argument.key, without_spaces(argument.value.text)));
  return joined(id, parts);
}

std::string CallValue::canonical() const {
  switch (kind) {
    case Kind::expression:
      return canonical_expression(expression);
    case Kind::list: {
      std::string out;
      for (const Expression& entry : list)
        out += (out.empty() ? "[" : ",") + canonical_expression(entry);
      return out + "]";
    }
    case Kind::call: {
      std::vector<std::string> parts;
      for (const CallArgument& argument : call->arguments)
        parts.push_back(with_key(argument.key, argument.value.canonical()));
      return joined(call->id, parts);
    }
    case Kind::word:
      break;
  }
  return text;
}

namespace {

using Kind = CallValue::Kind;
using Type = Parameter::Type;

std::string accepted_by(const Parameter& parameter) {
  if (!parameter.accepted.empty()) return parameter.accepted;
  constexpr const char* forms[] = {"integer", "number", "word", "word or list [a,b,...]",
                                   "id or id(key=value,...)"};
  return forms[static_cast<std::size_t>(parameter.type)];
}

/// "s (integer 1..50), nodes (a | b)".
std::string accepted_names(const std::vector<Parameter>& parameters) {
  std::string out;
  for (const Parameter& parameter : parameters)
    out += (out.empty() ? "" : ", ") + parameter.name + " (" + accepted_by(parameter) + ")";
  return out.empty() ? "no arguments" : out;
}

/// With zeros in front it is more likely a slip than a number.
bool is_integer(const CallValue& value) {
  const auto digit = [&](std::size_t i) {
    return i < value.text.size() && value.text[i] >= '0' && value.text[i] <= '9';
  };
  return value.kind == Kind::expression && value.expression.is_rational() &&
         mp::denominator(value.expression.as_rational()) == 1 &&
         !(digit(0) && digit(1) && value.text[0] == '0');
}

/// What is wrong with the kind of `value`, or nothing.
std::string type_error(Type type, const CallValue& value) {
  const bool word = value.kind == Kind::word;
  const std::pair<bool, const char*> checks[] = {
      {is_integer(value), "is not an integer"},
      {value.kind == Kind::expression, "is not a number"},
      {word, "is not a word"},
      {word || value.kind == Kind::list, "is no word or list"},
      {word || value.kind == Kind::call, "is no id or call"}};
  const auto& [good, error] = checks[static_cast<std::size_t>(type)];
  return good ? "" : error;
}

}  // namespace

Arguments::Arguments(const Call& call, const std::vector<Parameter>& parameters)
    : id_(call.id),
      parameters_(parameters),
      values_(parameters.size()),
      has_value_(parameters.size(), false) {
  std::size_t positional = 0;
  for (const CallArgument& argument : call.arguments) {
    std::size_t target = positional;
    if (argument.key.empty()) {
      ++positional;
      if (target >= parameters_.size()) {
        throw BadInput(id_ + ": " + std::to_string(positional) +
                       " arguments are too many; accepted: " + accepted_names(parameters_));
      }
    } else {
      const auto found = std::find_if(parameters_.begin(), parameters_.end(),
                                      [&](const Parameter& p) { return p.name == argument.key; });
      if (found == parameters_.end()) {
        std::vector<std::string> known;
        for (const Parameter& p : parameters_) known.push_back(p.name);
        throw BadInput(id_ + ": unknown argument " + in_quotes(argument.key) +
                       did_you_mean(argument.key, known) +
                       "; accepted: " + accepted_names(parameters_));
      }
      target = static_cast<std::size_t>(found - parameters_.begin());
    }
    if (has_value_[target]) {
      throw BadInput(id_ + ": " + parameters_[target].name +
                     " is given twice; accepted: one value, " + accepted_by(parameters_[target]));
    }
    bind(target, argument.value);
  }
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    const Parameter& parameter = parameters_[i];
    if (has_value_[i]) continue;
    if (!parameter.fallback.empty()) {
      bind(i, parse_call_value(parameter.fallback, id_ + ", default of " + parameter.name));
    } else if (!parameter.optional) {
      throw BadInput(id_ + ": " + parameter.name +
                     " is missing; accepted: " + accepted_by(parameter));
    }
  }
}

void Arguments::bind(std::size_t parameter, const CallValue& value) {
  const std::string error = type_error(parameters_[parameter].type, value);
  if (!error.empty()) refuse(parameters_[parameter].name, printable(value.text) + " " + error);
  values_[parameter] = value;
  has_value_[parameter] = true;
}

std::size_t Arguments::index(const std::string& name) const {
  for (std::size_t i = 0; i < parameters_.size(); ++i)
    if (parameters_[i].name == name) return i;
  throw std::logic_error(id_ + " declares no parameter " + name);
}

void Arguments::refuse(const std::string& name, const std::string& got) const {
  throw BadInput(id_ + ": " + name + " = " + got +
                 ", accepted: " + accepted_by(parameters_[index(name)]));
}

const CallValue& Arguments::value(const std::string& name) const {
  const std::size_t i = index(name);
  if (!has_value_[i]) throw std::logic_error(id_ + ": " + name + " has no value");
  return values_[i];
}

bool Arguments::given(const std::string& name) const { return has_value_[index(name)]; }

long Arguments::integer(const std::string& name, long lo, long hi) const {
  const CallValue& got = value(name);
  if (!is_integer(got)) refuse(name, printable(got.text) + " is not an integer");
  const rational number = got.expression.as_rational();
  if (number < lo || number > hi) refuse(name, printable(got.canonical()) + " is out of range");
  return static_cast<long>(mp::numerator(number));
}

const Expression& Arguments::real(const std::string& name) const {
  const CallValue& got = value(name);
  if (got.kind != Kind::expression) refuse(name, printable(got.text) + " is not a number");
  return got.expression;
}

rational Arguments::real_in(const std::string& name, const rational& lo, const rational& hi) const {
  const Expression& expression = real(name);
  if (!expression.is_rational()) refuse(name, printable(expression.text()) + " is not rational");
  const rational number = expression.as_rational();
  if (number < lo || number > hi) refuse(name, printable(expression.text()) + " is out of range");
  return number;
}

const Call& Arguments::call(const std::string& name) const {
  const CallValue& got = value(name);
  if (!got.call) refuse(name, printable(got.text) + " is no id or call");
  return *got.call;
}

std::string Arguments::word(const std::string& name,
                            const std::vector<std::string>& accepted) const {
  const CallValue& got = value(name);
  if (got.kind == Kind::word &&
      std::find(accepted.begin(), accepted.end(), got.text) != accepted.end())
    return got.text;
  std::string words;
  for (const std::string& word : accepted) words += (words.empty() ? "" : " | ") + word;
  throw BadInput(id_ + ": " + name + " = " + printable(got.text) + ", accepted: " + words);
}

std::string Arguments::canonical() const {
  std::string out;
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    if (!has_value_[i]) continue;
    out += (out.empty() ? "(" : ",") + parameters_[i].name + "=" + values_[i].canonical();
  }
  return out.empty() ? id_ : id_ + out + ")";
}

}  // namespace daemark
