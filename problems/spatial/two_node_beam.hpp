// A geometrically exact two-node beam with relative rotation (after Simo & Vu-Quoc 1986, Comput.
// Methods Appl. Mech. Eng. 58, 79-116), one evaluation point at the middle: the second route to
// what the finite-volume beam gives.
//
// With u = R_1ᵀ R_2 and its half rotation h (h h = u), as Cayley vector γ = 2 tan(φ/4) n,
//   ε = R(γ)ᵀ R_1ᵀ (x_2 − x_1)/L − ε_0,  κ = 2γ/L − κ_0,  U = L/2 (ε, κ)ᵀ D (ε, κ),
// and the forces are −∇U. Second order in L: 4 tan(φ/4) = φ + O(φ³).
#pragma once

#include "problems/spatial/beam_element.hpp"
#include "problems/spatial/beam_stiffness.hpp"

namespace daemark {

template <class S>
class TwoNodeBeam {
 public:
  static constexpr int nodes = 2, reference = 0;
  static constexpr bool conservative = true;

  /// Throws BadInput for elements of zero length and for stiffnesses that are not positive.
  TwoNodeBeam(const std::array<SectionPose<S>, 2>& unloaded, const SectionStiffness<S>& D) : D_(D) {
    using std::sqrt;
    check_stiffness<S>(D);
    const auto z = relative_poses<S, 2>(unloaded, reference);
    length_ = sqrt(rotation::dot(rotation::vector(z.data()), rotation::vector(z.data())));
    if (!(length_ > 0)) throw BadInput("beam element: its length is zero");
    unloaded_ = strains(z.data());
  }

  template <class T>
  T energy(const T* z) const {
    const auto strain = strains(z);
    T sum(0);
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) sum += T(D_(i, j)) * strain[i] * strain[j];
    return T(length_) * sum / T(2);
  }

  /// F = −∂U/∂y, M = −G⁻ᵀ ∂U/∂g, G⁻ᵀ = I + ½ g× + ¼ g gᵀ.
  template <class T>
  void forces(const T* z, T* w) const {
    using namespace rotation;
    std::array<Dual<T, 6>, 6> seeded;
    for (int i = 0; i < 6; ++i) seeded[i] = Dual<T, 6>::variable(z[i], i);
    const auto slope = energy(seeded.data()).grad;
    const Vec3<T> g = vector(z + 3), by_g = vector(slope.data() + 3);
    const Vec3<T> turned = combine(T(0.5), cross(g, by_g), T(dot(g, by_g) / T(4)), g);
    for (int i = 0; i < 3; ++i) w[i] = -slope[i], w[3 + i] = -by_g[i] - turned[i];
  }

  void stiffness(const S* z, S* w, S* dw) const {
    using D = Dual<S, 6>;
    std::array<D, 6> seeded, force;
    for (int i = 0; i < 6; ++i) seeded[i] = D::variable(z[i], i);
    forces(seeded.data(), force.data());
    for (int i = 0; i < 6; ++i) {
      w[i] = force[i].value;
      for (int j = 0; j < 6; ++j) dw[i + 6 * j] = force[i].grad[j];
    }
  }

  /// (n, m̄) at the middle, in the frame of the half rotation.
  std::array<S, 6> section_forces(const S* z, int) const {
    const auto strain = strains(z);
    std::array<S, 6> stress;
    for (int i = 0; i < 6; ++i) {
      stress[i] = S(0);
      for (int j = 0; j < 6; ++j) stress[i] += D_(i, j) * strain[j];
    }
    return stress;
  }

 private:
  template <class T>
  std::array<T, 6> strains(const T* z) const {
    using namespace rotation;
    using std::sqrt;
    const Vec3<T> g = vector(z + 3);
    const T half = T(1) / (T(1) + sqrt(T(1) + dot(g, g) / T(4)));
    const Vec3<T> back{-half * g[0], -half * g[1], -half * g[2]};
    const Vec3<T> stretch = cayley_rotate(back, vector(z));
    std::array<T, 6> strain;
    for (int i = 0; i < 3; ++i) {
      strain[i] = stretch[i] / T(length_) - T(unloaded_[i]);
      strain[3 + i] = T(-2) * back[i] / T(length_) - T(unloaded_[3 + i]);
    }
    return strain;
  }

  SectionStiffness<S> D_;
  S length_{1};
  std::array<S, 6> unloaded_{};
};

}  // namespace daemark
