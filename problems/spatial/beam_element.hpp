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
//   void stiffness(const S* z, S* w, S* dw) const            w and ∂w/∂z, column by column
//   static constexpr bool conservative          w follows from the energy; where not, what the
//                                               forces do beyond −dU/dt counts as power
#pragma once

#include <Eigen/Core>
#include <array>
#include <utility>
#include <vector>

#include "base/numbers/jet.hpp"
#include "problems/elements/element.hpp"
#include "problems/geometry/rotation.hpp"

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
inline Matrix3<S> skew(const Vector3<S>& x) {
  Matrix3<S> X;
  X << S(0), -x[2], x[1], x[2], S(0), -x[0], -x[1], x[0], S(0);
  return X;
}
template <class S>
inline Vector3<S> eigen(const S* x) {
  return {x[0], x[1], x[2]};
}
/// G of ω = G ġ.
template <class S>
inline Matrix3<S> spin_matrix(const Vector3<S>& g) {
  const S c = S(4) / (S(4) + g.squaredNorm());
  return c * (Matrix3<S>::Identity() + skew<S>(g) / S(2));
}
template <class S>
inline Matrix3<S> inverse_spin_matrix(const Vector3<S>& g) {
  return Matrix3<S>::Identity() - skew<S>(g) / S(2) + g * g.transpose() / S(4);
}
/// ∂(Gᵀ x)/∂g, given Gᵀ x.
template <class S>
inline Matrix3<S> spin_transposed_derivative(const Vector3<S>& g, const Vector3<S>& x,
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

/// Three rows of `length` numbers: to = B from.
template <int length, class S>
inline void multiply_rows(const Matrix3<S>& B, const S* __restrict from, S* __restrict to) {
  for (int i = 0; i < 3; ++i) {
    const S b0 = B(i, 0), b1 = B(i, 1), b2 = B(i, 2);
    for (int k = 0; k < length; ++k)
      to[i * length + k] = b0 * from[k] + b1 * from[length + k] + b2 * from[2 * length + k];
  }
}

/// y and g of one section as seen from another.
template <class T>
inline void relative_pose(const rotation::Vec3<T>& x_r, const rotation::Quaternion<T>& p_r,
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
  using Matrix3 = beam::Matrix3<S>;
  using Vector3 = beam::Vector3<S>;
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
  /// fᵀ v + dU/dt, with ẏ = R_rᵀ(v_i − v_r + d × ω_r) and ġ^r = G(g^r)⁻¹ R_rᵀ(ω_i − ω_r).
  S power(const ElementPoint<S>& p) override {
    std::array<S, strains> value;
    std::array<Dual<S, 1>, strains> z;
    relative(p.q, p.chart, value.data());
    const Matrix3 R = beam::rotation_matrix<S>(section(p.q, p.chart, Law::reference));
    const auto velocity = [&](int node) { return beam::eigen<S>(p.v + 6 * node); };
    const auto spin = [&](int node) -> Vector3 {
      return beam::spin_matrix<S>(beam::eigen<S>(p.q + 6 * node + 3)) *
             beam::eigen<S>(p.v + 6 * node + 3);
    };
    const Vector3 v_r = velocity(Law::reference), spin_r = spin(Law::reference);
    for (int at = 0; at < others; ++at) {
      const S* const here = &value[6 * at];
      const Matrix3 D = beam::skew<S>(R * beam::eigen<S>(here));
      const Vector3 y = R.transpose() * (velocity(node_of(at)) - v_r + D * spin_r);
      const Vector3 g = beam::inverse_spin_matrix<S>(beam::eigen<S>(here + 3)) *
                        (R.transpose() * (spin(node_of(at)) - spin_r));
      for (int i = 0; i < 6; ++i) {
        z[6 * at + i].value = here[i];
        z[6 * at + i].grad[0] = i < 3 ? y[i] : g[i - 3];
      }
    }
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
  static constexpr int r = 6 * Law::reference;  ///< coordinates of the reference node

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

  /// What z and the rows are brought to space with.
  struct Frame {
    Matrix3 R;                      ///< R_r
    std::array<Matrix3, nodes> G;   ///< of every node
    std::array<Vector3, others> d;  ///< x_i − x_r
  };

  /// Turns of space θ = G δg give δy = R_rᵀ(δx_i − δx_r + d × θ_r), δg^r = G(g^r)⁻¹ R_rᵀ(θ_i −
  /// θ_r), δ(R_r F) = R_r δF + θ_r × R_r F. Products with the blocks of three that this is made of
  /// are taken over whole rows or columns.
  void write_stiffness(const ElementPoint<S>& p, const ElementValues<S>& out) const {
    std::array<S, strains> z, w;
    std::array<S, strains * strains> dw;
    relative(p.q, p.chart, z.data());
    law_.stiffness(z.data(), w.data(), dw.data());
    Frame frame;
    frame.R = beam::rotation_matrix<S>(section(p.q, p.chart, Law::reference));
    for (int i = 0; i < nodes; ++i)
      frame.G[i] = beam::spin_matrix<S>(beam::eigen<S>(p.q + 6 * i + 3));
    for (int at = 0; at < others; ++at) frame.d[at] = frame.R * beam::eigen<S>(&z[6 * at]);
    S by_q[k * strains];  // ∂w/∂q by columns
    to_coordinates(frame, z.data(), dw.data(), by_q);
    to_space(frame, p.q, w.data(), by_q, out);
  }

  /// ∂w/∂z to ∂w/∂q, both by columns of `strains` numbers.
  static void to_coordinates(const Frame& frame, const S* z, const S* dw, S* by_q) {
    constexpr int three = 3 * strains;
    S by_turn[three], part[three], by_turn_r[three];
    S* const by_x_r = by_q + r * strains;
    for (int at = 0; at < others; ++at) {
      const int node = node_of(at);
      const Matrix3 inverse = beam::inverse_spin_matrix<S>(beam::eigen<S>(z + 6 * at + 3));
      S* const by_x = by_q + 6 * node * strains;
      beam::multiply_rows<strains, S>(frame.R, dw + 2 * at * three, by_x);
      beam::multiply_rows<strains, S>(frame.R * inverse.transpose(), dw + (2 * at + 1) * three,
                                      by_turn);
      beam::multiply_rows<strains, S>(frame.G[node].transpose(), by_turn, by_x + three);
      beam::multiply_rows<strains, S>(-beam::skew<S>(frame.d[at]), by_x, part);
      for (int i = 0; i < three; ++i) {
        by_x_r[i] = (at == 0 ? S(0) : by_x_r[i]) - by_x[i];
        by_turn_r[i] = (at == 0 ? S(0) : by_turn_r[i]) + (part[i] - by_turn[i]);
      }
    }
    beam::multiply_rows<strains, S>(frame.G[Law::reference].transpose(), by_turn_r, by_x_r + three);
  }

  /// Rows of forces and moments by coordinates, −∂f/∂q, from ∂w/∂q by columns; and f.
  void to_space(const Frame& frame, const S* q, const S* w, const S* columns,
                const ElementValues<S>& out) const {
    constexpr int three = 3 * k;
    S moment[three], swept[three], moment_r[three];
    Vector3 F_r = Vector3::Zero(), M_r = Vector3::Zero();
    S* const force_r = out.residual_q + r * k;
    const Matrix3 back = -frame.R;
    const auto cut = [&](int row, S* to) {  // three rows, turned to space
      S local[three];
      for (int j = 0; j < k; ++j)
        for (int i = 0; i < 3; ++i) local[i * k + j] = columns[j * strains + row + i];
      beam::multiply_rows<k, S>(back, local, to);
    };
    const auto add = [](S* rows, int column, const Matrix3& block, int sign) {
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) rows[i * k + column + j] += S(sign) * block(i, j);
    };
    const Matrix3& G_r = frame.G[Law::reference];
    for (int at = 0; at < others; ++at) {
      const int i = 6 * node_of(at);
      const Vector3 F = frame.R * beam::eigen<S>(w + 6 * at),
                    M = frame.R * beam::eigen<S>(w + 6 * at + 3);
      const Matrix3 X = beam::skew<S>(F), D = beam::skew<S>(frame.d[at]);
      S* const force = out.residual_q + i * k;
      cut(6 * at, force);
      add(force, r + 3, X * G_r, 1);
      cut(6 * at + 3, moment);
      add(moment, r + 3, beam::skew<S>(M) * G_r, 1);
      put_moment(frame, q, node_of(at), M, moment, out);
      F_r -= F, M_r -= M + D * F;
      beam::multiply_rows<k, S>(D, force, swept);
      for (int j = 0; j < three; ++j) {
        force_r[j] = (at == 0 ? S(0) : force_r[j]) - force[j];
        moment_r[j] = (at == 0 ? S(0) : moment_r[j]) - (moment[j] + swept[j]);
      }
      add(moment_r, i, X, -1), add(moment_r, r, X, 1);
      if (out.force)
        for (int j = 0; j < 3; ++j) out.force[i + j] = F[j];
    }
    put_moment(frame, q, Law::reference, M_r, moment_r, out);
    if (out.force)
      for (int j = 0; j < 3; ++j) out.force[r + j] = F_r[j];
  }

  /// GᵀM and the rows of its derivatives, from those of −M.
  static void put_moment(const Frame& frame, const S* q, int node, const Vector3& M, const S* rows,
                         const ElementValues<S>& out) {
    const int i = 6 * node + 3;
    const Matrix3 back = frame.G[node].transpose();
    const Vector3 on_g = back * M;
    S* const by_q = out.residual_q + i * k;
    beam::multiply_rows<k, S>(back, rows, by_q);
    const Matrix3 own = beam::spin_transposed_derivative<S>(beam::eigen<S>(q + i), M, on_g);
    for (int row = 0; row < 3; ++row)
      for (int j = 0; j < 3; ++j) by_q[row * k + i + j] -= own(row, j);
    if (out.force)
      for (int row = 0; row < 3; ++row) out.force[i + row] = on_g[row];
  }

  Offsets offsets_;
  Law law_;
};

}  // namespace daemark
