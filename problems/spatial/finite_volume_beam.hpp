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

#include <algorithm>
#include <cmath>

#include "problems/spatial/beam_element.hpp"
#include "problems/spatial/beam_stiffness.hpp"

namespace daemark {

template <class S>
class FiniteVolumeBeam {
 public:
  static constexpr int nodes = 3, reference = 1;
  static constexpr bool conservative = false;

  /// The shape without load and the stiffness at both points. Throws BadInput for elements of zero
  /// length and for stiffnesses that are not positive.
  FiniteVolumeBeam(const std::array<SectionPose<S>, 3>& unloaded, const SectionStiffness<S>& D)
      : D_(D), coupled_(!D.template topRightCorner<3, 3>().isZero(0)) {
    using std::sqrt;
    check_stiffness<S>(D);
    const auto z = relative_poses<S, 3>(unloaded, reference);
    const S root = sqrt(S(3));
    for (int point = 0; point < 2; ++point) {
      const S xi = point == 0 ? S(-1) / root : S(1) / root;
      Point& at = points_[point];
      at.value = {xi * (xi - S(1)) / S(2), xi * (xi + S(1)) / S(2)};
      at.slope = {xi - S(1) / S(2), xi + S(1) / S(2)};
      const Along<S> rough = along(at, z.data());
      at.metric = sqrt(rotation::dot(rough.l, rough.l));
      if (!(at.metric > 0)) throw BadInput("beam element: its length is zero");
      for (S& slope : at.slope) slope /= at.metric;
      const auto strain = strains(at, along(at, z.data()));
      std::copy(strain.begin(), strain.end(), at.unloaded.begin());
    }
  }

  template <class T>
  void forces(const T* z, T* w) const {
    using namespace rotation;
    for (int point = 0; point < 2; ++point) {
      const Along<T> here = along(points_[point], z);
      const auto [f, m] = internal(points_[point], here);
      const T sign(point == 0 ? 1 : -1);
      const Vec3<T> arm = combine(T(1), here.p, T(-1), vector(z + 6 * point));
      const Vec3<T> moment = combine(T(1), m, T(1), cross(arm, f));
      for (int i = 0; i < 3; ++i)
        w[6 * point + i] = sign * f[i], w[6 * point + 3 + i] = sign * moment[i];
    }
  }

  /// ½ Σ (ε, κ)ᵀ D (ε, κ) over the two points, each with its half of the length.
  template <class T>
  T energy(const T* z) const {
    T sum(0);
    for (const Point& point : points_) {
      const auto strain = strains(point, along(point, z));
      const auto stress = stresses(strain);
      for (int i = 0; i < 6; ++i) sum += T(point.metric) * strain[i] * stress[i];
    }
    return sum / T(2);
  }

  /// (n, m̄) of an evaluation point, 0 or 1, in the section's frame.
  std::array<S, 6> section_forces(const S* z, int point) const {
    return stresses(strains(points_[point], along(points_[point], z)));
  }

  void stiffness(const S* z, S* w, S* dw) const {
    Eigen::Map<Eigen::Matrix<S, 12, 12>> by_z(dw);
    for (int point = 0; point < 2; ++point) {
      const Point& at = points_[point];
      const Along<S> here = along(at, z);
      const S sign(point == 0 ? 1 : -1);
      const Slopes A = slopes(at, here, sign);
      const Vector3 p = beam::eigen<S>(here.p.data()) - beam::eigen<S>(z + 6 * point);
      const Matrix3 arm = beam::skew<S>(p), turn = beam::skew<S>(A.f);
      const Vector3 moment = A.m + arm * A.f;
      for (int i = 0; i < 3; ++i) w[6 * point + i] = A.f[i], w[6 * point + 3 + i] = moment[i];
      const Matrix3 m_l = A.m_l + arm * A.f_l, m_g = A.m_g + arm * A.f_g, m_s = A.m_s + arm * A.f_s;
      for (int other = 0; other < 2; ++other) {
        const S N = at.value[other], slope = at.slope[other];
        const int row = 6 * point, column = 6 * other;
        by_z.template block<3, 3>(row, column) = slope * A.f_l;
        by_z.template block<3, 3>(row, column + 3) = N * A.f_g + slope * A.f_s;
        by_z.template block<3, 3>(row + 3, column) = slope * m_l - (N - S(other == point)) * turn;
        by_z.template block<3, 3>(row + 3, column + 3) = N * m_g + slope * m_s;
      }
    }
  }

 private:
  using Matrix3 = beam::Matrix3<S>;
  using Vector3 = beam::Vector3<S>;

  /// Shape functions of nodes 1 and 3 and their slopes by arc length; ds = metric dξ.
  struct Point {
    std::array<S, 2> value, slope;
    S metric{1};
    std::array<S, 6> unloaded{};  ///< ε_0, κ_0
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
  template <class T>
  std::array<T, 6> stresses(const std::array<T, 6>& strain) const {
    std::array<T, 6> stress;
    for (int i = 0; i < 6; ++i) {
      stress[i] = T(0);
      for (int j = 0; j < 6; ++j) stress[i] += T(D_(i, j)) * strain[j];
    }
    return stress;
  }
  /// f and m in the frame of the reference node.
  template <class T>
  std::pair<rotation::Vec3<T>, rotation::Vec3<T>> internal(const Point& point,
                                                           const Along<T>& at) const {
    const auto stress = stresses(strains(point, at));
    return {rotation::cayley_rotate(at.g, rotation::vector(stress.data())),
            rotation::cayley_rotate(at.g, rotation::vector(stress.data() + 3))};
  }

  /// f and m in the frame of the reference node, and their derivatives by l, g_s and g_s'.
  struct Slopes {
    Vector3 f, m;
    Matrix3 f_l, f_g, f_s, m_l, m_g, m_s;
  };
  Slopes slopes(const Point& point, const Along<S>& at, const S& sign) const {
    const Vector3 g = beam::eigen<S>(at.g.data()), bend = beam::eigen<S>(at.g_slope.data());
    const Matrix3 G = beam::spin_matrix<S>(g), back = G.transpose();
    const Matrix3 R = Matrix3::Identity() + G * beam::skew<S>(g);
    const Vector3 stretch = R.transpose() * beam::eigen<S>(at.l.data()), curvature = back * bend;
    const Matrix3 stretch_g = beam::skew<S>(stretch) * back,
                  curvature_g = beam::spin_transposed_derivative<S>(g, bend, curvature);
    const Eigen::Map<const Eigen::Matrix<S, 6, 1>> unloaded(point.unloaded.data());
    const Vector3 strain = stretch - unloaded.template head<3>(),
                  bending = curvature - unloaded.template tail<3>();
    const Matrix3 R_n = sign * R * D_.template topLeftCorner<3, 3>(),
                  R_m = sign * R * D_.template bottomRightCorner<3, 3>();
    Slopes by;
    by.f = R_n * strain, by.m = R_m * bending;
    by.f_l = R_n * R.transpose(), by.f_g = R_n * stretch_g;
    by.m_g = R_m * curvature_g, by.m_s = R_m * back;
    if (coupled_) {
      const Matrix3 R_nm = sign * R * D_.template topRightCorner<3, 3>(),
                    R_mn = sign * R * D_.template bottomLeftCorner<3, 3>();
      by.f += R_nm * bending, by.m += R_mn * strain;
      by.f_g += R_nm * curvature_g, by.f_s = R_nm * back;
      by.m_l = R_mn * R.transpose(), by.m_g += R_mn * stretch_g;
    } else {
      by.f_s.setZero(), by.m_l.setZero();
    }
    by.f_g -= beam::skew<S>(by.f) * G, by.m_g -= beam::skew<S>(by.m) * G;
    return by;
  }

  SectionStiffness<S> D_;
  bool coupled_;  ///< D between (n, ε) and (m̄, κ) is not zero
  std::array<Point, 2> points_;
};

}  // namespace daemark
