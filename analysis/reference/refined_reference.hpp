// References without Taylor series: for mechanisms that record no graph, are too large for dense
// pivoting or exist in double only, and where a series fails. Two methods of different kinds on
// different equations, each refined (h, h/2, …); what they agree on is what is known.
#pragma once

#include "analysis/reference/reference.hpp"
#include "analysis/reference/sweep.hpp"

namespace daemark {

/// The wider precision of the two that the route works in: real50, or double where the problem
/// exists in that alone or no more is needed for `digits`.
Precision refined_precision(const Problem& problem, int digits);

/// States at ascending times after the start. Steps are halved until `digits` agree everywhere,
/// agreement no longer grows, or the work is more than some minutes. With `exact`, states of a
/// closed form, one method is compared with these. Throws TaylorFailure where no pair of runs
/// reaches a time.
std::vector<ReferenceState> refined_reference(const Problem& problem,
                                              const std::vector<Expression>& times, int digits,
                                              const std::vector<Motion>& exact = {});

/// The state at the start, with the digits its multipliers have.
ReferenceState refined_start(const Problem& problem, const Expression& t, int digits);

}  // namespace daemark
