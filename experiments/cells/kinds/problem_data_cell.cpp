// Cells of kind "problem_data": the constants a problem rests on, to stand beside printed ones.
//
// Keys beside problem: data (texts), names of rows as `show` lists them.
//   data_1, data_2, …      the numbers in those rows, in order
//   mass_COMPONENT         diagonal entry of M at the start; start_COMPONENT its initial position
#include <cstdlib>

#include "base/text/bad_input.hpp"
#include "experiments/cells/support/cell_kind.hpp"
#include "experiments/cells/support/problem_shape.hpp"
#include "problems/system/registry.hpp"

namespace daemark {
namespace {

void add_numbers(const std::string& text, CellResult& result) {
  for (std::size_t at = 0; at < text.size();) {
    const bool starts = std::isdigit(static_cast<unsigned char>(text[at])) != 0 ||
                        (text[at] == '-' && at + 1 < text.size() &&
                         std::isdigit(static_cast<unsigned char>(text[at + 1])) != 0);
    const bool word = at > 0 && std::isalpha(static_cast<unsigned char>(text[at - 1])) != 0;
    if (!starts || word) {
      ++at;
      continue;
    }
    char* end = nullptr;
    const double value = std::strtod(text.c_str() + at, &end);
    result.measures["data_" + std::to_string(result.measures.size() + 1)] = value;
    at = static_cast<std::size_t>(end - text.c_str());
  }
}

CellResult run_data(const Cell& cell) {
  CellResult result;
  const Problem problem = problem_registry().make(cell.problem);
  const ProblemInfo& info = problem_registry().info(parse_call(cell.problem, "problem").id);
  for (const std::string& name : cell.texts("data")) {
    const ProblemParameter* found = nullptr;
    for (const ProblemParameter& row : info.data)
      if (row.name == name) found = &row;
    if (found == nullptr)
      throw BadInput("data: '" + name + "' is no row of `show " + info.id + "`");
    add_numbers(found->value, result);
  }
  const auto mechanism = problem.make<double>();
  const int n = mechanism->coordinates();
  std::vector<double> q(n), v(n), zero(n + mechanism->constraints()),
      mass(mechanism->mass_pattern().size());
  mechanism->initial(q.data(), v.data());
  MotionValues<double> out;
  out.mass = mass.data();
  mechanism->evaluate({0, q.data(), v.data(), zero.data(), zero.data()}, {}, out);
  for (int i = 0; i < n; ++i) {
    const std::string& name = mechanism->coordinate_names()[i];
    result.measures["start_" + name] = q[i];
    for (int k = 0; k < mechanism->mass_pattern().size(); ++k)
      if (mechanism->mass_pattern().entries[k] == std::pair(i, i))
        result.measures["mass_" + name] += mass[k];
  }
  return result;
}

}  // namespace

void register_problem_data_cell(CellKinds& kinds) {
  CellKind kind;
  kind.id = "problem_data";
  kind.keys = {required(key_problem()), required({"data", CellKey::Type::texts})};
  kind.measures = {{"data_#", "?"}, {"{mass,start}_*", "?", nullptr, [](const Cell& cell) {
                                       return problem_shape(cell.problem)->coordinates;
                                     }}};
  kind.compute = run_data;
  kind.command = [](const Cell& cell) { return "daemark show " + shell_word(cell.problem); };
  kind.cost = [](const Cell&) { return 1000.0; };
  kind.keeps_series = false;
  kinds.add(std::move(kind));
}

}  // namespace daemark
