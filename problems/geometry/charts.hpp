// Charts: coordinates that are increments from a state which the chart holds.
//
// rotation: three Cayley–Gibbs–Rodrigues increments g from the orientation R_ref, R = R(g) R_ref
//   (rotation.hpp); the chart holds R_ref as a unit quaternion. Shown are the rotation vector ψ of
//   R and Ω = Rᵀω, the spin in the body's frame. Re-based at every converged point; one step must
//   turn by less than π.
// screw: a place and an orientation in one, x = x_ref + V(g) w with V = c (I + ½ g× + ¼ g gᵀ) and
//   c of the Cayley map; the chart holds R_ref, then x_ref. Shown are x, ẋ, ψ and Ω.
//
// What they do is recorded on a graph, so that a change of chart gives its tangent maps too.
#pragma once

#include <string>
#include <vector>

#include "base/graph/code.hpp"
#include "problems/geometry/rotation.hpp"
#include "problems/system/mechanical_system.hpp"

namespace daemark {

/// One chart of a mechanism; q and v of its coordinates start at zero and at v0 of the mechanism.
struct Chart {
  enum class Kind { rotation, screw };
  Kind kind = Kind::rotation;
  int first = 0;              ///< its first coordinate
  std::vector<wide> numbers;  ///< what it holds at the start

  static Chart rotation(int first, const rotation::Quaternion<wide>& orientation) {
    return {Kind::rotation, first, {orientation.begin(), orientation.end()}};
  }
};

template <class S>
class Charts {
 public:
  Charts() = default;
  explicit Charts(const std::vector<Chart>& charts);

  int size() const { return size_; }
  void initial(S* numbers) const;
  /// First coordinates of the rotations, where no place moves with them.
  std::vector<int> rotations() const;
  /// Whether all increments are ones a chart can hold: turns below 171° (|g| = 2 tan(φ/2) < 25).
  bool hold(const S* q) const;
  /// As MechanicalSystem::rebase(). Points that are π or more from the new origin become infinite:
  /// their increments do not exist.
  void rebase(S* numbers, const std::vector<ChartPoint<S>>& points);

  // As in MechanicalSystem, for the coordinates of charts; others are left as they are.
  void to_reference(const MotionPoint<S>& p, S* q_ref, S* v_ref) const;
  void from_reference(const S* q_ref, const S* v_ref, S* q, S* v, S* numbers) const;
  void reference_difference(const real50* a, const real50* b, real50* difference) const;

 private:
  struct Functions {
    graph::Evaluator<S> rebase, move, show, take;
  };
  struct Placed {
    Chart chart;
    int offset;  ///< of its numbers
    int width() const { return chart.kind == Chart::Kind::screw ? 6 : 3; }
    int held() const { return chart.kind == Chart::Kind::screw ? 7 : 4; }
    int turn() const { return chart.first + width() - 3; }  ///< first of its g
  };
  Functions& of(const Placed& placed) const {
    return functions_[static_cast<int>(placed.chart.kind)];
  }

  std::vector<Placed> charts_;
  int size_ = 0;
  mutable std::array<Functions, 2> functions_;
};

}  // namespace daemark
