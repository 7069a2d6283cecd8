#include "methods/multistep/flat_multistep.hpp"
#include "methods/multistep/multistep_stepper.hpp"
#include "methods/multistep/one_stage_stepper.hpp"

namespace daemark {
namespace {

template <class S>
S rounded(const rational& x) {
  if constexpr (is_exact<S>)
    return x;
  else
    return from_wide<S>(static_cast<wide>(x));
}

template <class S>
class SingleStepStepper final : public OneStageStepper<S> {
 public:
  SingleStepStepper(int n, const rational& rho, const Target<S>& target, const Settings& settings)
      : OneStageStepper<S>(target, settings,
                           newton_for(settings, leading_error(flat_multistep(n, rho))), 1),
        rho_(rounded<S>(rho)),
        complement_(rounded<S>(rational(1 - rho))),
        sum_(rounded<S>(rational(1 + rho))) {
    rational gain = 0, power = 1;  // Σ q_{j+1} (1−ρ)^j
    for (const rational& q : flat_polynomial(n)) {
      q_.push_back(rounded<S>(q));
      gain += q * power;
      power *= 1 - rho;
    }
    gain_ = rounded<S>(gain);
    beta0_ = rounded<S>(rational(1 / ((1 + rho) * gain)));
    z_.assign(n - 1, std::vector<S>(target.system->size(), S(0)));
    next_z_ = z_;
    level_.resize(n), newer_.resize(n);
  }

  void start(const State<S>& initial, const S& h) override {
    OneStageStepper<S>::start(initial, h);
    for (auto& z : z_) z.assign(z.size(), S(0));
  }

  std::vector<S> memory() const override {
    std::vector<S> m;
    this->append_common(m);
    for (const auto& z : z_)
      for (int c : this->state_components_) m.push_back(z[c]);
    return m;
  }
  void set_memory(const std::vector<S>& memory) override {
    auto from = memory.begin();
    this->take_common(from);
    for (auto& z : z_)
      for (int c : this->state_components_) z[c] = *from++;
  }

 protected:
  StepReport attempt_step() override {
    S* base = this->stage_.base(0);
    const S *y = this->history_.y(0), *rate = this->history_.rate(0);
    for (int c : this->state_components_) {
      // z_j = (1−ρ)^j U_n + e_j with U_n = (ẏ_n − Σ q_{j+1} e_j)/gain.
      const S known = known_parts(c, rate);
      base[c] = y[c] + this->h_ * (rho_ * level_[0] - known / gain_) / sum_;
    }
    return this->solve(beta0_);
  }
  void take_candidate() override {
    update_auxiliary(this->history_.rate(0), this->next_.rate.data());
  }

  /// Auxiliary rates travel with copies of the newest point, as the paper has it (g^p = g_{N−1} =
  /// 0).
  void add_auxiliary(std::vector<S*>& points_y, std::vector<S*>& points_rate) override {
    newest_copies_.resize(z_.size());
    for (std::size_t j = 0; j < z_.size(); ++j) {
      newest_copies_[j].assign(this->history_.y(0), this->history_.y(0) + z_[j].size());
      points_y.push_back(newest_copies_[j].data());
      points_rate.push_back(z_[j].data());
    }
  }

 private:
  /// Fills level_ = (U, z_1, …) of the last point and newer_ = e_j; returns Σ q_{j+1} e_j.
  S known_parts(int c, const S* rate) {
    const std::size_t n = q_.size();
    level_[0] = rate[c];
    for (std::size_t j = 1; j < n; ++j) {
      level_[j] = z_[j - 1][c];
      level_[0] -= q_[j] * level_[j];
    }
    newer_[0] = S(0);
    S known(0);
    for (std::size_t j = 1; j < n; ++j) {
      newer_[j] = complement_ * (newer_[j - 1] - level_[j - 1]) - rho_ * level_[j];
      known += q_[j] * newer_[j];
    }
    return known;
  }

  void update_auxiliary(const S* old_rate, const S* new_rate) {
    for (int c : this->state_components_) {
      const S known = known_parts(c, old_rate);
      S share = (new_rate[c] - known) / gain_;
      for (std::size_t j = 1; j < q_.size(); ++j) {
        share *= complement_;
        next_z_[j - 1][c] = share + newer_[j];
      }
    }
    std::swap(z_, next_z_);
  }

  S rho_, complement_, sum_, gain_{}, beta0_{};
  std::vector<S> q_;                        ///< of Q(w)
  std::vector<std::vector<S>> z_, next_z_;  ///< [j − 1][component]
  std::vector<S> level_, newer_;            ///< of one component
  std::vector<std::vector<S>> newest_copies_;
};

class SingleStepMethod final : public OneStageMethod<SingleStepMethod> {
 public:
  /// Its form is the multistep formula with the same characteristic polynomial.
  SingleStepMethod(int n, const rational& rho)
      : OneStageMethod(flat_multistep(n, rho), FlatMultistep{n, rho}), n_(n), rho_(rho) {}
  template <class S>
  std::unique_ptr<Stepper<S>> make(const Target<S>& target, const Settings& settings) const {
    return std::make_unique<SingleStepStepper<S>>(n_, rho_, target, settings);
  }

 private:
  int n_;
  rational rho_;
};

}  // namespace

std::shared_ptr<const Method> single_step_method(int n, const rational& rho) {
  return std::make_shared<SingleStepMethod>(n, rho);
}

}  // namespace daemark
