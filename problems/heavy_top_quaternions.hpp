// The models of the heavy top in quaternions, one or two that are dual; flat.
#pragma once

#include "problems/heavy_top_models.hpp"

namespace daemark::heavy_top {

/// A quaternion p and others that place the mass centre; flat.
template <class S>
class TopInQuaternions : public TopReference {
 public:
  static constexpr int n = 7, m = 4;

  explicit TopInQuaternions(const TopData<S>& top) : top_(top), rotation_{top.inertia} {}

  static std::vector<Quantity> coordinates() {
    return {{"x", "m"}, {"y", "m"}, {"z", "m"}, {"p0", "1"}, {"p1", "1"}, {"p2", "1"}, {"p3", "1"}};
  }
  static std::vector<Quantity> rows() {
    return {{"lambda_x", "m"}, {"lambda_y", "m"}, {"lambda_z", "m"}, {"lambda_norm", "1"}};
  }

  template <class T>
  void mass(const T* q, T* M) const {
    for (int i = 0; i < 49; ++i) M[i] = T(0);
    for (int i = 0; i < 3; ++i) M[8 * i] = T(top_.mass);
    rotation_.mass(q + 3, M + 24, n);
  }
  template <class T>
  void force(const T&, const T* q, const T* v, T* f) const {
    f[0] = f[1] = T(0), f[2] = -T(S(top_.mass * top_.gravity));
    rotation_.gyroscopic(q + 3, v + 3, f + 3);
  }
  template <class T>
  void constraint(const T&, const T* q, T* phi) const {
    const Quaternion<T> p{q[3], q[4], q[5], q[6]};
    const Vec3<T> arm = rotate(p, constant<T>(top_.centre));
    for (int i = 0; i < 3; ++i) phi[i] = arm[i] - q[i];
    phi[3] = rotation_.norm_row(q + 3);
  }
  template <class T>
  T kinetic(const T* q, const T* v) const {
    return T(top_.mass) * dot(vector(v), vector(v)) / T(2) + rotation_.kinetic(q + 3, v + 3);
  }
  template <class T>
  T potential(const T&, const T* q) const {
    return T(S(top_.mass * top_.gravity)) * q[2];
  }
  template <class T>
  void initial(T* q, T* v) const {
    const Vec3<S> velocity = cross(top_.spin, top_.centre);
    q[3] = T(1), v[3] = T(0);
    for (int i = 0; i < 3; ++i) {
      q[i] = T(top_.centre[i]), q[4 + i] = T(0);
      v[i] = T(velocity[i]), v[4 + i] = T(S(top_.spin[i] / S(2)));
    }
  }
  void to_reference(const S* q, const S* v, S* q_ref, S* v_ref) const {
    std::copy_n(q, 3, q_ref), std::copy_n(v, 3, v_ref);
    rotation_.show(q + 3, v + 3, q_ref + 3, v_ref + 3);
  }

 private:
  TopData<S> top_;
  RotationInQuaternion<S> rotation_;
};

template <class S>
class TopInDualQuaternions : public TopReference {
 public:
  static constexpr int n = 8, m = 5;

  explicit TopInDualQuaternions(const TopData<S>& top) : top_(top), rotation_{top.inertia} {}

  static std::vector<Quantity> coordinates() {
    return {{"p0", "1"}, {"p1", "1"}, {"p2", "1"}, {"p3", "1"},
            {"d0", "m"}, {"d1", "m"}, {"d2", "m"}, {"d3", "m"}};
  }
  static std::vector<Quantity> rows() {
    return {{"lambda_x", "m"},
            {"lambda_y", "m"},
            {"lambda_z", "m"},
            {"lambda_norm", "1"},
            {"lambda_dual", "m"}};
  }
  /// 2 d p*, its vector part.
  template <class T>
  static Vec3<T> place(const T* q) {
    const Quaternion<T> x =
        product(Quaternion<T>{q[4], q[5], q[6], q[7]}, Quaternion<T>{q[0], -q[1], -q[2], -q[3]});
    return {x[1] + x[1], x[2] + x[2], x[3] + x[3]};
  }
  /// Of a form that is bilinear in p and d.
  template <class T>
  static Vec3<T> slope(const T* q, int j) {
    std::array<T, n> z;
    for (int i = 0; i < 4; ++i) z[i] = j < 4 ? T(0) : q[i], z[4 + i] = j < 4 ? q[4 + i] : T(0);
    z[j] = T(1);
    return place(z.data());
  }
  template <class T>
  void mass(const T* q, T* M) const {
    for (int i = 0; i < 64; ++i) M[i] = T(0);
    rotation_.mass(q, M, n);
    carried().add(q, M);
  }
  template <class T>
  void force(const T&, const T* q, const T* v, T* f) const {
    for (int i = 4; i < n; ++i) f[i] = T(0);
    rotation_.gyroscopic(q, v, f);
    carried().add_force(q, v, f);
  }
  template <class T>
  void constraint(const T&, const T* q, T* phi) const {
    const Vec3<T> arm = rotate(Quaternion<T>{q[0], q[1], q[2], q[3]}, constant<T>(top_.centre)),
                  x = place(q);
    for (int i = 0; i < 3; ++i) phi[i] = arm[i] - x[i];
    phi[3] = rotation_.norm_row(q);
    phi[4] = q[0] * q[4] + q[1] * q[5] + q[2] * q[6] + q[3] * q[7];
  }
  template <class T>
  T kinetic(const T* q, const T* v) const {
    return carried().kinetic(q, v) + rotation_.kinetic(q, v);
  }
  template <class T>
  T potential(const T&, const T* q) const {
    return T(S(top_.mass * top_.gravity)) * place(q)[2];
  }
  /// d = ½ x p and its rate.
  template <class T>
  void initial(T* q, T* v) const {
    const Vec3<S>&x = top_.centre, u = cross(top_.spin, x),
          half = scaled(Vec3<S>{S(0.5), S(0.5), S(0.5)}, top_.spin);
    const Quaternion<S> p{S(1), S(0), S(0), S(0)}, rate{S(0), half[0], half[1], half[2]};
    const Quaternion<S> from = product({S(0), x[0], x[1], x[2]}, rate);
    for (int i = 0; i < 4; ++i) {
      q[i] = T(p[i]), v[i] = T(rate[i]);
      q[4 + i] = T(S(i == 0 ? S(0) : x[i - 1] / S(2)));
      v[4 + i] = T(S((from[i] + (i == 0 ? S(0) : u[i - 1])) / S(2)));
    }
  }
  void to_reference(const S* q, const S* v, S* q_ref, S* v_ref) const {
    const auto x = carried().moving(q, v);
    for (int i = 0; i < 3; ++i) q_ref[i] = x[i].value, v_ref[i] = x[i].rate;
    rotation_.show(q, v, q_ref + 3, v_ref + 3);
  }

 private:
  CarriedMass<S, TopInDualQuaternions> carried() const {
    return {*this, top_.mass, S(top_.mass * top_.gravity)};
  }

  TopData<S> top_;
  RotationInQuaternion<S> rotation_;
};

}  // namespace daemark::heavy_top
