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

#include "base/numbers/jet.hpp"
#include "problems/core/declaration.hpp"
#include "problems/core/element.hpp"
#include "problems/core/rotation.hpp"

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

  Turned turn(const S* chart) const;  ///< into the frame of R_ref
  /// Inertia minus gyroscopic terms and gravity: value and, where asked for, derivatives.
  template <class T>
  void residual(const Turned& turned, const T* g, const T* g_rate, const T* g_second,
                const S* acceleration, const S& weight, T* F) const;
  /// The derivatives of residual() of a body whose mass centre is its node; others take jets.
  void write_turning(const Turned& turned, const ElementPoint<S>& p,
                     const ElementValues<S>& out) const;
  void write_mass(const Turned& turned, const S* g, S* mass) const;

  SpatialInertia<S> own_;
  SpatialGravity<S> gravity_;
  bool centred_ = true, weighs_ = false;
};

}  // namespace daemark
