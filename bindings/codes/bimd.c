/* calls:
 * BIMD(M,FCN,T0,TEND,Y0,H,RTOL,ATOL,ITOL,JAC,IJAC,MLJAC,MUJAC,MAS,IMAS,MLMAS,MUMAS,SOLOUT,IOUT,
 *             WORK,LWORK,IWORK,LIWORK,RPAR,IPAR,IDID) */
#include "core.h"

const struct code code = {
    "BiMD", "index3 index2 index1 ggl minimal",
    "variables (q, v, a, lambda) with full Jacobian and diagonal matrix, IWORK(9:11) the "
    "numbers of variables of index 1, 2 and 3, all other parameters zero"};

typedef void Function(int* n, double* t, double* z, double* f, int* ierr, double* rpar, int* ipar);
typedef void Jacobian(int* n, double* t, double* z, double* dfy, int* ldfy, int* ierr, double* rpar,
                      int* ipar);
typedef void Matrix(int* n, double* am, int* lmas, int* ierr, double* rpar, int* ipar);
void bimd_(int* m, Function* fcn, double* t0, double* tend, double* y0, double* h, double* rtol,
           double* atol, int* itol, Jacobian* jac, int* ijac, int* mljac, int* mujac, Matrix* mas,
           int* imas, int* mlmas, int* mumas, void (*solout)(void), int* iout, double* work,
           int* lwork, int* iwork, int* liwork, double* rpar, int* ipar, int* idid);

static void fcn(int* n, double* t, double* z, double* f, int* ierr, double* rpar, int* ipar) {
  (void)n, (void)rpar, (void)ipar;
  *ierr = linear_f(*t, z, f);
}
static void jac(int* n, double* t, double* z, double* dfy, int* ldfy, int* ierr, double* rpar,
                int* ipar) {
  (void)n, (void)ldfy, (void)rpar, (void)ipar;
  *ierr = linear_jacobian(*t, z, dfy);
}
static void mas(int* n, double* am, int* lmas, int* ierr, double* rpar, int* ipar) {
  (void)n, (void)lmas, (void)ierr, (void)rpar, (void)ipar;
  linear_matrix(am);
}
static void never(void) {}

int advance(double to) {
  static double *work, rpar[1];
  static int *iwork, ipar[1], zero = 0, one = 1;
  struct linear* form = linear_form();
  int n = form->n, lower = n, upper = n, lwork = 24 + n * (60 + 2 * n), liwork = n + 40, idid = 0;
  int of_matrix[2] = {0, 0};
  if (work == NULL) work = reals(lwork), iwork = integers(liwork);
  for (int i = 0; i < 3; ++i) iwork[8 + i] = form->index[i];
  bimd_(&n, fcn, &run.t, &to, form->z, &run.h, &run.tol, &run.tol, &zero, jac, &one, &lower, &upper,
        mas, &one, of_matrix, of_matrix + 1, never, &zero, work, &lwork, iwork, &liwork, rpar, ipar,
        &idid);
  take_linear(form);
  for (int i = 20; i < 25; ++i) run.steps += iwork[i];
  return idid < 0 ? idid : 0;
}
