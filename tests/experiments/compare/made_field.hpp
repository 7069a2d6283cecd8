// Fields of comparisons made of given errors.
#pragma once

#include <cmath>

#include "experiments/compare/compare_lines.hpp"
#include "tests/experiments/cells/support/some_cells.hpp"

namespace daemark::test {

/// A field with given relative errors of q and v: the work of the k-th run is work·2^k.
struct Made {
  explicit Made(const std::string& problem = "oscillator",
                const std::string& formulation = "index1") {
    field.motion.problem = problem, field.formulation = formulation;
    field.motion.t_end = "1", field.motion.h = {"1/10", "1/20", "1/40"};
    field.motion.way = field.motion.span = 1;
  }
  Made& add(const std::string& method, const std::vector<double>& errors, long work,
            bool is_new = false) {
    Cell cell = run_cell(field.motion.problem, "erk4", field.formulation, "", "1");
    cell.kind = "work_precision", cell.h = field.motion.h;
    CompareEntry entry{method, is_new, false, cell, CellResult{}, false};
    auto& series = entry.result->series;
    for (std::size_t k = 0; k < errors.size(); ++k) {
      series["evaluations"].push_back(static_cast<double>(work << k));
      series["error_lambda"].push_back(NAN);
    }
    series["error_q"] = series["error_v"] = errors;
    field.entries.push_back(std::move(entry));
    return *this;
  }
  /// What the runs of the last method took beside evaluations: 3 Jacobians, 2 factorizations, and
  /// pairs·2^k.
  Made& counted(double pairs) {
    auto& series = field.entries.back().result->series;
    for (std::size_t k = 0; k < series["evaluations"].size(); ++k)
      series["pairs"].push_back(pairs * static_cast<double>(1 << k));
    series["jacobians"].assign(series["pairs"].size(), 3);
    series["factorizations"].assign(series["pairs"].size(), 2);
    return *this;
  }
  Compared compared(const std::vector<Accuracy>& accuracies) const {
    return {field, compare_lines(field, accuracies)};
  }
  Compared compared(const std::string& accuracies) const {
    return compared(read_accuracies(accuracies));
  }
  CompareField field;
};

}  // namespace daemark::test
