#include "base/graph/compiled.hpp"

#include <fmt/format.h>

#include <unordered_map>

#include "base/program/digest.hpp"

// The generated table: in programs, not in the one that writes it.
extern "C" __attribute__((weak)) const daemark::graph::CompiledEntry daemark_compiled[];
extern "C" __attribute__((weak)) const int daemark_compiled_count;

namespace daemark::graph {
namespace {

std::function<void(const Code&)>& watcher_of_codes() {
  static std::function<void(const Code&)> watcher;
  return watcher;
}

std::function<Compiled(const Code&)>& compiler_of_codes() {
  static std::function<Compiled(const Code&)> compiler;
  return compiler;
}

}  // namespace

void watch_codes(std::function<void(const Code&)> watcher) {
  watcher_of_codes() = std::move(watcher);
}

void set_compiler(std::function<Compiled(const Code&)> compiler) {
  compiler_of_codes() = std::move(compiler);
}

Compiled find_compiled(const Code& code) {
  if (code.compiled || code.list.empty() || code.list.size() > most_compiled_instructions)
    return code.compiled;
  const auto& compiler = compiler_of_codes();
  return compiler ? compiler(code) : nullptr;
}

Compiled built_in(const Code& code) {
  if (const auto& watcher = watcher_of_codes()) watcher(code);
  if (&daemark_compiled_count == nullptr) return nullptr;
  static const std::unordered_map<std::string, Compiled> known = [] {
    std::unordered_map<std::string, Compiled> all;
    for (int i = 0; i < daemark_compiled_count; ++i)
      all.emplace(daemark_compiled[i].digest, daemark_compiled[i].function);
    return all;
  }();
  const auto found = known.find(digest(structure(code)));
  return found == known.end() ? nullptr : found->second;
}

std::string structure(const Code& code) {
  std::string text = fmt::format("{} {} {};", code.inputs, code.constants.size(), code.slots);
  for (const Instruction& i : code.list)
    text += fmt::format("{} {} {} {} {};", static_cast<int>(i.op), i.to, i.a, i.b, i.c);
  for (const auto& group : code.outputs) {
    for (const int slot : group) text += fmt::format("{} ", slot);
    text += ';';
  }
  return text;
}

}  // namespace daemark::graph
