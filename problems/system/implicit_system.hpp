// What steppers see: r(y, ẏ, t) = 0 with Jacobians over fixed sparsity patterns.
//
// Each component of y is of one kind. `differential`: its ẏ is an unknown of a stage. `algebraic`:
// y itself is (multipliers; ẏ is never used). `integral`: ẏ_i ≡ y_source, so it is neither unknown
// nor has a row (positions, whose rate is the velocity). A stage of any one-step or multistep
// method then has exactly `unknowns()` unknowns and as many rows.
//
// Charts. Where rotations are unknowns, y holds increments from orientations: the chart,
// chart_size() numbers that travel with the point (none for flat systems). After every converged
// step a stepper re-bases, so that increments stay small. A system keeps no chart of its own.
#pragma once

#include <string>
#include <vector>

#include "base/linear/pattern.hpp"
#include "base/numbers/scalar.hpp"

namespace daemark {

struct Component {
  enum class Kind { differential, algebraic, integral };
  std::string name;
  Kind kind = Kind::differential;
  int source = -1;  ///< integral: the component that is its rate
};

/// One instant: pointers to size(), size() and chart_size() entries.
template <class S>
struct SystemPoint {
  const S *y, *rate;
  S t;
  const S* chart = nullptr;
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
  /// Newton's test takes the increment of unknown i times h^increment_power(i) and leaves unknowns
  /// with a negative one out; empty: every increment as it is.
  const std::vector<int>& increment_power() const { return increment_power_; }
  const Pattern& pattern_y() const { return pattern_y_; }        ///< ∂r/∂y, unknowns × size
  const Pattern& pattern_rate() const { return pattern_rate_; }  ///< ∂r/∂ẏ, unknowns × size

  /// r (unknowns entries) and, where not null, the Jacobian values in pattern order (a position may
  /// occur twice).
  virtual void evaluate(const SystemPoint<S>& point, S* r, S* jacobian_y, S* jacobian_rate) = 0;

  /// ẏ and the algebraic part as they follow from the rest without integrating (of mechanisms: the
  /// index-1 solve). Overwrites the algebraic entries of y and all of rate; false if the matrix is
  /// singular.
  virtual bool explicit_rates(S* y, S* rate, const S& t, const S* chart) = 0;

  virtual int chart_size() const { return 0; }
  /// Makes the first point (the newest converged one) the origin of the chart, which is
  /// overwritten, and re-expresses all points, each `size()` entries of y and of rate. An auxiliary
  /// rate without a point of its own travels with a copy of the newest y; a complex one as two, its
  /// real and its imaginary part.
  virtual void rebase(S* chart, const std::vector<S*>& points_y,
                      const std::vector<S*>& points_rate) {
    (void)chart, (void)points_y, (void)points_rate;
  }

 protected:
  void finish_components();  ///< counts unknowns; call once components_ is complete

  std::vector<Component> components_;
  std::vector<int> row_power_, increment_power_;
  Pattern pattern_y_, pattern_rate_;
  int unknowns_ = 0;
};

}  // namespace daemark
