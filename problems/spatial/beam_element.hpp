// A beam element between rotating nodes: a law sees only where the other nodes stand and how they
// are turned, both as seen from one of them, so that rigid motions cannot strain it and nothing but
// x, g and the chart decides its forces.
//
// Sections: R_i = R(g_i) R(chart_i) R(offset_i). Seen from the reference node r, for every other i,
//   y_i = R_rᵀ (x_i − x_r),  g_i^r the Cayley–Gibbs–Rodrigues vector of R_rᵀ R_i;  z = (y, g^r, …).
// The law gives w = (F, M, …), forces and moments on the other nodes in the frame R_r; balance of
// the element gives those on r: F_r = −Σ F_i, M_r = −Σ (M_i + y_i × F_i). In coordinates:
// R_r F_i on x_i and G(g_i)ᵀ R_r M_i on g_i.
//
// A law has
//   static constexpr int nodes, reference;      z and w have 6 (nodes − 1) entries
//   template <class T> void forces(const T* z, T* w) const
//   template <class T> T energy(const T* z) const            [J]
//   void stiffness(const S* z, S* w, S* dw) const            w and ∂w/∂z, row-major
//   static constexpr bool conservative          w follows from the energy; where not, what the
//                                               forces do beyond −dU/dt counts as power
#pragma once

#include <Eigen/Core>
#include <array>
#include <utility>
#include <vector>

#include "base/numbers/jet.hpp"
#include "problems/core/element.hpp"
#include "problems/core/rotation.hpp"

namespace daemark {

/// Where a section stands, to say how an element is shaped without load.
template <class S>
struct SectionPose {
  rotation::Vec3<S> position;
  rotation::Quaternion<S> orientation;  ///< unit
};

namespace beam {

template <class S>
using Matrix3 = Eigen::Matrix<S, 3, 3>;
template <class S>
using Vector3 = Eigen::Matrix<S, 3, 1>;

template <class S>
Matrix3<S> skew(const Vector3<S>& x) {
  Matrix3<S> X;
  X << S(0), -x[2], x[1], x[2], S(0), -x[0], -x[1], x[0], S(0);
  return X;
}
template <class S>
Vector3<S> eigen(const S* x) {
  return {x[0], x[1], x[2]};
}
/// G of ω = G ġ.
template <class S>
Matrix3<S> spin_matrix(const Vector3<S>& g) {
  const S c = S(4) / (S(4) + g.squaredNorm());
  return c * (Matrix3<S>::Identity() + skew<S>(g) / S(2));
}
template <class S>
Matrix3<S> inverse_spin_matrix(const Vector3<S>& g) {
  return Matrix3<S>::Identity() - skew<S>(g) / S(2) + g * g.transpose() / S(4);
}
/// ∂(Gᵀ x)/∂g, given Gᵀ x.
template <class S>
Matrix3<S> spin_transposed_derivative(const Vector3<S>& g, const Vector3<S>& x,
                                      const Vector3<S>& product) {
  const S half = S(2) / (S(4) + g.squaredNorm());
  return half * (skew<S>(x) - product * g.transpose());
}
/// R of a quaternion that need not be a unit.
template <class S>
Matrix3<S> rotation_matrix(const rotation::Quaternion<S>& p) {
  const S norm = p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3];
  Matrix3<S> R;
  for (int j = 0; j < 3; ++j) {
    rotation::Vec3<S> unit{S(0), S(0), S(0)};
    unit[j] = S(1);
    const auto column = rotation::rotate(p, unit);
    for (int i = 0; i < 3; ++i) R(i, j) = column[i] / norm;
  }
  return R;
}

/// y and g of one section as seen from another.
template <class T>
void relative_pose(const rotation::Vec3<T>& x_r, const rotation::Quaternion<T>& p_r,
                   const rotation::Vec3<T>& x, const rotation::Quaternion<T>& p, T* z) {
  using namespace rotation;
  const Quaternion<T> back = conjugate(p_r), turn = product(back, p);
  const T norm = p_r[0] * p_r[0] + p_r[1] * p_r[1] + p_r[2] * p_r[2] + p_r[3] * p_r[3];
  const Vec3<T> y = rotate(back, combine(T(1), x, T(-1), x_r));
  for (int i = 0; i < 3; ++i) z[i] = y[i] / norm, z[3 + i] = T(2) * turn[1 + i] / turn[0];
}

}  // namespace beam

/// z of a law from the poses of all its nodes.
template <class S, int nodes>
std::array<S, 6 * (nodes - 1)> relative_poses(const std::array<SectionPose<S>, nodes>& sections,
                                              int reference) {
  std::array<S, 6 * (nodes - 1)> z;
  for (int i = 0, at = 0; i < nodes; ++i)
    if (i != reference)
      beam::relative_pose(sections[reference].position, sections[reference].orientation,
                          sections[i].position, sections[i].orientation, z.data() + 6 * at++);
  return z;
}

template <class S, class Law>
class BeamElement final : public Element<S> {
 public:
  static constexpr int nodes = Law::nodes, k = 6 * nodes, others = nodes - 1, strains = 6 * others;
  using Quaternion = rotation::Quaternion<S>;
  using Offsets = std::array<Quaternion, nodes>;  ///< of the sections in the frames of their nodes

  /// Throws BadInput where a node does not rotate.
  BeamElement(const std::vector<ElementNode>& places, const Offsets& offsets, Law law)
      : Element<S>(node_coordinates(places), {}, node_charts(places)),
        offsets_(offsets),
        law_(std::move(law)) {
    bool turning = static_cast<int>(places.size()) == nodes;
    for (const ElementNode& node : places) turning = turning && node.width == 6 && node.chart >= 0;
    if (!turning) throw BadInput("beam element: its nodes must be nodes that rotate");
  }

  const Law& law() const { return law_; }
  bool has_force() const override { return true; }
  bool fills(ElementBlock block, int, int) const override {
    return block == ElementBlock::residual_q;
  }

  /// The forces on the k coordinates, for any T that S turns into.
  template <class T>
  void force(const T* q, const S* chart, T* f) const {
    using namespace rotation;
    std::array<T, strains> z, w;
    relative(q, chart, z.data());
    law_.forces(z.data(), w.data());
    const auto p_r = section(q, chart, Law::reference);
    const T norm = p_r[0] * p_r[0] + p_r[1] * p_r[1] + p_r[2] * p_r[2] + p_r[3] * p_r[3];
    Vec3<T> F_r{T(0), T(0), T(0)}, M_r = F_r;
    const auto put = [&](int node, const Vec3<T>& F, const Vec3<T>& M) {
      const Vec3<T> force = rotate(p_r, F), moment = rotate(p_r, M);
      const Vec3<T> on_g = cayley_spin_transposed(vector(q + 6 * node + 3), moment);
      for (int i = 0; i < 3; ++i)
        f[6 * node + i] = force[i] / norm, f[6 * node + 3 + i] = on_g[i] / norm;
    };
    for (int at = 0; at < others; ++at) {
      const Vec3<T> F = vector(w.data() + 6 * at), M = vector(w.data() + 6 * at + 3);
      put(node_of(at), F, M);
      F_r = combine(T(1), F_r, T(-1), F);
      M_r = combine(T(1), M_r, T(-1), M);
      M_r = combine(T(1), M_r, T(-1), cross(vector(z.data() + 6 * at), F));
    }
    put(Law::reference, F_r, M_r);
  }

  void evaluate(const ElementPoint<S>& p, const ConstraintWeights<S>&,
                const ElementValues<S>& out) override {
    if (out.residual_v) std::fill_n(out.residual_v, k * k, S(0));
    if (out.residual_q)
      write_stiffness(p, out);
    else if (out.force)
      force(p.q, p.chart, out.force);
  }

  S potential_energy(const ElementPoint<S>& p) override {
    std::array<S, strains> z;
    relative(p.q, p.chart, z.data());
    return law_.energy(z.data());
  }
  bool has_power() const override { return !Law::conservative; }
  /// fᵀ v + dU/dt.
  S power(const ElementPoint<S>& p) override {
    using D = Dual<S, 1>;
    std::array<D, k> q;
    for (int i = 0; i < k; ++i) q[i].value = p.q[i], q[i].grad[0] = p.v[i];
    std::array<D, strains> z;
    relative(q.data(), p.chart, z.data());
    S sum = law_.energy(z.data()).grad[0];
    std::array<S, k> f;
    force(p.q, p.chart, f.data());
    for (int i = 0; i < k; ++i) sum += f[i] * p.v[i];
    return sum;
  }

  /// z of the law.
  template <class T>
  void relative(const T* q, const S* chart, T* z) const {
    const auto p_r = section(q, chart, Law::reference);
    for (int at = 0; at < others; ++at)
      beam::relative_pose(rotation::vector(q + 6 * Law::reference), p_r,
                          rotation::vector(q + 6 * node_of(at)), section(q, chart, node_of(at)),
                          z + 6 * at);
  }

 private:
  using Matrix3 = beam::Matrix3<S>;
  using Vector3 = beam::Vector3<S>;
  using Rows = Eigen::Matrix<S, k, k, Eigen::RowMajor>;

  static constexpr int node_of(int other) { return other < Law::reference ? other : other + 1; }

  /// Not normalised.
  template <class T>
  rotation::Quaternion<T> section(const T* q, const S* chart, int node) const {
    const S* c = chart + 4 * node;
    const Quaternion fixed = rotation::product(Quaternion{c[0], c[1], c[2], c[3]}, offsets_[node]);
    const T* g = q + 6 * node + 3;
    return rotation::product(
        rotation::Quaternion<T>{T(1), g[0] / T(2), g[1] / T(2), g[2] / T(2)},
        rotation::Quaternion<T>{T(fixed[0]), T(fixed[1]), T(fixed[2]), T(fixed[3])});
  }

  /// By small displacements ξ and turns θ of the sections in the frame R_r, which are
  /// ξ = R_rᵀ δx, θ = R_rᵀ G δg: δy = ξ_i − ξ_r + y × θ_r, δg^r = G(g^r)⁻¹ (θ_i − θ_r); turning of
  /// the frame itself adds θ_r × F.
  void write_stiffness(const ElementPoint<S>& p, const ElementValues<S>& out) const {
    std::array<S, strains> z, w;
    Eigen::Matrix<S, strains, strains, Eigen::RowMajor> dw;
    relative(p.q, p.chart, z.data());
    law_.stiffness(z.data(), w.data(), dw.data());
    constexpr int r = 6 * Law::reference;
    Rows K = Rows::Zero();
    std::array<Vector3, nodes> F, M;
    F[Law::reference] = M[Law::reference] = Vector3::Zero();
    for (int at = 0; at < others; ++at) {
      const int i = node_of(at);
      F[i] = beam::eigen<S>(&w[6 * at]), M[i] = beam::eigen<S>(&w[6 * at + 3]);
      for (int other = 0; other < others; ++other) add_columns(dw, z.data(), at, other, K);
      const Vector3 y = beam::eigen<S>(&z[6 * at]);
      const Matrix3 Y = beam::skew<S>(y), X = beam::skew<S>(F[i]);
      F[Law::reference] -= F[i];
      M[Law::reference] -= M[i] + Y * F[i];
      K.template middleRows<3>(r) -= K.template middleRows<3>(6 * i);
      K.template middleRows<3>(r + 3) -=
          K.template middleRows<3>(6 * i + 3) + Y * K.template middleRows<3>(6 * i);
      K.template block<3, 3>(r + 3, 6 * i) += X;
      K.template block<3, 3>(r + 3, r) -= X;
      K.template block<3, 3>(r + 3, r + 3) += X * Y;
    }
    for (int i = 0; i < nodes; ++i) {
      K.template block<3, 3>(6 * i, r + 3) -= beam::skew<S>(F[i]);
      K.template block<3, 3>(6 * i + 3, r + 3) -= beam::skew<S>(M[i]);
    }
    to_coordinates(p, F, M, K, out);
  }

  /// The rows of node `at` by what z of node `other` makes of the movements.
  static void add_columns(const Eigen::Matrix<S, strains, strains, Eigen::RowMajor>& dw, const S* z,
                          int at, int other, Rows& K) {
    constexpr int r = 6 * Law::reference;
    const int i = 6 * node_of(at), j = 6 * node_of(other);
    const Eigen::Matrix<S, 6, 3> by_y = dw.template block<6, 3>(6 * at, 6 * other);
    const Eigen::Matrix<S, 6, 3> by_turn =
        dw.template block<6, 3>(6 * at, 6 * other + 3) *
        beam::inverse_spin_matrix<S>(beam::eigen<S>(z + 6 * other + 3));
    K.template block<6, 3>(i, j) += by_y;
    K.template block<6, 3>(i, j + 3) += by_turn;
    K.template block<6, 3>(i, r) -= by_y;
    K.template block<6, 3>(i, r + 3) +=
        by_y * beam::skew<S>(beam::eigen<S>(z + 6 * other)) - by_turn;
  }

  /// P K Pᵀ with P = diag(R_r, G_iᵀ R_r, …) and what changes of G_iᵀ add; ∂R/∂q = −∂f/∂q.
  void to_coordinates(const ElementPoint<S>& p, const std::array<Vector3, nodes>& F,
                      const std::array<Vector3, nodes>& M, const Rows& K,
                      const ElementValues<S>& out) const {
    const Matrix3 R = beam::rotation_matrix<S>(section(p.q, p.chart, Law::reference));
    std::array<Matrix3, 2 * nodes> P;
    for (int i = 0; i < nodes; ++i) {
      P[2 * i] = R;
      P[2 * i + 1] = beam::spin_matrix<S>(beam::eigen<S>(p.q + 6 * i + 3)).transpose() * R;
    }
    Eigen::Map<Rows> by_q(out.residual_q);
    for (int i = 0; i < 2 * nodes; ++i)
      for (int j = 0; j < 2 * nodes; ++j)
        by_q.template block<3, 3>(3 * i, 3 * j).noalias() =
            -(P[i] * K.template block<3, 3>(3 * i, 3 * j)).eval() * P[j].transpose();
    for (int i = 0; i < nodes; ++i) {
      const Vector3 g = beam::eigen<S>(p.q + 6 * i + 3), moment = R * M[i],
                    on_g = P[2 * i + 1] * M[i], force = R * F[i];
      by_q.template block<3, 3>(6 * i + 3, 6 * i + 3) -=
          beam::spin_transposed_derivative<S>(g, moment, on_g);
      if (out.force)
        for (int row = 0; row < 3; ++row)
          out.force[6 * i + row] = force[row], out.force[6 * i + 3 + row] = on_g[row];
    }
  }

  Offsets offsets_;
  Law law_;
};

}  // namespace daemark
