// What several verbs share: options, how their values are read, warnings about settings and
// methods, names and units of what is shown.
#pragma once

#include <iosfwd>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/setup/bound_run.hpp"
#include "experiments/cli/options.hpp"
#include "experiments/cli/report.hpp"
#include "problems/system/replaced_problem.hpp"
#include "problems/system/state_names.hpp"

namespace daemark {

namespace graph {
class CodeCompiler;
}
class SettingReads;
struct Settings;

// --init and --project, of every verb that integrates (motion_options.cpp).

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

/// " --problem-file a.json --tableau b.json --init c.json" as typed in this call, for commands that
/// are printed.
const std::string& file_options();
/// One more, "--init start.json".
void add_file_option(const std::string& words);

/// The options that `run` and `converge` share, as typed.
struct IntegrationOptions {
  std::string problem, formulation, method, h, t_end, precision = "double";
  StartOptions start;
  std::vector<std::string> settings;  ///< KEY=VALUE
  bool compile = false;
};
/// `several`: of formulations, step sizes and end times, and the precision `auto`.
void add_integration_options(OptionSet& app, IntegrationOptions& options, bool several,
                             const char* h_meaning);

/// The same as a request, without the times, of which there may be several. Throws BadInput.
RunRequest request_of(const IntegrationOptions& options);

/// Throws BadInput for entries without '=' and for a key given twice.
std::map<std::string, std::string> read_settings(const std::vector<std::string>& entries);

/// A line on `err` for each setting that is allowed but takes away what a method promises.
void warn_of_settings(const Settings& settings, const std::string& verb, std::ostream& err);
/// The keys of settings that were given and that nothing has read; one warning names them.
std::vector<std::string> ignored_settings(const std::map<std::string, std::string>& given,
                                          const SettingReads& reads, const std::string& verb,
                                          std::ostream& err);

/// Defects of a method, or of the method inside another: row sums that differ from c, weights that
/// do not sum to 1, no zero-stability, a claimed order that the coefficients do not have. Decimals
/// are judged to the accuracy of their digits.
std::vector<std::string> method_defects(const std::string& call);

/// A line for each defect: "daemark VERB: warning: METHOD: ...".
void warn_of_defects(const std::string& verb, const std::vector<std::string>& calls,
                     std::ostream& err);

/// Numbers separated by commas, `[...]` around them allowed. Throws BadInput naming `where`.
std::vector<Expression> read_numbers(const std::string& text, const std::string& where);

/// A time or step of a run, `pi/10` too. Throws BadInput naming `where`.
Expression read_time(const std::string& text, const std::string& where);

/// Calls separated by commas outside parentheses: "index1, baumgarte(alpha=1,beta=1)".
std::vector<std::string> read_calls(const std::string& text);

/// A file or folder of the results as a message names it: "results/atlas", or where DAEMARK_RESULTS
/// says.
std::string shown_result(const std::string& file);

void add_json_flag(OptionSet& app, bool& json);

/// What --problem and --method, or a word in their place, are.
inline constexpr const char* a_problem = "a problem, with arguments where it takes some";
inline constexpr const char* a_method = "a method, with arguments where it takes some";

void add_jobs(OptionSet& app, unsigned& jobs);

void add_compile_flag(OptionSet& app, bool& compile);

/// While it lives, if `wanted`, mechanisms without built-in functions are compiled
/// (base/graph/compiler.hpp); at its end one line on `err` says why they were not. To be made
/// before threads start.
class Compiling {
 public:
  Compiling(bool wanted, const char* verb, std::ostream& err);
  ~Compiling();
  Compiling(const Compiling&) = delete;
  Compiling& operator=(const Compiling&) = delete;

 private:
  std::shared_ptr<graph::CodeCompiler> compiler_;  ///< null: not wanted
  const char* verb_;
  std::ostream& err_;
};

/// "x1 [m]".
std::string with_unit(const std::string& name, const std::string& unit);

/// Of a measure of a run or a score; empty where it is a mixture, as a norm over coordinates.
std::string unit_of_measure(const std::string& measure, const StateNames& names);

/// Of a measure, of all that were taken: where the quadrature of the power of drives and dampers
/// leaves no digit of the energy error, what it is at most.
std::string shown_value(const std::string& measure, double value,
                        const std::map<std::string, double>& all);
/// A line that says so; empty where the energy error is resolved.
std::string work_note(const std::map<std::string, double>& all);

/// The columns of a trajectory file: t, q, v, lambda, the energies and violations, the outputs,
/// each with its unit: "x1 [m]".
std::vector<std::string> column_names(const StateNames& names);

/// A sentence where a double run of steps h (0: not known) of the problem's own start goes on after
/// its first digit is lost by round-off. Empty too where that would take more than a fraction of a
/// second to know: mechanisms of more than 30 coordinates, long motions of many steps.
std::string beyond_horizon(const Problem& problem, double t_end, double h);

/// Adds d(q, v, λ)/dp for each of the parameters, "m2,L1", at each time; least digits on which the
/// routes agree. Throws as sensitivities().
int add_sensitivities(const Problem& problem, const std::string& parameters,
                      const std::vector<Expression>& times, Report& report);

}  // namespace daemark
