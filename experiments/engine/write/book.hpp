// A paper with its items, the results known for them, and what is written for the whole paper.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "experiments/engine/write/render.hpp"
#include "experiments/judge/judge.hpp"
#include "experiments/report/report.hpp"

namespace daemark {

struct Book {
  PaperSpec paper;
  std::vector<ItemSpec> items;
  Results results;  ///< of all items
  /// PAPER/ITEM: rows of the catalogue that its records do not have yet.
  std::map<std::string, std::string> not_computed;
  const ItemSpec& item(const std::string& id) const;  ///< one that was read; else throws BadInput

  Judge judge() const { return {items, results}; }
  /// The verdicts of an item by these results: made on first use, until forget().
  const ItemOutcome& outcome(const ItemSpec& item) const;
  void forget() const { outcomes_.clear(); }  ///< after a change of the results

 private:
  mutable std::map<std::string, ItemOutcome> outcomes_;
};

using Books = std::map<std::string, Book>;  ///< by id of the paper

/// Ids of the papers (folders with a paper.json), sorted.
std::vector<std::string> paper_ids(const std::filesystem::path& experiments);

/// " (did you mean 'li2019'? ...)" for the id of one of its editions, else empty.
std::string edition_hint(const std::filesystem::path& experiments, const std::string& typed);

void require_item(const PaperSpec& paper, const std::string& id);  ///< throws BadInput

/// Papers and items of "li2019" and "li2019/table1"; no items: all of the paper; no selection: all
/// papers. Throws BadInput for papers that do not exist.
std::map<std::string, std::set<std::string>> asked_for(const std::vector<std::string>& selection,
                                                       const std::filesystem::path& experiments);

/// What the records of items do not have yet, and what computes it.
std::vector<std::string> not_computed_lines(const Book& book);

/// By PAPER or PAPER/ITEM what is wrong with it, which leaves it out and nothing else.
using Faults = std::map<std::string, std::string>;

/// The paper and the items asked for (none named: all), with those their claims refer to. No other
/// file is read, and none of the items in `known`, which were read before. Throws BadInput for
/// papers and items that do not exist, and for malformed ones; with `faults`, malformed items are
/// left out as drop_faulty() does.
Book read_book(const std::filesystem::path& experiments, const std::string& paper,
               const std::set<std::string>& items = {}, Book known = {}, Faults* faults = nullptr);

/// Takes the items with a fault out of the book, and those that refer to one that is not in it,
/// which is a fault of theirs.
void drop_faulty(Book& book, Faults& faults);

/// A line for each, which names it.
std::vector<std::string> fault_lines(const Faults& faults);

/// By PAPER/ITEM what is wrong with its records: file, line, what.
using Damage = std::map<std::string, std::vector<std::string>>;

/// Adds the results in the records of the items and what they do not have yet, except for items in
/// `but` and items never made. Returns what is damaged or does not fit its item.
Damage read_known(Book& book, const std::filesystem::path& results,
                  const std::set<std::string>& but);

/// Whether the item cannot be judged: its records, or those of an item its claims refer to.
bool is_damaged(const ItemSpec& item, const Damage& damage);

/// Lines for `err`: what is damaged, then what mends it.
std::vector<std::string> damage_lines(const Damage& damage);

/// Writes results/verdicts.csv and the pages of the report for the books, without items never made.
/// What has faults, damaged items and items whose claims refer to damaged ones do not appear on
/// the pages and keep their lines of verdicts.csv; faults of papers that cannot be judged are added
/// to `faults`. Returns the paths. `into`: the folder to write to, if not `results`.
std::vector<std::string> write_summary(const Books& books, const std::filesystem::path& results,
                                       Faults& faults, const Damage& damage = {},
                                       const std::filesystem::path& into = {});

}  // namespace daemark
