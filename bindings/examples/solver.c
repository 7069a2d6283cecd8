/* A solver in C as a method: `daemark join rk4c=solver.c`, then `--method 'program(rk4c)'`. The
 * classical Runge-Kutta method with fixed steps on index 1. `struct run` and reals() are explained
 * in bindings/codes/core.h, the calls daemark_* in bindings/c/daemark.h. */
#include <math.h>

#include "core.h"

const struct code code = {"RK4", "index1", "the classical Runge-Kutta method", 1};

/* The rate of x = (q, v). */
static int rate(double t, const double* x, double* f) {
  ++run.evaluations;
  for (int i = 0; i < run.n_q; ++i) f[i] = x[run.n_q + i];
  return daemark_accelerations(run.p, t, x, x + run.n_q, f + run.n_q, NULL);
}

static int step(double h) {
  static const double c[4] = {0, 0.5, 0.5, 1}, b[4] = {1, 2, 2, 1};
  static double *k, *x, *sum;
  const int n = 2 * run.n_q;
  if (k == NULL) k = reals(n), x = reals(n), sum = reals(n);
  for (int i = 0; i < n; ++i) sum[i] = k[i] = 0;
  for (int stage = 0; stage < 4; ++stage) {
    for (int i = 0; i < n; ++i) x[i] = run.y[i] + c[stage] * h * k[i];
    const int failed = rate(run.t + c[stage] * h, x, k);
    if (failed != 0) return failed;
    for (int i = 0; i < n; ++i) sum[i] += b[stage] * k[i];
  }
  for (int i = 0; i < n; ++i) run.y[i] += h / 6 * sum[i];
  run.t += h;
  ++run.steps;
  return 0;
}

int advance(double to) {
  const double from = run.t;
  const long count = lround((to - from) / run.h);
  for (long i = 0; i < count; ++i) {
    const int failed = step((to - from) / (double)count);
    if (failed != 0) return failed;
  }
  /* Multipliers, the last components of y, of the state there. */
  return daemark_accelerations(run.p, to, run.y, run.y + run.n_q, run.yp + run.n_q,
                               run.y + 2 * run.n_q);
}
