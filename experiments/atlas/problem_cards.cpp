#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/linear/mode_table.hpp"
#include "analysis/reference/no_reference.hpp"
#include "analysis/reference/reference.hpp"
#include "analysis/report/animation.hpp"
#include "analysis/report/figure_svg.hpp"
#include "analysis/report/mathml.hpp"
#include "analysis/roots/eigenvalues.hpp"
#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/atlas/atlas_files.hpp"
#include "experiments/atlas/card_html.hpp"
#include "experiments/atlas/card_names.hpp"
#include "experiments/atlas/cards.hpp"
#include "experiments/atlas/formula_html.hpp"
#include "experiments/cells/support/problem_shape.hpp"
#include "problems/system/registry.hpp"

namespace daemark {
namespace {

std::string equations_section(const ReportProblem& problem) {
  const auto shape = problem_shape(problem.id);
  std::string text = "<div class=\"scroll flat\" tabindex=\"0\"><p>" +
                     mathml_sentence(problem.equations) + "</p></div>\n";
  text += fmt::format("<p class=\"soft\">{} coordinates, {} constraints, in ",
                      shape->coordinates.size(), shape->constraints);
  text += "the form that every mechanism here has, on index 3, 2 and 1:</p>\n";
  for (const char* formulation : {"index3", "index2", "index1"})
    text += formulation_formula(formulation);
  return text;
}

/// The modes where the motion begins.
std::string frequencies_section(const std::string& id) {
  constexpr std::size_t most = 12;
  try {
    ModeRequest request;
    request.problem = id;
    const ModeTable table = mode_table(request);
    if (table.modes.empty()) return "";
    std::string text =
        "<div class=\"scroll flat\" tabindex=\"0\"><table><thead><tr><th>mode</th><th>frequency "
        "[rad/s]</th><th>damping</th></tr></thead><tbody>\n";
    for (std::size_t k = 0; k < std::min(most, table.modes.size()); ++k)
      text += fmt::format("<tr><td>{}</td><td>{:.5g}</td><td>{:.3g}</td></tr>\n", k + 1,
                          table.modes[k].frequency(),
                          table.modes[k].frequency() > 0 ? table.modes[k].damping() : 0.0);
    text += "</tbody></table></div>\n";
    if (table.modes.size() > most)
      text += fmt::format("<p class=\"soft\">{} modes in all, the highest of {:.5g} rad/s.</p>\n",
                          table.modes.size(), table.highest);
    if (table.acceleration > 0)
      text +=
          "<p class=\"soft\">Linearised where the motion begins, which is no equilibrium: the "
          "modes depend on the choice of coordinates.</p>\n";
    return text + html_command("daemark analyse --problem " + id);
  } catch (const BadInput&) {
  } catch (const NoReference&) {
  } catch (const NumericalFailure&) {
  }
  return "";
}

/// Published states, of which nothing has to be computed.
std::string reference_section(const std::string& id, const std::vector<PublishedState>& published) {
  const std::string name = problem_shape(id)->name;
  std::string rows;
  for (const PublishedState& state : published) {
    if (state.problem != name || !state.is_current) continue;
    const std::vector<ReferenceState> known =
        reference_states(problem_registry().make(id), {state.t}, 1, false, false);
    rows +=
        fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n", escape_xml(state.t),
                    known.front().agreed_digits, escape_xml(known.front().first_route),
                    escape_xml(known.front().second_route));
  }
  if (problem_shape(id)->closed_form)
    rows += "<tr><td>any</td><td>50</td><td>closed form</td><td></td></tr>\n";
  if (rows.empty()) return "";
  return "<div class=\"scroll flat\" tabindex=\"0\"><table><thead><tr><th>t [s]</th><th>digits "
         "that "
         "agree</th><th>first route</th><th>second route</th></tr></thead><tbody>\n" +
         rows + "</tbody></table></div>\n" + html_command("daemark reference " + id + " --t 1");
}

std::string best_section(const std::string& id, const CardSources& sources, const PageFrame& page) {
  std::string rows;
  for (const Compared& one : sources.book.fields) {
    if (parse_call(one.field.motion.problem, "problem").id != id) continue;
    rows += "<tr><th scope=\"row\">" + escape_xml(one.field.formulation) + "</th>";
    for (std::size_t k = 0; k < 3; ++k) {
      std::string best;
      for (const CompareLine* line : one.by_rank(k)) {
        const std::string card = method_card(method_of(line->method));
        best = (card.empty()
                    ? escape_xml(line->name())
                    : "<a href=\"" + page.link(card) + "\">" + escape_xml(line->name()) + "</a>") +
               " " + line->reached[k]->text();
        break;
      }
      rows += "<td>" + (best.empty() ? "nobody" : best) + "</td>";
    }
    rows += "</tr>\n";
  }
  if (rows.empty()) return "";
  return "<div class=\"scroll flat\" "
         "tabindex=\"0\"><table><thead><tr><th>formulation</th><th>least "
         "work for q to 1e-3</th><th>1e-6</th><th>1e-9</th></tr></thead><tbody>\n" +
         rows + "</tbody></table></div>\n<p class=\"files\"><a href=\"" +
         page.link("atlas/" + id + ".html") + "\">every method on it</a></p>\n";
}

std::string python_section(const std::string& id) {
  return "<div class=\"scroll flat\" tabindex=\"0\"><pre><code>import daemark\np = "
         "daemark.Problem(\"" +
         id +
         "\", \"index2\")\nt, y, yp = p.initial()\nr = p.residual(t, y, yp)\n"
         "p.reference(1.0)     # q, v, lambda_, digits; None where none is "
         "published</code></pre>\n";
}

}  // namespace

std::string problem_card_page(const ReportProblem& problem, const CardSources& sources) {
  const PageFrame page{problem_card(problem.id), problem.id, true};
  std::string text = html_head(card_bar(), page) + "<style>" + kAnimationStyle +
                     "</style>\n<main class=\"wide\">\n<h1><code>" + escape_xml(problem.id) +
                     "</code></h1>\n<p class=\"lead\">" + html_text(problem.summary) + "</p>\n";
  const std::string moving = animation_figure(problem.animation);
  if (!moving.empty())
    text += moving + "<p class=\"soft\">" + html_text(problem.caption) + "</p>\n" +
            html_command(problem.command);
  text += card_section("Equations", equations_section(problem));
  std::string data;
  for (const auto& [name, value, unit, source] : problem.data)
    data += "<tr><th scope=\"row\">" + html_text(name) + "</th><td>" + html_text(value) +
            "</td><td>" + html_text(unit) + "</td><td>" + html_text(source) + "</td></tr>\n";
  if (!data.empty())
    text +=
        card_section("Parameters",
                     "<div class=\"scroll flat\" tabindex=\"0\"><table><thead><tr><th>name</th><th>"
                     "value</th><th>unit</th><th>source</th></tr></thead><tbody>\n" +
                         data + "</tbody></table></div>\n");
  text += card_section(
      "Source", "<p>" + html_text(problem.source) + "</p>\n" + html_list("", problem.references));
  text += card_section("Reference", reference_section(problem.id, sources.published));
  text += card_section("Frequencies", frequencies_section(problem.id));
  text += card_section("Best methods", best_section(problem.id, sources, page));
  text += card_section("From Python", python_section(problem.id));
  text += "<p class=\"files\"><a href=\"" + page.link("problems/index.html") +
          "\">all problems</a></p>\n" + html_command("daemark show " + problem.id);
  return text + "</main>\n<script>" + kAnimationScript + "</script>\n" + html_foot(page);
}

}  // namespace daemark
