// The motion of a mechanism, enclosed a second time by other estimates than EnclosedMotion: real
// boxes in place of complex discs, Lagrange's remainder in place of Cauchy's, derivatives by the
// start over boxes in place of the centre's with a bound of what is of second order, all 2n errors
// in place of those the constraints leave. Slower; the two share the recorded equations, their
// Taylor series and the linear solver. ENCLOSURES.md, "The check".
#pragma once

#include <Eigen/Core>

#include "analysis/enclosure/complex_disc.hpp"
#include "analysis/enclosure/enclosed_motion.hpp"

namespace daemark {

struct TooManySteps {};

class CheckedMotion {
 public:
  /// As EnclosedMotion; `order` of the series, `bits` of the working precision.
  CheckedMotion(MechanicalSystem<real50>& system, const std::vector<int>& rows, const rational& t0,
                const std::vector<wide>& q0, const std::vector<wide>& v0, int order, long bits);

  /// One step, halved where no enclosure is found at once. Throws EnclosureFailure; TooManySteps
  /// where all steps so far, with those that failed, take more than some minutes.
  void step(const rational& h, int halvings = 10);
  const rational& time() const { return t_; }
  EnclosedState state();

 private:
  using Vector = Eigen::VectorXd;
  void start(MechanicalSystem<real50>& system, const std::vector<int>& rows);
  void whole_step(const rational& h);
  std::vector<RealBall> box() const;
  /// The states on the whole step; lets within_ have the series over them.
  void enclose_step(const RealBall& h);
  std::vector<RealBall> end_of_centre(const RealBall& h);
  std::vector<ComplexDisc> derivative(const Vector& direction, const ComplexDisc& h);
  Eigen::MatrixXd basis_of(const std::vector<std::vector<ComplexDisc>>& moved) const;

  int n_, multipliers_, size_, order_;
  long bits_;
  rational t_;
  int steps_ = 0;
  MotionSeries<RealBall> centre_series_, remainder_;  ///< from the centre, on the step
  MotionSeries<ComplexDisc> starts_, within_;         ///< of low order: from the box, on the step
  /// Exact; the solution is centre_ + columns_ e, |e| <= error_.
  std::vector<RealBall> centre_;
  Eigen::MatrixXd columns_;
  Vector error_, reach_;  ///< reach_: from the centre, of all states on the step
};

}  // namespace daemark
