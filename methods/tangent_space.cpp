// tangent_space(inner): an inner method applied in the tangent space of the constraints at each of
// its stages, so that position, velocity and acceleration constraints hold at every one of them
// (Fernández de Bustos, Uriarte, Urkullu & García-Marina 2021, eqs. 34-58, for any implicit
// method).
//
// With N a basis of null G(x) at the stage's own point, minimum-norm particular solutions, and the
// inner formulas for positions, velocities and rates of all points before:
//
//   N ᵀ(x − formula) = 0,  Nᵀ(v − formula) = 0,  Nᵀ(M a − f) = 0,  Φ = 0,  G v + Φ_t = 0,
//   G a + … = 0
//
// (methods/tangent/tangent_system.hpp). Norms are Euclidean in the units of the coordinates: the
// result depends on them. The step end must be a stage of the inner method: only there the formulas
// have a tangent space. On mechanisms without constraints it is the inner method.
//
// Newton's test is max(|dx|, h |dv|, h² |da|) ≤ newton.tol, increments that no longer fall
// accepted.
//
//   form=bordered    sparse LU with the normal components as multipliers; needs independent rows
//   form=null_space  N from a rank-revealing QR of Gᵀ with the rank the mechanism names; rows may
//   be
//                    redundant, a wrong rank is detected
#include <fmt/format.h>

#include <algorithm>

#include "methods/catalogue/registry.hpp"
#include "methods/core/unit_dependence.hpp"
#include "methods/loop/error_size.hpp"
#include "methods/runge_kutta/runge_kutta.hpp"
#include "methods/stages/stage_matrix.hpp"
#include "methods/tangent/null_space_algebra.hpp"
#include "methods/tangent/tangent_system.hpp"

namespace daemark {
namespace {

enum class TangentForm { bordered, null_space };

// tangent_space(inner): the stepper of the inner method on the tangent-space system. Its states are
// (q, v, λ); inside, p and w of a step end are set to x and v, so that the history consists of
// points on the constraints.
template <class S>
class TangentStepper final : public Stepper<S> {
 public:
  TangentStepper(const Method& inner, TangentForm form, const Target<S>& target,
                 const Settings& settings)
      : target_(target),
        error_size_(target, settings.control),
        order_(inner.estimate_order()),
        system_(*target.mechanism, inner.as<ExactSecondOrder>() != nullptr) {
    Target<S> inside = target;
    inside.system = &system_;
    if constexpr (std::is_same_v<S, F>) {
      inside.factor_system = &system_;
    } else {
      twin_ = std::make_unique<TangentSystem<F>>(*target.factor_mechanism, system_.twice());
      inside.factor_system = twin_.get();
    }
    if (form == TangentForm::null_space) {
      algebra_ = std::make_unique<NullSpaceMaker>();
      inside.algebra = algebra_.get();
    }
    inner_ = inner.stepper(inside, settings);
  }

  void start(const State<S>& initial, const S& h) override {
    this->step_size_ = h;
    state_ = next_ = initial;
    inside_ = initial;
    inside_.y.assign(system_.size(), S(0));
    inside_.rate = inside_.y;
    to_inside(initial, inside_);
    inner_->start(inside_, h);
  }
  double first_step(double span) override {
    return automatic_first_step(state_, target_, error_size_, order_, span);
  }
  StepReport attempt(const S& h) override {
    const StepReport report = inner_->attempt(h);
    take_counts();
    if (report.status == Status::ok) to_outside(inner_->candidate(), next_);
    return report;
  }
  State<S>& candidate() override { return next_; }
  const std::vector<S>& error_estimate() const override {
    const TangentLayout& at = system_.layout();
    const std::vector<S>& inside = inner_->error_estimate();
    if (inside.empty()) return inside;
    error_.assign(2 * at.n + at.m, S(0));
    std::copy_n(inside.begin() + at.p(), at.n, error_.begin());
    std::copy_n(inside.begin() + at.w(), at.n, error_.begin() + at.n);
    return error_;
  }
  void accept() override {
    to_inside(next_, inner_->candidate());
    inner_->accept();
    take_counts();
    std::swap(state_.y, next_.y);
    std::swap(state_.rate, next_.rate);
    state_.t = next_.t;
  }
  const State<S>& state() const override { return state_; }
  std::vector<S> memory() const override { return inner_->memory(); }
  void set_memory(const std::vector<S>& memory) override {
    inner_->set_memory(memory);
    to_outside(inner_->state(), state_);
  }

 private:
  using F = FactorScalar<S>;
  void to_inside(const State<S>& outside, State<S>& inside) const {
    const TangentLayout& at = system_.layout();
    const S *q = outside.y.data(), *v = q + at.n;
    for (const int to : {at.p(), at.x()}) std::copy_n(q, at.n, inside.y.begin() + to);
    for (const int to : {at.w(), at.v()}) std::copy_n(v, at.n, inside.y.begin() + to);
    std::copy_n(v + at.n, at.m, inside.y.begin() + at.lambda());
    std::copy_n(v, at.n, inside.rate.begin() + at.p());
    std::copy_n(outside.rate.begin() + at.n, at.n, inside.rate.begin() + at.w());
    inside.t = outside.t;
  }
  void to_outside(const State<S>& inside, State<S>& outside) const {
    const TangentLayout& at = system_.layout();
    std::copy_n(inside.y.begin() + at.x(), at.n, outside.y.begin());
    std::copy_n(inside.y.begin() + at.v(), at.n, outside.y.begin() + at.n);
    std::copy_n(inside.y.begin() + at.lambda(), at.m, outside.y.begin() + 2 * at.n);
    std::copy_n(inside.y.begin() + at.v(), at.n, outside.rate.begin());
    std::copy_n(inside.rate.begin() + at.w(), at.n, outside.rate.begin() + at.n);
    outside.t = inside.t;
  }
  void take_counts() {
    const long rejected = this->counts_.rejected_steps;
    this->counts_ = inner_->counts();
    this->counts_.rejected_steps = rejected;
  }

  Target<S> target_;
  ErrorSize<S> error_size_;
  int order_;  ///< of the inner estimate
  TangentSystem<S> system_;
  std::unique_ptr<TangentSystem<F>> twin_;  ///< wide scalars only
  std::unique_ptr<StageAlgebraMaker> algebra_;
  std::unique_ptr<Stepper<S>> inner_;
  State<S> state_, next_, inside_;
  mutable std::vector<S> error_;
};

class TangentMethod final : public MethodOf<TangentMethod>, public DependsOnUnit {
 public:
  TangentMethod(std::shared_ptr<const Method> inner, TangentForm form)
      : inner_(std::move(inner)), form_(form) {}

  int cost_stages() const override { return inner_->cost_stages(); }
  bool constant_step() const override { return inner_->constant_step(); }
  int estimate_order() const override {
    SystemTraits inside(0);
    inside.mechanism = inside.levels = false;
    return inner_->control_refusal(inside).empty() ? inner_->estimate_order() : 0;
  }
  int error_order() const override { return inner_->error_order(); }
  int least_steps() const override { return inner_->least_steps(); }
  std::string depends_on_unit() const override {
    return "tangent and normal directions are Euclidean in the units of the coordinates "
           "[fernandez2021]";
  }
  std::string refusal(const SystemTraits& system) const override {
    if (!system.mechanism) return refusals::needs_mechanism;
    if (system.index == 0) return inner_->refusal(system);
    if (system.index != 3) return "it holds constraints at all levels by itself; accepted: index3";
    if (!system.flat) return refusals::flat_only;
    if (system.velocity_rows > 0 && form_ == TangentForm::null_space)
      return "some constraints begin on the velocity level, where positions and velocities have "
             "two null spaces; accepted: form=bordered";
    if (!system.full_rank && form_ == TangentForm::bordered)
      return "constraints depend on each other and the bordered matrix is singular; accepted: "
             "form=null_space";
    return "";
  }

  template <class S>
  std::unique_ptr<Stepper<S>> make(const Target<S>& target, const Settings& settings) const {
    if (!target.mechanism) return inner_->stepper(target, settings);
    if constexpr (is_exact<S>) {
      return nullptr;
    } else {
      if (target.mechanism->constraints() == 0) return inner_->stepper(target, settings);
      return std::make_unique<TangentStepper<S>>(*inner_, form_, target, settings);
    }
  }

 private:
  std::shared_ptr<const Method> inner_;
  TangentForm form_;
};

/// Why the step end of a method is no stage of it; empty if it is.
std::string why_not(const Method& inner) {
  if (inner.is_explicit())
    return "it is explicit, no stage of it solves for a point on the constraints";
  SystemTraits no_mechanism(0);
  no_mechanism.mechanism = false;
  if (!inner.refusal(no_mechanism).empty())
    return "it works on mass, forces and constraints itself";
  if (inner.coefficients(MethodKind::multistep)) return "";
  if (inner.as<ExactSecondOrder>())
    return inner.solves_end_rates() ? "its equilibrium is between the ends of the step" : "";
  const WideTableau* tableau = inner.tableau();
  if (!tableau)
    return "it has neither a tableau nor the formula of a structural or multistep method";
  if (has_inner_explicit_stage(*tableau)) return "an explicit stage of it has no tangent space";
  if (is_stiffly_accurate(*tableau)) return "";
  return "it is not stiffly accurate: its step end is no stage";
}

}  // namespace

void register_tangent_space(MethodRegistry& registry) {
  using Type = Parameter::Type;
  MethodInfo info;
  info.id = "tangent_space";
  info.kind = "tangent space";
  info.summary = "an inner method in the tangent space of the constraints, all levels hold";
  info.parameters = {{"inner", Type::call, "average_acceleration",
                      "a structural, multistep or stiffly accurate implicit Runge–Kutta method"},
                     {"form", Type::word, "bordered", "bordered | null_space"}};
  info.examples = {"tangent_space(inner=average_acceleration)",
                   "tangent_space(inner=average_acceleration,form=null_space)",
                   "tangent_space(inner=fox_goodwin)",
                   "tangent_space(inner=generalized_alpha(rho=4/5))",
                   "tangent_space(inner=sdirk_2)",
                   "tangent_space(inner=radau_iia(s=2))",
                   "tangent_space(inner=bdf(k=2))",
                   "tangent_space(inner=radau_iia(s=3),form=null_space)"};
  info.source = {"fernandez2021", "eqs. 34-58"};
  registry.add(info, [](const Arguments& arguments) -> std::shared_ptr<const Method> {
    const std::string form = arguments.word("form", {"bordered", "null_space"});
    const std::string call = arguments.call("inner").text();
    const auto inner = method_registry().make(call);
    const std::string why = why_not(*inner);
    if (!why.empty())
      throw BadInput(
          fmt::format("tangent_space: inner method {}: {}; accepted: structural, "
                      "multistep and stiffly accurate implicit methods",
                      call, why));
    return std::make_shared<TangentMethod>(
        inner, form == "bordered" ? TangentForm::bordered : TangentForm::null_space);
  });
}

}  // namespace daemark
