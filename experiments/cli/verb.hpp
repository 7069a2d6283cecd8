// A verb of the command line is a declaration: its name, its options with their checks, and a
// function that returns a result. Help, completion, refusals, text and JSON are made from it. A
// file NAME.cpp of this folder that defines register_NAME(Verbs&) adds its verbs:
//
//   struct CountOptions { std::string word; };
//   void declare(OptionSet& app, CountOptions& options) {
//     app.add_option("word", options.word, "WORD", "what is counted")->required();
//   }
//   Report count(const CountOptions& options, std::ostream&, std::ostream&) {
//     Report report;
//     return report.pairs("letters", "", {{options.word, options.word.size()}});
//   }
//   void register_count(Verbs& verbs) {
//     verbs.add<CountOptions>({"count", VerbGroup::look, "counts letters", "daemark count abc"},
//                             declare, count);
//   }
#pragma once

#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "experiments/cli/options.hpp"
#include "experiments/cli/report.hpp"

namespace daemark {

/// Returns the exit status; bad input is thrown as BadInput.
using VerbAction = std::function<int(std::ostream& out, std::ostream& err)>;

/// In the order of the help.
enum class VerbGroup { look, run, papers, share, make };

struct Verb {
  const char* name;
  VerbGroup group;
  const char *summary, *example;
  /// Adds the options to the set; what is returned is called after parsing.
  std::function<VerbAction(OptionSet&)> declare = {};
};

class Verbs {
 public:
  /// `run` prints itself and returns the exit status, or returns a Report, which is printed as text
  /// or, with --json, as one JSON value; `out` is then for text that is shown before (Report::add).
  template <class Options, class Result>
  void add(Verb verb, void (*declare)(OptionSet&, Options&),
           Result (*run)(const Options&, std::ostream& out, std::ostream& err)) {
    verb.declare = [=](OptionSet& app) -> VerbAction {
      const auto options = std::make_shared<Options>();
      declare(app, *options);
      if constexpr (std::is_same_v<Result, Report>)
        return reported(app, [=](auto& out, auto& err) { return run(*options, out, err); });
      else
        return [=](auto& out, auto& err) { return run(*options, out, err); };
    };
    all_.push_back(std::move(verb));
  }
  void from(const char*) {}  ///< for the generated list: where the next one stands
  /// By group and name.
  std::vector<Verb> sorted() const;

 private:
  /// Adds --json and prints what `run` returns.
  static VerbAction reported(OptionSet& app,
                             std::function<Report(std::ostream& out, std::ostream& err)> run);
  std::vector<Verb> all_;
};

/// Generated: calls register_NAME of every verb.
void register_all_verbs(Verbs& verbs);

/// "daemark 0.1.0 (revision 1a2b3c, gcc 12.2)": the version that CITATION.cff names.
std::string version_line();

/// The verbs with their options, as --help shows them.
std::vector<VerbShape> verb_shapes();

/// The words that may replace the last of `typed` (the words after the program's name; the last one
/// is unfinished and may be empty). None where a file is meant.
std::vector<std::string> completions(const std::vector<std::string>& typed,
                                     const std::vector<VerbShape>& verbs);

}  // namespace daemark
