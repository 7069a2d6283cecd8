#include "tests/support/mechanism_checks.hpp"

#include <gtest/gtest.h>

#include "base/graph/taylor_series.hpp"

namespace daemark::test {
namespace {

constexpr double difference_bound = 1e-35;
/// Two ways of summing some hundred products differ by that many roundings at most.
const double rounding_bound = 1000 * unit_roundoff<real50>();

using Values = std::vector<real50>;

Values matrix_product(const Values& A, const Values& x, bool transposed, int rows, int cols) {
  Values result(transposed ? cols : rows, real50(0));
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < cols; ++j)
      transposed ? result[j] += A[i * cols + j] * x[i] : result[i] += A[i * cols + j] * x[j];
  return result;
}

/// ∂f_i/∂x_j, rows × x.size().
Values jacobian(int rows, Values& x, const std::function<void(real50*)>& f) {
  const int cols = static_cast<int>(x.size());
  Values result(rows * cols);
  for (int j = 0; j < cols; ++j) {
    const real50 at = x[j];
    const Values column = difference(rows, [&](const real50& offset, real50* out) {
      x[j] = at + offset;
      f(out);
    });
    x[j] = at;
    for (int i = 0; i < rows; ++i) result[i * cols + j] = column[i];
  }
  return result;
}

Values sum(const real50& a, const Values& x, const real50& b, const Values& y) {
  Values result(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) result[i] = a * x[i] + b * y[i];
  return result;
}

/// R into `residual`, C into `weighted`, each left out where null.
void evaluate_rows(MechanicalSystem<real50>& s, const MotionSample& at,
                   const ConstraintWeights<real50>& w, real50* residual, real50* weighted) {
  s.evaluate(at.view(), w, MotionValues<real50>::equations(residual, weighted));
}

/// Where a motion with these velocities and accelerations is after `offset`.
MotionSample moved(const MotionSample& at, const real50& offset) {
  MotionSample out = at;
  out.t += offset;
  for (std::size_t i = 0; i < at.q.size(); ++i) {
    out.q[i] += offset * at.v[i] + offset * offset / 2 * at.a[i];
    out.v[i] += offset * at.a[i];
  }
  return out;
}

struct Derivatives {
  Values R, C, mass, gradient, residual_q, residual_v, curvature_q, curvature_v, residual_lambda;
};

Derivatives evaluate_all(MechanicalSystem<real50>& s, const MotionSample& at,
                         const ConstraintWeights<real50>& w) {
  Derivatives d{Values(s.coordinates()),
                Values(s.constraints()),
                Values(s.mass_pattern().size()),
                Values(s.gradient_pattern().size()),
                Values(s.residual_q_pattern().size()),
                Values(s.residual_v_pattern().size()),
                Values(s.curvature_pattern().size()),
                Values(s.curvature_pattern().size()),
                Values(s.residual_lambda_pattern().size())};
  MotionValues<real50> out;
  out.residual = d.R.data(), out.weighted = d.C.data();
  out.mass = d.mass.data(), out.gradient = d.gradient.data();
  out.residual_q = d.residual_q.data(), out.residual_v = d.residual_v.data();
  out.curvature_q = d.curvature_q.data(), out.curvature_v = d.curvature_v.data();
  if (s.forces_of_multipliers()) out.residual_lambda = d.residual_lambda.data();
  s.evaluate(at.view(), w, out);
  d.residual_lambda = dense(s.residual_lambda_pattern(), d.residual_lambda);
  d.mass = dense(s.mass_pattern(), d.mass);
  d.gradient = dense(s.gradient_pattern(), d.gradient);
  d.residual_q = dense(s.residual_q_pattern(), d.residual_q);
  d.residual_v = dense(s.residual_v_pattern(), d.residual_v);
  d.curvature_q = dense(s.curvature_pattern(), d.curvature_q);
  d.curvature_v = dense(s.curvature_pattern(), d.curvature_v);
  return d;
}

}  // namespace

real50 Noise::next() {
  state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
  return real50(static_cast<double>(state_ >> 11)) / real50(4503599627370496.0) - 1;
}

std::vector<MotionSample> sample_motions(const MechanicalSystem<real50>& system, int count) {
  const int n = system.coordinates(), m = system.constraints();
  Noise noise;
  std::vector<MotionSample> samples;
  for (int k = 0; k < count; ++k) {
    MotionSample s{real50(k) / 3, Values(n), Values(n),
                   Values(n),     Values(m), Values(system.chart_size())};
    system.initial_chart(s.chart.data());
    system.initial(s.q.data(), s.v.data());
    for (real50& q : s.q) q += (k > 0 ? real50(1) / 64 : real50(0)) * noise.next();
    for (real50& v : s.v) v += noise.next();
    for (real50& a : s.a) a = noise.next();
    system.guess_multipliers(s.lambda.data());
    for (real50& lambda : s.lambda) lambda += noise.next();
    samples.push_back(std::move(s));
  }
  return samples;
}

std::vector<real50> difference(int size, const std::function<void(const real50&, real50*)>& f) {
  const real50 step = ldexp(real50(1), -40);
  Values far_up(size), up(size), down(size), far_down(size), result(size);
  f(step + step, far_up.data());
  f(step, up.data());
  f(-step, down.data());
  f(-step - step, far_down.data());
  for (int i = 0; i < size; ++i)
    result[i] = (8 * (up[i] - down[i]) - (far_up[i] - far_down[i])) / (12 * step);
  return result;
}

double largest(const std::vector<real50>& x) {
  double size = 0;
  for (const real50& value : x) size = std::max(size, std::abs(to_double(value)));
  return size;
}

void expect_close(const std::vector<real50>& x, const std::vector<real50>& y, double bound,
                  const char* what, double terms) {
  ASSERT_EQ(x.size(), y.size()) << what;
  const double size = std::max({1.0, terms, largest(x), largest(y)});
  for (std::size_t i = 0; i < x.size(); ++i)
    EXPECT_LE(std::abs(to_double(real50(x[i] - y[i]))), bound * size)
        << what << ", entry " << i << ": " << to_double(x[i]) << " and " << to_double(y[i]);
}

std::vector<real50> dense(const Pattern& pattern, const std::vector<real50>& values) {
  Values result(pattern.rows * pattern.cols, real50(0));
  for (int k = 0; k < pattern.size(); ++k)
    result[pattern.entries[k].first * pattern.cols + pattern.entries[k].second] += values[k];
  return result;
}

void check_derivatives(MechanicalSystem<real50>& s, const MotionSample& at) {
  const int n = s.coordinates(), m = s.constraints();
  const ConstraintWeights<real50> w{real50(3) / 10, real50(7) / 10, real50(11) / 10};
  const Derivatives d = evaluate_all(s, at, w);
  MotionSample moving = at;
  Values none(n + m);
  const auto residual = [&](real50* out) { evaluate_rows(s, moving, w, out, out + n); };
  // Rows of one Jacobian: n of R, then m of C.
  const auto split = [&](const Values& both, bool upper) {
    return upper ? Values(both.begin(), both.begin() + n * n)
                 : Values(both.begin() + n * n, both.end());
  };
  Values plain(n + m);
  residual(plain.data());
  const double terms = largest(plain);
  expect_close(d.R, Values(plain.begin(), plain.begin() + n), rounding_bound, "R with derivatives");
  expect_close(d.C, Values(plain.begin() + n, plain.end()), rounding_bound, "C with derivatives");

  // Rows of velocities: with the weights of their level.
  Values of_position(n * m), of_velocity(n * m);
  for (int r = 0; r < m; ++r) {
    const bool velocity = s.row_level(r) == RowLevel::velocity;
    const ConstraintWeights<real50> own = velocity ? w.of_velocity_rows() : w;
    for (int j = 0; j < n; ++j) {
      of_position[r * n + j] = own.position * d.gradient[r * n + j];
      of_velocity[r * n + j] = own.velocity * d.gradient[r * n + j];
    }
  }
  const Values by_q = jacobian(n + m, moving.q, residual);
  expect_close(d.residual_q, split(by_q, true), difference_bound, "dR/dq", terms);
  expect_close(sum(1, of_position, 1, d.curvature_q), split(by_q, false), difference_bound, "dC/dq",
               terms);
  const Values by_v = jacobian(n + m, moving.v, residual);
  expect_close(d.residual_v, split(by_v, true), difference_bound, "dR/dv", terms);
  expect_close(sum(1, of_velocity, 1, d.curvature_v), split(by_v, false), difference_bound, "dC/dv",
               terms);
  const Values by_a = jacobian(n + m, moving.a, residual);
  expect_close(d.mass, split(by_a, true), difference_bound, "dR/da", terms);
  expect_close(sum(w.acceleration, d.gradient, 0, d.gradient), split(by_a, false), difference_bound,
               "dC/da", terms);
  if (m == 0) return;
  Values transposed(n * m);
  for (int i = 0; i < n; ++i)
    for (int r = 0; r < m; ++r) transposed[i * m + r] = d.gradient[r * n + i];
  if (s.forces_of_multipliers()) transposed = sum(1, transposed, 1, d.residual_lambda);
  const Values by_lambda = jacobian(n + m, moving.lambda, residual);
  expect_close(transposed, Values(by_lambda.begin(), by_lambda.begin() + n * m), difference_bound,
               "dR/dlambda", terms);

  Values stiffness(s.residual_q_pattern().size());
  s.multiplier_stiffness(at.view(), stiffness.data());
  const Values by_position = jacobian(n, moving.q, [&](real50* out) {
    Values gradient(s.gradient_pattern().size());
    MotionValues<real50> values;
    values.gradient = gradient.data();
    s.evaluate(moving.view(), w, values);
    const Values reaction =
        matrix_product(dense(s.gradient_pattern(), gradient), at.lambda, true, m, n);
    std::copy(reaction.begin(), reaction.end(), out);
  });
  expect_close(dense(s.residual_q_pattern(), stiffness), by_position, difference_bound,
               "multiplier stiffness");
}

void check_rates_of_constraints(MechanicalSystem<real50>& s, const MotionSample& at) {
  const int m = s.constraints();
  int lowest = 0;
  const auto level = [&](int which, const real50& offset, real50* out) {
    MotionValues<real50> levels;
    (which == 0 ? levels.position : which == 1 ? levels.velocity : levels.acceleration) = out;
    s.evaluate(moved(at, offset).view(), {}, levels);
    for (int r = 0; r < m; ++r)  // no Φ stands behind a row of velocities
      if (lowest == 0 && s.row_level(r) == RowLevel::velocity) out[r] = 0;
  };
  for (lowest = 0; lowest < 2; ++lowest) {
    const int which = lowest;
    Values before(m), next(m);
    level(which, 0, before.data());
    level(which + 1, 0, next.data());
    expect_close(next, difference(m, [&](const real50& o, real50* out) { level(which, o, out); }),
                 difference_bound, which == 0 ? "rate of Phi" : "second rate of Phi",
                 largest(before));
  }
}

void check_record(MechanicalSystem<real50>& s, const MotionSample& at) {
  const int n = s.coordinates(), m = s.constraints();
  graph::Graph recorded;
  const auto t = recorded.input();
  const auto q = recorded.inputs(n), v = recorded.inputs(n), a = recorded.inputs(n),
             lambda = recorded.inputs(m);
  std::vector<Var> R(n), Phi(m);
  s.record(recorded, q.data(), v.data(), a.data(), lambda.data(), t, R.data(), Phi.data());
  graph::TaylorSeries<real50> program(recorded, {R, Phi}, 1);
  int next = 0;
  const auto put = [&](const real50& x) { program.input(next++)[0] = x; };
  put(at.t);
  for (const Values* x : {&at.q, &at.v, &at.a, &at.lambda})
    for (const real50& value : *x) put(value);
  Values r(n), phi(m), recorded_r(n), recorded_phi(m);
  evaluate_rows(s, at, {real50(1), real50(0), real50(0)}, r.data(), phi.data());
  program.evaluate_order(0, 0);
  program.evaluate_order(1, 0);
  for (int i = 0; i < n; ++i) recorded_r[i] = program.output(0, i)[0];
  for (int i = 0; i < m; ++i) recorded_phi[i] = program.output(1, i)[0];
  expect_close(r, recorded_r, rounding_bound, "R as recorded");
  expect_close(phi, recorded_phi, rounding_bound, "Phi as recorded");
}

void check_energy_rate(MechanicalSystem<real50>& s, const MotionSample& at) {
  const int n = s.coordinates(), m = s.constraints();
  const Values rate = difference(1, [&](const real50& offset, real50* out) {
    const MotionSample there = moved(at, offset);
    *out = s.kinetic_energy(there.view()) + s.potential_energy(there.view()) - s.work(there.view());
  });
  Values r(n), c(m);
  evaluate_rows(s, at, {real50(0), real50(1), real50(0)}, r.data(), c.data());
  real50 expected = s.has_power() ? s.power(at.view()) : real50(0);
  real50 size = abs(expected);
  for (int i = 0; i < n; ++i) expected += at.v[i] * r[i], size += abs(at.v[i] * r[i]);
  for (int i = 0; i < m; ++i) expected -= at.lambda[i] * c[i], size += abs(at.lambda[i] * c[i]);
  EXPECT_LE(std::abs(to_double(real50(rate[0] - expected))),
            difference_bound * (1 + to_double(size)))
      << "energy rate " << to_double(rate[0]) << ", from the equations " << to_double(expected);
}

void check_mass(MechanicalSystem<real50>& s, const MotionSample& at) {
  const int n = s.coordinates();
  const Derivatives d = evaluate_all(s, at, {real50(0), real50(0), real50(1)});
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j)
      EXPECT_LE(std::abs(to_double(real50(d.mass[i * n + j] - d.mass[j * n + i]))),
                rounding_bound * (1 + std::abs(to_double(d.mass[i * n + j]))))
          << "mass matrix entry " << i << ", " << j;
  MotionSample moving = at;
  const Values momentum =
      jacobian(1, moving.v, [&](real50* out) { *out = s.kinetic_energy(moving.view()); });
  expect_close(momentum, matrix_product(d.mass, at.v, false, n, n), difference_bound, "momentum");
}

void check_jacobians(ImplicitSystem<real50>& s, std::vector<real50> y, std::vector<real50> rate,
                     const real50& t) {
  const int rows = s.unknowns();
  Values by_y(s.pattern_y().size()), by_rate(s.pattern_rate().size()), r(rows), plain(rows);
  const SystemPoint<real50> point{y.data(), rate.data(), t};
  s.evaluate(point, r.data(), by_y.data(), by_rate.data());
  const auto residual = [&](real50* out) { s.evaluate(point, out, nullptr, nullptr); };
  residual(plain.data());
  expect_close(r, plain, rounding_bound, "residual with derivatives");
  ASSERT_EQ(s.pattern_y().rows, rows);
  ASSERT_EQ(s.pattern_y().cols, s.size());
  expect_close(dense(s.pattern_y(), by_y), jacobian(rows, y, residual), difference_bound, "dr/dy",
               largest(plain));
  expect_close(dense(s.pattern_rate(), by_rate), jacobian(rows, rate, residual), difference_bound,
               "dr/drate", largest(plain));
}

}  // namespace daemark::test
