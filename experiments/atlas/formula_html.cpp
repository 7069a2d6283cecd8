#include <fmt/format.h>

#include <algorithm>

#include "analysis/orders/coefficient_text.hpp"
#include "analysis/orders/expected_orders.hpp"
#include "analysis/report/figure_plan.hpp"
#include "analysis/report/mathml.hpp"
#include "analysis/report/template.hpp"
#include "base/text/shell_word.hpp"
#include "experiments/atlas/cards.hpp"
#include "methods/catalogue/registry.hpp"
#include "methods/core/tableau.hpp"

namespace daemark {
namespace {

constexpr std::size_t most_stages = 8;  // a wider tableau is a file, not a picture

std::string mi(const char* name) { return fmt::format("<mi>{}</mi>", name); }
std::string mo(const char* name) { return fmt::format("<mo>{}</mo>", name); }
std::string sub(const std::string& base, const std::string& index) {
  const bool one = index.find("><") == std::string::npos;
  return "<msub>" + base + (one ? index : "<mrow>" + index + "</mrow>") + "</msub>";
}

/// A formula on a line of its own, which may be wider than the page.
std::string display(const std::string& elements) {
  return "<div class=\"scroll flat\" tabindex=\"0\">" + math(elements, true) + "</div>\n";
}

std::string typeset(const Expression& value) { return mathml(value); }
std::string typeset(const wide& value) {
  constexpr int digits = 16;
  const std::string text = coefficient_text(value, digits);
  return mathml_of(text).value_or("<mn>" + escape_xml(text) + "</mn>");
}

/// Each root of a polynomial that occurs gets a symbol, explained behind the text.
std::string with_named_roots(std::string text) {
  const std::string begin = "<mrow class=\"root\">", end = "<mo>)</mo></mrow>";
  std::vector<std::string> roots;
  const auto symbol = [](std::size_t k) {
    return fmt::format("<msub><mi>r</mi><mn>{}</mn></msub>", k + 1);
  };
  for (std::size_t at = text.find(begin); at != std::string::npos; at = text.find(begin, at)) {
    const std::size_t stop = text.find(end, at) + end.size();
    const std::string root = text.substr(at, stop - at);
    const auto known = std::find(roots.begin(), roots.end(), root);
    const auto k = static_cast<std::size_t>(known - roots.begin());
    if (known == roots.end()) roots.push_back(root);
    text.replace(at, root.size(), symbol(k));
  }
  for (std::size_t k = 0; k < roots.size(); ++k)
    text += "<p>" + math(symbol(k)) + ": " + math(roots[k]) + "</p>\n";
  return text;
}

template <class Number>
std::string tableau_html(const Tableau<Number>& tableau) {
  const auto& [A, b, c, embedded, dense] = tableau;
  std::string text = "<div class=\"scroll flat\" tabindex=\"0\"><table class=\"tableau\"><tbody>\n";
  const auto line = [&](const char* kind, const std::string& first,
                        const std::vector<Number>& values) {
    text += std::string("<tr") + kind + "><td>" + first + "</td>";
    for (const Number& value : values) text += "<td>" + math(typeset(value)) + "</td>";
    text += "</tr>\n";
  };
  for (std::size_t i = 0; i < A.size(); ++i) line("", math(typeset(c[i])), A[i]);
  line(" class=\"b\"", math(mi("b")), b);
  if (!embedded.empty())
    line(" class=\"b\"", math("<mover><mi>b</mi><mo>^</mo></mover>"), embedded);
  return with_named_roots(text + "</tbody></table></div>\n");
}

std::string export_line(const std::string& call, std::size_t stages) {
  return fmt::format(
      "<p>{} stages; the coefficients to any number of digits:</p>\n<code class=\"cmd\">daemark "
      "export-tableau {} --format json --digits 36</code>",
      stages, escape_xml(shell_word(call)));
}

std::string runge_kutta_html(const std::string& call, const Method& method) {
  const std::string text = fill_template("formula_runge_kutta", {});
  const WideTableau& values = *method.tableau();
  if (values.b.size() > most_stages) return text + export_line(call, values.b.size());
  const Coefficients* written = method.coefficients();
  if (written && parse_call(call, "method").arguments.empty())
    return text + tableau_html(tableau_of<Expression>(*written));
  return text + tableau_html(values);
}

/// Adds "± coefficient symbol" to a sum, nothing for 0; a 1 is left out before a symbol.
void add_term(std::string& sum, const Expression& coefficient, const std::string& symbol) {
  const bool is_rational = coefficient.is_rational();
  const rational value = is_rational ? coefficient.as_rational() : rational(1);
  if (value == 0) return;
  const rational size = abs(value);
  sum += value < 0 ? mo("−") : sum.empty() ? "" : mo("+");
  if (!is_rational)
    sum += mo("(") + mathml(coefficient) + mo(")");
  else if (size != 1 || symbol.empty())
    sum += mathml(Expression(size));
  sum += symbol;
}

/// Σ coefficient · symbol.
std::string combination(const std::vector<Expression>& values, const char* symbol) {
  std::string out;
  const std::size_t k = values.size() - 1;
  for (std::size_t j = values.size(); j-- > 0;) {
    const std::string index =
        j == k ? mi("n") : mi("n") + mo("−") + fmt::format("<mn>{}</mn>", k - j);
    add_term(out, values[j], sub(mi(symbol), index));
  }
  return out.empty() ? "<mn>0</mn>" : out;
}

std::string multistep_html(const Coefficients& formula) {
  return display(combination(formula.list("alpha"), "y") + mo("=") + mi("h") + mo("(") +
                 combination(formula.list("beta"), "f") + mo(")"));
}

std::string entry_html(const ExactSecondOrder::Entry& entry) {
  std::string out;
  add_term(out, Expression(entry.constant), "");
  add_term(out, Expression(entry.damping), mi("c"));
  add_term(out, Expression(entry.stiffness), mi("k"));
  return out.empty() ? "<mn>0</mn>" : "<mrow>" + out + "</mrow>";
}

std::string matrix_html(const ExactSecondOrder::Matrix& matrix) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& row : matrix) {
    rows.emplace_back();
    for (const auto& entry : row) rows.back().push_back(entry_html(entry));
  }
  return mathml_matrix(rows);
}

std::string structural_html(const ExactSecondOrder& step) {
  std::vector<std::vector<std::string>> memory;
  for (const std::string& name : step.memory)
    memory.push_back({mathml_of(name).value_or("<mtext>" + escape_xml(name) + "</mtext>")});
  const auto at = [&](const std::string& index) {
    return "<msub>" + mathml_matrix(memory) + "<mrow>" + index + "</mrow></msub>";
  };
  return fill_template("formula_structural", {}) +
         display(matrix_html(step.next) + at(mi("n") + mo("+") + "<mn>1</mn>") + mo("=") +
                 matrix_html(step.previous) + at(mi("n")));
}

std::string matrix_of(const RowsOf<Expression>& rows) {
  std::vector<std::vector<std::string>> cells;
  for (const auto& row : rows) {
    cells.emplace_back();
    for (const Expression& value : row) cells.back().push_back(mathml(value));
  }
  return mathml_matrix(cells);
}

/// Â, α and so on as formulas name them.
std::string symbol_of(const std::string& array) {
  if (array == "A_hat") return "<mover><mi>A</mi><mo>^</mo></mover>";
  return mi(array == "alpha" ? "α" : array == "gamma_ij" ? "γ" : array.c_str());
}

/// Tableaus with their titles, and the arrays that stand in none.
std::string arrays_html(const std::string& call, const Coefficients& method) {
  const KindSchema& schema = schema_of(method);
  std::string text = "<p>" + escape_xml(schema.formula);
  if (method.has("gamma")) text += math(mathml(method.list("gamma")[0])) + ".";
  text += "</p>\n";
  if (const auto stages = static_cast<std::size_t>(method.stages()); stages > most_stages)
    return text + export_line(call, stages);
  for (std::size_t k = 0; k < schema.parts.size(); ++k) {
    if (const std::string title = schema.parts[k].title; !title.empty())
      text += "<h3>" + title + "</h3>\n";
    text += tableau_html(tableau_of<Expression>(method, static_cast<int>(k)));
  }
  const std::vector<const char*> alone =
      schema.parts.empty() ? std::vector{schema.arrays[1].name, schema.arrays[2].name, "b"}
                           : std::vector{"A_hat"};
  for (const char* name : alone)
    if (method.has(name)) text += display(symbol_of(name) + mo("=") + matrix_of(method.rows(name)));
  return text;
}

}  // namespace

std::string method_formula(const std::string& call) {
  const auto method = method_registry().make(call);
  if (method->tableau()) return runge_kutta_html(call, *method);
  if (const auto* formula = method->coefficients(MethodKind::multistep))
    return multistep_html(*formula);
  if (const auto* step = method->as<ExactSecondOrder>()) return structural_html(*step);
  if (const Coefficients* written = method->coefficients()) return arrays_html(call, *written);
  if (const auto inner = inner_method(call))
    return "<p>It is built around <code>" + escape_xml(*inner) + "</code>.</p>\n";
  std::string text;
  for (const std::string& line : method->details()) text += "<p>" + html_text(line) + "</p>\n";
  return text;
}

std::string formulation_formula(const std::string& id) {
  if (id != "index1" && id != "index2" && id != "index3") return "";
  return fill_template("formula_mechanism", {{"dots", id == "index1"   ? "¨"
                                                      : id == "index2" ? "˙"
                                                                       : ""}});
}

}  // namespace daemark
