// Calls as written on the command line and in experiments: `pade_block(r=4,k=2,nodes=[1/4,1/2,1])`,
// `gauss(3)`, `tangent_space(erk4)`, `baumgarte(alpha=1/h,beta=sqrt(2)/h)`, plain `erk4`.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/numbers/expression.hpp"
#include "base/text/bad_input.hpp"

namespace daemark {

struct Call;

/// One argument value: an expression, a list of expressions, a word, or a nested call.
struct CallValue {
  enum class Kind { expression, list, word, call };
  Kind kind = Kind::expression;
  std::string text;  ///< as written
  Expression expression;
  std::vector<Expression> list;
  /// call: the nested call. A word (rk4, rk4:tight) or a path (./mine) is kept in `text`; as it may
  /// also name a method id, `call` then holds that id without arguments.
  std::shared_ptr<Call> call;
  /// Text without spaces, rational expressions in lowest terms (0.6 becomes 3/5).
  std::string canonical() const;
};

struct CallArgument {
  std::string key;  ///< empty: positional
  CallValue value;
};

struct Call {
  std::string id;
  std::vector<CallArgument> arguments;
  /// Canonical text, as a user would type it: id(key=value,...), `id` when there are none.
  std::string text() const;
};

/// Throws BadInput on anything that is not such a call (duplicate keys, unbalanced brackets, a
/// positional argument after a keyed one, empty text). `h` is allowed as a variable in expressions.
Call parse_call(std::string_view text, std::string_view where);

/// One value, as after `key=` in a call: `1/4`, `[1/4,1/2]`, `radau`, `gauss(3)`.
CallValue parse_call_value(std::string_view text, std::string_view where);

/// A parameter that a method, problem or formulation accepts; one list serves binding, `show` and
/// messages.
struct Parameter {
  enum class Type { integer, real, word, nodes, call };
  std::string name;
  Type type = Type::real;
  std::string fallback;   ///< default as text; "" = required, unless `optional`
  std::string accepted;   ///< for messages and `show`: "integer 2..20", "real in [0, 1]", "a | b"
  bool optional = false;  ///< may have no value; then given() is false
};

/// Positional arguments take the parameters' order, missing ones their default. Throws BadInput for
/// unknown or doubled names, missing required ones and values of the wrong type.
class Arguments {
 public:
  Arguments() = default;
  Arguments(const Call& call, const std::vector<Parameter>& parameters);

  long integer(const std::string& name, long lo, long hi) const;  ///< refused out of [lo, hi]
  const Expression& real(const std::string& name) const;
  rational real_in(const std::string& name, const rational& lo, const rational& hi) const;
  /// The method or call that a parameter of type call names.
  const Call& call(const std::string& name) const;
  bool given(const std::string& name) const;  ///< has a value, by the user or by default
  const CallValue& value(const std::string& name) const;
  std::string word(const std::string& name, const std::vector<std::string>& accepted) const;

  /// id(name=value,...) with every parameter that has a value, in declared order: the canonical
  /// name that cell keys and records use.
  std::string canonical() const;

 private:
  std::size_t index(const std::string& name) const;  ///< logic_error for undeclared names
  void bind(std::size_t parameter, const CallValue& value);
  [[noreturn]] void refuse(const std::string& name, const std::string& got) const;
  std::string id_;
  std::vector<Parameter> parameters_;
  std::vector<CallValue> values_;
  std::vector<bool> has_value_;
};

}  // namespace daemark
