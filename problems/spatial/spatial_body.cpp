#include "problems/spatial/spatial_body.hpp"

#include <algorithm>

#include "problems/core/rotation_charts.hpp"

namespace daemark {

using namespace rotation;

namespace {

template <class T, class S>
rotation::Vec3<T> multiply(const std::array<rotation::Vec3<S>, 3>& J, const rotation::Vec3<T>& x) {
  rotation::Vec3<T> y;
  for (int i = 0; i < 3; ++i) y[i] = T(J[i][0]) * x[0] + T(J[i][1]) * x[1] + T(J[i][2]) * x[2];
  return y;
}

}  // namespace

/// R_ref s and R_ref J R_refᵀ.
template <class S>
typename SpatialBody<S>::Turned SpatialBody<S>::turn(const S* chart) const {
  const Quaternion<S> p = quaternion(chart);
  Turned turned;
  if (!centred_) turned.moment = rotate(p, own_.moment);
  for (int j = 0; j < 3; ++j) {
    Vec3 unit{S(0), S(0), S(0)};
    unit[j] = S(1);
    const Vec3 column = rotate(p, multiply(own_.inertia, rotate(conjugate(p), unit)));
    for (int i = 0; i < 3; ++i) turned.inertia[i][j] = column[i];
  }
  return turned;
}

template <class S>
template <class T>
void SpatialBody<S>::residual(const Turned& turned, const T* g_, const T* rate_, const T* second_,
                              const S* a, const S& weight, T* F) const {
  const rotation::Vec3<T> g = vector(g_), rate = vector(rate_), second = vector(second_);
  const rotation::Vec3<T> nu = cayley_spin_transposed(g, rate);
  const T stretch = cayley_scale(g) * dot(g, rate) / T(S(-2));
  const rotation::Vec3<T> nu_rate =
      combine(stretch, nu, T(S(1)), cayley_spin_transposed(g, second));
  const rotation::Vec3<T> swirl = cross(nu, multiply(turned.inertia, nu));
  rotation::Vec3<T> mu = combine(T(S(1)), multiply(turned.inertia, nu_rate), T(S(1)), swirl);
  Vec3 felt;  // acceleration less gravity
  for (int i = 0; i < 3; ++i) {
    felt[i] = a[i] - weight * gravity_.acceleration[i];
    F[i] = T(S(own_.mass * felt[i]));
  }
  if (!centred_) {
    const rotation::Vec3<T> s = constant<T>(turned.moment);
    const rotation::Vec3<T> pull =
        combine(T(S(1)), cross(nu_rate, s), T(S(1)), cross(nu, cross(nu, s)));
    const rotation::Vec3<T> shown = cayley_rotate(g, pull);
    const rotation::Vec3<T> back{-g[0], -g[1], -g[2]};
    const rotation::Vec3<T> lever = cross(s, cayley_rotate(back, constant<T>(felt)));
    for (int i = 0; i < 3; ++i) F[i] += shown[i], mu[i] += lever[i];
  }
  const rotation::Vec3<T> moment = cayley_spin(g, mu);
  for (int i = 0; i < 3; ++i) F[3 + i] = moment[i];
}

template <class S>
void SpatialBody<S>::write_mass(const Turned& turned, const S* q, S* mass) const {
  const Vec3 g = vector(q + 3);
  std::fill_n(mass, 36, S(0));
  for (int i = 0; i < 3; ++i) mass[7 * i] = own_.mass;
  for (int j = 0; j < 3; ++j) {
    Vec3 unit{S(0), S(0), S(0)};
    unit[j] = S(1);
    const Vec3 along = cayley_spin_transposed(g, unit);
    const Vec3 column = cayley_spin(g, multiply(turned.inertia, along));
    for (int i = 0; i < 3; ++i) mass[6 * (3 + i) + 3 + j] = column[i];
    if (centred_) continue;
    const Vec3 pull = cayley_rotate(g, cross(along, turned.moment));
    for (int i = 0; i < 3; ++i) mass[6 * i + 3 + j] = mass[6 * (3 + j) + i] = pull[i];
  }
}

/// The derivatives of G µ by g and ġ, µ = J ν̇ + ν × J ν, from those of G µ, Gᵀ ġ and Gᵀ g̈:
/// ∂(Gᵀx)/∂g = ½ c (x× − (Gᵀx) gᵀ), ∂(G µ)/∂g = −½ c (µ× + (G µ) gᵀ), ν̇ = Gᵀ g̈ + σ ν.
template <class S>
void SpatialBody<S>::write_turning(const Turned& turned, const ElementPoint<S>& p,
                                   const ElementValues<S>& out) const {
  const Vec3 g = vector(p.q + 3), rate = vector(p.v + 3), second = vector(p.a + 3);
  const S half = cayley_scale(g) / S(2), along = dot(g, rate), sigma = -half * along;
  const Vec3 nu = cayley_spin_transposed(g, rate), bend = cayley_spin_transposed(g, second);
  const Vec3 nu_rate = combine(sigma, nu, S(1), bend), J_nu = multiply(turned.inertia, nu);
  const Vec3 mu = combine(S(1), multiply(turned.inertia, nu_rate), S(1), cross(nu, J_nu));
  const Vec3 G_mu = cayley_spin(g, mu);
  const auto moment = [&](const Vec3& d_nu, const Vec3& d_rate) {
    const Vec3 swirl =
        combine(S(1), cross(d_nu, J_nu), S(1), cross(nu, multiply(turned.inertia, d_nu)));
    return cayley_spin(g, combine(S(1), multiply(turned.inertia, d_rate), S(1), swirl));
  };
  const auto put = [](S* block, int j, const Vec3& column) {
    for (int i = 0; i < 3; ++i) block[6 * (3 + i) + 3 + j] = column[i];
  };
  for (int j = 0; j < 3; ++j) {
    Vec3 unit{S(0), S(0), S(0)};
    unit[j] = S(1);
    if (out.residual_v) {
      const Vec3 d_nu = cayley_spin_transposed(g, unit);
      put(out.residual_v, j, moment(d_nu, combine(S(-half * g[j]), nu, sigma, d_nu)));
    }
    if (!out.residual_q) continue;
    const S d_sigma = half * (half * g[j] * along - rate[j]);
    const Vec3 d_nu = combine(half, cross(rate, unit), S(-half * g[j]), nu);
    const Vec3 d_bend = combine(half, cross(second, unit), S(-half * g[j]), bend);
    const Vec3 d_rate = combine(S(1), d_bend, S(1), combine(d_sigma, nu, sigma, d_nu));
    const Vec3 d_G = combine(S(-half), cross(mu, unit), S(-half * g[j]), G_mu);
    put(out.residual_q, j, combine(S(1), moment(d_nu, d_rate), S(1), d_G));
  }
}

template <class S>
void SpatialBody<S>::evaluate(const ElementPoint<S>& p, const ConstraintWeights<S>&,
                              const ElementValues<S>& out) {
  const Turned turned = turn(p.chart);
  const S weight = weighs_ ? gravity_.at(p.t) : S(0);
  const Vec3 zero{S(0), S(0), S(0)};
  if (out.mass) write_mass(turned, p.q, out.mass);
  if (out.inertia)  // M a
    residual<S>(turned, p.q + 3, zero.data(), p.a + 3, p.a, S(0), out.inertia);
  if (out.force) {
    residual<S>(turned, p.q + 3, p.v + 3, zero.data(), zero.data(), weight, out.force);
    for (int i = 0; i < 6; ++i) out.force[i] = -out.force[i];
  }
  if (!out.residual_q && !out.residual_v) return;
  for (S* block : {out.residual_q, out.residual_v})
    if (block) std::fill_n(block, 36, S(0));
  if (centred_) return write_turning(turned, p, out);
  using D = Dual<S, 6>;
  std::array<D, 3> g, rate, second;
  std::array<D, 6> F;
  for (int i = 0; i < 3; ++i) {
    g[i] = D::variable(p.q[3 + i], i), rate[i] = D::variable(p.v[3 + i], 3 + i);
    second[i] = D(p.a[3 + i]);
  }
  residual<D>(turned, g.data(), rate.data(), second.data(), p.a, weight, F.data());
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) {
      if (out.residual_q && j >= 3) out.residual_q[6 * i + j] = F[i].grad[j - 3];
      if (out.residual_v && j >= 3) out.residual_v[6 * i + j] = F[i].grad[j];
    }
}

template <class S>
S SpatialBody<S>::kinetic_energy(const ElementPoint<S>& p) {
  const Turned turned = turn(p.chart);
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
template class SpatialBody<quad>;
template class SpatialBody<real50>;

}  // namespace daemark
