/* calls:
 * GAMD(R,FCN,T0,Y0,TEND,H,RTOL,ATOL,ITOL,JAC,IJAC,MLJAC,MUJAC,MAS,IMAS,MLMAS,MUMAS,SOLOUT,IOUT,
 *             WORK,LWORK,IWORK,LIWORK,RPAR,IPAR,IDID) */
#include "core.h"

const struct code code = {
    "GAMD", "index3 index2 index1 ggl minimal",
    "variables (q, v, a, lambda) with full Jacobian and diagonal matrix, IWORK(25:27) the "
    "numbers of variables of index 1, 2 and 3, all other parameters zero"};

typedef void Function(int* n, double* t, double* z, double* f, int* ierr, double* rpar, int* ipar);
void gamd_(int* r, Function* fcn, double* t0, double* y0, double* tend, double* h, double* rtol,
           double* atol, int* itol, HwJacobian* jac, int* ijac, int* mljac, int* mujac,
           HwMatrix* mas, int* imas, int* mlmas, int* mumas, void (*solout)(void), int* iout,
           double* work, int* lwork, int* iwork, int* liwork, double* rpar, int* ipar, int* idid);

static void fcn(int* n, double* t, double* z, double* f, int* ierr, double* rpar, int* ipar) {
  (void)n, (void)rpar, (void)ipar;
  if (linear_f(*t, z, f)) *ierr = -1;
}
static void never(void) {}

int advance(double to) {
  static double work[21], rpar[1];
  static int iwork[27], ipar[1], zero = 0, one = 1;
  struct linear* form = linear_form();
  int n = form->n, lower = n, upper = n, lwork = 21, liwork = 27, idid = 0, of_matrix[2] = {0, 0};
  for (int i = 0; i < 3; ++i) iwork[24 + i] = form->index[i];
  gamd_(&n, fcn, &run.t, form->z, &to, &run.h, &run.tol, &run.tol, &zero, hw_jacobian, &one, &lower,
        &upper, hw_matrix, &one, of_matrix, of_matrix + 1, never, &zero, work, &lwork, iwork,
        &liwork, rpar, ipar, &idid);
  take_linear(form);
  for (int i = 11; i < 15; ++i) run.steps += iwork[i];
  return idid < 0 ? idid : 0;
}
