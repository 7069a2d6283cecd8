#include "problems/spatial/spatial_system.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "problems/builder/line_coupling.hpp"
#include "problems/spatial/spatial_mechanism.hpp"

namespace daemark {
namespace {

using namespace rotation;
using Vec = Vec3<Var>;
using Law = SharedLaw;

Vec plus(const Vec& a, const Vec& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
Vec minus(const Vec& a, const Vec& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Vec times(const Var& s, const Vec& a) { return {s * a[0], s * a[1], s * a[2]}; }
void put(std::vector<Var>& f, const Vec& x) { f.insert(f.end(), x.begin(), x.end()); }

// A body or a node with rigid pieces, and what gravity does to it. In the frame of R_ref, J about
// the node and s = m times the mass centre from the node. Spin ν = Gᵀ ġ, ν̇ = Gᵀ g̈ − ½ c (g·ġ) ν
// (rotation.hpp):
//   F = m ẍ + R(g) (ν̇ × s + ν × (ν × s)),   µ = J ν̇ + ν × J ν + s × R(g)ᵀ ẍ,
// and what virtual work makes of them along x and g: F and G µ; the mass matrix is
// [m I, −R s× Gᵀ; G s× Rᵀ, G J Gᵀ].
struct BodyLaw {
  Var mass;
  Vec moment, gravity;
  std::array<Vec, 3> inertia;

  /// Data: mass, moment, inertia row by row (in the node's frame), gravity.
  explicit BodyLaw(const PartArguments& at) {
    const Quaternion<Var> p = quaternion(at.chart.data());
    const Var* const d = at.data.data();
    mass = d[0], gravity = vector(d + 13);
    moment = rotate(p, vector(d + 1));
    for (int j = 0; j < 3; ++j) {
      Vec unit{0, 0, 0};
      unit[j] = 1;
      const Vec own = rotate(conjugate(p), unit);
      const Vec column =
          rotate(p, {dot(vector(d + 4), own), dot(vector(d + 7), own), dot(vector(d + 10), own)});
      for (int i = 0; i < 3; ++i) inertia[i][j] = column[i];
    }
  }
  Vec J(const Vec& x) const { return {dot(inertia[0], x), dot(inertia[1], x), dot(inertia[2], x)}; }

  std::vector<Var> mass_matrix(const Vec& g) const {
    std::vector<Var> M(36);
    for (int i = 0; i < 3; ++i) M[7 * i] = mass;
    for (int j = 0; j < 3; ++j) {
      Vec unit{0, 0, 0};
      unit[j] = 1;
      const Vec along = cayley_spin_transposed(g, unit), turn = cayley_spin(g, J(along)),
                pull = cayley_rotate(g, cross(along, moment));
      for (int i = 0; i < 3; ++i) {
        // Both halves are the same but for rounding.
        if (i <= j) M[6 * (3 + i) + 3 + j] = M[6 * (3 + j) + 3 + i] = turn[i];
        M[6 * i + 3 + j] = M[6 * (3 + j) + i] = pull[i];
      }
    }
    return M;
  }
  PartFunctions state(const PartArguments& at, const Law& law) const {
    const Vec x = vector(at.q.data()), g = vector(at.q.data() + 3), v = vector(at.v.data()),
              rate = vector(at.v.data() + 3), nu = cayley_spin_transposed(g, rate);
    const Var sigma = cayley_scale(g) * dot(g, rate) / Var(-2);
    PartFunctions f;
    f.mass = mass_matrix(g);
    const Vec swept = cross(nu, moment),
              shown = cayley_rotate(g, plus(times(sigma, swept), cross(nu, swept)));
    const Vec pull = times(factor_at(law, at.t), gravity), back{-g[0], -g[1], -g[2]};
    const Vec mu = minus(plus(times(sigma, J(nu)), cross(nu, J(nu))),
                         cross(moment, cayley_rotate(back, pull)));
    put(f.force, minus(times(mass, pull), shown));
    put(f.force, times(Var(-1), cayley_spin(g, mu)));
    f.kinetic =
        (mass * dot(v, v) + dot(nu, J(nu)) + Var(2) * dot(v, cayley_rotate(g, swept))) / Var(2);
    const Vec weighed = times(mass, gravity);
    if (law)
      f.dissipation = (dot(weighed, v) + dot(gravity, cayley_rotate(g, swept))) * (*law)(at.t);
    else
      f.potential = -(dot(weighed, x) + dot(gravity, cayley_rotate(g, moment)));
    return f;
  }
};

/// A point of a node: where it is, how fast, and its lever R r.
struct Point {
  Vec g, place, rate, lever;

  Point(const PartArguments& at, int node, const Var* local) {
    const Var *const q = at.q.data() + 6 * node, *const v = at.v.data() + 6 * node;
    g = vector(q + 3);
    lever = cayley_rotate(g, rotate(quaternion(at.chart.data() + 4 * node), vector(local)));
    place = plus(vector(q), lever);
    rate = plus(vector(v), cross(cayley_spin(g, vector(v + 3)), lever));
  }
  /// What a force there does along (x, g): a moment M of space does the work M · G ġ.
  void apply(const Vec& force, std::vector<Var>& f) const {
    put(f, force), put(f, cayley_spin_transposed(g, cross(lever, force)));
  }
};

/// Data: the points in the nodes' frames, coefficient, rest.
PartFunctions coupling_law(const PartArguments& at, bool damper, const Law& law) {
  const Var* const d = at.data.data();
  return line_coupling(at, Point(at, 0, d), Point(at, 1, d + 3), damper, d[6], d[7], law);
}

/// A spring of free length 0, where its length may be 0. Data as of couplings.
PartFunctions spatial_central_law(const PartArguments& at) {
  const Var* const d = at.data.data();
  const Point a(at, 0, d), b(at, 1, d + 3);
  const Vec apart = minus(b.place, a.place), pull = times(d[6], apart);
  PartFunctions f;
  a.apply(pull, f.force), b.apply(times(Var(-1), pull), f.force);
  f.potential = d[6] * dot(apart, apart) / Var(2);
  return f;
}

/// A force at a point, or a moment, of fixed direction in space. A constant force has a potential,
/// a moment has none: its work depends on the way. Data: the point, the value.
PartFunctions load_law(const PartArguments& at, bool moment, const Law& law) {
  const Vec value = vector(at.data.data() + 3), load = times(factor_at(law, at.t), value);
  PartFunctions f;
  const Point point(at, 0, at.data.data());
  if (moment)
    put(f.force, {0, 0, 0}), put(f.force, cayley_spin_transposed(point.g, load));
  else
    point.apply(load, f.force);
  if (moment || law)
    f.dissipation = power_of(f.force, at.v);
  else
    f.potential = -dot(value, point.place);
  return f;
}

/// Rows that are sums of scalar products of features:
///   Φ = Σ c_k f_k (u_k · w_k) − law(t),   f = 1, cos θ or sin θ, θ see JointRow.
/// Data: each feature's r, and row by row the coefficients of its terms and of θ.
PartFunctions joint_law(const PartArguments& at, const SpatialMechanism::Joint& joint) {
  const Var* d = at.data.data();
  std::vector<Vec> features;
  for (const auto& feature : joint.features) {
    Vec u = vector(d);
    if (feature.node >= 0) {
      const Var* const q = at.q.data() + 6 * feature.node;
      u = cayley_rotate(vector(q + 3), rotate(quaternion(at.chart.data() + 4 * feature.node), u));
      if (feature.point) u = plus(vector(q), u);
    }
    features.push_back(u);
    d += 3;
  }
  const Var law = joint.law ? (*joint.law)(at.t) : Var();
  const Var* const angles = at.q.data() + 6 * joint.nodes.size();
  PartFunctions f;
  for (const auto& row : joint.equations) {
    Var sum = row.subtracts_law ? -law : Var(), angle = law;
    for (const auto& [which, factor] : row.angles) angle += *d++ * angles[which];
    for (const auto& way : row.ways) angle += *d++ * dot(features[way.u], features[way.w]);
    for (const auto& term : row.terms) {
      Var c = *d++;
      if (term.factor == JointFactor::cosine) c *= cos(angle);
      if (term.factor == JointFactor::sine) c *= sin(angle);
      sum += c * dot(features[term.u], features[term.w]);
    }
    f.rows.push_back(sum);
  }
  return f;
}

/// b turns at a prescribed rate about an axis of a, e · (ω_b − ω_a) = Ω(t), e = R_a r. Coordinates:
/// g of each; data: r.
PartFunctions turn_rate_law(const PartArguments& at, const MotionLaw& law) {
  const Var *const q = at.q.data(), *const v = at.v.data();
  const Vec e =
      cayley_rotate(vector(q), rotate(quaternion(at.chart.data()), vector(at.data.data())));
  const Vec spin =
      minus(cayley_spin(vector(q + 3), vector(v + 3)), cayley_spin(vector(q), vector(v)));
  PartFunctions f;
  f.rows = {dot(e, spin) - law(at.t)};
  return f;
}

void put(std::vector<wide>& data, const Vec3<wide>& x) {
  data.insert(data.end(), x.begin(), x.end());
}
std::vector<const void*> functions(const Law& law) {
  return law ? std::vector<const void*>{law.get()} : std::vector<const void*>{};
}

/// Elements of one mechanism, in its order of rows. A node has (x, g), six coordinates, and the
/// quaternion of R_ref on its chart.
class SpatialElements {
 public:
  explicit SpatialElements(const SpatialMechanism& mechanism) : m_(mechanism) {}
  std::vector<Element> all();

 private:
  Element custom(const SpatialMechanism::Custom& custom);
  Element body(int node);
  Element joint(const SpatialMechanism::Joint& joint);
  Element turn_rate(const SpatialMechanism::Joint& joint);
  Element coupling(const SpatialMechanism::Coupling& coupling);
  Element load(const SpatialMechanism::Load& load);

  const SpatialMechanism& m_;
  ElementKinds kinds_;
};

Element SpatialElements::custom(const SpatialMechanism::Custom& custom) {
  std::vector<ElementNode> nodes;
  for (const int node : custom.nodes) nodes.push_back(ElementNode::spatial(node));
  return kinds_.make({"element", {custom.element.law.get()}}, nodes, {}, {}, *custom.element.law);
}

Element SpatialElements::body(int node) {
  const SpatialInertia& own = m_.nodes()[node].inertia;
  std::vector<wide> data{own.mass};
  put(data, own.moment);
  for (const auto& row : own.inertia) put(data, row);
  put(data, m_.gravity().acceleration);
  const Law& law = m_.gravity().factor;
  return kinds_.make({"body", functions(law)}, {ElementNode::spatial(node)}, data, {},
                     [&](const PartArguments& at) { return BodyLaw(at).state(at, law); });
}

Element SpatialElements::joint(const SpatialMechanism::Joint& joint) {
  if (joint.features.empty()) return turn_rate(joint);
  std::vector<ElementNode> nodes;
  for (const int node : joint.nodes) nodes.push_back(ElementNode::spatial(node));
  const int behind = 6 * static_cast<int>(m_.nodes().size());
  for (const int angle : joint.angles) nodes.push_back({behind + angle, 1});
  std::string shape = "joint ";
  std::vector<wide> data;
  for (const auto& f : joint.features) {
    put(data, f.local);
    shape += fmt::format("{}{},", f.point ? 'p' : 'd', f.node);
  }
  for (const auto& row : joint.equations) {
    shape += row.subtracts_law ? "-" : "+";
    for (const auto& [which, factor] : row.angles) {
      data.push_back(factor);
      shape += fmt::format("{}*", which);
    }
    for (const auto& way : row.ways) {
      data.push_back(way.coefficient);
      shape += fmt::format("{}w{},", way.u, way.w);
    }
    for (const auto& term : row.terms) {
      data.push_back(term.coefficient);
      shape += fmt::format("{}.{}.{},", term.u, term.w, static_cast<int>(term.factor));
    }
  }
  return kinds_.make({shape, functions(joint.law)}, nodes, data, joint.rows,
                     [&](const PartArguments& at) { return joint_law(at, joint); });
}

Element SpatialElements::turn_rate(const SpatialMechanism::Joint& joint) {
  std::vector<ElementNode> nodes;
  for (const int node : joint.turned)
    nodes.push_back(node < 0 ? ElementNode{-1, 3, ElementNode::fixed_chart}
                             : ElementNode{6 * node + 3, 3, 4 * node});
  std::vector<wide> data;
  put(data, joint.axis);
  return kinds_.make({"turn rate", functions(joint.law), 1}, nodes, data, joint.rows,
                     [&](const PartArguments& at) { return turn_rate_law(at, *joint.law); });
}

Element SpatialElements::coupling(const SpatialMechanism::Coupling& c) {
  std::vector<wide> data;
  put(data, c.on_a), put(data, c.on_b);
  data.push_back(c.coefficient), data.push_back(c.rest);
  const bool damper = is_damper(c.kind);
  if (!damper && c.rest == 0 && !c.law)
    return kinds_.make({"central spring", {}},
                       {ElementNode::spatial(c.a), ElementNode::spatial(c.b)}, data, {},
                       spatial_central_law);
  return kinds_.make({damper ? "damper" : "spring", functions(c.law)},
                     {ElementNode::spatial(c.a), ElementNode::spatial(c.b)}, data, {},
                     [&](const PartArguments& at) { return coupling_law(at, damper, c.law); });
}

Element SpatialElements::load(const SpatialMechanism::Load& load) {
  std::vector<wide> data;
  put(data, load.on_node), put(data, load.value);
  return kinds_.make({load.moment ? "moment" : "force", functions(load.law)},
                     {ElementNode::spatial(load.node)}, data, {},
                     [&](const PartArguments& at) { return load_law(at, load.moment, load.law); });
}

std::vector<Element> SpatialElements::all() {
  std::vector<Element> elements;
  for (const auto& each : m_.elements()) elements.push_back(custom(each));
  // After beam elements, whose blocks then stand in the patterns without gaps.
  for (int i = 0; i < static_cast<int>(m_.nodes().size()); ++i)
    if (m_.nodes()[i].inertia.mass != 0) elements.push_back(body(i));
  for (const auto& each : m_.joints()) elements.push_back(joint(each));
  for (const auto& each : m_.couplings()) elements.push_back(coupling(each));
  for (const auto& each : m_.loads()) elements.push_back(load(each));
  return elements;
}

void add_nodes(const SpatialMechanism& m, Mechanism& made) {
  for (const auto& node : m.nodes()) {
    made.charts.push_back(
        Chart::rotation(static_cast<int>(made.coordinates.size()) + 3, node.orientation));
    constexpr const char* axes[] = {"x_", "y_", "z_", "gx_", "gy_", "gz_"};
    constexpr const char* turns[] = {"psix_", "psiy_", "psiz_"};
    constexpr const char* spins[] = {"Omega1_", "Omega2_", "Omega3_"};
    for (int i = 0; i < 6; ++i) {
      made.coordinates.push_back({axes[i] + node.name, i < 3 ? "m" : "rad"});
      made.q0.push_back(i < 3 ? node.position[i] : wide(0));
      made.v0.push_back(i < 3 ? node.velocity[i] : node.spin[i - 3]);
      made.reference_names.push_back((i < 3 ? axes[i] : turns[i - 3]) + node.name);
      made.reference_velocity_names.push_back(i < 3 ? std::string("d") + axes[i] + node.name
                                                    : spins[i - 3] + node.name);
    }
  }
  for (const auto& angle : m.angles()) {
    made.coordinates.push_back({"phi_" + angle.name, "rad"});
    made.q0.push_back(angle.at_start), made.v0.push_back(m.rate_at_start(angle));
    made.reference_names.push_back("phi_" + angle.name);
    made.reference_velocity_names.push_back("dphi_" + angle.name);
  }
}

}  // namespace

std::shared_ptr<const Mechanism> recorded(const SpatialMechanism& m) {
  auto made = std::make_shared<Mechanism>();
  add_nodes(m, *made);
  made->elements = SpatialElements(m).all();
  made->redundant = std::max(m.redundancy(), 0);
  finish(std::make_shared<const SpatialMechanism>(m), &recorded, *made);
  made->drawing = [drawing = spatial_drawing(m)] { return drawing; };
  return made;
}

}  // namespace daemark
