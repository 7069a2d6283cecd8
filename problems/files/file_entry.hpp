// Objects of a mechanism file (a body, a joint, …), read with their places in the file: numbers are
// formulas, bodies are named; and what files of every kind have: data, choices of words,
// definitions. Internal.
#pragma once

#include <fmt/format.h>

#include <array>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/input/strict_json.hpp"
#include "base/text/bad_input.hpp"
#include "problems/files/file_formula.hpp"
#include "problems/files/units.hpp"
#include "problems/system/registry.hpp"

namespace daemark {

/// What names of a file stand for while it is read.
struct FileNames {
  std::map<std::string, wide> numbers;  ///< data and definitions
  std::map<std::string, Unit> units;    ///< of those
  std::map<std::string, int> bodies;    ///< with "ground"
  /// Names that formulas met; of all copies.
  std::shared_ptr<std::set<std::string>> used = std::make_shared<std::set<std::string>>();
};

class FileEntry {
 public:
  /// Throws BadInput unless it is an object with every required key and none beyond both lists.
  /// A key may say the unit of its numbers, "mass[kg]", or those it may have, "stiffness[N,N m]":
  /// formulas in others are refused.
  /// `where`: the file and what leads to it, "my.json: bodies[2]".
  FileEntry(const nlohmann::json& object, std::string where, const FileNames& names,
            const std::vector<std::string>& required, const std::vector<std::string>& optional);

  bool has(const char* key) const { return object_.contains(key); }
  const std::string& where() const { return where_; }

  // All throw BadInput naming the place for what is not as asked.
  std::string text(const char* key) const;  ///< one line
  std::string word(const char* key,
                   const std::vector<std::string>& accepted) const;  ///< first: default
  long integer(const char* key, long lo, long hi) const;
  wide number(const char* key) const;
  wide number(const char* key, const wide& fallback) const;
  /// So many numbers.
  std::vector<wide> numbers(const char* key, std::size_t count) const;
  std::size_t length(const char* key) const;  ///< of a list
  /// Of several lists under one key, the one counted from 0: "points": [[0, 0], [1, 0]].
  std::vector<wide> numbers_of(const char* key, std::size_t lists, std::size_t which,
                               std::size_t count) const;
  int body(const char* key = "body") const;
  /// Of a list of "crank.theta" or "crank", or of pairs of that and a factor, the one counted from
  /// 0: the body and the coordinate, which may be empty.
  std::pair<int, std::string> state_named(const char* key, std::size_t which) const;
  wide factor_of(const char* key, std::size_t which) const;
  int a() const { return bodies()[0]; }  ///< under "bodies"
  int b() const { return bodies()[1]; }
  /// An object within this one.
  FileEntry part(const char* key, const std::vector<std::string>& required,
                 const std::vector<std::string>& optional = {}) const;
  /// The objects of a list within this one.
  std::vector<FileEntry> parts(const char* key, const std::vector<std::string>& required,
                               const std::vector<std::string>& optional = {}) const;
  FileFormula formula(const char* key, const FileFormula::Scope& scope) const;
  /// Of a value within this object; `place` leads to it.
  FileFormula formula(const nlohmann::json& value, const std::string& place,
                      const FileFormula::Scope& scope) const;
  /// Of the time t, a formula or {"table": [[t, value], ...]}: straight between the points,
  /// constant outside; empty where it is left out.
  MotionLaw law(const char* key) const;

 private:
  MotionLaw table(const char* key) const;
  void check_units(const nlohmann::json& value, const std::string& place,
                   const std::string& accepted) const;
  std::array<int, 2> bodies() const;
  [[noreturn]] void refuse(const std::string& place, const std::string& what) const;
  int body_named(const nlohmann::json& name, const std::string& place) const;
  std::vector<wide> list(const nlohmann::json& values, const std::string& place,
                         std::size_t count) const;
  wide number_from(const nlohmann::json& value, const std::string& place) const;
  std::string formula_text(const nlohmann::json& value, const std::string& place) const;

  const nlohmann::json& object_;
  std::string where_;
  const FileNames& names_;
};

/// A name that formulas can say: a letter, then letters, digits and _, at most 64; not pi, t or a
/// name that is taken. Throws BadInput.
void check_name(const std::string& name, const std::string& where, const FileNames& names);

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

/// action(name) for data, choices and definitions of which no formula used a name.
void for_each_unused(const nlohmann::json& file, const std::string& where, const FileNames& names,
                     const std::function<void(const std::string&)>& action);

/// "L1, L2": the names that formulas say, of one datum.
std::vector<std::string> symbols_of(const std::string& name);

/// The unit of an entry; throws BadInput where it is empty.
std::string unit_of(const FileEntry& entry);

}  // namespace daemark
