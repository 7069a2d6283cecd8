// Direct elimination (Yang, Duan & Di 2006, eq. 12): with V(q) a basis of null(G),
//
//   Vᵀ(M v̇ − f) = 0,  Φ̈ = G v̇ + γ = 0      for v̇,
//   G(M v̇ + Gᵀλ − f) = 0                     for λ, afterwards.
//
// V: m coordinates depend on the n − m others, which are pivots of a sparse elimination of G;
// column k is the motion at unit rate of free coordinate k, scaled to length 1. Other coordinates
// are chosen where columns become long; the rows are then other combinations of the same equations.
// Vᵀ R makes n − m dense rows, G R sparse ones: n − m solves with G a point.
//
// Jacobian: since Vᵀ Gᵀ = 0, ∂(Vᵀ(M v̇ − f)) = Vᵀ ∂(M v̇ + Gᵀλ − f) where the bracket vanishes; what
// else V(q) adds is a combination of the rows themselves and vanishes in the solution.
#include <cmath>
#include <limits>

#include "base/linear/refined_lu.hpp"
#include "base/program/stop.hpp"
#include "problems/formulations/mechanical_formulation.hpp"

namespace daemark {
namespace {

/// Columns 0..n−m a basis of null(G), of length 1.
template <class S>
class NullBasis {
 public:
  explicit NullBasis(const Pattern& gradient)
      : n_(gradient.cols),
        m_(gradient.rows),
        gradient_(gradient),
        columns_(static_cast<std::size_t>(n_) * (n_ - m_)) {}

  const S* column(int k) const { return &columns_[static_cast<std::size_t>(k) * n_]; }

  /// `gradient` in the order of the pattern. Rows of G that depend on each other give columns that
  /// are not finite.
  void update(const std::vector<S>& gradient) {
    constexpr double much_longer = 10;
    if (solve(gradient) && longest_ <= much_longer * longest_when_chosen_) return;
    if (choose(gradient) && solve(gradient))
      longest_when_chosen_ = longest_;
    else
      std::fill(columns_.begin(), columns_.end(), S(std::numeric_limits<double>::quiet_NaN()));
  }

 private:
  /// Which coordinates are free: those that no row of G needs as a pivot.
  bool choose(const std::vector<S>& gradient) {
    for (std::size_t k = 0; k < gradient.size(); ++k) rounded_[k] = to_double(gradient[k]);
    order_.run(n_, gradient_.entries, rounded_.data());  // rows m..n are empty: it ends before them
    if (static_cast<int>(order_.pivot_column.size()) != m_) return false;
    std::vector<char> is_free(n_, true);
    for (const int column : order_.pivot_column) is_free[column] = false;
    std::vector<std::pair<int, int>> entries = gradient_.entries;
    for (int j = 0, row = m_; j < n_; ++j)
      if (is_free[j]) entries.emplace_back(row++, j);
    values_.assign(entries.size(), S(1));
    lu_.set_pattern(n_, std::move(entries));
    return true;
  }

  /// [G; E] V = [0; 1] with the rows E of the free coordinates.
  bool solve(const std::vector<S>& gradient) {
    using std::sqrt;
    if (values_.empty()) return false;
    std::copy(gradient.begin(), gradient.end(), values_.begin());
    if (!lu_.factor(values_.data())) return false;
    longest_ = 0;
    for (int k = 0; k < n_ - m_; ++k) {
      if ((k & 15) == 15) checkpoint();
      S* const v = &columns_[static_cast<std::size_t>(k) * n_];
      std::fill_n(v, n_, S(0));
      v[m_ + k] = S(1);
      if (!lu_.solve(v)) return false;
      S square(0);
      for (int i = 0; i < n_; ++i) square += v[i] * v[i];
      const S length = sqrt(square);
      for (int i = 0; i < n_; ++i) v[i] /= length;
      longest_ = std::max(longest_, to_double(length));
    }
    return true;
  }

  int n_, m_;
  Pattern gradient_;
  RefinedLu<S> lu_;
  MarkowitzOrder<double> order_;
  std::vector<S> columns_, values_;
  std::vector<double> rounded_ = std::vector<double>(gradient_.entries.size());
  double longest_ = 0, longest_when_chosen_ = 0;
};

/// A B of sparse matrices in fixed patterns, B given by its pattern or by that of its transpose.
class SparseProduct {
 public:
  SparseProduct(const Pattern& a, const Pattern& b, bool transposed = false) {
    std::vector<std::vector<std::pair<int, int>>> row_of_b(a.cols);  // column, place
    for (int k = 0; k < b.size(); ++k) {
      const auto [i, j] = b.entries[k];
      row_of_b[transposed ? j : i].emplace_back(transposed ? i : j, k);
    }
    PatternBuilder builder;
    for (int k = 0; k < a.size(); ++k)
      for (const auto& [column, place] : row_of_b[a.entries[k].second])
        terms_.push_back({k, place, builder.add(a.entries[k].first, column)});
    entries_ = builder.entries();
  }

  const std::vector<std::pair<int, int>>& entries() const { return entries_; }

  /// Writes the values in the order of entries() and returns what follows them.
  template <class S>
  S* write(const std::vector<S>& a, const std::vector<S>& b, S* out) const {
    std::fill_n(out, entries_.size(), S(0));
    for (const Term& term : terms_) out[term.to] += a[term.a] * b[term.b];
    return out + entries_.size();
  }

 private:
  struct Term {
    int a, b, to;
  };
  std::vector<Term> terms_;
  std::vector<std::pair<int, int>> entries_;
};

template <class S>
class EliminatedDae final : public MechanicalFormulation<S> {
  using MechanicalFormulation<S>::mechanism_, MechanicalFormulation<S>::n_,
      MechanicalFormulation<S>::m_;

 public:
  explicit EliminatedDae(MechanicalPtr<S> mechanism)
      : MechanicalFormulation<S>(std::move(mechanism)),
        basis_(mechanism_->gradient_pattern()),
        along_q_(mechanism_->gradient_pattern(), mechanism_->residual_q_pattern()),
        along_v_(mechanism_->gradient_pattern(), mechanism_->residual_v_pattern()),
        along_mass_(mechanism_->gradient_pattern(), mechanism_->mass_pattern()),
        gram_(mechanism_->gradient_pattern(), mechanism_->gradient_pattern(), true) {
    this->add_mechanical_components();
    this->finish_components();
    this->row_power_.assign(n_ + m_, 0);
    lay_out();
    gradient_.resize(mechanism_->gradient_pattern().size());
    mass_.resize(mechanism_->mass_pattern().size());
    residual_.resize(n_);
    derivative_q_.resize(mechanism_->residual_q_pattern().size());
    derivative_v_.resize(mechanism_->residual_v_pattern().size());
    rates_.resize(this->pattern_rate_.size() + gram_.entries().size());
    right_.resize(n_ + m_);
  }

  // Rows: 0..n−m Vᵀ R; n−m..n Φ̈; n.. G R, where R = M v̇ + Gᵀλ − f and Vᵀ R does not see λ.
  void evaluate(const SystemPoint<S>& p, S* r, S* jacobian_y, S* jacobian_rate) override {
    MotionValues<S> out;
    S* next = jacobian_y;
    if (jacobian_y) {
      out.mass = mass_.data();
      out.residual_q = derivative_q_.data(), out.residual_v = derivative_v_.data();
      out.curvature_q = next, next += mechanism_->curvature_pattern().size();
      out.curvature_v = next, next += mechanism_->curvature_pattern().size();
    }
    write_rows(motion_point(n_, p), out, r);
    if (!jacobian_y) return;
    next = project(mechanism_->residual_q_pattern(), derivative_q_, next);
    next = along_q_.write(gradient_, derivative_q_, next);
    next = project(mechanism_->residual_v_pattern(), derivative_v_, next);
    next = along_v_.write(gradient_, derivative_v_, next);
    gram_.write(gradient_, gradient_, next);
    write_rates(jacobian_rate);
  }

  /// [VᵀM 0; G 0; GM GGᵀ] (a, λ) = −(rows at a = 0, λ = 0).
  bool explicit_rates(S* y, S* rate, const S& t, const S* chart) override {
    std::copy_n(y + n_, n_, rate);
    std::fill(rate + n_, rate + this->size(), S(0));
    std::fill_n(y + 2 * n_, m_, S(0));
    MotionValues<S> out;
    out.mass = mass_.data();
    write_rows({t, y, y + n_, rate + n_, y + 2 * n_, chart}, out, right_.data());
    gram_.write(gradient_, gradient_, write_rates(rates_.data()));
    if (lu_.size() == 0) lu_.set_pattern(n_ + m_, rate_entries());
    if (!lu_.factor(rates_.data()) || !lu_.solve(right_.data())) return false;
    for (int i = 0; i < n_; ++i) rate[n_ + i] = -right_[i];
    for (int i = 0; i < m_; ++i) y[2 * n_ + i] = -right_[n_ + i];
    return true;
  }

 private:
  using Entries = std::vector<std::pair<int, int>>;

  void write_rows(const MotionPoint<S>& point, MotionValues<S> out, S* r) {
    out.residual = residual_.data(), out.acceleration = r + (n_ - m_);
    out.gradient = gradient_.data();
    mechanism_->evaluate(point, {S(0), S(0), S(1)}, out);
    basis_.update(gradient_);
    for (int k = 0; k < n_ - m_; ++k) {
      const S* const v = basis_.column(k);
      r[k] = S(0);
      for (int i = 0; i < n_; ++i) r[k] += v[i] * residual_[i];
    }
    std::fill_n(r + n_, m_, S(0));
    const auto& entries = mechanism_->gradient_pattern().entries;
    for (std::size_t e = 0; e < entries.size(); ++e)
      r[n_ + entries[e].first] += gradient_[e] * residual_[entries[e].second];
  }

  S* write_rates(S* out) {
    out = project(mechanism_->mass_pattern(), mass_, out);
    out = along_mass_.write(gradient_, mass_, out);
    return std::copy(gradient_.begin(), gradient_.end(), out);
  }

  /// Vᵀ times a matrix in its pattern, (n−m) × n dense; returns what follows.
  S* project(const Pattern& pattern, const std::vector<S>& values, S* out) const {
    std::fill_n(out, static_cast<std::size_t>(n_ - m_) * n_, S(0));
    for (int k = 0; k < n_ - m_; ++k, out += n_) {
      if ((k & 15) == 15) checkpoint();
      const S* const v = basis_.column(k);
      for (std::size_t e = 0; e < values.size(); ++e)
        out[pattern.entries[e].second] += v[pattern.entries[e].first] * values[e];
    }
    return out;
  }

  /// In the order of evaluate(): curvature in q and v, [V Gᵀ]ᵀ ∂R in q and v, G Gᵀ.
  void lay_out() {
    const int width = 2 * n_ + m_;
    Pattern& p = this->pattern_y_;
    p = {n_ + m_, width, {}};
    for (const int column : {0, n_})
      add(p, mechanism_->curvature_pattern().entries, n_ - m_, column);
    add_dense(p, 0), add(p, along_q_.entries(), n_, 0);
    add_dense(p, n_), add(p, along_v_.entries(), n_, n_);
    add(p, gram_.entries(), n_, 2 * n_);
    Pattern& rate = this->pattern_rate_;
    rate = {n_ + m_, width, {}};
    add_dense(rate, n_), add(rate, along_mass_.entries(), n_, n_);
    add(rate, mechanism_->gradient_pattern().entries, n_ - m_, n_);
  }
  void add(Pattern& to, const Entries& entries, int row, int column) const {
    for (const auto& [i, j] : entries) to.entries.emplace_back(row + i, column + j);
  }
  void add_dense(Pattern& to, int column) const {
    for (int k = 0; k < n_ - m_; ++k)
      for (int j = 0; j < n_; ++j) to.entries.emplace_back(k, column + j);
  }
  /// Of the matrix of explicit_rates: rates, then multipliers.
  Entries rate_entries() const {
    Pattern all{n_ + m_, n_ + m_, {}};
    for (const auto& [i, j] : this->pattern_rate_.entries) all.entries.emplace_back(i, j - n_);
    add(all, gram_.entries(), n_, n_);
    return all.entries;
  }

  NullBasis<S> basis_;
  SparseProduct along_q_, along_v_, along_mass_, gram_;
  RefinedLu<S> lu_;
  std::vector<S> gradient_, mass_, residual_, derivative_q_, derivative_v_, rates_, right_;
};

}  // namespace

template <class S>
std::unique_ptr<ImplicitSystem<S>> eliminated_dae(MechanicalPtr<S> mechanism) {
  return std::make_unique<EliminatedDae<S>>(std::move(mechanism));
}

template std::unique_ptr<ImplicitSystem<double>> eliminated_dae(MechanicalPtr<double>);
template std::unique_ptr<ImplicitSystem<real50>> eliminated_dae(MechanicalPtr<real50>);

}  // namespace daemark
