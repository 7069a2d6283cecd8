#include "problems/planar/planar_system.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "problems/builder/line_coupling.hpp"
#include "problems/planar/planar_mechanism.hpp"

namespace daemark {
namespace {

using TrigRow = PlanarMechanism::TrigRow;
using Coupling = PlanarMechanism::Coupling;

/// A point of a body: where it is, how fast, and its lever R s from the mass centre. `q` begins at
/// the body's coordinates, `local` is s.
struct WorldPoint {
  std::array<Var, 2> lever, place, rate;

  WorldPoint(const Var* q, const Var* v, const Var* local) {
    const Var c = cos(q[2]), n = sin(q[2]);
    lever = {c * local[0] - n * local[1], n * local[0] + c * local[1]};
    place = {q[0] + lever[0], q[1] + lever[1]};
    rate = {v[0] - lever[1] * v[2], v[1] + lever[0] * v[2]};
  }
  void apply(const std::array<Var, 2>& force, std::vector<Var>& f) const {
    f.insert(f.end(), {force[0], force[1], lever[0] * force[1] - lever[1] * force[0]});
  }
};

/// Data: mass, inertia, weight, constant loads along x, y, θ, and where their work is zero.
PartFunctions body_law(const PartArguments& at) {
  const Var *const d = at.data.data(), *const load = d + 3, *const start = d + 6;
  PartFunctions f;
  f.mass = {d[0], 0, 0, 0, d[0], 0, 0, 0, d[1]};
  f.force = {load[0], load[1] - d[2], load[2]};
  f.potential = d[2] * at.q[1];
  for (int i = 0; i < 3; ++i) f.work += load[i] * (at.q[i] - start[i]);
  return f;
}

/// φ_1 = θ_b − θ_a − offset, φ_2 = normal_a · (P_b − P_a). Data: points on a and b, angle of the
/// line in a, offset.
PartFunctions prismatic_law(const PartArguments& at) {
  const Var *const z = at.q.data(), *const v = at.v.data(), *const d = at.data.data();
  const WorldPoint a(z, v, d), b(z + 3, v + 3, d + 2);
  const Var direction = z[2] + d[4];
  PartFunctions f;
  f.rows = {z[5] - z[2] - d[5], cos(direction) * (b.place[1] - a.place[1]) -
                                    sin(direction) * (b.place[0] - a.place[0])};
  return f;
}

/// normal_a · (P_b − P_a). Data: points on a and b, angle of the line in a.
PartFunctions slot_law(const PartArguments& at) {
  const Var *const z = at.q.data(), *const v = at.v.data(), *const d = at.data.data();
  const WorldPoint a(z, v, d), b(z + 3, v + 3, d + 2);
  const Var direction = z[2] + d[4];
  PartFunctions f;
  f.rows = {cos(direction) * (b.place[1] - a.place[1]) -
            sin(direction) * (b.place[0] - a.place[0])};
  return f;
}

/// (|P_b − P_a|² − L²) / 2L: λ is the force. Data: points on a and b, L.
PartFunctions distance_law(const PartArguments& at) {
  const Var *const z = at.q.data(), *const v = at.v.data(), *const d = at.data.data();
  const WorldPoint a(z, v, d), b(z + 3, v + 3, d + 2);
  PartFunctions f;
  f.rows = {(square(b.place[0] - a.place[0]) + square(b.place[1] - a.place[1]) - square(d[4])) /
            (Var(2) * d[4])};
  return f;
}

/// Data: the point on b, the angle of the direction in a, the law.
PartFunctions friction_law(const PartArguments& at) {
  const Var *const z = at.q.data(), *const v = at.v.data(), *const d = at.data.data();
  const WorldPoint b(z + 3, v + 3, d);
  const std::array<Var, 2> u{cos(z[2] + d[2]), sin(z[2] + d[2])};
  // Of the point of b against the point of a that is there.
  const Var x = b.place[0] - z[0], y = b.place[1] - z[1];
  const Var rate = u[0] * (b.rate[0] - v[0] + y * v[2]) + u[1] * (b.rate[1] - v[1] - x * v[2]);
  const Var force = friction_force(d + 3, rate);
  PartFunctions f;
  f.force = {-force * u[0], -force * u[1], -force * (x * u[1] - y * u[0])};
  b.apply({force * u[0], force * u[1]}, f.force);
  f.dissipation = force * rate;
  return f;
}

/// Coordinates: the angles. Data: the law.
PartFunctions torsion_friction_law(const PartArguments& at) {
  const Var rate = at.v[1] - at.v[0], moment = friction_force(at.data.data(), rate);
  PartFunctions f;
  f.force = {-moment, moment};
  f.dissipation = moment * rate;
  return f;
}

/// A spring of free length 0, where its length may be 0. Data: points on a and b, coefficient.
PartFunctions central_law(const PartArguments& at) {
  const Var *const q = at.q.data(), *const v = at.v.data(), *const d = at.data.data();
  const WorldPoint a(q, v, d), b(q + 3, v + 3, d + 2);
  const std::array<Var, 2> apart{b.place[0] - a.place[0], b.place[1] - a.place[1]};
  PartFunctions f;
  a.apply({d[4] * apart[0], d[4] * apart[1]}, f.force);
  b.apply({-d[4] * apart[0], -d[4] * apart[1]}, f.force);
  f.potential = d[4] * (square(apart[0]) + square(apart[1])) / Var(2);
  return f;
}

/// Data: coefficient, rest.
PartFunctions torsion_law(const PartArguments& at, bool damper) {
  const Var &coefficient = at.data[0], &rest = at.data[1];
  const Var stretch = at.q[1] - at.q[0] - rest;
  const Var moment = coefficient * (damper ? at.v[1] - at.v[0] : stretch);
  PartFunctions f;
  f.force = {moment, -moment};
  if (damper)
    f.dissipation = moment * (at.v[0] - at.v[1]);
  else
    f.potential = coefficient * square(stretch) / Var(2);
  return f;
}

/// Data: points on a and b, coefficient, rest.
PartFunctions line_law(const PartArguments& at, bool damper) {
  const Var *const q = at.q.data(), *const v = at.v.data(), *const d = at.data.data();
  return line_coupling(at, WorldPoint(q, v, d), WorldPoint(q + 3, v + 3, d + 2), damper, d[4], d[5],
                       nullptr);
}

ElementNode node(int body) { return {body < 0 ? -1 : 3 * body, 3}; }

std::vector<int> angles(const TrigRow& row) {
  std::vector<int> all;
  for (const auto& [column, c, s] : row.trig) all.push_back(column);
  std::sort(all.begin(), all.end());
  return all;
}

/// Elements of one mechanism, in its order of rows. Coordinates of a body are (x, y, θ), three from
/// 3 b on.
class PlanarElements {
 public:
  explicit PlanarElements(const PlanarMechanism& mechanism) : m_(mechanism) {}

  std::vector<Element> all();
  std::vector<Element> on_angles();

 private:
  Element body(int b);
  /// Rows i … i + count − 1, of the same angles.
  Element rows(std::size_t i, std::size_t count);
  Element prismatic(int number);
  Element rod(int number);
  Element friction(const PlanarMechanism::Friction& friction);
  bool starts_at_length_zero(const Coupling& c) const;
  Element coupling(const Coupling& c, const std::vector<ElementNode>& nodes);
  Element load(const PlanarMechanism::TimedLoad& load, int coordinate);

  const PlanarMechanism& m_;
  ElementKinds kinds_;
};

Element PlanarElements::body(int b) {
  const PlanarMechanism::Body& body = m_.bodies()[b];
  std::vector<wide> data{body.mass, body.inertia, wide(body.mass * m_.gravity())};
  for (const wide& load : m_.loads()[b]) data.push_back(load);
  const wide start[] = {body.x, body.y, body.theta};
  for (int i = 0; i < 3; ++i) data.push_back(data[3 + i] == 0 ? wide(0) : start[i]);
  return kinds_.make({"body", {}}, {node(b)}, data, {}, body_law);
}

/// Σ a_i q_i + Σ (c_k cos θ_k + s_k sin θ_k) + constant − law(t), see TrigRow.
Element PlanarElements::rows(std::size_t i, std::size_t count) {
  std::vector<int> all;  // coordinates, each once
  for (std::size_t r = i; r < i + count; ++r) {
    for (const auto& [column, coefficient] : m_.rows()[r].linear) all.push_back(column);
    for (const auto& [column, c, s] : m_.rows()[r].trig) all.push_back(column);
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  std::string shape;  // of which coordinates are where
  std::vector<wide> data;
  std::vector<Quantity> names;
  std::vector<const void*> laws;
  std::vector<ElementNode> nodes;
  for (const int column : all) nodes.push_back({column, 1});
  const auto place = [&all](int column) {
    return static_cast<int>(std::lower_bound(all.begin(), all.end(), column) - all.begin());
  };
  for (std::size_t r = i; r < i + count; ++r) {
    const TrigRow& row = m_.rows()[r];
    for (const auto& [column, coefficient] : row.linear)
      shape += fmt::format("l{}", place(column)), data.push_back(coefficient);
    for (const auto& [column, c, s] : row.trig) {
      shape += fmt::format("t{}", place(column));
      data.push_back(c), data.push_back(s);
    }
    shape += ';';
    data.push_back(row.constant);
    names.push_back({"lambda_" + row.quantity.name, row.quantity.unit});
    if (row.law) laws.push_back(row.law.get());
  }
  return kinds_.make({"rows " + shape, laws}, nodes, data, names, [&](const PartArguments& at) {
    PartFunctions f;
    auto d = at.data.begin();
    for (std::size_t r = i; r < i + count; ++r) {
      const TrigRow& row = m_.rows()[r];
      Var sum;
      for (const auto& [column, coefficient] : row.linear) sum += *d++ * at.q[place(column)];
      for (const auto& [column, c, s] : row.trig) {
        const Var& theta = at.q[place(column)];
        sum += d[0] * cos(theta) + d[1] * sin(theta), d += 2;
      }
      sum += *d++;
      if (row.law) sum -= (*row.law)(at.t);
      f.rows.push_back(sum);
    }
    return f;
  });
}

Element PlanarElements::prismatic(int number) {
  const PlanarMechanism::Prismatic& p = m_.prismatics()[number];
  if (p.turns)
    return kinds_.make({"slot", {}}, {node(p.a), node(p.b)},
                       {p.on_a[0], p.on_a[1], p.on_b[0], p.on_b[1], p.angle},
                       {{fmt::format("lambda_slot{}", number + 1), "m"}}, slot_law);
  const std::string name = fmt::format("lambda_prismatic{}", number + 1);
  return kinds_.make({"prismatic", {}}, {node(p.a), node(p.b)},
                     {p.on_a[0], p.on_a[1], p.on_b[0], p.on_b[1], p.angle, p.offset},
                     {{name + "_angle", "rad"}, {name + "_normal", "m"}}, prismatic_law);
}

Element PlanarElements::rod(int number) {
  const PlanarMechanism::Rod& r = m_.rods()[number];
  return kinds_.make({"distance", {}}, {node(r.a), node(r.b)},
                     {r.on_a[0], r.on_a[1], r.on_b[0], r.on_b[1], r.length},
                     {{fmt::format("lambda_distance{}", number + 1), "m"}}, distance_law);
}

Element PlanarElements::friction(const PlanarMechanism::Friction& f) {
  std::vector<wide> data = friction_data(f.law);
  if (f.turns) {
    const auto angle = [](int body) { return ElementNode{body < 0 ? -1 : 3 * body + 2, 1}; };
    return kinds_.make({"torsion friction", {}}, {angle(f.a), angle(f.b)}, data, {},
                       torsion_friction_law);
  }
  data.insert(data.begin(), {f.on_b[0], f.on_b[1], f.angle});
  return kinds_.make({"friction", {}}, {node(f.a), node(f.b)}, data, {}, friction_law);
}

bool PlanarElements::starts_at_length_zero(const Coupling& c) const {
  const auto place = [&](int body, const std::array<wide, 2>& on) {
    if (body < 0) return on;
    const PlanarMechanism::Body& b = m_.bodies()[body];
    return std::array<wide, 2>{wide(b.x + b.cosine * on[0] - b.sine * on[1]),
                               wide(b.y + b.sine * on[0] + b.cosine * on[1])};
  };
  return c.kind == CouplingKind::spring && c.rest == 0 && place(c.a, c.on_a) == place(c.b, c.on_b);
}

Element PlanarElements::coupling(const Coupling& c, const std::vector<ElementNode>& nodes) {
  const bool damper = is_damper(c.kind);
  if (is_torsion(c.kind))
    return kinds_.make({damper ? "torsion damper" : "torsion spring", {}}, nodes,
                       {c.coefficient, c.rest}, {},
                       [=](const PartArguments& at) { return torsion_law(at, damper); });
  if (starts_at_length_zero(c))
    return kinds_.make({"central spring", {}}, nodes,
                       {c.on_a[0], c.on_a[1], c.on_b[0], c.on_b[1], c.coefficient}, {},
                       central_law);
  return kinds_.make({damper ? "damper" : "spring", {}}, nodes,
                     {c.on_a[0], c.on_a[1], c.on_b[0], c.on_b[1], c.coefficient, c.rest}, {},
                     [=](const PartArguments& at) { return line_law(at, damper); });
}

Element PlanarElements::load(const PlanarMechanism::TimedLoad& load, int coordinate) {
  return kinds_.make({"load", {load.law.get()}}, {{coordinate, 1}}, {load.amplitude}, {},
                     [&](const PartArguments& at) {
                       PartFunctions f;
                       f.force = {at.data[0] * (*load.law)(at.t)};
                       f.dissipation = f.force[0] * at.v[0];
                       return f;
                     });
}

std::vector<Element> PlanarElements::all() {
  std::vector<Element> elements;
  for (int b = 0; b < static_cast<int>(m_.bodies().size()); ++b) elements.push_back(body(b));
  for (std::size_t i = 0; i < m_.rows().size();) {
    const TrigRow& row = m_.rows()[i];
    const bool two = i + 1 < m_.rows().size() && !row.law && !m_.rows()[i + 1].law &&
                     angles(row) == angles(m_.rows()[i + 1]);
    elements.push_back(rows(i, two ? 2 : 1));
    i += two ? 2 : 1;
  }
  for (int i = 0; i < static_cast<int>(m_.prismatics().size()); ++i)
    elements.push_back(prismatic(i));
  for (int i = 0; i < static_cast<int>(m_.rods().size()); ++i) elements.push_back(rod(i));
  const auto angle = [](int body) { return ElementNode{body < 0 ? -1 : 3 * body + 2, 1}; };
  for (const auto& c : m_.couplings())
    elements.push_back(coupling(c, is_torsion(c.kind) ? std::vector{angle(c.a), angle(c.b)}
                                                      : std::vector{node(c.a), node(c.b)}));
  for (const auto& each : m_.frictions()) elements.push_back(friction(each));
  for (const auto& timed : m_.timed_loads())
    elements.push_back(load(timed, 3 * timed.body + timed.axis));
  return elements;
}

std::vector<Element> PlanarElements::on_angles() {
  std::vector<Element> elements;
  for (const auto& c : m_.couplings()) elements.push_back(coupling(c, {{c.a, 1}, {c.b, 1}}));
  for (const auto& timed : m_.timed_loads()) elements.push_back(load(timed, timed.body));
  return elements;
}

}  // namespace

std::vector<Element> elements_on_angles(const PlanarMechanism& m) {
  return PlanarElements(m).on_angles();
}

std::shared_ptr<const Mechanism> recorded(const PlanarMechanism& m) {
  auto made = std::make_shared<Mechanism>();
  for (const PlanarMechanism::Body& body : m.bodies()) {
    for (const auto& [axis, unit] :
         {std::pair("x", "m"), std::pair("y", "m"), std::pair("theta", "rad")})
      made->coordinates.push_back({axis + body.name, unit});
    for (const wide& q : {body.x, body.y, body.theta}) made->q0.push_back(q);
    for (const wide& v : {body.vx, body.vy, body.omega}) made->v0.push_back(v);
  }
  made->elements = PlanarElements(m).all();
  made->redundant = m.redundancy(), made->assembled = m.is_assembled();
  const auto shared = std::make_shared<const PlanarMechanism>(m);
  finish(shared, &recorded, *made);
  made->drawing = [shared] { return planar_drawing(*shared); };
  return made;
}

}  // namespace daemark
