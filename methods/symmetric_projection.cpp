// symmetric_projection(inner): a symmetric Runge–Kutta step between two shifts off the constraints,
// the same at both ends (Hairer 2000):
//
//   ŷ₀ = y₀ + H(y₀)ᵀ μ,   ŷ₁ = Φ_h(ŷ₀),   y₁ = ŷ₁ + H(y₁)ᵀ μ,   g(y₁) = 0
//
// on the underlying equation (index 1), y = (q, v), g = (Φ, Φ̇), H = ∂g/∂y. Order of the inner
// method, symmetric, on both constraints at every step end; not symplectic. Shifts are Euclidean in
// the units of the coordinates. μ by a simplified Newton iteration with 2 H Hᵀ, to round-off; each
// iteration is a step of the inner method. On mechanisms without constraints it is the inner
// method.
#include <fmt/format.h>

#include <limits>

#include "base/linear/sparse_lu.hpp"
#include "methods/catalogue/registry.hpp"
#include "methods/core/unit_dependence.hpp"
#include "methods/geometric/symmetry.hpp"
#include "methods/stages/state_stepper.hpp"

namespace daemark {
namespace {

// The stepper of methods/symmetric_projection.cpp, whose header has the equations.
template <class S>
class SymmetricProjectionStepper final : public StateStepper<S> {
 public:
  /// `inner` works on the same target.
  SymmetricProjectionStepper(std::unique_ptr<Stepper<S>> inner, const Target<S>& target)
      : StateStepper<S>(target), inner_(std::move(inner)) {
    const MechanicalSystem<S>& mechanism = *target.mechanism;
    const Pattern &g = mechanism.gradient_pattern(), &c = mechanism.curvature_pattern();
    const int n = this->n_, m = this->m_;
    // [I Hᵀ; H 0], H = [G 0; ∂Φ̇/∂q G]: the identity, then H and Hᵀ by blocks.
    PatternBuilder builder;
    for (int i = 0; i < 2 * n; ++i) builder.add(i, i);
    const auto place = [&](const Pattern& block, int row, int column) {
      for (const auto& [i, j] : block.entries) {
        builder.add(2 * n + row + i, column + j);
        builder.add(column + j, 2 * n + row + i);
      }
    };
    place(g, 0, 0), place(g, m, n), place(c, m, 0);
    lu_.set_pattern(2 * n + 2 * m, builder.entries());
    values_.resize(builder.size());
    for (Slope* slope : {&begin_, &end_})
      slope->gradient.resize(g.size()), slope->curvature.resize(c.size());
    mu_.assign(2 * m, S(0)), violation_.assign(2 * m, S(0));
    solution_.resize(2 * n + 2 * m);
  }

 protected:
  /// μ by a simplified Newton iteration with dg/dμ ≈ 2 H Hᵀ at the beginning of the step.
  StepReport advance(const S& h) override {
    constexpr int most = 60;
    const int n = this->n_, m = this->m_;
    shifted_ = this->state_;
    std::fill(mu_.begin(), mu_.end(), S(0));
    evaluate(this->state_, &begin_);
    end_ = begin_;
    if (!factor(begin_)) return {Status::singular_matrix, "the constraints depend on each other"};
    double previous = std::numeric_limits<double>::infinity();
    for (int round = 0; round < most; ++round) {
      const StepReport report = sweep(h);
      if (report.status != Status::ok) return report;
      ++this->counts_.newton_iterations;
      std::fill_n(solution_.begin(), 2 * n, 0.0);
      for (int i = 0; i < 2 * m; ++i) solution_[2 * n + i] = -to_double(violation_[i]) / 2;
      lu_.solve(solution_.data());
      double change = 0, size = 0;
      for (int i = 0; i < 2 * n; ++i) {
        change = std::max(change, std::abs(solution_[i]));
        size = std::max(size, std::abs(to_double(this->next_.y[i])));
        if (!std::isfinite(solution_[i])) return {Status::not_finite, "a projection is not finite"};
      }
      const double floor = unit_roundoff<S>() * (1 + size);
      if (change <= 4 * floor) return {};
      // At round-off changes no longer fall; far from it that is divergence.
      if (change > previous / 2 && change <= 1e4 * floor) return {};
      if (change > 2 * previous)
        return {Status::newton_diverged, "the symmetric projection does not converge"};
      previous = change;
      for (int i = 0; i < 2 * m; ++i) mu_[i] -= S(solution_[2 * n + i]);
    }
    return {Status::newton_diverged, "the symmetric projection needs more than 60 sweeps"};
  }

 private:
  /// H at a point: G and ∂Φ̇/∂q, and g = (Φ, Φ̇).
  struct Slope {
    std::vector<S> gradient, curvature;
  };
  void evaluate(const State<S>& at, Slope* slope) {
    const int n = this->n_, m = this->m_;
    MotionValues<S> out;
    out.position = violation_.data(), out.velocity = violation_.data() + m;
    if (slope) out.gradient = slope->gradient.data(), out.curvature_q = slope->curvature.data();
    this->target_.mechanism->evaluate(motion_point(n, at.point()), {S(0), S(1), S(0)}, out);
    ++this->counts_.residual_evals;
    if (slope) ++this->counts_.jacobian_evals;
  }
  /// y := from + Hᵀμ.
  void add_normal(const Slope& slope, const State<S>& from, State<S>& to) const {
    const int n = this->n_, m = this->m_;
    const MechanicalSystem<S>& mechanism = *this->target_.mechanism;
    std::copy_n(from.y.begin(), 2 * n, to.y.begin());
    const auto& g = mechanism.gradient_pattern().entries;
    for (std::size_t k = 0; k < g.size(); ++k) {
      const auto [row, column] = g[k];
      to.y[column] += slope.gradient[k] * mu_[row];
      to.y[n + column] += slope.gradient[k] * mu_[m + row];
    }
    const auto& c = mechanism.curvature_pattern().entries;
    for (std::size_t k = 0; k < c.size(); ++k)
      to.y[c[k].second] += slope.curvature[k] * mu_[m + c[k].first];
  }
  /// Values in the order of the constructor.
  bool factor(const Slope& slope) {
    double* to = values_.data();
    to = std::fill_n(to, 2 * this->n_, 1.0);
    for (const std::vector<S>* block : {&slope.gradient, &slope.gradient, &slope.curvature})
      for (const S& x : *block) *to++ = to_double(x), *to++ = to_double(x);
    ++this->counts_.factorizations;
    return lu_.factor(values_.data());
  }
  /// The step of the inner method from the shifted beginning, shifted again at its end.
  StepReport sweep(const S& h) {
    const Counts before = inner_->counts();
    add_normal(begin_, this->state_, shifted_);
    ++this->counts_.residual_evals, ++this->counts_.factorizations;
    if (!this->target_.system->explicit_rates(shifted_.y.data(), shifted_.rate.data(), shifted_.t,
                                              nullptr))
      return {Status::singular_matrix, "the index-1 matrix is singular off the constraints"};
    inner_->start(shifted_, h);
    const StepReport report = inner_->attempt(h);
    this->counts_.add_work(inner_->counts(), before);
    if (report.status != Status::ok) return report;
    // Hᵀ at the end itself: μ is of the size of the local error, so that this settles at once.
    constexpr int rounds = 3;
    for (int round = 0; round < rounds; ++round) {
      add_normal(end_, inner_->candidate(), this->next_);
      evaluate(this->next_, &end_);
    }
    return {};
  }

  std::unique_ptr<Stepper<S>> inner_;
  SparseLu<double> lu_;
  Slope begin_, end_;
  std::vector<S> mu_, violation_;
  std::vector<double> values_, solution_;
  State<S> shifted_;
};

class SymmetricProjection final : public MethodOf<SymmetricProjection>,
                                  public SymmetricStep,
                                  public DependsOnUnit {
 public:
  explicit SymmetricProjection(std::shared_ptr<const Method> inner) : inner_(std::move(inner)) {}

  int cost_stages() const override { return inner_->cost_stages(); }
  int symmetric_order() const override { return daemark::symmetric_order(*inner_); }
  std::string depends_on_unit() const override {
    return "shifts off the constraints are Euclidean in the units of the coordinates [hairer2000]";
  }
  bool solves_end_rates() const override { return true; }
  std::string refusal(const SystemTraits& system) const override {
    if (!system.mechanism) return refusals::needs_mechanism;
    if (!system.second_order) return refusals::second_order_only;
    if (!system.flat) return refusals::flat_only;
    if (system.index > 1)
      return "it puts a step on the underlying equation onto the constraints; accepted: " +
             formulation_ids([](const FormulationInfo& info) { return info.index <= 1; });
    if (system.velocity_rows > 0)
      return std::string("it projects positions: ") + refusals::needs_positions;
    if (system.index == 1 && !system.full_rank) return refusals::redundant;
    return inner_->refusal(system);
  }
  template <class S>
  std::unique_ptr<Stepper<S>> make(const Target<S>& target, const Settings& settings) const {
    auto inner = inner_->stepper(target, settings);
    if constexpr (!is_exact<S>)
      if (target.mechanism && target.mechanism->constraints() > 0)
        return std::make_unique<SymmetricProjectionStepper<S>>(std::move(inner), target);
    return inner;
  }

 private:
  std::shared_ptr<const Method> inner_;
};

}  // namespace

void register_symmetric_projection(MethodRegistry& registry) {
  MethodInfo info;
  info.id = "symmetric_projection";
  info.kind = "projection";
  info.summary =
      "a symmetric Runge–Kutta step with the same shift off the constraints at both ends";
  info.parameters = {
      {"inner", Parameter::Type::call, "gauss(s=2)", "a symmetric Runge–Kutta method"}};
  info.examples = {"symmetric_projection(gauss(1))", "symmetric_projection(gauss(2))",
                   "symmetric_projection(gauss(3))", "symmetric_projection(lobatto_iiia(3))"};
  info.source = {"hairer2000", ""};
  registry.add(info, [](const Arguments& arguments) -> std::shared_ptr<const Method> {
    const std::string call = arguments.call("inner").text();
    auto inner = method_registry().make(call);
    const WideTableau* tableau = inner->tableau();
    if (!tableau || !is_symmetric(*tableau))
      throw BadInput(fmt::format(
          "symmetric_projection: inner = {} is not accepted, it is {}; accepted: symmetric "
          "Runge–Kutta methods such as gauss(s), lobatto_iiia(s)",
          call, tableau ? "not symmetric" : "no Runge–Kutta method"));
    return std::make_shared<SymmetricProjection>(std::move(inner));
  });
}

}  // namespace daemark
