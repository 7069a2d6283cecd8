// A mechanism: M(q) q̈ + Gᵀλ = f(t, q, v), Φ(q, t) = 0, G = ∂Φ/∂q. Reactions are −Gᵀλ.
// n coordinates, m constraint rows.
//
// f may depend on λ as well: friction by the force that presses, systems of index 3 that are no
// mechanisms. Then ∂R/∂λ is more than Gᵀ, and the index-1 solve an iteration
// (analysis/decisions/0048-forces-of-multipliers.md).
//
// A row may begin on the velocity level, g(t, q) v + c(t, q) = 0, that is not integrable or is
// given as a velocity: a wheel that rolls, a motor that holds a velocity. Such a row has Φ = 0 for
// ever, Φ̇ is the row, Φ̈ its rate, and G is g (analysis/decisions/0027-velocity-constraints.md).
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "base/graph/graph.hpp"
#include "problems/system/implicit_system.hpp"
#include "problems/system/quantity.hpp"

namespace daemark {

/// One instant: pointers to n, n, n and m entries, and to the chart where there is one.
template <class S>
struct MotionPoint {
  S t;
  const S *q, *v, *a = nullptr, *lambda = nullptr;
  const S* chart = nullptr;
};

/// Where a constraint row begins.
enum class RowLevel { position, velocity };

/// C = position·Φ + velocity·Φ̇ + acceleration·Φ̈, where Φ̈ contains G a.
template <class S>
struct ConstraintWeights {
  S position{}, velocity{}, acceleration{};
  /// Of rows of velocities: what is asked of positions alone is asked of velocities there.
  ConstraintWeights of_velocity_rows() const {
    return {S(0), velocity == 0 && acceleration == 0 ? position : velocity, acceleration};
  }
};

/// What evaluate() writes; null members are left out and cost nothing.
template <class S>
struct MotionValues {
  S* residual = nullptr;  ///< R = M a + Gᵀλ − f, n entries
  S* inertia = nullptr;   ///< M a, n
  S* force = nullptr;     ///< f, n
  S* weighted = nullptr;  ///< C, m
  S *position = nullptr, *velocity = nullptr, *acceleration = nullptr;  ///< Φ, Φ̇, Φ̈, m each

  S* mass = nullptr;             ///< ∂R/∂a = M, mass_pattern()
  S* gradient = nullptr;         ///< G, gradient_pattern()
  S* residual_q = nullptr;       ///< ∂R/∂q, residual_q_pattern()
  S* residual_v = nullptr;       ///< ∂R/∂v, residual_v_pattern()
  S* residual_lambda = nullptr;  ///< ∂R/∂λ − Gᵀ = −∂f/∂λ, residual_lambda_pattern()
  S* curvature_q = nullptr;  ///< velocity·∂Φ̇/∂q + acceleration·∂Φ̈/∂q, curvature_pattern()
  S* curvature_v = nullptr;  ///< acceleration·∂Φ̈/∂v (without velocity·G), curvature_pattern()
  // C and the curvatures of rows of velocities: with weights.of_velocity_rows().

  /// R and C alone.
  static MotionValues equations(S* residual, S* weighted) {
    MotionValues out;
    out.residual = residual, out.weighted = weighted;
    return out;
  }
  bool constraints() const { return weighted || position || velocity || acceleration; }
  bool derivatives() const {
    return residual_q || residual_v || residual_lambda || curvature_q || curvature_v;
  }
};

/// A point of the trajectory and its rates, n entries each, as a change of chart moves them: v a
/// velocity, q_rate = q̇ (v itself but for stabilised formulations), v_rate = v̇ along q̇.
template <class S>
struct ChartPoint {
  S *q, *q_rate, *v, *v_rate;
};

/// A quantity of interest, as `show` lists it and `run` reports it.
struct OutputInfo {
  std::string id, meaning, unit;
};

template <class S>
class MechanicalSystem {
 public:
  virtual ~MechanicalSystem() = default;

  int coordinates() const { return static_cast<int>(coordinate_names_.size()); }
  int constraints() const { return static_cast<int>(constraint_names_.size()); }
  /// Rank of G as the mechanism knows it: less than constraints() where some are redundant.
  int rank() const { return constraints() - redundant_; }
  const std::vector<std::string>& coordinate_names() const { return coordinate_names_; }
  const std::vector<std::string>& constraint_names() const { return constraint_names_; }
  RowLevel row_level(int row) const {
    return velocity_rows_ == 0 ? RowLevel::position : row_levels_[row];
  }
  int velocity_rows() const { return velocity_rows_; }  ///< how many begin on the velocity level
  /// Units of the same, also of reference_names(); rates have them a second.
  const std::vector<std::string>& coordinate_units() const { return coordinate_units_; }
  /// Of Φ; of a row of velocities what its integral would have.
  const std::vector<std::string>& constraint_units() const { return constraint_units_; }

  const Pattern& mass_pattern() const { return mass_pattern_; }              ///< n × n
  const Pattern& gradient_pattern() const { return gradient_pattern_; }      ///< m × n
  const Pattern& curvature_pattern() const { return curvature_pattern_; }    ///< m × n
  const Pattern& residual_q_pattern() const { return residual_q_pattern_; }  ///< n × n
  const Pattern& residual_v_pattern() const { return residual_v_pattern_; }  ///< n × n
  /// n × m; empty where f does not depend on λ.
  const Pattern& residual_lambda_pattern() const { return residual_lambda_pattern_; }
  bool forces_of_multipliers() const { return residual_lambda_pattern_.size() > 0; }
  /// Where the index-1 solve begins if f depends on λ: near what there is in motion.
  virtual void guess_multipliers(S* lambda) const { std::fill_n(lambda, constraints(), S(0)); }

  /// The problem's own initial positions and velocities.
  virtual void initial(S* q, S* v) const = 0;

  /// Writes what `out` asks for; `weights` define C and the curvatures.
  virtual void evaluate(const MotionPoint<S>& point, const ConstraintWeights<S>& weights,
                        const MotionValues<S>& out) = 0;
  /// ∂(Gᵀλ)/∂q in residual_q_pattern() (entries outside the constraints' part are zero).
  virtual void multiplier_stiffness(const MotionPoint<S>& point, S* stiffness) = 0;

  /// The same R and Φ (of rows of velocities Φ̇) as operations on a graph, for Taylor series, where
  /// has_record().
  virtual bool has_record() const { return false; }
  virtual void record(graph::Graph& graph, const Var* q, const Var* v, const Var* a,
                      const Var* lambda, const Var& t, Var* R, Var* Phi) {
    (void)graph, (void)q, (void)v, (void)a, (void)lambda, (void)t, (void)R, (void)Phi;
  }

  virtual S kinetic_energy(const MotionPoint<S>& point) = 0;    ///< [J]
  virtual S potential_energy(const MotionPoint<S>& point) = 0;  ///< [J]
  /// Work of constant torques and forces since the initial configuration, where it is a function
  /// of position [J].
  virtual S work(const MotionPoint<S>& point) {
    (void)point;
    return S(0);
  }
  /// Power of everything else: dampers, time-dependent drives, prescribed motion [W].
  virtual bool has_power() const { return false; }
  virtual S power(const MotionPoint<S>& point) {
    (void)point;
    return S(0);
  }

  /// The same mechanism under the forces alone that its elements declare stiff, in the same
  /// coordinates and with the same constraints; null where none is declared. Additive methods treat
  /// it implicitly.
  virtual std::shared_ptr<MechanicalSystem<S>> stiff_part() const { return nullptr; }

  /// Quantities of interest, outputs().size() values; a and λ of the point are given.
  const std::vector<OutputInfo>& outputs() const { return outputs_; }
  virtual void output_values(const MotionPoint<S>& point, S* values) { (void)point, (void)values; }

  /// Rotations in charts: q holds increments from orientations, the chart: chart_size() numbers
  /// that travel with the point (none for flat systems).
  virtual int chart_size() const { return 0; }
  /// First coordinate of each rotation on the chart, in the order of its quaternions there: three
  /// Cayley increments (problems/geometry/rotation.hpp).
  virtual std::vector<int> rotations() const { return {}; }
  virtual void initial_chart(S* chart) const { (void)chart; }  ///< the one initial() refers to
  /// Makes the orientation of the first point the origin of the chart and re-expresses all points.
  virtual void rebase(S* chart, const std::vector<ChartPoint<S>>& points) {
    (void)chart, (void)points;
  }

  /// Coordinates in which results are shown and compared with the reference (identity by default):
  /// n_ref positions and velocities from this system's own; minimal coordinates and charts differ.
  virtual int reference_coordinates() const { return coordinates(); }
  virtual void to_reference(const MotionPoint<S>& point, S* q_ref, S* v_ref) const;
  /// Charts only: the inverse; puts the orientation into the chart.
  virtual void from_reference(const S* q_ref, const S* v_ref, S* q, S* v, S* chart) const;
  /// Charts only: names of what to_reference() writes.
  virtual std::vector<std::string> reference_names() const { return coordinate_names_; }
  virtual std::vector<std::string> reference_velocity_names() const { return coordinate_names_; }
  /// What separates two positions in reference coordinates, n_ref entries; a rotation's three are
  /// the vector of the rotation from one to the other.
  virtual void reference_difference(const real50* a, const real50* b, real50* difference) const;

 protected:
  void add_coordinate(const Quantity& coordinate) {
    coordinate_names_.push_back(coordinate.name), coordinate_units_.push_back(coordinate.unit);
  }
  void add_row(const Quantity& row, RowLevel level = RowLevel::position) {
    constraint_names_.push_back(row.name), constraint_units_.push_back(row.unit);
    row_levels_.push_back(level);
    velocity_rows_ += level == RowLevel::velocity;
  }

  std::vector<std::string> coordinate_names_, constraint_names_;
  std::vector<std::string> coordinate_units_, constraint_units_;
  std::vector<RowLevel> row_levels_;
  std::vector<OutputInfo> outputs_;
  int velocity_rows_ = 0;
  int redundant_ = 0;  ///< constraints that follow from the others
  Pattern mass_pattern_, gradient_pattern_, curvature_pattern_, residual_q_pattern_,
      residual_v_pattern_, residual_lambda_pattern_;
};

template <class S>
void MechanicalSystem<S>::to_reference(const MotionPoint<S>& point, S* q_ref, S* v_ref) const {
  std::copy_n(point.q, coordinates(), q_ref);
  std::copy_n(point.v, coordinates(), v_ref);
}

template <class S>
void MechanicalSystem<S>::from_reference(const S* q_ref, const S* v_ref, S* q, S* v, S*) const {
  std::copy_n(q_ref, coordinates(), q);
  std::copy_n(v_ref, coordinates(), v);
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
