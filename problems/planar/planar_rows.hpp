// The constraint rows of revolute joints and drives with closed-form derivatives: per row
//   Φ = Σ a_i q_i + Σ (c_k cos θ_k + s_k sin θ_k) + constant − law(t),
// see PlanarMechanism::TrigRow. Places in the patterns are found once, evaluation adds in place.
#pragma once

#include "problems/planar/planar_mechanism.hpp"
#include "problems/system/mechanical_system.hpp"

namespace daemark {

template <class S>
class PlanarRows {
 public:
  /// Appends a row; its nonzeros are added to G (m × n), to the curvature of the row (same shape)
  /// and to ∂R/∂q (n × n).
  void add(const PlanarMechanism::TrigRow& row, PatternBuilder& gradient, PatternBuilder& curvature,
           PatternBuilder& residual_q);
  int size() const { return static_cast<int>(rows_.size()); }
  bool has_law() const;

  /// Adds the rows' part of R and of the Jacobian values, writes C, Φ, Φ̇, Φ̈.
  void evaluate(const MotionPoint<S>& p, const ConstraintWeights<S>& w, const MotionValues<S>& out);
  /// Adds ∂(Gᵀμ)/∂q.
  void add_stiffness(const S* q, const S* mu, S* stiffness);
  void record(const Var* q, const Var* lambda, const Var& t, Var* R,
              Var* Phi) const;
  S power(const MotionPoint<S>& p) const;  ///< −λᵀGv with Gv = the rate of the laws

 private:
  struct Linear {
    int column;
    S coefficient;
    int gradient;  ///< place in the pattern
  };
  struct Trig {
    int angle, column;  ///< body, coordinate
    S cos_coefficient, sin_coefficient;
    int gradient, curvature, stiffness;  ///< places in the patterns
  };
  /// linear_[previous end .. linear_end) and trig_ alike; one array each for all rows.
  struct Row {
    std::size_t linear_end, trig_end;
    S constant;
    std::shared_ptr<const MotionLaw> law;
  };

  void find_angles(const S* q);
  template <bool derivatives, bool residual>
  void add_rows(const MotionPoint<S>& p, const ConstraintWeights<S>& w, const MotionValues<S>& out);

  std::vector<Row> rows_;
  std::vector<Linear> linear_;
  std::vector<Trig> trig_;
  std::vector<int> angles_;  ///< bodies whose angle occurs
  std::vector<char> occurs_;
  std::vector<S> sin_, cos_, zeros_;
};

}  // namespace daemark
