// Motions on a disc of time around their start: that they exist, how far they are from their Taylor
// polynomials, and their derivatives by the start. ENCLOSURES.md, "One step".
#pragma once

#include <optional>

#include "analysis/enclosure/motion_series.hpp"
#include "analysis/enclosure/taylor_models.hpp"

namespace daemark {

/// y = y0 + E y, of which |E| is bounded: |E| u <= κ u with u > 0 and κ < 1.
class Contraction {
 public:
  /// Whether there are such u and κ.
  bool find(Eigen::MatrixXd error);
  /// Above |E y|, from bounds of |y0|, for each column.
  Eigen::MatrixXd beyond(const Eigen::MatrixXd& y0) const;

 private:
  Eigen::MatrixXd error_;
  Eigen::VectorXd u_;
  double kappa_ = 0;
};

class MotionDisc {
 public:
  /// Of series up to `order`. `derivatives`: whether moved() may be called.
  MotionDisc(MechanicalSystem<real50>& system, const std::vector<int>& rows, int order,
             bool derivatives);

  /// Whether all motions with these series at t are proved to exist for complex times up to h from
  /// t, where they are analytic.
  template <class S>
  bool holds(const MotionSeries<S>& series, const RealBall& t, const RealBall& h);

  /// Then: how far a component is from its polynomial, of v to the order, of q to one more.
  double rest(int i) const { return rest_[i]; }
  /// And from its start.
  double reach(int i) const { return reach_[i]; }
  /// What the derivatives by the start make of these columns until t + h; nothing where no bound is
  /// found.
  std::optional<DiscMatrix> moved(const DiscMatrix& columns);

 private:
  struct Recorded {
    Recorded(MechanicalSystem<real50>& system, const std::vector<int>& rows, bool derivatives);
    graph::Graph graph;
    /// Equations of accelerations and multipliers y, their derivatives by y and by (q, v).
    std::vector<std::vector<Var>> groups;
    std::vector<std::pair<int, int>> by_unknowns, by_state;  ///< places of the derivatives
  };
  MotionDisc(MechanicalSystem<real50>& system, const std::vector<int>& rows, int order,
             Recorded&& recorded);
  void set_inputs(const std::vector<std::vector<ComplexDisc>>& scaled, const RealBall& t);
  void set_rests(const Eigen::VectorXd& accelerations);
  bool find_inverse();
  void multiply_inverse(Eigen::MatrixXd& error) const;
  bool bound_unknowns(Eigen::VectorXd& bounds);
  DiscMatrix coefficients(int group, int k) const;
  Eigen::MatrixXd rests(int group) const;
  bool series_of(std::vector<DiscMatrix>& state, std::vector<DiscMatrix>& unknowns);
  bool add_rests(const std::vector<DiscMatrix>& state, const std::vector<DiscMatrix>& unknowns,
                 DiscMatrix& end);

  int n_, size_, order_;  ///< size_: of y; order_: K, of the models
  ComplexDisc h_;         ///< the time s = 1
  double length_ = 0;     ///< above |h_|
  std::vector<std::pair<int, int>> by_unknowns_, by_state_;
  TaylorModels models_;
  Eigen::VectorXd beyond_;                 ///< of q, then v: coefficients beyond K
  std::vector<Eigen::MatrixXd> inverse_;   ///< C: of the matrix ∂/∂y, a polynomial
  Eigen::MatrixXd inverse_size_, defect_;  ///< |C|; |I − C (∂/∂y)| without rests
  Contraction contraction_;
  Eigen::VectorXd unknowns_;  ///< rests of y
  std::vector<double> rest_, reach_;
};

}  // namespace daemark
