// The three-node finite-volume beam (Ghiringhelli, Masarati & Mantegazza 2000, AIAA J. 38,
// 131-138): each node is in balance with the internal forces of two sections, the evaluation points
// I, II at ξ = ∓1/√3 of the parabola through the nodes (ξ = −1, 0, 1):
//   node 1: F = f_I, M = m_I + (p_I − x_1) × f_I;  node 3: F = −f_II, M = −m_II − (p_II − x_3) ×
//   f_II
// and the middle node what balances the element. At a point with shape functions N and N' = dN/ds,
//   p = Σ N x, l = Σ N' x, g_s = Σ N g, R_s = R(g_s), ε = R_sᵀ l − ε_0, κ = G(g_s)ᵀ Σ N' g − κ_0,
//   f = R_s n, m = R_s m̄, (n, m̄) = D (ε, κ).
// Departure from the paper's code, which interpolates increments from a reference that follows the
// solution: here g are the rotations of the end nodes as the middle one sees them. So the element
// has no history, and it is not bent by rigid motions; both converge to the same beam.
// The balance is collocated, not weighted: the forces are no gradient of the stored energy.
#pragma once

#include "problems/spatial/beam_element.hpp"

namespace daemark {

class FiniteVolumeBeam {
 public:
  static constexpr int nodes = 3, reference = 1;
  static constexpr bool conservative = false;

  /// The shape without load and the stiffness at both points. Throws BadInput for elements of zero
  /// length and for stiffnesses that are not positive.
  FiniteVolumeBeam(const std::array<SectionPose<wide>, 3>& unloaded, const SectionStiffness& D)
      : D_(D) {
    check_stiffness(D);
    const auto z = relative_poses<wide, 3>(unloaded, reference);
    const wide root = sqrt(wide(3));
    for (int point = 0; point < 2; ++point) {
      const wide xi = point == 0 ? wide(-1) / root : wide(1) / root;
      Point& at = points_[point];
      at.value = {wide(xi * (xi - 1) / 2), wide(xi * (xi + 1) / 2)};
      at.slope = {wide(xi - wide(1) / 2), wide(xi + wide(1) / 2)};
      const Along<wide> rough = along(at, z.data());
      at.metric = sqrt(rotation::dot(rough.l, rough.l));
      if (!(at.metric > 0)) throw BadInput("beam element: its length is zero");
      for (wide& slope : at.slope) slope /= at.metric;
      at.unloaded = strains(at, along(at, z.data()));
    }
  }

  void forces(const Var* z, Var* w) const {
    using namespace rotation;
    for (int point = 0; point < 2; ++point) {
      const Along<Var> here = along(points_[point], z);
      const auto stress = stresses(points_[point], here);
      // f and m in the frame of the reference node.
      const Vec3<Var> f = cayley_rotate(here.g, vector(stress.data())),
                      m = cayley_rotate(here.g, vector(stress.data() + 3));
      const Vec3<Var> arm = combine(Var(1), here.p, Var(-1), vector(z + 6 * point));
      const Vec3<Var> moment = combine(Var(1), m, Var(1), cross(arm, f));
      const Var sign(point == 0 ? 1 : -1);
      for (int i = 0; i < 3; ++i)
        w[6 * point + i] = sign * f[i], w[6 * point + 3 + i] = sign * moment[i];
    }
  }

  /// ½ Σ (ε, κ)ᵀ D (ε, κ) over the two points, each with its half of the length.
  Var energy(const Var* z) const {
    Var sum;
    for (const Point& point : points_) {
      const Along<Var> here = along(point, z);
      const auto strain = strains(point, here), stress = stresses(point, here);
      for (int i = 0; i < 6; ++i) sum += Var(point.metric) * strain[i] * stress[i];
    }
    return sum / Var(2);
  }

  /// (n, m̄) of an evaluation point, 0 or 1, in the section's frame.
  std::array<Var, 6> section_forces(const Var* z, int point) const {
    return stresses(points_[point], along(points_[point], z));
  }

 private:
  /// Shape functions of nodes 1 and 3 and their slopes by arc length; ds = metric dξ.
  struct Point {
    std::array<wide, 2> value, slope;
    wide metric = 1;
    std::array<wide, 6> unloaded{};  ///< ε_0, κ_0
  };
  template <class T>
  struct Along {
    rotation::Vec3<T> p, l, g, g_slope;
  };

  /// The reference node itself stands at 0 and is not turned.
  template <class T>
  static Along<T> along(const Point& point, const T* z) {
    using namespace rotation;
    const T v1(point.value[0]), v3(point.value[1]), s1(point.slope[0]), s3(point.slope[1]);
    const Vec3<T> y1 = vector(z), g1 = vector(z + 3), y3 = vector(z + 6), g3 = vector(z + 9);
    return {combine(v1, y1, v3, y3), combine(s1, y1, s3, y3), combine(v1, g1, v3, g3),
            combine(s1, g1, s3, g3)};
  }
  template <class T>
  static std::array<T, 6> strains(const Point& point, const Along<T>& at) {
    using namespace rotation;
    const Vec3<T> back{-at.g[0], -at.g[1], -at.g[2]};
    const Vec3<T> stretch = cayley_rotate(back, at.l),
                  bend = cayley_spin_transposed(at.g, at.g_slope);
    std::array<T, 6> strain;
    for (int i = 0; i < 3; ++i) {
      strain[i] = stretch[i] - T(point.unloaded[i]);
      strain[3 + i] = bend[i] - T(point.unloaded[3 + i]);
    }
    return strain;
  }
  std::array<Var, 6> stresses(const Point& point, const Along<Var>& at) const {
    return section_forces_of(D_, strains(point, at));
  }

  SectionStiffness D_;
  std::array<Point, 2> points_;
};

}  // namespace daemark
