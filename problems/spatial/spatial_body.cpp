#include "problems/spatial/spatial_body.hpp"

#include <algorithm>

#include "problems/geometry/rotation_charts.hpp"

namespace daemark {

using namespace rotation;

namespace {

template <class S>
inline Vec3<S> multiply(const std::array<Vec3<S>, 3>& J, const Vec3<S>& x) {
  return {dot(J[0], x), dot(J[1], x), dot(J[2], x)};
}
template <class S>
inline Vec3<S> plus(const Vec3<S>& a, const Vec3<S>& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
template <class S>
inline Vec3<S> times(const S& s, const Vec3<S>& a) {
  return {s * a[0], s * a[1], s * a[2]};
}
template <class S>
inline Vec3<S> unit_vector(int j) {
  return {S(j == 0), S(j == 1), S(j == 2)};
}
/// Column j of the block of orientations, or of positions by orientations.
template <class S>
inline void put(S* block, int row, int j, const Vec3<S>& column) {
  for (int i = 0; i < 3; ++i) block[6 * (row + i) + 3 + j] = column[i];
}

}  // namespace

template <class S>
inline rotation::Vec3<S> SpatialBody<S>::Motion::spin(const Vec3& x) const {
  return combine(S(half + half), x, half, cross(g, x));
}
template <class S>
inline rotation::Vec3<S> SpatialBody<S>::Motion::spin_transposed(const Vec3& x) const {
  return combine(S(half + half), x, S(-half), cross(g, x));
}
template <class S>
inline rotation::Vec3<S> SpatialBody<S>::Motion::rotate(const Vec3& x) const {
  return plus(x, spin(cross(g, x)));
}
template <class S>
inline rotation::Vec3<S> SpatialBody<S>::Motion::rotate_back(const Vec3& x) const {
  return plus(x, spin_transposed(cross(x, g)));
}

/// R_ref s and R_ref J R_refᵀ.
template <class S>
const typename SpatialBody<S>::Turned& SpatialBody<S>::turn(const S* chart) {
  if (std::equal(turned_by_.begin(), turned_by_.end(), chart)) return turned_;
  const Quaternion<S> p = quaternion(chart);
  if (!centred_) turned_.moment = rotate(p, own_.moment);
  for (int j = 0; j < 3; ++j) {
    const Vec3 column = rotate(p, multiply(own_.inertia, rotate(conjugate(p), unit_vector<S>(j))));
    for (int i = 0; i < 3; ++i) turned_.inertia[i][j] = column[i];
  }
  std::copy_n(chart, 4, turned_by_.begin());
  return turned_;
}

template <class S>
typename SpatialBody<S>::Motion SpatialBody<S>::motion(const ElementPoint<S>& p) const {
  Motion m;
  m.g = vector(p.q + 3), m.rate = vector(p.v + 3), m.second = vector(p.a + 3);
  m.half = cayley_scale(m.g) / S(2);
  m.sigma = -m.half * dot(m.g, m.rate);
  m.nu = m.spin_transposed(m.rate), m.bend = m.spin_transposed(m.second);
  m.J_nu = multiply(turned_.inertia, m.nu);
  return m;
}

/// M a: the terms with ẍ and g̈.
template <class S>
void SpatialBody<S>::write_inertia(const Motion& m, const S* a, S* inertia) const {
  Vec3 mu = multiply(turned_.inertia, m.bend);
  for (int i = 0; i < 3; ++i) inertia[i] = own_.mass * a[i];
  if (!centred_) {
    const Vec3 shown = m.rotate(cross(m.bend, turned_.moment));
    for (int i = 0; i < 3; ++i) inertia[i] += shown[i];
    mu = plus(mu, cross(turned_.moment, m.rotate_back(vector(a))));
  }
  const Vec3 moment = m.spin(mu);
  for (int i = 0; i < 3; ++i) inertia[3 + i] = moment[i];
}

/// Gravity, and minus the terms without ẍ and g̈.
template <class S>
void SpatialBody<S>::write_force(const Motion& m, const S& weight, S* force) const {
  const Vec3 pull_of_gravity = times(weight, gravity_.acceleration);
  Vec3 mu = combine(m.sigma, m.J_nu, S(1), cross(m.nu, m.J_nu));
  for (int i = 0; i < 3; ++i) force[i] = own_.mass * pull_of_gravity[i];
  if (!centred_) {
    const Vec3 swept = cross(m.nu, turned_.moment);
    const Vec3 shown = m.rotate(combine(m.sigma, swept, S(1), cross(m.nu, swept)));
    for (int i = 0; i < 3; ++i) force[i] -= shown[i];
    mu = combine(S(1), mu, S(-1), cross(turned_.moment, m.rotate_back(pull_of_gravity)));
  }
  const Vec3 moment = m.spin(mu);
  for (int i = 0; i < 3; ++i) force[3 + i] = -moment[i];
}

template <class S>
void SpatialBody<S>::write_mass(const Motion& m, S* mass) const {
  std::fill_n(mass, 36, S(0));
  for (int i = 0; i < 3; ++i) mass[7 * i] = own_.mass;
  for (int j = 0; j < 3; ++j) {
    const Vec3 along = m.spin_transposed(unit_vector<S>(j));
    put(mass, 3, j, m.spin(multiply(turned_.inertia, along)));
    if (centred_) continue;
    const Vec3 pull = m.rotate(cross(along, turned_.moment));
    for (int i = 0; i < 3; ++i) mass[6 * i + 3 + j] = mass[6 * (3 + j) + i] = pull[i];
  }
}

/// The change of ν̇ × s + ν × (ν × s).
template <class S>
inline rotation::Vec3<S> SpatialBody<S>::pull(const Vec3& nu, const Vec3& d_nu,
                                              const Vec3& d_rate) const {
  const Vec3 &s = turned_.moment, turned = cross(d_nu, cross(nu, s));
  return plus(cross(d_rate, s), plus(turned, cross(nu, cross(d_nu, s))));
}
/// The change of J ν̇ + ν × J ν.
template <class S>
inline rotation::Vec3<S> SpatialBody<S>::moment(const Motion& m, const Vec3& d_nu,
                                                const Vec3& d_rate) const {
  const Vec3 swirl = plus(cross(d_nu, m.J_nu), cross(m.nu, multiply(turned_.inertia, d_nu)));
  return plus(multiply(turned_.inertia, d_rate), swirl);
}

/// ν = Gᵀ ġ, and ν̇ by ġ: −½ c (g_j ν + (g·ġ) Gᵀ e_j).
template <class S>
void SpatialBody<S>::write_residual_v(const Motion& m, S* by_v) const {
  for (int j = 0; j < 3; ++j) {
    const Vec3 d_nu = m.spin_transposed(unit_vector<S>(j));
    const Vec3 d_rate = combine(S(-m.half * m.g[j]), m.nu, m.sigma, d_nu);
    put(by_v, 3, j, m.spin(moment(m, d_nu, d_rate)));
    if (!centred_) put(by_v, 0, j, m.rotate(pull(m.nu, d_nu, d_rate)));
  }
}

/// ∂(Gᵀx)/∂g = ½ c (x× − (Gᵀx) gᵀ), ∂(G µ)/∂g = −½ c (µ× + (G µ) gᵀ); a change of g by e_j turns
/// R x by G e_j and Rᵀ x by −Gᵀ e_j.
template <class S>
void SpatialBody<S>::write_residual_q(const Motion& m, const Vec3& felt, S* by_q) const {
  const Vec3 &s = turned_.moment, nu_rate = combine(m.sigma, m.nu, S(1), m.bend);
  Vec3 mu = plus(multiply(turned_.inertia, nu_rate), cross(m.nu, m.J_nu)), shown{}, felt_there{};
  if (!centred_) {
    shown = m.rotate(plus(cross(nu_rate, s), cross(m.nu, cross(m.nu, s))));
    felt_there = m.rotate_back(felt);
    mu = plus(mu, cross(s, felt_there));
  }
  const Vec3 G_mu = m.spin(mu);
  const S along = dot(m.g, m.rate);
  for (int j = 0; j < 3; ++j) {
    const Vec3 unit = unit_vector<S>(j);
    const S shrink = -m.half * m.g[j], d_sigma = -m.half * (shrink * along + m.rate[j]);
    const Vec3 d_nu = combine(m.half, cross(m.rate, unit), shrink, m.nu);
    const Vec3 d_bend = combine(m.half, cross(m.second, unit), shrink, m.bend);
    const Vec3 d_rate = plus(d_bend, combine(d_sigma, m.nu, m.sigma, d_nu));
    const Vec3 d_G = combine(S(-m.half), cross(mu, unit), shrink, G_mu);
    Vec3 d_mu = moment(m, d_nu, d_rate);
    if (!centred_) {
      d_mu = plus(d_mu, cross(s, cross(felt_there, m.spin_transposed(unit))));
      put(by_q, 0, j, plus(cross(m.spin(unit), shown), m.rotate(pull(m.nu, d_nu, d_rate))));
    }
    put(by_q, 3, j, plus(m.spin(d_mu), d_G));
  }
}

template <class S>
void SpatialBody<S>::evaluate(const ElementPoint<S>& p, const ConstraintWeights<S>&,
                              const ElementValues<S>& out) {
  turn(p.chart);
  const Motion m = motion(p);
  const S weight = weighs_ && (out.force || out.residual_q) ? gravity_.at(p.t) : S(0);
  if (out.mass) write_mass(m, out.mass);
  if (out.inertia) write_inertia(m, p.a, out.inertia);
  if (out.force) write_force(m, weight, out.force);
  if (out.residual_q) {
    std::fill_n(out.residual_q, 36, S(0));
    write_residual_q(m, combine(S(1), vector(p.a), S(-weight), gravity_.acceleration),
                     out.residual_q);
  }
  if (out.residual_v) {
    std::fill_n(out.residual_v, 36, S(0));
    write_residual_v(m, out.residual_v);
  }
}

template <class S>
S SpatialBody<S>::kinetic_energy(const ElementPoint<S>& p) {
  const Turned& turned = turn(p.chart);
  const Vec3 v = vector(p.v), nu = cayley_spin_transposed(vector(p.q + 3), vector(p.v + 3));
  S twice = own_.mass * dot(v, v) + dot(nu, multiply(turned.inertia, nu));
  if (!centred_) {
    const Vec3 swirl = cayley_rotate(vector(p.q + 3), cross(nu, turned.moment));
    twice += S(2) * dot(v, swirl);
  }
  return twice / S(2);
}

template <class S>
S SpatialBody<S>::potential_energy(const ElementPoint<S>& p) {
  if (!weighs_ || gravity_.factor) return S(0);
  S sum = own_.mass * dot(gravity_.acceleration, vector(p.q));
  if (!centred_)
    sum += dot(gravity_.acceleration, cayley_rotate(vector(p.q + 3), turn(p.chart).moment));
  return -sum;
}

template <class S>
S SpatialBody<S>::power(const ElementPoint<S>& p) {
  S sum = own_.mass * dot(gravity_.acceleration, vector(p.v));
  if (!centred_) {
    const Vec3 nu = cayley_spin_transposed(vector(p.q + 3), vector(p.v + 3));
    const Vec3 swirl = cayley_rotate(vector(p.q + 3), cross(nu, turn(p.chart).moment));
    sum += dot(gravity_.acceleration, swirl);
  }
  return sum * gravity_.at(p.t);
}

template class SpatialBody<double>;
template class SpatialBody<real50>;

}  // namespace daemark
