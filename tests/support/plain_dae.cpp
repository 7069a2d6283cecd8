#include "tests/support/plain_dae.hpp"

#include <cmath>
#include <vector>

namespace daemark::test {
namespace {

using Row = std::vector<quad>;

/// Gaussian elimination with row pivoting; the solution replaces `b`.
void solve(std::vector<Row> a, Row& b) {
  const std::size_t n = b.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k; i < n; ++i)
      if (abs(a[i][k]) > abs(a[pivot][k])) pivot = i;
    std::swap(a[k], a[pivot]);
    std::swap(b[k], b[pivot]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const quad factor = a[i][k] / a[k][k];
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

/// Rates of one stage: q̇, v̇ and the multiplier.
struct Rates {
  std::array<quad, 2> q{}, v{};
  quad lambda{};
};

/// v̇ and λ from the second derivative of the constraint: v·v + q·v̇ = 0.
Rates index_one(const PlainPendulum& at) {
  Rates out;
  out.q = at.v;
  const quad square = at.q[0] * at.q[0] + at.q[1] * at.q[1];
  const quad m = at.mass, speed = at.v[0] * at.v[0] + at.v[1] * at.v[1];
  out.lambda = m * (speed - at.q[1] * at.gravity) / (2 * square);
  out.v = {-2 * at.q[0] * out.lambda / m, -at.gravity - 2 * at.q[1] * out.lambda / m};
  return out;
}

class Step {
 public:
  Step(const WideTableau& tableau, int index, const quad& h) : index_(index), h_(h) {
    for (const auto& row : tableau.A) {
      a_.emplace_back();
      for (const wide& x : row) a_.back().push_back(static_cast<quad>(x));
    }
    for (const wide& x : tableau.b) b_.push_back(static_cast<quad>(x));
    first_ = 1;
    for (const quad& x : a_[0])
      if (x != 0) first_ = 0;
    stiffly_accurate_ = a_.back() == b_;
  }

  /// `rates`: those at the beginning, then at the end.
  void take(PlainPendulum& state, Rates& rates, bool carry) {
    const int s = static_cast<int>(b_.size());
    stages_.assign(s, rates);  // the guess, and the explicit first stage
    quad last = 1;
    for (int iteration = 0; iteration < 50 && s > first_; ++iteration) {
      const quad size = improve(state);
      if (size < quad(1e-20) && size > last / 10) break;  // on the round-off of the increments
      last = size;
    }
    PlainPendulum next = state;
    for (int i = 0; i < s; ++i)
      for (int k = 0; k < 2; ++k) {
        next.q[k] += h_ * b_[i] * stages_[i].q[k];
        next.v[k] += h_ * b_[i] * stages_[i].v[k];
      }
    const bool own = stiffly_accurate_ && (first_ == 0 || carry);
    rates = own ? stages_.back() : index_one(next);
    next.lambda = rates.lambda;
    state = next;
  }

 private:
  static constexpr int size = 5;  // q̇, v̇, λ

  /// One Newton iteration on all implicit stages; the size of the increment.
  quad improve(const PlainPendulum& state) {
    const int s = static_cast<int>(b_.size()), n = size * (s - first_);
    std::vector<Row> jacobian(n, Row(n, quad(0)));
    Row residual(n);
    for (int i = first_; i < s; ++i) {
      std::array<quad, 2> q = state.q, v = state.v;
      for (int j = 0; j < s; ++j)
        for (int k = 0; k < 2; ++k) {
          q[k] += h_ * a_[i][j] * stages_[j].q[k];
          v[k] += h_ * a_[i][j] * stages_[j].v[k];
        }
      fill(i, q, v, state, jacobian, residual);
    }
    solve(std::move(jacobian), residual);
    quad largest = 0;
    for (int i = first_; i < s; ++i) {
      const quad* d = &residual[size * (i - first_)];
      for (int k = 0; k < 2; ++k) stages_[i].q[k] -= d[k], stages_[i].v[k] -= d[2 + k];
      stages_[i].lambda -= d[4];
      for (int k = 0; k < size; ++k)
        if (abs(d[k]) > largest) largest = abs(d[k]);
    }
    return largest;
  }

  /// q̇ − v = 0, m v̇ + 2qλ + (0, mg) = 0 and the constraint, with derivatives by all stages' rates.
  void fill(int i, const std::array<quad, 2>& q, const std::array<quad, 2>& v,
            const PlainPendulum& data, std::vector<Row>& jacobian, Row& residual) const {
    const int s = static_cast<int>(b_.size()), at = size * (i - first_);
    const Rates& r = stages_[i];
    for (int k = 0; k < 2; ++k) {
      residual[at + k] = r.q[k] - v[k];
      residual[at + 2 + k] =
          data.mass * (r.v[k] + (k == 1 ? data.gravity : quad(0))) + 2 * q[k] * r.lambda;
    }
    const quad qq = q[0] * q[0] + q[1] * q[1], qv = q[0] * v[0] + q[1] * v[1];
    residual[at + 4] = index_ == 3 ? quad((qq - data.length * data.length) / 2)
                       : index_ == 2
                           ? qv
                           : quad(v[0] * v[0] + v[1] * v[1] + q[0] * r.v[0] + q[1] * r.v[1]);
    for (int j = first_; j < s; ++j) {
      const int to = size * (j - first_);
      const quad ha = h_ * a_[i][j];
      for (int k = 0; k < 2; ++k) {
        jacobian[at + k][to + 2 + k] -= ha;
        jacobian[at + 2 + k][to + k] += 2 * r.lambda * ha;
        const quad by_q = index_ == 3 ? q[k] : index_ == 2 ? v[k] : r.v[k];
        const quad by_v = index_ == 3 ? quad(0) : index_ == 2 ? q[k] : quad(2 * v[k]);
        jacobian[at + 4][to + k] += by_q * ha;
        jacobian[at + 4][to + 2 + k] += by_v * ha;
      }
    }
    for (int k = 0; k < 2; ++k) {
      jacobian[at + k][at + k] += 1;
      jacobian[at + 2 + k][at + 2 + k] += data.mass;
      jacobian[at + 2 + k][at + 4] += 2 * q[k];
      if (index_ == 1) jacobian[at + 4][at + 2 + k] += q[k];
    }
  }

  int index_, first_ = 0;
  quad h_;
  std::vector<Row> a_;
  Row b_;
  bool stiffly_accurate_ = false;
  std::vector<Rates> stages_;
};

}  // namespace

PlainPendulum plain_integration(PlainPendulum state, const WideTableau& tableau, int index,
                                bool carry, int steps, const quad& t_end) {
  Step step(tableau, index, t_end / steps);
  Rates rates = index_one(state);
  for (int i = 0; i < steps; ++i) step.take(state, rates, carry);
  return state;
}

}  // namespace daemark::test
