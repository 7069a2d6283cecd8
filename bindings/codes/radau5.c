/* calls:
 * RADAU5(N,FCN,X,Y,XEND,H,RTOL,ATOL,ITOL,JAC,IJAC,MLJAC,MUJAC,MAS,IMAS,MLMAS,MUMAS,SOLOUT,IOUT,
 *               WORK,LWORK,IWORK,LIWORK,RPAR,IPAR,IDID)
 * radau.c, whose routine has the same arguments, includes this file. */
#include "core.h"

#ifndef ROUTINE
#define ROUTINE radau5_
#define NAME "RADAU5"
#define VARIANTS "index3 index2 index1 ggl minimal"
#endif

const struct code code = {
    NAME, VARIANTS,
    "variables (q, v, a, lambda) with full Jacobian and diagonal matrix, IWORK(5:7) the "
    "numbers of variables of index 1, 2 and 3, all other parameters zero"};

void ROUTINE(int* n, HwFunction* fcn, double* x, double* y, double* xend, double* h, double* rtol,
             double* atol, int* itol, HwJacobian* jac, int* ijac, int* mljac, int* mujac,
             HwMatrix* mas, int* imas, int* mlmas, int* mumas, void (*solout)(void), int* iout,
             double* work, int* lwork, int* iwork, int* liwork, double* rpar, int* ipar, int* idid);

static void solout(void) {}

int advance(double to) {
  static double *work, rpar[1];
  static int *iwork, ipar[1], zero = 0, one = 1;
  struct linear* form = linear_form();
  int n = form->n, lwork = n * (8 * n + 25) + 20, liwork = 5 * n + 20, idid = 0;
  if (work == NULL) work = reals(lwork), iwork = integers(liwork);
  for (int i = 0; i < 3; ++i) iwork[4 + i] = form->index[i];
  ROUTINE(&n, hw_f, &run.t, form->z, &to, &run.h, &run.tol, &run.tol, &zero, hw_jacobian, &one, &n,
          &n, hw_matrix, &one, &zero, &zero, solout, &zero, work, &lwork, iwork, &liwork, rpar,
          ipar, &idid);
  take_linear(form);
  run.steps += iwork[15];
  return idid < 0 ? idid : 0;
}
