#include "experiments/cli/reference_published.hpp"

#include <fmt/format.h>

#include "base/program/paths.hpp"
#include "base/program/write_file.hpp"
#include "experiments/cli/common_options.hpp"
#include "experiments/cli/report.hpp"
#include "experiments/field/published.hpp"
#include "experiments/terminal/progress_line.hpp"

namespace daemark {
namespace {

Report report_of(const std::vector<PublishedReference>& all) {
  ReportRows rows({{"name", "reference"},
                   {"problem", "-"},
                   {"t", "t"},
                   {"digits", "printed"},
                   {"right", "right"},
                   {"first", "fails first"},
                   {"wrong", "wrong"},
                   {"open", "open"},
                   {"values", "of"},
                   {"by", "-"}});
  for (const PublishedReference& reference : all)
    rows.add({reference.name, reference.problem, reference.t, reference.printed_digits(),
              reference.worst().right,
              reference.worst().verdict == PrintedVerdict::wrong ? reference.worst().name : "",
              reference.count(PrintedVerdict::wrong), reference.count(PrintedVerdict::open),
              reference.values.size(), reference.decided_by});
  return Report().array(rows);
}

}  // namespace

int judge_published_references(bool as_json, std::ostream& out, std::ostream& err) {
  require_writable(results_root());
  std::vector<PublishedReference> all =
      read_published(source_root() / "experiments" / "field" / "references.json");
  {
    const ProgressLine progress(err, "published references");
    judge_published(all);
  }
  {
    const FileLock lock = lock_results(results_root(), "daemark reference", err);
    write_published(all, results_root() / "references");
  }
  report_of(all).print(as_json, out);
  return 0;
}

}  // namespace daemark
