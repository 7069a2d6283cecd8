// Direct elimination (Yang, Duan & Di 2006, eq. 12): with V(q) an orthonormal basis of null(G),
//
//   Vᵀ(M v̇ − f) = 0,  Φ̈ = G v̇ + γ = 0      for v̇,
//   G(M v̇ + Gᵀλ − f) = 0                     for λ, afterwards.
//
// V: the last n − m columns of Q in Gᵀ = Q [R; 0] by Householder reflections that make the diagonal
// of R positive, so that V is continuous but for isolated q. Dense: n² m operations a point.
//
// Jacobian: since Vᵀ Gᵀ = 0, ∂(Vᵀ(M v̇ − f)) = Vᵀ ∂(M v̇ + Gᵀλ − f) where the bracket vanishes; what
// else V(q) adds is a combination of the rows themselves and vanishes in the solution.
#include <cmath>

#include "base/linear/dense_solve.hpp"
#include "base/program/stop.hpp"
#include "problems/formulations/mechanical_formulation.hpp"
#include "problems/formulations/mechanical_formulations.hpp"

namespace daemark {
namespace {

/// [V Gᵀ]: columns 0..n−m an orthonormal basis of null(G), then the rows of G as columns.
template <class S>
class SplitBasis {
 public:
  SplitBasis(int n, int m) : n_(n), m_(m), columns_(n * n), reflectors_(n * m), twice_(m) {}

  const S* column(int k) const { return &columns_[static_cast<std::size_t>(k) * n_]; }

  /// `gradient` in the order of `pattern`. Rows of G that depend on each other give columns that
  /// are not finite.
  void update(const Pattern& pattern, const std::vector<S>& gradient) {
    S* const rows = columns_.data() + static_cast<std::size_t>(n_ - m_) * n_;  // none if m = 0
    std::fill(columns_.begin(), columns_.end(), S(0));
    for (std::size_t k = 0; k < gradient.size(); ++k)
      rows[pattern.entries[k].first * n_ + pattern.entries[k].second] += gradient[k];
    std::copy_n(rows, reflectors_.size(), reflectors_.begin());
    for (int k = 0; k < m_; ++k) {
      if ((k & 15) == 15) checkpoint();
      make_reflector(k);
    }
    for (int j = 0; j < n_ - m_; ++j) {
      if ((j & 15) == 15) checkpoint();
      S* const v = &columns_[static_cast<std::size_t>(j) * n_];
      v[m_ + j] = S(1);
      for (int k = m_ - 1; k >= 0; --k) reflect(k, v);
    }
  }

 private:
  /// Turns column k, from its entry k on, into a positive multiple of e_k, and the later ones with
  /// it. v₀ = x₀ − ‖x‖ without cancellation.
  void make_reflector(int k) {
    using std::sqrt;
    S* const x = &reflectors_[static_cast<std::size_t>(k) * n_];
    S tail(0);
    for (int i = k + 1; i < n_; ++i) tail += x[i] * x[i];
    const S length = sqrt(S(x[k] * x[k] + tail));
    x[k] = x[k] > 0 ? S(-tail / (x[k] + length)) : S(x[k] - length);
    const S square = x[k] * x[k] + tail;
    twice_[k] = tail == 0 && x[k] == 0 && length > 0 ? S(0) : S(S(2) / square);
    for (int j = k + 1; j < m_; ++j) reflect(k, &reflectors_[static_cast<std::size_t>(j) * n_]);
  }
  void reflect(int k, S* x) const {
    const S* const v = &reflectors_[static_cast<std::size_t>(k) * n_];
    S along(0);
    for (int i = k; i < n_; ++i) along += v[i] * x[i];
    along *= twice_[k];
    for (int i = k; i < n_; ++i) x[i] -= along * v[i];
  }

  int n_, m_;
  std::vector<S> columns_, reflectors_, twice_;
};

template <class S>
class EliminatedDae final : public MechanicalFormulation<S> {
  using MechanicalFormulation<S>::mechanism_, MechanicalFormulation<S>::n_,
      MechanicalFormulation<S>::m_;

 public:
  explicit EliminatedDae(MechanicalPtr<S> mechanism)
      : MechanicalFormulation<S>(std::move(mechanism)), basis_(n_, m_) {
    this->add_mechanical_components();
    this->finish_components();
    this->row_power_.assign(n_ + m_, 0);
    lay_out();
    gradient_.resize(mechanism_->gradient_pattern().size());
    mass_.resize(mechanism_->mass_pattern().size());
    residual_.resize(n_);
    derivative_q_.resize(mechanism_->residual_q_pattern().size());
    derivative_v_.resize(mechanism_->residual_v_pattern().size());
    dense_.assign(n_, std::vector<S>(n_));
    right_.resize(n_);
    gram_.assign(m_, std::vector<S>(m_));
    gram_right_.resize(m_);
  }

  // Rows: 0..n−m Vᵀ R; n−m..n Φ̈; n.. G R, where R = M v̇ + Gᵀλ − f and Vᵀ R does not see λ.
  void evaluate(const SystemPoint<S>& p, S* r, S* jacobian_y, S* jacobian_rate) override {
    MotionValues<S> out;
    out.residual = residual_.data(), out.acceleration = r + (n_ - m_);
    out.gradient = gradient_.data();
    S* blocks = jacobian_y;
    if (jacobian_y) {
      out.mass = mass_.data();
      out.residual_q = derivative_q_.data(), out.residual_v = derivative_v_.data();
      out.curvature_q = blocks, blocks += mechanism_->curvature_pattern().size();
      out.curvature_v = blocks, blocks += mechanism_->curvature_pattern().size();
    }
    mechanism_->evaluate(motion_point(n_, p), {S(0), S(0), S(1)}, out);
    basis_.update(mechanism_->gradient_pattern(), gradient_);
    for (int k = 0; k < n_; ++k) r[row(k)] = dot(basis_.column(k), residual_.data());
    if (!jacobian_y) return;
    project(mechanism_->residual_q_pattern(), derivative_q_, blocks);
    blocks += n_ * n_;
    project(mechanism_->residual_v_pattern(), derivative_v_, blocks);
    blocks += n_ * n_;
    for (int i = 0; i < m_; ++i)  // G Gᵀ
      for (int j = 0; j < m_; ++j)
        *blocks++ = dot(basis_.column(n_ - m_ + i), basis_.column(n_ - m_ + j));
    project(mechanism_->mass_pattern(), mass_, jacobian_rate);
    S* rates = jacobian_rate + n_ * n_;
    for (const S& x : gradient_) *rates++ = x;
  }

  /// [VᵀM; G] a = (Vᵀf; −γ), G Gᵀ λ = G(f − M a).
  bool explicit_rates(S* y, S* rate, const S& t, const S* chart) override {
    std::copy_n(y + n_, n_, rate);
    std::fill(rate + n_, rate + this->size(), S(0));
    std::fill_n(y + 2 * n_, m_, S(0));
    S* const a = rate + n_;
    MotionValues<S> out;
    out.residual = residual_.data(), out.acceleration = right_.data() + (n_ - m_);
    out.gradient = gradient_.data(), out.mass = mass_.data();
    mechanism_->evaluate({t, y, y + n_, a, y + 2 * n_, chart}, {S(0), S(0), S(1)}, out);
    basis_.update(mechanism_->gradient_pattern(), gradient_);
    for (std::vector<S>& dense_row : dense_) std::fill(dense_row.begin(), dense_row.end(), S(0));
    const auto& mass = mechanism_->mass_pattern().entries;
    for (int k = 0; k < n_ - m_; ++k) {
      if ((k & 15) == 15) checkpoint();
      const S* const v = basis_.column(k);
      right_[k] = dot(v, residual_.data());
      for (std::size_t e = 0; e < mass.size(); ++e)
        dense_[k][mass[e].second] += v[mass[e].first] * mass_[e];
    }
    for (int k = n_ - m_; k < n_; ++k) std::copy_n(basis_.column(k), n_, dense_[k].begin());
    if (!solve(dense_, right_)) return false;
    for (int i = 0; i < n_; ++i) a[i] = -right_[i];
    for (std::size_t e = 0; e < mass.size(); ++e)
      residual_[mass[e].first] += mass_[e] * a[mass[e].second];
    for (int i = 0; i < m_; ++i) {
      const S* const g = basis_.column(n_ - m_ + i);
      gram_right_[i] = dot(g, residual_.data());
      for (int j = 0; j < m_; ++j) gram_[i][j] = dot(g, basis_.column(n_ - m_ + j));
    }
    if (!solve(gram_, gram_right_)) return false;
    for (int i = 0; i < m_; ++i) y[2 * n_ + i] = -gram_right_[i];
    return true;
  }

 private:
  /// Where column k of [V Gᵀ] puts its equation.
  int row(int k) const { return k < n_ - m_ ? k : k + m_; }
  S dot(const S* x, const S* y) const {
    S sum(0);
    for (int i = 0; i < n_; ++i) sum += x[i] * y[i];
    return sum;
  }
  /// [V Gᵀ]ᵀ times a matrix in its pattern, n × n dense in the order of lay_out().
  void project(const Pattern& pattern, const std::vector<S>& values, S* out) const {
    std::fill_n(out, n_ * n_, S(0));
    for (int k = 0; k < n_; ++k) {
      if ((k & 15) == 15) checkpoint();
      const S* const v = basis_.column(k);
      for (std::size_t e = 0; e < values.size(); ++e)
        out[k * n_ + pattern.entries[e].second] += v[pattern.entries[e].first] * values[e];
    }
  }
  static bool solve(std::vector<std::vector<S>>& matrix, std::vector<S>& right) {
    const auto size = [](const S& x) { return std::abs(to_double(x)); };
    if (!solve_dense(matrix, right, largest_pivot(size))) return false;
    double sum = 0;
    for (const S& x : right) sum += size(x);
    return std::isfinite(sum);
  }
  /// In the order evaluate() writes: curvature in q and v, [V Gᵀ]ᵀ ∂R in q and v, G Gᵀ.
  void lay_out() {
    Pattern& p = this->pattern_y_;
    p = {n_ + m_, 2 * n_ + m_, {}};
    for (const int column : {0, n_})
      for (const auto& [i, j] : mechanism_->curvature_pattern().entries)
        p.entries.emplace_back(n_ - m_ + i, column + j);
    for (const int column : {0, n_})
      for (int k = 0; k < n_; ++k)
        for (int j = 0; j < n_; ++j) p.entries.emplace_back(row(k), column + j);
    for (int i = 0; i < m_; ++i)
      for (int j = 0; j < m_; ++j) p.entries.emplace_back(n_ + i, 2 * n_ + j);
    Pattern& rate = this->pattern_rate_;
    rate = {n_ + m_, 2 * n_ + m_, {}};
    for (int k = 0; k < n_; ++k)
      for (int j = 0; j < n_; ++j) rate.entries.emplace_back(row(k), n_ + j);
    for (const auto& [r, j] : mechanism_->gradient_pattern().entries)
      rate.entries.emplace_back(n_ - m_ + r, n_ + j);
  }

  SplitBasis<S> basis_;
  std::vector<S> gradient_, mass_, residual_, derivative_q_, derivative_v_, right_, gram_right_;
  std::vector<std::vector<S>> dense_, gram_;
};

}  // namespace

template <class S>
std::unique_ptr<ImplicitSystem<S>> eliminated_dae(MechanicalPtr<S> mechanism) {
  return std::make_unique<EliminatedDae<S>>(std::move(mechanism));
}

template std::unique_ptr<ImplicitSystem<double>> eliminated_dae(MechanicalPtr<double>);
template std::unique_ptr<ImplicitSystem<quad>> eliminated_dae(MechanicalPtr<quad>);
template std::unique_ptr<ImplicitSystem<real50>> eliminated_dae(MechanicalPtr<real50>);

}  // namespace daemark
