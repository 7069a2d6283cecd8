#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <optional>

#include "analysis/exact/theory/collocation.hpp"
#include "analysis/exact/theory/import.hpp"
#include "analysis/exact/theory/monotonicity.hpp"
#include "analysis/exact/theory/rosenbrock.hpp"
#include "analysis/linear/stability_function.hpp"
#include "analysis/orders/coefficient_text.hpp"
#include "analysis/orders/expected_orders.hpp"
#include "analysis/orders/inside_orders.hpp"
#include "analysis/orders/method_facts.hpp"
#include "analysis/tags/tags.hpp"
#include "experiments/bibliography/bibliography.hpp"
#include "experiments/cli/common_options.hpp"
#include "experiments/cli/show/show.hpp"
#include "experiments/terminal/text.hpp"
#include "methods/catalogue/registry.hpp"
#include "methods/core/tableau.hpp"
#include "problems/formulations/formulation.hpp"

namespace daemark {
namespace {

using nlohmann::ordered_json;
using Texts = std::vector<std::string>;

/// A, b, c as texts: exact where the file gives exact numbers.
struct TableauTexts {
  std::vector<Texts> A;
  Texts b, c, b_hat;
};

template <class Exact>  // Expression, exact::Number
Texts texts_of(const std::vector<Exact>& values) {
  Texts out;
  for (const Exact& value : values) out.push_back(value.text());
  return out;
}
Texts texts_of(const std::vector<wide>& values, int digits) {
  Texts out;
  for (const wide& value : values) out.push_back(coefficient_text(value, digits));
  return out;
}

/// Of a collocation family with few stages.
std::optional<TableauTexts> exact_texts(const Method& method) {
  const auto* const member = method.member_of<Collocation>();
  if (member == nullptr || member->stages > exact::most_nodal_stages) return std::nullopt;
  const exact::TableauNumbers numbers =
      exact::nodal_tableau(exact::family_from(member->id), method.tableau()->c);
  TableauTexts out;
  for (const auto& row : numbers.a) out.A.push_back(texts_of(row));
  out.b = texts_of(numbers.b), out.c = texts_of(numbers.c);
  return out;
}

/// With arguments the numbers, without them the expressions of the file.
std::optional<TableauTexts> tableau_texts(const MethodInfo& info, const Method& method,
                                          int digits) {
  TableauTexts texts;
  const Coefficients* written = method.coefficients(MethodKind::runge_kutta);
  if (written && info.parameters.empty()) {
    for (const auto& row : written->rows("A")) texts.A.push_back(texts_of(row));
    texts.b = texts_of(written->list("b"));
    texts.c = texts_of(written->list("c"));
    texts.b_hat = texts_of(written->list("b_hat"));
    return texts;
  }
  const WideTableau* values = method.tableau();
  if (!values) return std::nullopt;
  for (const auto& row : values->A) texts.A.push_back(texts_of(row, digits));
  texts.b = texts_of(values->b, digits);
  texts.c = texts_of(values->c, digits);
  return texts;
}

std::string tableau_picture(const TableauTexts& texts) {
  constexpr std::size_t most_stages = 10;
  if (texts.b.size() > most_stages)
    return fmt::format("  {} stages; --json prints the coefficients\n", texts.b.size());
  std::vector<Texts> rows;
  for (std::size_t i = 0; i < texts.A.size(); ++i) {
    rows.push_back({texts.c[i], "|"});
    rows.back().insert(rows.back().end(), texts.A[i].begin(), texts.A[i].end());
  }
  const auto weights = [&](const char* name, const Texts& values) {
    rows.push_back({name, "|"});
    rows.back().insert(rows.back().end(), values.begin(), values.end());
  };
  weights("b", texts.b);
  if (!texts.b_hat.empty()) weights("b_hat", texts.b_hat);
  return columns(rows, 4);
}

ordered_json claims_json(const Claims& claims) {
  ordered_json out = ordered_json::object();
  each_claim(claims, [&](const char* name, const auto& claim) {
    if (claim) out[name] = *claim;
  });
  return out;
}

std::string pairs_text(const ordered_json& object) {
  std::string text;
  for (const auto& [key, value] : object.items())
    text += (text.empty() ? "" : ", ") + key + " " +
            (value.is_string() ? value.get<std::string>() : value.dump());
  return text;
}

ordered_json derived_json(const Method& method, const std::string& name) {
  ordered_json out = {{"explicit", method.is_explicit()}, {"cost_stages", method.cost_stages()}};
  const auto facts = method_facts(method);
  if (const auto* formula = method.coefficients(MethodKind::multistep)) {
    out["steps"] = formula->list("alpha").size() - 1;
    out["order"] = order_of(*formula);
    const double roots = modulus_at_infinity(*formula);
    out["roots_at_infinity"] = std::isinf(roots) ? "unbounded" : fmt::format("up to {:.6g}", roots);
  }
  if (const auto* written = method.coefficients(MethodKind::runge_kutta)) {
    const exact::TableauNumbers numbers = exact::import_tableau(*written);
    if (const auto ssp = exact::ssp_coefficient(numbers.a, numbers.b))
      out["SSP_coefficient"] = written->decimal ? ssp->digits() : ssp->exact;
  }
  const Coefficients* rosenbrock = method.coefficients(MethodKind::rosenbrock);
  if (rosenbrock)
    out["W_order"] =
        exact::rosenbrock_orders(*rosenbrock, exact::rosenbrock_unit(*rosenbrock)).w_order;
  if (rosenbrock || method.coefficients(MethodKind::half_explicit)) {
    const int index = rosenbrock ? 1 : 2;
    const ExpectedOrders orders = slopes_expected(name, fmt::format("index{}", index));
    out[fmt::format("orders_on_index{}", index)] = orders.text();
  }
  if (!facts) return out;
  out["stages"] = facts->stages;
  out[facts->order_is_bound ? "order_at_least" : "order"] = facts->order;
  out["stage_order"] = facts->stage_order();
  out["stiffly_accurate"] = facts->stiffly_accurate;
  out["R_at_infinity"] =
      facts->at_infinity ? coefficient_text(*facts->at_infinity, 16) : "unbounded";
  if (!facts->row_sums) out["row_sums_equal_c"] = false;
  return out;
}

/// alpha_j and beta_j of the points that a step uses, the new one last.
std::string multistep_picture(const Coefficients& formula) {
  const std::vector<Expression>&alpha = formula.list("alpha"), &beta = formula.list("beta");
  const std::size_t k = alpha.size() - 1;
  std::vector<Texts> rows = {{"", "alpha", "beta"}};
  for (std::size_t j = 0; j <= k; ++j)
    rows.push_back({fmt::format("y_n{}", j == k ? "" : fmt::format("-{}", k - j)), alpha[j].text(),
                    beta[j].text()});
  return columns(rows, 4);
}

/// A matrix of the file, a row each, under its key.
std::string matrix_picture(const char* name, const std::vector<std::vector<Expression>>& rows) {
  std::vector<Texts> lines;
  for (const auto& row : rows) {
    lines.push_back({lines.empty() ? name : "", "|"});
    for (const std::string& entry : texts_of(row)) lines.back().push_back(entry);
  }
  return columns(lines, 4);
}

/// Coefficients of a file that are no tableau, under the keys they have there: matrices, then
/// lists.
void add_arrays(const Coefficients& method, Report& shown) {
  using Shape = ArraySchema::Shape;
  constexpr int most_stages = 10;
  const KindSchema& schema = schema_of(method);
  ordered_json& json = shown.json[schema.name];
  const bool small = method.stages() <= most_stages;
  shown.text += fmt::format("coefficients ({}{})\n", schema.heading,
                            method.has("gamma") ? method.list("gamma")[0].text() : "");
  for (const Shape shape : {Shape::matrix, Shape::list, Shape::number})
    for (const ArraySchema& array : schema.arrays) {
      if (array.shape != shape || !method.has(array.name)) continue;
      const auto& rows = method.rows(array.name);
      if (shape == Shape::number)
        json[array.name] = rows[0][0].text();
      else if (shape == Shape::list)
        json[array.name] = texts_of(rows[0]);
      else
        for (const auto& row : rows) json[array.name].push_back(texts_of(row));
      if (shape != Shape::number && small) shown.text += matrix_picture(array.name, rows);
    }
  if (!small)
    shown.text += fmt::format("  {} stages; --json prints the coefficients\n", method.stages());
}

/// "index1: yes" per formulation, or why not.
ordered_json formulations_json(const Method& method) {
  ordered_json out = ordered_json::object();
  for (const FormulationInfo& info : formulations()) {
    const std::string why = method.refusal(info);
    out[info.id] = why.empty() ? "accepted" : why;
  }
  return out;
}

ordered_json block_json(const WideBlock& block, int digits) {
  ordered_json B = ordered_json::array();
  for (const auto& row : block.B) B.push_back(texts_of(row, digits));
  return {{"nodes", texts_of(block.nodes, digits)},
          {"d", texts_of(block.d, digits)},
          {"B", B},
          {"mu", texts_of(block.mu, digits)}};
}

/// The method with these arguments; null where required ones are missing and none was given.
std::shared_ptr<const Method> make_method(const std::string& text, const MethodInfo& info) {
  const bool bare = parse_call(text, "show").arguments.empty();
  for (const Parameter& p : info.parameters)
    if (bare && p.fallback.empty() && !p.optional) return nullptr;
  return method_registry().make(text);
}

std::string formulations_text(const ordered_json& taken) {
  std::string text, accepted;
  for (const auto& [id, verdict] : taken.items())
    if (verdict == "accepted")
      accepted += (accepted.empty() ? "" : ", ") + id;
    else
      text += fmt::format("  refuses {}: {}\n", id, verdict.get<std::string>());
  return "  takes " + accepted + "\n" + text;
}

void add_derived(const Method& method, const std::string& name, Report& shown) {
  shown.set("derived", derived_json(method, name)).set("formulations", formulations_json(method));
  shown.say("derived at 130 digits\n  " + pairs_text(shown.json["derived"]));
  shown.say(formulations_text(shown.json["formulations"]));
  ordered_json inside = ordered_json::object();
  Texts places;
  for (const auto& [formulation, orders] : inside_orders(name)) {
    inside[formulation] = {{"q", orders.q}, {"v", orders.v}, {"lambda", orders.lambda}};
    places.push_back(fmt::format("{} {}, {}, {}", formulation, orders.q, orders.v, orders.lambda));
  }
  if (!inside.empty())
    shown.set("inside_steps", inside)
        .say(wrapped(fmt::format("inside steps under control, power of h in the errors of q, v, "
                                 "lambda: {}; elsewhere steps end at output points",
                                 fmt::join(places, "; ")),
                     100, 2));
  const Texts own_tags = tags_of(name);
  shown.set("tags", own_tags);
  shown.say(wrapped(fmt::format("tags: {}", fmt::join(own_tags, ", ")), 100, 2));
  const auto add_lines = [&](const char* key, const char* before, const Texts& lines) {
    if (!lines.empty()) shown.set(key, lines);
    for (const std::string& line : lines) shown.say(before + line);
  };
  add_lines("details", "  ", method.details());
  add_lines("defects", "  defect: ", method_defects(name));
}

/// Correctly rounded, for programs that compute with them.
ordered_json doubles(const std::vector<wide>& numbers) {
  ordered_json out = ordered_json::array();
  for (const wide& number : numbers) out.push_back(to_double(number));
  return out;
}

ordered_json values_json(const WideTableau& tableau) {
  ordered_json rows = ordered_json::array();
  for (const std::vector<wide>& row : tableau.A) rows.push_back(doubles(row));
  ordered_json out = {{"A", rows}, {"b", doubles(tableau.b)}, {"c", doubles(tableau.c)}};
  if (!tableau.embedded.empty()) out["b_hat"] = doubles(tableau.embedded);
  return out;
}

void add_coefficients(const Method& method, const MethodInfo& info, const std::string& name,
                      Report& shown) {
  constexpr int digits_shown = 16, digits_json = 60;
  auto tableau = exact_texts(method);
  if (!tableau) tableau = tableau_texts(info, method, digits_json);
  if (tableau) {
    shown.json["tableau"] = {{"A", tableau->A}, {"b", tableau->b}, {"c", tableau->c}};
    if (!tableau->b_hat.empty()) shown.json["tableau"]["b_hat"] = tableau->b_hat;
    if (const WideTableau* values = method.tableau())
      shown.json["tableau"]["values"] = values_json(*values);
    shown.text +=
        "coefficients (c | A)\n" + tableau_picture(*tableau_texts(info, method, digits_shown));
  }
  if (const auto* written = method.as<Coefficients>(); written && *schema_of(*written).heading)
    add_arrays(*written, shown);
  if (const auto* formula = method.coefficients(MethodKind::multistep)) {
    shown.json["multistep"] = {{"alpha", texts_of(formula->list("alpha"))},
                               {"beta", texts_of(formula->list("beta"))}};
    shown.text +=
        fmt::format("coefficients (sum of alpha_j y_j = h times the sum of beta_j y'_j){}\n",
                    method.starting_procedure(Settings{}) || formula->list("alpha").size() == 2
                        ? ""
                        : " of the multistep formula it equals") +
        multistep_picture(*formula);
    if (const std::string start = start_text(name); !start.empty())
      shown.set("start", start).say("  starts by " + start);
  }
  if (const auto* form = method.as<RungeKuttaForm>(); form && form->block) {
    shown.json["block"] = block_json(*form->block, digits_json);
    shown.say(
        fmt::format("block form: the first column is d, the rest B; constants mu of eq. (8)\n"
                    "    {}",
                    fmt::join(texts_of(form->block->mu, digits_shown), "  ")));
  }
}

}  // namespace

Report show_method(const std::string& text) {
  const MethodInfo& info = method_registry().info(parse_call(text, "show").id);
  const std::shared_ptr<const Method> method = make_method(text, info);
  const std::string name = method ? method_registry().bind(text).canonical() : info.id;
  const ordered_json claims = claims_json(info.claims);
  const std::string source = citation(info.source.key, info.source.where);
  Report shown;
  shown.json = {
      {"id", info.id},
      {"what", "method"},
      {"call", name},
      {"kind", info.kind},
      {"summary", info.summary},
      {"source", {{"key", info.source.key}, {"where", with_citations(info.source.where)}}},
      {"references", full_references(source)},
      {"file", tree_path(info.file)},
      {"parameters", parameters_json(info.parameters)},
      {"claims", claims}};
  shown.text =
      fmt::format("{}{}{}\n  {}; source {}; {}\n{}", name, info.summary.empty() ? "" : ": ",
                  info.summary, info.kind, source.empty() ? "not stated" : with_citations(source),
                  tree_path(info.file), reference_lines(source));
  if (!info.parameters.empty()) shown.text += "parameters\n" + parameter_lines(info.parameters);
  if (!claims.empty()) shown.text += "its source claims\n  " + pairs_text(claims) + "\n";
  if (!method) {
    shown.text += "  give the arguments to see coefficients and what follows from them\n";
    return shown;
  }
  add_derived(*method, name, shown);
  add_coefficients(*method, info, name, shown);
  shown.text += "settings: daemark list settings; exact certificates: daemark verify\n";
  return shown;
}

}  // namespace daemark
