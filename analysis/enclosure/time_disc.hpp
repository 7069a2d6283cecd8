// A disc in the complex plane of time on which all motions that start near a state are proved to
// exist.
#pragma once

#include <nlohmann/json.hpp>

#include "analysis/enclosure/motion_series.hpp"

namespace daemark {

double shortened(double x, int bits);  ///< downwards

class TimeDisc {
 public:
  TimeDisc(MechanicalSystem<real50>& system, const std::vector<int>& rows);

  /// As large as is found with little trouble; begins near the last one. Throws EnclosureFailure.
  void find(const RealBall& t, const std::vector<RealBall>& centre);

  double rho() const { return rho_; }
  /// From all starts with |x0 − centre| <= start_radius the solution x(τ) is analytic on |τ| <= rho
  /// and stays within |x − centre| <= reach. Before the first disc 1.
  const std::vector<double>& start_radius() const { return start_radius_; }
  const std::vector<double>& reach() const { return reach_; }

  /// What the next disc begins with, as JSON; restore() takes it up again.
  nlohmann::json saved() const { return {rho_, grows_, start_radius_, reach_}; }
  void restore(const nlohmann::json& from);

 private:
  void first_guess(const RealBall& t, const std::vector<RealBall>& centre);
  bool holds_on(double rho, const RealBall& t, const std::vector<RealBall>& centre);

  int n_, size_;
  MotionSeries<ComplexBall> series_;
  double rho_ = 0;
  bool grows_ = true;  ///< the last disc was the first that was tried
  std::vector<double> start_radius_, reach_;
};

}  // namespace daemark
