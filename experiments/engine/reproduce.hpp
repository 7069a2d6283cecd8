// `daemark reproduce` and `daemark report`: cells → records → tables, figures, verdicts, the page.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

#include "experiments/engine/run/study.hpp"
#include "experiments/spec/spec.hpp"

namespace daemark {

struct ReproduceOptions {
  std::filesystem::path experiments;  ///< folder with one folder a paper
  std::filesystem::path results;
  std::vector<std::string> selection;  ///< "li2019", "li2019/table1"; empty: everything
  bool fresh = false;                  ///< ignore finished cells
  bool short_only = false;             ///< leave long cells out
  bool check = false;                  ///< recompute elsewhere and compare with `results`
  std::filesystem::path beside;        ///< of `check`: compare with these, not with `results`
  unsigned jobs = 0;                   ///< 0: all cores
  double time_limit = 0;               ///< of a cell, processor time [s]; 0: that of its cost class
  bool progress = false;
};

/// The short cells of all papers first, then tables, verdicts and the page, then the long cells and
/// what depends on them. Exit status: 0 done (failed runs are results); 1 done but for items that
/// are malformed or name nothing, papers and records likewise, and runs without an outcome (out of
/// time, a library that is missing), each with a line on `err`, or `check` found something moved; 2
/// nothing asked for could be done; 130 or 143 interrupted. Throws BadInput for papers and items
/// that do not exist.
int reproduce(const ReproduceOptions& options, const Services& services, std::ostream& out,
              std::ostream& err);

/// results/verdicts.csv and the pages of the report from the records that stand there. Exit status
/// 2 if an experiment is malformed: its item is left out, with one line on `err`.
int report(const std::filesystem::path& experiments, const std::filesystem::path& results,
           std::ostream& out, std::ostream& err);

}  // namespace daemark
