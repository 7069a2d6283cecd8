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
      : D_(D) {
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
    Eigen::Map<Eigen::Matrix<S, 12, 12, Eigen::RowMajor>> by_z(dw);
    forces(z, w);
    for (int point = 0; point < 2; ++point) {
      const Point& at = points_[point];
      const Along<S> here = along(at, z);
      const auto A = stiffness_along(at, here);
      const S sign(point == 0 ? 1 : -1);
      const Vector3 f = sign * beam::eigen<S>(w + 6 * point);
      const Matrix3 arm = beam::skew<S>(beam::eigen<S>(here.p.data()) -
                                        beam::eigen<S>(z + 6 * point)),
                    turn = beam::skew<S>(f);
      for (int other = 0; other < 2; ++other) {
        Eigen::Matrix<S, 6, 6> B;
        B.template leftCols<3>() = at.slope[other] * A.template leftCols<3>();
        B.template rightCols<3>() = at.value[other] * A.template middleCols<3>(3) +
                                    at.slope[other] * A.template rightCols<3>();
        B.template bottomRows<3>() += arm * B.template topRows<3>();
        B.template bottomLeftCorner<3, 3>() -= (at.value[other] - S(other == point ? 1 : 0)) * turn;
        by_z.template block<6, 6>(6 * point, 6 * other) = sign * B;
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

  /// ∂(f, m)/∂(l, g_s, g_s').
  Eigen::Matrix<S, 6, 9> stiffness_along(const Point& point, const Along<S>& at) const {
    const Vector3 g = beam::eigen<S>(at.g.data()), bend = beam::eigen<S>(at.g_slope.data());
    const Matrix3 R = beam::rotation_matrix<S>(
                      {S(1), S(g[0] / S(2)), S(g[1] / S(2)), S(g[2] / S(2))}),
                  G = beam::spin_matrix<S>(g);
    Eigen::Matrix<S, 6, 9> by;
    by.template topLeftCorner<3, 3>() = R.transpose();
    const Vector3 stretch = R.transpose() * beam::eigen<S>(at.l.data());
    by.template block<3, 3>(0, 3) = beam::skew<S>(stretch) * G.transpose();
    by.template block<3, 3>(0, 6).setZero();
    by.template block<3, 3>(3, 0).setZero();
    const Vector3 curvature = G.transpose() * bend;
    by.template block<3, 3>(3, 3) = beam::spin_transposed_derivative<S>(g, bend, curvature);
    by.template block<3, 3>(3, 6) = G.transpose();
    const Eigen::Matrix<S, 6, 9> stress_by = D_ * by;
    const auto [f, m] = internal(point, at);
    by.template topRows<3>() = R * stress_by.template topRows<3>();
    by.template bottomRows<3>() = R * stress_by.template bottomRows<3>();
    by.template block<3, 3>(0, 3) -= beam::skew<S>(beam::eigen<S>(f.data())) * G;
    by.template block<3, 3>(3, 3) -= beam::skew<S>(beam::eigen<S>(m.data())) * G;
    return by;
  }

  SectionStiffness<S> D_;
  std::array<Point, 2> points_;
};

}  // namespace daemark
