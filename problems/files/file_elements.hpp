// Lists of a mechanism file: bodies, elements, outputs, each entry with its place. Internal.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/input/strict_json.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/near.hpp"
#include "base/text/printable.hpp"
#include "problems/files/file_data.hpp"

namespace daemark {

/// A kind of element: its keys besides "type", and the call of the builder. Where it takes "stiff":
/// true, its forces join MechanicalSystem::stiff_part().
template <class Mechanism>
struct FileElement {
  const char* type;
  std::vector<std::string> required, optional;
  void (*add)(const FileEntry&, Mechanism&, FileNames&);
};

template <class Mechanism>
void add_elements(const nlohmann::json& file, const std::string& where, FileNames& names,
                  const std::vector<FileElement<Mechanism>>& kinds, Mechanism& mechanism) {
  for_each_entry(
      file, "elements", where, [&](const nlohmann::json& entry, const std::string& place) {
        const std::string type = get_string(entry, "type", place);
        std::vector<std::string> types;
        for (const auto& kind : kinds) {
          types.emplace_back(kind.type);
          if (type != kind.type) continue;
          std::vector<std::string> required = kind.required;
          required.emplace_back("type");
          kind.add(FileEntry(entry, place + " (" + type + ")", names, required, kind.optional),
                   mechanism, names);
          if (entry.contains("stiff") && get_bool(entry, "stiff", place)) mechanism.stiff();
          return;
        }
        throw BadInput(fmt::format("type {}{}; accepted: {}", in_quotes(type),
                                   did_you_mean(type, types), fmt::join(types, ", ")));
      });
}

/// What formulas of outputs may say: t is 0, the states of body b are 1 + b · their count and on.
template <std::size_t count>
std::map<std::string, int> state_variables(const FileNames& names,
                                           const char* const (&state)[count]) {
  std::map<std::string, int> all{{"t", 0}};
  for (const auto& [body, number] : names.bodies)
    for (std::size_t k = 0; k < count && number >= 0; ++k)
      all[body + "." + state[k]] = static_cast<int>(1 + count * number + k);
  return all;
}

/// The outputs of a file as law_of(formula) makes them, where formulas may use `variables`.
template <class Mechanism, class LawOf>
void add_outputs(const nlohmann::json& file, const std::string& where, const FileNames& names,
                 const std::map<std::string, int>& variables, Mechanism& mechanism,
                 const LawOf& law_of) {
  for_each_entry(
      file, "outputs", where, [&](const nlohmann::json& entry, const std::string& place) {
        const FileEntry output(entry, place, names, {"id", "meaning", "unit", "value"}, {});
        const std::string id = output.text("id"), unit = output.text("unit");
        check_name(id, place, {});
        if (unit.empty()) throw BadInput("unit: one is accepted, \"1\" for none");
        mechanism.output(id, output.text("meaning"), unit,
                         law_of(output.formula("value", {names.numbers, variables})));
      });
}

}  // namespace daemark
