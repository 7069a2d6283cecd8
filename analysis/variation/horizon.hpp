// The horizon of a motion: how long its digits can be had in double, and mean anything where its
// data are known to some digits only.
//
// Round-off is a small random change of the state. Every step of a run rounds each coordinate and
// velocity once, by an error that is even over ± half a unit in the last place (standard deviation
// ulp/√12) and independent of all others; the part that violates constraints is taken off. The
// steps are those of a Runge–Kutta pair of order 8(7) at the tolerance 1e-14, or of a given size,
// which do not change the motion but the number of roundings. Covariances P travel
// by the variational equations, P = L Lᵀ: the columns of L are tangents, to which each step adds
// its round-off. The error of a double run is the standard deviation that P tells; a method with
// more round-off a step by a factor c loses its digits earlier by ln(c)/(growth rate).
//
// Data known to d digits: every number other than 0 that the problem states is wrong by 10^-d of
// itself, and every coordinate and velocity of the start by 10^-d of the largest of its unit there,
// independent of each other; the error is the square root of the sum of squares.
//
// Errors are relative to the largest magnitude that a coordinate or velocity of the same unit has
// in the time considered; angles count for at least 1 rad, velocities for at least the largest
// coordinate of the unit over that time. k digits are lost when the error of any component first
// exceeds 10^-k.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "problems/system/registry.hpp"

namespace daemark {

struct HorizonRequest {
  double t_end = 0;
  double h = 0;        ///< step size of the runs that are meant [s]; 0: steps of the pair
  bool data = true;    ///< also errors of data, which take two evaluations a number
  long most_work = 0;  ///< evaluations times tangents times unknowns; 0: no limit
};

struct Horizon {
  struct Sample {
    double t;
    double in_double;  ///< error of a double run
    double of_data;    ///< error of the motion in relation to that of the data
  };
  double reached = 0;                 ///< how far the motion was followed [s]
  std::string ended;                  ///< why not to t_end; empty where it was
  std::vector<Sample> samples;        ///< at every step
  std::vector<std::string> left_out;  ///< data that cannot be changed alone
  int data = 0;                       ///< how many were followed

  /// When `digits` digits are lost, interpolated; empty: not before `reached`.
  std::optional<double> in_double(double digits) const;
  std::optional<double> of_data(double data_digits, double digits) const;
};

/// Throws BadInput where t_end is not after the start, and where the problem has a mechanism whose
/// accelerations are not determined at the start. It ends early where no digit is left.
Horizon horizon(const Problem& problem, const HorizonRequest& request);

}  // namespace daemark
