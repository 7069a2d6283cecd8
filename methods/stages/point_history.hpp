// The newest points of a trajectory with a fixed step, newest first, and guesses of the next one.
#pragma once

#include <vector>

#include "methods/stages/stage_system.hpp"

namespace daemark {

/// Weights m_j, n_j of the derivative at `at` of the Hermite interpolant of y, ẏ at `times`:
/// ẏ(at) ≈ Σ m_j y(t_j) + Σ n_j ẏ(t_j), times in units of the step [h], m_j then per h.
/// Two points give eqs. (12)-(14) of Zhang 2022 (with the minus its eq. (14) lost), three
/// (16)-(17).
struct HermiteWeights {
  std::vector<wide> m, n;
};
HermiteWeights hermite_rate(const std::vector<wide>& times, const wide& at);

/// Points a predictor looks back on.
int predictor_depth(Predictor predictor);

template <class S>
class PointHistory {
 public:
  /// Keeps `depth` points or what the predictor needs, whichever is more.
  PointHistory(const ImplicitSystem<S>& system, const ComponentLists& lists, int depth,
               Predictor predictor);

  void restart(const State<S>& first);
  void push(const S* y, const S* rate);
  int filled() const { return filled_; }  ///< points there are
  const S* y(int j) const { return y_[j].data(); }
  const S* rate(int j) const { return rate_[j].data(); }

  /// Adds the points to those a change of chart re-expresses, the newest first.
  void add_to(std::vector<S*>& points_y, std::vector<S*>& points_rate);

  /// ẏ of the differential and y of the algebraic components one step h after the newest point.
  void guess(const S& h, S* y, S* rate) const;

  /// The number of points; of each, y of what is integrated and ẏ of the differential components;
  /// the algebraic components (of the newest point only unless extrapolated).
  void append_to(std::vector<S>& memory) const;
  void take_from(typename std::vector<S>::const_iterator& from);

 private:
  struct Weights {
    std::vector<S> m, n, algebraic;
  };
  void set_weights();
  int algebraic_points() const { return predictor_ == Predictor::extrapolated ? depth_ : 1; }

  const ComponentLists& lists_;
  Predictor predictor_;
  int size_, depth_, filled_ = 0;
  std::vector<std::vector<S>> y_, rate_;
  std::vector<Weights> weights_;  ///< [points there are − 1]
};

}  // namespace daemark
