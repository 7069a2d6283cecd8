/* SUNDIALS' IDA on daemark's residual and sparse Jacobian (with KLU), in the index-1 form or ggl:
 *   cc ida.c $(pkg-config --cflags --libs daemark) -I/usr/include/suitesparse -lsundials_ida \
 *     -lsundials_nvecserial -lsundials_sunmatrixsparse -lsundials_sunlinsolklu -lm -o ida
 *   ./ida two_link 1 1e-8 index1 > motion.csv && daemark score motion.csv --problem two_link */
#include <daemark.h>
#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <stdlib.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_sparse.h>

#ifndef SUN_COMM_NULL /* SUNDIALS 6 */
#define SUN_COMM_NULL NULL
#endif

typedef struct {
  daemark_problem* p;
  int size, nnz, *columns, *rows;
} Model;

static int residual(sunrealtype t, N_Vector y, N_Vector yp, N_Vector r, void* data) {
  return daemark_residual(((Model*)data)->p, t, N_VGetArrayPointer(y), N_VGetArrayPointer(yp),
                          N_VGetArrayPointer(r));
}

static int jacobian(sunrealtype t, sunrealtype cj, N_Vector y, N_Vector yp, N_Vector r, SUNMatrix J,
                    void* data, N_Vector a, N_Vector b, N_Vector c) {
  Model* m = data;
  int i;
  (void)r, (void)a, (void)b, (void)c;
  for (i = 0; i <= m->size; ++i) SUNSparseMatrix_IndexPointers(J)[i] = m->columns[i];
  for (i = 0; i < m->nnz; ++i) SUNSparseMatrix_IndexValues(J)[i] = m->rows[i];
  return daemark_jacobian(m->p, t, cj, N_VGetArrayPointer(y), N_VGetArrayPointer(yp), NULL, NULL,
                          SUNSparseMatrix_Data(J));
}

int main(int argc, char** argv) {
  const double end = argc > 2 ? atof(argv[2]) : 1, tol = argc > 3 ? atof(argv[3]) : 1e-8;
  const int outputs = 100;
  Model m;
  SUNContext context;
  N_Vector y, yp, id;
  SUNMatrix J;
  SUNLinearSolver solver;
  void* ida;
  double start, t, *values, *rates;
  int n, i, out, *kinds;
  m.p = daemark_open(argc > 1 ? argv[1] : "two_link", argc > 4 ? argv[4] : "index1");
  if (!m.p || SUNContext_Create(SUN_COMM_NULL, &context))
    return fprintf(stderr, "%s\n", daemark_last_error()), 2;
  daemark_sizes(m.p, &n, NULL, &m.size);
  daemark_jacobian_nnz(m.p, &m.nnz);
  m.columns = calloc(m.size + 1, sizeof(int)), m.rows = calloc(m.nnz, sizeof(int));
  kinds = calloc(m.size, sizeof(int)), values = calloc(m.nnz, sizeof(double));
  y = N_VNew_Serial(m.size, context), yp = N_VClone(y), id = N_VClone(y);
  rates = N_VGetArrayPointer(yp);
  daemark_initial(m.p, &start, N_VGetArrayPointer(y), rates);
  daemark_jacobian(m.p, start, 1, N_VGetArrayPointer(y), rates, m.columns, m.rows, values);
  daemark_kinds(m.p, kinds, NULL);
  for (i = 0; i < m.size; ++i) N_VGetArrayPointer(id)[i] = kinds[i];

  ida = IDACreate(context);
  J = SUNSparseMatrix(m.size, m.size, m.nnz, CSC_MAT, context);
  solver = SUNLinSol_KLU(y, J, context);
  IDAInit(ida, residual, start, y, yp);
  IDASetUserData(ida, &m);
  IDASStolerances(ida, tol, tol);
  IDASetId(ida, id);
  IDASetSuppressAlg(ida, 1); /* errors of multipliers do not choose the step */
  IDASetMaxNumSteps(ida, 1000000);
  IDASetLinearSolver(ida, solver, J);
  IDASetJacFn(ida, jacobian);

  printf("t");
  for (i = 0; i < m.size; ++i) printf(",%s", daemark_name(m.p, i, NULL));
  for (out = 0; out <= outputs; ++out) {
    t = start;
    if (out > 0 && IDASolve(ida, start + (end - start) * out / outputs, &t, y, yp, IDA_NORMAL) < 0)
      return fprintf(stderr, "%s\n", daemark_last_error()), 1;
    printf("\n%.17g", t);
    for (i = 0; i < m.size; ++i) printf(",%.17g", N_VGetArrayPointer(y)[i]);
  }
  printf("\n");
  IDAFree(&ida), SUNLinSolFree(solver), SUNMatDestroy(J);
  N_VDestroy(y), N_VDestroy(yp), N_VDestroy(id), SUNContext_Free(&context);
  free(m.columns), free(m.rows), free(kinds), free(values);
  daemark_close(m.p);
  return 0;
}
