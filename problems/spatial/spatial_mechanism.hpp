// Spatial mechanisms by declaration: bodies, joints, loads, drives; no scalar in sight.
//
// Every node (a body's mass centre, or a point of a beam) has six coordinates: position x and
// Cayley–Gibbs–Rodrigues increment g from an orientation on the chart (charts.hpp). Joints
// are declared where they are at the start, by points and axes of space: they then fit by
// themselves. Joints between anchors (points and axes of each body's own frame) are checked.
// Node i has coordinates 6 i … 6 i + 5 and chart 4 i.
#pragma once

#include <optional>

#include "problems/bodies/rigid_bodies.hpp"
#include "problems/builder/builder.hpp"
#include "problems/geometry/rotation.hpp"
#include "problems/mechanism/assembly.hpp"

namespace daemark {

/// Three exact numbers: {"1/2", 0, -1}.
struct Vector {
  Exact x = 0, y = 0, z = 0;
  rotation::Vec3<wide> value() const { return {x.value, y.value, z.value}; }
  static Vector of(const rotation::Vec3<wide>& v) { return {v[0], v[1], v[2]}; }
};

struct Orientation {
  rotation::Quaternion<wide> p{wide(1), wide(0), wide(0), wide(0)};
  static Orientation turn(const Vector& axis, const Exact& angle);  ///< [rad]
  /// The frame with first axis along `first` and second in the plane of both, on the side of
  /// `second`.
  static Orientation axes(const Vector& first, const Vector& second);
  /// Right-handed unit vectors, the first along `axis`.
  static std::array<rotation::Vec3<wide>, 3> triad(const rotation::Vec3<wide>& axis);
};

/// Where a node is at the start and how it moves, in space; spin [rad/s].
struct Placement {
  Vector position{};
  Orientation orientation{};
  Vector velocity{}, spin{};
};

/// About the mass centre, in the body's frame [kg m²].
struct Inertia {
  Exact xx, yy, zz, xy = 0, xz = 0, yz = 0;
};

/// Of a body's own frame (of space for the ground).
struct Anchor {
  int body;
  Vector point{}, axis{1, 0, 0};
};

/// What an output reads at an instant, in space; node numbers are the builder's.
struct SpatialView {
  const MotionPoint<Var>& point;
  using Vec3 = rotation::Vec3<Var>;
  Vec3 position(int node) const { return rotation::vector(point.q + 6 * node); }
  Vec3 velocity(int node) const { return rotation::vector(point.v + 6 * node); }
  Vec3 acceleration(int node) const { return rotation::vector(point.a + 6 * node); }
  rotation::Quaternion<Var> orientation(int node) const;  ///< of R, a unit
  Vec3 spin(int node) const;                              ///< ω in space [rad/s]
};

/// A quantity of interest: `[](const auto& view) { return view.position(0)[2]; }`.
using SpatialOutput = std::function<Var(const SpatialView&)>;

/// An element of the user's own: forces, and masses, of the coordinates (x, g) of its nodes and
/// their charts (part.hpp).
struct SpatialElement {
  std::shared_ptr<const Part::Recorder> law;
  bool in_double_only = false;  ///< a mechanism with such an element
};
inline SpatialElement spatial_element(Part::Recorder law) {
  return {std::make_shared<const Part::Recorder>(std::move(law))};
}

/// In a node's frame: mass [kg], mass times mass centre [kg m], inertia about the node [kg m²].
struct SpatialInertia {
  wide mass = 0;
  rotation::Vec3<wide> moment{};
  std::array<rotation::Vec3<wide>, 3> inertia{};
};

/// Gravity, constant or with a factor that depends on time; its work is then counted as power.
struct SpatialGravity {
  rotation::Vec3<wide> acceleration{};
  SharedLaw factor;  ///< null: 1
};

/// What the rows of joints are made of: a point p = x + R r or a direction d = R r of a node, or a
/// constant of space.
struct JointFeature {
  int node = -1;  ///< of the joint, in its order; −1: a constant of space
  bool point = false;
  rotation::Vec3<wide> local{};  ///< r in the node's frame
};
enum class JointFactor { one, cosine, sine };  ///< of θ of the row
struct JointTerm {
  wide coefficient;
  int u, w;  ///< features
  JointFactor factor = JointFactor::one;
};
struct JointRow {
  std::vector<JointTerm> terms;
  bool subtracts_law = false;
  /// θ is law(t), or of couplers a sum: of the joint's angles, each times a coefficient, and terms.
  std::vector<std::pair<int, wide>> angles = {};
  std::vector<JointTerm> ways = {};
};

class SpatialMechanism : public MechanismBuilder<3> {
 public:
  SpatialMechanism() { redundant_ = -1; }

  /// Six coordinates without inertia; returns the node's number.
  int node(const std::string& name, const Placement& at);
  /// Adds a rigid piece: its mass centre is at `offset` in the node's frame, its inertia about
  /// that.
  void inertia(int node, Exact mass, const Inertia& about, const Vector& offset = {});
  void spin(int node, const Vector& at_start);  ///< in place of that of its placement [rad/s]
  int body(const std::string& name, Exact mass, const Inertia& about, const Placement& at);

  // Joints between a and b at a point and along axes of space, as they are at the start.
  void spherical(int a, int b, const Vector& at);
  void revolute(int a, int b, const Vector& at, const Vector& axis);
  void universal(int a, int b, const Vector& at, const Vector& axis_on_a, const Vector& axis_on_b);
  void cylindrical(int a, int b, const Vector& at, const Vector& axis);
  void prismatic(int a, int b, const Vector& at, const Vector& axis);
  /// The point of b stays on the line through `at` along `axis` of a.
  void inline_point(int a, int b, const Vector& at, const Vector& axis);
  void parallel(int a, int b, const Vector& axis);  ///< an axis of b stays along that of a
  void clamp(int a, int b, const Vector& at);
  /// Points of space at the start keep their distance, or take a given one: a rod without mass.
  void distance(int a, const Vector& on_a, int b, const Vector& on_b,
                const std::optional<Exact>& length = {});
  /// Turning of b against a about an axis of space at the start, which stays in a, or sliding along
  /// it of the point of b that is at `at`.
  struct Share {
    int a, b;
    std::optional<Vector> at;
    Vector axis;
    wide factor;
  };
  /// Σ factor · (angle or way since the start) stays zero: gears, screws, racks, differentials.
  /// Angles count all turns; they need joints that hold their axes. `kind` names it.
  void coupler(const std::string& kind, const std::vector<Share>& shares);
  // The same between anchors: whether points meet and axes agree is checked.
  void spherical(const Anchor& a, const Anchor& b);
  void revolute(const Anchor& a, const Anchor& b);

  /// Prescribed: b has turned by law(t) [rad] about the axis of a since the start; needs a joint
  /// that holds the axis.
  void turn(int a, int b, const Vector& axis, MotionLaw law);
  /// Prescribed: b turns at law(t) [rad/s] about the axis of a; a row of velocities, with which the
  /// angle may drift as the method lets it.
  void turn_rate(int a, int b, const Vector& axis, MotionLaw law);
  /// Prescribed: the point of b is law(t) [m] along the axis of a from where it started.
  void slide(int a, int b, const Vector& at, const Vector& axis, MotionLaw law);

  // Springs and dampers between points of space at the start.
  void spring(int a, const Vector& on_a, int b, const Vector& on_b, Exact stiffness,
              Exact free_length) {
    couple(CouplingKind::spring, a, on_a, b, on_b, stiffness, free_length);
  }
  void damper(int a, const Vector& on_a, int b, const Vector& on_b, Exact coefficient) {
    couple(CouplingKind::damper, a, on_a, b, on_b, coefficient, 0);
  }
  void damper(int a, const Vector& on_a, int b, const Vector& on_b, Exact coefficient,
              MotionLaw factor) {
    couple(CouplingKind::damper, a, on_a, b, on_b, coefficient, 0, shared_law(std::move(factor)));
  }
  // Loads of fixed direction [N, N m].
  void force(int body, const Vector& on_body, const Vector& value) {
    load("force", body, on_body, value);
  }
  void force(int body, const Vector& on_body, const Vector& amplitude, MotionLaw factor) {
    load("force", body, on_body, amplitude, shared_law(std::move(factor)));
  }
  void moment(int body, const Vector& value) { load("moment", body, {}, value); }
  void moment(int body, const Vector& amplitude, MotionLaw factor) {
    load("moment", body, {}, amplitude, shared_law(std::move(factor)));
  }
  void gravity(const Vector& acceleration) { gravity_.acceleration = acceleration.value(); }
  void gravity(const Vector& acceleration, MotionLaw factor) {  ///< [m/s²]; none by default
    gravity_ = {acceleration.value(), shared_law(std::move(factor))};
  }

  void element(std::vector<int> nodes, SpatialElement element);
  /// Declares the spring, damper or element added last stiff: MechanicalSystem::stiff_part(), which
  /// elements (beams) all belong to as soon as something is stiff.
  void stiff();
  void output(const std::string& id, const std::string& meaning, const std::string& unit,
              SpatialOutput output) {
    add_output({id, meaning, unit}, [output = std::move(output)](const MotionPoint<Var>& p) {
      return output(SpatialView{p});
    });
  }
  void start(const Expression& t) { start_ = t; }  ///< 0 by default
  /// The start is closed first: what it moves and what it keeps, see Assembly.
  void assemble(Assembly assembly) { assembly_ = std::move(assembly); }
  // Without redundant(): as many as the rank at the start says.

  /// What `Problem` needs. Throws BadInput, naming the joint, where points do not meet, axes do not
  /// agree or velocities do not fit at the start, where nothing can move, and where `redundant` is
  /// not what the constraints' rank leaves.
  Problem problem(const std::string& name) const;

  // The declaration, read by the assembly.
  struct Node {
    std::string name;
    rotation::Vec3<wide> position, velocity, spin;
    rotation::Quaternion<wide> orientation;
    SpatialInertia inertia;
  };
  struct Joint {
    std::string name;
    std::vector<int> nodes;
    std::vector<Quantity> rows;
    std::vector<JointFeature> features;
    std::vector<JointRow> equations;
    std::vector<int> angles;  ///< coordinates of its own, numbers of angles()
    SharedLaw law;
    std::array<int, 2> turned{ground, ground};  ///< turn_rate: a and b, with no features
    rotation::Vec3<wide> axis{};                ///< turn_rate: in a's frame
  };
  /// A coordinate without inertia, behind those of all nodes: how far b has turned about an axis
  /// of a.
  struct Angle {
    std::string name;
    int a, b;
    rotation::Vec3<wide> axis;  ///< in a's frame
    wide at_start = 0;
  };
  struct Load {
    int node;
    rotation::Vec3<wide> on_node, value;
    bool moment;
    SharedLaw law;
  };
  struct Custom {
    std::vector<int> nodes;
    SpatialElement element;
    bool stiff = false;
  };
  const std::vector<Node>& nodes() const { return nodes_; }
  const std::vector<Joint>& joints() const { return joints_; }
  const std::vector<RigidBodies::Joint>& declared() const { return declared_; }  ///< the same
  const std::vector<Angle>& angles() const { return angles_; }
  wide rate_at_start(const Angle& angle) const;
  const std::vector<Load>& loads() const { return loads_; }
  const std::vector<Custom>& elements() const { return elements_; }
  const SpatialGravity& gravity() const { return gravity_; }
  /// The same bodies, joints and elements under the stiff springs and dampers; null without
  /// anything stiff.
  std::shared_ptr<const SpatialMechanism> stiff_part() const;

 private:
  class JointMaker;
  int body_count() const override { return static_cast<int>(nodes_.size()); }
  std::string body_name(int body) const override { return nodes_[body].name; }
  rotation::Vec3<wide> on(int body, const rotation::Vec3<wide>& point_of_space) const;
  rotation::Vec3<wide> along(int body, const rotation::Vec3<wide>& axis_of_space) const;
  void couple(CouplingKind kind, int a, const Vector& on_a, int b, const Vector& on_b,
              const Exact& coefficient, const Exact& rest, SharedLaw law = nullptr);
  void load(const char* what, int body, const Vector& on_body, const Vector& value,
            SharedLaw law = nullptr);
  struct Start;
  Problem settled_problem(const std::string& name) const;
  void check_start(const std::string& name, Start& start) const;
  int measured_redundancy(const std::string& name,
                          const std::shared_ptr<const Mechanism>& made) const;

  std::vector<Node> nodes_;
  std::vector<Joint> joints_;
  std::vector<RigidBodies::Joint> declared_;
  std::vector<Angle> angles_;
  std::vector<Load> loads_;
  std::vector<Custom> elements_;
  SpatialGravity gravity_;
  void close_start();
  void give_idle_inertia();

  Expression start_{0};
  std::optional<Assembly> assembly_;
  bool exportable_ = true;        ///< as joints of other programs
  bool element_is_last_ = false;  ///< stiff(): of an element, not of a coupling
};

}  // namespace daemark
