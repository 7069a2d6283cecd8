// The joints of the spatial builder as features and rows, and what is checked of them.
#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <map>
#include <set>

#include "problems/mechanism/dependent_rows.hpp"
#include "problems/spatial/spatial_mechanism.hpp"
#include "problems/spatial/spatial_system.hpp"

namespace daemark {

using namespace rotation;

/// Collects the rows of one joint. Directions 0, 1, 2: the axis and two normals, right-handed, the
/// same in space at the start on a and on b unless they come from anchors.
class SpatialMechanism::JointMaker {
 public:
  JointMaker(SpatialMechanism& mechanism, std::string kind, int a, int b)
      : mechanism_(mechanism), a_(a), b_(b) {
    int same = 1;
    for (const Joint& joint : mechanism.joints_)
      if (joint.name.rfind(kind, 0) == 0) ++same;
    joint_.name = kind + std::to_string(same);
    declared_.type = kind == "clamp" ? "fixed" : kind, declared_.bodies = {a, b};
    mechanism.check_pair(a, b, joint_.name);
    for (const int body : {a, b})
      if (body != ground) joint_.nodes.push_back(body);
  }

  /// In the frame of body (a constant of space for the ground).
  int feature(int body, bool point, const Vec3<wide>& local) {
    int node = -1;
    for (std::size_t i = 0; i < joint_.nodes.size(); ++i)
      if (joint_.nodes[i] == body) node = static_cast<int>(i);
    joint_.features.push_back({node, point && node >= 0, local});
    return static_cast<int>(joint_.features.size()) - 1;
  }
  JointMaker& points(const Vec3<wide>& on_a, const Vec3<wide>& on_b) {
    declared_.points = {on_a, on_b};
    point_a_ = feature(a_, true, on_a), point_b_ = feature(b_, true, on_b);
    return *this;
  }
  JointMaker& frames(const Vec3<wide>& axis_a, const Vec3<wide>& axis_b) {
    declared_.axes = {Orientation::triad(axis_a)[0], Orientation::triad(axis_b)[0]};
    axes_a_ = frame(a_, axis_a), axes_b_ = frame(b_, axis_b);
    return *this;
  }
  JointMaker& at(const Vector& point) {
    return points(mechanism_.on(a_, point.value()), mechanism_.on(b_, point.value()));
  }
  JointMaker& axis(const Vector& direction) {
    const std::array<Vec3<wide>, 3> e = Orientation::triad(direction.value());
    declared_.axes = {mechanism_.along(a_, e[0]), mechanism_.along(b_, e[0])};
    for (int i = 0; i < 3; ++i) {
      axes_a_[i] = feature(a_, false, mechanism_.along(a_, e[i]));
      axes_b_[i] = feature(b_, false, mechanism_.along(b_, e[i]));
    }
    return *this;
  }

  /// (|P_b − P_a|² − L²) / 2L = 0: λ is the force.
  JointMaker& apart_by(const wide& L) {
    const int unit = feature(-1, false, {wide(1), wide(0), wide(0)}), a = point_a_, b = point_b_;
    joint_.equations.push_back(
        {{{1 / (2 * L), b, b}, {-1 / L, a, b}, {1 / (2 * L), a, a}, {-L / 2, unit, unit}}, false});
    name("length", "m");
    return *this;
  }
  /// P_b − P_a = 0 along the axes of space.
  JointMaker& meet() {
    for (int i = 0; i < 3; ++i) {
      Vec3<wide> e{wide(0), wide(0), wide(0)};
      e[i] = 1;
      joint_.features.push_back({-1, false, e});
      apart(static_cast<int>(joint_.features.size()) - 1, std::string(1, "xyz"[i]));
    }
    return *this;
  }
  JointMaker& on_line() {
    apart(axes_a_[1], "n1"), apart(axes_a_[2], "n2");
    return *this;
  }
  JointMaker& aligned() { return normal(0, 1, "t1").normal(0, 2, "t2"); }
  JointMaker& held() { return normal(1, 2, "r1").normal(2, 0, "r2").normal(0, 1, "r3"); }
  /// a_i · b_j = 0.
  JointMaker& normal(int i, int j, const std::string& row) {
    joint_.equations.push_back({{{wide(1), axes_a_[i], axes_b_[j]}}, false});
    name(row, "1");
    return *this;
  }
  /// b's second normal stays normal to a's first one turned by θ.
  JointMaker& turned(MotionLaw law) {
    joint_.law = shared_law(std::move(law));
    // The sine of how far b is ahead of the law: the sign of every drive, where b is − law.
    joint_.equations.push_back({{{wide(-1), axes_a_[1], axes_b_[2], JointFactor::cosine},
                                 {wide(-1), axes_a_[2], axes_b_[2], JointFactor::sine}},
                                false});
    name("angle", "1");
    return *this;
  }
  JointMaker& slid(MotionLaw law) {
    joint_.law = shared_law(std::move(law));
    apart(axes_a_[0], "way");
    joint_.equations.back().subtracts_law = true;
    return *this;
  }
  JointMaker& turned_at(const Vector& axis, MotionLaw law) {
    joint_.law = shared_law(std::move(law));
    joint_.turned = {a_, b_};
    const Vec3<wide> e = Orientation::triad(axis.value())[0];
    joint_.axis = mechanism_.along(a_, e);
    declared_.axes = {joint_.axis, mechanism_.along(b_, e)};
    name("rate", "1");
    return *this;
  }
  void done() {
    declared_.name = joint_.name, declared_.law = joint_.law;
    mechanism_.declared_.push_back(std::move(declared_));
    mechanism_.joints_.push_back(std::move(joint_));
  }

 private:
  std::array<int, 3> frame(int body, const Vec3<wide>& local_axis) {
    const std::array<Vec3<wide>, 3> e = Orientation::triad(local_axis);
    return {feature(body, false, e[0]), feature(body, false, e[1]), feature(body, false, e[2])};
  }
  void apart(int direction, const std::string& row) {
    joint_.equations.push_back(
        {{{wide(1), direction, point_b_}, {wide(-1), direction, point_a_}}, false});
    name(row, "m");
  }
  void name(const std::string& row, const char* unit) {
    joint_.rows.push_back({"lambda_" + joint_.name + "_" + row, unit});
  }

  SpatialMechanism& mechanism_;
  int a_, b_, point_a_ = -1, point_b_ = -1;
  std::array<int, 3> axes_a_{}, axes_b_{};
  Joint joint_;
  RigidBodies::Joint declared_;
};

void SpatialMechanism::spherical(int a, int b, const Vector& at) {
  JointMaker(*this, "spherical", a, b).at(at).meet().done();
}
void SpatialMechanism::revolute(int a, int b, const Vector& at, const Vector& axis) {
  JointMaker(*this, "revolute", a, b).at(at).axis(axis).meet().aligned().done();
}
void SpatialMechanism::cylindrical(int a, int b, const Vector& at, const Vector& axis) {
  JointMaker(*this, "cylindrical", a, b).at(at).axis(axis).on_line().aligned().done();
}
void SpatialMechanism::prismatic(int a, int b, const Vector& at, const Vector& axis) {
  JointMaker(*this, "prismatic", a, b).at(at).axis(axis).on_line().held().done();
}
void SpatialMechanism::inline_point(int a, int b, const Vector& at, const Vector& axis) {
  JointMaker(*this, "inline", a, b).at(at).axis(axis).on_line().done();
}
void SpatialMechanism::parallel(int a, int b, const Vector& axis) {
  JointMaker(*this, "parallel", a, b).axis(axis).aligned().done();
}
void SpatialMechanism::clamp(int a, int b, const Vector& at) {
  JointMaker(*this, "clamp", a, b).at(at).axis({1, 0, 0}).meet().held().done();
}
void SpatialMechanism::distance(int a, const Vector& on_a, int b, const Vector& on_b,
                                const std::optional<Exact>& length) {
  const Vec3<wide> pa = on_a.value(), pb = on_b.value(), d = combine(wide(1), pb, wide(-1), pa);
  const wide L = length ? length->value : wide(sqrt(dot(d, d)));
  if (!(L > 0)) throw BadInput("distance: the length must be positive");
  check_pair(a, b, "distance");
  JointMaker(*this, "distance", a, b).points(on(a, pa), on(b, pb)).apart_by(L).done();
  exportable_ = false;
}
void SpatialMechanism::universal(int a, int b, const Vector& at, const Vector& axis_on_a,
                                 const Vector& axis_on_b) {
  JointMaker(*this, "universal", a, b)
      .at(at)
      .frames(along(a, axis_on_a.value()), along(b, axis_on_b.value()))
      .meet()
      .normal(0, 0, "cross")
      .done();
}
void SpatialMechanism::spherical(const Anchor& a, const Anchor& b) {
  JointMaker(*this, "spherical", a.body, b.body)
      .points(a.point.value(), b.point.value())
      .meet()
      .done();
}
void SpatialMechanism::revolute(const Anchor& a, const Anchor& b) {
  JointMaker(*this, "revolute", a.body, b.body)
      .points(a.point.value(), b.point.value())
      .frames(a.axis.value(), b.axis.value())
      .meet()
      .aligned()
      .done();
}
void SpatialMechanism::turn(int a, int b, const Vector& axis, MotionLaw law) {
  JointMaker(*this, "turn", a, b).axis(axis).turned(std::move(law)).done();
}
void SpatialMechanism::turn_rate(int a, int b, const Vector& axis, MotionLaw law) {
  JointMaker(*this, "turn_rate", a, b).turned_at(axis, std::move(law)).done();
}
void SpatialMechanism::slide(int a, int b, const Vector& at, const Vector& axis, MotionLaw law) {
  JointMaker(*this, "slide", a, b).at(at).axis(axis).slid(std::move(law)).done();
}

/// The mechanism where it starts, in double.
struct SpatialMechanism::Start {
  RecordedSystem<double> system;
  std::vector<double> q, v, a, lambda, chart;
  double t;

  Start(std::shared_ptr<const Mechanism> mechanism, double start)
      : system(std::move(mechanism)), t(start) {
    const int n = system.coordinates();
    q.resize(n), v.resize(n), a.resize(n);
    lambda.resize(system.constraints());
    chart.resize(system.chart_size());
    system.initial(q.data(), v.data());
    system.initial_chart(chart.data());
  }
  void evaluate(const MotionValues<double>& out) {
    system.evaluate({t, q.data(), v.data(), a.data(), lambda.data(), chart.data()}, {}, out);
  }
};

namespace {

constexpr double fits = 1e-9;  ///< [m, rad and their rates]: decimals of 10 digits do

}  // namespace

void SpatialMechanism::check_start(const std::string& name, Start& start) const {
  std::vector<double> position(start.lambda.size()), velocity(position);
  MotionValues<double> out;
  out.position = position.data(), out.velocity = velocity.data();
  start.evaluate(out);
  std::size_t row = 0;
  for (const Joint& joint : joints_) {
    double gap = 0, tilt = 0, slip = 0;
    for (std::size_t i = 0; i < joint.rows.size(); ++i) {
      const auto& names = start.system.constraint_names();  // elements' own rows come before
      while (names[row] != joint.rows[i].name) ++row;
      double& worst = joint.rows[i].unit == "m" ? gap : tilt;
      worst = std::max(worst, std::abs(position[row]));
      slip = std::max(slip, std::abs(velocity[row]));
    }
    std::string who;
    for (const int node : joint.nodes) who += (who.empty() ? "" : ", ") + nodes_[node].name;
    if (!(gap < fits))
      throw BadInput(
          fmt::format("{}: {} ({}) does not close: its points are {:.3g} m apart at the "
                      "start, accepted: below {:g}",
                      name, joint.name, who, gap, fits));
    if (!(tilt < fits))
      throw BadInput(
          fmt::format("{}: {} ({}): its axes differ by {:.3g} at the start (sine of the "
                      "angle), accepted: below {:g}",
                      name, joint.name, who, tilt, fits));
    if (!(slip < fits))
      throw BadInput(
          fmt::format("{}: the start velocities violate {} ({}) by {:.3g} m/s or rad/s, accepted: "
                      "below {:g}",
                      name, joint.name, who, slip, fits));
  }
}

int SpatialMechanism::measured_redundancy(const std::string& name,
                                          const std::shared_ptr<const Mechanism>& made) const {
  std::vector<std::string> rows;
  for (const Element& element : made->elements)
    for (const Quantity& row : element.rows) rows.push_back(row.name);
  const int n = static_cast<int>(made->coordinates.size()), m = static_cast<int>(rows.size());
  if (m == 0) return 0;
  // Rows without a motion that is prescribed decide whether anything can move.
  std::set<std::string> driven_names;
  for (const Joint& joint : joints_)
    for (const Quantity& own : joint.rows)
      if (joint.law) driven_names.insert(own.name);
  std::vector<int> driven;
  for (int row = 0; row < m; ++row)
    if (driven_names.contains(rows[row])) driven.push_back(row);
  const wide at = start_.eval<wide>();
  const int rank = row_rank(made, at).rank;
  if ((driven.empty() ? rank : row_rank(without_rows(made, driven), at).rank) == n)
    throw BadInput(
        fmt::format("{}: nothing can move: {} constraints of rank {} on {} coordinates, "
                    "accepted: a mechanism with a degree of freedom",
                    name, m, n, n));
  const int found = m - rank;
  if (redundant_ >= 0 && redundant_ != found)
    throw BadInput(
        fmt::format("{}: {} redundant constraints are declared, the rank at the start "
                    "says {} ({} constraints)",
                    name, redundant_, found, m));
  return found;
}

/// Closes the start as assemble() says.
void SpatialMechanism::close_start() {
  const auto made = recorded(*this);
  const Assembled start = assembled_start(made, start_.eval<wide>(), *assembly_);
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    Node& node = nodes_[i];
    const wide *const q = start.q.data() + 6 * i, *const v = start.v.data() + 6 * i;
    node.position = {q[0], q[1], q[2]}, node.velocity = {v[0], v[1], v[2]};
    const Vec3<wide> g{q[3], q[4], q[5]};
    node.spin = cayley_spin(g, Vec3<wide>{v[3], v[4], v[5]});
    node.orientation = normalised(product(cayley_quaternion(q + 3), node.orientation));
  }
  for (std::size_t i = 0; i < angles_.size(); ++i)
    angles_[i].at_start = start.q[6 * nodes_.size() + i];
  for (const std::string& line : start.remarks) remark(line);
}

/// A body without inertia that nothing turns about some axis (a point mass on a rod without mass)
/// gets one about it: at rest about that axis it stays so, and its motion is the same.
void SpatialMechanism::give_idle_inertia() {
  std::set<int> bare;
  for (int i = 0; i < static_cast<int>(nodes_.size()); ++i) {
    const auto& J = nodes_[i].inertia.inertia;
    const auto& [x, y, z] = nodes_[i].inertia.moment;
    const bool zero = std::all_of(J.begin(), J.end(), [](const Vec3<wide>& row) {
      return row[0] == 0 && row[1] == 0 && row[2] == 0;
    });
    if (nodes_[i].inertia.mass > 0 && zero && x == 0 && y == 0 && z == 0) bare.insert(i);
  }
  for (const Load& load : loads_)
    if (load.moment) bare.erase(load.node);
  if (bare.empty() || !elements_.empty()) return;
  Start start(recorded(*this), to_double(start_.eval<wide>()));
  std::vector<double> values(start.system.gradient_pattern().size());
  MotionValues<double> out;
  out.gradient = values.data();
  start.evaluate(out);
  for (const int i : bare) {
    Eigen::Matrix3d held = Eigen::Matrix3d::Zero();  // GᵀG of the rotation
    std::map<int, Eigen::Vector3d> rows;
    for (std::size_t k = 0; k < values.size(); ++k) {
      const auto [row, column] = start.system.gradient_pattern().entries[k];
      const int axis = column - 6 * i - 3;
      if (axis < 0 || axis > 2) continue;
      rows.try_emplace(row, Eigen::Vector3d::Zero()).first->second[axis] += values[k];
    }
    for (const auto& [row, along] : rows) held += along * along.transpose();
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> axes(held);
    for (int k = 0; k < 3; ++k) {
      if (axes.eigenvalues()[k] > 1e-12 * (1 + held.trace())) continue;
      const Eigen::Vector3d e = axes.eigenvectors().col(k);
      const Vec3<wide> axis{wide(e[0]), wide(e[1]), wide(e[2])}, own = along(i, axis);
      if (abs(dot(nodes_[i].spin, axis)) > wide(fits))
        throw BadInput(fmt::format(
            "{}: it spins about an axis about which it has no inertia and nothing holds it; "
            "accepted: no spin about it, or an inertia",
            nodes_[i].name));
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
          nodes_[i].inertia.inertia[r][c] += nodes_[i].inertia.mass * own[r] * own[c];
    }
  }
}

Problem SpatialMechanism::problem(const std::string& name) const {
  if (nodes_.empty()) throw BadInput(fmt::format("{}: no bodies, accepted: at least one", name));
  SpatialMechanism settled = *this;
  if (settled.assembly_) settled.close_start();
  settled.give_idle_inertia();
  return settled.settled_problem(name);
}

Problem SpatialMechanism::settled_problem(const std::string& name) const {
  auto made = std::make_shared<Mechanism>(*recorded(*this));
  Start start(made, to_double(start_.eval<wide>()));
  check_start(name, start);
  const int redundant = measured_redundancy(name, made);
  if (leaves_out_)
    made = std::make_shared<Mechanism>(*independent(made, start_.eval<wide>(), remarks_));
  else
    made->redundant = redundant;
  Problem problem;
  problem.name = name;
  problem.start = start_;
  problem.absolute = recorded_makers([made] { return made; });
  if (elements_.empty() && exportable_)
    problem.bodies = [shared = std::make_shared<const SpatialMechanism>(*this)] {
      const auto bodies = rigid_bodies(*shared);
      bodies->finish();
      return bodies;
    };
  if (std::any_of(elements_.begin(), elements_.end(),
                  [](const Custom& custom) { return custom.element.in_double_only; }))
    problem.absolute.in_real50 = nullptr;
  return problem;
}

}  // namespace daemark
