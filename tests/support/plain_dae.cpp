#include "tests/support/plain_dae.hpp"

#include <algorithm>

namespace daemark::test {
namespace {

using Row = std::vector<real50>;

/// Gaussian elimination with row pivoting; the solution replaces `b`.
void solve(std::vector<Row> a, Row& b) {
  const std::size_t n = b.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k; i < n; ++i)
      if (abs(a[i][k]) > abs(a[pivot][k])) pivot = i;
    if (a[pivot][k] == 0) throw PlainFailure("singular matrix");
    std::swap(a[k], a[pivot]);
    std::swap(b[k], b[pivot]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const real50 factor = a[i][k] / a[k][k];
      if (factor == 0) continue;
      for (std::size_t j = k; j < n; ++j) a[i][j] -= factor * a[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) b[k] -= a[k][j] * b[j];
    b[k] /= a[k][k];
  }
}

/// Rates of one stage.
struct Rates {
  Row q, v, lambda;
};

Row equations(PlainModel& model, const real50& t, const Row& q, const Row& v, const Row& a,
              const Row& lambda, int level) {
  Row out(model.n + model.m);
  model.evaluate(t, q.data(), v.data(), a.data(), lambda.data(), level, out.data(),
                 out.data() + model.n);
  return out;
}

/// a and λ from the equations of motion and Φ̈ = 0, which are linear in them.
Rates index_one(PlainModel& model, const real50& t, const Row& q, const Row& v) {
  const int n = model.n, m = model.m;
  Rates out{v, Row(n), Row(m)};
  Row right = equations(model, t, q, v, out.v, out.lambda, 2);
  std::vector<Row> matrix(n + m, Row(n + m));
  for (int k = 0; k < n + m; ++k) {
    real50& unknown = k < n ? out.v[k] : out.lambda[k - n];
    unknown = 1;
    const Row column = equations(model, t, q, v, out.v, out.lambda, 2);
    unknown = 0;
    for (int i = 0; i < n + m; ++i) matrix[i][k] = column[i] - right[i];
  }
  for (real50& x : right) x = -x;
  solve(std::move(matrix), right);
  std::copy_n(right.begin(), n, out.v.begin());
  std::copy_n(right.begin() + n, m, out.lambda.begin());
  return out;
}

class Step {
 public:
  Step(PlainModel& model, const WideTableau& tableau, int index, const real50& h)
      : model_(model), level_(3 - index), h_(h), n_(model.n), m_(model.m) {
    for (const auto& row : tableau.A) {
      a_.emplace_back();
      for (const wide& x : row) a_.back().push_back(static_cast<real50>(x));
    }
    for (const wide& x : tableau.b) b_.push_back(static_cast<real50>(x));
    for (const wide& x : tableau.c) c_.push_back(static_cast<real50>(x));
    first_ =
        std::all_of(a_[0].begin(), a_[0].end(), [](const real50& x) { return x == 0; }) ? 1 : 0;
    stiffly_accurate_ = a_.back() == b_;
  }

  /// `rates`: those at the beginning, then at the end.
  void take(PlainState& state, Rates& rates, bool carry) {
    const int s = static_cast<int>(b_.size());
    stages_.assign(s, rates);  // the guess, and the explicit first stage
    real50 last = 1;
    for (int iteration = 0; s > first_; ++iteration) {
      if (iteration == most_iterations) throw PlainFailure("Newton does not settle");
      const real50 size = improve(state);
      if (size < real50(1e-20) && size >= last / 10) break;  // on the round-off of the increments
      last = size;
    }
    for (int i = 0; i < s; ++i)
      for (int k = 0; k < n_; ++k) {
        state.q[k] += h_ * b_[i] * stages_[i].q[k];
        state.v[k] += h_ * b_[i] * stages_[i].v[k];
      }
    state.t += h_;
    const bool own = stiffly_accurate_ && (first_ == 0 || carry);
    rates = own ? stages_.back() : index_one(model_, state.t, state.q, state.v);
    state.a = rates.v;
    state.lambda = rates.lambda;
  }

 private:
  static constexpr int most_iterations = 60;

  /// One Newton iteration on all implicit stages; the relative size of the increment.
  real50 improve(const PlainState& state) {
    const int s = static_cast<int>(b_.size()), size = 2 * n_ + m_, all = size * (s - first_);
    std::vector<Row> jacobian(all, Row(all));
    Row residual(all);
    for (int i = first_; i < s; ++i) fill(i, state, jacobian, residual);
    solve(std::move(jacobian), residual);
    real50 largest = 0;
    for (int i = first_; i < s; ++i) {
      const real50* d = &residual[size * (i - first_)];
      const auto move = [&](Row& x) {
        for (real50& value : x) {
          value -= *d;
          largest = std::max(largest, real50(abs(*d) / (1 + abs(value))));
          ++d;
        }
      };
      move(stages_[i].q), move(stages_[i].v), move(stages_[i].lambda);
    }
    return largest;
  }

  /// q̇ − v, the equations of motion and the constraint of stage i, with derivatives by the rates
  /// of all stages.
  void fill(int i, const PlainState& state, std::vector<Row>& jacobian, Row& residual) {
    const int s = static_cast<int>(b_.size()), size = 2 * n_ + m_, at = size * (i - first_);
    Rates& r = stages_[i];
    Row q = state.q, v = state.v;
    for (int j = 0; j < s; ++j)
      for (int k = 0; k < n_; ++k) {
        q[k] += h_ * a_[i][j] * stages_[j].q[k];
        v[k] += h_ * a_[i][j] * stages_[j].v[k];
      }
    const real50 t = state.t + c_[i] * h_;
    const Row here = equations(model_, t, q, v, r.v, r.lambda, level_);
    for (int k = 0; k < n_; ++k) residual[at + k] = r.q[k] - v[k];
    std::copy(here.begin(), here.end(), residual.begin() + at + n_);
    const auto column = [&](real50& x) {
      const real50 kept = x, step = real50(1e-17) * (1 + abs(x));
      x += step;
      Row out = equations(model_, t, q, v, r.v, r.lambda, level_);
      const real50 taken = x - kept;
      x = kept;
      for (std::size_t row = 0; row < out.size(); ++row) out[row] = (out[row] - here[row]) / taken;
      return out;
    };
    const auto add = [&](int to, const Row& entries, const real50& factor) {
      for (int row = 0; row < n_ + m_; ++row) jacobian[at + n_ + row][to] += factor * entries[row];
    };
    for (int k = 0; k < n_; ++k) {
      const Row by_q = column(q[k]), by_v = column(v[k]);
      for (int j = first_; j < s; ++j) {
        const int to = size * (j - first_);
        const real50 ha = h_ * a_[i][j];
        jacobian[at + k][to + n_ + k] -= ha;
        add(to + k, by_q, ha);
        add(to + n_ + k, by_v, ha);
      }
      jacobian[at + k][at + k] += 1;
      add(at + n_ + k, column(r.v[k]), 1);
    }
    for (int k = 0; k < m_; ++k) add(at + 2 * n_ + k, column(r.lambda[k]), 1);
  }

  PlainModel& model_;
  int level_;
  real50 h_;
  int n_, m_, first_ = 0;
  std::vector<Row> a_;
  Row b_, c_;
  bool stiffly_accurate_ = false;
  std::vector<Rates> stages_;
};

}  // namespace

void PlainPendulum::evaluate(const real50&, const real50* q, const real50* v, const real50* a,
                             const real50* lambda, int level, real50* residual,
                             real50* constraint) {
  residual[0] = mass_ * a[0] + 2 * q[0] * lambda[0];
  residual[1] = mass_ * a[1] + 2 * q[1] * lambda[0] + mass_ * gravity_;
  const real50 qq = q[0] * q[0] + q[1] * q[1], qv = q[0] * v[0] + q[1] * v[1];
  *constraint = level == 0   ? real50(qq - length_ * length_)
                : level == 1 ? real50(2 * qv)
                             : real50(2 * (v[0] * v[0] + v[1] * v[1] + q[0] * a[0] + q[1] * a[1]));
}

PlainState plain_integration(PlainModel& model, PlainState state, const WideTableau& tableau,
                             int index, bool carry, int steps, const real50& h) {
  Step step(model, tableau, index, h);
  Rates rates = index_one(model, state.t, state.q, state.v);
  for (int i = 0; i < steps; ++i) step.take(state, rates, carry);
  return state;
}

}  // namespace daemark::test
