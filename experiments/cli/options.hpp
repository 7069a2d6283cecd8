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

class OptionSet;

/// One option or positional argument, declared with its checks; the calls return it, to be chained.
class Option {
 public:
  Option(OptionSet& set, CLI::Option* option) : set_(set), option_(option) {}

  Option* required();
  Option* once();  ///< of a repeatable option: one value each time it is given
  template <class T>
  Option* range(T least, T most);  ///< int, long, unsigned
  Option* positive();              ///< a number > 0
  Option* one_of(const std::vector<std::string>& words);
  /// A file name with one of these endings, ".svg".
  Option* ending(const std::vector<std::string>& endings);
  /// Refused without the other option; `accepted` ends the message.
  Option* needs(const std::string& other, const std::string& accepted = "both, or neither");
  /// `value`: only where it is given this one.
  Option* excludes(const std::string& other, const std::string& value = "");

 private:
  OptionSet& set_;
  CLI::Option* option_;
};

/// The options of one verb. A name without dashes is a positional argument.
class OptionSet {
 public:
  explicit OptionSet(CLI::App& app) : app_(&app) {}
  OptionSet(const OptionSet&) = delete;
  OptionSet& operator=(const OptionSet&) = delete;

  /// `type` stands for the value in the help, and for completion. `value` is left unchanged where
  /// the option is not given, and must live until after parsing.
  /// std::string, std::vector<std::string> (repeatable), int, long, unsigned, double.
  template <class T>
  Option* add_option(const std::string& name, T& value, const char* type,
                     const std::string& meaning);
  Option* add_flag(const std::string& name, bool& value, const std::string& meaning);
  bool given(const std::string& name) const;  ///< known after parsing

 private:
  friend class Option;
  friend class CommandLine;
  /// A condition between options.
  struct Rule {
    std::string option, other;
    bool together;         ///< needs; else excludes
    std::string accepted;  ///< ends the message
    std::string value;     ///< of the option; "": any
  };
  std::string refusal() const;  ///< by the first rule that is broken; "" for none

  CLI::App* app_;
  std::map<std::string, Option> options_;  // by name; a map keeps addresses
  std::vector<Rule> rules_;
  std::map<std::string, std::vector<std::string>> words_;  ///< of one_of()
};

/// A verb as completion needs it.
struct VerbShape {
  struct Part {
    std::string name, type, meaning;  ///< "--h", "H,H,..."; flags have no type
    bool positional = false;
    std::vector<std::string> words = {};  ///< of one_of()
  };
  std::string name, summary, example;
  std::vector<Part> parts;
};

/// `program VERB ...`: help and refusals in one form.
class CommandLine {
 public:
  CommandLine(const std::string& program, const std::string& summary, const std::string& footer);
  ~CommandLine();

  /// Verbs of one group stand together in the help.
  OptionSet& add_verb(const std::string& name, const std::string& group, const std::string& summary,
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
