// C functions of codes in double, compiled with the program (scripts/cmake/compiled.cmake). They do
// the operations of the interpreter in its order, so that both give the same digits.
#pragma once

#include <functional>
#include <string>

#include "base/graph/code.hpp"

namespace daemark::graph {

/// The function of a code; null where none was compiled.
Compiled find_compiled(const Code& code);

/// A text that two codes share if they differ in the values of their constants alone.
std::string structure(const Code& code);

/// C text of a function of type Compiled, without `static`.
std::string c_source(const Code& code, const std::string& name);

/// For the program that writes the functions: called with every code that find_compiled() is asked
/// for.
void watch_codes(std::function<void(const Code&)> watcher);

}  // namespace daemark::graph
