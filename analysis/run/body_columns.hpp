// Columns of a trajectory that are states of bodies, as other programs write them, put in place of
// a problem's coordinates:
//
//   BODY.x .y .z .theta    as the coordinates of BODY; BODY.vx .vy .vz .omega their rates
//   BODY.e0 .e1 .e2 .e3    unit quaternion of R, the scalar first; R takes components in the body's
//                          frame to the fixed frame
//   BODY.wx .wy .wz        angular velocity in the fixed frame, next to the quaternion
//   der(NAME)              the rate of a coordinate or of a velocity
//
// Without "BODY." where the problem's names have none.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "analysis/run/trajectory_reader.hpp"
#include "problems/system/state_names.hpp"

namespace daemark {

class BodyColumns {
 public:
  /// Throws BadInput where a quaternion or an angular velocity is not complete. `place`: of the
  /// header.
  BodyColumns(const std::vector<TrajectoryColumn>& given, const StateNames& names,
              const std::string& place);

  const std::vector<TrajectoryColumn>& columns() const { return columns_; }
  /// Values and texts of columns(). Throws BadInput where a quaternion is not of length 1.
  void translate(TrajectoryRow& row, const std::string& place) const;

 private:
  /// Of one rotation: given columns, and the first coordinate of its rotation vector.
  struct Turn {
    std::string body;
    int first;
    std::array<int, 4> quaternion;
    std::array<int, 3> spin;
    bool has_spin() const { return spin[0] >= 0; }
  };
  /// Whether the column belongs to a rotation.
  bool take(const std::string& name, int column, const StateNames& names);
  void check(const Turn& turn, const std::string& place) const;

  std::vector<TrajectoryColumn> columns_;
  std::vector<int> kept_;  ///< given columns that stay, in front of those of rotations
  std::vector<Turn> turns_;
};

}  // namespace daemark
