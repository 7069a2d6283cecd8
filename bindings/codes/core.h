/* What solvers in C and the wrappers of classical codes share; core.c has main().
 *
 * A solver of yours is a file with `code` and advance() (bindings/examples/solver.c), which
 * `daemark join NAME=FILE.c` compiles; or a library that has both, NAME=LIBRARY.so. A wrapper is
 * NAME.c here with a comment "calls: ROUTINE(ARGUMENTS)" besides, which join compares with the
 * user's copy of the routine. */
#ifndef DAEMARK_CODES_CORE_H
#define DAEMARK_CODES_CORE_H

#include <stddef.h>

#include "daemark.h"

/* What a wrapper says of its code, for --describe. */
struct code {
  const char* name;
  const char* variants; /* the formulations it is given, separated by blanks */
  const char* settings; /* what a user has to set for the same digits, besides those of core.c */
  int fixed;            /* nonzero: steps of size run.h, which divides the spacing; run.tol is 0 */
};
extern const struct code code;

/* One run: a problem in the formulation of the variant. */
struct run {
  daemark_problem* p;
  const char* variant;
  int n_q, n_lambda, n_y; /* coordinates, multipliers, components of y */
  double t, end, tol;
  double h;       /* the next step: the one asked for, else at first a hundredth of the spacing */
  double *y, *yp; /* at t, as in daemark.h */
  long steps, evaluations;
};
extern struct run run;

/* Integrates from run.t to `t` with what the code has for y there. Returns 0, or what the code
 * returned to say that it gave up. The core sets run.t afterwards. */
int advance(double t);

/* Zeros, which the program frees by ending. */
double* reals(long n);
int* integers(long n);

/* F(t, y, y') and, by columns, dF/dy + cj dF/dy' (n_y by n_y). Nonzero, and NaN in r: not defined
 * there. */
int residual(double t, const double* y, const double* yp, double* r);
int residual_jacobian(double t, double cj, const double* y, const double* yp, double* jacobian);

/* The same equations with a constant matrix: B z' = f(t, z), B = diag(1, 1, 0, 0), z = (q, v, a,
 * rest), where rest is what y has after q and v: q' = v (in ggl v - G^T mu),   v' = a,   0 = M a +
 * G^T lambda - f,   0 = the constraints. */
struct linear {
  int n;        /* components of z */
  int index[3]; /* how many are of index 1, 2 and 3, which is also their order */
  double* z;
};
/* With z of run.y and run.yp at the first call; from then on the same one. */
struct linear* linear_form(void);
/* Puts z into run.y. */
void take_linear(const struct linear* form);
int linear_f(double t, const double* z, double* f);
/* df/dz by columns, n by n. */
int linear_jacobian(double t, const double* z, double* jacobian);
/* The diagonal of B. */
void linear_matrix(double* diagonal);

/* The same as Hairer and Wanner's codes call FCN, JAC and MAS. */
typedef void HwFunction(int* n, double* x, double* y, double* f, double* rpar, int* ipar);
typedef void HwJacobian(int* n, double* x, double* y, double* dfy, int* ldfy, double* rpar,
                        int* ipar);
typedef void HwMatrix(int* n, double* am, int* lmas, double* rpar, int* ipar);
HwFunction hw_f;
HwJacobian hw_jacobian;
HwMatrix hw_matrix;

#endif
