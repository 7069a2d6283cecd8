// A paper with its items, the results known for them, and what is written for the whole paper.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "experiments/engine/render.hpp"
#include "experiments/judge/judge.hpp"

namespace daemark {

struct Book {
  PaperSpec paper;
  std::vector<ItemSpec> items;
  Results results;                                    ///< of all items
  const ItemSpec& item(const std::string& id) const;  ///< one that was read; else throws BadInput
};

/// Ids of the papers (folders with a paper.json), sorted.
std::vector<std::string> paper_ids(const std::filesystem::path& experiments);

void require_item(const PaperSpec& paper, const std::string& id);  ///< throws BadInput

/// The paper and the items asked for (none named: all), with those their claims refer to; no other
/// file is read. Throws BadInput for papers and items that do not exist, and for malformed ones.
Book read_book(const std::filesystem::path& experiments, const std::string& paper,
               const std::set<std::string>& items = {});

/// Adds the results that stand in the records of the items, apart from those in `but`.
void read_known(Book& book, const std::filesystem::path& results, const std::set<std::string>& but);

/// {paper, what is wrong with it}
using PaperFaults = std::map<std::string, std::string>;

/// Writes results/verdicts.csv and results/index.html for the books; items without any record are
/// left out, and so are papers with faults; those of papers that cannot be judged are added.
/// Returns both names.
std::vector<std::string> write_summary(const std::vector<Book>& books,
                                       const std::filesystem::path& results, PaperFaults& faults);

/// What moved between the committed tables of an item and the fresh ones, as sentences: measured
/// values beyond the digits they claim (values below their floor are bounds), statuses, verdicts.
std::vector<std::string> moved_values(const std::string& item, const std::string& committed_csv,
                                      const std::string& fresh_csv);

/// The same for the verdicts of the claims in the fresh verdicts.csv; claims whose runs were left
/// out are not compared.
std::vector<std::string> moved_claims(const std::string& committed_csv,
                                      const std::string& fresh_csv);

}  // namespace daemark
