// What mechanism files of every kind have: data, choices of words, definitions. Internal.
#pragma once

#include <fmt/format.h>

#include "base/input/strict_json.hpp"
#include "base/text/bad_input.hpp"
#include "problems/files/file_entry.hpp"
#include "problems/system/registry.hpp"

namespace daemark {

/// A file as it was read: what is changed later is another mechanism.
struct MechanismFile {
  nlohmann::json content;
  std::string where;
  bool of_catalogue = false;  ///< then only data that say so are parameters of the call
};

/// What an action refuses without naming the place `where` is given it.
template <class Action>
void at_place(const std::string& where, const Action& action) {
  try {
    action();
  } catch (const BadInput& refusal) {
    const std::string what = refusal.what();
    throw BadInput(what.starts_with(where) ? what : where + ": " + what);
  }
}

/// action(entry, its place) for each of a list, if there is one.
template <class Action>
void for_each_entry(const nlohmann::json& file, const char* key, const std::string& where,
                    const Action& action) {
  if (!file.contains(key)) return;
  int number = 0;
  for (const nlohmann::json& entry : get_array(file, key, where)) {
    const std::string place = fmt::format("{}: {}[{}]", where, key, ++number);
    at_place(place, [&] { action(entry, place); });
  }
}

/// The whole file, of a kind that has these keys besides those of every kind.
FileEntry whole_file(const nlohmann::json& file, const std::string& where, const FileNames& names,
                     std::vector<std::string> required, std::vector<std::string> optional);

/// Of the call; checks the names of data and choices.
std::vector<Parameter> parameters_of(const MechanismFile& file);

/// Data and choices, as the file or the call states them.
void read_data(const MechanismFile& file, const Arguments& arguments, ProblemData& data,
               FileNames& names);

/// Definitions that are numbers.
void read_definitions(const nlohmann::json& file, const std::string& where, FileNames& names);

/// "L1, L2": the names that formulas say, of one datum.
std::vector<std::string> symbols_of(const std::string& name);

/// The unit of an entry; throws BadInput where it is empty.
std::string unit_of(const FileEntry& entry);

}  // namespace daemark
