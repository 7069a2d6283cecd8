#include "problems/planar/planar_mechanism.hpp"
#include "problems/planar/planar_system.hpp"

namespace daemark {
namespace {

/// a cos θ + b sin θ.
struct Wave {
  wide a, b;

  Wave slope() const { return {b, wide(-a)}; }
  Wave times(const wide& factor) const { return {wide(a * factor), wide(b * factor)}; }
  void add(const Wave& o) { a += o.a, b += o.b; }
  Var at(const Var& theta) const { return Var(a) * cos(theta) + Var(b) * sin(theta); }
};
/// Σ of products of a wave of θ_i and one of θ_j.
struct Product {
  std::array<wide, 4> c{};

  void add(const Wave& x, const Wave& y) {
    c[0] += x.a * y.a, c[1] += x.a * y.b, c[2] += x.b * y.a, c[3] += x.b * y.b;
  }
  Var at(const Var& i, const Var& j) const {
    return cos(i) * (Var(c[0]) * cos(j) + Var(c[1]) * sin(j)) +
           sin(i) * (Var(c[2]) * cos(j) + Var(c[3]) * sin(j));
  }
};

/// x (axis 0) or y of a body.
struct Place {
  wide constant;
  std::vector<std::pair<int, Wave>> waves;  ///< by angle
  Var at(const Var* theta) const {
    Var sum;
    for (const auto& [k, wave] : waves) sum += wave.at(theta[k]);
    return sum + Var(constant);
  }
};

Place place_of(const PlanarMechanism& m, int body, int axis) {
  const PlanarMechanism::TrigRow row = m.position_row(body, axis);
  Place place{row.constant, {}};
  for (const auto& [column, c, s] : row.trig) place.waves.push_back({column / 3, {c, s}});
  return place;
}

/// The constants of the equations.
struct Sums {
  int n;
  std::vector<Product> mass, speed;  ///< n × n: of v̇_j, and of ω_j²
  std::vector<Wave> force, work;     ///< of constant forces, gravity included; without
  std::vector<Wave> height;          ///< m g y
  wide height_constant = 0;

  explicit Sums(const PlanarMechanism& m)
      : n(static_cast<int>(m.bodies().size())),
        mass(static_cast<std::size_t>(n) * n),
        speed(mass.size()),
        force(n),
        work(n),
        height(n) {
    for (int b = 0; b < n; ++b)
      for (int axis = 0; axis < 2; ++axis) add(m, b, place_of(m, b, axis), axis);
  }
  void add(const PlanarMechanism& m, int b, const Place& place, int axis) {
    const wide& own = m.bodies()[b].mass;
    const wide weight = axis == 1 ? wide(own * m.gravity()) : wide(0);
    const wide& applied = m.loads()[b][axis];
    for (const auto& [i, wave] : place.waves) {
      const Wave slope = wave.slope().times(own);
      for (const auto& [j, other] : place.waves) {
        mass[i * n + j].add(slope, other.slope());
        speed[i * n + j].add(slope, other);
      }
      force[i].add(wave.slope().times(wide(applied - weight)));
      work[i].add(wave.times(applied)), height[i].add(wave.times(weight));
    }
    height_constant += weight * place.constant;
  }
};

PartFunctions bodies_law(const PlanarMechanism& m, const PartArguments& at) {
  const Sums sums(m);
  const int n = sums.n;
  PartFunctions f;
  f.mass.resize(static_cast<std::size_t>(n) * n), f.force.resize(n);
  f.potential = Var(sums.height_constant);
  for (int i = 0; i < n; ++i) {
    const Var &theta = at.q[i], start(m.bodies()[i].theta), torque(m.loads()[i][2]);
    f.force[i] = torque + sums.force[i].at(theta);
    for (int j = 0; j < n; ++j) {
      if (j <= i) f.mass[i * n + j] = f.mass[j * n + i] = sums.mass[i * n + j].at(theta, at.q[j]);
      f.force[i] += sums.speed[i * n + j].at(theta, at.q[j]) * square(at.v[j]);
    }
    f.mass[i * n + i] += Var(m.bodies()[i].inertia);
    f.potential += sums.height[i].at(theta);
    f.work += torque * (theta - start) + (sums.work[i].at(theta) - sums.work[i].at(start));
  }
  return f;
}

/// (x, y, θ) of every body, then their rates.
std::vector<Var> shown(const std::vector<Place>& places, const Var* q, const Var* v) {
  std::vector<Var> at, rates;
  for (std::size_t b = 0; b < places.size() / 2; ++b) {
    for (int axis = 0; axis < 2; ++axis) {
      const Place& place = places[2 * b + axis];
      at.push_back(place.at(q));
      rates.emplace_back();
      for (const auto& [k, wave] : place.waves) rates.back() += wave.slope().at(q[k]) * v[k];
    }
    at.push_back(q[b]), rates.push_back(v[b]);
  }
  at.insert(at.end(), rates.begin(), rates.end());
  return at;
}

}  // namespace

std::shared_ptr<const Mechanism> recorded_tree(const PlanarMechanism& m) {
  const auto shared = std::make_shared<const PlanarMechanism>(m);
  auto made = std::make_shared<Mechanism>();
  const int n = static_cast<int>(m.bodies().size());
  std::vector<Place> places;
  for (int b = 0; b < n; ++b) {
    const PlanarMechanism::Body& body = m.bodies()[b];
    made->coordinates.push_back({"theta" + body.name, "rad"});
    made->q0.push_back(body.theta), made->v0.push_back(body.omega);
    for (const int axis : {0, 1}) places.push_back(place_of(m, b, axis));
  }
  PartSizes sizes;
  sizes.k = n;
  made->elements = elements_on_angles(m);
  made->elements.insert(
      made->elements.begin(),
      whole_element(sizes, {}, [&m](const PartArguments& at) { return bodies_law(m, at); }));
  made->shown = [places](const Var* q, const Var* v) { return shown(places, q, v); };
  finish(shared, &recorded_tree, *made);
  if (made->output_values)
    made->output_values = [places, values = made->output_values](const MotionPoint<Var>& at) {
      const std::vector<Var> states = shown(places, at.q, at.v);
      return values({at.t, states.data(), states.data() + states.size() / 2});
    };
  return made;
}

}  // namespace daemark
