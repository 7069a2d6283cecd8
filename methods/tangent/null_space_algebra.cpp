#include "methods/tangent/null_space_algebra.hpp"

#include <algorithm>
#include <cmath>

namespace daemark {

NullSpaceAlgebra::NullSpaceAlgebra(const TangentSystem<double>& system, int r)
    : system_(system),
      r_(r),
      n_(system.layout().n),
      m_(system.layout().m),
      d_(n_ - system.mechanism().rank()),
      first_(system.rate_rows()),
      unknowns_(system.unknowns()),
      size_(3 * d_ * r) {
  const MechanicalSystem<double>& mechanism = system.mechanism();
  int next = 0;
  const auto block = [&next](const Pattern& pattern) {
    const Block result{&pattern, next};
    next += pattern.size();
    return result;
  };
  // The order of TangentSystem::lay_out().
  residual_q_ = block(mechanism.residual_q_pattern());
  residual_v_ = block(mechanism.residual_v_pattern());
  acceleration_q_ = block(mechanism.curvature_pattern());
  acceleration_v_ = block(mechanism.curvature_pattern());
  mu_ = block(mechanism.residual_q_pattern());
  nu_ = block(mechanism.residual_q_pattern());
  velocity_q_ = block(mechanism.curvature_pattern());
  gradient_begin_ = next;
  mass_ = {&mechanism.mass_pattern(), 0};
  jacobian_y_.resize(system.pattern_y().size());
  jacobian_rate_.resize(system.pattern_rate().size());
  stages_.resize(r);
  for (Stage& stage : stages_) {
    stage.values = jacobian_y_, stage.rates = jacobian_rate_;
    stage.qr.resize(n_, m_, mechanism.rank());
    for (Vector* map : {&stage.v_xi, &stage.a_xi, &stage.a_eta}) map->resize(n_ * d_);
    for (Vector* x : {&stage.x0, &stage.v0, &stage.a0, &stage.dx, &stage.dv, &stage.da})
      x->resize(n_);
  }
  dense_.resize(static_cast<std::size_t>(size_) * size_);
  right_.resize(size_), pivots_.resize(size_);
  unscaled_.resize(static_cast<std::size_t>(r) * unknowns_);
  scratch_.resize(n_), scratch_rows_.resize(m_);
}

void NullSpaceAlgebra::set_step(const std::vector<double>& hB,
                                const std::vector<double>& h2_position,
                                const std::vector<double>& row_scale) {
  hB_ = hB, h2_position_ = h2_position, row_scale_ = row_scale;
}

void NullSpaceAlgebra::add_stage(int i) {
  std::copy(jacobian_y_.begin(), jacobian_y_.end(), stages_[i].values.begin());
  std::copy(jacobian_rate_.begin(), jacobian_rate_.end(), stages_[i].rates.begin());
}

/// y += sign · block · x.
void NullSpaceAlgebra::multiply(const Block& block, const Vector& values, const double* x,
                                double* y, double sign) const {
  const auto& entries = block.pattern->entries;
  for (std::size_t k = 0; k < entries.size(); ++k)
    y[entries[k].first] += sign * values[block.begin + k] * x[entries[k].second];
}

/// to[k] += sign · (Nᵀx)_k.
void NullSpaceAlgebra::project(const Stage& stage, const double* x, double* to, double sign) const {
  for (int k = 0; k < d_; ++k) {
    const double* const null = stage.qr.null_vector(k);
    double sum = 0;
    for (int i = 0; i < n_; ++i) sum += null[i] * x[i];
    to[k] += sign * sum;
  }
}

/// The null space and the maps V_ξ, A_ξ, A_η of a stage.
bool NullSpaceAlgebra::prepare(Stage& stage) {
  for (int j = 0; j < m_; ++j) std::fill_n(stage.qr.column(j), n_, 0.0);
  const auto& g = system_.mechanism().gradient_pattern().entries;
  for (std::size_t k = 0; k < g.size(); ++k)
    stage.qr.column(g[k].first)[g[k].second] += stage.values[gradient_begin_ + k];
  switch (stage.qr.factor()) {
    case RankRevealingQr::Outcome::rank_smaller:
      status_ = LuStatus::singular;
      why_ =
          "the constraints have a smaller rank than the mechanism names: a singular "
          "configuration, or a wrong rank";
      return false;
    case RankRevealingQr::Outcome::not_finite:
      status_ = LuStatus::not_finite;
      why_ = "a gradient of the constraints is not finite";
      return false;
    case RankRevealingQr::Outcome::ok:
      break;
  }
  double* const rows = scratch_rows_.data();
  const auto clear = [&] { std::fill_n(rows, m_, 0.0); };
  for (int k = 0; k < d_; ++k) {
    const double* const null = stage.qr.null_vector(k);
    double *const v_xi = &stage.v_xi[k * n_], *const a_xi = &stage.a_xi[k * n_];
    clear();
    multiply(velocity_q_, stage.values, null, rows, -1);
    stage.qr.solve_rows(rows, v_xi);
    clear();
    multiply(acceleration_q_, stage.values, null, rows, -1);
    multiply(acceleration_v_, stage.values, v_xi, rows, -1);
    stage.qr.solve_rows(rows, a_xi);
    // −G⁺Φ̈_v N, and Φ̈_v = 2 Φ̇_q
    for (int i = 0; i < n_; ++i) stage.a_eta[k * n_ + i] = 2 * v_xi[i];
  }
  return true;
}

/// Rows of stage i: positions, velocities, dynamics, d each; unknowns of a stage: ξ, η, α.
void NullSpaceAlgebra::fill_rows(int i) {
  const Stage& stage = stages_[i];
  const int at = 3 * d_ * i;
  double* const s = scratch_.data();
  const auto put = [&](int row, int column) {  // Nᵀs into a column
    for (int k = 0; k < d_; ++k) right_[k] = 0;
    project(stage, s, right_.data(), 1);
    for (int k = 0; k < d_; ++k) dense(at + row + k, at + column) += right_[k];
  };
  const auto clear = [&] { std::fill_n(s, n_, 0.0); };
  for (int k = 0; k < d_; ++k) {
    const double* const null = stage.qr.null_vector(k);
    clear();
    multiply(mu_, stage.values, null, s, 1);
    put(0, k);
    clear();
    multiply(nu_, stage.values, null, s, 1);
    put(d_, k);
    dense(at + k, at + k) += 1;
    dense(at + d_ + k, at + d_ + k) += 1;
    clear();
    multiply(residual_q_, stage.values, null, s, 1);
    multiply(residual_v_, stage.values, &stage.v_xi[k * n_], s, 1);
    multiply(mass_, stage.rates, &stage.a_xi[k * n_], s, 1);
    put(2 * d_, k);
    clear();
    multiply(residual_v_, stage.values, null, s, 1);
    multiply(mass_, stage.rates, &stage.a_eta[k * n_], s, 1);
    put(2 * d_, d_ + k);
    clear();
    multiply(mass_, stage.rates, null, s, 1);
    put(2 * d_, 2 * d_ + k);
  }
  for (int j = 0; j < r_; ++j) add_formula(i, j);
}

/// −Nᵢᵀ times what stage j adds to p and w of stage i.
void NullSpaceAlgebra::add_formula(int i, int j) {
  const double b = hB_[i * r_ + j], b2 = h2_position_[i * r_ + j];
  const double position = system_.twice() ? b2 : b;
  if (b == 0 && position == 0) return;
  const Stage &own = stages_[i], &other = stages_[j];
  const int row = 3 * d_ * i, column = 3 * d_ * j;
  const auto put = [&](int to_row, const double* x, double weight, int to_column) {
    for (int k = 0; k < d_; ++k) right_[k] = 0;
    project(own, x, right_.data(), -weight);
    for (int k = 0; k < d_; ++k) dense(row + to_row + k, column + to_column) += right_[k];
  };
  for (int k = 0; k < d_; ++k) {
    const double* const null = other.qr.null_vector(k);
    const double *const v_xi = &other.v_xi[k * n_], *const a_xi = &other.a_xi[k * n_],
                        *const a_eta = &other.a_eta[k * n_];
    put(d_, a_xi, b, k), put(d_, a_eta, b, d_ + k), put(d_, null, b, 2 * d_ + k);
    if (system_.twice()) {
      put(0, a_xi, b2, k), put(0, a_eta, b2, d_ + k), put(0, null, b2, 2 * d_ + k);
    } else {
      put(0, v_xi, b, k), put(0, null, b, d_ + k);
    }
  }
}

bool NullSpaceAlgebra::factor() {
  std::fill(dense_.begin(), dense_.end(), 0.0);
  for (Stage& stage : stages_)
    if (!prepare(stage)) return false;
  for (int i = 0; i < r_; ++i) fill_rows(i);
  if (!factor_dense()) return false;
  status_ = LuStatus::ok;
  return true;
}

/// Gaussian elimination with row pivots; the matrix has a few rows.
bool NullSpaceAlgebra::factor_dense() {
  for (int p = 0; p < size_; ++p) {
    int best = p;
    for (int i = p + 1; i < size_; ++i)
      if (std::abs(dense(i, p)) > std::abs(dense(best, p))) best = i;
    pivots_[p] = best;
    if (best != p) std::swap_ranges(&dense(p, 0), &dense(p, 0) + size_, &dense(best, 0));
    const double pivot = dense(p, p);
    if (pivot == 0 || !std::isfinite(pivot)) {
      status_ = pivot == 0 ? LuStatus::singular : LuStatus::not_finite;
      why_ = pivot == 0 ? "the equations in the tangent space are singular"
                        : "a value in the Newton matrix is not finite";
      return false;
    }
    for (int i = p + 1; i < size_; ++i) {
      const double factor = dense(i, p) /= pivot;
      if (factor == 0) continue;
      for (int j = p + 1; j < size_; ++j) dense(i, j) -= factor * dense(p, j);
    }
  }
  return true;
}

void NullSpaceAlgebra::solve_dense(double* x) const {
  const auto at = [this](int i, int j) { return dense_[i * size_ + j]; };
  for (int p = 0; p < size_; ++p) std::swap(x[p], x[pivots_[p]]);
  for (int i = 0; i < size_; ++i)
    for (int j = 0; j < i; ++j) x[i] -= at(i, j) * x[j];
  for (int i = size_ - 1; i >= 0; --i) {
    for (int j = i + 1; j < size_; ++j) x[i] -= at(i, j) * x[j];
    x[i] /= at(i, i);
  }
}

/// x₀, v₀, a₀ of stage i. Rows: [ṗ], dynamics, x, v, Φ, Φ̇, Φ̈.
void NullSpaceAlgebra::particular(int i, const double* residual) {
  Stage& stage = stages_[i];
  const double* const position = residual + first_ + 3 * n_;
  double* const rows = scratch_rows_.data();
  stage.qr.solve_rows(position, stage.x0.data());
  std::copy_n(position + m_, m_, rows);
  multiply(velocity_q_, stage.values, stage.x0.data(), rows, -1);
  stage.qr.solve_rows(rows, stage.v0.data());
  std::copy_n(position + 2 * m_, m_, rows);
  multiply(acceleration_q_, stage.values, stage.x0.data(), rows, -1);
  multiply(acceleration_v_, stage.values, stage.v0.data(), rows, -1);
  stage.qr.solve_rows(rows, stage.a0.data());
}

/// Right side of stage i, what x₀, v₀, a₀ of all stages leave of the rows.
void NullSpaceAlgebra::reduced_residual(int i, const double* residual) {
  const Stage& stage = stages_[i];
  double* const right = right_.data() + 3 * d_ * i;
  std::fill_n(right, 3 * d_, 0.0);
  const double *const dynamics = residual + first_, *const rows_x = dynamics + n_,
                      *const rows_v = rows_x + n_;
  double* const s = scratch_.data();
  for (int k = 0; k < n_; ++k) s[k] = rows_x[k] - stage.x0[k];
  multiply(mu_, stage.values, stage.x0.data(), s, -1);
  for (int j = 0; j < r_; ++j) {
    const Stage& other = stages_[j];
    const double* const their_rates = &unscaled_[static_cast<std::size_t>(j) * unknowns_];
    const double b = hB_[i * r_ + j], b2 = h2_position_[i * r_ + j];
    for (int k = 0; k < n_; ++k)
      s[k] += system_.twice() ? b2 * other.a0[k] : b * (their_rates[k] + other.v0[k]);
  }
  project(stage, s, right, 1);
  for (int k = 0; k < n_; ++k) s[k] = rows_v[k] - stage.v0[k];
  multiply(nu_, stage.values, stage.x0.data(), s, -1);
  for (int j = 0; j < r_; ++j)
    for (int k = 0; k < n_; ++k) s[k] += hB_[i * r_ + j] * stages_[j].a0[k];
  project(stage, s, right + d_, 1);
  std::copy_n(dynamics, n_, s);
  multiply(residual_q_, stage.values, stage.x0.data(), s, -1);
  multiply(residual_v_, stage.values, stage.v0.data(), s, -1);
  multiply(mass_, stage.rates, stage.a0.data(), s, -1);
  project(stage, s, right + 2 * d_, 1);
}

void NullSpaceAlgebra::solve(double* x) {
  for (int i = 0; i < r_; ++i)
    for (int k = 0; k < unknowns_; ++k)
      unscaled_[i * unknowns_ + k] = x[i * unknowns_ + k] / row_scale_[k];
  for (int i = 0; i < r_; ++i) particular(i, &unscaled_[static_cast<std::size_t>(i) * unknowns_]);
  for (int i = 0; i < r_; ++i)
    reduced_residual(i, &unscaled_[static_cast<std::size_t>(i) * unknowns_]);
  solve_dense(right_.data());
  for (int i = 0; i < r_; ++i) {
    Stage& stage = stages_[i];
    stage.dx = stage.x0, stage.dv = stage.v0, stage.da = stage.a0;
    for (int k = 0; k < d_; ++k) {
      const double *const null = stage.qr.null_vector(k), *const reduced = &right_[3 * d_ * i + k];
      const double xi = reduced[0], eta = reduced[d_], alpha = reduced[2 * d_];
      for (int c = 0; c < n_; ++c) {
        stage.dx[c] += xi * null[c];
        stage.dv[c] += xi * stage.v_xi[k * n_ + c] + eta * null[c];
        stage.da[c] +=
            xi * stage.a_xi[k * n_ + c] + eta * stage.a_eta[k * n_ + c] + alpha * null[c];
      }
    }
  }
  for (int i = 0; i < r_; ++i)
    expand(i, &unscaled_[static_cast<std::size_t>(i) * unknowns_],
           x + static_cast<std::size_t>(i) * unknowns_);
}

/// Unknowns of stage i: [ṗ], ẇ, x, v, λ, μ, ν.
void NullSpaceAlgebra::expand(int i, const double* residual, double* x) {
  Stage& stage = stages_[i];
  for (int k = 0; k < first_; ++k) x[k] = residual[k] + stage.dv[k];
  x += first_;
  std::copy(stage.da.begin(), stage.da.end(), x);
  std::copy(stage.dx.begin(), stage.dx.end(), x + n_);
  std::copy(stage.dv.begin(), stage.dv.end(), x + 2 * n_);
  const double *const dynamics = residual + first_, *const rows_x = dynamics + n_,
                      *const rows_v = rows_x + n_;
  double *const s = scratch_.data(), *const lambda = x + 3 * n_;
  std::copy_n(dynamics, n_, s);
  multiply(residual_q_, stage.values, stage.dx.data(), s, -1);
  multiply(residual_v_, stage.values, stage.dv.data(), s, -1);
  multiply(mass_, stage.rates, stage.da.data(), s, -1);
  stage.qr.solve_columns(s, lambda);
  for (int k = 0; k < n_; ++k) s[k] = rows_x[k] - stage.dx[k];
  multiply(mu_, stage.values, stage.dx.data(), s, -1);
  for (int j = 0; j < r_; ++j) {
    const double* const their_rates = &unscaled_[static_cast<std::size_t>(j) * unknowns_];
    const double b = hB_[i * r_ + j], b2 = h2_position_[i * r_ + j];
    for (int k = 0; k < n_; ++k)
      s[k] += system_.twice() ? b2 * stages_[j].da[k] : b * (their_rates[k] + stages_[j].dv[k]);
  }
  stage.qr.solve_columns(s, lambda + m_);
  for (int k = 0; k < n_; ++k) s[k] = rows_v[k] - stage.dv[k];
  multiply(nu_, stage.values, stage.dx.data(), s, -1);
  for (int j = 0; j < r_; ++j)
    for (int k = 0; k < n_; ++k) s[k] += hB_[i * r_ + j] * stages_[j].da[k];
  stage.qr.solve_columns(s, lambda + 2 * m_);
}

}  // namespace daemark
