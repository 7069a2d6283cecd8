// What runs of one method cost against their errors, as kinds of cells tell it alike.
//
// The key weights: what an evaluation, a Jacobian, a factorisation and a multiply-subtract pair of
// linear algebra cost beside each other (analysis/decisions/0034),
// {"evaluation": "1", "jacobian": "2", ...}.
// Series: evaluations, jacobians, factorizations, pairs, work (their weighted sum), error_q.
// Measures: work_K, evaluations_K, …: that at which error_q falls to 10^-K, interpolated on
// logarithms; at_most_work_K … where the first run is below already; least_error.
#pragma once

#include <optional>
#include <vector>

#include "experiments/cells/support/cell_kind.hpp"

namespace daemark {

/// The work a method needs for an accuracy.
struct Reach {
  double work = 0;
  bool at_most = false;  ///< the coarsest run is already better: `work` is its work, less may do
};

/// Where the polyline of log error over log work first falls to the target: between two runs, never
/// beyond them. Runs whose error is not a positive number are passed over, but for an error of 0
/// where `exact` accepts it.
std::optional<Reach> reach(const std::vector<double>& work, const std::vector<double>& error,
                           double target, bool exact = false);

CellKey key_weights();
std::vector<CellMeasure> curve_measures();
/// CellKind::check_more
void check_weights(const Cell& cell);

/// Whether it is an error that a logarithm can be taken of.
bool is_error(double error);
/// The work of the run whose counts stand last in the series, where weights are given.
void add_work(const Cell& cell, CellResult& result);
/// The measures, from the series.
void read_curve(CellResult& result);

}  // namespace daemark
