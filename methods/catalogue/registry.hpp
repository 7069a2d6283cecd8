// The catalogue of methods: one .cpp per family with `void register_<file stem>(MethodRegistry&)`,
// and one JSON file per tableau in methods/tableaus/, read when its method is used. Files in
// methods/tableaus/library/ are run where they are named; nothing enumerates them by default.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/input/call.hpp"
#include "base/program/once.hpp"
#include "methods/catalogue/tableau_file.hpp"
#include "methods/core/method.hpp"

namespace daemark {

struct MethodInfo {
  std::string id, summary;
  std::string kind;  ///< "explicit Runge–Kutta", "block", ...
  std::vector<Parameter> parameters;
  std::vector<std::string> examples;  ///< published members, as calls; empty: the defaults alone
  Claims claims;
  Source source;
  /// Its source relative to the root, which the registry fills in, or its tableau file: the keys of
  /// cells contain the digest of it.
  std::string file;
  bool library = false;  ///< of methods/tableaus/library
  /// Of methods that run what is no part of the catalogue: its digest, for the keys of cells.
  std::function<std::string(const Arguments&)> outside;
  /// Refuses arguments outside their ranges; given where making the method is costly.
  std::function<void(const Arguments&)> check;
};

class MethodRegistry {
 public:
  using Builder = std::function<std::shared_ptr<const Method>(const Arguments&)>;
  void add(MethodInfo info, Builder build);                 ///< throws BadInput on a doubled id
  void from(std::string file) { file_ = std::move(file); }  ///< source of what is added next
  /// What was read from a file: a Runge–Kutta tableau, or a multistep formula (which starts with
  /// the trapezoidal rule and lms(m, 0) in turn).
  void add(const Coefficients& method, const std::string& file);
  /// A file whose name without ".json" is the id of its method. It is read when the method is used:
  /// what is wrong with it is thrown then, an id that is not its name too.
  void add_file(const std::filesystem::path& file, bool library = false);

  /// Throws BadInput for an unknown id, naming what is near, and for a file that cannot be read.
  const MethodInfo& info(const std::string& id) const { return entry(id).info; }
  Arguments bind(const std::string& text) const;
  /// Made once and kept: the same object for the same call.
  std::shared_ptr<const Method> make(const std::string& text) const;
  /// Throws what `make` would throw, cheaply where the method says how.
  void check(const std::string& text) const;
  std::vector<std::string> ids() const;          ///< of the catalogue, sorted
  std::vector<std::string> library_ids() const;  ///< of the library, sorted
  std::vector<std::string> all_ids() const;      ///< of both
  /// Every method of the catalogue as calls: examples, or the id where parameters have defaults.
  std::vector<std::string> examples() const;
  bool has(const std::string& id) const { return entries_.contains(id) || files_.contains(id); }

 private:
  struct Entry {
    MethodInfo info;
    Builder build;
  };
  /// A tableau file that is read when its method is used.
  struct File {
    std::string path;
    bool library;
  };
  static Entry entry_of(const Coefficients& method, const std::string& file);
  std::vector<std::string> file_ids(bool library) const;
  const Entry& entry(const std::string& id) const;
  void refuse_taken(const std::string& id, const std::string& file) const;

  std::string file_;
  std::map<std::string, Entry> entries_;
  std::map<std::string, File> files_;                                                ///< by id
  std::shared_ptr<OncePerKey<Entry>> read_ = std::make_shared<OncePerKey<Entry>>();  ///< by id
  std::shared_ptr<OncePerKey<std::shared_ptr<const Method>>> made_ =
      std::make_shared<OncePerKey<std::shared_ptr<const Method>>>();  ///< by canonical call
};

/// What other programs and books call methods of the catalogue, for "did you mean": names in lower
/// case without '_' and '-', and the calls they may mean (common_names.json).
const std::map<std::string, std::vector<std::string>>& common_names();
/// The calls that are known under a typed name, whatever its case and dashes; else empty.
std::vector<std::string> known_as(const std::string& typed);

/// The catalogue, filled on first use; not const because `--tableau` adds to it.
MethodRegistry& method_registry();

}  // namespace daemark
