// A mechanism: M(q) q̈ + Gᵀλ = f(t, q, v), Φ(q, t) = 0, G = ∂Φ/∂q. Reactions are −Gᵀλ.
// n coordinates, m position-level constraint rows.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/numbers/taylor_tape.hpp"
#include "problems/core/implicit_system.hpp"

namespace daemark {

/// One instant: pointers to n, n, n and m entries.
template <class S>
struct MotionPoint {
  S t;
  const S *q, *v, *a, *lambda;
};

/// C = position·Φ + velocity·Φ̇ + acceleration·Φ̈, where Φ̈ contains G a.
template <class S>
struct ConstraintWeights {
  S position, velocity, acceleration;
};

/// Where evaluate() writes derivative values; null members are skipped.
template <class S>
struct MotionJacobian {
  S* mass = nullptr;        ///< ∂R/∂a = M, mass_pattern()
  S* gradient = nullptr;    ///< G, gradient_pattern()
  S* residual_q = nullptr;  ///< ∂R/∂q, residual_q_pattern()
  S* residual_v = nullptr;  ///< ∂R/∂v, residual_v_pattern()
  S* curvature_q = nullptr;  ///< velocity·∂Φ̇/∂q + acceleration·∂Φ̈/∂q, curvature_pattern()
  S* curvature_v = nullptr;  ///< acceleration·∂Φ̈/∂v (without velocity·G), curvature_pattern()
};

/// A point of the trajectory and its rates, n entries each, as a change of chart moves them: v a
/// velocity, q_rate = q̇ (v itself but for stabilised formulations), v_rate = v̇ along q̇.
template <class S>
struct ChartPoint {
  S *q, *q_rate, *v, *v_rate;
};

template <class S>
class MechanicalSystem {
 public:
  virtual ~MechanicalSystem() = default;

  int coordinates() const { return static_cast<int>(coordinate_names_.size()); }
  int constraints() const { return static_cast<int>(constraint_names_.size()); }
  const std::vector<std::string>& coordinate_names() const { return coordinate_names_; }
  const std::vector<std::string>& constraint_names() const { return constraint_names_; }

  const Pattern& mass_pattern() const { return mass_pattern_; }              ///< n × n
  const Pattern& gradient_pattern() const { return gradient_pattern_; }      ///< m × n
  const Pattern& curvature_pattern() const { return curvature_pattern_; }    ///< m × n
  const Pattern& residual_q_pattern() const { return residual_q_pattern_; }  ///< n × n
  const Pattern& residual_v_pattern() const { return residual_v_pattern_; }  ///< n × n

  /// The problem's own initial positions and velocities.
  virtual void initial(S* q, S* v) const = 0;

  /// R = M a + Gᵀλ − f (n entries), C (m entries), and the derivatives asked for.
  virtual void evaluate(const MotionPoint<S>& point, const ConstraintWeights<S>& weights, S* R,
                        S* C, const MotionJacobian<S>& jacobian) = 0;
  /// ∂(Gᵀμ)/∂q in residual_q_pattern() (entries outside the constraints' part are zero).
  virtual void multiplier_stiffness(const S& t, const S* q, const S* mu, S* stiffness) = 0;

  /// The same R and Φ as operations on a tape, for Taylor series.
  virtual void record(Tape<S>& tape, const TapeVar<S>* q, const TapeVar<S>* v, const TapeVar<S>* a,
                      const TapeVar<S>* lambda, const TapeVar<S>& t, TapeVar<S>* R,
                      TapeVar<S>* Phi) = 0;

  virtual S kinetic_energy(const S& t, const S* q, const S* v) = 0;  ///< [J]
  virtual S potential_energy(const S& t, const S* q) = 0;            ///< [J]
  /// Work of constant torques and forces since the initial configuration, where it is a function
  /// of position [J].
  virtual S work(const S& t, const S* q) {
    (void)t, (void)q;
    return S(0);
  }
  /// Power of everything else: dampers, time-dependent drives, prescribed motion [W].
  virtual bool has_power() const { return false; }
  virtual S power(const MotionPoint<S>& point) {
    (void)point;
    return S(0);
  }

  /// Rotations in charts: q holds increments from orientations kept here, chart_size() numbers; 0
  /// for flat systems. q, v and everything evaluated refer to the chart in force.
  virtual int chart_size() const { return 0; }
  virtual void chart(S* numbers) const { (void)numbers; }
  virtual void set_chart(const S* numbers) { (void)numbers; }
  /// Makes the orientation of the first point the origin of the chart and re-expresses all points.
  virtual void rebase(const std::vector<ChartPoint<S>>& points) { (void)points; }

  /// Coordinates in which results are shown and compared with the reference (identity by default):
  /// n_ref positions and velocities from this system's own; minimal coordinates and charts differ.
  virtual int reference_coordinates() const { return coordinates(); }
  virtual void to_reference(const S* q, const S* v, S* q_ref, S* v_ref) const;
  /// Charts only: the inverse; puts the orientation into the chart.
  virtual void from_reference(const S* q_ref, const S* v_ref, S* q, S* v);
  /// Charts only: names of what to_reference() writes.
  virtual std::vector<std::string> reference_names() const { return coordinate_names_; }
  virtual std::vector<std::string> reference_velocity_names() const { return coordinate_names_; }
  /// What separates two positions in reference coordinates, n_ref entries; a rotation's three are
  /// the vector of the rotation from one to the other.
  virtual void reference_difference(const real50* a, const real50* b, real50* difference) const;

 protected:
  std::vector<std::string> coordinate_names_, constraint_names_;
  Pattern mass_pattern_, gradient_pattern_, curvature_pattern_, residual_q_pattern_,
      residual_v_pattern_;
};

template <class S>
void MechanicalSystem<S>::to_reference(const S* q, const S* v, S* q_ref, S* v_ref) const {
  for (int i = 0; i < coordinates(); ++i) {
    q_ref[i] = q[i];
    v_ref[i] = v[i];
  }
}

template <class S>
void MechanicalSystem<S>::from_reference(const S* q_ref, const S* v_ref, S* q, S* v) {
  for (int i = 0; i < coordinates(); ++i) {
    q[i] = q_ref[i];
    v[i] = v_ref[i];
  }
}

template <class S>
void MechanicalSystem<S>::reference_difference(const real50* a, const real50* b,
                                               real50* difference) const {
  for (int i = 0; i < reference_coordinates(); ++i) difference[i] = a[i] - b[i];
}

/// A mechanism in the scalars it can be had in.
template <class S>
using MechanicalPtr = std::shared_ptr<MechanicalSystem<S>>;

}  // namespace daemark
