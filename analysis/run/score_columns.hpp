// Which columns of a trajectory file are which components of a mechanism.
#pragma once

#include <string>
#include <vector>

#include "analysis/reference/reference.hpp"
#include "analysis/run/score.hpp"
#include "problems/bodies/trajectory.hpp"
#include "methods/core/stepper.hpp"
#include "problems/system/state_names.hpp"

namespace daemark {

/// The mechanism whose coordinates the columns are, and how they relate to the reference's.
struct ScoredModel {
  const Problem* problem;
  bool minimal;
  MechanicalPtr<double> mechanism;
  StateNames names;        ///< of the columns
  bool compared_as_shown;  ///< columns are the components of reference states

  /// Throws BadInput where the problem has no minimal form.
  ScoredModel(const Problem& problem, const Formulation& formulation);
  int n() const { return mechanism->coordinates(); }
  int m() const { return mechanism->constraints(); }
};

class ScoreColumns {
 public:
  /// Throws BadInput for unknown columns and other units. `place`: of the header.
  ScoreColumns(const std::vector<TrajectoryColumn>& columns, const ScoredModel& model,
               const std::string& place);

  bool has_positions() const { return complete(q_) && (!on_chart_ || complete(v_)); }
  bool has_motion() const { return complete(q_) && complete(v_); }
  bool has_accelerations() const { return complete(a_) && !on_chart_; }
  bool has_multipliers() const { return complete(lambda_); }
  std::string what_is_missing() const;

  /// The column of a component, −1 where there is none.
  int of_q(int i) const { return q_[i]; }
  int of_v(int i) const { return v_[i]; }
  int of_lambda(int i) const { return lambda_[i]; }
  int of_output(int i) const { return outputs_[i]; }

  /// Throws BadInput where a given component is not the start's.
  void check_start(const TrajectoryRow& row, const State<double>& start) const;
  /// Puts q and v (0 where they are not given) into y, on charts the orientations into the chart.
  void place_state(const TrajectoryRow& row, State<double>& state) const;
  /// Puts a and λ over those that were solved for, where they are given.
  void place_rest(const TrajectoryRow& row, State<double>& state) const;
  /// All zero, on the chart of the start.
  static State<double> state_of(const MechanicalSystem<double>& mechanism, double t);
  /// Columns that are not judged at all, with the reason.
  void report(std::vector<NotJudged>& to) const;

 private:
  static bool complete(const std::vector<int>& columns);

  const ScoredModel& model_;
  bool on_chart_;
  std::vector<int> q_, v_, a_, lambda_, outputs_;
  std::vector<NotJudged> ignored_;
};

/// `not_judged` takes what the reference does not tell.
ScoredTime compare_with(const ReferenceState& reference, const TrajectoryRow& row,
                        const ScoreColumns& columns, const ScoredModel& model,
                        std::vector<NotJudged>& not_judged);

}  // namespace daemark
