#include "methods/collocation/stage_corrector.hpp"

#include <algorithm>
#include <cmath>

#include "methods/stages/weighted_sum.hpp"

namespace daemark {

KktMatrix::KktMatrix(const MechanicalSystem<double>& mechanism,
                     const ConstraintWeights<double>& weights, int level, int pairs)
    : mechanism_(mechanism),
      weights_(weights),
      level_(level),
      n_(mechanism.coordinates()),
      m_(mechanism.constraints()),
      row_sums_(n_) {
  PatternBuilder all;
  const auto place = [&all](const Pattern& from, int row, int column, bool transposed = false) {
    std::vector<int> places;
    for (const auto& [i, j] : from.entries)
      places.push_back(transposed ? all.add(row + j, column + i) : all.add(row + i, column + j));
    return places;
  };
  mass_place_ = place(mechanism.mass_pattern(), 0, 0);
  reaction_place_ = place(mechanism.gradient_pattern(), 0, n_, true);
  gradient_place_ = place(mechanism.gradient_pattern(), n_, 0);
  force_place_ = place(mechanism.residual_lambda_pattern(), 0, n_);
  residual_lambda_.resize(force_place_.size());
  motion_lu_.set_pattern(n_ + m_, all.entries());
  motion_.resize(all.size());
  velocity_place_ = place(mechanism.residual_v_pattern(), 0, 0);
  position_place_ = place(mechanism.residual_q_pattern(), 0, 0);
  curvature_place_ = place(mechanism.curvature_pattern(), n_, 0);
  real_lu_.set_pattern(n_ + m_, all.entries());
  pair_lu_.resize(pairs);
  for (SparseLu<Complex>& lu : pair_lu_) lu.set_pattern(n_ + m_, all.entries());
  mass_.resize(mass_place_.size()), gradient_.resize(gradient_place_.size());
  residual_v_.resize(velocity_place_.size()), residual_q_.resize(position_place_.size());
  curvature_q_.resize(curvature_place_.size()), curvature_v_ = curvature_q_;
  constant_.resize(all.size()), complex_.resize(all.size());
  first_ = second_ = real_ = constant_;
}

MotionValues<double> KktMatrix::motion_values() {
  MotionValues<double> out;
  out.mass = mass_.data(), out.gradient = gradient_.data();
  if (!residual_lambda_.empty()) out.residual_lambda = residual_lambda_.data();
  return out;
}

MotionValues<double> KktMatrix::values() {
  MotionValues<double> out = motion_values();
  out.residual_q = residual_q_.data(), out.residual_v = residual_v_.data();
  if (level_ < 2) out.curvature_q = curvature_q_.data(), out.curvature_v = curvature_v_.data();
  return out;
}

bool KktMatrix::factor_motion() {
  std::fill(motion_.begin(), motion_.end(), 0.0);
  for (std::size_t k = 0; k < mass_.size(); ++k) motion_[mass_place_[k]] += mass_[k];
  for (std::size_t k = 0; k < gradient_.size(); ++k) {
    motion_[reaction_place_[k]] += gradient_[k];
    motion_[gradient_place_[k]] += gradient_[k];
  }
  for (std::size_t k = 0; k < residual_lambda_.size(); ++k)
    motion_[force_place_[k]] += residual_lambda_[k];
  const bool ok = motion_lu_.factor(motion_.data());
  status_ = motion_lu_.status();
  return ok;
}

void KktMatrix::gather() {
  for (auto* values : {&constant_, &first_, &second_}) std::fill(values->begin(), values->end(), 0);
  for (std::size_t k = 0; k < mass_.size(); ++k) constant_[mass_place_[k]] += mass_[k];
  for (std::size_t k = 0; k < residual_v_.size(); ++k) first_[velocity_place_[k]] += residual_v_[k];
  for (std::size_t k = 0; k < residual_q_.size(); ++k)
    second_[position_place_[k]] += residual_q_[k];
  const double below = level_ == 0 ? weights_.velocity : level_ == 1 ? weights_.position : 0;
  const double twice_below = level_ == 0 ? weights_.position : 0;
  for (std::size_t k = 0; k < gradient_.size(); ++k) {
    constant_[reaction_place_[k]] += gradient_[k];
    constant_[gradient_place_[k]] += gradient_[k];
    first_[gradient_place_[k]] += below * gradient_[k];
    second_[gradient_place_[k]] += twice_below * gradient_[k];
  }
  for (std::size_t k = 0; k < residual_lambda_.size(); ++k)
    constant_[force_place_[k]] += residual_lambda_[k];
  if (level_ == 2) return;
  std::vector<double>& by_position = level_ == 0 ? second_ : first_;
  for (std::size_t k = 0; k < curvature_q_.size(); ++k) {
    by_position[curvature_place_[k]] += curvature_q_[k];
    if (level_ == 0) first_[curvature_place_[k]] += curvature_v_[k];
  }
}

bool KktMatrix::factor(double z) {
  for (std::size_t k = 0; k < real_.size(); ++k)
    real_[k] = constant_[k] + z * (first_[k] + z * second_[k]);
  const bool ok = real_lu_.factor(real_.data());
  status_ = real_lu_.status();
  return ok;
}

bool KktMatrix::factor(int pair, const Complex& z) {
  const double re = z.real(), im = z.imag(), re2 = re * re - im * im, im2 = 2 * re * im;
  for (std::size_t k = 0; k < complex_.size(); ++k)
    complex_[k] = {constant_[k] + re * first_[k] + re2 * second_[k],
                   im * first_[k] + im2 * second_[k]};
  const bool ok = pair_lu_[pair].factor(complex_.data());
  status_ = pair_lu_[pair].status();
  return ok;
}

double KktMatrix::stiffness(double z) const {
  std::vector<double>& rows = row_sums_;
  std::fill(rows.begin(), rows.end(), 0.0);
  for (std::size_t k = 0; k < residual_v_.size(); ++k)
    rows[mechanism_.residual_v_pattern().entries[k].first] += std::abs(z * residual_v_[k]);
  for (std::size_t k = 0; k < residual_q_.size(); ++k)
    rows[mechanism_.residual_q_pattern().entries[k].first] += std::abs(z * z * residual_q_[k]);
  return *std::max_element(rows.begin(), rows.end());
}

double KktMatrix::inertia() const {
  std::vector<double>& rows = row_sums_;
  std::fill(rows.begin(), rows.end(), 0.0);
  for (std::size_t k = 0; k < mass_.size(); ++k)
    rows[mechanism_.mass_pattern().entries[k].first] += std::abs(mass_[k]);
  return *std::max_element(rows.begin(), rows.end());
}

namespace {
/// to_i += factor Σ_j a_ij x_j.
void add_product(const Pattern& pattern, const std::vector<double>& values, double factor,
                 const double* x, double* to) {
  for (std::size_t k = 0; k < values.size(); ++k) {
    const auto& [i, j] = pattern.entries[k];
    to[i] += factor * values[k] * x[j];
  }
}
}  // namespace

void KktMatrix::mass_times(const double* x, double* to) const {
  std::fill_n(to, n_, 0.0);
  add_product(mechanism_.mass_pattern(), mass_, 1, x, to);
}

// Rows r(y, ẏ) = 0 with ẏ = φ(y) have (∂r/∂ẏ + z ∂r/∂y) e = ∂r/∂ẏ e_raw where (1 − z φ') e = e_raw,
// and eq = eq_raw + z ev.
void KktMatrix::filter_rows(double z, const double* eq, const double* ev, double* rows) const {
  mass_times(ev, rows);
  add_product(mechanism_.residual_q_pattern(), residual_q_, -z, eq, rows);
  double* const bottom = rows + n_;
  std::fill_n(bottom, m_, 0.0);
  const Pattern& G = mechanism_.gradient_pattern();
  if (level_ == 0) add_product(G, gradient_, 1, ev, bottom);
  if (level_ == 2) return add_product(G, gradient_, -1 / z, eq, bottom);
  const double by = level_ == 0 ? -z : -1;
  add_product(mechanism_.curvature_pattern(), curvature_q_, by, eq, bottom);
  if (weights_.position != 0) add_product(G, gradient_, by * weights_.position, eq, bottom);
}

StageCorrector::StageCorrector(const MechanicalSystem<double>& mechanism,
                               const ConstraintWeights<double>& weights, int level, int most_stages)
    : matrix_(mechanism, weights, level, most_stages / 2),
      level_(level),
      n_(mechanism.coordinates()),
      m_(mechanism.constraints()),
      u_(n_ + m_),
      parts_(static_cast<std::size_t>(most_stages) * u_),
      zeros_(u_),
      lifted_(static_cast<std::size_t>(most_stages) * m_),
      coefficients_(static_cast<std::size_t>(most_stages) * most_stages),
      complex_(u_) {}

bool StageCorrector::factor(CorrectorMode mode, const CollocationFormula& formula, double h) {
  mode_ = mode, formula_ = &formula, h_ = h;
  factored_ = 1;
  if (mode == CorrectorMode::inertial) return matrix_.factor_motion();
  matrix_.gather();
  factored_ = static_cast<int>(formula.parts.size());
  int pair = 0;
  for (const CollocationFormula::Part& part : formula.parts)
    if (!(part.real ? matrix_.factor(h * part.eigenvalue.real())
                    : matrix_.factor(pair++, h * part.eigenvalue)))
      return false;
  if (formula.has_real) return true;
  ++factored_;  // what filters the estimate
  return matrix_.factor(h * formula.gamma);
}

void StageCorrector::correct(double* x) {
  const int count = formula_->stages * u_;
  for (int i = 0; i < count; ++i) x[i] = -x[i];
  mode_ == CorrectorMode::inertial ? solve_inertial(x) : solve_split(x);
}

void StageCorrector::solve_inertial(double* x) {
  const int s = formula_->stages;
  if (level_ > 0 && m_ > 0) {
    const std::vector<double>& inverse = level_ == 1 ? formula_->inverse : formula_->inverse2;
    const double scale = level_ == 1 ? 1 / h_ : 1 / (h_ * h_);
    for (int k = 0; k < s * s; ++k) coefficients_[k] = scale * inverse[k];
    for (int i = 0; i < s; ++i)
      weighted_sum(lifted_.data() + i * m_, zeros_.data(), &coefficients_[i * s], x + n_, u_, s,
                   m_);
    for (int i = 0; i < s; ++i) std::copy_n(lifted_.data() + i * m_, m_, x + i * u_ + n_);
  }
  for (int i = 0; i < s; ++i) matrix_.solve_motion(x + i * u_);
}

void StageCorrector::solve_split(double* x) {
  const int s = formula_->stages;
  double* part = parts_.data();  // real, and below it imaginary parts of the parts' solutions
  int pair = 0;
  for (const CollocationFormula::Part& p : formula_->parts) {
    const KktMatrix::Complex z = h_ * p.eigenvalue, scale = level_ == 0   ? 1
                                                            : level_ == 1 ? 1.0 / z
                                                                          : 1.0 / (z * z);
    weighted_sum(part, zeros_.data(), p.to_part_re.data(), x, u_, s, u_);
    if (p.real) {
      for (int k = n_; k < u_; ++k) part[k] *= scale.real();
      matrix_.solve(part);
      part += u_;
      continue;
    }
    double* const imaginary = part + u_;
    weighted_sum(imaginary, zeros_.data(), p.to_part_im.data(), x, u_, s, u_);
    for (int k = 0; k < n_; ++k) complex_[k] = {part[k], imaginary[k]};
    for (int k = n_; k < u_; ++k)
      complex_[k] = LuField<KktMatrix::Complex>::product(scale, {part[k], imaginary[k]});
    matrix_.solve(pair++, complex_.data());
    for (int k = 0; k < u_; ++k) part[k] = complex_[k].real(), imaginary[k] = complex_[k].imag();
    part += 2 * u_;
  }
  for (int i = 0; i < s; ++i)
    weighted_sum(x + i * u_, zeros_.data(), &formula_->to_stages[i * s], parts_.data(), u_, s, u_);
}

/// Orthogonally in M onto the tangent space.
void StageCorrector::project(double* e) {
  double* const rows = parts_.data();
  matrix_.mass_times(e, rows);
  std::fill_n(rows + n_, m_, 0.0);
  matrix_.solve_motion(rows);
  std::copy_n(rows, n_, e);
}

void StageCorrector::filter(double* eq, double* ev) {
  if (mode_ == CorrectorMode::inertial) {
    if (level_ == 0) return;
    project(eq);
    project(ev);
    return;
  }
  const double z = h_ * formula_->gamma;
  double* const rows = parts_.data();
  matrix_.filter_rows(z, eq, ev, rows);
  matrix_.solve(rows);
  std::copy_n(rows, n_, ev);
  for (int i = 0; i < n_; ++i) eq[i] += z * ev[i];
}

bool StageCorrector::is_inertial() const {
  return matrix_.stiffness(h_ * formula_->gamma) < matrix_.inertia();
}

}  // namespace daemark
