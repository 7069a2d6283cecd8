// What a cell can be. A kind is one file, experiments/cells/NAME.cpp with
// `void register_NAME(CellKinds&)`; the build finds it and nothing else is edited.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "experiments/cells/support/cell.hpp"

namespace daemark {

/// A key of a cell in an experiment file that is kept in Cell::more, with the type it must have.
struct CellKey {
  enum class Type { flag, whole, text, texts, object };
  std::string name;
  Type type = Type::text;
  bool second_routes = true;  ///< a second route takes it over from its row
};

/// What a result rests on beside the file of its kind: calls, and sources relative to the root.
struct CellUses {
  std::vector<std::string> problems, methods;  ///< calls; methods with those nested in them
  std::vector<std::string> files;
  std::vector<std::string> unused;  ///< sources that the kind includes and this cell does not use
};

struct CellKind {
  std::string id;    ///< "kind" in an experiment file
  std::string file;  ///< its source relative to the root, which the registry fills in
  std::vector<CellKey> keys;
  /// Throws BadInput for a cell that lacks something or whose numbers are malformed.
  void (*check)(const Cell&) = nullptr;
  /// Everything that decides the result, calls in their canonical spelling.
  nlohmann::json (*identity)(const Cell&) = nullptr;
  std::string (*command)(const Cell&) = nullptr;
  /// Expected work, some microseconds of this decade's processors a unit, to order the work and to
  /// foretell its end. Throws BadInput for what names nothing.
  double (*cost)(const Cell&) = nullptr;
  CellUses (*uses)(const Cell&) = nullptr;
  /// A pair that cannot be run at all is a result with status "refused", one without a reference
  /// with "no_reference"; what names nothing (unknown ids, settings) throws BadInput.
  CellResult (*run)(const Cell&) = nullptr;
  /// Several runs in one: recorded with its series, and its measures count where one of them
  /// failed.
  bool (*is_study)(const Cell&) = [](const Cell&) { return false; };
  bool (*has_series)(const Cell&) = [](const Cell&) { return true; };
  /// Whether a cell of this kind can give the measure, beside what every cell has
  /// (measure_names.hpp).
  bool (*measures)(const Cell&, const std::string& name) = nullptr;
  /// Times [s] of the problem's reference states its result was compared with.
  std::vector<std::string> (*reference_times)(const Cell&) = [](const Cell&) {
    return std::vector<std::string>{};
  };
};

class CellKinds {
 public:
  void add(CellKind kind);  ///< throws std::logic_error on a doubled id or a key of two types
  void from(std::string file) { file_ = std::move(file); }  ///< source of what is added next
  const CellKind& at(const std::string& id) const;  ///< throws BadInput naming the known ids
  std::vector<std::string> ids() const;             ///< sorted
  /// Every key of every kind.
  const std::map<std::string, CellKey>& keys() const { return keys_; }

 private:
  std::string file_;
  std::map<std::string, CellKind> kinds_;
  std::map<std::string, CellKey> keys_;
};

/// All of them, filled on first use.
const CellKinds& cell_kinds();
const CellKind& kind_of(const Cell& cell);

// For the files of kinds.

std::string canonical_call(const std::string& text, const char* where);
/// Quoted where a shell would read it otherwise.
std::string shell_word(const std::string& text);
/// Throws BadInput that says which key is missing.
void need(bool there, const char* key);
/// Throws BadInput unless every step divides the end.
void check_divides(const std::vector<std::string>& steps, const std::string& end);

}  // namespace daemark
