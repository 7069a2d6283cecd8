#include "problems/geometry/body_frames.hpp"

#include <algorithm>
#include <cmath>

#include "base/text/bad_input.hpp"

namespace daemark {

using namespace rotation;

namespace {

template <class S>
bool is_product_of_rotations(const MechanicalSystem<S>& mechanism) {
  return mechanism.chart_size() == 4 * static_cast<int>(mechanism.rotations().size());
}

}  // namespace

template <class S>
BodyFrames<S>::BodyFrames(const MechanicalSystem<S>& mechanism)
    : n_(mechanism.coordinates()), first_(mechanism.rotations()), rotation_of_(n_, -1) {
  if (!is_product_of_rotations(mechanism))
    throw BadInput(
        "the chart of this mechanism moves positions with rotations, integrators on Lie groups "
        "take R^k x SO(3)^k; accepted: charts of rotations alone");
  for (std::size_t r = 0; r < first_.size(); ++r)
    for (int k = 0; k < 3; ++k) rotation_of_[first_[r] + k] = static_cast<int>(r);
}

namespace {

template <class S>
Quaternion<S> orientation(const S* chart, std::size_t rotation) {
  const S* const p = chart + 4 * rotation;
  return {p[0], p[1], p[2], p[3]};
}

template <class S>
void put(const Vec3<S>& x, S* to) {
  std::copy(x.begin(), x.end(), to);
}

}  // namespace

template <class S>
void BodyFrames<S>::to_body(const S* chart, const S* space, S* body) const {
  std::copy_n(space, n_, body);
  for (std::size_t r = 0; r < first_.size(); ++r)
    put(rotate(conjugate(orientation(chart, r)), vector(space + first_[r])), body + first_[r]);
}

template <class S>
void BodyFrames<S>::to_space(const S* chart, const S* body, S* space) const {
  std::copy_n(body, n_, space);
  for (std::size_t r = 0; r < first_.size(); ++r)
    put(rotate(orientation(chart, r), vector(body + first_[r])), space + first_[r]);
}

template <class S>
void BodyFrames<S>::move(const S* q, const S* chart, const S* w, S* q_to, S* chart_to) const {
  for (int j = 0; j < n_; ++j) q_to[j] = rotation_of_[j] < 0 ? S(q[j] + w[j]) : S(0);
  for (std::size_t r = 0; r < first_.size(); ++r) {
    Quaternion<S> p = product(orientation(chart, r), exponential(vector(w + first_[r])));
    using std::sqrt;
    const S length = sqrt(S(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]));
    for (int k = 0; k < 4; ++k) chart_to[4 * r + k] = p[k] / length;
  }
}

template <class S>
void BodyFrames<S>::to_chart(const S* chart, const S* q_at, const S* chart_at, const S* body_v,
                             const S* body_a, S* q, S* v, S* a) const {
  std::copy_n(q_at, n_, q), std::copy_n(body_v, n_, v), std::copy_n(body_a, n_, a);
  for (std::size_t r = 0; r < first_.size(); ++r) {
    const int at = first_[r];
    const Quaternion<S> p = orientation(chart_at, r),
                        from = product(p, conjugate(orientation(chart, r)));
    const S scale = S(2) / from[0];
    const Vec3<S> g{scale * from[1], scale * from[2], scale * from[3]};
    const Vec3<S> omega = rotate(p, vector(body_v + at)), spin = rotate(p, vector(body_a + at));
    const Vec3<S> rate = cayley_rate(g, omega);
    put(g, q + at), put(rate, v + at), put(cayley_acceleration(g, rate, omega, spin), a + at);
  }
}

template <class S>
void BodyFrames<S>::tangent(const S* w, const S* x, S* to) const {
  std::copy_n(x, n_, to);
  for (const int at : first_)
    put(rotation::tangent(vector(w + at), vector(x + at), series_terms<S>()), to + at);
}

template <class S>
void BodyFrames<S>::tangent_inverse(const S* w, const S* x, S* to) const {
  std::copy_n(x, n_, to);
  for (const int at : first_)
    put(rotation::tangent_inverse(vector(w + at), vector(x + at), series_terms<S>()), to + at);
}

template <class S>
std::array<Vec3<S>, 3> BodyFrames<S>::axes(const S* chart, int rotation) const {
  std::array<Vec3<S>, 3> columns;
  for (int k = 0; k < 3; ++k) {
    Vec3<S> unit{S(0), S(0), S(0)};
    unit[k] = S(1);
    columns[k] = rotate(orientation(chart, rotation), unit);
  }
  return columns;
}

template class BodyFrames<double>;
template class BodyFrames<real50>;

namespace {

/// M of the bodies' frames times x, and the force there at body velocities v; chart at R, g = 0.
struct BodyProbe {
  explicit BodyProbe(MechanicalSystem<double>& system)
      : mechanism(system), frames(system), n(system.coordinates()) {}
  MechanicalSystem<double>& mechanism;
  BodyFrames<double> frames;
  int n;
  std::vector<double> q, chart;

  std::vector<double> momentum(const std::vector<double>& x) const {
    std::vector<double> space(n), result(n), none(n, 0.0);
    frames.to_space(chart.data(), x.data(), space.data());
    MotionValues<double> out;
    out.inertia = result.data();
    mechanism.evaluate({0.0, q.data(), none.data(), space.data(), nullptr, chart.data()}, {}, out);
    frames.to_body(chart.data(), result.data(), space.data());
    return space;
  }
  std::vector<double> force(const std::vector<double>& v) const {
    std::vector<double> space(n), result(n), none(n, 0.0);
    frames.to_space(chart.data(), v.data(), space.data());
    MotionValues<double> out;
    out.force = result.data();
    mechanism.evaluate({0.0, q.data(), space.data(), none.data(), nullptr, chart.data()}, {}, out);
    frames.to_body(chart.data(), result.data(), space.data());
    return space;
  }
};

}  // namespace

bool has_rigid_inertia(MechanicalSystem<double>& mechanism) {
  if (!is_product_of_rotations(mechanism)) return false;
  const int n = mechanism.coordinates();
  BodyProbe probe(mechanism);
  std::vector<double> v(n), w(n), first(n), q(n), chart(mechanism.chart_size());
  probe.q.resize(n), probe.chart.resize(chart.size());
  mechanism.initial_chart(chart.data());
  mechanism.initial(q.data(), v.data());
  for (int i = 0; i < n; ++i) {
    if (probe.frames.rotation_of(i) >= 0) q[i] = 0;
    v[i] = 1 + 0.5 * std::sin(2.0 * i), w[i] = 0.3 * std::cos(i + 1.0);
  }
  probe.q = q, probe.chart = chart;
  const std::vector<double> before = probe.momentum(v);
  probe.frames.move(q.data(), chart.data(), w.data(), probe.q.data(), probe.chart.data());
  const std::vector<double> momentum = probe.momentum(v), moving = probe.force(v),
                            resting = probe.force(std::vector<double>(n, 0.0));
  double size = 0, off = 0;
  for (int i = 0; i < n; ++i) {
    size = std::max({size, std::abs(momentum[i]), std::abs(moving[i]), std::abs(resting[i])});
    off = std::max(off, std::abs(momentum[i] - before[i]));
  }
  std::vector<double> gyroscopic(n, 0.0);
  for (std::size_t r = 0; 4 * r < chart.size(); ++r) {
    const int at = probe.frames.first_of(static_cast<int>(r));
    put(cross(vector(&v[at]), vector(&momentum[at])), &gyroscopic[at]);
  }
  for (int i = 0; i < n; ++i) off = std::max(off, std::abs(moving[i] - resting[i] + gyroscopic[i]));
  return off <= 1e-10 * (1 + size);
}

}  // namespace daemark
