/* calls:
 * DDASKR(RES,NEQ,T,Y,YPRIME,TOUT,INFO,RTOL,ATOL,IDID,RWORK,LRW,IWORK,LIW,RPAR,IPAR,JAC,PSOL,RT,NRT,
 *               JROOT) */
#include "core.h"

const struct code code = {
    "DASKR", "index1 index2 ggl minimal",
    "variables (q, v, lambda), direct method; INFO(4) = 1 with TSTOP the output time, which is "
    "hit without interpolation or restart; INFO(16) = 1: multipliers of index 2 are left out "
    "of the error test; all other INFO zero but 5 and 8"};

typedef void Residual(double* t, double* y, double* yp, double* cj, double* delta, int* ires,
                      double* rpar, int* ipar);
typedef void Jacobian(double* t, double* y, double* yp, double* pd, double* cj, double* rpar,
                      int* ipar);
void ddaskr_(Residual* res, int* neq, double* t, double* y, double* yprime, double* tout, int* info,
             double* rtol, double* atol, int* idid, double* rwork, int* lrw, int* iwork, int* liw,
             double* rpar, int* ipar, Jacobian* jac, void (*psol)(void), void (*rt)(void), int* nrt,
             int* jroot);

static void res(double* t, double* y, double* yp, double* cj, double* delta, int* ires,
                double* rpar, int* ipar) {
  (void)cj, (void)rpar, (void)ipar;
  if (residual(*t, y, yp, delta)) *ires = -1;
}
static void jac(double* t, double* y, double* yp, double* pd, double* cj, double* rpar, int* ipar) {
  (void)rpar, (void)ipar;
  residual_jacobian(*t, *cj, y, yp, pd);
}
static void never(void) {}

int advance(double to) {
  static double *work, rpar[1];
  static int *iwork, info[20], ipar[1], jroot[1], none = 0;
  int n = run.n_y, lrw = 60 + 10 * n + n * n, liw = 40 + 2 * n, idid = 0;
  if (work == NULL) {
    work = reals(lrw), iwork = integers(liw);
    int *index = integers(n), *differential = integers(n);
    daemark_kinds(run.p, differential, index);
    for (int i = 0; i < n; ++i) iwork[40 + i] = differential[i] ? 1 : -1;
    info[15] = n > 2 * run.n_q && index[2 * run.n_q] > 1;
    info[3] = info[4] = info[7] = 1;
    work[2] = run.h;
  }
  work[0] = to; /* TSTOP */
  do {
    info[0] = idid == -1 || info[0]; /* -1: 500 steps, which may go on */
    ddaskr_(res, &n, &run.t, run.y, run.yp, &to, info, &run.tol, &run.tol, &idid, work, &lrw, iwork,
            &liw, rpar, ipar, jac, never, never, &none, jroot);
  } while (idid == -1);
  run.steps = iwork[10];
  return idid < 0 ? idid : 0;
}
