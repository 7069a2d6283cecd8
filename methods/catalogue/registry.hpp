// The catalogue of methods: one .cpp per family with `void register_<file stem>(MethodRegistry&)`,
// and one JSON per tableau in methods/tableaus/.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/input/call.hpp"
#include "base/program/once.hpp"
#include "methods/core/method.hpp"

namespace daemark {

struct MethodInfo {
  std::string id, summary;
  std::string kind;  ///< "explicit Runge–Kutta", "block", ...
  std::vector<Parameter> parameters;
  std::vector<std::string> examples;  ///< published members, as calls; empty: the defaults alone
  Claims claims;
  Source source;
  /// Its source relative to the root, which the registry fills in, or its tableau file: cell keys
  /// digest it.
  std::string file;
  std::optional<ExactTableau> exact;        ///< tableau files
  std::optional<ExactMultistep> multistep;  ///< multistep files
  /// Refuses arguments outside their ranges; given where making the method is costly.
  std::function<void(const Arguments&)> check;
};

class MethodRegistry {
 public:
  using Builder = std::function<std::shared_ptr<const Method>(const Arguments&)>;
  void add(MethodInfo info, Builder build);                 ///< throws BadInput on a doubled id
  void from(std::string file) { file_ = std::move(file); }  ///< source of what is added next
  /// A Runge–Kutta tableau from a file.
  void add_tableau(const ExactTableau& tableau, const std::string& file);
  /// A multistep formula from a file; it starts with the trapezoidal rule and lms(m, 0) in turn.
  void add_multistep(const ExactMultistep& formula, const std::string& file);

  const MethodInfo& info(const std::string& id) const;  ///< throws BadInput naming what is near
  Arguments bind(const std::string& call) const;
  /// Made once and kept: the same object for the same call.
  std::shared_ptr<const Method> make(const std::string& call) const;
  /// Throws what `make` would throw, cheaply where the method says how.
  void check(const std::string& call) const;
  std::vector<std::string> ids() const;  ///< sorted
  /// Every method as calls: examples, or the id where its parameters have defaults.
  std::vector<std::string> examples() const;
  bool has(const std::string& id) const { return entries_.count(id) > 0; }

 private:
  struct Entry {
    MethodInfo info;
    Builder build;
  };
  std::string file_;
  std::map<std::string, Entry> entries_;
  std::shared_ptr<OncePerKey<std::shared_ptr<const Method>>> made_ =
      std::make_shared<OncePerKey<std::shared_ptr<const Method>>>();  ///< by canonical call
};

/// The catalogue, filled on first use; not const because `--tableau` adds to it.
MethodRegistry& method_registry();

}  // namespace daemark
