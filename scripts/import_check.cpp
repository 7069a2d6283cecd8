// States and accelerations of a model as MuJoCo has them, for scripts/import_check.py:
//   import_check MODEL.xml COUNT
// One line for the start, then one for each of COUNT random states (seeded) that satisfy the
// equalities: for each body with joints x, R by rows, v, omega, a and alpha of its frame, in space.
// Contact, limits, dry friction and motors are off. Equalities hold exactly: the accelerations
// solve M a + J' lambda = f, J a = -(dJ/dt) v with MuJoCo's M, f and J; dJ/dt v is a central
// difference.
#include <mujoco/mujoco.h>

#include <Eigen/Dense>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;

mjModel* m = nullptr;
mjData* d = nullptr;

/// The shortest; rows that follow from others may differ by rounding.
Vector solved(const Matrix& A, const Vector& b) {
  Eigen::CompleteOrthogonalDecomposition<Matrix> by;
  by.setThreshold(1e-10);
  return by.compute(A).solve(b);
}

void update() { mj_fwdPosition(m, d), mj_fwdVelocity(m, d); }
Matrix rows() { return Eigen::Map<Matrix>(d->efc_J, d->nefc, m->nv); }
Vector gaps() { return Eigen::Map<Vector>(d->efc_pos, d->nefc); }
Vector speed() { return Eigen::Map<Vector>(d->qvel, m->nv); }
void move(const Vector& by) { mj_integratePos(m, d->qpos, by.data(), 1), update(); }

/// Whether the equalities could be satisfied.
bool close_loops() {
  update();
  if (d->nefc == 0) return true;
  for (int k = 0; k < 60 && gaps().cwiseAbs().maxCoeff() > 1e-14; ++k)
    move(solved(rows(), -gaps()));
  const Vector v = speed() - solved(rows(), rows() * speed());
  Eigen::Map<Vector>(d->qvel, m->nv) = v;
  update();
  return gaps().cwiseAbs().maxCoeff() < 1e-12;
}

Vector accelerations() {
  Matrix M(m->nv, m->nv);
  mj_fullM(m, M.data(), d->qM);
  const Vector f =
      Eigen::Map<Vector>(d->qfrc_passive, m->nv) - Eigen::Map<Vector>(d->qfrc_bias, m->nv);
  if (d->nefc == 0) return M.ldlt().solve(f);
  const Matrix J = rows();
  const Vector v = speed();
  const std::vector<double> q(d->qpos, d->qpos + m->nq);
  constexpr double h = 1e-5;
  Vector drift = Vector::Zero(J.rows());
  for (const double side : {h, -h}) {
    move(side * v);
    drift += rows() * v / (2 * side);
    std::copy(q.begin(), q.end(), d->qpos);
  }
  update();
  const int n = m->nv, rank_rows = static_cast<int>(J.rows());
  Matrix K = Matrix::Zero(n + rank_rows, n + rank_rows);
  K << M, J.transpose(), J, Matrix::Zero(rank_rows, rank_rows);
  Vector right(n + rank_rows);
  right << f, -drift;
  return solved(K, right).head(n);
}

void print(const mjtNum* x, int count) {
  for (int i = 0; i < count; ++i) std::printf(" %.17g", x[i]);
}

void print_state() {
  Eigen::Map<Vector>(d->qacc, m->nv) = accelerations();
  mj_rnePostConstraint(m, d);
  for (int b = 1; b < m->nbody; ++b) {
    if (m->body_dofnum[b] == 0) continue;
    mjtNum v[6], a[6];
    mj_objectVelocity(m, d, mjOBJ_XBODY, b, v, 0);
    mj_objectAcceleration(m, d, mjOBJ_XBODY, b, a, 0);
    if ((m->opt.disableflags & mjDSBL_GRAVITY) == 0)  // MuJoCo's world falls upwards
      for (int i = 0; i < 3; ++i) a[3 + i] += m->opt.gravity[i];
    print(d->xpos + 3 * b, 3), print(d->xmat + 9 * b, 9);
    print(v + 3, 3), print(v, 3), print(a + 3, 3), print(a, 3);
  }
  std::printf("\n");
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) return 2;
  mju_user_warning = [](const char* text) { std::fprintf(stderr, "%s\n", text); };
  char error[1000] = "";
  m = mj_loadXML(arguments[1], nullptr, error, sizeof error);
  if (m == nullptr) return std::fprintf(stderr, "%s\n", error), 2;
  d = mj_makeData(m);
  m->opt.disableflags |=
      mjDSBL_CONTACT | mjDSBL_LIMIT | mjDSBL_FRICTIONLOSS | mjDSBL_ACTUATION | mjDSBL_WARMSTART;
  m->opt.jacobian = mjJAC_DENSE;
  for (int b = 1; b < m->nbody; ++b)
    if (m->body_dofnum[b] > 0)
      std::printf("%s ", mj_id2name(m, mjOBJ_BODY, b) ? mj_id2name(m, mjOBJ_BODY, b) : "?");
  std::printf("\n");
  update();
  print_state();
  std::mt19937_64 random(1);
  const auto uniform = [&] { return static_cast<double>(random() >> 11) / 0x1p52 - 1; };
  int left = std::atoi(arguments[2]);
  for (int tried = 0; left > 0 && tried < 10000; ++tried) {
    mj_resetData(m, d);
    Vector by(m->nv);
    for (double& x : by) x = 0.5 * uniform();
    for (int i = 0; i < m->nv; ++i) d->qvel[i] = uniform();
    move(by);
    if (!close_loops()) continue;
    print_state(), --left;
  }
  return left == 0 ? 0 : 1;
}
