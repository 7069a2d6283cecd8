// What a reproduction makes, put together once: the papers, their items, the cells of each item and
// the keys under which finished cells are kept.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/text/bad_input.hpp"
#include "experiments/engine/run/runner.hpp"
#include "experiments/engine/run/study.hpp"
#include "experiments/engine/write/book.hpp"

namespace daemark {

struct PlannedCell {
  FixedCell cell;
  std::string key;  ///< of the cache
};

struct PlannedItem {
  Book* book = nullptr;
  std::string id;
  std::vector<PlannedCell> cells;      ///< of its rows, then of their second routes
  std::string inputs;                  ///< digest of everything that its files depend on
  std::vector<std::string> long_keys;  ///< of long cells, its own and of items it refers to
  bool written = false;

  const ItemSpec& item() const { return book->item(id); }
  std::string name() const { return book->paper.id + "/" + id; }
  bool is_computed() const;  ///< a result for every cell
  /// And for those of the items that its claims refer to.
  bool is_whole() const;
};

class Plan {
 public:
  /// Reads the papers and items of `selection` ("li2019", "li2019/table1"; empty: all) and those
  /// that their claims refer to, no other file. Throws BadInput for papers and items that do not
  /// exist; a malformed file is a fault of its item or paper. `short_only`: enters the items'
  /// inputs.
  Plan(std::filesystem::path experiments, const std::vector<std::string>& selection,
       const Services& services, bool short_only);

  /// Keeps the items for which `wanted` is true.
  template <class Wanted>
  void keep(Wanted&& wanted) {
    std::erase_if(items, [&](const PlannedItem& item) { return !wanted(item); });
  }

  /// Reads the items of all papers, for the pages that show them all.
  void read_the_rest();

  /// The cells to compute, each once; one that is short in one item and long in another is short.
  std::vector<PlannedCell> cells(bool is_long) const;

  /// Does `work` for PAPER or PAPER/ITEM; what is wrong with it stops nothing else.
  template <class Work>
  void guarded(const std::string& name, Work&& work) {
    if (faults.contains(name)) return;
    try {
      work();
    } catch (const BadInput& fault) {
      faults.emplace(name, fault.what());
    }
  }

  /// What has faults leaves books and items.
  void drop_faulty();

  Books books;
  std::vector<PlannedItem> items;
  Faults faults;

 private:
  std::filesystem::path experiments_;
};

/// By canonical cell, of all items of the books. A cell that is not named keeps all: a study, whose
/// record holds them, and the motion of an animation.
std::map<std::string, std::set<std::string>> series_asked(const Books& books);

}  // namespace daemark
