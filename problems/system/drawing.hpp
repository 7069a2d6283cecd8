// What a mechanism looks like: shapes in space as functions of its motion, for animations. Nothing
// here decides a result.
#pragma once

#include <array>
#include <functional>
#include <vector>

namespace daemark {

using SpacePoint = std::array<double, 3>;  ///< [m]; a planar mechanism has z = 0

struct DrawnShape {
  enum class Kind {
    body,    ///< points joined in order (a bar, a beam by its nodes); closed: a filled outline
    mass,    ///< a point mass at each point
    joint,   ///< a joint at each point
    spring,  ///< between two points
    damper,  ///< between two points
    ground,  ///< a support under one point, or a fixed line through several; does not move
    traced   ///< one point, whose path is drawn
  };
  Kind kind = Kind::body;
  std::vector<SpacePoint> points;
  bool closed = false;
};

struct Drawing {
  /// The shapes at time t [s] and positions q in the coordinates `run` shows (reference
  /// coordinates): at every instant the same shapes, each with the same number of points.
  std::function<std::vector<DrawnShape>(double t, const double* q)> shapes;
  /// Unit vectors in space that are drawn to the right and upwards, orthogonal to each other.
  SpacePoint right{1, 0, 0}, up{0, 1, 0};

  bool empty() const { return !shapes; }
  /// Looks from the direction of azimuth (from the x axis) and elevation [degrees] with z up.
  void look_from(double azimuth, double elevation);
};

/// What a mechanism that can be drawn derives from beside MechanicalSystem<S>.
class Drawable {
 public:
  virtual ~Drawable() = default;
  virtual Drawing drawing() const = 0;  ///< empty: after all none
};

/// The drawing of a mechanism; empty where it has none.
template <class Mechanism>
Drawing drawing_of(const Mechanism& mechanism) {
  const auto* drawable = dynamic_cast<const Drawable*>(&mechanism);
  return drawable ? drawable->drawing() : Drawing{};
}

}  // namespace daemark
