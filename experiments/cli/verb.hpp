// A verb of the command line: one file declares its options and returns what runs it.
#pragma once

#include <functional>
#include <iosfwd>

#include "experiments/cli/options.hpp"

namespace daemark {

/// Returns the exit status; bad input is thrown as BadInput.
using VerbAction = std::function<int(std::ostream& out, std::ostream& err)>;

/// "daemark 0.1.0 (revision 1a2b3c, gcc 12.2)": the version that CITATION.cff names.
std::string version_line();

/// Each adds the options of its verb to `app`; the action is called after parsing.
VerbAction declare_list(OptionSet& app);
VerbAction declare_show(OptionSet& app);
VerbAction declare_run(OptionSet& app);
VerbAction declare_reference(OptionSet& app);
VerbAction declare_converge(OptionSet& app);
VerbAction declare_analyse(OptionSet& app);
VerbAction declare_reproduce(OptionSet& app);
VerbAction declare_verify(OptionSet& app);
VerbAction declare_compare(OptionSet& app);
VerbAction declare_atlas(OptionSet& app);
VerbAction declare_measure(OptionSet& app);
VerbAction declare_export_problem(OptionSet& app);
VerbAction declare_export_tableau(OptionSet& app);
VerbAction declare_score(OptionSet& app);
VerbAction declare_completion(OptionSet& app);
VerbAction declare_report(OptionSet& app);
VerbAction declare_new(OptionSet& app);
VerbAction declare_export(OptionSet& app);
VerbAction declare_lock(OptionSet& app);
VerbAction declare_plan(OptionSet& app);
VerbAction declare_run_shard(OptionSet& app);
VerbAction declare_merge(OptionSet& app);

}  // namespace daemark
