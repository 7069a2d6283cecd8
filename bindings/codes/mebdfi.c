/* calls:
 * MEBDFI(N,T0,HO,Y0,YPRIME,TOUT,TEND,MF,IDID,LOUT,LWORK,WORK,LIWORK,IWORK,MBND,MAXDER,ITOL,RTOL,ATOL,
 *               RPAR,IPAR,PDERV,RESID,IERR) */
#include "core.h"

const struct code code = {
    "MEBDFI", "index3 index2 index1 ggl minimal",
    "variables (q, v, lambda), MF = 22 (Jacobian by differences), MAXDER = 7, ITOL = 2, IDID = 2 "
    "(output times are hit "
    "without interpolation or restart), IWORK(1:3) the numbers of variables of index 1, 2 "
    "and 3"};

typedef void Residual(int* n, double* t, double* y, double* delta, double* yp, int* ipar,
                      double* rpar, int* ierr);
void mebdfi_(int* n, double* t0, double* ho, double* y0, double* yprime, double* tout, double* tend,
             int* mf, int* idid, int* lout, int* lwork, double* work, int* liwork, int* iwork,
             int* mbnd, int* maxder, int* itol, double* rtol, double* atol, double* rpar, int* ipar,
             void (*pderv)(void), Residual* resid, int* ierr);

static void resid(int* n, double* t, double* y, double* delta, double* yp, int* ipar, double* rpar,
                  int* ierr) {
  (void)n, (void)rpar, (void)ipar;
  if (residual(*t, y, yp, delta)) *ierr = 1;
}
static void never(void) {}

int advance(double to) {
  static double *work, rpar[1];
  static int *iwork, ipar[1], mf = 22, lout = 6, maxder = 7, itol = 2;
  int n = run.n_y, mbnd[4] = {n, n, n, n}, lwork = n * (38 + 3 * n) + 3, liwork = n + 14, idid = 2,
      ierr = 0;
  if (work == NULL) {
    work = reals(lwork), iwork = integers(liwork);
    int* index = integers(n);
    daemark_kinds(run.p, NULL, index);
    for (int i = 0; i < n; ++i) ++iwork[index[i] < 1 ? 0 : index[i] - 1];
    iwork[13] = 1000000; /* steps at most */
    idid = 1;
    mebdfi_(&n, &run.t, &run.h, run.y, run.yp, &to, &run.end, &mf, &idid, &lout, &lwork, work,
            &liwork, iwork, mbnd, &maxder, &itol, &run.tol, &run.tol, rpar, ipar, never, resid,
            &ierr);
    if (idid < 0) return idid;
    idid = 2;
  }
  mebdfi_(&n, &run.t, &run.h, run.y, run.yp, &to, &run.end, &mf, &idid, &lout, &lwork, work,
          &liwork, iwork, mbnd, &maxder, &itol, &run.tol, &run.tol, rpar, ipar, never, resid,
          &ierr);
  run.steps = iwork[4] + iwork[5];
  return ierr != 0 ? -ierr : idid < 0 ? idid : 0;
}
