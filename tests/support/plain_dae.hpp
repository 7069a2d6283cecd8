// A pendulum integrated by any Runge–Kutta tableau on index 1, 2 or 3, written out plainly: dense
// Newton on all unknowns of all stages in 113 bits. Shares nothing with the library but the
// coefficients, to be set beside what its steppers compute.
#pragma once

#include <array>

#include "methods/core/tableau.hpp"

namespace daemark::test {

/// m x'' + 2xλ = 0, m y'' + 2yλ = −mg, x² + y² = l², released at (l, 0).
struct PlainPendulum {
  PlainPendulum(const quad& m, const quad& l, const quad& g)
      : mass(m), length(l), gravity(g), q{l, quad(0)}, v{} {}
  quad mass, length, gravity;
  std::array<quad, 2> q, v;
  quad lambda = 0;
};

/// `carry`: with an explicit first stage its rates are the last stage's of the step before;
/// otherwise from the index-1 equations, as at the end of a step whose last stage is not its end.
PlainPendulum plain_integration(PlainPendulum start, const WideTableau& tableau, int index,
                                bool carry, int steps, const quad& t_end);

}  // namespace daemark::test
