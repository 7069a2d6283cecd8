// daemark list methods|problems|formulations|settings|tags|experiments|kinds
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <ostream>
#include <regex>

#include "analysis/tags/tag_expression.hpp"
#include "analysis/tags/tags.hpp"
#include "base/program/paths.hpp"
#include "base/text/counted.hpp"
#include "experiments/bibliography/bibliography.hpp"
#include "experiments/cells/support/cell_kind.hpp"
#include "experiments/cli/verb.hpp"
#include "experiments/engine/write/book.hpp"
#include "experiments/terminal/text.hpp"
#include "methods/catalogue/registry.hpp"
#include "problems/formulations/formulation.hpp"
#include "problems/system/registry.hpp"

namespace daemark {
namespace {

/// What is listed: rows, and faults of what cannot be.
struct Listing {
  ReportRows rows;
  std::vector<std::string> faults;
};

Listing methods_of(const std::vector<std::string>& ids) {
  Listing listing{ReportRows({{"id", "-"}, {"call", ""}, {"kind", ""}, {"summary", ""}}), {}};
  for (const std::string& id : ids) {
    const MethodInfo& info = method_registry().info(id);
    listing.rows.add({id, signature(id, info.parameters), info.kind, info.summary});
  }
  return listing;
}

Listing methods() { return methods_of(method_registry().ids()); }

/// Members of families one by one, since their tags differ.
Listing tagged(const std::string& expression) {
  ReportRows rows({{"id", "-"}, {"call", ""}, {"kind", ""}, {"summary", ""}, {"tags", "-"}});
  for (const std::string& call : select_methods(expression, "--tag")) {
    const MethodInfo& info = method_registry().info(parse_call(call, "method").id);
    ReportRows::Json values = ReportRows::Json::object();
    for (const auto& [name, value] : tag_values(call)) {
      if (!find_tag(name)->is_number)
        values[name] = value == 1;
      else
        values[name] = std::isinf(value) ? ReportRows::Json("unbounded") : ReportRows::Json(value);
    }
    rows.add({info.id, call, info.kind, info.summary, values});
  }
  return {rows, {}};
}

Listing all_tags() {
  ReportRows rows({{"tag", ""}, {"kind", ""}, {"meaning", ""}});
  for (const Tag& tag : tags())
    rows.add({tag.name, tag.is_number ? "number" : "property", tag.meaning});
  return {rows, {}};
}

Listing problems() {
  ReportRows rows({{"id", "-"}, {"call", ""}, {"summary", ""}, {"source", "-"}});
  for (const std::string& id : problem_registry().ids()) {
    const ProblemInfo& info = problem_registry().info(id);
    rows.add({id, signature(id, info.parameters), info.summary, with_citations(info.source)});
  }
  return {rows, {}};
}

Listing all_formulations() {
  ReportRows rows({{"id", "-"}, {"call", ""}, {"summary", ""}, {"index", "-"}});
  for (const FormulationInfo& info : formulations())
    rows.add({info.id, signature(info.id, info.parameters), info.summary, info.index});
  return {rows, {}};
}

Listing settings() {
  ReportRows rows({{"key", ""}, {"accepted", ""}, {"default", "-"}, {"", ""}, {"meaning", ""}});
  for (const SettingInfo& info : setting_infos())
    rows.add({info.key, info.accepted, info.fallback, "default " + info.fallback, info.meaning});
  return {rows, {}};
}

Listing experiments() {
  Listing listing{
      ReportRows(
          {{"id", ""}, {"paper", "-"}, {"kind", ""}, {"cells", "-"}, {"", ""}, {"title", ""}}),
      {}};
  const auto folder = source_root() / "experiments";
  for (const std::string& paper : paper_ids(folder)) {
    try {
      for (const ItemSpec& item : read_book(folder, paper).items) {
        const std::size_t cells = cells_of(item).size();
        listing.rows.add(
            {paper + "/" + item.id, paper, item.kind, cells, counted(cells, "cell"), item.title});
      }
    } catch (const BadInput& fault) {  // of this paper only
      listing.faults.emplace_back(fault.what());
    }
  }
  return listing;
}

/// What a cell of an experiment can be, the keys it reads and what it measures.
Listing cells() {
  using Texts = std::vector<std::string>;
  ReportRows rows(
      {{"kind", "kind"},
       {"keys", "keys (! required)"},
       {"measures", "measures [unit, ?: by the problem] (some: with some of the keys)"}});
  for (const std::string& id : cell_kinds().ids()) {
    const CellKind& kind = cell_kinds().at(id);
    Texts keys, measures;
    for (const CellKey& key : kind.keys) keys.push_back(key.name + (key.required ? "!" : ""));
    for (const CellMeasure& measure : kind.measures)
      measures.push_back(std::regex_replace(measure.pattern, std::regex(","), ", ") +
                         (measure.unit.empty() ? "" : " [" + measure.unit + "]") +
                         (measure.when == nullptr ? "" : " (some)"));
    rows.add({id, fmt::format("{}", fmt::join(keys, ", ")),
              fmt::format("{}", fmt::join(measures, ", "))});
  }
  return {rows, {}};
}

struct Kind {
  const char* name;
  Listing (*list)();
};
constexpr Kind kinds[] = {
    {"methods", methods},   {"problems", problems}, {"formulations", all_formulations},
    {"settings", settings}, {"tags", all_tags},     {"experiments", experiments},
    {"kinds", cells}};

struct ListOptions {
  std::string what, tag;
  bool all = false;
};

std::vector<std::string> names_of_kinds() {
  std::vector<std::string> names;
  for (const Kind& kind : kinds) names.emplace_back(kind.name);
  return names;
}

void declare(OptionSet& app, ListOptions& options) {
  const std::vector<std::string> names = names_of_kinds();
  app.add_option("what", options.what, "WHAT",
                 fmt::format("what to list: {}", fmt::join(names, ", ")))
      ->one_of(names);
  app.add_option("--tag", options.tag, "EXPR",
                 "only methods with these tags, 'esdirk & L_stable & order>=3' (daemark list "
                 "tags)");
  app.add_flag("--all", options.all, "include the library of published tableaus")
      ->excludes("--tag");
}

Report list(const ListOptions& options, std::ostream&, std::ostream& err) {
  if (options.what.empty())
    throw BadInput(
        fmt::format("what to list is missing; accepted: {}", fmt::join(names_of_kinds(), ", ")));
  if ((!options.tag.empty() || options.all) && options.what != "methods")
    throw BadInput(
        "--tag and --all go with methods; accepted: daemark list methods --tag EXPR|--all");
  const Kind* const kind = std::find_if(std::begin(kinds), std::end(kinds),
                                        [&](const Kind& k) { return k.name == options.what; });
  const Listing listing = options.all           ? methods_of(method_registry().all_ids())
                          : options.tag.empty() ? kind->list()
                                                : tagged(options.tag);
  for (const std::string& fault : listing.faults)
    err << "daemark list: " << one_line(fault) << "\n";
  Report report;
  report.array(listing.rows, 0);
  report.status = listing.faults.empty() ? 0 : 2;
  return report;
}

}  // namespace

void register_list(Verbs& verbs) {
  verbs.add<ListOptions>({"list", VerbGroup::look,
                          "the methods, problems, formulations, settings, tags, experiments or "
                          "kinds of cells there are",
                          "daemark list methods"},
                         declare, list);
}

}  // namespace daemark
