/* main() of every joined code: `--describe`, and `MECHANISM.json VARIANT STEP OUT.csv`, of which it
 * reads "problem" and "times" (bindings/PROGRAMS.md). The code is called from output time to output
 * time, so that all values, multipliers too, are at ends of its own steps. */
#include "core.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct run run;

static const char* const common =
    "; rtol = atol = tol for every component; analytic Jacobians where the code takes any; first "
    "step a "
    "hundredth of the output spacing; called from output time to output time with its own next "
    "step";

static void fail(int status, const char* what, const char* which) {
  fprintf(stderr, "%s: %s%s\n", code.name, what, which);
  exit(status);
}

static void* zeros(long n, size_t size) {
  void* all = calloc((size_t)n + 1, size);
  if (all == NULL) fail(1, "out of memory", "");
  return all;
}
double* reals(long n) { return zeros(n, sizeof(double)); }
int* integers(long n) { return zeros(n, sizeof(int)); }

/* ---- The equations ---- */

int residual(double t, const double* y, const double* yp, double* r) {
  ++run.evaluations;
  if (daemark_residual(run.p, t, y, yp, r) == 0) return 0;
  for (int i = 0; i < run.n_y; ++i) r[i] = NAN;
  return 1;
}

/* Columns and rows of dF/dy + cj dF/dy', and its values at two cj. */
static struct {
  int nnz, *columns, *rows;
  double *values, *others;
} sparse;

static int sparse_jacobian(double t, double cj, const double* y, const double* yp,
                           double** values) {
  if (sparse.columns == NULL) {
    daemark_jacobian_nnz(run.p, &sparse.nnz);
    sparse.columns = integers(run.n_y + 1);
    sparse.rows = integers(sparse.nnz);
    sparse.values = reals(sparse.nnz);
    sparse.others = reals(sparse.nnz);
  }
  return daemark_jacobian(run.p, t, cj, y, yp, sparse.columns, sparse.rows, *values) != 0;
}

int residual_jacobian(double t, double cj, const double* y, const double* yp, double* jacobian) {
  const int failed = sparse_jacobian(t, cj, y, yp, &sparse.values);
  memset(jacobian, 0, sizeof(double) * (size_t)run.n_y * (size_t)run.n_y);
  for (int j = 0; j < run.n_y; ++j)
    for (int k = sparse.columns[j]; k < sparse.columns[j + 1]; ++k)
      jacobian[(long)j * run.n_y + sparse.rows[k]] = failed ? NAN : sparse.values[k];
  return failed;
}

static struct linear linear;
static double *own, *rate, *own_r; /* y, y' and F of a z */

static void split(const double* z) {
  const int n = run.n_q;
  memcpy(own, z, sizeof(double) * 2 * (size_t)n);
  memcpy(own + 2 * n, z + 3 * n, sizeof(double) * (size_t)(run.n_y - 2 * n));
  memcpy(rate + n, z + 2 * n, sizeof(double) * (size_t)n); /* q' = 0: F begins with q' - v */
}

struct linear* linear_form(void) {
  if (linear.z != NULL) return &linear;
  const int n = run.n_q;
  linear.n = run.n_y + n;
  linear.z = reals(linear.n);
  own = reals(run.n_y), rate = reals(run.n_y), own_r = reals(run.n_y);
  memcpy(linear.z, run.y, sizeof(double) * 2 * (size_t)n);
  memcpy(linear.z + 2 * n, run.yp + n, sizeof(double) * (size_t)n);
  memcpy(linear.z + 3 * n, run.y + 2 * n, sizeof(double) * (size_t)(run.n_y - 2 * n));
  int *index = integers(run.n_y), of_v = 1, of_rest = 1;
  daemark_kinds(run.p, NULL, index);
  for (int i = n; i < 2 * n; ++i)
    if (index[i] > of_v) of_v = index[i];
  for (int i = 2 * n; i < run.n_y; ++i)
    if (index[i] > of_rest) of_rest = index[i];
  linear.index[0] += n;
  linear.index[of_v - 1] += n;
  linear.index[of_rest - 1] += run.n_y - n; /* a has that of lambda */
  free(index);
  return &linear;
}

void take_linear(const struct linear* form) {
  split(form->z);
  memcpy(run.y, own, sizeof(double) * (size_t)run.n_y);
}

int linear_f(double t, const double* z, double* f) {
  const int n = run.n_q;
  split(z);
  const int failed = residual(t, own, rate, own_r);
  for (int i = 0; i < n; ++i) f[i] = -own_r[i];
  memcpy(f + n, z + 2 * n, sizeof(double) * (size_t)n);
  memcpy(f + 2 * n, own_r + n, sizeof(double) * (size_t)(run.n_y - n));
  return failed;
}

int linear_jacobian(double t, const double* z, double* jacobian) {
  const int n = run.n_q;
  split(z);
  const int failed = sparse_jacobian(t, 0, own, rate, &sparse.values) |
                     sparse_jacobian(t, 1, own, rate, &sparse.others);
  memset(jacobian, 0, sizeof(double) * (size_t)linear.n * (size_t)linear.n);
  for (int i = n; i < 2 * n; ++i) jacobian[(long)(n + i) * linear.n + i] = 1;
  for (int j = 0; j < run.n_y; ++j)
    for (int k = sparse.columns[j]; k < sparse.columns[j + 1]; ++k) {
      const int i = sparse.rows[k];
      const long column = j < 2 * n ? j : j + n;
      double* row = jacobian + (i < n ? i : n + i);
      row[column * linear.n] = failed ? NAN : i < n ? -sparse.values[k] : sparse.values[k];
      if (i >= n && j >= n && j < 2 * n)
        row[(long)(j + n) * linear.n] = sparse.others[k] - sparse.values[k]; /* dF/dv' */
    }
  return failed;
}

void linear_matrix(double* diagonal) {
  for (int i = 0; i < linear.n; ++i) diagonal[i] = i < 2 * run.n_q;
}

void hw_f(int* n, double* x, double* y, double* f, double* rpar, int* ipar) {
  (void)n, (void)rpar, (void)ipar;
  linear_f(*x, y, f);
}
void hw_jacobian(int* n, double* x, double* y, double* dfy, int* ldfy, double* rpar, int* ipar) {
  (void)n, (void)ldfy, (void)rpar, (void)ipar;
  linear_jacobian(*x, y, dfy);
}
void hw_matrix(int* n, double* am, int* lmas, double* rpar, int* ipar) {
  (void)n, (void)lmas, (void)rpar, (void)ipar;
  linear_matrix(am);
}

/* ---- The program ---- */

static char* read_file(const char* name) {
  FILE* file = fopen(name, "rb");
  if (file == NULL) fail(2, "cannot read ", name);
  size_t size = 0, room = 1 << 16;
  char* text = malloc(room);
  while (text != NULL) {
    size += fread(text + size, 1, room - size - 1, file);
    if (size < room - 1) break;
    text = realloc(text, room *= 2);
  }
  if (text == NULL) fail(1, "out of memory", "");
  text[size] = 0;
  fclose(file);
  return text;
}

/* What follows "key": in the text. */
static char* value_of(char* text, const char* key) {
  char quoted[32];
  snprintf(quoted, sizeof quoted, "\"%s\"", key);
  char* at = text == NULL ? NULL : strstr(text, quoted);
  at = at == NULL ? NULL : strchr(at + strlen(quoted), ':');
  if (at == NULL) fail(2, "the mechanism's file has no ", quoted);
  return at + 1 + strspn(at + 1, " \t\r\n");
}

static int describe(void) {
  char variants[256];
  const char* separator = "";
  printf("{\"name\": \"%s\", \"version\": \"%s\", \"equations\": true,\n \"variants\": [",
         code.name, DAEMARK_CODE_VERSION);
  snprintf(variants, sizeof variants, "%s", code.variants);
  for (char* name = strtok(variants, " "); name != NULL; name = strtok(NULL, " ")) {
    printf("%s\n  {\"name\": \"%s\", \"steps\": \"%s\", \"settings\": \"%s%s\"}", separator, name,
           code.fixed ? "fixed" : "tolerance", code.settings, code.fixed ? "" : common);
    separator = ",";
  }
  printf("]}\n");
  return 0;
}

static void open_problem(char* text) {
  char* problem = value_of(text, "problem");
  char* end = strchr(problem + 1, '"');
  if (*problem != '"' || end == NULL)
    fail(2, "\"problem\" of the mechanism's file is not a text", "");
  *end = 0;
  run.p = daemark_open(problem + 1, run.variant);
  if (run.p == NULL) fail(3, daemark_last_error(), "");
  daemark_sizes(run.p, &run.n_q, &run.n_lambda, &run.n_y);
  if (strcmp(run.variant, "minimal") == 0) run.n_lambda = 0; /* not in y */
  run.y = reals(run.n_y), run.yp = reals(run.n_y);
  if (daemark_initial(run.p, &run.t, run.y, run.yp) != 0) fail(1, daemark_last_error(), "");
}

/* Rows of OUT.csv: coordinates, velocities, and what multipliers the formulation has. */
static int n_ref, columns;
static double* row;

static void write_names(FILE* out) {
  daemark_reference_size(run.p, &n_ref);
  columns = 2 * n_ref + (run.n_y > 2 * run.n_q ? run.n_lambda : 0);
  row = reals(columns);
  fputs("t", out);
  for (int i = 0; i < columns; ++i) fprintf(out, ",%s", daemark_reference_name(run.p, i, NULL));
  fputc('\n', out);
}

static void write_row(FILE* out) {
  daemark_to_reference(run.p, run.y, run.y + run.n_q, row, row + n_ref);
  for (int i = 2 * n_ref; i < columns; ++i) row[i] = run.y[2 * run.n_q + i - 2 * n_ref];
  fprintf(out, "%.17g", run.t);
  for (int i = 0; i < columns; ++i) fprintf(out, ",%.17g", row[i]);
  fputc('\n', out);
}

int main(int arguments, char** argument) {
  if (arguments == 2 && strcmp(argument[1], "--describe") == 0) return describe();
  if (arguments != 5) fail(2, "accepted: --describe, or MECHANISM.json VARIANT STEP OUT.csv", "");
  char known[256], asked[64];
  run.variant = argument[2];
  snprintf(known, sizeof known, " %s ", code.variants);
  snprintf(asked, sizeof asked, " %s ", run.variant);
  if (strstr(known, asked) == NULL) fail(2, "unknown variant; accepted: ", code.variants);
  const double step = strtod(argument[3], NULL);
  if (!(step > 0)) fail(2, "a step or tolerance is a number > 0, not ", argument[3]);
  char* text = read_file(argument[1]);
  char* times = strstr(text, "\"times\"");
  const double begin = strtod(value_of(times, "begin"), NULL);
  const double spacing = strtod(value_of(times, "spacing"), NULL);
  const long count = strtol(value_of(times, "count"), NULL, 10);
  open_problem(text);
  FILE* out = fopen(argument[4], "w");
  if (out == NULL) fail(2, "cannot write ", argument[4]);
  write_names(out);
  write_row(out);
  run.end = begin + (double)count * spacing;
  run.tol = code.fixed ? 0 : step;
  run.h = code.fixed ? step : spacing / 100;
  double seconds = 0;
  int gave_up = 0;
  for (long k = 1; k <= count && gave_up == 0; ++k) {
    const double next = k == count ? run.end : begin + (double)k * spacing;
    const clock_t before = clock();
    gave_up = advance(next);
    seconds += (double)(clock() - before) / CLOCKS_PER_SEC;
    run.t = next;
    if (gave_up == 0) write_row(out);
  }
  if (fclose(out) != 0) fail(1, "cannot write ", argument[4]);
  if (gave_up != 0)
    fprintf(stderr, "%s gave up before t = %g, after %ld steps: it returned %d\n", code.name, run.t,
            run.steps, gave_up);
  fflush(stdout);
  printf("\n{\"cpu_seconds\": %.6g, \"steps\": %ld, \"evaluations\": %ld}\n", seconds, run.steps,
         run.evaluations);
  return gave_up != 0;
}
