#include "analysis/reference/taylor_reference.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <boost/multiprecision/eigen.hpp>
#include <cmath>
#include <numeric>

#include "base/program/progress.hpp"
#include "base/program/stop.hpp"
#include "base/text/bad_input.hpp"

namespace daemark {
namespace {

enum Group { constraint_group, velocity_group, residual_group };

template <class S>
double log_accuracy(int digits) {
  const double roundoff = std::log(unit_roundoff<S>());
  return digits == 0 ? roundoff : std::max(roundoff, -digits * std::log(10.0));
}

std::vector<char> padded(std::vector<char> levels, int size) {
  levels.resize(size, false);
  return levels;
}

/// For which rows of a mechanism the rate is recorded.
template <class S>
std::vector<char> levels_of(const MechanicalSystem<S>& system) {
  std::vector<char> levels;
  for (int row = 0; row < system.constraints(); ++row)
    levels.push_back(system.row_level(row) == RowLevel::velocity);
  return levels;
}

template <class S>
double largest_magnitude(const std::vector<S>& values) {
  using std::abs;
  S largest(0);
  for (const S& x : values) largest = std::max(largest, S(abs(x)));
  return to_double(largest);
}

template <class S>
bool finite(const std::vector<S>& values) {
  return std::all_of(values.begin(), values.end(), [](const S& x) {
    return x - x == 0;  // NOLINT(misc-redundant-expression): not of infinity and what is no number
  });
}

// The step to 10 bits, downwards: the same on every machine whatever its exp and log round to.
double shortened(double h) {
  int exponent = 0;
  const double mantissa = std::frexp(h, &exponent);
  return std::ldexp(std::floor(std::ldexp(mantissa, 10)), exponent - 10);
}

}  // namespace

template <class S>
struct TaylorIntegrator<S>::Matrix {
  Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic> entries;
  Eigen::FullPivLU<Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic>> factors;
  Eigen::Matrix<S, Eigen::Dynamic, 1> right, solution;
};

template <class S>
TaylorIntegrator<S>::Recorded::Recorded(int n, const std::vector<char>& velocity_rows,
                                        const MotionRecorder<S>& record)
    : groups(3) {
  const int m = static_cast<int>(velocity_rows.size());
  groups[residual_group].resize(n);
  std::vector<Var> rows(m);
  const auto q = graph.inputs(n), v = graph.inputs(n), a = graph.inputs(n),
             lambda = graph.inputs(m);
  const auto t = graph.input();
  record(graph, q.data(), v.data(), a.data(), lambda.data(), t, groups[residual_group].data(),
         rows.data());
  for (int i = 0; i < m; ++i)
    groups[velocity_rows[i] ? velocity_group : constraint_group].push_back(rows[i]);
}

template <class S>
TaylorIntegrator<S>::TaylorIntegrator(int n, const std::vector<char>& velocity_rows,
                                      Recorded&& recorded, int order, int digits)
    : n_(n),
      m_(static_cast<int>(velocity_rows.size())),
      log_accuracy_(log_accuracy<S>(digits)),
      order_(std::max(4, order == 0 ? static_cast<int>(std::lround(-0.6 * log_accuracy_)) : order)),
      program_(recorded.graph, recorded.groups, order_),
      matrix_(std::make_shared<Matrix>()) {
  int positions = 0, velocities = 0;
  for (const char of_velocities : velocity_rows)
    rows_.push_back(of_velocities ? Row{velocity_group, velocities++, 1}
                                  : Row{constraint_group, positions++, 2});
}

template <class S>
TaylorIntegrator<S>::TaylorIntegrator(int coordinates, int constraints,
                                      const MotionRecorder<S>& record, int order,
                                      std::vector<char> velocity_rows, int digits)
    : TaylorIntegrator(coordinates, padded(velocity_rows, constraints),
                       Recorded(coordinates, padded(velocity_rows, constraints), record), order,
                       digits) {}

template <class S>
TaylorIntegrator<S>::TaylorIntegrator(MechanicalSystem<S>& system, int order, int digits)
    : TaylorIntegrator(
          system.coordinates(), system.constraints(),
          [&system](graph::Graph& graph, const Var* q, const Var* v, const Var* a,
                    const Var* lambda, const Var& t, Var* R,
                    Var* Phi) { system.record(graph, q, v, a, lambda, t, R, Phi); },
          order, levels_of(system), digits) {}

template <class S>
std::vector<TaylorState<S>> TaylorIntegrator<S>::integrate(const S& t0, const std::vector<S>& q0,
                                                           const std::vector<S>& v0,
                                                           const std::vector<S>& times,
                                                           int most_steps) {
  std::vector<int> by_time(times.size());
  std::iota(by_time.begin(), by_time.end(), 0);
  std::stable_sort(by_time.begin(), by_time.end(),
                   [&](int i, int j) { return times[i] < times[j]; });
  std::vector<TaylorState<S>> states(times.size());
  std::vector<S> position = q0, velocity = v0;
  S t = t0;
  steps_ = 0;
  expand_start(t, position, velocity);
  for (const int wanted : by_time) {
    const S& target = times[wanted];
    if (!(target >= t)) throw BadInput("reference: time before the start of the motion");
    while (t < target) {
      checkpoint();
      tell_progress("Taylor series", to_double(S((t - t0) / (times[by_time.back()] - t0))));
      for (int k = 1; k <= order_ - 2; ++k) solve_order(k);
      S h = step_size();
      const bool arrives = t + h >= target;
      if (arrives) h = target - t;
      advance(h, position, velocity);
      const S before = t;
      t = arrives ? target : S(t + h);
      if (t == before || !finite(position) || !finite(velocity)) {
        throw TaylorFailure("Taylor series: motion not continued beyond t = " +
                            std::to_string(to_double(before)));
      }
      constexpr int telling = 64;
      const double way = to_double(S((t - t0) / (times[by_time.back()] - t0)));
      if (++steps_ > most_steps || (steps_ >= telling && steps_ > 2 * way * most_steps))
        throw TaylorFailure(fmt::format("Taylor series: t = {} is too far for {} steps",
                                        to_double(times[by_time.back()]), most_steps));
      expand_start(t, position, velocity);
    }
    states[wanted] = state();
  }
  return states;
}

// Order 0: the matrix, accelerations and multipliers at (t, q0, v0).
template <class S>
void TaylorIntegrator<S>::expand_start(const S& t, const std::vector<S>& q0,
                                       const std::vector<S>& v0) {
  for (int i = 0; i < n_; ++i) {
    q(i)[0] = q0[i];
    v(i)[0] = v0[i];
    a(i)[0] = 0;
  }
  for (int i = 0; i < m_; ++i) lambda(i)[0] = 0;
  time()[0] = t;
  for (const int group : {constraint_group, velocity_group, residual_group})
    program_.evaluate_order(group, 0);
  probe_matrix();
  time()[1] = 1;
  for (int i = 0; i < n_; ++i) q(i)[1] = v0[i];
  program_.evaluate_order(constraint_group, 1);
  solve_order(0);
}

// With all coefficients of order 1 zero but one, order 1 of the outputs is the partial derivative:
// columns of G, then of M and G', without cancellation.
template <class S>
void TaylorIntegrator<S>::probe_matrix() {
  for (int i = 0; i <= 3 * n_ + m_; ++i) program_.input(i)[1] = 0;
  for (const int group : {constraint_group, velocity_group, residual_group})
    program_.evaluate_order(group, 1);
  auto& entries = matrix_->entries;
  entries.resize(n_ + m_, n_ + m_);
  entries.setConstant(S(0));
  for (const auto& [group, shift] : {std::pair(constraint_group, 0), {velocity_group, n_}}) {
    for (int col = 0; col < n_; ++col) {
      S& probed = program_.input(shift + col)[1];
      probed = 1;
      program_.update_order(group, 1);
      for (int i = 0; i < m_; ++i)
        if (rows_[i].group == group) entries(n_ + i, col) = output(rows_[i])[1];
      probed = 0;  // after reading: an output may be an input itself (the row theta = 0)
    }
    program_.update_order(group, 1);
  }
  for (int col = 0; col < n_ + m_; ++col) {
    S& probed = col < n_ ? a(col)[1] : lambda(col - n_)[1];
    probed = 1;
    program_.update_order(residual_group, 1);
    for (int i = 0; i < n_; ++i) entries(i, col) = program_.output(residual_group, i)[1];
    probed = 0;
  }
  matrix_->factors.compute(entries);
  if (!matrix_->factors.isInvertible()) {
    throw TaylorFailure("Taylor series: singular matrix of accelerations and multipliers at t = " +
                        std::to_string(to_double(time()[0])));
  }
}

template <class S>
void TaylorIntegrator<S>::solve_order(int k) {
  const int second = (k + 2) * (k + 1);  // a_k = second q_{k+2}
  for (int i = 0; i < n_; ++i) {
    q(i)[k + 2] = 0;
    a(i)[k] = 0;
    v(i)[k + 1] = 0;
  }
  for (int i = 0; i < m_; ++i) lambda(i)[k] = 0;
  time()[k + 2] = 0;
  program_.evaluate_order(constraint_group, k + 2);
  program_.evaluate_order(velocity_group, k + 1);
  program_.evaluate_order(residual_group, k);
  auto& [entries, factors, right, solution] = *matrix_;
  right.resize(n_ + m_);
  for (int i = 0; i < n_; ++i) right(i) = -program_.output(residual_group, i)[k];
  for (int i = 0; i < m_; ++i) {
    const Row& row = rows_[i];
    right(n_ + i) = -(row.ahead == 2 ? second : k + 1) * output(row)[k + row.ahead];
  }
  solution = factors.solve(right);
  for (int i = 0; i < n_; ++i) {
    a(i)[k] = solution(i);
    q(i)[k + 2] = solution(i) / second;
    v(i)[k + 1] = (k + 2) * q(i)[k + 2];
  }
  for (int i = 0; i < m_; ++i) lambda(i)[k] = solution(n_ + i);
  program_.update_order(constraint_group, k + 2);
  program_.update_order(velocity_group, k + 1);
  program_.update_order(residual_group, k);
}

// The largest h at which the last two terms of q and of v are below round-off; two, because odd or
// even coefficients may vanish. Logarithms, because coefficients exceed the range of double.
template <class S>
S TaylorIntegrator<S>::step_size() const {
  using std::abs;
  using std::log;
  double log_h = 700;
  double scale_q = 1, scale_v = 1;
  for (int i = 0; i < n_; ++i) {
    scale_q = std::max(scale_q, to_double(S(abs(program_.input(i)[0]))));
    scale_v = std::max(scale_v, to_double(S(abs(program_.input(i)[1]))));
  }
  for (int k = order_ - 1; k <= order_; ++k) {
    S largest(0);
    for (int i = 0; i < n_; ++i) largest = std::max(largest, S(abs(program_.input(i)[k])));
    if (largest == 0) continue;
    const double log_term = to_double(S(log(largest)));
    log_h = std::min(log_h, (log_accuracy_ + std::log(scale_q) - log_term) / k);
    log_h = std::min(log_h, (log_accuracy_ + std::log(scale_v / k) - log_term) / (k - 1));
  }
  return S(shortened(std::exp(log_h)));
}

template <class S>
void TaylorIntegrator<S>::advance(const S& h, std::vector<S>& q0, std::vector<S>& v0) {
  for (int i = 0; i < n_; ++i) {
    const S* series = q(i);
    S position = series[order_], velocity = order_ * series[order_];
    for (int k = order_ - 1; k >= 0; --k) {
      position = position * h + series[k];
      if (k > 0) velocity = velocity * h + k * series[k];
    }
    q0[i] = position;
    v0[i] = velocity;
  }
}

template <class S>
TaylorState<S> TaylorIntegrator<S>::state() {
  TaylorState<S> result;
  result.t = time()[0];
  for (int i = 0; i < n_; ++i) {
    result.q.push_back(q(i)[0]);
    result.v.push_back(v(i)[0]);
    result.a.push_back(a(i)[0]);
  }
  std::vector<S> position(m_), velocity(m_);
  for (int i = 0; i < m_; ++i) {
    result.lambda.push_back(lambda(i)[0]);
    const S* const row = output(rows_[i]);
    if (rows_[i].ahead == 2) position[i] = row[0];
    velocity[i] = row[rows_[i].ahead == 2 ? 1 : 0];
  }
  result.position_violation = largest_magnitude(position);
  result.velocity_violation = largest_magnitude(velocity);
  return result;
}

template class TaylorIntegrator<double>;
template class TaylorIntegrator<real50>;

}  // namespace daemark
