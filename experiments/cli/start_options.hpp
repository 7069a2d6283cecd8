// --init and --project, of every verb that integrates.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>

#include "analysis/setup/bound_run.hpp"
#include "experiments/cli/options.hpp"
#include "problems/system/replaced_problem.hpp"

namespace daemark {

struct StartOptions {
  std::string init;
  bool project = false;
};
void add_start_options(OptionSet& app, StartOptions& options);

/// While it lives, the problem of this call begins at the state of --init, if one is given: for
/// runs, references and what is measured. With --project a line on `err` says how far the state
/// moved. Commands that are printed have the options (file_options).
class GivenStart {
 public:
  /// Throws BadInput where the state does not fit the problem.
  GivenStart(const StartOptions& options, const std::string& problem, const char* verb,
             std::ostream& err);
  /// As used: after projection; empty without --init.
  const std::optional<InitialState>& state() const { return state_; }
  /// The same, empty where it is in minimal coordinates and the formulation has others.
  std::optional<InitialState> state_in(const std::string& formulation) const;

 private:
  std::optional<InitialState> state_;
  bool minimal_ = false;  ///< it has minimal coordinates
  std::optional<ReplacedProblem> replaced_;
};

}  // namespace daemark
