#include "problems/geometry/rotation_charts.hpp"

#include <limits>

#include "base/numbers/jet.hpp"

namespace daemark {

using namespace rotation;

template <class S>
void RotationCharts<S>::initial(S* chart) const {
  for (const ChartRotation<S>& r : rotations_)
    chart = std::copy(r.orientation.begin(), r.orientation.end(), chart);
}

template <class S>
std::vector<int> RotationCharts<S>::coordinates() const {
  std::vector<int> first;
  for (const ChartRotation<S>& r : rotations_) first.push_back(r.first);
  return first;
}

template <class S>
bool RotationCharts<S>::hold(const S* q) const {
  const S limit(25);
  for (const ChartRotation<S>& r : rotations_) {
    const Vec3<S> g = vector(q + r.first);
    if (!(dot(g, g) < limit * limit)) return false;
  }
  return true;
}

// Quaternion (1, g/2)(1, −o/2), read off as increments again. With g + ε₁(v + ε₂ v̇) + ε₂ ġ the
// change of chart yields its tangent maps in one go.
template <class S>
void RotationCharts<S>::rebase(S* chart, const std::vector<ChartPoint<S>>& points) const {
  using T = Dual<Dual<S, 1>, 1>;
  for (const ChartRotation<S>& r : rotations_) {
    const int at = r.first;
    const Vec3<S> origin = vector(points.front().q + at);
    const Vec3<T> o = constant<T>(origin);
    for (const ChartPoint<S>& p : points) {
      Vec3<T> g;
      for (int i = 0; i < 3; ++i) {
        g[i].value.value = p.q[at + i], g[i].value.grad[0] = p.q_rate[at + i];
        g[i].grad[0].value = p.v[at + i], g[i].grad[0].grad[0] = p.v_rate[at + i];
      }
      const Vec3<T> turn = cross(g, o);
      const T scalar = T(S(1)) + dot(g, o) / T(S(4));
      const bool beyond = !(scalar.value.value > 0);
      for (int i = 0; i < 3; ++i) {
        const T moved = (g[i] - o[i] - turn[i] / T(S(2))) / scalar;
        p.q[at + i] = beyond ? std::numeric_limits<S>::quiet_NaN() : moved.value.value;
        p.q_rate[at + i] = moved.value.grad[0];
        p.v[at + i] = moved.grad[0].value, p.v_rate[at + i] = moved.grad[0].grad[0];
      }
    }
    const Quaternion<S> moved =
        normalised(product(cayley_quaternion(origin.data()), quaternion(chart)));
    chart = std::copy(moved.begin(), moved.end(), chart);
  }
}

template <class S>
void RotationCharts<S>::to_reference(const MotionPoint<S>& p, S* q_ref, S* v_ref) const {
  const S* chart = p.chart;
  for (const ChartRotation<S>& r : rotations_) {
    const Quaternion<S> from = quaternion(chart);
    const Vec3<S> psi = logarithm(product(cayley_quaternion(p.q + r.first), from));
    const Vec3<S> spin = rotate(
        conjugate(from), cayley_spin_transposed(vector(p.q + r.first), vector(p.v + r.first)));
    std::copy(psi.begin(), psi.end(), q_ref + r.first);
    std::copy(spin.begin(), spin.end(), v_ref + r.first);
    chart += 4;
  }
}

template <class S>
void RotationCharts<S>::from_reference(const S* q_ref, const S* v_ref, S* q, S* v, S* chart) const {
  for (const ChartRotation<S>& r : rotations_) {
    const Quaternion<S> p = exponential(vector(q_ref + r.first));
    const Vec3<S> omega = rotate(p, vector(v_ref + r.first));
    chart = std::copy(p.begin(), p.end(), chart);
    std::fill_n(q + r.first, 3, S(0));
    std::copy(omega.begin(), omega.end(), v + r.first);
  }
}

template <class S>
void RotationCharts<S>::reference_difference(const real50* a, const real50* b,
                                             real50* difference) const {
  for (const ChartRotation<S>& r : rotations_) {
    const auto from = exponential(vector(a + r.first)), to = exponential(vector(b + r.first));
    const auto turn = logarithm(product(conjugate(from), to));
    std::copy(turn.begin(), turn.end(), difference + r.first);
  }
}

template <class S>
std::vector<std::string> RotationCharts<S>::reference_names(
    std::vector<std::string> coordinates) const {
  for (const ChartRotation<S>& r : rotations_)
    for (int i = 0; i < 3; ++i)
      coordinates[r.first + i] = std::string("psi") + "xyz"[i] + "_" + r.name;
  return coordinates;
}

template <class S>
std::vector<std::string> RotationCharts<S>::reference_velocity_names(
    std::vector<std::string> coordinates) const {
  if (rotations_.empty()) return coordinates;
  for (std::string& name : coordinates) name = "d" + name;
  for (const ChartRotation<S>& r : rotations_)
    for (int i = 0; i < 3; ++i)
      coordinates[r.first + i] = std::string("Omega") + "123"[i] + "_" + r.name;
  return coordinates;
}

template class RotationCharts<double>;
template class RotationCharts<real50>;

}  // namespace daemark
