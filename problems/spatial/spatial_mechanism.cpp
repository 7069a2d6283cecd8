#include "problems/spatial/spatial_mechanism.hpp"

#include <fmt/format.h>

#include "base/program/stop.hpp"
#include "problems/spatial/spatial_system.hpp"

namespace daemark {

using namespace rotation;

namespace {

Vec3<wide> unit(const Vector& axis, const char* what) {
  using std::sqrt;
  const Vec3<wide> v = axis.value();
  const wide length = sqrt(dot(v, v));
  if (length == 0) throw BadInput(fmt::format("{}: the axis is zero, accepted: a direction", what));
  return {v[0] / length, v[1] / length, v[2] / length};
}

Vec3<wide> difference(const Vec3<wide>& a, const Vec3<wide>& b) {
  return combine(wide(1), a, wide(-1), b);
}

}  // namespace

Orientation Orientation::turn(const Vector& axis, const Exact& angle) {
  const Vec3<wide> e = unit(axis, "orientation");
  return {exponential<wide>({angle.value * e[0], angle.value * e[1], angle.value * e[2]})};
}

Orientation Orientation::axes(const Vector& first, const Vector& second) {
  using std::sqrt;
  const Vec3<wide> e1 = unit(first, "orientation");
  const Vec3<wide> e3 = unit(Vector::of(cross(e1, second.value())), "orientation");
  const Vec3<wide> e2 = cross(e3, e1);
  // The column of [e1 e2 e3]'s quaternion with the largest entry first (Shepperd 1978).
  const std::array<Vec3<wide>, 3> R{
      {{e1[0], e2[0], e3[0]}, {e1[1], e2[1], e3[1]}, {e1[2], e2[2], e3[2]}}};
  const wide trace = R[0][0] + R[1][1] + R[2][2];
  Quaternion<wide> p;
  if (trace > 0) {
    p = {1 + trace, R[2][1] - R[1][2], R[0][2] - R[2][0], R[1][0] - R[0][1]};
  } else {
    int i = 0;
    for (int j = 1; j < 3; ++j)
      if (R[j][j] > R[i][i]) i = j;
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    p[0] = R[k][j] - R[j][k];
    p[1 + i] = 1 + R[i][i] - R[j][j] - R[k][k];
    p[1 + j] = R[i][j] + R[j][i], p[1 + k] = R[i][k] + R[k][i];
  }
  return {normalised(p)};
}

std::array<Vec3<wide>, 3> Orientation::triad(const Vec3<wide>& axis) {
  using std::abs;
  int least = 0;
  for (int i = 1; i < 3; ++i)
    if (abs(axis[i]) < abs(axis[least])) least = i;
  Vec3<wide> beside{wide(0), wide(0), wide(0)};
  beside[least] = 1;
  const Quaternion<wide> p = axes(Vector::of(axis), Vector::of(beside)).p;
  std::array<Vec3<wide>, 3> e;
  for (int i = 0; i < 3; ++i) {
    Vec3<wide> unit{wide(0), wide(0), wide(0)};
    unit[i] = 1;
    e[i] = rotate(p, unit);
  }
  return e;
}

int SpatialMechanism::node(const std::string& name, const Placement& at) {
  for (const Node& known : nodes_)
    if (known.name == name)
      throw BadInput(fmt::format("{} is declared twice, accepted: one node of each name", name));
  nodes_.push_back({name,
                    at.position.value(),
                    at.velocity.value(),
                    at.spin.value(),
                    normalised(at.orientation.p),
                    {}});
  return static_cast<int>(nodes_.size()) - 1;
}

void SpatialMechanism::spin(int node, const Vector& at_start) {
  check_loaded(node, "spin");
  nodes_[node].spin = at_start.value();
}

void SpatialMechanism::inertia(int node, Exact mass, const Inertia& about, const Vector& offset) {
  check_loaded(node, "inertia");
  const std::string& name = nodes_[node].name;
  const wide xx = about.xx.value, yy = about.yy.value, zz = about.zz.value, xy = about.xy.value,
             xz = about.xz.value, yz = about.yz.value;
  if (!(mass.value > 0)) throw BadInput(fmt::format("{}: the mass must be positive", name));
  const wide minor = xx * yy - xy * xy;
  const wide determinant =
      xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
  if (xx < 0 || yy < 0 || zz < 0 || minor < 0 || determinant < 0)
    throw BadInput(fmt::format("{}: the inertia must not have a negative principal value", name));
  if (xx > yy + zz || yy > zz + xx || zz > xx + yy)
    throw BadInput(fmt::format(
        "{}: an inertia is larger than the sum of the two others, which no body has", name));
  const Vec3<wide> o = offset.value();
  const std::array<Vec3<wide>, 3> J{{{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}}};
  SpatialInertia& total = nodes_[node].inertia;
  total.mass += mass.value;
  for (int i = 0; i < 3; ++i) {
    total.moment[i] += mass.value * o[i];
    for (int j = 0; j < 3; ++j)
      total.inertia[i][j] += J[i][j] + mass.value * ((i == j ? dot(o, o) : wide(0)) - o[i] * o[j]);
  }
}

int SpatialMechanism::body(const std::string& name, Exact mass, const Inertia& about,
                           const Placement& at) {
  checkpoint();
  const int b = node(name, at);
  inertia(b, mass, about);
  return b;
}

Vec3<wide> SpatialMechanism::along(int body, const Vec3<wide>& axis) const {
  return body == ground ? axis : rotate(conjugate(nodes_[body].orientation), axis);
}
Vec3<wide> SpatialMechanism::on(int body, const Vec3<wide>& point) const {
  return body == ground ? point : along(body, difference(point, nodes_[body].position));
}

void SpatialMechanism::couple(CouplingKind kind, int a, const Vector& on_a, int b,
                              const Vector& on_b, const Exact& coefficient, const Exact& rest,
                              SharedLaw law) {
  const char* const name = is_damper(kind) ? "damper" : "spring";
  check_pair(a, b, name);
  if (!(coefficient.value > 0))
    throw BadInput(fmt::format("{}: the coefficient must be positive", name));
  const Vec3<wide> pa = on_a.value(), pb = on_b.value(), d = difference(pb, pa);
  if (dot(d, d) == 0 && (is_damper(kind) || rest.value != 0))
    throw BadInput(
        fmt::format("{}: its length is zero at the start, accepted: points apart, or a spring with "
                    "free length 0",
                    name));
  MechanismBuilder::couple(kind, a, on(a, pa), b, on(b, pb), coefficient, rest, std::move(law));
  element_is_last_ = false;
}

void SpatialMechanism::load(const char* what, int body, const Vector& on_body, const Vector& value,
                            SharedLaw law) {
  check_loaded(body, what);
  const bool moment = std::string(what) == "moment";
  const Vec3<wide> origin{wide(0), wide(0), wide(0)};
  loads_.push_back(
      {body, moment ? origin : on(body, on_body.value()), value.value(), moment, std::move(law)});
}

void SpatialMechanism::element(std::vector<int> nodes, SpatialElement element) {
  for (const int node : nodes) check_body(node, "element");
  elements_.push_back({std::move(nodes), std::move(element)});
  element_is_last_ = true;
}

void SpatialMechanism::stiff() {
  if (element_is_last_)
    elements_.back().stiff = true;
  else if (!couplings_.empty())
    couplings_.back().stiff = true;
  else
    throw BadInput("stiff: no spring, damper or beam precedes it");
}

std::shared_ptr<const SpatialMechanism> SpatialMechanism::stiff_part() const {
  if (!has_stiff_coupling() && std::none_of(elements_.begin(), elements_.end(),
                                            [](const Custom& custom) { return custom.stiff; }))
    return nullptr;
  auto part = std::make_shared<SpatialMechanism>(*this);
  part->keep_stiff_couplings();
  part->loads_.clear();
  part->gravity_ = {};
  return part;
}

rotation::Quaternion<Var> SpatialView::orientation(int node) const {
  return normalised(
      product(cayley_quaternion(point.q + 6 * node + 3), quaternion(point.chart + 4 * node)));
}
rotation::Vec3<Var> SpatialView::spin(int node) const {
  return cayley_spin(vector(point.q + 6 * node + 3), vector(point.v + 6 * node + 3));
}

}  // namespace daemark
