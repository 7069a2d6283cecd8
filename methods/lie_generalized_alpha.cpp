// lie_generalized_alpha(rho, start): the generalised-α method on Lie groups (Brüls, Cardona &
// Arnold 2012), Rᵏ × SO(3)ᵏ for mechanisms with rotations, on others Rⁿ and the method of Arnold &
// Brüls:
//
//   q₊ = q exp(h Δq),  Δq = v + (1/2 − β) h a + β h a₊ [ − B(q)ᵀη ]
//   v₊ = v + (1 − γ) h a + γ h a₊,  (1 − α_m) a₊ + α_m a = (1 − α_f) v̇₊ + α_f v̇
//   M v̇₊ + B(q₊)ᵀλ₊ = f(t₊, q₊, v₊),  Φ(q₊) = 0 [ , B(q₊) v₊ = 0 ]
//
// index 3 without, on ggl with what stands in brackets (stabilised index 2). α_m, α_f, γ, β as in
// generalized_alpha. Order 2; roots at infinity −ρ.
//
// a is to be v̇ at t + (α_m − α_f) h. Started with a = v̇ (start=plain) λ has a transient of size h
// on index 3, which falls like the roots at infinity (Arnold, Brüls & Cardona 2015).
// start=perturbed begins with a₀ = v̇₀ + (α_m − α_f) h v̈₀ and, on index 3, with velocities that are
// off their constraint by B l/h, l/h = (1 − 6β − 3(α_m − α_f))/6 h² v̈₀ + h²/12 [v₀, v̇₀], the least
// change in the metric of M. v̈₀ by a central difference of index-1 solves at ±h. Equations as in
// the authors' code of 2017-2019 (gena), whose texts could be read; the papers' could not.
#include "methods/catalogue/registry.hpp"
#include "methods/geometric/lie_stepper.hpp"

namespace daemark {
namespace {

struct AlphaForm {
  rational alpha_m, alpha_f, gamma, beta;
  bool perturbed;
};

/// own_: a, then v̇.
template <class S>
class LieAlphaStepper final : public LieStepper<S> {
 public:
  LieAlphaStepper(const AlphaForm& form, const Target<S>& target, const Settings& settings)
      : LieStepper<S>(target, settings),
        alpha_m_(narrow(form.alpha_m)),
        alpha_f_(narrow(form.alpha_f)),
        gamma_(narrow(form.gamma)),
        beta_(narrow(form.beta)),
        perturbed_(form.perturbed) {}

 protected:
  void begin_run(const S& h) override {
    const int n = this->n_;
    this->own_.assign(2 * n, S(0));
    this->body_rate(this->own_.data() + n);
    std::copy_n(this->own_.begin() + n, n, this->own_.begin());
    if (perturbed_) perturb(h);
  }
  void fill_known(const S& h) override {
    LieKnown<S>& known = this->known_;
    const S *const a = this->own_.data(), *const rate = a + this->n_;
    const S share = S(1) - alpha_f_;
    known.c_w = beta_, known.c_v = gamma_, known.c_d = (S(1) - alpha_m_) / share;
    for (int k = 0; k < this->n_; ++k) {
      known.u[k] = this->body_v_[k] + h * (S(0.5) - beta_) * a[k];
      known.v[k] = this->body_v_[k] + h * (S(1) - gamma_) * a[k];
      known.rate[k] = (alpha_m_ * a[k] - alpha_f_ * rate[k]) / share;
    }
  }
  void keep(const S* acceleration, const S*) override {
    std::copy_n(acceleration, this->n_, this->next_own_.begin());
    const std::vector<S>& rate = this->solver_.equations().velocity_rate();
    std::copy(rate.begin(), rate.end(), this->next_own_.begin() + this->n_);
  }

 private:
  static S narrow(const rational& x) { return from_wide<S>(wide(x)); }

  /// Of the start, once a run.
  void perturb(const S& h) {
    const int n = this->n_, m = this->m_;
    std::vector<S> v(n), w(n), moved(n), rates[2] = {std::vector<S>(n), std::vector<S>(n)};
    const S* const rate = this->own_.data() + n;
    this->frames_.to_body(this->state_.chart.data(), this->state_.y.data() + n, v.data());
    for (int side = 0; side < 2; ++side) {
      const S step = side == 0 ? S(-h) : h;
      for (int k = 0; k < n; ++k) {
        w[k] = step * (v[k] + step * rate[k] / S(2));
        moved[k] = v[k] + step * rate[k];
      }
      if (!this->solve_rate(w.data(), moved.data(), this->state_.t + step, rates[side].data()))
        return;
    }
    std::vector<S> second(n), shift(n);
    const S lag = alpha_m_ - alpha_f_;
    for (int k = 0; k < n; ++k) second[k] = (rates[1][k] - rates[0][k]) / (S(2) * h);
    for (int k = 0; k < n; ++k) this->own_[k] = rate[k] + lag * h * second[k];
    if (this->stabilised_ || m == 0) return;
    const S share = (S(1) - S(6) * beta_ - S(3) * lag) / S(6);
    for (int k = 0; k < n; ++k) shift[k] = h * h * share * second[k];
    for (std::size_t r = 0; 4 * r < this->state_.chart.size(); ++r) {
      const int at = this->frames_.first_of(static_cast<int>(r));
      const auto bracket = rotation::cross(rotation::vector(&v[at]), rotation::vector(rate + at));
      for (int k = 0; k < 3; ++k) shift[at + k] += h * h * bracket[k] / S(12);
    }
    shift_velocity(shift);
  }

  /// v += Δ, [M Bᵀ; B 0](Δ, ·) = (0, B shift). In double: Δ is of size h².
  void shift_velocity(const std::vector<S>& shift) {
    const int n = this->n_, m = this->m_;
    MechanicalSystem<S>& mechanism = *this->target_.mechanism;
    IndexOneSolve<S> solve(mechanism);
    std::vector<S> space(n), gradient(mechanism.gradient_pattern().size()), a(n), lambda(m);
    this->frames_.to_space(this->state_.chart.data(), shift.data(), space.data());
    MotionPoint<S> point = motion_point(n, this->state_.point());
    MotionValues<S> out;
    out.gradient = gradient.data();
    mechanism.evaluate(point, {}, out);
    ++this->counts_.residual_evals, ++this->counts_.factorizations;
    if (!solve.solve(mechanism, point, {S(0), S(0), S(1)}, a.data(), lambda.data())) return;
    std::vector<double> right(n + m, 0.0);
    const auto& entries = mechanism.gradient_pattern().entries;
    for (std::size_t e = 0; e < entries.size(); ++e)
      right[n + entries[e].first] += to_double(S(gradient[e] * space[entries[e].second]));
    solve.apply_inverse(right.data());
    for (int k = 0; k < n; ++k) this->state_.y[n + k] += S(right[k]);
  }

  S alpha_m_, alpha_f_, gamma_, beta_;
  bool perturbed_;
};

class LieAlpha final : public MethodOf<LieAlpha> {
 public:
  explicit LieAlpha(AlphaForm form) : form_(std::move(form)) {}
  int cost_stages() const override { return 1; }
  std::string refusal(const SystemTraits& system) const override { return lie_refusal(system); }
  std::optional<KnownOrders> known_orders(int index) const override {
    return lie_orders(index, "order 2 (Arnold, Brüls & Cardona 2015)");
  }
  template <class S>
  std::unique_ptr<Stepper<S>> make(const Target<S>& target, const Settings& settings) const {
    if constexpr (!is_exact<S>)
      if (target.mechanism) return std::make_unique<LieAlphaStepper<S>>(form_, target, settings);
    return nullptr;
  }

 private:
  AlphaForm form_;
};

}  // namespace

void register_lie_generalized_alpha(MethodRegistry& registry) {
  using Type = Parameter::Type;
  MethodInfo info;
  info.id = "lie_generalized_alpha";
  info.kind = "Lie group";
  info.summary = "generalized-alpha on Lie groups, index 3 or stabilised index 2";
  info.parameters = {{"rho", Type::real, "9/10", "rational in [0, 1]: spectral radius at infinity"},
                     {"start", Type::word, "perturbed", "perturbed | plain"}};
  info.examples = {"lie_generalized_alpha(rho=9/10)",
                   "lie_generalized_alpha(rho=9/10,start=plain)"};
  info.claims.order = 2;
  info.source = {"bruels2012", "start: [arnold2015]"};
  registry.add(info, [](const Arguments& arguments) {
    const rational rho = arguments.real_in("rho", 0, 1), half = rational(1) / 2;
    AlphaForm form;
    form.alpha_m = (2 * rho - 1) / (rho + 1), form.alpha_f = rho / (rho + 1);
    form.gamma = half + form.alpha_f - form.alpha_m;
    form.beta = (form.gamma + half) * (form.gamma + half) / 4;
    form.perturbed = arguments.word("start", {"perturbed", "plain"}) == "perturbed";
    return std::make_shared<LieAlpha>(std::move(form));
  });
}

}  // namespace daemark
