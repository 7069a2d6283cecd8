// Cells of kind "scaling": how the work of an index-3 method grows with the size of a mechanism.
//
// Keys: sizes (texts), numbers put in place of N in the call of the problem. Every size is run from
// the start to t_end; the matrix counted is that of a Newton iteration, [M + h² ∂R/∂q, Gᵀ; G, 0].
// Series size, unknowns, nonzeros (of L and U), operations (multiply-subtract pairs of one
// refactorisation), iterations (of Newton, a step).
//   exponent_operations, exponent_nonzeros   least-squares slope of log over log size
//   operations_most, nonzeros_most, iterations_most   at the largest size: of the first two, per
//   size
#include <cmath>

#include "base/linear/sparse_lu.hpp"
#include "base/program/progress.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/cells/support/cell_kind.hpp"
#include "experiments/cells/support/integration.hpp"
#include "problems/system/index_one_solve.hpp"
#include "problems/system/registry.hpp"

namespace daemark {
namespace {

/// The size stands for the only N of the call.
Cell at_size(const Cell& cell, const std::string& size) {
  Cell out = run_of(cell, nlohmann::json::object());
  out.problem.replace(out.problem.find('N'), 1, size);
  return out;
}

void check(const Cell& cell) {
  if (cell.problem.find('N') == std::string::npos)
    throw BadInput("kind 'scaling': the call of the problem has no N to put a size in place of");
  check_divides(cell.h, cell.t_end);
}

struct Factors {
  int unknowns, nonzeros;
  std::int64_t operations;
};

Factors factors_of(MechanicalSystem<double>& s, double h) {
  const int n = s.coordinates(), m = s.constraints();
  std::vector<double> q(n), v(n), a(n), lambda(m), residual(n), mass(s.mass_pattern().size()),
      gradient(s.gradient_pattern().size()), stiffness(s.residual_q_pattern().size());
  s.initial(q.data(), v.data());
  std::vector<double> chart(s.chart_size());
  s.initial_chart(chart.data());
  const MotionPoint<double> at{0, q.data(), v.data(), a.data(), lambda.data(), chart.data()};
  IndexOneSolve<double>(s).solve(s, at, {0, 0, 1}, a.data(), lambda.data());
  MotionValues<double> out;
  out.residual = residual.data(), out.mass = mass.data(), out.gradient = gradient.data();
  out.residual_q = stiffness.data();
  s.evaluate(at, {}, out);
  PatternBuilder pattern;
  std::vector<double> values;
  const auto add = [&](int row, int column, double value) {
    const auto at = static_cast<std::size_t>(pattern.add(row, column));
    if (at == values.size()) values.push_back(0);
    values[at] += value;
  };
  for (int k = 0; k < s.mass_pattern().size(); ++k)
    add(s.mass_pattern().entries[k].first, s.mass_pattern().entries[k].second, mass[k]);
  for (int k = 0; k < s.residual_q_pattern().size(); ++k)
    add(s.residual_q_pattern().entries[k].first, s.residual_q_pattern().entries[k].second,
        h * h * stiffness[k]);
  for (int k = 0; k < s.gradient_pattern().size(); ++k) {
    const auto [row, column] = s.gradient_pattern().entries[k];
    add(n + row, column, gradient[k]), add(column, n + row, gradient[k]);
  }
  SparseLu<double> lu;
  lu.set_pattern(n + m, pattern.entries());
  if (!lu.factor(values.data())) return {n + m, 0, 0};
  return {n + m, lu.nonzeros(), lu.operations()};
}

double slope(const std::vector<double>& x, const std::vector<double>& y) {
  double mx = 0, my = 0, xx = 0, xy = 0;
  const auto count = static_cast<double>(x.size());
  for (std::size_t i = 0; i < x.size(); ++i)
    mx += std::log(x[i]) / count, my += std::log(y[i]) / count;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (std::log(x[i]) - mx) * (std::log(x[i]) - mx);
    xy += (std::log(x[i]) - mx) * (std::log(y[i]) - my);
  }
  return xy / xx;
}

CellResult run_scaling(const Cell& cell) {
  CellResult result;
  auto& series = result.series;
  std::vector<double> sizes;
  for (const std::string& size : cell.texts("sizes")) sizes.push_back(number(size, "sizes"));
  ProgressParts parts(sizes);
  for (const std::string& size : cell.texts("sizes")) {
    const ProgressShare share = parts.next();
    const Cell one = at_size(cell, size);
    const CellResult found = from_run(run(run_request(one)), {});
    result.seconds += found.seconds;
    if (!found.ok()) {
      result.status = found.status;
      result.why = "at size " + size + ": " + found.why;
      result.t = found.t;
      return result;
    }
    const double h = number(cell.h.front(), "h");
    const Factors factors = factors_of(*problem_registry().make(one.problem).make<double>(), h);
    series["size"].push_back(number(size, "sizes"));
    series["unknowns"].push_back(factors.unknowns);
    series["nonzeros"].push_back(factors.nonzeros);
    series["operations"].push_back(static_cast<double>(factors.operations));
    series["iterations"].push_back(static_cast<double>(found.counts.at("newton_iterations")) /
                                   static_cast<double>(found.counts.at("steps")));
  }
  for (const char* name : {"operations", "nonzeros"}) {
    const std::string key = name;
    result.measures["exponent_" + key] = slope(series["size"], series[key]);
    result.measures[key + "_most"] = series[key].back() / series["size"].back();
  }
  result.measures["iterations_most"] = series["iterations"].back();
  return result;
}

}  // namespace

void register_scaling_cell(CellKinds& kinds) {
  using Type = CellKey::Type;
  CellKind kind;
  kind.id = "scaling";
  kind.keys = {required(key_method()),
               required(key_problem()),
               required({"h", Type::step}, CellKey::Count::one),
               required({"t_end"}),
               required({"sizes", Type::texts}, CellKey::Count::several),
               {"formulation", Type::call},
               {"precision"},
               {"settings", Type::settings}};
  kind.measures = {{"exponent_{operations,nonzeros}", ""},
                   {"{operations,nonzeros,iterations}_most", ""}};
  kind.compute = run_scaling;
  kind.commands = [](const Cell& cell) -> Commands {  // the largest
    return {integration_command(at_size(cell, cell.texts("sizes").back()))};
  };
  kind.cost = [](const Cell& cell) {
    double sum = 0;
    for (const std::string& size : cell.texts("sizes"))
      sum += integration_cost(at_size(cell, size));
    return sum;
  };
  kind.always_study = true;
  kind.check_more = check;
  kinds.add(std::move(kind));
}

}  // namespace daemark
