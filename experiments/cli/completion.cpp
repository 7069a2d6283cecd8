// daemark completion bash|zsh
#include "experiments/cli/completion.hpp"

#include <algorithm>
#include <memory>
#include <ostream>

#include "base/numbers/precision.hpp"
#include "base/program/paths.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/near.hpp"
#include "experiments/cli/verb.hpp"
#include "experiments/engine/write/book.hpp"
#include "methods/catalogue/registry.hpp"
#include "problems/formulations/formulation.hpp"
#include "problems/system/registry.hpp"

namespace daemark {
namespace {

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
    {"WHAT",
     [] {
       return Words{"methods", "problems", "formulations", "settings", "experiments"};
     }},
    {"KIND",
     [] {
       return Words{"method", "problem", "paper"};
     }},
    {"bash", [] { return Words{"bash"}; }},
    {"zsh", [] { return Words{"zsh"}; }},
};

/// The words for a placeholder such as "M|PAPER|FILE.json" or "F[,F...]".
Words words_of(const std::string& type) {
  Words found;
  std::string rest = type;
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
    if (!part.positional && !part.type.empty() && part.name == before) return words_of(part.type);
  Words found;
  const bool option = typed.back().starts_with("-");
  for (const VerbShape::Part& part : verb.parts) {
    if (part.positional && !option) append(found, words_of(part.type));
    if (!part.positional && option) found.push_back(part.name);
  }
  return found;
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

VerbAction declare_completion(OptionSet& app) {
  auto shell = std::make_shared<std::string>();
  app.add_option("shell", *shell, "bash|zsh", "bash or zsh")->required();
  return [shell](std::ostream& out, std::ostream&) {
    if (*shell == "bash")
      out << bash_script;
    else if (*shell == "zsh")
      out << zsh_script;
    else
      throw BadInput("'" + *shell + "' is no shell that can be served" +
                     did_you_mean(*shell, {"bash", "zsh"}) + "; accepted: bash, zsh");
    return 0;
  };
}

}  // namespace daemark
