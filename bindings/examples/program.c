/* A program as a method (bindings/PROGRAMS.md) in C: one rigid body that turns about a fixed point,
   by the classical Runge-Kutta method on its quaternion and angular velocity. cc -O2 program.c -o
   program -lm; then --method 'program(PATH/program,rk4)' */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double J[3][3], torque_arm[3], gravity[3]; /* about the fixed point, in the body's frame */

static const char* value_of(const char* text, const char* key) {
  const char* at = strstr(text, key);
  if (!at || !(at = strchr(at + strlen(key), ':'))) {
    fprintf(stderr, "no entry %s\n", key);
    exit(1);
  }
  return at + 1;
}

/* The first n numbers after a key, past brackets, commas and blanks. */
static void numbers(const char* text, const char* key, int n, double* out) {
  char* end;
  const char* at = value_of(text, key);
  for (int i = 0; i < n; ++i, at = end) {
    at += strspn(at, " \t\r\n[],");
    out[i] = strtod(at, &end);
  }
}

static void cross(const double* a, const double* b, double* out) {
  for (int i = 0; i < 3; ++i)
    out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/* From the body's frame to space, or back. */
static void rotate(const double* q, int back, const double* v, double* out) {
  double u[3], t[3], s[3];
  for (int i = 0; i < 3; ++i) u[i] = back ? -q[1 + i] : q[1 + i];
  cross(u, v, t);
  cross(u, t, s);
  for (int i = 0; i < 3; ++i) out[i] = v[i] + 2 * (q[0] * t[i] + s[i]);
}

static void solve(double* b) { /* J^-1 b by Cramer's rule */
  double c[3][3], det = 0, x[3] = {0, 0, 0};
  for (int i = 0; i < 3; ++i) cross(J[(i + 1) % 3], J[(i + 2) % 3], c[i]);
  for (int i = 0; i < 3; ++i) det += J[0][i] * c[0][i];
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) x[i] += c[k][i] * b[k] / det;
  memcpy(b, x, sizeof x);
}

/* y: quaternion, angular velocity in the body's frame. */
static void rates(const double* y, double* out) {
  const double* w = y + 4;
  double g[3], m[3], Jw[3], turning[3];
  out[0] = -(y[1] * w[0] + y[2] * w[1] + y[3] * w[2]) / 2;
  cross(y + 1, w, turning);
  for (int i = 0; i < 3; ++i) out[1 + i] = (y[0] * w[i] + turning[i]) / 2;
  rotate(y, 1, gravity, g);
  cross(torque_arm, g, m);
  for (int i = 0; i < 3; ++i) Jw[i] = J[i][0] * w[0] + J[i][1] * w[1] + J[i][2] * w[2];
  cross(w, Jw, turning);
  for (int i = 0; i < 3; ++i) out[4 + i] = m[i] - turning[i];
  solve(out + 4);
}

static void step(double* y, double h) {
  static const double at[] = {0, 0.5, 0.5, 1}, weight[] = {1, 2, 2, 1};
  double k[7] = {0}, sum[7] = {0}, stage[7];
  for (int s = 0; s < 4; ++s) {
    for (int i = 0; i < 7; ++i) stage[i] = y[i] + h * at[s] * k[i];
    rates(stage, k);
    for (int i = 0; i < 7; ++i) sum[i] += h / 6 * weight[s] * k[i];
  }
  for (int i = 0; i < 7; ++i) y[i] += sum[i];
}

static double arm[3], fixed[3], start[7], begin, spacing,
    count; /* from fixed point to mass centre */
static const char* name;

static void read_mechanism(const char* text) {
  double I[6], mass, w[3], points[6];
  const char *bodies = value_of(text, "\"bodies\""), *joints = value_of(text, "\"joints\"");
  name = strchr(value_of(bodies, "\"name\""), '"') + 1;
  numbers(bodies, "\"mass\"", 1, &mass), numbers(bodies, "\"inertia\"", 6, I);
  numbers(bodies, "\"rotation\"", 4, start), numbers(bodies, "\"angular_velocity\"", 3, w);
  numbers(text, "\"gravity\"", 3, gravity);
  numbers(joints, "\"points\"", 6, points); /* of the ground, of the body */
  numbers(text, "\"begin\"", 1, &begin), numbers(text, "\"spacing\"", 1, &spacing);
  numbers(value_of(text, "\"times\""), "\"count\"", 1, &count);
  memcpy(fixed, points, sizeof fixed);
  for (int i = 0; i < 3; ++i) arm[i] = -points[3 + i];
  for (int i = 0; i < 3; ++i) {
    torque_arm[i] = mass * arm[i];
    for (int k = 0; k < 3; ++k) /* Steiner */
      J[i][k] = (i == k ? I[i] : I[2 + i + k]) - mass * arm[i] * arm[k];
    J[i][i] += mass * (arm[0] * arm[0] + arm[1] * arm[1] + arm[2] * arm[2]);
  }
  rotate(start, 1, w, start + 4);
}

static void write_row(FILE* out, double t, const double* y) {
  double r[3], v[3], w[3];
  rotate(y, 0, arm, r), rotate(y, 0, y + 4, w), cross(w, r, v);
  fprintf(out, "\n%.17g", t);
  for (int i = 0; i < 3; ++i) fprintf(out, ",%.17g", fixed[i] + r[i]);
  for (int i = 0; i < 4; ++i) fprintf(out, ",%.17g", y[i]);
  for (int i = 0; i < 3; ++i) fprintf(out, ",%.17g", v[i]);
  for (int i = 0; i < 3; ++i) fprintf(out, ",%.17g", w[i]);
}

static int refuse(const char* why) {
  fprintf(stderr, "%s\n", why);
  return 3;
}

static int integrate(const char* text, double h, const char* file) {
  static const char* columns[] = {"x",  "y",  "z",  "e0", "e1", "e2", "e3",
                                  "vx", "vy", "vz", "wx", "wy", "wz"};
  const char* kind = strstr(value_of(text, "\"bodies\""), "\"kind\"");
  if (!kind || strstr(kind + 1, "\"kind\"")) return refuse("one body only");
  read_mechanism(text);
  const long every = lround(spacing / h);
  if (every < 1 || fabs(every * h / spacing - 1) > 1e-9)
    return refuse("the step does not divide the spacing of output times");
  FILE* out = fopen(file, "w");
  if (!out) {
    perror(file);
    return 1;
  }
  fprintf(out, "t");
  for (int i = 0; i < 13; ++i) fprintf(out, ",%.*s.%s", (int)strcspn(name, "\""), name, columns[i]);
  double seconds = 0, y[7];
  memcpy(y, start, sizeof y);
  for (long k = 0; k <= count; ++k) {
    const clock_t from = clock();
    for (long i = 0; k > 0 && i < every; ++i) step(y, spacing / every);
    seconds += (double)(clock() - from) / CLOCKS_PER_SEC;
    write_row(out, begin + k * spacing, y);
  }
  fprintf(out, "\n");
  fclose(out);
  printf("{\"cpu_seconds\": %g, \"steps\": %.0f, \"evaluations\": %.0f}\n", seconds, every * count,
         4 * every * count);
  return 0;
}

int main(int argc, char** argv) {
  if (argc == 2 && !strcmp(argv[1], "--describe")) {
    puts(
        "{\"name\": \"top in C\", \"version\": \"1\", \"accepts\": [\"spherical\"],\n"
        " \"variants\": [{\"name\": \"rk4\", \"steps\": \"fixed\", \"settings\":\n"
        "  \"classical Runge-Kutta on quaternion and body rates, never normalised\"}]}");
    return 0;
  }
  FILE* in = argc == 5 && !strcmp(argv[2], "rk4") ? fopen(argv[1], "r") : NULL;
  static char text[1 << 20];
  if (!in || !fread(text, 1, sizeof text - 1, in)) {
    fprintf(stderr, "usage: %s --describe | MECHANISM.json rk4 STEP OUT.csv\n", argv[0]);
    return 2;
  }
  return integrate(text, atof(argv[3]), argv[4]);
}
