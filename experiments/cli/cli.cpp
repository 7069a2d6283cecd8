#include "experiments/cli/cli.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <new>
#include <nlohmann/json.hpp>
#include <ostream>
#include <sstream>
#include <streambuf>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/reference/reference.hpp"
#include "base/program/interrupt.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/printable.hpp"
#include "base/text/shell_word.hpp"
#include "experiments/cli/common_options.hpp"
#include "experiments/cli/verb.hpp"
#include "experiments/engine/run/study.hpp"
#include "experiments/engine/shard/shard.hpp"
#include "methods/catalogue/registry.hpp"
#include "methods/catalogue/tableau_source.hpp"
#include "problems/files/mechanism_file.hpp"
#include "problems/system/registry.hpp"

namespace daemark {
namespace {

std::string typed_files;  ///< see file_options()

constexpr const char* group_names[] = {"Look up", "Run, prove and compare", "Papers",
                                       "Several machines and archives", "Files for other work"};

const std::vector<Verb>& verbs() {
  static const std::vector<Verb> all = [] {
    Verbs found;
    register_all_verbs(found);
    return found.sorted();
  }();
  return all;
}

/// The verbs with their options; each action holds the variables that its options are read into.
struct Program {
  CommandLine line{"daemark",
                   "daemark: time integrators for constrained multibody dynamics, benchmarked",
                   "daemark VERB --help (or daemark help VERB) shows the options of a verb and an "
                   "example;\ndaemark --version the version. Exit status: 0 done, 1 numerical "
                   "failure, 2 bad input,\n130 or 143 interrupted."};
  struct Declared {
    const char* name;
    VerbAction action;
    std::unique_ptr<std::vector<std::string>> tableaus, mechanisms;
  };
  std::vector<Declared> declared;

  Program() {
    for (const Verb& verb : verbs()) {
      OptionSet& options = line.add_verb(verb.name, group_names[static_cast<int>(verb.group)],
                                         verb.summary, verb.example);
      Declared& one = declared.emplace_back(Declared{verb.name, verb.declare(options),
                                                     std::make_unique<std::vector<std::string>>(),
                                                     std::make_unique<std::vector<std::string>>()});
      options
          .add_option("--problem-file", *one.mechanisms, "FILE.json",
                      "add the mechanism of a file to the problems (repeatable)")
          ->once();
      options
          .add_option("--tableau", *one.tableaus, "FILE[:NAME]",
                      "add the method of a tableau file, or those of another program's source "
                      "(repeatable)")
          ->once();
    }
  }
};

/// Adds the methods of the files to the catalogue. A file whose id is taken is refused, unless the
/// id was taken from the same file. Throws BadInput.
void load_tableaus(const std::vector<std::string>& files) {
  for (const std::string& target : files) {
    for (const auto& [file, method] : load_outside(target)) {
      const std::string& id = method.id;
      MethodRegistry& registry = method_registry();
      if (registry.has(id)) {
        std::error_code ignored;
        if (std::filesystem::equivalent(file, registry.info(id).file, ignored)) continue;
        throw BadInput(
            fmt::format("{}: id '{}' is taken in the catalogue; accepted: an id of its own",
                        printable(file.string(), 200), id));
      }
      registry.add(method, file.string());
    }
  }
}

/// Messages from the layers below may already begin with the verb.
std::string refusal_of(const std::string& verb, const std::string& what) {
  const std::string line = one_line(what);
  return "daemark " + (line.starts_with(verb + ": ") ? line : verb + ": " + line) + "\n";
}

int run_chosen(const Program::Declared& chosen, std::ostream& out, std::ostream& err) {
  const char* name = chosen.name;
  const InterruptGuard guard(std::string("daemark ") + name);
  try {
    typed_files.clear();
    for (const std::string& file : *chosen.mechanisms)
      typed_files += " --problem-file " + shell_word(file);
    for (const std::string& file : *chosen.tableaus)
      typed_files += " --tableau " + shell_word(file);
    load_tableaus(*chosen.tableaus);
    for (const std::string& file : *chosen.mechanisms) add_mechanism_file(file, problem_registry());
    return chosen.action(out, err);
  } catch (const Stopped&) {
    say_interrupted(std::string("daemark ") + name);
    return interrupted_status();
  } catch (const BadInput& error) {
    err << refusal_of(name, error.what());
    return 2;
  } catch (const std::bad_alloc&) {
    err << "daemark " << name << ": out of memory; accepted: what fits into it\n";
    return 2;
  } catch (const std::exception& error) {
    err << "daemark " << name << ": failed: " << one_line(error.what()) << "\n";
    return 1;
  }
}

int run_plain(int argc, const char* const* argv, std::ostream& out, std::ostream& err) {
  const std::string first = argc > 1 ? argv[1] : "";
  if (first == "--version") {
    out << version_line() << "\n";
    return 0;
  }
  if (first == "completion" && argc > 2 && argv[2] == std::string("words")) {
    for (const std::string& word : completions({argv + 3, argv + argc}, verb_shapes()))
      out << word << "\n";  // called by the script of `completion`
    return 0;
  }
  if (first == "help") {  // help VERB is VERB --help; another word is refused as an unknown verb
    const bool known = argc > 2 && std::any_of(verbs().begin(), verbs().end(), [&](const Verb& v) {
                         return v.name == std::string(argv[2]);
                       });
    const char* as_option[] = {argv[0], argc > 2 ? argv[2] : "--help", "--help"};
    return run_plain(known ? 3 : 2, as_option, out, err);
  }
  Program program;
  if (argc < 2) {
    out << program.line.help();
    return 0;
  }
  const CommandLine::Parsed parsed = program.line.parse(argc, argv);
  if (!parsed.refusal.empty()) {
    err << parsed.refusal << "\n";
    return 2;
  }
  if (parsed.verb < 0) {
    out << parsed.help;
    return 0;
  }
  const Program::Declared& chosen = program.declared[parsed.verb];
  int status = run_chosen(chosen, out, err);
  for (const ReferenceNote& note : take_reference_notes()) {
    err << "daemark " << chosen.name << ": " << one_line(note.text) << "\n";
    if (note.lost) status = 2;
  }
  return status;
}

/// Passes everything on and keeps a copy.
class Tee : public std::streambuf {
 public:
  explicit Tee(std::ostream& to) : to_(to) {}
  const std::string& copy() const { return copy_; }

 protected:
  int overflow(int c) override {
    copy_ += static_cast<char>(c);
    to_.put(static_cast<char>(c));
    return c;
  }
  std::streamsize xsputn(const char* text, std::streamsize size) override {
    copy_.append(text, static_cast<std::size_t>(size));
    to_.write(text, size);
    return size;
  }
  int sync() override {
    to_.flush();
    return 0;
  }

 private:
  std::ostream& to_;
  std::string copy_;
};

/// The last line, which a line of progress may stand before.
std::string last_line(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  text.erase(0, text.find_last_of("\n\r") + 1);
  constexpr std::string_view erase_line = "\033[K";
  return text.starts_with(erase_line) ? text.substr(erase_line.size()) : text;
}

/// With --json what is written is one JSON value whatever happens: {"error", "status"} where the
/// work ended without one. The lines on standard error stay.
int run_json(int argc, const char* const* argv, std::ostream& out, std::ostream& err) {
  std::ostringstream value;
  Tee tee(err);
  std::ostream messages(&tee);
  const int status = run_plain(argc, argv, value, messages);
  if (status != 0 && value.view().empty()) {
    const nlohmann::ordered_json failure = {{"error", last_line(tee.copy())}, {"status", status}};
    value << failure.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
  }
  out << value.view();
  return status;
}

}  // namespace

const std::string& file_options() { return typed_files; }
void add_file_option(const std::string& words) { typed_files += " " + words; }

std::string version_line() {
  const nlohmann::json build = provenance();
  return fmt::format("daemark {} (revision {}{}, {})", program_version(),
                     build.value("revision", "unknown").substr(0, 12),
                     build.value("dirty", false) ? ", changed" : "", build.value("compiler", ""));
}

std::vector<Verb> Verbs::sorted() const {
  std::vector<Verb> all = all_;
  std::sort(all.begin(), all.end(), [](const Verb& a, const Verb& b) {
    return std::pair(a.group, std::string_view(a.name)) <
           std::pair(b.group, std::string_view(b.name));
  });
  return all;
}

VerbAction Verbs::reported(OptionSet& app,
                           std::function<Report(std::ostream& out, std::ostream& err)> run) {
  const auto json = std::make_shared<bool>(false);
  add_json_flag(app, *json);
  return [json, run = std::move(run)](std::ostream& out, std::ostream& err) {
    std::ostream nowhere(nullptr);
    const Report report = run(*json ? nowhere : out, err);
    if (!report.failed()) report.print(*json, *json || !report.text_to_err ? out : err);
    if (report.then) report.then();
    return report.status;
  };
}

std::vector<VerbShape> verb_shapes() { return Program().line.shapes(); }

int run_cli(int argc, const char* const* argv, std::ostream& out, std::ostream& err) {
  const bool json = std::any_of(
      argv + 1, argv + argc, [](const char* word) { return word == std::string_view("--json"); });
  try {
    return json ? run_json(argc, argv, out, err) : run_plain(argc, argv, out, err);
  } catch (const BadInput& error) {  // before a verb is known: the program's own files are missing
    err << "daemark: " << one_line(error.what()) << "\n";
    return 2;
  }
}

}  // namespace daemark
