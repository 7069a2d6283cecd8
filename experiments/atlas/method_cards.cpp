#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "analysis/exact/proof/certificate.hpp"
#include "analysis/orders/expected_orders.hpp"
#include "analysis/tags/proved.hpp"
#include "analysis/tags/tags.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/shell_word.hpp"
#include "experiments/atlas/card_html.hpp"
#include "experiments/atlas/card_names.hpp"
#include "experiments/atlas/cards.hpp"
#include "experiments/atlas/formula_html.hpp"
#include "experiments/atlas/linear_pictures.hpp"
#include "experiments/bibliography/bibliography.hpp"
#include "methods/catalogue/registry.hpp"

namespace daemark {
namespace {

const MethodInfo& info_of(const std::string& call) {
  return method_registry().info(parse_call(call, "method").id);
}

std::string shown(const nlohmann::ordered_json& value) {
  constexpr std::size_t longest = 60;
  std::string text = value.is_string()         ? value.get<std::string>()
                     : value.is_boolean()      ? (value.get<bool>() ? "yes" : "no")
                     : value.is_number_float() ? fmt::format("{:.10g}", value.get<double>())
                                               : value.dump();
  if (text.size() > longest) text = text.substr(0, longest) + " … (in the certificate)";
  return text;
}

std::string yes_no(const std::optional<bool>& value) {
  return value ? (*value ? "yes" : "no") : "undecided";
}

PageData proved_data(const std::string& call, const CardSources& sources, const PageFrame& page) {
  const exact::CatalogueLine& line = proved(call);
  std::vector<std::vector<std::string>> rows = {
      {"verdict", line.verdict}, {"order", line.order ? std::to_string(*line.order) : "undecided"}};
  if (line.has_stages)
    rows.push_back(
        {"stage order", line.stage_order ? std::to_string(*line.stage_order) : "undecided"});
  rows.push_back({"A-stable", yes_no(line.a_stable)});
  rows.push_back({"L-stable", yes_no(line.l_stable)});
  // By name, whether they come from a proof or from the catalogue's file.
  if (const nlohmann::json facts = line.facts; facts.is_object())
    for (const auto& [key, value] : facts.items())
      if (!value.is_null()) {
        const std::string name = spaced(key);
        rows.push_back({name == "A alpha" ? "A(α), α in degrees" : name, shown(value)});
      }
  const std::string certificate = "certificates/" + exact::certificate_name(call);
  const bool there = std::filesystem::exists(sources.results / certificate);
  return {{"class", "facts"},         {"flat", true},
          {"rows", table_rows(rows)}, {"failures", {{"lines", line.failures}}},
          {"lines", line.notes},      {"certificate", there ? page.link(certificate) : ""}};
}

/// A cell with how many there are.
PageData median(std::vector<double> values) {
  if (values.empty()) return {{"text", ""}};
  std::sort(values.begin(), values.end());
  const std::string text = fmt::format("{:.1f}", values[values.size() / 2]);
  return {{"text", text == "-0.0" ? "0.0" : text}, {"note", fmt::format("({})", values.size())}};
}

std::string order_text(const std::optional<int>& order, bool at_least = false) {
  return order ? (at_least ? "≥ " : "") + std::to_string(*order) : "";
}

PageData orders_data(const std::string& call, const CardSources& sources) {
  PageData heads = {"formulation"}, rows = PageData::array();
  const auto found = sources.places.observed.find(call);
  const bool any_seen = found != sources.places.observed.end();
  for (const char* part : {"q", "v", "λ"}) {
    heads.push_back(std::string(part) + " expected");
    if (any_seen) heads.push_back("observed");
  }
  heads.push_back("why");
  for (const char* formulation : {"index1", "index2", "index3", "ggl"}) {
    const MethodPlaces::Observed* seen = nullptr;
    if (any_seen)
      for (const auto& observed : found->second)
        if (observed.formulation == formulation) seen = &observed;
    ExpectedOrders expected;
    try {
      if (method_registry().make(call)->refusal(Formulation::parse(formulation).info).empty())
        expected = slopes_expected(call, formulation);
      else if (!seen)
        continue;
    } catch (const BadInput&) {
      continue;
    }
    PageData cells = {{{"head", true}, {"text", formulation}}};
    const std::string wanted[] = {order_text(expected.q, expected.q_at_least),
                                  order_text(expected.v), order_text(expected.lambda)};
    for (int part = 0; part < 3; ++part) {
      cells.push_back({{"text", wanted[part]}});
      if (any_seen) cells.push_back(median(seen ? seen->slopes[part] : std::vector<double>()));
    }
    cells.push_back({{"text", expected.reason}});
    rows.push_back({{"cells", cells}});
  }
  if (rows.empty()) return {};
  return {{"flat", true}, {"heads", heads}, {"rows", rows}, {"observed", any_seen}};
}

PageData place_data(const std::string& call, const CardSources& sources) {
  const auto found = sources.places.places.find(call);
  if (found == sources.places.places.end()) return {};
  std::vector<std::vector<std::string>> rows;
  for (const MethodPlaces::Place& place : found->second)
    rows.push_back(
        {place.formulation, place.accuracy, place.name,
         fmt::format("{} of {}", place.spread.reached, place.spread.of),
         std::to_string(place.spread.quartile(0)), std::to_string(place.spread.quartile(2)),
         std::to_string(place.spread.quartile(4)), fmt::format("{:.2f}", place.spread.area)});
  const auto fronts = sources.places.fronts.find(call);
  return {{"class", "sortable"},
          {"heads",
           {"formulation", "accuracy", "sweep", "reached", "best rank", "middle", "worst",
            "profile area"}},
          {"rows", table_rows(rows)},
          {"fronts", fronts == sources.places.fronts.end()
                         ? ""
                         : fmt::format("{}", fmt::join(fronts->second, "; "))}};
}

/// What is wrong in its source.
std::vector<std::string> errata_of(const MethodInfo& info, const CardSources& sources) {
  std::vector<std::string> lines;
  for (const exact::Erratum& erratum : sources.errata)
    if (erratum.paper == info.source.key && erratum.kind == exact::ErratumKind::wrong)
      lines.push_back(erratum.place + ": " + erratum.condition);
  return lines;
}

}  // namespace

MethodPlaces::MethodPlaces(const AtlasBook& book) {
  for (const RankTable& table : rank_tables(book.fields))
    for (const RankSpread& spread : table.methods)
      places[method_of(spread.method)].push_back(
          {table.formulation, atlas_accuracies()[table.k].name(), spread.method, spread});
  for (const Compared& one : book.fields) {
    const std::string id = parse_call(one.field.motion.problem, "problem").id;
    for (const CompareLine* line : front_of(one, 0))
      fronts[method_of(line->method)].push_back(id + ", " + one.field.formulation);
    for (const CompareLine& line : one.lines) {
      std::vector<Observed>& all = observed[method_of(line.method)];
      auto at = std::find_if(all.begin(), all.end(), [&](const Observed& o) {
        return o.formulation == one.field.formulation;
      });
      if (at == all.end()) at = all.insert(all.end(), Observed{one.field.formulation, {}});
      for (int part = 0; part < 3; ++part)
        if (std::isfinite(line.slope[static_cast<std::size_t>(part)]))
          at->slopes[part].push_back(line.slope[static_cast<std::size_t>(part)]);
    }
  }
}

std::string method_card_page(const std::string& call, const CardSources& sources) {
  const MethodInfo& info = info_of(call);
  const PageFrame page{method_card(call), call};
  const std::string source = citation(info.source.key, info.source.where);
  const PageData place = place_data(call, sources);
  const char* unplaced = info.library
                             ? "Of the library, whose tableaus run where they are named: the atlas "
                               "has them where it is asked for them."
                             : "The atlas holds no sweep of it yet.";
  const std::vector<std::string> errata = errata_of(info, sources);
  return card_page(
      page, "method",
      {{"call", call},
       {"word", shell_word(call)},
       {"summary", info.summary.empty() ? info.kind : info.summary},
       {"kind", info.kind},
       {"tags", tags_of(call)},
       {"source", source.empty() ? "" : with_citations(source)},
       {"lines", source.empty() ? std::vector<std::string>() : full_references(source)},
       {"formula", method_formula(call)},
       {"proved", proved_data(call, sources, page)},
       {"linear", linear_pictures(call)},
       {"orders", orders_data(call, sources)},
       {"place", place},
       {"unplaced", place.is_null() ? unplaced : ""},
       {"errata", errata.empty() ? PageData() : PageData{{"lines", errata}}}});
}

std::string methods_page() {
  const PageFrame page{"methods/index.html", "daemark: methods"};
  PageData rows = PageData::array();
  for (const std::string& call : carded_methods()) {
    std::vector<std::string> texts = proved(call).cells();
    texts.front() = "`" + call + "`";
    texts.insert(texts.begin() + 1,
                 {family_names[static_cast<std::size_t>(family_of(call))], info_of(call).summary});
    rows.push_back(table_rows({texts}).front());
    rows.back()["method"] = call;
    rows.back()["cells"][0]["link"] = page.link(method_card(call));
  }
  return card_page(page, "methods",
                   {{"class", "sortable"},
                    {"flat", true},
                    {"anchor", "methods"},
                    {"heads",
                     {"method", "family", "what it is", "order", "stage order", "A-stable",
                      "L-stable", "verdict"}},
                    {"rows", rows}});
}

}  // namespace daemark
