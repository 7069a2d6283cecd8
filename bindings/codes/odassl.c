/* calls: ODASSL(RES,NEQ,NY,T,Y,YPRIME,TOUT,INFO,RTOL,ATOL,IDID,RWORK,LRW,IWORK,LIW,RPAR,IPAR,JAC)
 * RES is called with NEQ and NY after T, as the routines of the code do (its comments leave them
 * out). */
#include "core.h"

const struct code code = {
    "ODASSL", "index2",
    "variables (q, v, lambda); overdetermined: Phi = 0 is appended to the equations; "
    "INFO(4) = 1 with TSTOP the output time, which is hit without interpolation or "
    "restart; Jacobian by differences (INFO(5) = 0); tolerance 1e7 for multipliers"};

typedef void Residual(double* t, int* neq, int* ny, double* y, double* yp, double* delta, int* ires,
                      double* rpar, int* ipar);
void odassl_(Residual* res, int* neq, int* ny, double* t, double* y, double* yprime, double* tout,
             int* info, double* rtol, double* atol, int* idid, double* rwork, int* lrw, int* iwork,
             int* liw, double* rpar, int* ipar, void (*jac)(void));

static void res(double* t, int* neq, int* ny, double* y, double* yp, double* delta, int* ires,
                double* rpar, int* ipar) {
  (void)neq, (void)ny, (void)rpar, (void)ipar;
  if (residual(*t, y, yp, delta) |
      daemark_constraints(run.p, *t, y, y + run.n_q, NULL, delta + run.n_y, NULL, NULL))
    *ires = -1;
}
static void never(void) {}

int advance(double to) {
  static double *work, *tol, rpar[1];
  static int *iwork, info[15], ipar[1];
  int n = run.n_y, rows = n + run.n_lambda, lrw = 40 + 8 * n + rows * (rows + 3), liw = 22 + rows;
  int idid = 0;
  if (work == NULL) {
    work = reals(lrw), iwork = integers(liw), tol = reals(n);
    for (int i = 0; i < n; ++i) tol[i] = i >= 2 * run.n_q ? 1e7 : run.tol;
    info[1] = info[3] = info[7] = 1;
    work[2] = run.h;
  }
  work[0] = to; /* TSTOP */
  do {
    info[0] = idid == -1 || info[0]; /* -1: 500 steps, which may go on */
    odassl_(res, &rows, &n, &run.t, run.y, run.yp, &to, info, tol, tol, &idid, work, &lrw, iwork,
            &liw, rpar, ipar, never);
  } while (idid == -1);
  run.steps = iwork[10];
  return idid < 0 ? idid : 0;
}
