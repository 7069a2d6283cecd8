// The models of the heavy top with the place of its mass centre among the unknowns; what they hold
// and show stands in heavy_top.cpp.
#pragma once

#include "problems/pivoted_body.hpp"

namespace daemark::heavy_top {

using namespace rotation;

template <class S>
struct TopData {
  S mass, gravity;
  Vec3<S> inertia, centre, spin;  ///< about the mass centre; body frame; Ω(0)

  template <class R>
  TopData<R> in() const {
    const auto each = [](const Vec3<S>& x) {
      return Vec3<R>{from_wide<R>(x[0]), from_wide<R>(x[1]), from_wide<R>(x[2])};
    };
    return {from_wide<R>(mass), from_wide<R>(gravity), each(inertia), each(centre), each(spin)};
  }
  PivotedBody<S> about_pivot() const {
    PivotedBody<S> body{inertia, {}, spin, centre};
    for (int i = 0; i < 3; ++i) {
      body.weight[i] = mass * gravity * centre[i];
      // Steiner: X has one component, so that J stays diagonal.
      body.inertia[i] += mass * (dot(centre, centre) - centre[i] * centre[i]);
    }
    return body;
  }
};

/// What the models with x show.
struct TopReference {
  static constexpr int n_ref = 6;
  static std::vector<std::string> reference_names() {
    return {"x", "y", "z", "psi_x", "psi_y", "psi_z"};
  }
  static std::vector<std::string> reference_velocity_names() {
    return {"v_x", "v_y", "v_z", "Omega_1", "Omega_2", "Omega_3"};
  }
  static Drawing drawing() {
    return top_drawing([](const double* q) { return std::array{vector(q), vector(q + 3)}; });
  }
};

/// The mass centre where it is a function x(q) of other coordinates, `Own::place`: inertia by
/// ∂x/∂q, of which Own::slope(q, j) is column j, and what the change of that adds.
template <class S, class Own>
struct CarriedMass {
  static constexpr int n = Own::n;
  const Own& own;
  S mass, weight;

  template <class T>
  Vec3<TimeJet<T>> moving(const T* q, const T* v) const {
    std::array<TimeJet<T>, n> z;
    for (int i = 0; i < n; ++i) z[i] = TimeJet<T>(q[i], v[i], T(0));
    return own.place(z.data());
  }
  template <class T>
  void add(const T* q, T* M) const {
    std::array<Vec3<T>, n> X;
    for (int j = 0; j < n; ++j) X[j] = own.slope(q, j);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) M[n * i + j] += T(mass) * dot(X[i], X[j]);
  }
  template <class T>
  void add_force(const T* q, const T* v, T* f) const {
    const auto x = moving(q, v);
    const Vec3<T> push{-(T(mass) * x[0].second), -(T(mass) * x[1].second),
                       -(T(mass) * x[2].second) - T(weight)};
    for (int j = 0; j < n; ++j) f[j] += dot(own.slope(q, j), push);
  }
  template <class T>
  T kinetic(const T* q, const T* v) const {
    const auto x = moving(q, v);
    return T(mass) * (x[0].rate * x[0].rate + x[1].rate * x[1].rate + x[2].rate * x[2].rate) / T(2);
  }
};

/// A chart whose last three coordinates are increments of the orientation.
template <class S, class Own>
class TopOnChart : public TopReference {
 public:
  static constexpr int n = 6, m = 3;

  explicit TopOnChart(const TopData<S>& top)
      : top_(top), rotation_(top.inertia), centre_(top.centre) {}

  static std::vector<Quantity> rows() {
    return {{"lambda_x", "m"}, {"lambda_y", "m"}, {"lambda_z", "m"}};
  }
  template <class T>
  void constraint(const T&, const T* q, T* phi) const {
    const Vec3<T> arm = cayley_rotate(vector(q + 3), constant<T>(centre_)), x = own().place(q);
    for (int i = 0; i < 3; ++i) phi[i] = arm[i] - x[i];
  }
  template <class T>
  T potential(const T&, const T* q) const {
    return T(S(top_.mass * top_.gravity)) * own().place(q)[2];
  }

 protected:
  const Own& own() const { return static_cast<const Own&>(*this); }
  void set_rotation(const S* chart) {
    rotation_.set(chart);
    centre_ = rotate(rotation_.reference(), top_.centre);
  }

  TopData<S> top_;
  RotationOnChart<S> rotation_;
  Vec3<S> centre_;  ///< R_ref X
};

template <class S>
class TopAtPlace : public TopOnChart<S, TopAtPlace<S>> {
 public:
  using Base = TopOnChart<S, TopAtPlace<S>>;
  using Base::Base, Base::top_, Base::rotation_;

  static std::vector<Quantity> coordinates() {
    return {{"x", "m"}, {"y", "m"}, {"z", "m"}, {"gx", "rad"}, {"gy", "rad"}, {"gz", "rad"}};
  }
  template <class T>
  Vec3<T> place(const T* q) const {
    return vector(q);
  }
  template <class T>
  void mass(const T* q, T* M) const {
    for (int i = 0; i < 36; ++i) M[i] = T(0);
    for (int i = 0; i < 3; ++i) M[7 * i] = T(top_.mass);
    rotation_.mass(q + 3, M + 21, 6);
  }
  template <class T>
  void force(const T&, const T* q, const T* v, T* f) const {
    f[0] = f[1] = T(0), f[2] = -T(S(top_.mass * top_.gravity));
    rotation_.gyroscopic(q + 3, v + 3, f + 3);
  }
  template <class T>
  T kinetic(const T* q, const T* v) const {
    return T(top_.mass) * dot(vector(v), vector(v)) / T(2) + rotation_.kinetic(q + 3, v + 3);
  }
  template <class T>
  void initial(T* q, T* v) const {
    const Vec3<S> velocity = cross(top_.spin, top_.centre);
    for (int i = 0; i < 3; ++i) {
      q[i] = T(top_.centre[i]), q[3 + i] = T(0);
      v[i] = T(velocity[i]), v[3 + i] = T(top_.spin[i]);
    }
  }

  std::vector<Chart> charts() const { return {Chart::rotation(3, {1, 0, 0, 0})}; }
  void set_chart(const S* numbers) { this->set_rotation(numbers); }
};

template <class S>
class TopOnScrews : public TopOnChart<S, TopOnScrews<S>> {
 public:
  using Base = TopOnChart<S, TopOnScrews<S>>;
  using Base::top_, Base::rotation_;

  explicit TopOnScrews(const TopData<S>& top) : Base(top), place_(top.centre) {}

  static std::vector<Quantity> coordinates() {
    return {{"wx", "m"}, {"wy", "m"}, {"wz", "m"}, {"gx", "rad"}, {"gy", "rad"}, {"gz", "rad"}};
  }
  template <class T>
  Vec3<T> place(const T* q) const {
    const Vec3<T> w = vector(q), g = vector(q + 3), n = cross(g, w);
    const T c = cayley_scale(g), along = dot(g, w) / T(4);
    Vec3<T> x;
    for (int i = 0; i < 3; ++i) x[i] = T(place_[i]) + c * (w[i] + n[i] / T(2) + along * g[i]);
    return x;
  }
  /// x = x_ref + c y, y = w + ½ g × w + ¼ g (g·w).
  template <class T>
  Vec3<T> slope(const T* q, int j) const {
    const Vec3<T> w = vector(q), g = vector(q + 3);
    const T c = cayley_scale(g);
    Vec3<T> unit{T(0), T(0), T(0)}, column;
    unit[j % 3] = T(1);
    if (j < 3) {
      const Vec3<T> n = cross(g, unit);
      for (int i = 0; i < 3; ++i) column[i] = c * (unit[i] + n[i] / T(2) + g[j] * g[i] / T(4));
      return column;
    }
    const Vec3<T> n = cross(unit, w), x = place(q);
    const T along = dot(g, w) / T(4), across = w[j - 3] / T(4), less = c * g[j - 3] / T(2);
    for (int i = 0; i < 3; ++i)
      column[i] =
          c * (n[i] / T(2) + along * unit[i] + across * g[i]) - less * (x[i] - T(place_[i]));
    return column;
  }
  template <class T>
  void mass(const T* q, T* M) const {
    for (int i = 0; i < 36; ++i) M[i] = T(0);
    rotation_.mass(q + 3, M + 21, 6);
    carried().add(q, M);
  }
  template <class T>
  void force(const T&, const T* q, const T* v, T* f) const {
    f[0] = f[1] = f[2] = T(0);
    rotation_.gyroscopic(q + 3, v + 3, f + 3);
    carried().add_force(q, v, f);
  }
  template <class T>
  T kinetic(const T* q, const T* v) const {
    return carried().kinetic(q, v) + rotation_.kinetic(q + 3, v + 3);
  }
  /// At the origin of the chart ẋ = ẇ.
  template <class T>
  void initial(T* q, T* v) const {
    const Vec3<S> velocity = cross(top_.spin, top_.centre);
    for (int i = 0; i < 3; ++i)
      q[i] = q[3 + i] = T(0), v[i] = T(velocity[i]), v[3 + i] = T(top_.spin[i]);
  }

  std::vector<Chart> charts() const {
    Chart screw{Chart::Kind::screw, 0, {1, 0, 0, 0}};
    for (const S& x : top_.centre) screw.numbers.push_back(x.constant());
    return {screw};
  }
  void set_chart(const S* numbers) {
    this->set_rotation(numbers), std::copy_n(numbers + 4, 3, place_.begin());
  }

 private:
  CarriedMass<S, TopOnScrews> carried() const {
    return {*this, top_.mass, S(top_.mass * top_.gravity)};
  }

  Vec3<S> place_;  ///< x_ref
};

/// The makers of the two that are the longest to compile (heavy_top_groups.cpp).
MechanismMakers on_screws(const TopData<wide>& top);
MechanismMakers in_dual_quaternions(const TopData<wide>& top);

}  // namespace daemark::heavy_top
