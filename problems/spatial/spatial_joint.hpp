// Every joint and prescribed motion between nodes in space: rows that are sums of scalar products
// of features. A feature is a point p = x + R r or a direction d = R r of a node, or a constant of
// space; in space and time it has value, two rates and derivatives by its own node's g only:
//   Φ = Σ c_k f_k(t) (u_k · w_k) − law(t),   f = 1, cos θ(t) or sin θ(t).
// Exact derivatives follow by the product rule from jets of three variables per feature, and with
// ∂Φ̈/∂v = 2 ∂Φ̇/∂q, which holds for all rows of position.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "problems/elements/element.hpp"
#include "problems/geometry/rotation.hpp"
#include "problems/system/declaration.hpp"

namespace daemark {

template <class S>
struct JointFeature {
  int node = -1;  ///< of the element, in its order; −1: a constant of space
  bool point = false;
  rotation::Vec3<S> local{};  ///< r in the node's frame
};

enum class JointFactor { one, cosine, sine };

template <class S>
struct JointTerm {
  S coefficient;
  int u, w;                               ///< features
  JointFactor factor = JointFactor::one;  ///< of the angle law(t)
};

template <class S>
struct JointRow {
  std::vector<JointTerm<S>> terms;
  bool subtracts_law = false;
};

template <class S>
class SpatialJoint final : public Element<S> {
 public:
  /// Spatial nodes only (ElementNode::spatial). `law` may be null where no row uses it.
  SpatialJoint(const std::vector<ElementNode>& nodes, std::vector<Quantity> row_names,
               std::vector<JointFeature<S>> features, std::vector<JointRow<S>> rows,
               std::shared_ptr<const MotionLaw> law);

  bool fills(ElementBlock block, int i, int j) const override;
  void evaluate(const ElementPoint<S>& p, const ConstraintWeights<S>& w,
                const ElementValues<S>& asked) override;
  void multiplier_stiffness(const ElementPoint<S>& p, S* stiffness) override;
  bool has_power() const override { return law_ != nullptr; }
  S power(const ElementPoint<S>& p) override;  ///< λᵀ ∂Φ/∂t

 private:
  using Vec3 = rotation::Vec3<S>;
  /// A feature at an instant; columns of derivatives by its node's (x, g).
  struct State {
    Vec3 value, rate, second;
    std::array<Vec3, 6> by_q, rate_by_q, second_by_q;
    Vec3 along;  ///< scratch: what its second derivatives are weighed with
  };

  /// `rates_by_q`: also the derivatives of rate and second.
  void find(const JointFeature<S>& feature, const ElementPoint<S>& p, bool rates_by_q,
            State& state) const;
  void find_rates(const Vec3& turned, const ElementPoint<S>& p, int at, State& state) const;
  std::array<TimeJet<S>, 3> factors(const S& t) const;  ///< by JointFactor
  void add_term(const JointTerm<S>& term, const TimeJet<S>& factor, const ConstraintWeights<S>& w,
                int row, const ElementValues<S>& out) const;
  void add_second(const JointFeature<S>& feature, const ElementPoint<S>& p, const Vec3& along,
                  S* stiffness) const;

  std::vector<JointFeature<S>> features_;
  std::vector<JointRow<S>> row_data_;
  std::shared_ptr<const MotionLaw> law_;
  std::vector<State> states_;
  std::vector<std::vector<std::array<bool, 2>>> touched_;  ///< row, node: position, orientation
};

}  // namespace daemark
