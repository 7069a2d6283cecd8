/* calls: DOP853(N,FCN,X,Y,XEND,RTOL,ATOL,ITOL,SOLOUT,IOUT,WORK,LWORK,IWORK,LIWORK,RPAR,IPAR,IDID)
 */
#include <math.h>
#include <string.h>

#include "core.h"

const struct code code = {"DOP853", "index1 minimal",
                          "variables (q, v), accelerations from [M G^T; G 0], multipliers from it "
                          "at output times; WORK(7) = the last step size where "
                          "it goes on, all other parameters zero"};

typedef void Function(int* n, double* t, double* y, double* f, double* rpar, int* ipar);
void dop853_(int* n, Function* fcn, double* x, double* y, double* xend, double* rtol, double* atol,
             int* itol, void (*solout)(void), int* iout, double* work, int* lwork, int* iwork,
             int* liwork, double* rpar, int* ipar, int* idid);

static void fcn(int* n, double* t, double* y, double* f, double* rpar, int* ipar) {
  (void)n, (void)rpar, (void)ipar;
  ++run.evaluations;
  memcpy(f, y + run.n_q, sizeof(double) * (size_t)run.n_q);
  if (daemark_accelerations(run.p, *t, y, y + run.n_q, f + run.n_q, NULL) != 0) f[0] = NAN;
}
static void never(void) {}

int advance(double to) {
  static double *work, rpar[1];
  static int *iwork, ipar[1], zero = 0;
  int n = 2 * run.n_q, lwork = 11 * n + 21, liwork = 21, idid = 0;
  if (work == NULL) work = reals(lwork), iwork = integers(liwork);
  work[6] = run.h;
  dop853_(&n, fcn, &run.t, run.y, &to, &run.tol, &run.tol, &zero, never, &zero, work, &lwork, iwork,
          &liwork, rpar, ipar, &idid);
  run.h = work[6];
  if (run.n_y > n)
    daemark_accelerations(run.p, run.t, run.y, run.y + n / 2, run.yp + n / 2, run.y + n);
  run.steps += iwork[17];
  return idid < 0 ? idid : 0;
}
