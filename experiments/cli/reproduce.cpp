// daemark reproduce and daemark report
#include "experiments/engine/reproduce.hpp"

#include <memory>

#include "base/program/paths.hpp"
#include "experiments/cli/verb.hpp"

namespace daemark {

VerbAction declare_reproduce(OptionSet& app) {
  auto options = std::make_shared<ReproduceOptions>();
  constexpr unsigned most_jobs = 1024;
  app.add_option("items", options->selection, "PAPER[/ITEM]",
                 "papers and items; everything if none is named");
  app.add_flag("--fresh", options->fresh, "ignore finished cells");
  app.add_flag("--short", options->short_only, "leave the long cells out");
  app.add_flag("--check", options->check,
               "recompute apart and compare with the committed tables (status 1 if one moved)");
  app.add_option("--jobs", options->jobs, "N", "threads, default one a core")->range(1U, most_jobs);
  app.add_option("--time-limit", options->time_limit, "SECONDS",
                 "processor time a cell may take [s]; default 900, long cells 7200")
      ->positive();
  return [options](std::ostream& out, std::ostream& err) {
    options->experiments = source_root() / "experiments";
    options->results = results_root();
    options->progress = true;
    return reproduce(*options, catalogue_services(), out, err);
  };
}

VerbAction declare_report(OptionSet&) {
  return [](std::ostream& out, std::ostream& err) {
    return report(source_root() / "experiments", results_root(), out, err);
  };
}

}  // namespace daemark
