// `daemark reproduce` and `daemark report`: cells → records → tables, figures, verdicts, the page.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

#include "experiments/cells/services.hpp"
#include "experiments/spec/spec.hpp"

namespace daemark {

struct ReproduceOptions {
  std::filesystem::path experiments;  ///< folder with one folder a paper
  std::filesystem::path results;
  std::vector<std::string> selection;  ///< "li2019", "li2019/table1"; empty: everything
  bool fresh = false;                  ///< ignore finished cells
  bool short_only = false;             ///< leave long cells out
  bool check = false;  ///< recompute apart and compare with what stands in `results`
  unsigned jobs = 0;   ///< 0: all cores
  bool progress = false;
};

/// Exit status: 0 done (failed runs are results); 1 `check` found something moved; 2 interrupted.
/// Throws BadInput for unknown papers and items and for malformed experiments.
int reproduce(const ReproduceOptions& options, const Services& services, std::ostream& out,
              std::ostream& err);

/// results/verdicts.csv and results/index.html from the records that stand there.
int report(const std::filesystem::path& experiments, const std::filesystem::path& results,
           std::ostream& out);

/// Ids of the papers (folders with a paper.json), sorted; their items with titles.
std::vector<std::string> paper_ids(const std::filesystem::path& experiments);
std::vector<ItemSpec> paper_items(const std::filesystem::path& experiments, const PaperSpec& paper);

}  // namespace daemark
