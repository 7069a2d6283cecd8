// The inertia of a rigid body or of a node with rigid pieces, and what gravity does to it.
//
// Node at x, orientation R = R(g) R_ref; in the frame of R_ref, J about the node and s = m times
// the mass centre from the node. Spin ν = Gᵀ ġ, ν̇ = Gᵀ g̈ − ½ c (g·ġ) ν (rotation.hpp):
//   F = m ẍ + R(g) (ν̇ × s + ν × (ν × s)),   µ = J ν̇ + ν × J ν + s × R(g)ᵀ ẍ,
// and what virtual work makes of them along x and g: F and G µ. Their derivatives by ẍ, g̈ are the
// mass matrix [m I, −R s× Gᵀ; G s× Rᵀ, G J Gᵀ].
#pragma once

#include <array>
#include <memory>

#include "problems/elements/element.hpp"
#include "problems/geometry/rotation.hpp"
#include "problems/system/declaration.hpp"

namespace daemark {

/// In a node's frame: mass [kg], mass times mass centre [kg m], inertia about the node [kg m²].
template <class S>
struct SpatialInertia {
  S mass{};
  rotation::Vec3<S> moment{};
  std::array<rotation::Vec3<S>, 3> inertia{};
};

/// Gravity, constant or with a factor that depends on time; its work is then counted as power.
template <class S>
struct SpatialGravity {
  rotation::Vec3<S> acceleration{};
  std::shared_ptr<const MotionLaw> factor;  ///< null: 1

  S at(const S& t) const { return factor ? law_value<S>(*factor)(TimeJet<S>(t)).value : S(1); }
};

template <class S>
class SpatialBody final : public Element<S> {
 public:
  SpatialBody(const ElementNode& node, const SpatialInertia<S>& inertia, SpatialGravity<S> gravity)
      : Element<S>(node_coordinates({node}), {}, node_charts({node})),
        own_(inertia),
        gravity_(std::move(gravity)) {
    for (const S& s : own_.moment) centred_ = centred_ && s == 0;
    for (const S& g : gravity_.acceleration) weighs_ = weighs_ || g != 0;
  }

  bool has_inertia() const override { return true; }
  bool has_force() const override { return true; }
  bool fills(ElementBlock block, int i, int j) const override {
    if (i >= 3 && j >= 3) return block != ElementBlock::gradient;
    if (block == ElementBlock::mass) return i == j || (!centred_ && (i >= 3) != (j >= 3));
    if (block == ElementBlock::residual_q) return !centred_ && j >= 3;
    return block == ElementBlock::residual_v && !centred_ && j >= 3;
  }

  void evaluate(const ElementPoint<S>& p, const ConstraintWeights<S>& w,
                const ElementValues<S>& out) override;
  S kinetic_energy(const ElementPoint<S>& p) override;
  S potential_energy(const ElementPoint<S>& p) override;
  bool has_power() const override { return weighs_ && gravity_.factor; }
  S power(const ElementPoint<S>& p) override;

 private:
  using Vec3 = rotation::Vec3<S>;
  struct Turned {
    Vec3 moment;
    std::array<Vec3, 3> inertia;
  };

  /// What values and derivatives share: ν, Gᵀ g̈, J ν, ½ c and σ of ν̇ = Gᵀ g̈ + σ ν.
  struct Motion {
    Vec3 g, rate, second, nu, bend, J_nu;
    S half, sigma;

    Vec3 spin(const Vec3& x) const;             ///< G x
    Vec3 spin_transposed(const Vec3& x) const;  ///< Gᵀ x
    Vec3 rotate(const Vec3& x) const;           ///< R(g) x
    Vec3 rotate_back(const Vec3& x) const;      ///< R(g)ᵀ x
  };

  const Turned& turn(const S* chart);  ///< into the frame of R_ref; kept while that stays
  Motion motion(const ElementPoint<S>& p) const;
  void write_inertia(const Motion& motion, const S* a, S* inertia) const;
  void write_force(const Motion& motion, const S& weight, S* force) const;
  void write_mass(const Motion& motion, S* mass) const;
  void write_residual_q(const Motion& motion, const Vec3& felt, S* by_q) const;
  void write_residual_v(const Motion& motion, S* by_v) const;
  /// Columns j of the derivatives, from changes of ν and ν̇.
  Vec3 pull(const Vec3& nu, const Vec3& d_nu, const Vec3& d_rate) const;
  Vec3 moment(const Motion& motion, const Vec3& d_nu, const Vec3& d_rate) const;

  SpatialInertia<S> own_;
  SpatialGravity<S> gravity_;
  bool centred_ = true, weighs_ = false;
  Turned turned_;
  std::array<S, 4> turned_by_{};  ///< the R_ref it belongs to; zero at first: no rotation
};

}  // namespace daemark
