// A mechanism of rigid bodies and joints as other programs take it (bindings/PROGRAMS.md): every
// body with a frame in its mass centre, at the start; joints in the frames of their bodies.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "problems/geometry/rotation.hpp"
#include "problems/system/declaration.hpp"

namespace daemark {

struct RigidBodies {
  using Vec3 = rotation::Vec3<wide>;
  static constexpr int ground = -1;
  static Vec3 axis(int k) {
    Vec3 e{wide(0), wide(0), wide(0)};
    e[k] = 1;
    return e;
  }

  struct Body {
    std::string name;
    wide mass;
    std::array<wide, 6> inertia;    ///< xx, yy, zz, xy, xz, yz about the mass centre
    Vec3 position, velocity, spin;  ///< of the mass centre; ω in space
    rotation::Quaternion<wide> orientation;
    bool chosen = false;  ///< xx and yy are not the problem's
    bool is_massless() const { return mass == 0 && inertia[2] == 0; }
    bool is_point() const { return mass > 0 && inertia[0] + inertia[1] + inertia[2] == 0; }
  };
  /// Also drives: "turn", "turn_rate", "slide" with a law.
  struct Joint {
    std::string name, type;
    std::array<int, 2> bodies;
    std::array<Vec3, 2> points{}, axes{};  ///< in the frame of either body
    SharedLaw law{};
    bool tree = false;
  };
  /// A spring or damper, between points or ("torsion_…") turns about an axis.
  struct Coupling {
    std::string kind;
    std::array<int, 2> bodies;
    std::array<Vec3, 2> points{}, axes{};
    wide coefficient, rest, start_angle;
    SharedLaw law;
  };
  struct Load {
    int body;
    bool is_moment;
    Vec3 point, value;  ///< in the body's frame; in space
    SharedLaw law;
  };
  /// How a coordinate that results are compared in follows from the bodies.
  struct Shown {
    enum class Kind { point, angle, rotation };  ///< of a point of the body, about z, of log R
    int body;
    Kind kind;
    int axis = 0;
    Vec3 at{};  ///< the point in the body's frame; of an angle, first, its value at the start
  };

  bool planar = false;
  Vec3 gravity{};
  SharedLaw gravity_law;
  std::vector<Body> bodies;
  std::vector<Joint> joints, drives;
  std::vector<Coupling> couplings;
  std::vector<Load> loads;
  std::vector<Shown> shown;

  /// The angle of b against a at the start, of planar ones.
  wide angle_between(int a, int b) const;
  /// Massless sliders of planar mechanisms become pins in slots; joints of a spanning tree are
  /// marked, bodies that none reaches get a free one, and bodies stand behind those they hang on.
  void finish();
  /// What a program must be able to express.
  std::vector<std::string> features() const;

 private:
  void merge_sliders();
  void mark_tree();
};

}  // namespace daemark
