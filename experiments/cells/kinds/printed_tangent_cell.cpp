// Cells of kind "printed_tangent": Newmark's method in the tangent space literally as Fernández de
// Bustos et al. 2021 print it (experiments/cells/support/printed_tangent.hpp), against the
// reference at t_end.
//
// Keys: gamma, beta (texts, numbers); particular (text): minimum | sparse. Series h, error_q.
//   error_q   2-norm at the finest step;  slope_end   slope of log error between the two finest
//   largest_particular   the largest entry of x_p in any step that settled
#include <cmath>

#include "analysis/reference/reference.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/cells/support/cell_kind.hpp"
#include "experiments/cells/support/printed_tangent.hpp"
#include "problems/system/registry.hpp"

namespace daemark {
namespace {

double number(const Cell& cell, const char* key) {
  return Expression::parse(cell.text(key), key).eval<double>();
}

void check(const Cell& cell) {
  if (cell.text("particular") != "minimum" && cell.text("particular") != "sparse")
    throw BadInput("particular = '" + cell.text("particular") +
                   "' is not accepted: minimum, sparse");
  number(cell, "gamma"), number(cell, "beta");
  check_divides(cell.h, cell.t_end);
}

CellResult run_printed(const Cell& cell) {
  CellResult result;
  const auto choice = cell.text("particular") == "sparse" ? ParticularSolution::sparse
                                                          : ParticularSolution::minimum;
  constexpr int digits_for_double = 25;
  const double t_end = Expression::parse(cell.t_end, "t_end").eval<double>();
  const ReferenceState reference =
      reference_states(problem_registry().make(cell.problem), {cell.t_end}, digits_for_double)
          .front();
  auto &hs = result.series["h"], &errors = result.series["error_q"];
  for (const std::string& text : cell.h) {
    const double h = Expression::parse(text, "h").eval<double>();
    PrintedTangent method(problem_registry().make(cell.problem).make<double>(),
                          number(cell, "gamma"), number(cell, "beta"), choice);
    bool good = method.start();
    const long steps = std::lround(t_end / h);
    for (long i = 0; i < steps && good; ++i) good = method.step(h), result.t = h * (i + 1.0);
    double& largest = result.measures["largest_particular"];
    largest = std::max(largest, method.largest_particular());
    double square = 0;
    for (std::size_t i = 0; i < reference.q.size(); ++i)
      square += std::pow(method.q()[i] - to_double(reference.q[i]), 2);
    hs.push_back(h);
    errors.push_back(good ? std::sqrt(square) : std::nan(""));
    if (good) continue;
    result.status = "newton_diverged";
    result.why = "the iteration does not settle at h = " + text;
  }
  const std::size_t last = errors.size() - 1;
  result.measures["error_q"] = errors[last];
  result.measures["slope_end"] =
      std::log(errors[last - 1] / errors[last]) / std::log(hs[last - 1] / hs[last]);
  return result;
}

}  // namespace

void register_printed_tangent_cell(CellKinds& kinds) {
  using Type = CellKey::Type;
  CellKind kind;
  kind.id = "printed_tangent";
  kind.keys = {required(key_problem()),
               required({"t_end"}),
               required({"h", Type::steps}, CellKey::Count::several),
               required({"gamma"}),
               required({"beta"}),
               {"particular"}};
  kind.measures = {{"{error_q,largest_particular}", "?"}, {"slope_end", ""}};
  kind.compute = run_printed;
  kind.command = [](const Cell& cell) {  // what the cell compares with
    return "daemark reference " + shell_word(cell.problem) + " --t " + shell_word(cell.t_end);
  };
  kind.cost = [](const Cell& cell) {
    double steps = 0;
    for (const std::string& h : cell.h)
      steps += Expression::parse(cell.t_end, "t_end").eval<double>() /
               Expression::parse(h, "h").eval<double>();
    return 200 * steps;
  };
  kind.check_more = check;
  kind.reference_times = [](const Cell& cell) { return std::vector<std::string>{cell.t_end}; };
  kinds.add(std::move(kind));
}

}  // namespace daemark
