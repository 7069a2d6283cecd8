// Cells of kind "printed_tangent": Newmark's method in the tangent space literally as Fernández de
// Bustos et al. 2021 print it, against the
// reference at t_end.
//
// Keys: gamma, beta (texts, numbers); particular (text): minimum | sparse. Series h, error_q.
//   error_q   2-norm at the finest step;  slope_end   slope of log error between the two finest
//   largest_particular   the largest entry of x_p in any step that settled
//
// Names are the paper's: H the constraint Jacobian, N its null space, α the coordinates in the
// tangent space, x_p … particular solutions, X_p … those of matrices. The sign of λ is ours.
#include "experiments/cells/kinds/printed_tangent_cell.hpp"

#include <cmath>

#include "analysis/reference/reference.hpp"
#include "base/linear/dense_matrix.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/cells/support/integration.hpp"
#include "problems/system/index_one_solve.hpp"
#include "problems/system/registry.hpp"

namespace daemark {

namespace {

using Eigen::Map;
using Eigen::MatrixXd;
using Eigen::VectorXd;

}  // namespace

struct PrintedTangent::Work {
  MechanicalPtr<double> mechanism;
  double gamma, beta;
  ParticularSolution choice;
  int n, m;
  double t = 0, largest_particular = 0;
  std::vector<double> q, v, a, lambda;
  std::vector<double> residual, position, velocity, acceleration, mass, gradient, K, C, curvature;

  Work(MechanicalPtr<double> system, double gamma, double beta, ParticularSolution choice)
      : mechanism(std::move(system)),
        gamma(gamma),
        beta(beta),
        choice(choice),
        n(mechanism->coordinates()),
        m(mechanism->constraints()),
        q(n),
        v(n),
        a(n),
        lambda(m),
        residual(n),
        position(m),
        velocity(m),
        acceleration(m),
        mass(mechanism->mass_pattern().size()),
        gradient(mechanism->gradient_pattern().size()),
        K(mechanism->residual_q_pattern().size()),
        C(mechanism->residual_v_pattern().size()),
        curvature(mechanism->curvature_pattern().size()) {}

  /// The system linearised at the present guess of the step's end.
  struct Linear {
    MatrixXd M, K, C, H, H_rate, H_rate2, N;
    VectorXd R, phi, phi_rate, phi_rate2;
  };

  Linear linearise(const VectorXd& x, const VectorXd& x1, const VectorXd& x2, double time) {
    MotionPoint<double> at{time, x.data(), x1.data(), x2.data(), lambda.data()};
    MotionValues<double> out;
    out.residual = residual.data(), out.mass = mass.data(), out.gradient = gradient.data();
    const auto evaluate = [&](const ConstraintWeights<double>& w) {
      mechanism->evaluate(at, w, out);
    };
    // λ of least residual, as the null space of Hᵀ leaves it undetermined otherwise.
    std::fill(lambda.begin(), lambda.end(), 0.0);
    evaluate({});
    Linear linear;
    linear.H = dense_matrix(mechanism->gradient_pattern(), gradient);
    const VectorXd without = Map<VectorXd>(residual.data(), n);
    const VectorXd found = least_squares_transposed(linear.H, -without);
    std::copy_n(found.data(), m, lambda.begin());
    out.position = position.data(), out.velocity = velocity.data();
    out.acceleration = acceleration.data();
    out.residual_q = K.data(), out.residual_v = C.data(), out.curvature_q = curvature.data();
    evaluate({0, 1, 0});
    linear.H_rate = dense_matrix(mechanism->curvature_pattern(), curvature);
    evaluate({0, 0, 1});
    linear.H_rate2 = dense_matrix(mechanism->curvature_pattern(), curvature);
    linear.M = dense_matrix(mechanism->mass_pattern(), mass);
    linear.K = dense_matrix(mechanism->residual_q_pattern(), K);
    linear.C = dense_matrix(mechanism->residual_v_pattern(), C);
    linear.R = Map<VectorXd>(residual.data(), n);
    linear.phi = Map<VectorXd>(position.data(), m);
    linear.phi_rate = Map<VectorXd>(velocity.data(), m);
    linear.phi_rate2 = Map<VectorXd>(acceleration.data(), m);
    linear.N = null_space(linear.H);
    return linear;
  }

  MatrixXd particular(const MatrixXd& H, const MatrixXd& b) const {
    return choice == ParticularSolution::minimum ? least_norm_solution(H, b) : basic_solution(H, b);
  }

  bool iterate(double h);
};

bool PrintedTangent::Work::iterate(double h) {
  const VectorXd x_old = Map<VectorXd>(q.data(), n), x1_old = Map<VectorXd>(v.data(), n),
                 x2_old = Map<VectorXd>(a.data(), n);
  VectorXd x = x_old, x1 = x1_old, x2 = x2_old;
  constexpr int most = 50;
  double best = 1e300;
  for (int iteration = 0, stalled = 0; iteration < most; ++iteration) {
    const Linear l = linearise(x, x1, x2, t + h);
    const auto solve = [&](const MatrixXd& b) { return particular(l.H, b); };
    const MatrixXd N_T = l.N.transpose();
    const VectorXd x_p = solve(l.H * x - l.phi);                                 // (33)
    const VectorXd x1_p = solve(-l.phi_rate + l.H * x1 + l.H_rate * (x - x_p));  // (39)
    const MatrixXd X1 = solve(-l.H_rate * l.N);                                  // (40)
    const VectorXd x2_p = solve(-l.phi_rate2 + l.H_rate2 * (x - x_p) + 2 * l.H_rate * (x1 - x1_p) +
                                l.H * x2);                                // (46)
    const MatrixXd X2 = solve(-2 * l.H_rate * X1 - l.H_rate2 * l.N);      // (47)
    const VectorXd al = N_T * (x_old - x_p);                              // (56)
    const VectorXd al1 = N_T * (x1_old - x1_p - X1 * al);                 // (57)
    const VectorXd al2 = N_T * (x2_old - x2_p - X2 * al - 2 * X1 * al1);  // (58)
    // Newmark's formulas in α, with α̈₊ the unknown of the equilibrium (52).
    const VectorXd base = al + h * al1 + h * h * (0.5 - beta) * al2,
                   base1 = al1 + h * (1 - gamma) * al2;
    const MatrixXd M_R = N_T * l.M * l.N, C_R = N_T * (l.C * l.N + 2 * l.M * X1),
                   K_R = N_T * (l.K * l.N + l.C * X1 + l.M * X2);
    const VectorXd known = N_T * (l.R + l.K * (x_p - x) + l.C * (x1_p - x1) + l.M * (x2_p - x2));
    const VectorXd end2 = regular_solution(M_R + h * gamma * C_R + h * h * beta * K_R,
                                           -(known + C_R * base1 + K_R * base));
    const VectorXd end = base + h * h * beta * end2, end1 = base1 + h * gamma * end2;
    const VectorXd dx = x_p + l.N * end - x, dx1 = x1_p + l.N * end1 + X1 * end - x1,
                   dx2 = x2_p + X2 * end + 2 * X1 * end1 + l.N * end2 - x2;
    x += dx, x1 += dx1, x2 += dx2;
    const double change = std::max({dx.cwiseAbs().maxCoeff(), h * dx1.cwiseAbs().maxCoeff(),
                                    h * h * dx2.cwiseAbs().maxCoeff()});
    if (!std::isfinite(change)) return false;
    stalled = change > best / 2 ? stalled + 1 : 0;
    best = std::min(best, change);
    if (change <= 1e-14 || (stalled >= 2 && change <= 1e-9)) {
      largest_particular = std::max(largest_particular, x_p.cwiseAbs().maxCoeff());
      std::copy_n(x.data(), n, q.begin());
      std::copy_n(x1.data(), n, v.begin());
      std::copy_n(x2.data(), n, a.begin());
      t += h;
      return true;
    }
  }
  return false;
}

PrintedTangent::PrintedTangent(MechanicalPtr<double> mechanism, double gamma, double beta,
                               ParticularSolution choice)
    : work_(std::make_unique<Work>(std::move(mechanism), gamma, beta, choice)) {}
PrintedTangent::~PrintedTangent() = default;

bool PrintedTangent::start() {
  Work& w = *work_;
  w.mechanism->initial(w.q.data(), w.v.data());
  w.t = 0;
  return IndexOneSolve<double>(*w.mechanism)
      .solve(*w.mechanism, {0, w.q.data(), w.v.data()}, {0, 0, 1}, w.a.data(), w.lambda.data());
}
bool PrintedTangent::step(double h) { return work_->iterate(h); }

double PrintedTangent::largest_particular() const { return work_->largest_particular; }
const std::vector<double>& PrintedTangent::q() const { return work_->q; }
const std::vector<double>& PrintedTangent::v() const { return work_->v; }
const std::vector<double>& PrintedTangent::a() const { return work_->a; }

namespace {

void check(const Cell& cell) {
  if (cell.text("particular") != "minimum" && cell.text("particular") != "sparse")
    throw BadInput("particular = '" + cell.text("particular") +
                   "' is not accepted: minimum, sparse");
  number(cell.text("gamma"), "gamma"), number(cell.text("beta"), "beta");
  check_divides(cell.h, cell.t_end);
}

CellResult run_printed(const Cell& cell) {
  CellResult result;
  const auto choice = cell.text("particular") == "sparse" ? ParticularSolution::sparse
                                                          : ParticularSolution::minimum;
  constexpr int digits_for_double = 25;
  const double t_end = number(cell.t_end, "t_end");
  const ReferenceState reference =
      reference_states(problem_registry().make(cell.problem), {cell.t_end}, digits_for_double)
          .front();
  auto &hs = result.series["h"], &errors = result.series["error_q"];
  for (const std::string& text : cell.h) {
    const double h = number(text, "h");
    PrintedTangent method(problem_registry().make(cell.problem).make<double>(),
                          number(cell.text("gamma"), "gamma"), number(cell.text("beta"), "beta"),
                          choice);
    bool good = method.start();
    const long steps = std::lround(t_end / h);
    for (long i = 0; i < steps && good; ++i) good = method.step(h), result.t = h * (i + 1.0);
    double& largest = result.measures["largest_particular"];
    largest = std::max(largest, method.largest_particular());
    double square = 0;
    for (std::size_t i = 0; i < reference.q.size(); ++i)
      square += std::pow(method.q()[i] - to_double(reference.q[i]), 2);
    hs.push_back(h);
    errors.push_back(good ? std::sqrt(square) : std::nan(""));
    if (good) continue;
    result.status = "newton_diverged";
    result.why = "the iteration does not settle at h = " + text;
  }
  const std::size_t last = errors.size() - 1;
  result.measures["error_q"] = errors[last];
  result.measures["slope_end"] =
      std::log(errors[last - 1] / errors[last]) / std::log(hs[last - 1] / hs[last]);
  return result;
}

}  // namespace

void register_printed_tangent_cell(CellKinds& kinds) {
  using Type = CellKey::Type;
  CellKind kind;
  kind.id = "printed_tangent";
  kind.keys = {required(key_problem()),
               required({"t_end"}),
               required({"h", Type::steps}, CellKey::Count::several),
               required({"gamma"}),
               required({"beta"}),
               {"particular"}};
  kind.measures = {{"{error_q,largest_particular}", "?"}, {"slope_end", ""}};
  kind.compute = run_printed;
  kind.commands = [](const Cell& cell) -> Commands {  // what the cell compares with
    return {"daemark reference " + shell_word(cell.problem) + " --t " + shell_word(cell.t_end)};
  };
  kind.cost = [](const Cell& cell) {
    double steps = 0;
    for (const std::string& h : cell.h) steps += number(cell.t_end, "t_end") / number(h, "h");
    return 200 * steps;
  };
  kind.check_more = check;
  kind.reference_times = [](const Cell& cell) { return std::vector<std::string>{cell.t_end}; };
  kinds.add(std::move(kind));
}

}  // namespace daemark
