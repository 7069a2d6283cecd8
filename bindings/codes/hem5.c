/* calls:
 * HEM5(NQ,NV,NU,NL,FPROB,T,Q,V,U,A,RLAM,TEND,H,RTOL,ATOL,ITOL,SOLOUT,IOUT,WK,LWK,IWK,LIWK,IDID)
 * phem56.c, whose routine has the same arguments, includes this file. */
#include <math.h>

#include "core.h"

#ifndef ROUTINE
#define ROUTINE hem5_
#define NAME "HEM5"
#endif

const struct code code = {
    NAME, "index2",
    "M, f, Phi and G with full linear algebra (IWK(14) = 0), IWK(15) = 1: accelerations and "
    "multipliers are computed at the end of each step; all other parameters zero"};

typedef void Problem(int* ifcn, int* nq, int* nv, int* nu, int* nl, int* ldg, int* ldf, int* lda,
                     int* nblk, int* nmrc, int* npgp, int* npfl, int* indgr, int* indgc,
                     int* indflr, int* indflc, double* t, double* q, double* v, double* u,
                     double* xl, double* g, double* gq, double* f, double* gqq, double* gt,
                     double* fl, double* qdot, double* udot, double* am);
void ROUTINE(int* nq, int* nv, int* nu, int* nl, Problem* fprob, double* t, double* q, double* v,
             double* u, double* a, double* rlam, double* tend, double* h, double* rtol,
             double* atol, int* itol, void (*solout)(void), int* iout, double* wk, int* lwk,
             int* iwk, int* liwk, int* idid);

/* Which values the codes ask for by IFCN, a bit each. */
enum {
  asks_f = 1 << 1 | 1 << 5 | 1 << 7 | 1 << 8,
  asks_m = asks_f - (1 << 5) + (1 << 9 | 1 << 10 | 1 << 11),
  asks_qdot = 1 << 1 | 1 << 2 | 1 << 10,
  asks_gt = 1 << 3 | 1 << 6 | 1 << 10 | 1 << 11,
  asks_gq = asks_gt - (1 << 3) + (1 << 1),
  asks_g = 1 << 4,
  asks_gqq = 1 << 5 | 1 << 7
};

static void fprob(int* ifcn, int* nq, int* nv, int* nu, int* nl, int* ldg, int* ldf, int* lda,
                  int* nblk, int* nmrc, int* npgp, int* npfl, int* indgr, int* indgc, int* indflr,
                  int* indflc, double* t, double* q, double* v, double* u, double* xl, double* g,
                  double* gq, double* f, double* gqq, double* gt, double* fl, double* qdot,
                  double* udot, double* am) {
  (void)nv, (void)nu, (void)ldf, (void)nblk, (void)nmrc, (void)npgp, (void)npfl, (void)indgr,
      (void)indgc;
  (void)indflr, (void)indflc, (void)u, (void)xl, (void)fl, (void)udot;
  static double *M, *G, *rate;
  const int n = *nq, m = *nl, asked = 1 << *ifcn;
  if (M == NULL) M = reals((long)n * n), G = reals((long)m * n), rate = reals(m);
  run.evaluations += (asked & asks_f) != 0;
  const int failed =
      daemark_mechanics(run.p, *t, q, v, asked & asks_m ? M : NULL, asked & asks_f ? f : NULL,
                        asked & asks_g ? g : NULL, asked & (asks_gq | asks_gt) ? G : NULL,
                        asked & asks_gqq ? gqq : NULL);
  if (failed && (asked & asks_f)) f[0] = NAN;
  for (int i = 0; i < n && (asked & asks_qdot); ++i) qdot[i] = v[i];
  for (int i = 0; i < m && (asked & asks_gqq); ++i) gqq[i] = -gqq[i];
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n && (asked & asks_m); ++i) am[j * *lda + i] = M[i * n + j];
    for (int i = 0; i < m && (asked & asks_gq); ++i) gq[j * *ldg + i] = G[i * n + j];
  }
  if (!(asked & asks_gt)) return;
  daemark_constraints(run.p, *t, q, v, NULL, NULL, rate, NULL);
  for (int i = 0; i < m; ++i) {
    gt[i] = rate[i]; /* Phi' = G v + gt */
    for (int j = 0; j < n; ++j) gt[i] -= G[i * n + j] * v[j];
  }
}
static void never(void) {}

int advance(double to) {
  static double *work, none[1];
  static int *iwork, zero = 0;
  int n = run.n_q, m = run.n_lambda, nm = n + m, lwk = 20 * nm * nm + 100 * nm + 200,
      liwk = 60 * nm + 200;
  int idid = 0;
  if (work == NULL) work = reals(lwk), iwork = integers(liwk);
  iwork[14] = 1;
  ROUTINE(&n, &n, &zero, &m, fprob, &run.t, run.y, run.y + n, none, run.yp + n, run.y + 2 * n, &to,
          &run.h, &run.tol, &run.tol, &zero, never, &zero, work, &lwk, iwork, &liwk, &idid);
  run.steps += iwork[30];
  return idid < 0 ? idid : 0;
}
