// C functions of codes in double. They do the operations of the interpreter in its order, so that
// both give the same digits. The program holds those of the catalogue
// (scripts/cmake/compiled.cmake); others can be compiled while it runs (compiler.hpp).
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "base/graph/code.hpp"

namespace daemark::graph {

/// Longer codes gain little and take a compiler minutes.
inline constexpr std::size_t most_compiled_instructions = 20000;

/// Interpreted of a code before it is compiled, or opened: some 5 ms, where a compiler takes 30 ms
/// and another 0.1 ms an instruction. So short runs, and what is evaluated at the start alone, do
/// not wait.
inline constexpr std::size_t instructions_before_compiling = 2000000;

/// The function that the program holds; null: none.
Compiled built_in(const Code& code);

/// The function of a code that will be evaluated again and again: built in, or made by what
/// set_compiler() was given. Null: the interpreter serves.
Compiled find_compiled(const Code& code);

/// Called for codes without a built-in function, by any thread; {}: nothing is compiled.
void set_compiler(std::function<Compiled(const Code&)> compiler);

/// A text that two codes share if they differ in the values of their constants alone.
std::string structure(const Code& code);

/// For the program that writes the functions: called with every code that built_in() is asked for.
void watch_codes(std::function<void(const Code&)> watcher);

}  // namespace daemark::graph
