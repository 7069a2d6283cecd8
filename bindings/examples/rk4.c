/* The classical Runge-Kutta method on the accelerations of any mechanism, written from daemark.h:
 *   cc rk4.c $(pkg-config --cflags --libs daemark) -o rk4
 *   ./rk4 two_link 1 1000 > motion.csv && daemark score motion.csv --problem two_link */
#include <daemark.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  const char* problem = argc > 1 ? argv[1] : "two_link";
  const double end = argc > 2 ? atof(argv[2]) : 1;
  const int steps = argc > 3 ? atoi(argv[3]) : 1000;
  static const double node[] = {0, 0.5, 0.5, 1}, weight[] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};
  int n, m, size, step, stage, i;
  double start, h, *y, *yp, *at, *k, *sum;
  daemark_problem* p = daemark_open(problem, "index1");
  if (!p) return fprintf(stderr, "%s\n", daemark_last_error()), 2;
  daemark_sizes(p, &n, &m, &size);
  y = calloc(size, sizeof *y), yp = calloc(size, sizeof *yp);
  at = calloc(2 * n, sizeof *at), k = calloc(2 * n, sizeof *k), sum = calloc(2 * n, sizeof *sum);
  daemark_initial(p, &start, y, yp);
  h = (end - start) / steps;
  printf("t");
  for (i = 0; i < 2 * n; ++i) printf(",%s", daemark_name(p, i, NULL));
  for (step = 0;; ++step) {
    printf("\n%.17g", start + step * h);
    for (i = 0; i < 2 * n; ++i) printf(",%.17g", y[i]);
    if (step == steps) break;
    for (i = 0; i < 2 * n; ++i) k[i] = 0, sum[i] = y[i];
    for (stage = 0; stage < 4; ++stage) { /* y' = (v, a) at y + h node k of the stage before */
      for (i = 0; i < 2 * n; ++i) at[i] = y[i] + h * node[stage] * k[i];
      for (i = 0; i < n; ++i) k[i] = at[n + i];
      if (daemark_accelerations(p, start + (step + node[stage]) * h, at, at + n, k + n, NULL))
        return fprintf(stderr, "%s\n", daemark_last_error()), 1;
      for (i = 0; i < 2 * n; ++i) sum[i] += h * weight[stage] * k[i];
    }
    for (i = 0; i < 2 * n; ++i) y[i] = sum[i];
  }
  printf("\n");
  free(y), free(yp), free(at), free(k), free(sum);
  daemark_close(p);
  return 0;
}
