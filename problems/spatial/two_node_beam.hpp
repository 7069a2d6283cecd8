// A geometrically exact two-node beam with relative rotation (after Simo & Vu-Quoc 1986, Comput.
// Methods Appl. Mech. Eng. 58, 79-116), one evaluation point at the middle: the second route to
// what the finite-volume beam gives.
//
// With u = R_1ᵀ R_2 and its half rotation h (h h = u), as Cayley vector γ = 2 tan(φ/4) n,
//   ε = R(γ)ᵀ R_1ᵀ (x_2 − x_1)/L − ε_0,  κ = 2γ/L − κ_0,  U = L/2 (ε, κ)ᵀ D (ε, κ),
// and the forces are −∇U. Second order in L: 4 tan(φ/4) = φ + O(φ³).
#pragma once

#include "problems/spatial/beam_element.hpp"

namespace daemark {

class TwoNodeBeam {
 public:
  static constexpr int nodes = 2, reference = 0;
  static constexpr bool conservative = true;

  /// Throws BadInput for elements of zero length and for stiffnesses that are not positive.
  TwoNodeBeam(const std::array<SectionPose<wide>, 2>& unloaded, const SectionStiffness& D) : D_(D) {
    check_stiffness(D);
    const auto z = relative_poses<wide, 2>(unloaded, reference);
    length_ = sqrt(wide(z[0] * z[0] + z[1] * z[1] + z[2] * z[2]));
    if (!(length_ > 0)) throw BadInput("beam element: its length is zero");
    unloaded_ = strains(z.data());
  }

  Var energy(const Var* z) const {
    const auto strain = strains(z), stress = section_forces_of(D_, strain);
    Var sum;
    for (int i = 0; i < 6; ++i) sum += strain[i] * stress[i];
    return Var(length_) * sum / Var(2);
  }

  /// F = −∂U/∂y, M = −G⁻ᵀ ∂U/∂g, G⁻ᵀ = I + ½ g× + ¼ g gᵀ.
  void forces(const Var* z, Var* w) const {
    using namespace rotation;
    graph::Graph own;  // in which z are inputs
    const std::vector<Var> inputs = own.inputs(6);
    const auto slope = own.call(graph::gradient(energy(inputs.data()), inputs), {z, z + 6});
    const Vec3<Var> g = vector(z + 3), by_g = vector(slope.data() + 3);
    const Vec3<Var> turned = combine(Var(0.5), cross(g, by_g), Var(dot(g, by_g) / Var(4)), g);
    for (int i = 0; i < 3; ++i) w[i] = -slope[i], w[3 + i] = -by_g[i] - turned[i];
  }

  /// (n, m̄) at the middle, in the frame of the half rotation.
  std::array<Var, 6> section_forces(const Var* z, int) const {
    return section_forces_of(D_, strains(z));
  }

 private:
  template <class T>
  std::array<T, 6> strains(const T* z) const {
    using namespace rotation;
    const Vec3<T> g = vector(z + 3);
    const T half = T(1) / (T(1) + sqrt(T(T(1) + dot(g, g) / T(4))));
    const Vec3<T> back{-half * g[0], -half * g[1], -half * g[2]};
    const Vec3<T> stretch = cayley_rotate(back, vector(z));
    std::array<T, 6> strain;
    for (int i = 0; i < 3; ++i) {
      strain[i] = stretch[i] / T(length_) - T(unloaded_[i]);
      strain[3 + i] = T(-2) * back[i] / T(length_) - T(unloaded_[3 + i]);
    }
    return strain;
  }

  SectionStiffness D_;
  wide length_ = 1;
  std::array<wide, 6> unloaded_{};
};

}  // namespace daemark
