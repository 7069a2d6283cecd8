// Cells of kind "published_work": runs of a solver that is not here, as its authors published them:
// the positions at the end, whose error is taken against our reference, and the counts of what was
// done. Nothing is integrated.
//
// published: {"unknowns": of its Newton matrix, "runs": [{"tol": …, "steps": …, "residuals": …,
// "jacobians": …, "factorizations": …, "solves": …, "q": [texts, in the coordinates that results
// are shown in]}, …]}, the loosest first. The pairs of a factorisation and of a solve are those of
// a full matrix. weights, series and measures: work_curve.hpp; series besides: knob (tol), steps.
#include <fmt/format.h>

#include "analysis/reference/reference.hpp"
#include "base/input/strict_json.hpp"
#include "base/text/shell_word.hpp"
#include "experiments/cells/support/cell_kind.hpp"
#include "experiments/cells/support/work_curve.hpp"
#include "problems/system/registry.hpp"

namespace daemark {
namespace {

using nlohmann::json;

constexpr const char* where = "published";

double error_of(const json& run, const MechanicalSystem<double>& mechanism,
                const ReferenceState& reference) {
  const std::vector<std::string> texts = get_strings(run, "q", where);
  if (texts.size() != reference.q.size())
    throw BadInput(
        fmt::format("{}, q: {} positions, not {}", where, texts.size(), reference.q.size()));
  std::vector<real50> q, apart(texts.size());
  for (const std::string& text : texts) q.push_back(Expression::parse(text, where).eval<real50>());
  mechanism.reference_difference(q.data(), reference.q.data(), apart.data());
  real50 squares = 0;
  for (const real50& component : apart) squares += component * component;
  return to_double(real50(sqrt(squares)));
}

CellResult run_published(const Cell& cell) {
  constexpr int digits = 15;
  const Problem problem = problem_registry().make(cell.problem);
  const auto mechanism = problem.make<double>();
  const ReferenceState reference = reference_states(problem, {cell.t_end}, digits).front();
  const json published = cell.object(where);
  const double n = static_cast<double>(get_int(published, "unknowns", where, 1));
  CellResult result;
  auto& series = result.series;
  for (const json& run : get_array(published, "runs", where)) {
    require_keys(run, where,
                 {"tol", "steps", "residuals", "jacobians", "factorizations", "solves", "q"}, {});
    const auto count = [&](const char* name) {
      return static_cast<double>(get_int(run, name, where, 0));
    };
    series["knob"].push_back(get_expression(run, "tol", where).eval<double>());
    series["steps"].push_back(count("steps"));
    series["evaluations"].push_back(count("residuals"));
    series["jacobians"].push_back(count("jacobians"));
    series["factorizations"].push_back(count("factorizations"));
    series["pairs"].push_back(count("factorizations") * (n * n * n - n) / 3 +
                              count("solves") * n * n);
    series["error_q"].push_back(error_of(run, *mechanism, reference));
    add_work(cell, result);
  }
  read_curve(result);
  return result;
}

}  // namespace

void register_published_work_cell(CellKinds& kinds) {
  CellKind kind;
  kind.id = "published_work";
  kind.keys = {required(key_problem()), required({"formulation", CellKey::Type::call}),
               required({"t_end", CellKey::Type::text}), required({where, CellKey::Type::object}),
               key_weights()};
  kind.measures = curve_measures();
  kind.compute = run_published;
  kind.commands = [](const Cell& cell) -> Commands {
    return {"daemark reference " + shell_word(cell.problem) + " --t " + shell_word(cell.t_end)};
  };
  kind.cost = [](const Cell&) { return 1000.0; };
  kind.always_study = true;
  kind.check_more = [](const Cell& cell) {
    check_weights(cell);
    require_keys(cell.object(where), where, {"unknowns", "runs"}, {});
  };
  kind.reference_times = [](const Cell& cell) { return std::vector<std::string>{cell.t_end}; };
  kinds.add(std::move(kind));
}

}  // namespace daemark
