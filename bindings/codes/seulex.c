/* calls:
 * SEULEX(N,FCN,IFCN,X,Y,XEND,H,RTOL,ATOL,ITOL,JAC,IJAC,MLJAC,MUJAC,MAS,IMAS,MLMAS,MUMAS,SOLOUT,IOUT,
 *               WORK,LWORK,IWORK,LIWORK,RPAR,IPAR,IDID) */
#include "core.h"

const struct code code = {
    "SEULEX", "index1 minimal",
    "variables (q, v, a, lambda) with full Jacobian and diagonal matrix, IFCN = 1, all "
    "other parameters zero"};

void seulex_(int* n, HwFunction* fcn, int* ifcn, double* x, double* y, double* xend, double* h,
             double* rtol, double* atol, int* itol, HwJacobian* jac, int* ijac, int* mljac,
             int* mujac, HwMatrix* mas, int* imas, int* mlmas, int* mumas, void (*solout)(void),
             int* iout, double* work, int* lwork, int* iwork, int* liwork, double* rpar, int* ipar,
             int* idid);

static void never(void) {}

int advance(double to) {
  static double *work, rpar[1];
  static int *iwork, ipar[1], zero = 0, one = 1;
  struct linear* form = linear_form();
  int n = form->n, lwork = n * (2 * n + 21) + 68, liwork = 2 * n + 32, idid = 0;
  if (work == NULL) work = reals(lwork), iwork = integers(liwork);
  seulex_(&n, hw_f, &one, &run.t, form->z, &to, &run.h, &run.tol, &run.tol, &zero, hw_jacobian,
          &one, &n, &n, hw_matrix, &one, &zero, &zero, never, &zero, work, &lwork, iwork, &liwork,
          rpar, ipar, &idid);
  take_linear(form);
  run.steps += iwork[15];
  return idid < 0 ? idid : 0;
}
