#include <cmath>
#include <limits>

#include "problems/formulations/mechanical_formulation.hpp"

namespace daemark {
namespace {

/// q̇ = v, M v̇ + Gᵀλ = f, one linear combination of Φ, Φ̇, Φ̈ = 0. Rows of velocities stay on their
/// level where Φ is asked for.
template <class S>
class MechanicalDae : public MechanicalFormulation<S> {
 protected:
  using MechanicalFormulation<S>::mechanism_, MechanicalFormulation<S>::n_,
      MechanicalFormulation<S>::m_;

 public:
  MechanicalDae(MechanicalPtr<S> mechanism, ConstraintWeights<S> weights, int row_power)
      : MechanicalFormulation<S>(std::move(mechanism)), weights_(std::move(weights)) {
    of_velocities_ = mechanism_->velocity_rows() > 0 ? weights_.of_velocity_rows() : weights_;
    this->add_mechanical_components();
    this->finish_components();
    this->row_power_.assign(n_ + m_, 0);
    for (int row = 0; row < m_; ++row)
      this->row_power_[n_ + row] =
          mechanism_->row_level(row) == RowLevel::position ? row_power : std::max(row_power, -1);
    lay_out();
  }

  std::optional<ConstraintLevels<S>> levels() const override {
    return ConstraintLevels<S>{weights_, false};
  }

  void evaluate(const SystemPoint<S>& p, S* r, S* jacobian_y, S* jacobian_rate) override {
    MotionValues<S> out;
    out.residual = r, out.weighted = r + n_, out.position = position_;
    if (!jacobian_y) {
      mechanism_->evaluate(motion_point(n_, p), weights_, out);
      return;
    }
    out.mass = jacobian_rate, out.gradient = gradient_.data();
    out.residual_q = jacobian_y;
    out.residual_v = out.residual_q + mechanism_->residual_q_pattern().size();
    out.curvature_q = out.residual_v + mechanism_->residual_v_pattern().size();
    out.curvature_v = out.curvature_q + mechanism_->curvature_pattern().size();
    out.residual_lambda = out.curvature_v + mechanism_->curvature_pattern().size();
    mechanism_->evaluate(motion_point(n_, p), weights_, out);
    S* transposed = out.residual_lambda + mechanism_->residual_lambda_pattern().size();
    for (std::size_t i = 0; i < gradient_.size(); ++i) transposed[i] = gradient_[i];
    S* next = transposed + gradient_.size();
    next = scaled_gradient(weights_.position, of_velocities_.position, next);
    scaled_gradient(weights_.velocity, of_velocities_.velocity, next);
    scaled_gradient(weights_.acceleration, weights_.acceleration,
                    jacobian_rate + mechanism_->mass_pattern().size());
  }

  bool explicit_rates(S* y, S* rate, const S& t, const S* chart) override {
    const bool own = weights_.acceleration != 0 || m_ == 0;
    return this->solve_index_one(y, rate, t, chart,
                                 own ? weights_ : ConstraintWeights<S>{S(0), S(0), S(1)});
  }

 private:
  /// Blocks of ∂r/∂y in the order evaluate() writes them: ∂R/∂q, ∂R/∂v, curvature in q and v,
  /// −∂f/∂λ, Gᵀ, and G in q and v where the level needs them. A position may occur in two blocks:
  /// the entries are then kept apart, the stage solver adds them.
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
    put(mechanism_->residual_lambda_pattern(), 0, 2 * n_);
    const Pattern& g = mechanism_->gradient_pattern();
    for (const auto& [r, j] : g.entries) p.entries.emplace_back(j, 2 * n_ + r);
    if (weights_.position != 0) put(g, n_, 0);
    if (weights_.velocity != 0 || of_velocities_.velocity != 0) put(g, n_, n_);
    Pattern& rate = this->pattern_rate_;
    rate = {n_ + m_, 2 * n_ + m_, {}};
    for (const auto& [i, j] : mechanism_->mass_pattern().entries)
      rate.entries.emplace_back(i, n_ + j);
    if (weights_.acceleration != 0)
      for (const auto& [r, j] : g.entries) rate.entries.emplace_back(n_ + r, n_ + j);
    gradient_.resize(g.size());
  }

  /// G times the weight of each row's level, nothing where both are zero.
  S* scaled_gradient(const S& weight, const S& of_velocities, S* out) const {
    if (weight != of_velocities) return gradient_by_level(weight, of_velocities, out);
    if (weight == 0) return out;
    for (const S& x : gradient_) *out++ = weight * x;
    return out;
  }
  S* gradient_by_level(const S& weight, const S& of_velocities, S* out) const {
    const auto& entries = mechanism_->gradient_pattern().entries;
    for (std::size_t k = 0; k < gradient_.size(); ++k) {
      const bool position = mechanism_->row_level(entries[k].first) == RowLevel::position;
      *out++ = (position ? weight : of_velocities) * gradient_[k];
    }
    return out;
  }

  ConstraintWeights<S> weights_, of_velocities_;

 protected:
  std::vector<S> gradient_;
  S* position_ = nullptr;  ///< where evaluate() writes Φ as well
};

/// Φ̈_r + c λ_r Φ_r = 0: index 1 where the constraint itself was used to simplify Φ̈ = 0.
///
/// For the point-mass pendulum m q̈ + 2qλ = F, G = 2qᵀ: (m/2) C − ½ G R with C = Φ̈ + (4λ/m) Φ and R
/// the dynamic rows is m q̇ᵀq̇ + qᵀF − 2 l² λ, eq. 25 of Yang, Duan & Di 2006, so that c = 4/m gives
/// its form (26): rows combined with a nonsingular matrix. On the manifold it is index 1; off it
/// violations follow Φ̈ = −cλΦ, and not Φ̈ = 0.
template <class S>
class SubstitutedDae final : public MechanicalDae<S> {
  using MechanicalDae<S>::mechanism_, MechanicalDae<S>::n_, MechanicalDae<S>::m_,
      MechanicalDae<S>::gradient_;

 public:
  SubstitutedDae(MechanicalPtr<S> mechanism, S c)
      : MechanicalDae<S>(std::move(mechanism), {S(0), S(0), S(1)}, 0),
        c_(std::move(c)),
        phi_(m_),
        residual_(n_ + m_),
        correction_(n_ + m_) {
    this->position_ = phi_.data();
    Pattern& p = this->pattern_y_;
    own_ = p.size();
    for (const auto& [r, j] : mechanism_->gradient_pattern().entries)
      p.entries.emplace_back(n_ + r, j);
    for (int k = 0; k < m_; ++k) p.entries.emplace_back(n_ + k, 2 * n_ + k);
  }

  std::optional<ConstraintLevels<S>> levels() const override { return std::nullopt; }

  /// After the blocks of Φ̈ = 0: cλG, cΦ.
  void evaluate(const SystemPoint<S>& p, S* r, S* jacobian_y, S* jacobian_rate) override {
    MechanicalDae<S>::evaluate(p, r, jacobian_y, jacobian_rate);
    const S* const lambda = motion_point(n_, p).lambda;
    for (int k = 0; k < m_; ++k) r[n_ + k] += c_ * lambda[k] * phi_[k];
    if (!jacobian_y) return;
    S* blocks = jacobian_y + own_;
    const auto& entries = mechanism_->gradient_pattern().entries;
    for (std::size_t k = 0; k < entries.size(); ++k)
      *blocks++ = c_ * lambda[entries[k].first] * gradient_[k];
    for (int k = 0; k < m_; ++k) *blocks++ = c_ * phi_[k];
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
  S c_;
  int own_;  ///< entries of the blocks of Φ̈ = 0
  std::vector<S> phi_, residual_;
  std::vector<double> correction_;
};

/// q̇ = v − Gᵀμ, M v̇ + Gᵀλ = f, Φ = 0, Φ̇ = 0. y = (q, v, λ, μ). Rows of velocities, which tell
/// positions nothing, have neither a μ nor a Φ = 0.
template <class S>
class GglDae final : public MechanicalFormulation<S> {
  using MechanicalFormulation<S>::mechanism_, MechanicalFormulation<S>::n_,
      MechanicalFormulation<S>::m_;
  using typename MechanicalFormulation<S>::Kind;

 public:
  explicit GglDae(MechanicalPtr<S> mechanism) : MechanicalFormulation<S>(std::move(mechanism)) {
    for (const char* prefix : {"", "d"})
      for (const std::string& name : mechanism_->coordinate_names())
        this->components_.push_back({prefix + name, Kind::differential, -1});
    for (const std::string& name : mechanism_->constraint_names())
      this->components_.push_back({name, Kind::algebraic, -1});
    for (int row = 0; row < m_; ++row) {
      const bool position = mechanism_->row_level(row) == RowLevel::position;
      mu_of_.push_back(position ? static_cast<int>(positions_.size()) : -1);
      if (!position) continue;
      positions_.push_back(row);
      this->components_.push_back(
          {"mu_" + mechanism_->constraint_names()[row], Kind::algebraic, -1});
    }
    this->finish_components();
    p_ = static_cast<int>(positions_.size());
    position_.resize(m_), mu_.assign(m_, S(0));
    this->row_power_.assign(2 * n_ + p_ + m_, 0);
    std::fill(this->row_power_.begin() + 2 * n_, this->row_power_.end(), -1);
    lay_out();
  }

  std::optional<ConstraintLevels<S>> levels() const override {
    return ConstraintLevels<S>{{S(0), S(1), S(0)}, true};
  }

  // Rows: 0..n q̇ − v + Gᵀμ; n..2n dynamics; 2n..2n+p Φ; 2n+p.. Φ̇.
  void evaluate(const SystemPoint<S>& p, S* r, S* jacobian_y, S* jacobian_rate) override {
    const MotionPoint<S> point = motion_point(n_, p);
    for (int i = 0; i < p_; ++i) mu_[positions_[i]] = p.y[2 * n_ + m_ + i];
    const int kq = mechanism_->residual_q_pattern().size(),
              kv = mechanism_->residual_v_pattern().size(),
              kc = mechanism_->curvature_pattern().size(),
              kl = mechanism_->residual_lambda_pattern().size(),
              kg = static_cast<int>(gradient_.size());
    MotionValues<S> out;
    out.residual = r + n_, out.position = position_.data(), out.velocity = r + 2 * n_ + p_;
    out.gradient = gradient_.data();
    S* blocks = jacobian_y;
    if (jacobian_y) {
      out.mass = jacobian_rate;
      out.residual_q = blocks, out.residual_v = blocks + kq;
      out.curvature_q = blocks + kq + kv, out.residual_lambda = blocks + kq + kv + kc;
    }
    mechanism_->evaluate(point, {S(0), S(1), S(0)}, out);
    for (int i = 0; i < p_; ++i) r[2 * n_ + i] = position_[positions_[i]];
    for (int i = 0; i < n_; ++i) r[i] = p.rate[i] - p.y[n_ + i];
    const auto& entries = mechanism_->gradient_pattern().entries;
    for (int k = 0; k < kg; ++k) r[entries[k].second] += gradient_[k] * mu_[entries[k].first];
    if (!jacobian_y) return;
    blocks += kq + kv + kc + kl;
    MotionPoint<S> stabilised = point;
    stabilised.lambda = mu_.data();
    mechanism_->multiplier_stiffness(stabilised, blocks);
    blocks += kq;
    for (int k = 0; k < kg; ++k) *blocks++ = gradient_[k];  // Gᵀλ
    for (int copy = 0; copy < 2; ++copy)                    // Gᵀμ, and G of Φ
      for (const int k : position_entries_) *blocks++ = gradient_[k];
    for (int k = 0; k < kg; ++k) *blocks++ = gradient_[k];  // G of Φ̇
    for (int i = 0; i < n_; ++i) *blocks++ = S(-1);
    S* identity = jacobian_rate + mechanism_->mass_pattern().size();
    for (int i = 0; i < n_; ++i) identity[i] = S(1);
  }

  bool explicit_rates(S* y, S* rate, const S& t, const S* chart) override {
    for (int i = 0; i < p_; ++i) y[2 * n_ + m_ + i] = S(0);
    return this->solve_index_one(y, rate, t, chart, {S(0), S(0), S(1)});
  }

 private:
  void lay_out() {
    Pattern& p = this->pattern_y_;
    const int size = 2 * n_ + m_ + p_;
    p = {size, size, {}};
    const auto put = [&p](const Pattern& source, int row, int column) {
      for (const auto& [i, j] : source.entries) p.entries.emplace_back(row + i, column + j);
    };
    const Pattern& g = mechanism_->gradient_pattern();
    put(mechanism_->residual_q_pattern(), n_, 0);
    put(mechanism_->residual_v_pattern(), n_, n_);
    put(mechanism_->curvature_pattern(), 2 * n_ + p_, 0);
    put(mechanism_->residual_lambda_pattern(), n_, 2 * n_);
    put(mechanism_->residual_q_pattern(), 0, 0);  // ∂(Gᵀμ)/∂q
    for (const auto& [r, j] : g.entries) p.entries.emplace_back(n_ + j, 2 * n_ + r);
    for (int k = 0; k < g.size(); ++k)
      if (mu_of_[g.entries[k].first] >= 0) position_entries_.push_back(k);
    for (const int k : position_entries_)
      p.entries.emplace_back(g.entries[k].second, 2 * n_ + m_ + mu_of_[g.entries[k].first]);
    for (const int k : position_entries_)
      p.entries.emplace_back(2 * n_ + mu_of_[g.entries[k].first], g.entries[k].second);
    put(g, 2 * n_ + p_, n_);
    for (int i = 0; i < n_; ++i) p.entries.emplace_back(i, n_ + i);
    Pattern& rate = this->pattern_rate_;
    rate = {size, size, {}};
    for (const auto& [i, j] : mechanism_->mass_pattern().entries)
      rate.entries.emplace_back(n_ + i, n_ + j);
    for (int i = 0; i < n_; ++i) rate.entries.emplace_back(i, i);
    gradient_.resize(g.size());
  }

  int p_ = 0;                          ///< rows of positions
  std::vector<int> positions_;         ///< which they are
  std::vector<int> mu_of_;             ///< each row's μ, −1 where it has none
  std::vector<int> position_entries_;  ///< of G
  std::vector<S> gradient_, position_, mu_;
};

}  // namespace

template <class S>
std::unique_ptr<ImplicitSystem<S>> weighted_dae(MechanicalPtr<S> mechanism,
                                                ConstraintWeights<S> weights, int row_power) {
  return std::make_unique<MechanicalDae<S>>(std::move(mechanism), std::move(weights), row_power);
}
template <class S>
std::unique_ptr<ImplicitSystem<S>> stabilised_dae(MechanicalPtr<S> mechanism) {
  return std::make_unique<GglDae<S>>(std::move(mechanism));
}

template <class S>
std::unique_ptr<ImplicitSystem<S>> substituted_dae(MechanicalPtr<S> mechanism, S c) {
  return std::make_unique<SubstitutedDae<S>>(std::move(mechanism), std::move(c));
}

#define DAEMARK_INSTANTIATE(S)                                                                     \
  template std::unique_ptr<ImplicitSystem<S>> weighted_dae(MechanicalPtr<S>, ConstraintWeights<S>, \
                                                           int);                                   \
  template std::unique_ptr<ImplicitSystem<S>> stabilised_dae(MechanicalPtr<S>);                    \
  template std::unique_ptr<ImplicitSystem<S>> substituted_dae(MechanicalPtr<S>, S);
DAEMARK_INSTANTIATE(double)
DAEMARK_INSTANTIATE(real50)
#undef DAEMARK_INSTANTIATE

}  // namespace daemark
