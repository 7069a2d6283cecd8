#include <algorithm>
#include <stdexcept>

#include "base/input/call.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/near.hpp"
#include "base/text/printable.hpp"

namespace daemark {
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
