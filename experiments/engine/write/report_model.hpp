// The parts of the report that are of no single paper: problems, certificates.
#pragma once

#include <filesystem>
#include <vector>

#include "experiments/engine/write/book.hpp"
#include "experiments/report/report.hpp"

namespace daemark {

/// Every problem of the catalogue, with the animation that an item made of it (`animate`) and the
/// items whose cells integrate it.
std::vector<ReportProblem> report_problems(const Books& books,
                                           const std::filesystem::path& results);

/// What `daemark verify` decided of the catalogue, each method with its certificate.
void add_certificates(ReportModel& model, const std::filesystem::path& results);

/// Adds links to the pages that `daemark compare` wrote under results/compare.
void add_comparisons(ReportModel& model, const std::filesystem::path& results);

}  // namespace daemark
