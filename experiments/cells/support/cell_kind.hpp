// What a cell can be. A kind is a declaration: the keys it reads, the measures it gives, and a
// function. Its identity, its checks, the status of a refusal and what an experiment may name are
// made from these. A kind is one file, experiments/cells/kinds/NAME.cpp; the build finds it and
// nothing else is edited:
//
//   CellResult count_words(const Cell& cell) {
//     CellResult result;
//     result.measures["words"] = static_cast<double>(cell.texts("words").size());
//     return result;
//   }
//   void register_words_cell(CellKinds& kinds) {
//     CellKind kind;
//     kind.id = "words";
//     kind.keys = {required(key_problem()), required({"words", CellKey::Type::texts})};
//     kind.measures = {{"words", ""}};
//     kind.compute = count_words;
//     kind.commands = [](const Cell& cell) -> Commands {
//       return {"daemark show " + shell_word(cell.problem)};
//     };
//     kind.cost = [](const Cell&) { return 1.0; };
//     kinds.add(std::move(kind));
//   }
#pragma once

#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/numbers/expression.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/shell_word.hpp"
#include "experiments/cells/support/cell.hpp"

namespace daemark {

/// A key of a cell in an experiment file: a member of Cell, or an entry of Cell::more.
struct CellKey {
  enum class Type {
    call,  ///< text, in the identity in its canonical spelling
    text,
    flag,
    whole,  ///< a number from 0 to 10^6
    texts,
    object,
    settings,  ///< Cell::settings
    step,      ///< Cell::h: one step size, in the identity as a text; several as a list
    steps      ///< Cell::h, in the identity always as a list
  };
  /// Where the key belongs to what decides the result.
  enum class Identity { always, where_given, of_one_run };
  enum class Count { any, one, several };  ///< how many texts or step sizes are required

  std::string name;
  Type type = Type::text;
  Identity identity = Identity::always;
  bool required = false;
  Count count = Count::any;
  bool second_routes = true;  ///< a second route takes it over from its row
  /// For objects: the value as the identity has it, with its defaults; null: as given.
  nlohmann::json (*respelled)(const nlohmann::json& value) = nullptr;
};

/// A measure or count that a cell of a kind may give.
struct CellMeasure {
  /// A name in which {a,b} stands for each of a and b, '#' for digits, and '*' for each of `names`.
  std::string pattern;
  std::string unit;  ///< "" for a pure number, "?" where it is another in each problem
  bool (*when)(const Cell&) = nullptr;                       ///< null: always
  std::vector<std::string> (*names)(const Cell&) = nullptr;  ///< what '*' stands for
};

/// What a result rests on beside the file of its kind.
struct CellUses {
  std::vector<std::string> problems, methods;  ///< calls; methods with those nested in them
  std::vector<std::string> files;              ///< relative to the root of the sources
};

/// A source that the file of a kind includes and that does not matter to some of its cells.
struct UnusedSource {
  std::string path;  ///< relative to the root; std::logic_error where there is none
  bool (*when)(const Cell&);
};

using Commands = std::vector<std::string>;

/// The declaration of a kind, and what follows from it.
class CellKind {
 public:
  std::string id;    ///< "kind" in an experiment file
  std::string file;  ///< its source relative to the root, which the registry fills in
  std::vector<CellKey> keys;
  std::vector<CellMeasure> measures;
  CellResult (*compute)(const Cell&) = nullptr;
  /// The commands that a user runs to see what the cell saw.
  Commands (*commands)(const Cell&) = nullptr;
  /// Expected work, in units of some microseconds of one of this decade's processors, to order the
  /// work and to foretell its end. Throws BadInput for unknown problems and methods.
  double (*cost)(const Cell&) = nullptr;

  /// Whether a problem, formulation and method that exist but cannot be run together are a result,
  /// of status "refused", and not bad input.
  bool refusable = false;
  bool keeps_series = true;   ///< what a cell without the key history_every gives
  bool always_study = false;  ///< else it is one where it has several step sizes
  /// Throws BadInput for what the declared keys do not say; null: they say all.
  void (*check_more)(const Cell&) = nullptr;
  /// Adds what a result rests on beside the problem and the method of the cell; null: nothing.
  void (*uses_more)(const Cell&, CellUses&) = nullptr;
  std::vector<UnusedSource> unused;
  /// Times [s] of the problem's reference states its result was compared with.
  std::vector<std::string> (*reference_times)(const Cell&) = [](const Cell&) {
    return std::vector<std::string>{};
  };

  const CellKey* key(const std::string& name) const;  ///< null where it is not declared
  /// Throws BadInput for a cell that lacks something or whose values are malformed, except for
  /// malformed calls, which identity() refuses.
  void check(const Cell& cell) const;
  /// Everything that decides the result, calls in their canonical spelling.
  nlohmann::json identity(const Cell& cell) const;
  CellUses uses(const Cell& cell) const;
  /// A pair that cannot be run is a result with status "refused", one without a reference with
  /// "no_reference"; names that exist nowhere (ids, settings) throw BadInput, measures that are not
  /// declared std::logic_error.
  CellResult run(const Cell& cell) const;
  /// Several runs in one: recorded with its series, and its measures count where a run failed.
  bool is_study(const Cell& cell) const;
  bool has_series(const Cell& cell) const;
};

class CellKinds {
 public:
  /// Throws std::logic_error for an id that is there, a key of two types, an incomplete kind.
  void add(CellKind kind);
  void from(std::string file) { file_ = std::move(file); }  ///< source of what is added next
  const CellKind& at(const std::string& id) const;  ///< throws BadInput naming the known ids
  std::vector<std::string> ids() const;             ///< sorted
  /// Every key that is kept in Cell::more, of every kind.
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

/// An unknown name in a cell: bad input even where a kind is refusable.
class UnknownName : public BadInput {
 public:
  using BadInput::BadInput;
};

CellKey key_problem();
CellKey key_method();
/// Those of a run: method, problem, h, formulation, t_end (all required), precision, settings.
std::vector<CellKey> run_keys(CellKey::Type steps = CellKey::Type::steps);
CellKey required(CellKey key, CellKey::Count count = CellKey::Count::any);
/// One list after the other.
template <class T>
std::vector<T> operator+(std::vector<T> list, const std::vector<T>& more) {
  list.insert(list.end(), more.begin(), more.end());
  return list;
}

std::string canonical_call(const std::string& text, const char* where);
/// Throws BadInput unless every step divides the end.
void check_divides(const std::vector<std::string>& steps, const std::string& end);

struct ProblemShape {
  std::string name;                      ///< canonical call
  Expression start{0};                   ///< [s]
  std::vector<std::string> coordinates;  ///< names
  int constraints = 0;
  bool closed_form = false;
  std::vector<std::string> outputs;  ///< ids
};

/// Throws BadInput as ProblemRegistry::make does.
std::shared_ptr<const ProblemShape> problem_shape(const std::string& problem);

}  // namespace daemark
