#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/linear/mode_table.hpp"
#include "analysis/reference/no_reference.hpp"
#include "analysis/reference/reference.hpp"
#include "analysis/report/animation.hpp"
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

/// The modes where the motion begins.
PageData frequencies(const std::string& id) {
  constexpr std::size_t most = 12;
  try {
    ModeRequest request;
    request.problem = id;
    const ModeTable table = mode_table(request);
    std::vector<std::vector<std::string>> rows;
    for (std::size_t k = 0; k < std::min(most, table.modes.size()); ++k) {
      const double frequency = table.modes[k].frequency();
      rows.push_back({std::to_string(k + 1), fmt::format("{:.5g}", frequency),
                      fmt::format("{:.3g}", frequency > 0 ? table.modes[k].damping() : 0.0)});
    }
    if (rows.empty()) return {};
    return {{"flat", true},
            {"heads", {"mode", "frequency [rad/s]", "damping"}},
            {"rows", table_rows(rows)},
            {"modes", std::to_string(table.modes.size())},
            {"highest", table.modes.size() > most ? fmt::format("{:.5g}", table.highest) : ""},
            {"accelerated", table.acceleration > 0}};
  } catch (const BadInput&) {
  } catch (const NoReference&) {
  } catch (const NumericalFailure&) {
  }
  return {};
}

/// A table without what stands around it; nothing where it has no row.
PageData small_table(const std::vector<std::string>& heads, const PageData& rows) {
  if (rows.empty()) return {};
  return {{"flat", true}, {"heads", heads}, {"rows", rows}};
}

/// Published states, of which nothing has to be computed.
PageData reference(const std::string& id, const std::vector<PublishedState>& published) {
  const std::string name = problem_shape(id)->name;
  std::vector<std::vector<std::string>> rows;
  for (const PublishedState& state : published) {
    if (state.problem != name || !state.is_current) continue;
    const ReferenceState known =
        reference_states(problem_registry().make(id), {state.t}, 1, false, false).front();
    rows.push_back(
        {state.t, fmt::format("{}", known.agreed_digits), known.first_route, known.second_route});
  }
  if (problem_shape(id)->closed_form) rows.push_back({"any", "50", "closed form", ""});
  return small_table({"t [s]", "digits that agree", "first route", "second route"},
                     table_rows(rows));
}

PageData best_methods(const std::string& id, const CardSources& sources, const PageFrame& page) {
  PageData rows = PageData::array();
  for (const Compared& one : sources.book.fields) {
    if (parse_call(one.field.motion.problem, "problem").id != id) continue;
    PageData cells = {{{"head", true}, {"text", one.field.formulation}}};
    for (std::size_t k = 0; k < 3; ++k) {
      const auto ranked = one.by_rank(k);
      cells.push_back({{"text", "nobody"}});
      if (ranked.empty()) continue;
      cells.back() = sweep_cell(ranked.front()->name(), page);
      cells.back()["note"] = ranked.front()->reached[k]->text();
    }
    rows.push_back({{"cells", cells}});
  }
  return small_table({"formulation", "least work for q to 1e-3", "1e-6", "1e-9"}, rows);
}

}  // namespace

std::string problem_card_page(const ReportProblem& problem, const CardSources& sources) {
  const PageFrame page{problem_card(problem.id), problem.id};
  const auto shape = problem_shape(problem.id);
  std::string forms;
  for (const char* formulation : {"index3", "index2", "index1"})
    forms += formulation_formula(formulation);
  std::vector<std::vector<std::string>> data;
  for (const auto& row : problem.data) data.emplace_back(row.begin(), row.end());
  return card_page(
      page, "problem",
      {{"id", problem.id},
       {"summary", problem.summary},
       {"moving", animation_figure(problem.animation)},
       {"caption", problem.caption},
       {"command", problem.command},
       {"equations", mathml_sentence(problem.equations)},
       {"coordinates", shape->coordinates.size()},
       {"constraints", shape->constraints},
       {"forms", forms},
       {"parameters", small_table({"name", "value", "unit", "source"}, table_rows(data))},
       {"source", problem.source},
       {"lines", problem.references},
       {"reference", reference(problem.id, sources.published)},
       {"frequencies", frequencies(problem.id)},
       {"best", best_methods(problem.id, sources, page)}});
}

}  // namespace daemark
