// A mechanism integrated by any Runge–Kutta tableau on index 1, 2 or 3, written out plainly: dense
// Newton on all unknowns of all stages in 113 bits, derivatives by differences. Shares nothing with
// the library but the coefficients (and, in the audit, the equations of motion), to be set beside
// what its steppers compute.
#pragma once

#include <stdexcept>
#include <vector>

#include "methods/core/tableau.hpp"

namespace daemark::test {

/// n coordinates and m independent constraints Φ.
class PlainModel {
 public:
  PlainModel(int coordinates, int constraints) : n(coordinates), m(constraints) {}
  virtual ~PlainModel() = default;
  const int n, m;
  /// M a + Gᵀλ − f (n entries), and Φ differentiated `level` times (m entries).
  virtual void evaluate(const real50& t, const real50* q, const real50* v, const real50* a,
                        const real50* lambda, int level, real50* residual, real50* constraint) = 0;
};

/// m x'' + 2xλ = 0, m y'' + 2yλ = −mg, x² + y² = l².
class PlainPendulum : public PlainModel {
 public:
  PlainPendulum(const real50& mass, const real50& length, const real50& gravity)
      : PlainModel(2, 1), mass_(mass), length_(length), gravity_(gravity) {}
  void evaluate(const real50& t, const real50* q, const real50* v, const real50* a,
                const real50* lambda, int level, real50* residual, real50* constraint) override;

 private:
  real50 mass_, length_, gravity_;
};

struct PlainState {
  real50 t;
  std::vector<real50> q, v, a, lambda;  ///< a, lambda: of the end of the last step
};

/// Newton did not settle, or a matrix is singular.
class PlainFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// From t, q, v of `start`. `carry`: with an explicit first stage its rates are the last stage's of
/// the step before; otherwise from the index-1 equations, as at the end of a step whose last stage
/// is not its end. Throws PlainFailure.
PlainState plain_integration(PlainModel& model, PlainState start, const WideTableau& tableau,
                             int index, bool carry, int steps, const real50& h);

}  // namespace daemark::test
