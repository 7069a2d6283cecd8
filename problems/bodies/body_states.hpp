// States of bodies as other programs write them, and the coordinates that results are compared in.
#pragma once

#include <optional>

#include "problems/bodies/rigid_bodies.hpp"

namespace daemark {

struct BodyState {
  rotation::Vec3<double> x{}, v{}, w{};  ///< of the mass centre; ω, all in space
  rotation::Quaternion<double> p{1, 0, 0, 0};
};

std::vector<BodyState> states_at_start(const RigidBodies& bodies);

class ShownBodies {
 public:
  explicit ShownBodies(const RigidBodies& bodies);
  /// q and v; angles are followed from call to call, from those of the start on.
  void show(const std::vector<BodyState>& states, double* q, double* v);

 private:
  std::vector<RigidBodies::Shown> shown_;
  std::vector<double> angles_;  ///< of the last call, by coordinate
};

/// Columns "NAME.x" … of a file: of every body with mass x y z e0 e1 e2 e3 vx vy vz wx wy wz, or
/// x y theta vx vy omega.
class BodyStateColumns {
 public:
  /// Empty where the columns are others.
  static std::optional<BodyStateColumns> find(const RigidBodies& bodies,
                                              const std::vector<std::string>& columns);
  /// Throws BadInput where a quaternion has no length.
  std::vector<BodyState> states(const std::vector<double>& row) const;

 private:
  static constexpr int in_space = 13, in_plane = 6;
  struct Place {
    int first[in_space];
    bool planar;
  };
  std::vector<std::optional<Place>> places_;  ///< by body
};

}  // namespace daemark
