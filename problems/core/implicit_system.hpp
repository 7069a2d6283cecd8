// What steppers see: r(y, ẏ, t) = 0 with Jacobians over fixed sparsity patterns.
//
// Each component of y is of one kind. `differential`: its ẏ is an unknown of a stage. `algebraic`:
// y itself is (multipliers; ẏ is never used). `integral`: ẏ_i ≡ y_source, so it is neither unknown
// nor has a row (positions, whose rate is the velocity). A stage of any one-step or multistep
// method then has exactly `unknowns()` unknowns and as many rows.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/numbers/scalar.hpp"

namespace daemark {

/// Nonzeros of a sparse matrix, (row, column); values travel in this order. An ImplicitSystem may
/// name a position twice (its values add up).
struct Pattern {
  int rows = 0, cols = 0;
  std::vector<std::pair<int, int>> entries;
  int size() const { return static_cast<int>(entries.size()); }
  /// Position of (row, col), added if absent. For construction only.
  int add(int row, int col);
};

struct Component {
  enum class Kind { differential, algebraic, integral };
  std::string name;
  Kind kind = Kind::differential;
  int source = -1;  ///< integral: the component that is its rate
};

template <class S>
class ImplicitSystem {
 public:
  virtual ~ImplicitSystem() = default;

  const std::vector<Component>& components() const { return components_; }
  int size() const { return static_cast<int>(components_.size()); }
  int unknowns() const { return unknowns_; }
  /// Row i is multiplied by h^row_power(i) in a stage: 0 for dynamics, −1 velocity, −2 position
  /// constraints, so that the stage matrix stays well scaled for any index.
  const std::vector<int>& row_power() const { return row_power_; }
  const Pattern& pattern_y() const { return pattern_y_; }        ///< ∂r/∂y, unknowns × size
  const Pattern& pattern_rate() const { return pattern_rate_; }  ///< ∂r/∂ẏ, unknowns × size

  /// r (unknowns entries) and, where not null, the Jacobian values in pattern order.
  virtual void evaluate(const S* y, const S* rate, const S& t, S* r, S* jacobian_y,
                        S* jacobian_rate) = 0;

  /// True if ẏ and the algebraic part follow from the rest without integrating (index ≤ 1).
  virtual bool has_explicit_rates() const { return false; }
  /// Overwrites the algebraic entries of y and all of rate; false if the matrix is singular.
  virtual bool explicit_rates(S* y, S* rate, const S& t);

  /// Why a method that needs what `need` says cannot take this system; used in refusals.
  virtual std::string description() const = 0;

  // Charts. Where rotations are unknowns, y holds increments from orientations kept in the system:
  // the chart, chart_size() numbers (0: flat, nothing below does anything). After every converged
  // step a stepper re-bases, so that increments stay small, and keeps the chart with its state.
  virtual int chart_size() const { return 0; }
  virtual void chart(S* numbers) const { (void)numbers; }
  virtual void set_chart(const S* numbers) { (void)numbers; }
  /// Makes the first point (the newest converged one) the origin of the chart and re-expresses all
  /// points, each `size()` entries of y and of rate. An auxiliary rate without a point of its own
  /// travels with a copy of the newest y; a complex one as two, its real and its imaginary part.
  virtual void rebase(const std::vector<S*>& points_y, const std::vector<S*>& points_rate) {
    (void)points_y;
    (void)points_rate;
  }

 protected:
  void finish_components();  ///< counts unknowns; call once components_ is complete

  std::vector<Component> components_;
  std::vector<int> row_power_;
  Pattern pattern_y_, pattern_rate_;
  int unknowns_ = 0;
};

}  // namespace daemark
