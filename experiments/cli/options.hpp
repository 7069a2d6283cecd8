// Options of a verb and the command line, without the headers of the parser: CLI11 costs 10 s in
// every file that includes it, so only command_line.cpp does.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace daemark {

/// One option or positional argument; the calls return it, to be chained.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

  Option* required();
  Option* allow_extra_args(bool allow);  ///< false: one value each time it is given
  template <class T>
  Option* range(T least, T most);  ///< int, long, unsigned
  Option* positive();              ///< a number > 0
  bool given() const;              ///< known after parsing

 private:
  CLI::Option* option_;
};

/// The options of one verb. A name without dashes is a positional argument.
class OptionSet {
 public:
  explicit OptionSet(CLI::App& app) : app_(&app) {}
  OptionSet(const OptionSet&) = delete;
  OptionSet& operator=(const OptionSet&) = delete;

  /// `type` stands for the value in the help. `value` is left as it is where the option is not
  /// given, and must live until after parsing.
  /// std::string, std::vector<std::string> (repeatable), int, long, unsigned, double.
  template <class T>
  Option* add_option(const std::string& name, T& value, const char* type,
                     const std::string& meaning);
  void add_flag(const std::string& name, bool& value, const std::string& meaning);

 private:
  CLI::App* app_;
  std::map<std::string, Option> options_;  // by name; a map keeps addresses
};

/// A verb as completion needs it.
struct VerbShape {
  struct Part {
    std::string name, type, meaning;  ///< "--h", "H,H,..."; flags have no type
    bool positional = false;
  };
  std::string name, summary, example;
  std::vector<Part> parts;
};

/// `program VERB ...`: help and refusals in one form.
class CommandLine {
 public:
  CommandLine(const std::string& program, const std::string& summary, const std::string& footer);
  ~CommandLine();

  OptionSet& add_verb(const std::string& name, const std::string& summary,
                      const std::string& example);

  struct Parsed {
    int verb = -1;        ///< index of the verb to run, in the order they were added; none: -1
    std::string help;     ///< the text, where help was asked for
    std::string refusal;  ///< one line: what, where, what is accepted
  };
  Parsed parse(int argc, const char* const* argv);
  std::string help() const;
  std::vector<VerbShape> shapes() const;

 private:
  std::string name_;
  std::unique_ptr<CLI::App> app_;
  std::vector<CLI::App*> verbs_;
  std::vector<std::string> examples_;
  std::vector<std::unique_ptr<OptionSet>> options_;
};

/// Without line breaks, control characters, and blanks or points at the end: messages may quote
/// what the user typed.
std::string one_line(std::string text);

}  // namespace daemark
