// One row of a trajectory beside a reference state.
#pragma once

#include <vector>

#include "analysis/reference/reference.hpp"
#include "analysis/run/score.hpp"
#include "analysis/run/score_columns.hpp"

namespace daemark {

/// `not_judged` takes what the reference does not tell.
ScoredTime compare_with(const ReferenceState& reference, const TrajectoryRow& row,
                        const ScoreColumns& columns, const ScoredModel& model,
                        std::vector<NotJudged>& not_judged);

}  // namespace daemark
