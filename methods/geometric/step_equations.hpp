// Equations of one step in unknowns of their own, r(x) = 0, for methods whose stages are not those
// of a Runge–Kutta method on one system: partitioned pairs, integrators on Lie groups, discrete
// gradients. The Newton iteration is that of stages (methods/stages): full, wide scalars solved in
// double first and corrected with factors in double.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "methods/stages/stage_system.hpp"

namespace daemark {

template <class S>
class StepEquations : public ImplicitSystem<S> {
 public:
  void evaluate(const SystemPoint<S>& point, S* r, S* jacobian, S*) final {
    residual(point.y, r, jacobian);
  }
  bool explicit_rates(S*, S*, const S&, const S*) final { return false; }
  const EvaluationPoints& points() const { return points_; }

 protected:
  /// r at x and, where not null, ∂r/∂x in the order of lay_out(). Wide scalars are asked for r
  /// alone.
  virtual void residual(const S* x, S* r, S* jacobian) = 0;

  /// Places may occur twice; their values are added. `points`: of the mechanism, in residual().
  void lay_out(int unknowns, std::vector<std::pair<int, int>> places, EvaluationPoints points) {
    points_ = points;
    this->components_.assign(unknowns, {"", Component::Kind::algebraic, -1});
    this->finish_components();
    this->row_power_.assign(unknowns, 0);
    this->pattern_y_ = {unknowns, unknowns, std::move(places)};
    this->pattern_rate_ = {unknowns, unknowns, {}};
  }

 private:
  EvaluationPoints points_;
};

/// Takes the places of blocks, in the order in which a ValueSink then takes their values, so that
/// one function says what stands where.
class PlaceSink {
 public:
  template <class S>
  void add(const Pattern& block, const std::vector<S>&, const S&, int row, int column) {
    for (const auto& [i, j] : block.entries) places_.emplace_back(row + i, column + j);
  }
  template <class S>
  void add_transposed(const Pattern& block, const std::vector<S>&, const S&, int row, int column) {
    for (const auto& [i, j] : block.entries) places_.emplace_back(row + j, column + i);
  }
  template <class S>
  void add_one(int row, int column, const S&) {
    places_.emplace_back(row, column);
  }
  std::vector<std::pair<int, int>> take() { return std::move(places_); }

 private:
  std::vector<std::pair<int, int>> places_;
};

/// Takes weight · values of blocks.
template <class S>
class ValueSink {
 public:
  explicit ValueSink(S* to) : to_(to) {}
  void add(const Pattern& block, const std::vector<S>& values, const S& weight, int, int) {
    for (int k = 0; k < block.size(); ++k) *to_++ = weight * values[k];
  }
  void add_transposed(const Pattern& block, const std::vector<S>& values, const S& weight, int,
                      int) {
    add(block, values, weight, 0, 0);
  }
  void add_one(int, int, const S& value) { *to_++ = value; }

 private:
  S* to_;
};

/// The equations E of a method in S, their twin in double, and the iteration.
/// E<T> is made from a MechanicalSystem<T> and what else `Form` says.
template <template <class> class E, class S>
class EquationSolver {
 public:
  using F = FactorScalar<S>;
  template <class... Form>
  EquationSolver(const Target<S>& target, const NewtonSettings& settings, const Form&... form)
      : own_(*target.mechanism, form...) {
    Target<S> solved;
    solved.system = &own_;
    solved.points = own_.points();
    if constexpr (std::is_same_v<S, F>) {
      solved.factor_system = &own_;
    } else {
      twin_ = std::make_unique<E<F>>(*target.factor_mechanism, form...);
      solved.factor_system = twin_.get();
    }
    newton_ =
        std::make_unique<StageSystem<S>>(solved, StageCoefficients({{wide(1)}}, {{1}}), settings);
  }

  /// Calls set(equations) for both; it copies and casts what a step begins with.
  template <class Set>
  void begin(Set set) {
    set(own_);
    if (twin_) set(*twin_);
  }
  E<S>& equations() { return own_; }
  S* x() { return newton_->y(0); }  ///< guess before, solution after solve()
  StepReport solve(Counts& counts) { return newton_->solve(S(1), counts); }

 private:
  E<S> own_;
  std::unique_ptr<E<F>> twin_;
  std::unique_ptr<StageSystem<S>> newton_;
};

/// Copies with a cast: from the scalar of the run to that of the equations.
template <class To, class From>
void copy_as(const std::vector<From>& from, std::vector<To>& to, std::size_t first = 0) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] = static_cast<To>(from[first + i]);
}

}  // namespace daemark
