#include "methods/collocation/stage_corrector.hpp"

#include <algorithm>

#include "methods/stages/weighted_sum.hpp"

namespace daemark {

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
  mode_ == CorrectorMode::inertial ? solve_inertial(x) : solve_parted(x);
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

void StageCorrector::solve_parted(double* x) {
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
