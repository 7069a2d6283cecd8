// The catalogue of methods: one .cpp per family with `void register_<file stem>(MethodRegistry&)`,
// and one JSON per tableau in methods/tableaus/.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/program/once.hpp"
#include "base/text/call.hpp"
#include "methods/core/stepper.hpp"
#include "methods/core/tableau.hpp"

namespace daemark {

/// A member of a family that exact work derives from its nodes, without a tableau of expressions:
/// gauss, radau_ia, ... with `stages`, or pade_block with r = stages and degrees k, j.
struct ExactFamily {
  std::string family;
  int stages = 0, k = 0, j = 0;
  std::string nodes;  ///< pade_block: a name, or "" with the list
  std::vector<Expression> list;
};

/// A method with its arguments bound: everything else (steppers, coefficients) comes from it.
class Method {
 public:
  virtual ~Method() = default;
  /// Stages solved implicitly per step (cost normalisation n); all stages of explicit methods.
  virtual int cost_stages() const = 0;
  virtual bool is_explicit() const { return false; }
  /// Empty if the method takes a system of that index (0, 1, 2, 3), otherwise why not.
  virtual std::string refusal(int index) const = 0;

  virtual std::unique_ptr<Stepper<double>> stepper(SystemPair<double>, const Settings&) const = 0;
  virtual std::unique_ptr<Stepper<quad>> stepper(SystemPair<quad>, const Settings&) const = 0;
  virtual std::unique_ptr<Stepper<real50>> stepper(SystemPair<real50>, const Settings&) const = 0;
  /// Exact arithmetic, for stability functions; null where the method is not rational.
  virtual std::unique_ptr<Stepper<rational>> stepper(SystemPair<rational>, const Settings&) const {
    return nullptr;
  }

  /// Coefficients, where the method has such a form.
  virtual std::optional<WideTableau> tableau() const { return std::nullopt; }
  virtual std::optional<WideBlock> block() const { return std::nullopt; }
  /// Exact coefficients at the bound arguments, where the family knows them: for `verify`.
  virtual std::optional<ExactTableau> exact_tableau() const { return std::nullopt; }
  virtual std::optional<ExactMultistep> exact_multistep() const { return std::nullopt; }
  virtual std::optional<ExactFamily> exact_family() const { return std::nullopt; }
  /// Fewest steps of a run: multistep formulas need room for their start.
  virtual int least_steps() const { return 1; }
};

struct MethodInfo {
  std::string id, summary;
  std::string kind;  ///< "explicit Runge–Kutta", "block", ...
  std::vector<Parameter> parameters;
  std::vector<std::string> examples;  ///< published members, as calls; empty: the defaults alone
  Claims claims;
  Source source;
  std::string file;                         ///< its source or tableau file: cell keys digest it
  std::optional<ExactTableau> exact;        ///< tableau files
  std::optional<ExactMultistep> multistep;  ///< multistep files
  /// Refuses arguments outside their ranges; given where making the method is costly.
  std::function<void(const Arguments&)> check;
};

class MethodRegistry {
 public:
  using Builder = std::function<std::shared_ptr<const Method>(const Arguments&)>;
  void add(MethodInfo info, Builder build);  ///< throws BadInput on a doubled id
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
  std::map<std::string, Entry> entries_;
  std::shared_ptr<OncePerKey<std::shared_ptr<const Method>>> made_ =
      std::make_shared<OncePerKey<std::shared_ptr<const Method>>>();  ///< by canonical call
};

/// The catalogue, filled on first use; not const because `--tableau` adds to it.
MethodRegistry& method_registry();

}  // namespace daemark
