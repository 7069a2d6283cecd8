// daemark list methods|problems|formulations|settings|tags|experiments
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>

#include "analysis/tags/tag_expression.hpp"
#include "analysis/tags/tags.hpp"
#include "base/program/paths.hpp"
#include "base/text/counted.hpp"
#include "base/text/near.hpp"
#include "experiments/bibliography/bibliography.hpp"
#include "experiments/cli/common_options.hpp"
#include "experiments/cli/verb.hpp"
#include "experiments/engine/write/book.hpp"
#include "experiments/terminal/text.hpp"
#include "methods/catalogue/registry.hpp"
#include "problems/formulations/formulation.hpp"
#include "problems/system/registry.hpp"

namespace daemark {
namespace {

using nlohmann::ordered_json;

/// What `list` prints: JSON objects for programs, lines for readers.
struct Listing {
  ordered_json json = ordered_json::array();
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> faults;  ///< of what cannot be listed
  void add(const std::vector<std::string>& row, ordered_json entry) {
    rows.push_back(row);
    json.push_back(std::move(entry));
  }
};

Listing methods_of(const std::vector<std::string>& ids) {
  Listing listing;
  for (const std::string& id : ids) {
    const MethodInfo& info = method_registry().info(id);
    const std::string call = signature(id, info.parameters);
    listing.add({call, info.kind, info.summary},
                {{"id", id}, {"call", call}, {"kind", info.kind}, {"summary", info.summary}});
  }
  return listing;
}

Listing methods() { return methods_of(method_registry().ids()); }

/// Members of families one by one, since their tags differ.
Listing tagged(const std::string& expression) {
  Listing listing;
  for (const std::string& call : select_methods(expression, "--tag")) {
    const MethodInfo& info = method_registry().info(parse_call(call, "method").id);
    ordered_json values = ordered_json::object();
    for (const auto& [name, value] : tag_values(call)) {
      if (!find_tag(name)->is_number)
        values[name] = value == 1;
      else
        values[name] = std::isinf(value) ? ordered_json("unbounded") : ordered_json(value);
    }
    listing.add({call, info.kind, info.summary}, {{"id", info.id},
                                                  {"call", call},
                                                  {"kind", info.kind},
                                                  {"summary", info.summary},
                                                  {"tags", values}});
  }
  return listing;
}

Listing all_tags() {
  Listing listing;
  for (const Tag& tag : tags()) {
    const char* use = tag.is_number ? "number" : "property";
    listing.add({tag.name, use, tag.meaning},
                {{"tag", tag.name}, {"kind", use}, {"meaning", tag.meaning}});
  }
  return listing;
}

Listing problems() {
  Listing listing;
  for (const std::string& id : problem_registry().ids()) {
    const ProblemInfo& info = problem_registry().info(id);
    const std::string call = signature(id, info.parameters);
    listing.add({call, info.summary}, {{"id", id},
                                       {"call", call},
                                       {"summary", info.summary},
                                       {"source", with_citations(info.source)}});
  }
  return listing;
}

Listing all_formulations() {
  Listing listing;
  for (const FormulationInfo& info : formulations()) {
    const std::string call = signature(info.id, info.parameters);
    listing.add(
        {call, info.summary},
        {{"id", info.id}, {"call", call}, {"summary", info.summary}, {"index", info.index}});
  }
  return listing;
}

Listing settings() {
  Listing listing;
  for (const SettingInfo& info : setting_infos())
    listing.add({info.key, info.accepted, "default " + info.fallback, info.meaning},
                {{"key", info.key},
                 {"accepted", info.accepted},
                 {"default", info.fallback},
                 {"meaning", info.meaning}});
  return listing;
}

Listing experiments() {
  Listing listing;
  const auto folder = source_root() / "experiments";
  const auto add = [&](const std::string& paper, const ItemSpec& item) {
    const std::string id = paper + "/" + item.id;
    const std::size_t cells = cells_of(item).size();
    listing.add({id, item.kind, counted(cells, "cell"), item.title}, {{"id", id},
                                                                      {"paper", paper},
                                                                      {"kind", item.kind},
                                                                      {"cells", cells},
                                                                      {"title", item.title}});
  };
  for (const std::string& id : paper_ids(folder)) {
    try {
      for (const ItemSpec& item : read_book(folder, id).items) add(id, item);
    } catch (const BadInput& fault) {  // of this paper only
      listing.faults.emplace_back(fault.what());
    }
  }
  return listing;
}

struct Kind {
  const char* name;
  Listing (*list)();
};
constexpr Kind kinds[] = {
    {"methods", methods},   {"problems", problems}, {"formulations", all_formulations},
    {"settings", settings}, {"tags", all_tags},     {"experiments", experiments}};

}  // namespace

VerbAction declare_list(OptionSet& app) {
  struct Options {
    std::string what, tag;
    bool all = false, json = false;
  };
  auto options = std::make_shared<Options>();
  app.add_option("what", options->what, "WHAT",
                 "methods, problems, formulations, settings, tags, experiments");
  app.add_option("--tag", options->tag, "EXPR",
                 "of methods: those of which it holds, 'esdirk & L_stable & order>=3' "
                 "(daemark list tags)");
  app.add_flag("--all", options->all, "of methods: the library of tableaus too");
  add_json_flag(app, options->json);
  return [options](std::ostream& out, std::ostream& err) {
    std::vector<std::string> names;
    for (const Kind& kind : kinds) {
      names.emplace_back(kind.name);
      if (options->what != kind.name) continue;
      if ((!options->tag.empty() || options->all) && kind.list != methods)
        throw BadInput(
            "--tag and --all go with methods; accepted: daemark list methods --tag EXPR|--all");
      if (!options->tag.empty() && options->all)
        throw BadInput("--all and --tag exclude each other; accepted: one of them");
      const Listing listing = options->all           ? methods_of(method_registry().all_ids())
                              : options->tag.empty() ? kind.list()
                                                     : tagged(options->tag);
      out << (options->json ? listing.json.dump(2) + "\n" : columns(listing.rows, 0));
      for (const std::string& fault : listing.faults)
        err << "daemark list: " << one_line(fault) << "\n";
      return listing.faults.empty() ? 0 : 2;
    }
    if (options->what.empty())
      throw BadInput(fmt::format("what to list is missing; accepted: {}", fmt::join(names, ", ")));
    throw BadInput(fmt::format("'{}' cannot be listed{}; accepted: {}", options->what,
                               did_you_mean(options->what, names), fmt::join(names, ", ")));
  };
}

}  // namespace daemark
