// Files of kind planar and spatial: lists of parts as a schema declares them, and outputs.
// Internal.
#pragma once

#include <fmt/ranges.h>

#include <sstream>

#include "base/text/near.hpp"
#include "base/text/printable.hpp"
#include "problems/builder/friction.hpp"
#include "problems/files/file_entry.hpp"

namespace daemark {

/// A kind of part: its fields, and the call of the builder. Fields as "points[m] stiffness[N/m];
/// stiff" with their units, first those it must have, behind the semicolon those it may have. Where
/// it may have "stiff": true, its forces join MechanicalSystem::stiff_part().
template <class Mechanism>
struct PartKind {
  const char *type, *fields;
  void (*add)(const FileEntry&, Mechanism&, FileNames&);
};

inline FrictionLaw friction_of(const FileEntry& e) {
  if (e.has("static") != e.has("stribeck"))
    throw BadInput("static and stribeck, both or neither, are accepted");
  return {e.number("coulomb"), e.number("smoothing"), e.number("static", -1),
          e.number("stribeck", 0), e.number("viscous", 0)};
}

/// The fields on one side of the semicolon.
inline std::vector<std::string> field_names(const std::string& fields, bool optional) {
  const std::size_t end = fields.find(';');
  std::istringstream side(optional ? (end == fields.npos ? "" : fields.substr(end + 1))
                                   : fields.substr(0, end));
  std::vector<std::string> names;
  for (std::string field; side >> field;) names.push_back(field);
  return names;
}

template <class Mechanism, std::size_t count>
void add_parts(const nlohmann::json& file, const std::string& where, FileNames& names,
               const PartKind<Mechanism> (&kinds)[count], Mechanism& mechanism) {
  for_each_entry(file, "elements", where,
                 [&](const nlohmann::json& entry, const std::string& place) {
                   const std::string type = get_string(entry, "type", place);
                   std::vector<std::string> types;
                   for (const auto& kind : kinds) {
                     types.emplace_back(kind.type);
                     if (type != kind.type) continue;
                     std::vector<std::string> required = field_names(kind.fields, false);
                     required.emplace_back("type");
                     kind.add(FileEntry(entry, place + " (" + type + ")", names, required,
                                        field_names(kind.fields, true)),
                              mechanism, names);
                     if (entry.contains("stiff") && get_bool(entry, "stiff", place))
                       mechanism.stiff();
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
        const std::string id = output.text("id"), unit = unit_of(output);
        check_name(id, place, {});
        mechanism.output(
            id, output.text("meaning"), unit,
            law_of(output.formula("value", {names.numbers, variables, names.used.get()})));
      });
}

/// What mechanisms of files have in common, behind their parts and outputs.
template <class Mechanism>
void finish_parts(const nlohmann::json& file, const std::string& where, const FileNames& names,
                  Mechanism& mechanism) {
  std::vector<std::string> unused;
  for_each_unused(file, where, names, [&](const std::string& name) { unused.push_back(name); });
  if (!unused.empty())
    mechanism.remark(fmt::format("unused: {} (no formula of the file uses {})",
                                 fmt::join(unused, ", "), unused.size() == 1 ? "it" : "them"));
  mechanism.leave_out_dependent();
}

}  // namespace daemark
