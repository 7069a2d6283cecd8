// Planar mechanisms by declaration: bodies, joints, springs, dampers, drives; no scalar in sight.
//
// Every body has coordinates (x, y, θ) of its mass centre in the ground frame (y up, θ from the x
// axis). Joint rows are "b minus a" in declared order. With chain rows a revolute joint reads
// P_b(q_b) − P_a(q_a); with absolute rows the position of body a is first replaced by its chain of
// joints back to the ground, so that the row holds x_b, y_b and angles only.
#pragma once

#include <optional>

#include "problems/builder/builder.hpp"
#include "problems/builder/friction.hpp"
#include "problems/mechanism/assembly.hpp"

namespace daemark {

/// A point fixed in a body's frame, from its mass centre (in the ground frame for the ground).
struct BodyPoint {
  Exact x = 0, y = 0;
  std::array<wide, 2> value() const { return {x.value, y.value}; }
};

/// A quantity of interest, given once as a generic callable of time, positions and velocities (x,
/// y, θ of body 0, then of body 1, …): `[](auto t, auto q, auto v) { return q[2]; }`.
using OutputLaw = std::function<Var(const Var& t, const Var* q, const Var* v)>;

enum class Rows { chain, absolute };

class PlanarMechanism : public MechanismBuilder<2> {
 public:
  /// Returns the body's number. theta [rad] and omega [rad/s] are initial values; the initial
  /// position and velocity follow from the first joint that ties the body to what is placed. Mass
  /// and inertia may be 0 (M is then singular): the joints must leave no motion without inertia.
  int body(const std::string& name, Exact mass, Exact inertia, Exact theta, Exact omega = 0);

  /// Where a body is at the start, in place of what its first joint says [m, m/s].
  void position(int body, Exact x, Exact y, Exact vx = 0, Exact vy = 0);
  bool is_placed(int body) const { return bodies_[body].placed; }

  void revolute(int a, BodyPoint on_a, int b, BodyPoint on_b, Rows rows = Rows::chain);
  /// Point of b slides along the line through the point of a with direction `angle` in a's frame,
  /// and b keeps its initial angle to a.
  void prismatic(int a, BodyPoint on_a, Exact angle, int b, BodyPoint on_b);
  /// Point of b slides along that line and b may turn: a pin in a slot.
  void slot(int a, BodyPoint on_a, Exact angle, int b, BodyPoint on_b);
  /// The points keep their distance: a rod without mass.
  void distance(int a, BodyPoint on_a, int b, BodyPoint on_b, Exact length);
  /// Σ factor · coordinate keeps its value of the start: gears, belts, racks.
  struct Share {
    int body, axis;  ///< of x, y, θ
    wide factor;
  };
  void coupler(const std::vector<Share>& shares);
  /// Prescribed motion θ_b − θ_a = law(t).
  void drive(int a, int b, MotionLaw law);

  void spring(int a, BodyPoint on_a, int b, BodyPoint on_b, Exact stiffness, Exact free_length) {
    couple(CouplingKind::spring, a, on_a.value(), b, on_b.value(), stiffness, free_length);
  }
  void damper(int a, BodyPoint on_a, int b, BodyPoint on_b, Exact coefficient) {
    couple(CouplingKind::damper, a, on_a.value(), b, on_b.value(), coefficient, 0);
  }
  void torsion_spring(int a, int b, Exact stiffness, Exact free_angle) {
    couple(CouplingKind::torsion_spring, a, {}, b, {}, stiffness, free_angle);
  }
  void torsion_damper(int a, int b, Exact coefficient) {
    couple(CouplingKind::torsion_damper, a, {}, b, {}, coefficient, 0);
  }
  /// Dry friction against turning of b on a, and against sliding of the point of b on a along a
  /// direction (angle in a's frame).
  void torsion_friction(int a, int b, const FrictionLaw& law);
  void friction(int a, Exact angle, int b, BodyPoint on_b, const FrictionLaw& law);
  /// Declares the spring or damper added last stiff: MechanicalSystem::stiff_part().
  void stiff();
  void torque(int body, Exact value) {  ///< constant, against the ground [N m]
    load("torque", body, {0, 0, value.value});
  }
  void torque(int body, Exact amplitude, MotionLaw law) {  ///< amplitude · law(t)
    load("torque", body, {0, 0, amplitude.value}, shared_law(std::move(law)));
  }
  void force(int body, Exact x, Exact y) {  ///< constant, at the mass centre [N]
    load("force", body, {x.value, y.value, 0});
  }
  void force(int body, Exact x, Exact y, MotionLaw law) {  ///< (x, y) · law(t)
    load("force", body, {x.value, y.value, 0}, shared_law(std::move(law)));
  }
  void gravity(Exact g) { gravity_ = g.value; }  ///< downwards [m/s²]; 0 by default

  /// A quantity `show` lists and `run` reports.
  void output(const std::string& id, const std::string& meaning, const std::string& unit,
              OutputLaw law) {
    add_output({id, meaning, unit},
               [law = std::move(law)](const MotionPoint<Var>& p) { return law(p.t, p.q, p.v); });
  }

  /// The point whose path an animation draws; the far end of the last body by default.
  void trace(int body, BodyPoint point);

  /// The start is closed first: what it moves and what it keeps, see Assembly.
  void assemble(Assembly assembly) { assembly_ = std::move(assembly); }
  bool is_assembled() const { return assembly_.has_value(); }

  /// What `Problem` needs: the mechanism in every scalar, and in joint angles where the joints are
  /// revolute and form a tree and no other elements act than gravity, torques, forces, torsion
  /// springs and torsion dampers.
  Problem problem(const std::string& name) const;

  // The declaration, read by the assembly.
  struct Body {
    std::string name;
    wide mass, inertia, theta, omega;
    wide cosine, sine;                  ///< of theta: once, of many joints of a large mechanism
    wide x = 0, y = 0, vx = 0, vy = 0;  ///< found by place()
    bool placed = false;
  };
  /// Σ linear_i q_i + Σ (cos_k cos θ_k + sin_k sin θ_k) + constant − law(t)
  struct TrigRow {
    Quantity quantity;
    std::vector<std::pair<int, wide>> linear;
    std::vector<std::tuple<int, wide, wide>> trig;  ///< (coordinate of θ, cos, sin coefficient)
    wide constant = 0;
    SharedLaw law;
  };
  struct Prismatic {
    int a, b;
    std::array<wide, 2> on_a, on_b;
    wide angle, offset;  ///< direction in a's frame; θ_b − θ_a
    bool turns = false;  ///< a slot: the offset is free
  };
  struct Rod {
    int a, b;
    std::array<wide, 2> on_a, on_b;
    wide length;
  };
  struct Friction {
    int a, b;
    bool turns;
    wide angle;
    std::array<wide, 2> on_b;
    FrictionLaw law;
  };
  /// As it is drawn: a revolute joint, or the traced point (a = b).
  struct PointPair {
    int a, b;
    std::array<wide, 2> on_a, on_b;
  };
  struct TimedLoad {
    int body, axis;  ///< of x, y, θ
    wide amplitude;
    SharedLaw law;
  };
  const std::vector<Body>& bodies() const { return bodies_; }
  const std::vector<TrigRow>& rows() const { return rows_; }
  const std::vector<Prismatic>& prismatics() const { return prismatics_; }
  const std::vector<Rod>& rods() const { return rods_; }
  const std::vector<Friction>& frictions() const { return frictions_; }
  const std::vector<PointPair>& revolutes() const { return revolutes_; }
  const std::vector<PointPair>& traced() const { return traced_; }
  /// Constant ones on each body, along x, y, θ.
  const std::vector<std::array<wide, 3>>& loads() const { return loads_; }
  const std::vector<TimedLoad>& timed_loads() const { return timed_loads_; }
  const wide& gravity() const { return gravity_; }
  /// The same bodies and joints under the stiff springs and dampers alone; null without any.
  std::shared_ptr<const PlanarMechanism> stiff_part() const;
  bool is_tree() const;  ///< has the minimal form described at problem()
  /// Position of a body that joints tie to the ground, of trees of all: x_b (axis 0) or y_b (axis
  /// 1) as constant and trig part of a row, along the chain of joints back to the ground.
  TrigRow position_row(int body, int axis) const;

 private:
  int body_count() const override { return static_cast<int>(bodies_.size()); }
  std::string body_name(int body) const override { return "body " + bodies_[body].name; }
  void load(const char* what, int body, const std::array<wide, 3>& value, SharedLaw law = nullptr);
  void place(int body, int by, const BodyPoint& on_by, const BodyPoint& on_body);
  void settle(const std::string& name);
  void give_idle_inertia();

  std::vector<Body> bodies_;
  std::vector<TrigRow> rows_;
  /// A body's tie to the ground: the body before it (or ground) and its position from there, x and
  /// y, as constant and trig part of a row. Whole chains would cost the square of the bodies.
  struct Link {
    int before = ground;
    std::array<TrigRow, 2> step;
  };
  std::vector<Link> links_;
  std::vector<bool> tree_body_;
  std::vector<Prismatic> prismatics_;
  std::vector<Rod> rods_;
  std::vector<Friction> frictions_;
  std::optional<Assembly> assembly_;
  bool exportable_ = true;  ///< as joints of other programs
  std::vector<PointPair> revolutes_, traced_;
  std::vector<std::array<wide, 3>> loads_;
  std::vector<TimedLoad> timed_loads_;
  wide gravity_ = 0;
  int joints_ = 0;
};

}  // namespace daemark
