// A part of a mechanism that acts on few coordinates: bars, springs, joints, beam elements.
//
// An element sees k coordinates (of any number of nodes of any width; a constant 0 where it is held
// by the ground) and owns r constraint rows. It gives local values and dense blocks; Assembly finds
// their places once and adds them up:
//   R += inertia − force + Gᵀλ,  ∂R/∂q += residual_q + ∂(Gᵀλ)/∂q,  ∂R/∂v += residual_v.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/text/bad_input.hpp"
#include "problems/system/mechanical_system.hpp"

namespace daemark {

/// Coordinates first .. first + width of a mechanism; first = −1: the ground, all constants 0.
/// A node of a rigid body or beam is six wide, (x, g): its position and the increment g from the
/// orientation R_ref that the mechanism's chart holds at `chart` (rotation.hpp: R = R(g) R_ref).
struct ElementNode {
  static constexpr int fixed_chart = -2;  ///< R_ref = I for ever: a ground with an orientation
  int first, width;
  int chart = -1;  ///< offset of the unit quaternion R_ref in the system's chart; −1: none

  static ElementNode spatial(int node) { return {6 * node, 6, 4 * node}; }
  static ElementNode spatial_ground() { return {-1, 6, fixed_chart}; }
};

inline std::vector<int> node_coordinates(const std::vector<ElementNode>& nodes) {
  std::vector<int> coordinates;
  for (const ElementNode& node : nodes)
    for (int i = 0; i < node.width; ++i)
      coordinates.push_back(node.first < 0 ? -1 : node.first + i);
  return coordinates;
}

/// Of the nodes that have one, in their order.
inline std::vector<int> node_charts(const std::vector<ElementNode>& nodes) {
  std::vector<int> charts;
  for (const ElementNode& node : nodes)
    if (node.chart != -1) charts.push_back(node.chart);
  return charts;
}

/// One instant as an element sees it: k, k, k and r entries, and 4 for each of its charts.
template <class S>
struct ElementPoint {
  S t;
  const S *q, *v, *a, *lambda;
  const S* chart = nullptr;  ///< the reference orientations of its nodes; null in flat elements
};

/// What Element::evaluate() writes, row-major; null members are left out. The element writes all
/// entries of a member, also those that are zero.
template <class S>
struct ElementValues {
  S *inertia = nullptr, *force = nullptr;                               ///< k
  S *position = nullptr, *velocity = nullptr, *acceleration = nullptr;  ///< Φ, Φ̇, Φ̈, r
  S* mass = nullptr;                                                    ///< ∂inertia/∂a, k × k
  S *residual_q = nullptr, *residual_v = nullptr;    ///< of inertia − force, k × k
  S* gradient = nullptr;                             ///< G, r × k
  S *curvature_q = nullptr, *curvature_v = nullptr;  ///< see MotionValues, r × k

  bool levels() const { return position || gradient || curvature_q || curvature_v; }
};

/// What Element::record() writes: k, k, r and r × k operations; null where the element has none.
/// Of rows of velocities `position` takes Φ̇.
template <class S>
struct ElementRecord {
  Var *inertia, *force, *position, *gradient;
};

enum class ElementBlock { mass, gradient, curvature, residual_q, residual_v };

template <class S>
class Element {
 public:
  virtual ~Element() = default;
  const std::vector<int>& coordinates() const { return coordinates_; }  ///< −1: a constant 0
  const std::vector<Quantity>& rows() const { return rows_; }
  const std::vector<int>& charts() const { return charts_; }  ///< see node_charts()
  int size() const { return static_cast<int>(coordinates_.size()); }
  virtual RowLevel level() const { return RowLevel::position; }  ///< of all its rows

  virtual bool has_inertia() const { return false; }
  virtual bool has_force() const { return false; }
  /// Whether an entry of a block can differ from zero. `residual_q` contains ∂(Gᵀλ)/∂q.
  virtual bool fills(ElementBlock block, int i, int j) const = 0;

  /// `weights` define the curvatures only: those of the rows' level.
  virtual void evaluate(const ElementPoint<S>& point, const ConstraintWeights<S>& weights,
                        const ElementValues<S>& out) = 0;
  /// ∂(Gᵀλ)/∂q, k × k; asked of elements with rows.
  virtual void multiplier_stiffness(const ElementPoint<S>& point, S* stiffness) {
    (void)point, (void)stiffness;
  }

  /// The same values as operations on a graph, where has_record(); `point.a` is not needed.
  virtual bool has_record() const { return false; }
  virtual void record(const ElementPoint<Var>& point, const ElementRecord<S>& out) {
    (void)point, (void)out;
  }

  // As in MechanicalSystem, the element's share; a and λ of the point are given to power() only.
  virtual S kinetic_energy(const ElementPoint<S>&) { return S(0); }    ///< [J]
  virtual S potential_energy(const ElementPoint<S>&) { return S(0); }  ///< [J]
  virtual S work(const ElementPoint<S>&) { return S(0); }              ///< [J]
  virtual bool has_power() const { return false; }
  virtual S power(const ElementPoint<S>&) { return S(0); }  ///< [W]

 protected:
  explicit Element(std::vector<int> coordinates, std::vector<Quantity> rows = {},
                   std::vector<int> charts = {})
      : coordinates_(std::move(coordinates)), rows_(std::move(rows)), charts_(std::move(charts)) {}

  std::vector<int> coordinates_;
  std::vector<Quantity> rows_;
  std::vector<int> charts_;
};

}  // namespace daemark
