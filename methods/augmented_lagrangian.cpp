// augmented_lagrangian(penalty, gamma, beta): the index-3 augmented Lagrangian form with
// projections (Bayo & Ledesma 1996; Cuadrado, Cardenal & Bayo 1997). Newmark's formulas and
//
//   M a₊ + Gᵀλ − f = 0,  λ ← λ + α Φ(q₊) in every Newton iteration (penalty α),
//
// so that iterations end, h² |da| at newton.tol, on the index-3 equations; they contract by about
// 1/(1 + α h²β GW⁻¹Gᵀ), and the matrix is regular for redundant constraints too. Velocities v* and
// accelerations a* of a step's end are then put near their constraints, once, in the metric of
// W = M + h γ ∂R/∂v + h² β ∂R/∂q (R = M a + Gᵀλ − f):
//
//   (W + c α GᵀG) v = W v* − c α GᵀΦ_t,  (W + c α GᵀG) a = W a* − c α Gᵀ(Φ̈ − G a),  c = h² β,
//
// which leaves violations of the size |v* violation|/(c α GW⁻¹Gᵀ). The method goes on from there.
// The papers use the trapezoidal rule (γ = 1/2, β = 1/4) and a diagonal matrix of penalties, here
// one number. Theirs is limited by the condition of M + α GᵀG, formed explicitly; here the penalty
// is −1/α on the diagonal of the bordered matrix and may be large, so that iterations contract at
// any usual step (analysis/decisions/0025-default-penalty.md). Order and stability: measured, not
// proved.
#include <algorithm>
#include <cmath>

#include "base/linear/sparse_lu.hpp"
#include "methods/catalogue/registry.hpp"
#include "methods/core/stepper.hpp"
#include "methods/structural/structural_stepper.hpp"

namespace daemark {
namespace {

// The parts of methods/augmented_lagrangian.cpp, whose header has the equations: the Newton matrix
// with penalties, and projections of velocities and accelerations in the metric it gives.
/// An index-3 system with −1/penalty on the diagonal of its constraint rows in the Newton matrix,
/// not in the equations: iterations are λ ← λ + penalty · Φ(next q).
template <class S>
class PenaltySystem final : public ImplicitSystem<S> {
 public:
  PenaltySystem(ImplicitSystem<S>& inner, const S& penalty)
      : inner_(inner), diagonal_(S(-1) / penalty), rows_(0) {
    this->components_ = inner.components();
    this->finish_components();
    this->row_power_ = inner.row_power();
    this->pattern_y_ = inner.pattern_y();
    this->pattern_rate_ = inner.pattern_rate();
    for (const Component& c : this->components_) rows_ += c.kind == Component::Kind::algebraic;
    this->increment_power_.assign(this->unknowns() - rows_, 2);  // h² |da|
    this->increment_power_.insert(this->increment_power_.end(), rows_, -1);
    for (int i = rows_; i > 0; --i)
      this->pattern_y_.entries.emplace_back(this->unknowns() - i, this->size() - i);
  }
  void evaluate(const SystemPoint<S>& point, S* r, S* jacobian_y, S* jacobian_rate) override {
    inner_.evaluate(point, r, jacobian_y, jacobian_rate);
    if (jacobian_y) std::fill_n(jacobian_y + inner_.pattern_y().size(), rows_, diagonal_);
  }
  bool explicit_rates(S* y, S* rate, const S& t, const S* chart) override {
    return inner_.explicit_rates(y, rate, t, chart);
  }
  int chart_size() const override { return inner_.chart_size(); }
  void rebase(S* chart, const std::vector<S*>& points_y,
              const std::vector<S*>& points_rate) override {
    inner_.rebase(chart, points_y, points_rate);
  }

 private:
  ImplicitSystem<S>& inner_;
  S diagonal_;
  int rows_;
};

/// δ with W δ + c α Gᵀ(G δ + violation) = 0, W = M + h γ ∂R/∂v + h² β ∂R/∂q, c = h² β.
template <class S>
class PenaltyProjection {
 public:
  PenaltyProjection(MechanicalSystem<S>& mechanism, double gamma, double beta, double penalty)
      : mechanism_(mechanism),
        n_(mechanism.coordinates()),
        m_(mechanism.constraints()),
        gamma_(gamma),
        beta_(beta),
        penalty_(penalty) {
    PatternBuilder builder;
    const auto place = [&builder](const Pattern& pattern, std::vector<int>& at, int row) {
      for (const auto& [i, j] : pattern.entries) at.push_back(builder.add(row + i, j));
    };
    const Pattern& g = mechanism.gradient_pattern();
    place(mechanism.mass_pattern(), mass_at_, 0);
    place(mechanism.residual_v_pattern(), damping_at_, 0);
    place(mechanism.residual_q_pattern(), stiffness_at_, 0);
    place(g, gradient_at_, n_);
    for (const auto& [i, j] : g.entries) transposed_at_.push_back(builder.add(j, n_ + i));
    for (int i = 0; i < m_; ++i) diagonal_at_.push_back(builder.add(n_ + i, n_ + i));
    values_.resize(builder.size());
    lu_.set_pattern(n_ + m_, builder.entries());
    mass_.resize(mass_at_.size()), damping_.resize(damping_at_.size());
    stiffness_.resize(stiffness_at_.size()), gradient_.resize(g.size());
    curvature_.resize(mechanism.curvature_pattern().size());
    residual_.resize(n_), violation_.resize(m_), solution_.resize(n_ + m_);
  }
  /// Moves v and a of a step end; false where the matrix is singular or a number is not finite.
  bool move(double h, const MotionPoint<S>& point, S* v, S* a) {
    MotionValues<S> out;
    out.residual = residual_.data(), out.velocity = violation_.data();
    out.mass = mass_.data(), out.gradient = gradient_.data();
    out.residual_q = stiffness_.data(), out.residual_v = damping_.data();
    mechanism_.evaluate(point, {S(0), S(0), S(1)}, out);
    if (!factor(h) || !step(v)) return false;
    MotionValues<S> accelerations;
    accelerations.acceleration = violation_.data();
    mechanism_.evaluate(point, {S(0), S(0), S(1)}, accelerations);
    return step(a);
  }

 private:
  bool factor(double h) {
    std::fill(values_.begin(), values_.end(), 0.0);
    const auto add = [this](const std::vector<int>& at, const std::vector<S>& from, double weight) {
      for (std::size_t k = 0; k < at.size(); ++k) values_[at[k]] += weight * to_double(from[k]);
    };
    add(mass_at_, mass_, 1);
    add(damping_at_, damping_, h * gamma_);
    add(stiffness_at_, stiffness_, h * h * beta_);
    add(gradient_at_, gradient_, 1);
    add(transposed_at_, gradient_, 1);
    for (const int k : diagonal_at_) values_[k] -= 1 / (h * h * beta_ * penalty_);
    return lu_.factor(values_.data());
  }
  bool step(S* x) {
    std::fill_n(solution_.begin(), n_, 0.0);
    for (int i = 0; i < m_; ++i) solution_[n_ + i] = -to_double(violation_[i]);
    lu_.solve(solution_.data());
    for (int i = 0; i < n_; ++i) {
      if (!std::isfinite(solution_[i])) return false;
      x[i] += S(solution_[i]);
    }
    return true;
  }

  MechanicalSystem<S>& mechanism_;
  int n_, m_;
  double gamma_, beta_, penalty_;
  SparseLu<double> lu_;
  std::vector<int> mass_at_, damping_at_, stiffness_at_, gradient_at_, transposed_at_, diagonal_at_;
  std::vector<S> residual_, violation_, mass_, damping_, stiffness_, gradient_, curvature_;
  std::vector<double> values_, solution_;
};

template <class S>
class AugmentedLagrangianStepper final : public Stepper<S> {
 public:
  AugmentedLagrangianStepper(const StructuralForm& form, const rational& penalty,
                             const Target<S>& target, const Settings& settings)
      : target_(target),
        system_(*target.system, from_wide<S>(wide(penalty))),
        projection_(*target.mechanism, to_double(form.gamma), to_double(form.beta),
                    to_double(penalty)) {
    Target<S> inside = target;
    inside.system = &system_;
    if constexpr (std::is_same_v<S, F>) {
      inside.factor_system = &system_;
    } else {
      twin_ = std::make_unique<PenaltySystem<F>>(*target.factor_system, to_double(penalty));
      inside.factor_system = twin_.get();
    }
    inner_ = std::make_unique<StructuralStepper<S>>(form, inside, settings);
  }

  void start(const State<S>& initial, const S& h) override {
    this->step_size_ = h;
    inner_->start(initial, h);
  }
  StepReport attempt(const S& h) override {
    const StepReport report = inner_->attempt(h);
    bool moved = false;
    if (report.status == Status::ok) {
      ++work_;
      const int n = target_.mechanism->coordinates();
      State<S>& end = inner_->candidate();
      S *const v = end.y.data() + n, *const a = end.rate.data() + n;
      moved = projection_.move(
          to_double(h),
          {end.t, end.y.data(), v, a, end.y.data() + 2 * n, inner_->state().chart.data()}, v, a);
      std::copy_n(v, n, end.rate.begin());
    }
    this->counts_ = inner_->counts();
    this->counts_.factorizations += work_, this->counts_.residual_evals += 2 * work_;
    this->counts_.jacobian_evals += work_;
    if (report.status != Status::ok || moved) return report;
    return {Status::singular_matrix, "the matrix of the projections is singular or not finite"};
  }
  State<S>& candidate() override { return inner_->candidate(); }
  void accept() override {
    inner_->accept();
    this->counts_.steps = inner_->counts().steps;
  }
  const State<S>& state() const override { return inner_->state(); }
  std::vector<S> memory() const override { return inner_->memory(); }
  void set_memory(const std::vector<S>& memory) override { inner_->set_memory(memory); }

 private:
  using F = FactorScalar<S>;
  Target<S> target_;
  PenaltySystem<S> system_;
  std::unique_ptr<PenaltySystem<F>> twin_;
  std::unique_ptr<StructuralStepper<S>> inner_;
  PenaltyProjection<S> projection_;
  long work_ = 0;
};

class AugmentedLagrangian final : public MethodOf<AugmentedLagrangian> {
 public:
  AugmentedLagrangian(StructuralForm form, rational penalty)
      : MethodOf(unconstrained(form)), form_(std::move(form)), penalty_(std::move(penalty)) {}

  int cost_stages() const override { return 1; }
  std::string refusal(const SystemTraits& system) const override {
    if (!system.mechanism) return refusals::needs_mechanism;
    if (!system.second_order) return refusals::second_order_only;
    if (system.velocity_rows > 0)
      return std::string("its penalties are on positions: ") + refusals::needs_positions;
    if (system.index != 0 && system.index != 3)
      return "its penalties are on positions and its projections on the other levels; accepted: "
             "index3";
    return "";
  }

  template <class S>
  std::unique_ptr<Stepper<S>> make(const Target<S>& target, const Settings& settings) const {
    if constexpr (!is_exact<S>)
      if (target.mechanism && target.mechanism->constraints() > 0)
        return std::make_unique<AugmentedLagrangianStepper<S>>(form_, penalty_, target, settings);
    return std::make_unique<StructuralStepper<S>>(form_, target, settings);
  }

 private:
  /// Nothing is known of its roots in the directions of constraints.
  static ExactSecondOrder unconstrained(const StructuralForm& form) {
    ExactSecondOrder step = form.exact();
    step.position_roots.clear(), step.velocity_roots.clear();
    return step;
  }

  StructuralForm form_;
  rational penalty_;
};

}  // namespace

void register_augmented_lagrangian(MethodRegistry& registry) {
  using Type = Parameter::Type;
  MethodInfo info;
  info.id = "augmented_lagrangian";
  info.kind = "structural";
  info.summary = "index-3 augmented Lagrangian form with projected velocities and accelerations";
  info.parameters = {{"penalty", Type::real, "10^11", "rational in [10^6, 10^14]"},
                     {"gamma", Type::real, "1/2", "rational in [1/2, 1]"},
                     {"beta", Type::real, "1/4", "rational in [1/12, 1]"}};
  info.source = {"bayo1996", ""};
  registry.add(info, [](const Arguments& arguments) -> std::shared_ptr<const Method> {
    const rational penalty = arguments.real_in("penalty", 1000000, rational("100000000000000"));
    return std::make_shared<AugmentedLagrangian>(
        StructuralForm{arguments.real_in("gamma", rational(1) / 2, 1),
                       arguments.real_in("beta", rational(1) / 12, 1)},
        penalty);
  });
}

}  // namespace daemark
