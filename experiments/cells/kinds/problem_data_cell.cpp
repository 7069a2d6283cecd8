// Cells of kind "problem_data": the constants a problem rests on, to stand beside printed ones.
//
// Keys beside problem: data (texts), names of data as `show` lists them: what the model is built
// from; none by default.
//   data_1, data_2, …      the numbers of those data, in order
//   mass_COMPONENT         diagonal entry of M at the start; start_COMPONENT its initial position
//   coordinates, constraints   how many; independent_constraints: the rank of G at the start
#include "experiments/cells/kinds/problem_data_cell.hpp"

#include <algorithm>

#include "base/linear/dense_matrix.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/cells/support/cell_kind.hpp"

namespace daemark {
namespace {

CellResult run_data(const Cell& cell) {
  CellResult result;
  result.measures = problem_measures(problem_registry().make(cell.problem), cell.texts("data"));
  return result;
}

}  // namespace

std::map<std::string, double> problem_measures(const Problem& problem,
                                               const std::vector<std::string>& data) {
  std::map<std::string, double> measures;
  for (const std::string& name : data) {
    const auto datum = std::find_if(problem.data.begin(), problem.data.end(),
                                    [&](const Datum& known) { return known.name == name; });
    if (datum == problem.data.end())
      throw BadInput("data: '" + name + "' is no datum of `show " + problem.name + "`");
    for (const StatedNumber& number : datum->numbers)
      measures["data_" + std::to_string(measures.size() + 1)] = to_double(number.value());
  }
  const auto mechanism = problem.make<double>();
  const int n = mechanism->coordinates();
  std::vector<double> q(n), v(n), zero(n + mechanism->constraints()),
      mass(mechanism->mass_pattern().size()), chart(mechanism->chart_size());
  mechanism->initial(q.data(), v.data());
  mechanism->initial_chart(chart.data());
  std::vector<double> gradient(mechanism->gradient_pattern().size());
  MotionValues<double> out;
  out.mass = mass.data(), out.gradient = gradient.data();
  const double start = problem.start.eval<double>();
  mechanism->evaluate({start, q.data(), v.data(), zero.data(), zero.data(), chart.data()}, {}, out);
  for (int i = 0; i < n; ++i) {
    const std::string& name = mechanism->coordinate_names()[i];
    measures["start_" + name] = q[i];
    for (int k = 0; k < mechanism->mass_pattern().size(); ++k)
      if (mechanism->mass_pattern().entries[k] == std::pair(i, i))
        measures["mass_" + name] += mass[k];
  }
  measures["coordinates"] = n, measures["constraints"] = mechanism->constraints();
  measures["independent_constraints"] = static_cast<double>(
      n - null_space(dense_matrix(mechanism->gradient_pattern(), gradient)).cols());
  return measures;
}

void register_problem_data_cell(CellKinds& kinds) {
  CellKind kind;
  kind.id = "problem_data";
  kind.keys = {required(key_problem()), {"data", CellKey::Type::texts}};
  kind.measures = {{"data_#", "?"},
                   {"{coordinates,constraints,independent_constraints}", ""},
                   {"{mass,start}_*", "?", nullptr,
                    [](const Cell& cell) { return problem_shape(cell.problem)->coordinates; }}};
  kind.compute = run_data;
  kind.commands = [](const Cell& cell) -> Commands {
    return {"daemark show " + shell_word(cell.problem)};
  };
  kind.cost = [](const Cell&) { return 1000.0; };
  kind.keeps_series = false;
  kinds.add(std::move(kind));
}

}  // namespace daemark
