// One object of a mechanism file (a body, a joint, …), read with its place in the file: numbers are
// formulas, bodies are named.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "base/numbers/expression.hpp"
#include "problems/files/file_formula.hpp"

namespace daemark {

/// What names of a file stand for while it is read.
struct FileNames {
  std::map<std::string, wide> numbers;  ///< data and definitions
  std::map<std::string, int> bodies;    ///< with "ground"
  /// Names that formulas met; of all copies.
  std::shared_ptr<std::set<std::string>> used = std::make_shared<std::set<std::string>>();
};

class FileEntry {
 public:
  /// Throws BadInput unless it is an object with every required key and none beyond both lists.
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
  int body(const char* key) const;
  std::array<int, 2> bodies() const;  ///< under "bodies"
  /// An object within this one.
  FileEntry part(const char* key, const std::vector<std::string>& required,
                 const std::vector<std::string>& optional = {}) const;
  FileFormula formula(const char* key, const FileFormula::Scope& scope) const;
  /// Of a value within this object; `place` leads to it.
  FileFormula formula(const nlohmann::json& value, const std::string& place,
                      const FileFormula::Scope& scope) const;
  MotionLaw law(const char* key) const;  ///< of the time t

 private:
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

}  // namespace daemark
