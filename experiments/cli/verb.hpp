// A verb of the command line: one file declares its options and returns what runs it.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <iosfwd>

namespace daemark {

/// Returns the exit status; bad input is thrown as BadInput.
using VerbAction = std::function<int(std::ostream& out, std::ostream& err)>;

/// Each adds the options of its verb to `app`; the action is called after parsing.
VerbAction declare_list(CLI::App& app);
VerbAction declare_show(CLI::App& app);
VerbAction declare_run(CLI::App& app);
VerbAction declare_reference(CLI::App& app);
VerbAction declare_converge(CLI::App& app);
VerbAction declare_analyse(CLI::App& app);
VerbAction declare_reproduce(CLI::App& app);
VerbAction declare_verify(CLI::App& app);
VerbAction declare_compare(CLI::App& app);
VerbAction declare_report(CLI::App& app);

}  // namespace daemark
