/* daemark.h: the mechanisms of daemark for any program, with their certified reference states.
 *
 * A mechanism has n_q coordinates q, velocities v = dq/dt and n_lambda constraints:
 *
 *     M(q) q'' + G^T lambda = f(t, q, v),     Phi(t, q) = 0,     G = dPhi/dq      (reactions: -G^T lambda)
 *
 * A formulation makes it one implicit system F(t, y, y') = 0 of n_y equations. y begins with q, then
 * v; in index 1, 2 and 3 it is (q, v, lambda). F begins with q' - v (n_q rows; in "ggl" q' - v + G^T mu),
 * then M v' + G^T lambda - f (n_q), then the constraints at the level of the formulation:
 *
 *     "index3"  Phi = 0                  "ggl"                    Phi = 0 and Phi' = 0, y = (q, v, lambda, mu)
 *     "index2"  Phi' = 0                 "baumgarte(alpha=5,beta=5)"   Phi'' + 2 alpha Phi' + beta^2 Phi = 0
 *     "index1"  Phi'' = 0                "minimal"                independent coordinates, no lambda
 *
 * A constraint that begins on velocities (a wheel that rolls) has Phi = 0 for ever: it stands in F as
 * Phi' = 0 where Phi = 0 is asked for, and in "ggl" without a mu.
 * ("elimination" and "substituted(c=...)" besides: `daemark list formulations`.) Units are those of SI:
 * m, rad, s, kg, J; daemark_name() has that of each component. Matrices are row-major and dense,
 * Jacobians in compressed columns (CSC, indices from 0, rows of a column ascending).
 *
 * Every array is the caller's and has the size stated. A handle serves one thread at a time; any
 * number of threads may each have handles of their own. After daemark_close() a handle must not be
 * used. Every function that returns int returns
 *
 *     0   done
 *   > 0   recoverable: DAEMARK_NOT_FINITE, DAEMARK_SINGULAR, ... Another point may do (a smaller step)
 *   < 0   DAEMARK_BAD_INPUT: NULL, a component that is not a number, an unknown name;
 *         DAEMARK_FAILED: out of memory, a damaged installation
 *
 * and daemark_last_error() says in one line what was wrong, where, and what is accepted.
 *
 * Rotations in space (heavy_top, flyball_governor, bricard(coordinates=absolute), the beams) are
 * increments from the orientation of the start: g = 2 tan(phi/2) n of a turn by phi about the axis
 * n. A handle keeps that origin, so that turns have to stay below 171 degrees (beyond:
 * DAEMARK_NOT_FINITE; of heavy_top g grows without bound towards 180 degrees instead);
 * heavy_top(coordinates=quaternion) turns as far as it likes. References are in the coordinates in
 * which results are compared (there rotation vectors and body spins): daemark_to_reference().
 *
 * A whole program: cc my.c $(pkg-config --cflags --libs daemark). bindings/examples has some. */
#ifndef DAEMARK_H
#define DAEMARK_H

#ifdef __cplusplus
extern "C" {
#endif

#define DAEMARK_DONE 0
#define DAEMARK_NOT_FINITE 1 /* what was computed is infinite or not a number */
#define DAEMARK_SINGULAR 2   /* [M G^T; G 0] is singular here */
#define DAEMARK_STEP_FAILED 3 /* daemark_solve: Newton or the step-size control gave up */
#define DAEMARK_STOPPED 4     /* daemark_solve: a function of yours returned a value below 0 */
#define DAEMARK_BAD_INPUT (-1)
#define DAEMARK_FAILED (-2)

/* A mechanism in a formulation. */
typedef struct daemark_problem daemark_problem; /* NOLINT(modernize-use-using): C */

/* The version of the library, "0.2.0". */
const char* daemark_version(void);

/* The last error of this thread, one line; "" before the first. Valid until the thread's next one. */
const char* daemark_last_error(void);

/* problem: a call as `daemark list problems` shows them, "two_link", "four_bar(loops=10)", or the
 * path of a mechanism's file, "mine.json", whose version is its content at the first call;
 * formulation as above. NULL where there is no such thing; daemark_last_error() says why. */
daemark_problem* daemark_open(const char* problem, const char* formulation);

/* Frees the handle; NULL is accepted. */
void daemark_close(daemark_problem* p);

/* Numbers of coordinates, of constraint rows and of components of y. NULL: not wanted. */
int daemark_sizes(const daemark_problem* p, int* n_q, int* n_lambda, int* n_y);

/* The name of component 0 .. n_y - 1 of y, which is also its column in trajectory files ("x1",
 * "v_x1", "lambda_..."), and its unit ("m", "m/s", "N"). NULL for another component. Both live as
 * long as the handle; unit may be NULL. */
const char* daemark_name(const daemark_problem* p, int component, const char** unit);

/* differential[n_y]: 1 where y'_i occurs in F, 0 for algebraic components (the `id` of IDA).
 * index[n_y]: differentiation index of each component (as the index 1, 2, 3 variables of RADAU5).
 * NULL: not wanted. */
int daemark_kinds(const daemark_problem* p, int* differential, int* index);

/* The start: time, y[n_y] and consistent y'[n_y] with F(t, y, y') = 0; y' of algebraic components
 * is 0. NULL: not wanted. */
int daemark_initial(daemark_problem* p, double* t, double* y, double* yp);

/* r[n_y] = F(t, y, y'), in the shape of IDA's residual. */
int daemark_residual(daemark_problem* p, double t, const double* y, const double* yp, double* r);

/* Entries of the Jacobian; their places do not change. */
int daemark_jacobian_nnz(const daemark_problem* p, int* nnz);

/* dF/dy + cj dF/dy' in CSC: colptr[n_y + 1], rowind[nnz], values[nnz]. colptr and rowind may be NULL
 * where they are known from an earlier call. */
int daemark_jacobian(daemark_problem* p, double t, double cj, const double* y, const double* yp,
                     int* colptr, int* rowind, double* values);

/* M[n_q*n_q], f[n_q], Phi[n_lambda], G[n_lambda*n_q] and Gdot_v[n_lambda], which is
 * Phi'' - G q'' (G' v, and of driven constraints their time derivatives). NULL: not wanted. Where f
 * depends on the multipliers, it is that of the motion, with those of daemark_accelerations. */
int daemark_mechanics(daemark_problem* p, double t, const double* q, const double* v, double* M,
                      double* f, double* Phi, double* G, double* Gdot_v);

/* Phi, Phi' and Phi'' of a motion with accelerations a[n_q] (NULL: zero), n_lambda each. NULL: not
 * wanted. */
int daemark_constraints(daemark_problem* p, double t, const double* q, const double* v,
                        const double* a, double* Phi, double* Phi_dot, double* Phi_ddot);

/* a[n_q] = q'' and lambda[n_lambda] of M a + G^T lambda = f, Phi'' = 0. Where constraints are
 * redundant, the lambda of least norm. NULL: not wanted. DAEMARK_SINGULAR where there is none. */
int daemark_accelerations(daemark_problem* p, double t, const double* q, const double* v, double* a,
                          double* lambda);

/* Kinetic and potential energy [J]. Their sum is conserved but for the work of drives, dampers and
 * given torques. NULL: not wanted. */
int daemark_energy(daemark_problem* p, double t, const double* q, const double* v, double* kinetic,
                   double* potential);

/* Quantities of interest that the problem names; most name none. */
int daemark_output_count(const daemark_problem* p, int* count);
/* As daemark_name(), of output 0 .. count - 1. */
const char* daemark_output_name(const daemark_problem* p, int output, const char** unit);
/* out[count], with the accelerations and multipliers of daemark_accelerations(). */
int daemark_outputs(daemark_problem* p, double t, const double* q, const double* v, double* out);

/* Coordinates in which results are compared: n_ref positions and as many velocities. They are q and
 * v themselves but for "minimal" and rotations in space. */
int daemark_reference_size(const daemark_problem* p, int* n_ref);
/* As daemark_name(), of position 0 .. n_ref - 1, velocity n_ref .. 2 n_ref - 1, and then of the
 * multipliers that daemark_reference() gives: the columns of a trajectory file. */
const char* daemark_reference_name(const daemark_problem* p, int component, const char** unit);
/* q_ref[n_ref], v_ref[n_ref] of a state. */
int daemark_to_reference(daemark_problem* p, const double* q, const double* v, double* q_ref,
                         double* v_ref);
/* The certified state at a time: q[n_ref], v[n_ref] and lambda (as many as the problem has in
 * "index1"), to double, and the significant digits on which its two independent routes agree;
 * digits < 0: none is published for that time. NULL: not wanted. */
int daemark_reference(daemark_problem* p, double t, double* q, double* v, double* lambda,
                      int* digits);

/* Derivatives of the motion from the problem's start by a number of its data, "m2" as `daemark show`
 * names it: dq[n_ref], dv[n_ref] and dlambda (as of daemark_reference) at t, in their units a unit
 * of the number, and the digits on which the variational equations and differences of motions in 50
 * digits agree. Takes seconds. NULL: not wanted. DAEMARK_BAD_INPUT for mechanisms with charts of
 * rotations or dependent rows. */
int daemark_sensitivity(daemark_problem* p, const char* parameter, double t, double* dq, double* dv,
                        double* dlambda, int* digits);

/* A system of your own, F(t, y, y') = 0, for the methods of daemark. Functions get `user` and return
 * 0, a value > 0 where they cannot be evaluated (the step is rejected or fails), or one < 0 to stop
 * the integration. */
typedef struct daemark_system { /* NOLINT(modernize-use-using): C */
  int n;                        /* components of y, equations of F */
  int index;                    /* differentiation index: 0 (no algebraic component), 1, 2 or 3 */
  const int* differential;      /* [n] 1 where y'_i occurs in F, 0 for algebraic; NULL: all 1 */
  int (*residual)(double t, const double* y, const double* yp, double* r, void* user);
  /* J[n*n] = dF/dy + cj dF/dy', row-major; NULL: by differences of the residual. */
  int (*jacobian)(double t, double cj, const double* y, const double* yp, double* J, void* user);
  void* user;
} daemark_system;

/* Integrates from t, y[n], yp[n], which are overwritten by the state at the end, to t_end.
 * method: a call as `daemark list methods` shows them, "radau_iia(3)"; those that work on M, f and G
 *   refuse, as do explicit methods beyond index 1. settings: as of `daemark run --set`, separated by
 *   blanks, "control.tol=1e-6 newton.tol=1e-9"; NULL: the defaults.
 * points: output points at equal distances, which are hit exactly; without control.tol each is a
 *   step. output (NULL: not wanted) is called at the start and at each of them; what it returns is
 *   that of the functions of the system.
 * In index 0 and 1 the start is made consistent: y' and the algebraic components follow from the
 * rest. In index 2 and 3 it has to be consistent.
 * counts[6] (NULL: not wanted): steps, rejected steps, Newton iterations, evaluations of F (a
 *   Jacobian by differences not counted), Jacobians, factorisations. */
int daemark_solve(const daemark_system* system, const char* method, const char* settings, double t,
                  double t_end, int points, double* y, double* yp,
                  int (*output)(double t, const double* y, const double* yp, void* user),
                  long* counts);

/* 32 hexadecimal digits that name the version of the model: another digest, another mechanism. */
const char* daemark_digest(const daemark_problem* p);

#ifdef __cplusplus
}
#endif

#endif
