#include "base/graph/compiled.hpp"

#include <fmt/format.h>

#include <unordered_map>

#include "base/graph/source.hpp"
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

}  // namespace

void watch_codes(std::function<void(const Code&)> watcher) {
  watcher_of_codes() = std::move(watcher);
}

Compiled find_compiled(const Code& code) {
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

std::string c_source(const Code& code, const std::string& name) {
  std::vector<std::string> slots;
  for (int i = 0; i < code.slots; ++i)
    slots.push_back((i < code.first_computed() ? "x[" : "w") + std::to_string(i) +
                    (i < code.first_computed() ? "]" : ""));
  std::string text = fmt::format("void {}(const double *x, double *const *y) {{\n", name);
  for (int i = code.first_computed(); i < code.slots; ++i) text += "  double " + slots[i] + ";\n";
  for (const std::string& statement : statements(code, slots, languages().at("c")))
    text += "  " + statement + "\n";
  for (std::size_t g = 0; g < code.outputs.size(); ++g) {
    if (code.outputs[g].empty()) continue;
    text += fmt::format("  if (y[{}]) {{\n", g);
    for (std::size_t i = 0; i < code.outputs[g].size(); ++i)
      text += fmt::format("    y[{}][{}] = {};\n", g, i, slots[code.outputs[g][i]]);
    text += "  }\n";
  }
  return text + "}\n";
}

}  // namespace daemark::graph
