// daemark completion bash|zsh: a short script for the shell, which asks the program for the words
// that may come next. daemark new method|problem|paper NAME: a working skeleton, to be changed.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/algorithm/string/replace.hpp>
#include <cctype>
#include <ostream>

#include "base/numbers/precision.hpp"
#include "base/program/paths.hpp"
#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/near.hpp"
#include "experiments/cli/verb.hpp"
#include "experiments/engine/write/book.hpp"
#include "methods/catalogue/registry.hpp"
#include "problems/formulations/formulation.hpp"
#include "problems/system/registry.hpp"

namespace daemark {
namespace {

/// NAME stands for the name.
struct Skeleton {
  const char* what;
  struct File {
    const char *path, *from;  ///< from: in experiments/cli/skeletons
  };
  std::vector<File> files;
  const char* next;   ///< what to do with them
  const char* apart;  ///< the same where they are in another folder; PATH is the first of them
};

const std::vector<Skeleton>& skeletons() {
  static const std::vector<Skeleton> all = {
      {"method",
       {{"methods/tableaus/NAME.json", "method.json.in"}},
       "daemark verify methods/tableaus/NAME.json; make build takes it into the catalogue "
       "(methods/README.md; its source: a key of experiments/bibliography/bibliography.json)",
       "daemark verify PATH; other verbs take it with --tableau PATH (methods/README.md)"},
      {"problem",
       {{"problems/NAME.cpp", "problem.cpp.in"}},
       "make build, then daemark show NAME (problems/README.md)",
       "copy PATH into problems/ of the source tree, then make build (problems/README.md)"},
      {"paper",
       {{"experiments/NAME/paper.json", "paper.json.in"},
        {"experiments/NAME/table1.json", "table1.json.in"}},
       "daemark reproduce NAME (experiments/README.md)",
       "copy its folder into experiments/ of the source tree, then daemark reproduce NAME "
       "(experiments/README.md)"}};
  return all;
}

std::string filled(const std::string& text, const std::string& name, const char* sign = "NAME") {
  return boost::replace_all_copy(text, sign, name);
}

void check_name(const std::string& what, const std::string& name) {
  const bool plain = std::islower(static_cast<unsigned char>(name[0])) != 0 && name.size() <= 40 &&
                     std::all_of(name.begin(), name.end(), [](unsigned char c) {
                       return std::islower(c) != 0 || std::isdigit(c) != 0 || c == '_';
                     });
  if (!plain)
    throw BadInput(fmt::format(
        "name '{}'; accepted: at most 40 small letters, digits and '_', a letter first", name));
  if ((what == "method" && method_registry().has(name)) ||
      (what == "problem" && problem_registry().has(name)))
    throw BadInput(fmt::format("{} '{}' is in the catalogue; accepted: a new name", what, name));
}

struct NewOptions {
  std::string what, name, into;
};

void declare(OptionSet& app, NewOptions& options) {
  std::vector<std::string> kinds;
  for (const Skeleton& skeleton : skeletons()) kinds.emplace_back(skeleton.what);
  app.add_option("what", options.what, "KIND", fmt::format("{}", fmt::join(kinds, ", ")))
      ->required()
      ->one_of(kinds);
  app.add_option("name", options.name, "NEWID", "its id: small letters, digits, _")->required();
  app.add_option("--into", options.into, "DIR",
                 "where to write; default: the source tree, or the current folder where the "
                 "program is installed");
}

int write(const NewOptions& options, std::ostream& out, std::ostream&) {
  const Skeleton& skeleton =
      *std::find_if(skeletons().begin(), skeletons().end(),
                    [&](const Skeleton& s) { return s.what == options.what; });
  check_name(options.what, options.name);
  std::filesystem::path root = is_installed() ? "." : source_root();
  if (!options.into.empty()) root = options.into;
  // A folder that earlier calls wrote to has methods/tableaus too, but nothing builds it.
  const bool apart = !std::filesystem::exists(root / "CMakeLists.txt") || is_installed();
  const auto shown = [&](const std::string& path) {
    return apart ? (root / path).lexically_normal().string() : path;
  };
  for (const Skeleton::File& file : skeleton.files)
    if (const std::string path = filled(file.path, options.name);
        std::filesystem::exists(root / path))
      throw BadInput(fmt::format("{} is there already; accepted: a new name", path));
  for (const Skeleton::File& file : skeleton.files) {
    const std::string path = filled(file.path, options.name);
    const std::string from = std::string("experiments/cli/skeletons/") + file.from;
    const std::optional<std::string> text = read_text(source_root() / from);
    if (!text) throw BadInput(fmt::format("{} cannot be read; accepted: the file", from));
    write_if_changed(root / path, filled(*text, options.name));
    out << "wrote " << shown(path) << "\n";
  }
  out << "next: "
      << filled(filled(apart ? skeleton.apart : skeleton.next, options.name),
                shown(filled(skeleton.files.front().path, options.name)), "PATH")
      << "\n";
  return 0;
}

using Words = std::vector<std::string>;

constexpr const char* bash_script = R"sh(# bash: source <(daemark completion bash)
_daemark() {
  local IFS=$'\n'
  COMPREPLY=($("${COMP_WORDS[0]}" completion words "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace
}
complete -o default -F _daemark daemark
)sh";

constexpr const char* zsh_script = R"sh(#compdef daemark
# zsh: source <(daemark completion zsh), after compinit
_daemark() {
  local -a found
  found=(${(f)"$("${words[1]}" completion words "${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if (( ${#found} )); then compadd -- $found; else _files; fi
}
compdef _daemark daemark
)sh";

void append(Words& to, const Words& more) { to.insert(to.end(), more.begin(), more.end()); }

Words formulation_names() {
  Words names;
  for (const FormulationInfo& info : formulations()) names.push_back(info.id);
  return names;
}

Words settings(const char* ending) {
  Words names;
  for (const SettingInfo& info : setting_infos()) names.push_back(info.key + ending);
  return names;
}

Words papers() { return paper_ids(source_root() / "experiments"); }

Words items() {
  Words names;
  for (const std::string& paper : papers()) {
    names.push_back(paper);
    for (const auto& item : read_book(source_root() / "experiments", paper).paper.items)
      names.push_back(paper + "/" + item);
  }
  return names;
}

Words everything() {
  Words names = method_registry().all_ids();
  append(names, problem_registry().ids());
  append(names, formulation_names());
  append(names, settings(""));
  append(names, items());
  return names;
}

/// The placeholder of a value in the help, and the words that may stand for it.
struct Placeholder {
  const char* type;
  Words (*words)();
};
constexpr Placeholder placeholders[] = {
    {"M", [] { return method_registry().all_ids(); }},
    {"P", [] { return problem_registry().ids(); }},
    {"F", formulation_names},
    {"KEY=VALUE", [] { return settings("="); }},
    {"NAME", [] { return Words(precision_names.begin(), precision_names.end()); }},
    {"auto", [] { return Words{"auto"}; }},
    {"ID", everything},
    {"PAPER", papers},
    {"PAPER[/ITEM]", items},
};

/// Those that are declared, or those for a placeholder such as "M|PAPER|FILE.json" or "F[,F...]".
Words words_of(const VerbShape::Part& part) {
  Words found = part.words;
  std::string rest = part.type;
  if (const std::size_t list = rest.find("[,"); list != std::string::npos) rest.resize(list);
  for (std::size_t from = 0; from <= rest.size();) {
    const std::size_t to = std::min(rest.find('|', from), rest.size());
    for (const Placeholder& known : placeholders)
      if (rest.compare(from, to - from, known.type) == 0) append(found, known.words());
    from = to + 1;
  }
  return found;
}

/// What may follow the complete words of a verb.
Words choices(const VerbShape& verb, const Words& typed) {
  const std::string& before = typed.size() > 1 ? typed[typed.size() - 2] : typed.back();
  for (const VerbShape::Part& part : verb.parts)
    if (!part.positional && !part.type.empty() && part.name == before) return words_of(part);
  Words found;
  const bool option = typed.back().starts_with("-");
  for (const VerbShape::Part& part : verb.parts) {
    if (part.positional && !option) append(found, words_of(part));
    if (!part.positional && option) found.push_back(part.name);
  }
  return found;
}

struct CompletionOptions {
  std::string shell;
};

void declare(OptionSet& app, CompletionOptions& options) {
  app.add_option("shell", options.shell, "SHELL", "bash or zsh")
      ->required()
      ->one_of({"bash", "zsh"});
}

int print_script(const CompletionOptions& options, std::ostream& out, std::ostream&) {
  out << (options.shell == "bash" ? bash_script : zsh_script);
  return 0;
}

}  // namespace

Words completions(const Words& typed, const std::vector<VerbShape>& verbs) {
  if (typed.empty()) return {};
  Words all;
  if (typed.size() == 1) {
    all = {"help", "--version", "--help"};
    for (const VerbShape& verb : verbs) all.push_back(verb.name);
  } else if (typed.front() == "help") {
    for (const VerbShape& verb : verbs) all.push_back(verb.name);
  }
  for (const VerbShape& verb : verbs)
    if (typed.size() > 1 && verb.name == typed.front()) all = choices(verb, typed);
  Words found;
  for (const std::string& word : all)
    if (word.starts_with(typed.back())) found.push_back(word);
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

void register_make(Verbs& verbs) {
  verbs.add<CompletionOptions>(
      {"completion", VerbGroup::make, "a script for the shell that completes calls of daemark",
       "daemark completion bash"},
      declare, print_script);
  verbs.add<NewOptions>(
      {"new", VerbGroup::make, "creates a working skeleton of a method, problem or paper",
       "daemark new paper mine2026"},
      declare, write);
}

}  // namespace daemark
