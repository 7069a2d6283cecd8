// daemark show ID
#include "experiments/cli/show/show.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <ostream>

#include "base/program/paths.hpp"
#include "base/text/near.hpp"
#include "base/text/printable.hpp"
#include "base/text/wrap.hpp"
#include "experiments/bibliography/bibliography.hpp"
#include "experiments/cli/common_options.hpp"
#include "experiments/cli/verb.hpp"
#include "experiments/engine/write/book.hpp"
#include "experiments/terminal/text.hpp"
#include "methods/catalogue/registry.hpp"
#include "problems/formulations/formulation.hpp"
#include "problems/system/registry.hpp"

namespace daemark {

using nlohmann::ordered_json;

ordered_json parameters_json(const std::vector<Parameter>& parameters) {
  ordered_json list = ordered_json::array();
  for (const Parameter& p : parameters) {
    ordered_json entry = {{"name", p.name}, {"accepted", p.accepted}};
    if (!p.fallback.empty()) entry["default"] = p.fallback;
    entry["required"] = p.fallback.empty() && !p.optional;
    list.push_back(entry);
  }
  return list;
}

std::string reference_lines(const std::string& source) {
  std::string text;
  for (const std::string& reference : full_references(source))
    text += wrapped(reference, 100, 2) + "\n";
  return text;
}

namespace {

Shown show_formulation(const FormulationInfo& info) {
  return {{{"id", info.id},
           {"what", "formulation"},
           {"summary", info.summary},
           {"index", info.index},
           {"parameters", parameters_json(info.parameters)}},
          fmt::format("{}: {}\n  differentiation index {}\n{}", signature(info.id, info.parameters),
                      info.summary, info.index, parameter_lines(info.parameters))};
}

Shown show_setting(const SettingInfo& info) {
  return {{{"id", info.key},
           {"what", "setting"},
           {"meaning", info.meaning},
           {"accepted", info.accepted},
           {"default", info.fallback}},
          fmt::format("{}: {}\n  accepted: {}\n  default: {}\n", info.key, info.meaning,
                      info.accepted, info.fallback)};
}

Shown show_id(const std::string& text) {
  const std::vector<std::string> papers = paper_ids(source_root() / "experiments");
  const std::size_t slash = text.find('/');
  if (const std::string paper = text.substr(0, slash);
      std::find(papers.begin(), papers.end(), paper) != papers.end())
    return slash == std::string::npos ? show_paper(paper)
                                      : show_item(paper, text.substr(slash + 1));
  for (const SettingInfo& info : setting_infos())
    if (info.key == text) return show_setting(info);
  const std::string hint = edition_hint(source_root() / "experiments", text.substr(0, slash));
  if (!hint.empty()) throw BadInput("no paper " + in_quotes(text.substr(0, slash)) + hint);
  const std::string id = parse_call(text, "show").id;
  if (method_registry().has(id)) return show_method(text);
  if (problem_registry().has(id)) return show_problem(text);
  for (const FormulationInfo& info : formulations())
    if (info.id == id) return show_formulation(info);
  std::vector<std::string> known = method_registry().all_ids();
  for (const auto& list : {problem_registry().ids(), papers})
    known.insert(known.end(), list.begin(), list.end());
  for (const FormulationInfo& info : formulations()) known.push_back(info.id);
  for (const SettingInfo& info : setting_infos()) known.push_back(info.key);
  const std::vector<std::string> common = known_as(id);
  const std::string near = common.empty()
                               ? did_you_mean(id, known)
                               : fmt::format(" (did you mean '{}'?)", fmt::join(common, "' or '"));
  throw BadInput(in_quotes(id) + " is unknown" + near +
                 "; accepted: what daemark list methods, problems, "
                 "formulations, settings or experiments names");
}

}  // namespace

VerbAction declare_show(OptionSet& app) {
  struct Options {
    std::string id;
    bool json = false;
  };
  auto options = std::make_shared<Options>();
  app.add_option(
         "id", options->id, "ID",
         "a method or problem (with arguments), a formulation, setting, PAPER or PAPER/ITEM")
      ->required();
  add_json_flag(app, options->json);
  return [options](std::ostream& out, std::ostream&) {
    const Shown shown = show_id(options->id);
    out << (options->json ? shown.json.dump(2) + "\n" : shown.text);
    return 0;
  };
}

}  // namespace daemark
