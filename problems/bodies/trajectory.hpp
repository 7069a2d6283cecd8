// A trajectory that any program wrote: CSV with a header, the time first; lines with # in front of
// it are comments.
#pragma once

#include <array>
#include <fstream>
#include <string>
#include <vector>

#include "problems/bodies/body_states.hpp"
#include "problems/system/state_names.hpp"

namespace daemark {

struct TrajectoryColumn {
  std::string name, unit;  ///< "x1", "m" of "x1 [m]"; no unit: ""
};

struct TrajectoryRow {
  long line = 0;
  double t = 0;                    ///< [s]
  std::vector<double> values;      ///< of the columns after the time
  std::vector<std::string> texts;  ///< as written, the time among them, first
};

class TrajectoryReader {
 public:
  /// Reads the header. Throws BadInput: no such file, no header of names separated by commas, no
  /// column `t` or `time` in seconds first, doubled columns.
  explicit TrajectoryReader(std::string file, bool finite_alone = true);

  const std::vector<TrajectoryColumn>& columns() const { return columns_; }  ///< after the time
  /// Of a line "# h = 1/100" before the header; 0 without.
  double h() const { return h_; }

  /// The next row; false at the end. Throws BadInput with the line: another number of fields, what
  /// is not a number, or not finite where that is asked for, times that decrease (at an event one
  /// may stand there twice), a file without rows.
  bool next(TrajectoryRow& row);

  /// "FILE, line 7": where the last row stands, for messages.
  std::string place() const;

 private:
  bool read_fields(std::vector<std::string>& fields);
  void read_header();
  [[noreturn]] void refuse(const std::string& what) const;

  std::string file_;
  bool finite_alone_;
  std::ifstream in_;
  long line_ = 0, rows_ = 0;
  double last_t_ = 0, h_ = 0;
  std::vector<TrajectoryColumn> columns_;
};

// Columns of a trajectory that are states of bodies, as other programs write them, put in place of
// a problem's coordinates:
//
//   BODY.x .y .z .theta    as the coordinates of BODY; BODY.vx .vy .vz .omega their rates
//   BODY.e0 .e1 .e2 .e3    unit quaternion of R, the scalar first; R takes components in the body's
//                          frame to the fixed frame
//   BODY.wx .wy .wz        angular velocity in the fixed frame, next to the quaternion
//   der(NAME)              the rate of a coordinate or of a velocity
//
// Without "BODY." where the problem's names have none. Where these are not the names of the
// problem's coordinates, states of all its bodies (body_states.hpp).

class BodyColumns {
 public:
  /// Throws BadInput where a quaternion or an angular velocity is not complete. `place`: of the
  /// header.
  BodyColumns(const std::vector<TrajectoryColumn>& given, const StateNames& names,
              const std::string& place, const RigidBodies* bodies = nullptr);

  const std::vector<TrajectoryColumn>& columns() const { return columns_; }
  /// Values and texts of columns(). Throws BadInput where a quaternion is not of length 1.
  void translate(TrajectoryRow& row, const std::string& place);

 private:
  void take_bodies(const std::vector<TrajectoryColumn>& given, const StateNames& names,
                   const RigidBodies& bodies);
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
  std::optional<BodyStateColumns> states_;
  std::optional<ShownBodies> shown_;
};

}  // namespace daemark
