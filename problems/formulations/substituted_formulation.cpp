// Φ̈_r + c λ_r Φ_r = 0: index 1 where the constraint itself was used to simplify Φ̈ = 0.
//
// For the point-mass pendulum m q̈ + 2qλ = F, G = 2qᵀ: (m/2) C − ½ G R with C = Φ̈ + (4λ/m) Φ and R
// the dynamic rows is m q̇ᵀq̇ + qᵀF − 2 l² λ, eq. 25 of Yang, Duan & Di 2006, so that c = 4/m gives
// its form (26): rows combined with a nonsingular matrix. On the manifold it is index 1; off it
// violations follow Φ̈ = −cλΦ, and not Φ̈ = 0.
#include <cmath>

#include "problems/formulations/mechanical_formulation.hpp"
#include "problems/formulations/mechanical_formulations.hpp"

namespace daemark {
namespace {

template <class S>
class SubstitutedDae final : public MechanicalFormulation<S> {
  using MechanicalFormulation<S>::mechanism_, MechanicalFormulation<S>::n_,
      MechanicalFormulation<S>::m_;

 public:
  SubstitutedDae(MechanicalPtr<S> mechanism, S c)
      : MechanicalFormulation<S>(std::move(mechanism)), c_(std::move(c)) {
    this->add_mechanical_components();
    this->finish_components();
    this->row_power_.assign(n_ + m_, 0);
    lay_out();
    gradient_.resize(mechanism_->gradient_pattern().size());
    position_.resize(m_);
    residual_.resize(n_ + m_), correction_.resize(n_ + m_);
  }

  void evaluate(const SystemPoint<S>& p, S* r, S* jacobian_y, S* jacobian_rate) override {
    const MotionPoint<S> point = motion_point(n_, p);
    MotionValues<S> out;
    out.residual = r, out.acceleration = r + n_, out.position = position_.data();
    S* blocks = jacobian_y;
    if (jacobian_y) {
      out.mass = jacobian_rate, out.gradient = gradient_.data();
      out.residual_q = blocks, blocks += mechanism_->residual_q_pattern().size();
      out.residual_v = blocks, blocks += mechanism_->residual_v_pattern().size();
      out.curvature_q = blocks, blocks += mechanism_->curvature_pattern().size();
      out.curvature_v = blocks, blocks += mechanism_->curvature_pattern().size();
    }
    mechanism_->evaluate(point, {S(0), S(0), S(1)}, out);
    for (int k = 0; k < m_; ++k) r[n_ + k] += c_ * point.lambda[k] * position_[k];
    if (!jacobian_y) return;
    const auto& entries = mechanism_->gradient_pattern().entries;
    for (const S& x : gradient_) *blocks++ = x;
    for (std::size_t k = 0; k < entries.size(); ++k)
      *blocks++ = c_ * point.lambda[entries[k].first] * gradient_[k];
    for (int k = 0; k < m_; ++k) *blocks++ = c_ * position_[k];
    S* rates = jacobian_rate + mechanism_->mass_pattern().size();
    for (const S& x : gradient_) *rates++ = x;
  }

  /// The index-1 solution, corrected with its factors: c Φ λ is small beside G M⁻¹ Gᵀ λ.
  bool explicit_rates(S* y, S* rate, const S& t, const S* chart) override {
    if (!this->solve_index_one(y, rate, t, chart, {S(0), S(0), S(1)})) return false;
    constexpr int most_rounds = 40;
    double previous = std::numeric_limits<double>::infinity();
    for (int round = 0; round < most_rounds; ++round) {
      evaluate({y, rate, t, chart}, residual_.data(), nullptr, nullptr);
      for (int i = 0; i < n_ + m_; ++i) correction_[i] = to_double(residual_[i]);
      this->index_one_.apply_inverse(correction_.data());
      double size = 0, change = 0;
      for (int i = 0; i < n_ + m_; ++i) {
        S& x = i < n_ ? rate[n_ + i] : y[n_ + i];
        x -= S(correction_[i]);
        change = std::max(change, std::abs(correction_[i]));
        size = std::max(size, std::abs(to_double(x)));
      }
      if (!std::isfinite(change)) return false;
      if (change <= 4 * unit_roundoff<S>() * size) return true;
      if (change >= previous / 2) return change <= std::sqrt(unit_roundoff<S>()) * size;
      previous = change;
    }
    return false;
  }

 private:
  /// In the order evaluate() writes: ∂R/∂q, ∂R/∂v, curvature in q and v, Gᵀ, cλG, cΦ.
  void lay_out() {
    Pattern& p = this->pattern_y_;
    p = {n_ + m_, 2 * n_ + m_, {}};
    const auto put = [&p](const Pattern& source, int row, int column) {
      for (const auto& [i, j] : source.entries) p.entries.emplace_back(row + i, column + j);
    };
    put(mechanism_->residual_q_pattern(), 0, 0);
    put(mechanism_->residual_v_pattern(), 0, n_);
    put(mechanism_->curvature_pattern(), n_, 0);
    put(mechanism_->curvature_pattern(), n_, n_);
    const Pattern& g = mechanism_->gradient_pattern();
    for (const auto& [r, j] : g.entries) p.entries.emplace_back(j, 2 * n_ + r);
    put(g, n_, 0);
    for (int k = 0; k < m_; ++k) p.entries.emplace_back(n_ + k, 2 * n_ + k);
    Pattern& rate = this->pattern_rate_;
    rate = {n_ + m_, 2 * n_ + m_, {}};
    for (const auto& [i, j] : mechanism_->mass_pattern().entries)
      rate.entries.emplace_back(i, n_ + j);
    for (const auto& [r, j] : g.entries) rate.entries.emplace_back(n_ + r, n_ + j);
  }

  S c_;
  std::vector<S> gradient_, position_, residual_;
  std::vector<double> correction_;
};

}  // namespace

template <class S>
std::unique_ptr<ImplicitSystem<S>> substituted_dae(MechanicalPtr<S> mechanism, S c) {
  return std::make_unique<SubstitutedDae<S>>(std::move(mechanism), std::move(c));
}

template std::unique_ptr<ImplicitSystem<double>> substituted_dae(MechanicalPtr<double>, double);
template std::unique_ptr<ImplicitSystem<real50>> substituted_dae(MechanicalPtr<real50>, real50);

}  // namespace daemark
