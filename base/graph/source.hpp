// Codes as source text of other languages. One generator; what a language writes in a way of its
// own is data (languages()).
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/graph/code.hpp"

namespace daemark::graph {

/// A value in 130 digits, and by how much that of double differs from it at most.
struct Rounded {
  wide value;
  double error = 0;
};

/// The outputs of all groups in one list, at inputs that are doubles. Each operation adds the
/// rounding of its result to what its arguments' errors make of it; elementary functions may be off
/// by 4 units in the last place. The code has a slot for each node (compile() without reuse).
/// Errors are infinite or NaN where they reach the edge of a function's domain.
std::vector<Rounded> rounded_values(const Code& code, const std::vector<double>& inputs);

/// Spellings for a number, a list and a matrix. Holes: {name}, {rows}, {columns}; of an element {i}
/// and {j}.
struct ByShape {
  std::string scalar, vector, matrix;
};

struct Language {
  std::map<Op, std::string> operations;  ///< of {a}, {b}, {c}, where not `a + b`, `sin(a)`
  std::string comment, number;           ///< {text}
  int first = 0;                         ///< index of the first element
  std::string indent;
  int depth = 0;  ///< of functions
  std::string assign = "{to} = {value}";
  std::string locals;                 ///< their declaration, {names}; empty: none is needed
  ByShape element;                    ///< also where it is assigned to
  ByShape argument, declaration;      ///< in the head of a function, and below it
  ByShape result_argument;            ///< empty: the result is returned
  ByShape result;                     ///< its declaration or creation, all zero
  std::string open, close;            ///< of a function; {name}, {arguments}
  std::string begin, self_test, end;  ///< before the functions, around the test's statements
  ByShape variable;                   ///< of the test
  std::string call, done;             ///< {name}, {arguments}, {result}; what closes it
  ByShape call_result;                ///< the declaration of what a call writes
  std::string check;                  ///< {name}, {value}, {expected}, {bound}
};

/// By the name of the format: "c", "fortran", "julia", "python".
const std::map<std::string, Language>& languages();

/// Consecutive inputs of a code under a name; size 0: a single one, no list.
struct Argument {
  std::string name;
  int first = 0, size = 0;
};

/// A function of some of the inputs. Its value is a list, or a matrix where there are columns.
struct SourceFunction {
  std::string name, meaning;
  std::vector<Argument> arguments;
  int rows = 0, columns = 0;
  std::vector<std::pair<int, int>> places;  ///< of the code's outputs; elsewhere it is zero
  Code code;                                ///< one group, a slot for each node
};

/// One assignment for each operation, in the order of the code; `slots` names all slots.
std::vector<std::string> statements(const Code& code, const std::vector<std::string>& slots,
                                    const Language& language);

/// C text of a function of type Compiled, without `static`.
std::string c_source(const Code& code, const std::string& name);

std::string comment_lines(const std::string& text, const Language& language);
/// With its meaning as a comment. Throws std::logic_error where the code reads an input that is no
/// argument.
std::string function_source(const SourceFunction& function, const Language& language);

/// Where functions are checked: the inputs, and for each function its values.
struct TestPoint {
  std::vector<double> inputs;
  std::vector<std::vector<Rounded>> values;
};
/// The values there; empty where one of them or its error is not finite.
TestPoint test_point(const std::vector<SourceFunction>& functions,
                     const std::vector<double>& inputs);

/// A main program that evaluates the functions at the points and fails where a value differs by
/// more than the error of double.
std::string self_test(const std::vector<SourceFunction>& functions,
                      const std::vector<TestPoint>& points, const Language& language);

}  // namespace daemark::graph
