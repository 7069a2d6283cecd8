// daemark show ID
#include "experiments/cli/show/show.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
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

using nlohmann::ordered_json;

ordered_json row_json(const RowSpec& row) {
  ordered_json out = {{"id", row.id}, {"label", row.label}};
  if (row.cell) {
    out["cell"] = cell_json(*row.cell);
    out["command"] = command(*row.cell);
  }
  if (!row.candidates.empty()) out["candidates"] = row.candidates;
  if (!row.printed.empty()) out["printed"] = row.printed;
  return out;
}

std::string places(const ItemSpec& item) {
  std::string text;
  for (const auto& [edition, place] : item.where)
    text += (text.empty() ? "" : "; ") + edition + ": " + place;
  return text;
}

std::string list_text(const char* title, const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += "  " + line + "\n";
  return text.empty() ? text : std::string(title) + "\n" + text;
}

Report show_paper(const std::string& id) {
  const Book book = read_book(source_root() / "experiments", id);
  ReportRows editions({{"id"}, {"label"}}), items({{"id"}, {"kind"}, {"title"}});
  for (const EditionSpec& edition : book.paper.editions) editions.add({edition.id, edition.label});
  for (const ItemSpec& item : book.items) items.add({id + "/" + item.id, item.kind, item.title});
  Report shown;
  shown.say(fmt::format("{}: {}\n  {}", id, book.paper.title, book.paper.citation));
  shown.set("id", id).set("what", "paper").set("title", book.paper.title);
  shown.set("citation", book.paper.citation).set("editions", editions.objects());
  shown.rows("items", "items", items).set("notes", book.paper.notes);
  return shown.say(list_text("notes", book.paper.notes));
}

Report show_item(const std::string& paper, const std::string& id) {
  const Book book = read_book(source_root() / "experiments", paper, {id});
  const ItemSpec& item = book.item(id);
  ordered_json rows = ordered_json::array();
  std::vector<std::string> commands, claim_lines;
  for (const RowSpec& row : item.rows) {
    rows.push_back(row_json(row));
    commands.push_back(row.label + ": " +
                       (row.cell ? command(*row.cell) : "compared with its candidates"));
  }
  ReportRows claims({{"id"}, {"text"}, {"own"}, {"conditions"}});
  for (const ClaimSpec& claim : item.claims) {
    ordered_json conditions = ordered_json::array();
    for (const Formula& condition : claim.conditions) conditions.push_back(condition.text());
    claims.add({claim.id, claim.text, claim.own, conditions});
    claim_lines.push_back(claim.id + (claim.own ? " (our own check): " : ": ") + claim.text);
  }
  ReportRows measured({{"id"}, {"measure"}, {"unit"}});
  for (const ColumnSpec& column : item.columns)
    measured.add({column.id, column.measure.text(), column.unit});
  Report shown;
  shown.json = {{"id", paper + "/" + id},
                {"what", "item"},
                {"kind", item.kind},
                {"title", item.title},
                {"where", item.where},
                {"columns", measured.objects()},
                {"rows", rows},
                {"claims", claims.objects()},
                {"assumed", item.assumed},
                {"notes", item.notes}};
  shown.say(fmt::format("{}/{}: {}\n  {}; {}", paper, id, item.title, item.kind, places(item)));
  shown.say(list_text("rows", commands)).say(list_text("claims", claim_lines));
  return shown.say(list_text("assumed", item.assumed)).say(list_text("notes", item.notes));
}

Report show_formulation(const FormulationInfo& info) {
  Report report;
  report.json = {{"id", info.id},
                 {"what", "formulation"},
                 {"summary", info.summary},
                 {"index", info.index},
                 {"parameters", parameters_json(info.parameters)}};
  return report.say(fmt::format("{}: {}\n  differentiation index {}\n{}",
                                signature(info.id, info.parameters), info.summary, info.index,
                                parameter_lines(info.parameters)));
}

Report show_setting(const SettingInfo& info) {
  Report report;
  report.json = {{"id", info.key},
                 {"what", "setting"},
                 {"meaning", info.meaning},
                 {"accepted", info.accepted},
                 {"default", info.fallback}};
  return report.say(fmt::format("{}: {}\n  accepted: {}\n  default: {}\n", info.key, info.meaning,
                                info.accepted, info.fallback));
}

Report show_id(const std::string& text) {
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

struct ShowOptions {
  std::string id;
};

void declare(OptionSet& app, ShowOptions& options) {
  app.add_option(
         "id", options.id, "ID",
         "a method or problem (with arguments), a formulation, setting, PAPER or PAPER/ITEM")
      ->required();
}

Report show(const ShowOptions& options, std::ostream&, std::ostream&) {
  return show_id(options.id);
}

}  // namespace

void register_show(Verbs& verbs) {
  verbs.add<ShowOptions>(
      {"show", VerbGroup::look, "what a method, problem, formulation, setting, paper or item is",
       "daemark show 'pade_block(r=3,k=2)'"},
      declare, show);
}

}  // namespace daemark
