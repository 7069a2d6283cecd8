// `daemark reproduce --check`: every committed file of an item against what the program makes now,
// as far as the file claims digits (analysis/decisions/0015-files-under-results.md).
#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

#include "experiments/engine/plan/plan.hpp"

namespace daemark {

/// Of which results: all of ours, with the pages of the report; some of them; or those of another
/// machine, whose reference states are not in our store.
enum class CheckOf { all, some, others };

/// Compares the items in `results` with the fresh ones in `fresh` and with what their own records
/// give; a line for each difference on `out`. Returns 1 if there is any.
int check_results(const std::vector<PlannedItem>& targets, const std::filesystem::path& results,
                  const std::filesystem::path& fresh, CheckOf what, std::ostream& out);

/// What moved between two outcomes of an item, as sentences: measured values beyond the digits they
/// claim (values below their floor are bounds), statuses, verdicts of numbers and of claims, truths
/// of conditions. What was left out of `fresh` is not compared.
std::vector<std::string> moved_outcome(const ItemOutcome& committed, const ItemOutcome& fresh);

/// The same for the points of a figure: by more than can be seen in their panel.
std::vector<std::string> moved_points(const ItemSpec& item, const std::string& committed_csv,
                                      const std::string& fresh_csv);

/// The same for the records of a cell: beyond five digits, below round-off not at all.
std::vector<std::string> moved_record(const Cell& cell, const CellResult& committed,
                                      const CellResult& fresh);

/// Two drawings of the same data: coordinates further apart than a pixel, other words.
bool same_drawing(const std::string& committed_svg, const std::string& fresh_svg);

}  // namespace daemark
