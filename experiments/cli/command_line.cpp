// The only file that sees CLI11.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <functional>
#include <sstream>
#include <type_traits>

#include "base/text/near.hpp"
#include "base/text/printable.hpp"
#include "base/text/wrap.hpp"
#include "experiments/cli/options.hpp"

namespace daemark {

Option* Option::required() {
  option_->required();
  return this;
}

Option* Option::once() {
  option_->allow_extra_args(false);
  return this;
}

Option* Option::needs(const std::string& other, const std::string& accepted) {
  set_.rules_.push_back({option_->get_name(), other, true, accepted, ""});
  return this;
}

Option* Option::excludes(const std::string& other, const std::string& value) {
  set_.rules_.push_back({option_->get_name(), other, false, "one of them", value});
  return this;
}

namespace {

constexpr const char* number_check = "number";  // CLI11's name for the check of any number

/// A check that refuses words for which `refuses` gives a reason, in our form; CLI11 puts the name
/// of the option before it.
template <class Accepts>
std::function<std::string(std::string&)> refusing(const std::string& accepted, Accepts accepts) {
  return [=](const std::string& word) {
    return accepts(word) ? std::string() : fmt::format("'{}', accepted: {}", word, accepted);
  };
}

template <class T>
bool reads(const std::string& word, T& value) {
  return CLI::detail::lexical_cast(word, value);
}

}  // namespace

template <class T>
Option* Option::range(T least, T most) {
  option_->get_validator(number_check)
      ->operation(refusing(fmt::format("a whole number from {} to {}", least, most),
                           [=](const std::string& word) {
                             T value{};
                             return reads(word, value) && least <= value && value <= most;
                           }));
  return this;
}

Option* Option::one_of(const std::vector<std::string>& words) {
  set_.words_[option_->get_name()] = words;
  option_->check(CLI::Validator(
      [words](const std::string& word) {
        return std::find(words.begin(), words.end(), word) != words.end()
                   ? std::string()
                   : fmt::format("{} is not accepted{}", in_quotes(word, 40),
                                 accepted_names(word, words, "--help"));
      },
      ""));
  return this;
}

Option* Option::ending(const std::vector<std::string>& endings) {
  option_->check(CLI::Validator(
      [endings](const std::string& word) {
        if (std::any_of(endings.begin(), endings.end(),
                        [&](const std::string& ending) { return word.ends_with(ending); }))
          return std::string();
        return fmt::format("{}: unknown ending; accepted: FILE{}", printable(word, 200),
                           fmt::join(endings, ", FILE"));
      },
      ""));
  return this;
}

bool OptionSet::given(const std::string& name) const { return app_->get_option(name)->count() > 0; }

std::string OptionSet::refusal() const {
  const auto shown = [this](const std::string& name) {
    const CLI::Option* option = app_->get_option(name);
    return option->get_positional() ? option->get_type_name() : name;
  };
  for (const Rule& rule : rules_) {
    const std::vector<std::string> values = app_->get_option(rule.option)->results();
    const bool applies = rule.value.empty()
                             ? given(rule.option)
                             : std::find(values.begin(), values.end(), rule.value) != values.end();
    if (applies && given(rule.other) != rule.together)
      return fmt::format("{}{}{} {} {}; accepted: {}", shown(rule.option),
                         rule.value.empty() ? "" : " ", rule.value,
                         rule.together ? "needs" : "excludes", shown(rule.other), rule.accepted);
  }
  return "";
}

template <class T>
Option* OptionSet::add_option(const std::string& name, T& value, const char* type,
                              const std::string& meaning) {
  CLI::Option* option = app_->add_option(name, value, meaning)->type_name(type);
  if constexpr (std::is_arithmetic_v<T>) {
    option->check(CLI::Validator(refusing(std::is_integral_v<T> ? "a whole number" : "a number",
                                          [](const std::string& word) {
                                            T read{};
                                            return reads(word, read);
                                          }),
                                 "", number_check));
  } else {
    // An empty word is usually an unset shell variable; it must not count as "not given".
    option->check(CLI::Validator(
        [](const std::string& word) { return word.empty() ? "is empty, accepted: a value" : ""; },
        ""));
  }
  return &options_.emplace(name, Option(*this, option)).first->second;
}

Option* OptionSet::add_flag(const std::string& name, bool& value, const std::string& meaning) {
  return &options_.emplace(name, Option(*this, app_->add_flag(name, value, meaning))).first->second;
}

Option* Option::positive() {
  option_->get_validator(number_check)
      ->operation(refusing("a number > 0", [](const std::string& word) {
        double value = 0;
        return reads(word, value) && value > 0 && std::isfinite(value);
      }));
  return this;
}
template Option* Option::range(int, int);
template Option* Option::range(long, long);
template Option* Option::range(unsigned, unsigned);
template Option* OptionSet::add_option(const std::string&, std::string&, const char*,
                                       const std::string&);
template Option* OptionSet::add_option(const std::string&, std::vector<std::string>&, const char*,
                                       const std::string&);
template Option* OptionSet::add_option(const std::string&, int&, const char*, const std::string&);
template Option* OptionSet::add_option(const std::string&, long&, const char*, const std::string&);
template Option* OptionSet::add_option(const std::string&, unsigned&, const char*,
                                       const std::string&);
template Option* OptionSet::add_option(const std::string&, double&, const char*,
                                       const std::string&);

std::string one_line(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = ' ';
  while (!text.empty() && (text.back() == ' ' || text.back() == '.')) text.pop_back();
  return text;
}

namespace {

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) names.push_back(option->get_name());
  return names;
}

/// The refusals of CLI11 in our form: what, where, what is accepted.
std::string refusal(const CLI::App& app, const std::vector<CLI::App*>& verbs, const CLI::App* verb,
                    const CLI::ParseError& error) {
  const std::string& program = app.get_name();
  if (verb == nullptr) {
    std::vector<std::string> names;
    for (const CLI::App* known : verbs) names.push_back(known->get_name());
    const std::vector<std::string> left = app.remaining();
    return fmt::format(
        "{}: {} is no verb{}", program, left.empty() ? "nothing" : "'" + left.front() + "'",
        accepted_names(left.empty() ? "" : left.front(), names, program + " --help"));
  }
  const std::string what = one_line(error.what()), name = program + " " + verb->get_name();
  if (const auto left = verb->remaining(); !left.empty()) {
    const std::string& word = left.front();
    for (const CLI::Option* option : verb->get_options())
      if (option->get_positional() && word == "--" + option->get_name())
        return fmt::format("{}: unexpected '{}'; accepted: the {} without it, {} {}", name, word,
                           option->get_name(), name, option->get_type_name());
    return fmt::format("{}: unexpected '{}'{}{}", name, word,
                       word.starts_with("-") ? "" : ", before which no option stands",
                       accepted_names(word, option_names(*verb), name + " --help"));
  }
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr)
    return fmt::format("{}: {}; accepted: the form {} --help shows", name, what, name);
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    const bool missing = what.ends_with(" missing");
    return fmt::format("{}: {}{}; accepted: one value", name, what.substr(0, what.find(": ")),
                       missing ? ": its value is missing" : " is given more than once");
  }
  return fmt::format("{}: {}", name, what);
}

/// Long descriptions on several lines; examples stay whole.
std::string with_wrapped_options(const std::string& help) {
  constexpr std::size_t column = 30, width = 100;  // column: where CLI11 begins descriptions
  const std::size_t example = std::min(help.size(), help.find("\nExample:"));
  std::istringstream lines(help.substr(0, example));
  std::string out;
  for (std::string line; std::getline(lines, line); out += line + "\n") {
    if (text_width(line) <= width) continue;
    const std::size_t from = line.starts_with("  ") ? column : 0;
    line.replace(from, std::string::npos, wrapped(line.substr(from), width, from).substr(from));
  }
  return out + help.substr(example);
}

}  // namespace

CommandLine::CommandLine(const std::string& program, const std::string& summary,
                         const std::string& footer)
    : app_(std::make_unique<CLI::App>(summary, program)) {
  app_->require_subcommand(1);
  // CLI11 2.4 takes -h and the options --h for the same name: parse() reads -h as --help.
  app_->set_help_flag("--help", "print this help (also -h)");
  app_->footer(footer);
}

CommandLine::~CommandLine() = default;

OptionSet& CommandLine::add_verb(const std::string& name, const std::string& group,
                                 const std::string& summary, const std::string& example) {
  CLI::App* verb = app_->add_subcommand(name, summary)->group(group);
  verb->footer(fmt::format("Example:\n  {}", example));
  verbs_.push_back(verb);
  examples_.push_back(example);
  return *options_.emplace_back(std::make_unique<OptionSet>(*verb));
}

std::string CommandLine::help() const { return with_wrapped_options(app_->help()); }

std::vector<VerbShape> CommandLine::shapes() const {
  std::vector<VerbShape> shapes;
  for (std::size_t i = 0; i < verbs_.size(); ++i) {
    VerbShape shape{verbs_[i]->get_name(), verbs_[i]->get_description(), examples_[i], {}};
    for (const CLI::Option* option : verbs_[i]->get_options()) {
      const bool flag = option->get_expected_max() == 0;
      const auto words = options_[i]->words_.find(option->get_name());
      shape.parts.push_back(
          {option->get_name(), flag ? "" : option->get_type_name(), option->get_description(),
           option->get_positional(),
           words == options_[i]->words_.end() ? std::vector<std::string>() : words->second});
    }
    shapes.push_back(std::move(shape));
  }
  return shapes;
}

CommandLine::Parsed CommandLine::parse(int argc, const char* const* argv) {
  const auto chosen = [this] {
    for (std::size_t i = 0; i < verbs_.size(); ++i)
      if (verbs_[i]->parsed()) return static_cast<int>(i);
    return -1;
  };
  std::vector<const char*> words(argv, argv + argc);
  for (const char*& word : words)
    if (std::string_view(word) == "-h") word = "--help";
  Parsed parsed;
  try {
    app_->parse(argc, words.data());
    const int verb = chosen();
    const std::string broken = verb < 0 ? "" : options_[verb]->refusal();
    if (!broken.empty())
      parsed.refusal =
          one_line(fmt::format("{} {}: {}", app_->get_name(), verbs_[verb]->get_name(), broken));
    else
      parsed.verb = verb;
  } catch (const CLI::CallForHelp&) {
    const int verb = chosen();
    parsed.help =
        with_wrapped_options(verb >= 0 ? verbs_[verb]->help(app_->get_name()) : app_->help());
  } catch (const CLI::ParseError& error) {
    const int verb = chosen();
    parsed.refusal = one_line(refusal(*app_, verbs_, verb >= 0 ? verbs_[verb] : nullptr, error));
  }
  return parsed;
}

}  // namespace daemark
