// bliedf(k), k = 1, 2: backward differentiation on Lie groups (Wieloch & Arnold 2021), Rᵏ × SO(3)ᵏ
// for mechanisms with rotations, Rⁿ for others:
//
//   v̇₊ = (1/h) Σ_{j=0..k} α_j v_{n+1−j},  v₊ = Σ_{j=0..k−1} γ_j Δq_{n−j} [ + γ₀ B(q)ᵀη ],
//   q₊ = q exp(h Δq_n),  γ_j = α_0 + … + α_j
//   M v̇₊ + B(q₊)ᵀλ₊ = f(t₊, q₊, v₊),  Φ(q₊) = 0 [ , B(q₊) v₊ = 0 ]
//
// without the terms in brackets on index 3, with them on ggl. α = (1, −1), (3/2, −2, 1/2). The
// first step is that of k = 1. Order k. Orders above 2 need correction terms of the group, which
// the available code (BLieDF) does not have; they are left out.
#include "methods/catalogue/registry.hpp"
#include "methods/geometric/lie_stepper.hpp"

namespace daemark {
namespace {

/// own_: v̇, the velocity before, the increment before, and 1 where there are such.
template <class S>
class BliedfStepper final : public LieStepper<S> {
 public:
  BliedfStepper(int k, const Target<S>& target, const Settings& settings)
      : LieStepper<S>(target, settings), k_(k) {}

 protected:
  void begin_run(const S&) override {
    this->own_.assign(3 * this->n_ + 1, S(0));
    this->body_rate(this->own_.data());
  }
  void fill_known(const S& h) override {
    const int n = this->n_;
    LieKnown<S>& known = this->known_;
    const bool two = k_ == 2 && this->own_.back() != S(0);
    const S first = two ? S(1.5) : S(1);  // α₀ = γ₀
    known.c_v = S(1) / first, known.c_w = known.c_v / first, known.c_d = S(1);
    const S *const before = this->own_.data() + n, *const increment = before + n;
    for (int k = 0; k < n; ++k) {
      const S v = this->body_v_[k];
      known.v[k] = two ? S((S(2) * v - before[k] / S(2)) / first) : v;
      known.u[k] = two ? S((known.v[k] + increment[k] / S(2)) / first) : known.v[k];
    }
    (void)h;
  }
  void keep(const S* acceleration, const S* increment) override {
    const int n = this->n_;
    std::copy_n(acceleration, n, this->next_own_.begin());
    std::copy_n(this->body_v_.begin(), n, this->next_own_.begin() + n);
    std::copy_n(increment, n, this->next_own_.begin() + 2 * n);
    this->next_own_.back() = S(1);
  }

 private:
  int k_;
};

class Bliedf final : public MethodOf<Bliedf> {
 public:
  explicit Bliedf(int k) : k_(k) {}
  int cost_stages() const override { return 1; }
  bool constant_step() const override { return k_ > 1; }
  std::string refusal(const SystemTraits& system) const override { return lie_refusal(system); }
  std::optional<KnownOrders> known_orders(int index) const override {
    if (index == 1) return std::nullopt;
    if (index == 0)
      return KnownOrders{k_, k_, k_, false, "on R^n it is backward differentiation of k steps"};
    return KnownOrders{k_, k_, k_, true, "observed: order k"};
  }
  template <class S>
  std::unique_ptr<Stepper<S>> make(const Target<S>& target, const Settings& settings) const {
    if constexpr (!is_exact<S>)
      if (target.mechanism) return std::make_unique<BliedfStepper<S>>(k_, target, settings);
    return nullptr;
  }

 private:
  int k_;
};

}  // namespace

void register_bliedf(MethodRegistry& registry) {
  MethodInfo info;
  info.id = "bliedf";
  info.kind = "Lie group";
  info.summary = "backward differentiation on Lie groups, index 3 or stabilised index 2";
  info.parameters = {{"k", Parameter::Type::integer, "2", "integer 1..2"}};
  info.examples = {"bliedf(k=1)", "bliedf(k=2)"};
  info.source = {"wieloch2021", ""};
  registry.add(info, [](const Arguments& arguments) {
    return std::make_shared<Bliedf>(static_cast<int>(arguments.integer("k", 1, 2)));
  });
}

}  // namespace daemark
