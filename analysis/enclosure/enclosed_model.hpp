// The equations that are enclosed, and what their states mean in the coordinates results are
// compared in.
#pragma once

#include <memory>
#include <vector>

#include "analysis/enclosure/enclosed_motion.hpp"
#include "problems/mechanism/recorded_system.hpp"
#include "problems/system/registry.hpp"

namespace daemark {

/// A state in the coordinates results are compared in; no multipliers where they are not unique.
struct ShownState {
  std::vector<RealBall> q, v, lambda;
};

class EnclosedModel {
 public:
  using Recorded = RecordedSystem<real50>;
  /// Throws EnclosureFailure where the problem has no proof, for the reason.
  explicit EnclosedModel(const Problem& problem);

  /// The model that is integrated, of which the graph is the whole truth; its rows that are kept.
  Recorded& system() const { return *system_; }
  const std::vector<int>& rows() const { return rows_; }
  const rational& start() const { return start_; }
  ShownState shown(const EnclosedState& state);

 private:
  void show(const EnclosedState& from, ShownState& to);
  void show_charts(ShownState& to) const;

  std::shared_ptr<Recorded> own_, system_;
  rational start_;
  std::vector<int> rows_;
  int multipliers_ = 0;
  graph::Graph graph_;
  std::vector<Var> states_;
  std::unique_ptr<BallFunction> function_;
  std::unique_ptr<MotionSeries<RealBall>> multipliers_of_own_;  ///< where the model has fewer
};

}  // namespace daemark
