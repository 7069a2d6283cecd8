// The command line as a function, so that tests can run it without a process.
#pragma once

#include <iosfwd>

namespace daemark {

/// Runs one `daemark` command. Results go to `out`, progress, warnings and errors to `err`.
/// Returns 0 (done), 1 (numerical failure, unverified claim) or 2 (bad input: one line on `err`).
/// Never throws. A `--tableau` file stays in method_registry() after the call.
int run_cli(int argc, const char* const* argv, std::ostream& out, std::ostream& err);

}  // namespace daemark
