#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "analysis/exact/proof/certificate.hpp"
#include "analysis/orders/expected_orders.hpp"
#include "analysis/report/figure_svg.hpp"
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

std::string td(const std::string& text) { return "<td>" + text + "</td>"; }

const MethodInfo& info_of(const std::string& call) {
  return method_registry().info(parse_call(call, "method").id);
}

std::string tag_list(const std::string& call) {
  std::string text = "<ul class=\"tags\">";
  for (const std::string& tag : tags_of(call)) text += "<li>" + escape_xml(tag) + "</li>";
  return text + "</ul>\n";
}

std::string shown(const nlohmann::ordered_json& value) {
  constexpr std::size_t longest = 60;
  std::string text = value.is_string()         ? value.get<std::string>()
                     : value.is_boolean()      ? (value.get<bool>() ? "yes" : "no")
                     : value.is_number_float() ? fmt::format("{:.10g}", value.get<double>())
                                               : value.dump();
  if (text.size() > longest) text = text.substr(0, longest) + " … (in the certificate)";
  return escape_xml(text);
}

std::string yes_no(const std::optional<bool>& value) {
  return value ? (*value ? "yes" : "no") : "undecided";
}

std::string proved_section(const std::string& call, const CardSources& sources,
                           const PageFrame& page) {
  const exact::CatalogueLine& line = proved(call);
  std::string text = "<div class=\"scroll flat\" tabindex=\"0\"><table class=\"facts\"><tbody>\n";
  const auto row = [&](const std::string& name, const std::string& value) {
    text += "<tr><th scope=\"row\">" + escape_xml(name) + "</th>" + td(value) + "</tr>\n";
  };
  row("verdict", escape_xml(line.verdict));
  row("order", line.order ? std::to_string(*line.order) : "undecided");
  if (line.has_stages)
    row("stage order", line.stage_order ? std::to_string(*line.stage_order) : "undecided");
  row("A-stable", yes_no(line.a_stable));
  row("L-stable", yes_no(line.l_stable));
  // By name, whether they come from a proof or from the catalogue's file.
  if (const nlohmann::json facts = line.facts; facts.is_object())
    for (const auto& [key, value] : facts.items())
      if (!value.is_null()) {
        std::string name = key;
        std::replace(name.begin(), name.end(), '_', ' ');
        row(name == "A alpha" ? "A(α), α in degrees" : name, shown(value));
      }
  text += "</tbody></table></div>\n" + html_list("", line.failures) +
          "<details open><summary>What the proof says</summary>" + html_list("", line.notes) +
          "</details>\n";
  const std::string certificate = "certificates/" + exact::certificate_name(call);
  if (std::filesystem::exists(sources.results / certificate))
    text +=
        "<p class=\"files\"><a href=\"" + page.link(certificate) +
        "\">certificate</a> <span class=\"soft\">checked again by daemark_checker, a program of "
        "its own</span></p>\n";
  return text + html_command("daemark verify " + shell_word(call));
}

std::string median(std::vector<double> values) {
  if (values.empty()) return "";
  std::sort(values.begin(), values.end());
  const std::string text = fmt::format("{:.1f}", values[values.size() / 2]);
  return fmt::format("{} <span class=\"soft\">({})</span>", text == "-0.0" ? "0.0" : text,
                     values.size());
}

std::string order_text(const std::optional<int>& order, bool at_least = false) {
  return order ? (at_least ? "≥ " : "") + std::to_string(*order) : "";
}

std::string orders_section(const std::string& call, const CardSources& sources) {
  std::string rows;
  const auto found = sources.places.observed.find(call);
  const bool any_seen = found != sources.places.observed.end();
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
    rows += fmt::format("<tr><th scope=\"row\">{}</th>", formulation);
    const std::string wanted[] = {order_text(expected.q, expected.q_at_least),
                                  order_text(expected.v), order_text(expected.lambda)};
    for (int part = 0; part < 3; ++part)
      rows += td(wanted[part]) + (any_seen ? td(seen ? median(seen->slopes[part]) : "") : "");
    rows += td(escape_xml(expected.reason)) + "</tr>\n";
  }
  if (rows.empty()) return "";
  std::string head = "<th>formulation</th>";
  for (const char* part : {"q", "v", "λ"})
    head += std::string("<th>") + part + " expected</th>" + (any_seen ? "<th>observed</th>" : "");
  return "<div class=\"scroll flat\" tabindex=\"0\"><table><thead><tr>" + head +
         "<th>why</th></tr></thead><tbody>\n" + rows + "</tbody></table></div>\n" +
         (any_seen
              ? "<p class=\"soft\">Observed: the middle of the slopes over the problems of the "
                "atlas where they settle (how many).</p>\n"
              : "");
}

std::string place_section(const std::string& call, const CardSources& sources,
                          const PageFrame& page) {
  const auto found = sources.places.places.find(call);
  if (found == sources.places.places.end())
    return std::string("<p class=\"soft\">") +
           (info_of(call).library ? "Of the library, whose tableaus run where they are named: the "
                                    "atlas has them where it is asked for them."
                                  : "The atlas holds no sweep of it yet.") +
           "</p>" + html_command("daemark compare " + shell_word(call));
  std::string text =
      "<div class=\"scroll\" tabindex=\"0\"><table "
      "class=\"sortable\"><thead><tr><th>formulation</th>"
      "<th>accuracy</th><th>sweep</th><th>reached</th><th>best rank</th><th>middle</th><th>worst"
      "</th><th>profile area</th></tr></thead><tbody>\n";
  for (const MethodPlaces::Place& place : found->second)
    text += fmt::format(
        "<tr><td>{}</td><td>{}</td><td>{}</td><td>{} of {}</td><td>{}</td><td>{}"
        "</td><td>{}</td><td>{:.2f}</td></tr>\n",
        escape_xml(place.formulation), escape_xml(place.accuracy), escape_xml(place.name),
        place.spread.reached, place.spread.of, place.spread.quartile(0), place.spread.quartile(2),
        place.spread.quartile(4), place.spread.area);
  text += "</tbody></table></div>\n";
  const auto fronts = sources.places.fronts.find(call);
  if (fronts != sources.places.fronts.end())
    text += fmt::format("<p>On the front that nobody beats, for q: {}.</p>\n",
                        escape_xml(fmt::format("{}", fmt::join(fronts->second, "; "))));
  return text + "<p class=\"files\"><a href=\"" + page.link("atlas/index.html") +
         "\">the atlas</a></p>\n" + html_command("daemark compare " + shell_word(call));
}

std::string errata_section(const MethodInfo& info, const CardSources& sources,
                           const PageFrame& page) {
  std::vector<std::string> lines;
  for (const exact::Erratum& erratum : sources.errata)
    if (erratum.paper == info.source.key && erratum.kind == exact::ErratumKind::wrong)
      lines.push_back(erratum.place + ": " + erratum.condition);
  if (lines.empty()) return "";
  return "<p>Wrong in its source:</p>" + html_list("", lines) + "<p class=\"files\"><a href=\"" +
         page.link("errata/index.html") + "\">all errata</a></p>\n";
}

std::string source_lines(const MethodInfo& info) {
  const std::string source = citation(info.source.key, info.source.where);
  if (source.empty()) return "";
  return "<p>" + html_text(with_citations(source)) + "</p>\n" +
         html_list("", full_references(source));
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
  const PageFrame page{method_card(call), call, true};
  std::string text = html_head(card_bar(), page) + "<main class=\"wide\">\n<h1><code>" +
                     escape_xml(call) + "</code></h1>\n<p class=\"lead\">" +
                     html_text(info.summary.empty() ? info.kind : info.summary) + "</p>\n";
  text += "<p class=\"soft\">" + escape_xml(info.kind) + " · <a href=\"" +
          page.link("methods/index.html") + "\">all methods</a></p>\n" + tag_list(call) +
          source_lines(info) + html_command("daemark show " + shell_word(call));
  text += card_section("Formula", method_formula(call));
  text += card_section("Proved", proved_section(call, sources, page));
  text += card_section("On linear equations", linear_pictures(call));
  text += card_section("Orders on constrained systems", orders_section(call, sources));
  text += card_section("Place in the atlas", place_section(call, sources, page));
  text += card_section("Errata", errata_section(info, sources, page));
  return text + "</main>\n" + html_foot(page);
}

std::string methods_page() {
  const PageFrame page{"methods/index.html", "daemark: methods", true};
  std::string rows;
  for (const std::string& call : carded_methods()) {
    const exact::CatalogueLine& line = proved(call);
    const std::vector<std::string> cells = line.cells();
    rows += "<tr data-m=\"" + escape_xml(call) + "\"><td><a href=\"" +
            page.link(method_card(call)) + "\"><code>" + escape_xml(call) + "</code></a></td>" +
            td(escape_xml(family_names[static_cast<std::size_t>(family_of(call))])) +
            td(html_text(info_of(call).summary));
    for (std::size_t k = 1; k < cells.size(); ++k) rows += td(escape_xml(cells[k]));
    rows += "</tr>\n";
  }
  return html_head(card_bar(), page) +
         "<main class=\"wide\">\n<h1>Methods</h1>\n<p class=\"lead\">Every member of the "
         "catalogue and of its library of published tableaus, with what is proved of it. The field "
         "takes words, or an expression of tags as "
         "<code>daemark list methods --tag</code> does.</p>\n<div class=\"block\">" +
         tagged_filter("methods") +
         "<div class=\"scroll flat\" tabindex=\"0\"><table class=\"sortable\" "
         "id=\"methods\"><thead><tr><th>method</th>"
         "<th>family</th><th>what it is</th><th>order</th><th>stage order</th><th>A-stable</th><th>"
         "L-stable</th><th>verdict</th></tr></thead><tbody>\n" +
         rows + "</tbody></table></div></div>\n" + html_command("daemark list tags") + "</main>\n" +
         html_foot(page);
}

}  // namespace daemark
