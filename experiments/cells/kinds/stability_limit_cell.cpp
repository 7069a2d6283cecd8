// Cells of kind "stability_limit": the largest step a method takes on a problem without growing,
// found by bisection on the running method.
//
// Keys beside problem, formulation, method, t_end: steps_least, steps_most (whole numbers): the
// steps tried are t_end/n with n between them; watched (text), a component, and bound (text), a
// number: a run is stable that ends with |watched| never above bound.
//   h_stable, h_unstable   neighbouring n: the limit lies between
//   h_limit                their mean; where even t_end/steps_least is stable, infinite, where even
//                          t_end/steps_most is not, 0
//   runs                   how many were made
// Bisection assumes that all shorter steps than a stable one are stable.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "base/program/progress.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/cells/support/cell_kind.hpp"
#include "experiments/cells/support/integration.hpp"
#include "problems/formulations/formulation.hpp"
#include "problems/system/registry.hpp"

namespace daemark {
namespace {

Cell with_steps(const Cell& cell, long steps) {
  Cell out = run_of(cell, {{"history_every", 1}});
  out.h = {fmt::format("({})/{}", cell.t_end, steps)};
  return out;
}

void check(const Cell& cell) {
  const long least = cell.whole("steps_least"), most = cell.whole("steps_most");
  if (least < 1 || most <= least || most > 10'000'000)
    throw BadInput(
        fmt::format("steps_least = {}, steps_most = {} are not accepted: 1 <= steps_least < "
                    "steps_most <= 10000000",
                    least, most));
  positive(cell, "bound");
}

class Search {
 public:
  Search(const Cell& cell, CellResult& result)
      : cell_(cell), result_(result), bound_(positive(cell, "bound")), parts_(sizes(cell)) {
    const bool minimal = Formulation::parse(cell.formulation).info.minimal;
    components_ = problem_registry().make(cell.problem).make<double>(minimal)->coordinate_names();
  }

  bool stable(long steps) {
    ++result_.counts["runs"];
    const ProgressShare share = parts_.next();
    const CellResult found = from_run(run(run_request(with_steps(cell_, steps))), components_);
    result_.seconds += found.seconds;
    bool below = found.ok();
    for (const double x : series_of(cell_, found, "watched", cell_.text("watched")))
      below = below && std::abs(x) <= bound_;
    return below;
  }

  void find() {
    const double t_end = number(cell_.t_end, "t_end");
    long below = cell_.whole("steps_least"), above = cell_.whole("steps_most");
    auto& measures = result_.measures;
    if (stable(below)) {
      measures["h_stable"] = t_end / static_cast<double>(below);
      measures["h_limit"] = std::numeric_limits<double>::infinity();
    } else if (!stable(above)) {
      measures["h_unstable"] = t_end / static_cast<double>(above);
      measures["h_limit"] = 0;
    } else {
      while (above - below > 1) {
        const long middle = below + (above - below) / 2;
        (stable(middle) ? above : below) = middle;
      }
      measures["h_stable"] = t_end / static_cast<double>(above);
      measures["h_unstable"] = t_end / static_cast<double>(below);
      measures["h_limit"] = (measures["h_stable"] + measures["h_unstable"]) / 2;
    }
  }

 private:
  /// Steps of the runs: both ends, and a bisection between them.
  static std::vector<double> sizes(const Cell& cell) {
    const auto least = static_cast<double>(cell.whole("steps_least")),
               most = static_cast<double>(cell.whole("steps_most"));
    std::vector<double> steps = {least, most};
    for (double apart = most - least; apart > 1; apart /= 2) steps.push_back((least + most) / 2);
    return steps;
  }

  const Cell& cell_;
  CellResult& result_;
  double bound_;
  std::vector<std::string> components_;
  ProgressParts parts_;
};

CellResult run_limit(const Cell& cell) {
  CellResult result;
  Search(cell, result).find();
  return result;
}

}  // namespace

void register_stability_limit_cell(CellKinds& kinds) {
  using Type = CellKey::Type;
  CellKind kind;
  kind.id = "stability_limit";
  kind.keys = {required(key_method()),
               required(key_problem()),
               required({"formulation", Type::call}),
               required({"t_end"}),
               required({"watched"}),
               required({"bound"}),
               {"steps_least", Type::whole},
               {"steps_most", Type::whole},
               {"precision"},
               {"settings", Type::settings}};
  kind.measures = {{"h_{stable,unstable,limit}", "s"}, {"runs", ""}};
  kind.compute = run_limit;
  kind.commands = [](const Cell& cell) -> Commands {  // one of them
    return {integration_command(with_steps(cell, cell.whole("steps_most")))};
  };
  kind.cost = [](const Cell& cell) {
    const double runs =
        2 + std::log2(static_cast<double>(cell.whole("steps_most") - cell.whole("steps_least")));
    return runs * integration_cost(with_steps(cell, cell.whole("steps_most")));
  };
  kind.refusable = true;
  kind.keeps_series = false;
  kind.check_more = check;
  kinds.add(std::move(kind));
}

}  // namespace daemark
