// The variational equations of a mechanism in index-1 form, in double: how small changes of the
// state and of the data travel with a motion.
//
// R(t, q, v, a, λ; p) = 0 and Φ̈(t, q, v, a; p) = 0 give, along q̇ = v and v̇ = a,
//   δq̇ = δv,  δv̇ = δa,  [R_a R_λ; G 0] (δa, δλ) = −(R_q δq + R_v δv + R_p; Φ̈_q δq + Φ̈_v δv + Φ̈_p)
// with the derivatives of the mechanism's graph. R_p and Φ̈_p alone are central differences between
// two mechanisms whose datum differs.
#pragma once

#include <Eigen/Dense>
#include <memory>
#include <string>
#include <vector>

#include "base/linear/sparse_lu.hpp"
#include "problems/system/index_one_solve.hpp"
#include "problems/system/registry.hpp"

namespace daemark {

/// The mechanism with one number of its data changed by -width/2 and +width/2 of itself.
struct ChangedDatum {
  MechanicalPtr<double> below, above;
  static constexpr double width = 2e-5;
};

/// What a problem is made of, its numbers other than 0; `left_out` names those that cannot be
/// changed alone: the mechanism then does not exist, is not consistent or starts on another chart.
std::vector<ChangedDatum> changed_data(const Problem& problem, std::vector<std::string>& left_out);

/// A point of a motion, y = (q, v); one column of `tangents` for each change of y.
struct VariedPoint {
  double t = 0;
  std::vector<double> y, chart;
  Eigen::MatrixXd tangents;
};

class VariationalEquations {
 public:
  VariationalEquations(MechanicalPtr<double> system, std::vector<ChangedDatum> data);

  int coordinates() const { return n_; }
  const MechanicalSystem<double>& system() const { return *system_; }

  /// The problem's own start, with a column for each datum: the change of y where the datum grows
  /// by itself.
  VariedPoint start(double t);
  /// Rates of y and of the tangents, the last of which are those of the data. False where the
  /// accelerations are not determined or not finite.
  bool rates(const VariedPoint& at, std::vector<double>& y_rate, Eigen::MatrixXd& tangent_rates);
  /// The nearest changes that satisfy the constraints to first order, in the place of `changes`.
  void project(const VariedPoint& at, Eigen::MatrixXd& changes);
  /// Moves the charts to the point.
  void rebase(VariedPoint& at);

 private:
  MotionPoint<double> motion(const VariedPoint& at) const;
  bool factor(const VariedPoint& at);
  void add_data(const VariedPoint& at, Eigen::MatrixXd& right);

  MechanicalPtr<double> system_;
  std::vector<ChangedDatum> data_;
  int n_, m_;
  IndexOneSolve<double> index_one_;
  std::unique_ptr<RedundantSolve> redundant_;
  std::vector<double> a_, lambda_;
  std::vector<double> mass_, gradient_, residual_q_, residual_v_, curvature_q_, curvature_v_;
};

}  // namespace daemark
