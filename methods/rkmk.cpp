// rkmk(inner): an explicit Runge–Kutta method on a Lie group after Munthe-Kaas (1998), Rᵏ × SO(3)ᵏ
// for mechanisms with rotations:
//
//   Θ_i = h Σ_j a_ij T⁻¹(Θ_j) V_j,  Q_i = q₀ exp(Θ_i),  V_i = v₀ + h Σ_j a_ij V̇_j,
//   V̇_i = v̇(t_i, Q_i, V_i) by the index-1 solve,  and the same with b at the step's end.
//
// Velocities are those of the frames of the bodies, T⁻¹ the inverse of the exponential's tangent
// map in closed form (problems/geometry/body_frames.hpp), so that nothing is truncated: the
// order is that of the tableau in q, v and λ. Constraints hold on the acceleration level and drift.
// On Rⁿ it is the inner method.
#include <fmt/format.h>

#include "methods/catalogue/registry.hpp"
#include "methods/stages/state_stepper.hpp"
#include "problems/geometry/body_frames.hpp"

namespace daemark {
namespace {

template <class S>
class RkmkStepper final : public StateStepper<S> {
 public:
  RkmkStepper(const WideTableau& tableau, const Target<S>& target)
      : StateStepper<S>(target), frames_(*target.mechanism), s_(tableau.stages()) {
    for (const auto& row : tableau.A)
      for (const wide& x : row) a_.push_back(from_wide<S>(x));
    for (const wide& x : tableau.b) a_.push_back(from_wide<S>(x));
    for (const wide& x : tableau.c) c_.push_back(from_wide<S>(x));
    for (std::vector<S>* x : {&theta_, &v_, &begin_, &rate_}) x->assign(this->n_, S(0));
    slopes_.assign(s_, {v_, v_});
  }

 protected:
  StepReport advance(const S& h) override {
    const int n = this->n_;
    stage_ = this->state_;
    frames_.to_body(this->state_.chart.data(), this->state_.y.data() + n, begin_.data());
    for (int i = 0; i < s_; ++i) {
      place(i, h);
      stage_.t = this->state_.t + c_[i] * h;
      frames_.to_space(stage_.chart.data(), v_.data(), stage_.y.data() + n);
      ++this->counts_.residual_evals, ++this->counts_.factorizations;
      if (!this->target_.system->explicit_rates(stage_.y.data(), stage_.rate.data(), stage_.t,
                                                stage_.chart.data()))
        return {Status::singular_matrix, "the index-1 matrix is singular at a stage"};
      frames_.tangent_inverse(theta_.data(), v_.data(), slopes_[i].increment.data());
      frames_.to_body(stage_.chart.data(), stage_.rate.data() + n, slopes_[i].rate.data());
    }
    place(s_, h);
    State<S>& to = this->next_;
    frames_.to_chart(this->state_.chart.data(), stage_.y.data(), stage_.chart.data(), v_.data(),
                     rate_.data(), to.y.data(), to.y.data() + n, to.rate.data() + n);
    return {};
  }

 private:
  struct Slope {
    std::vector<S> increment, rate;
  };

  /// Θ, V and Q of a stage; of the end where i = s.
  void place(int i, const S& h) {
    const int n = this->n_;
    std::fill(theta_.begin(), theta_.end(), S(0));
    v_ = begin_;
    for (int j = 0; j < std::min(i, s_); ++j) {
      const S weight = h * a_[i * s_ + j];
      if (weight == 0) continue;
      for (int k = 0; k < n; ++k) {
        theta_[k] += weight * slopes_[j].increment[k];
        v_[k] += weight * slopes_[j].rate[k];
      }
    }
    frames_.move(this->state_.y.data(), this->state_.chart.data(), theta_.data(), stage_.y.data(),
                 stage_.chart.data());
  }

  BodyFrames<S> frames_;
  int s_;
  std::vector<S> a_, c_, theta_, v_, begin_, rate_;
  std::vector<Slope> slopes_;
  State<S> stage_;
};

class Rkmk final : public MethodOf<Rkmk> {
 public:
  explicit Rkmk(std::shared_ptr<const Method> inner) : inner_(std::move(inner)) {}
  int cost_stages() const override { return inner_->cost_stages(); }
  bool is_explicit() const override { return true; }
  bool solves_end_rates() const override { return true; }
  std::string refusal(const SystemTraits& system) const override {
    if (!system.mechanism) return refusals::needs_mechanism;
    if (system.index > 1 || !system.second_order)
      return "it is explicit, its stages take accelerations from the index-1 solve; accepted: " +
             formulation_ids(
                 [](const FormulationInfo& info) { return info.index <= 1 && info.second_order; });
    if (system.index == 1 && !system.full_rank) return refusals::redundant;
    return "";
  }
  template <class S>
  std::unique_ptr<Stepper<S>> make(const Target<S>& target, const Settings&) const {
    if constexpr (!is_exact<S>)
      if (target.mechanism) return std::make_unique<RkmkStepper<S>>(*inner_->tableau(), target);
    return nullptr;
  }

 private:
  std::shared_ptr<const Method> inner_;
};

}  // namespace

void register_rkmk(MethodRegistry& registry) {
  MethodInfo info;
  info.id = "rkmk";
  info.kind = "Lie group";
  info.summary = "an explicit Runge–Kutta method on a Lie group after Munthe-Kaas";
  info.parameters = {{"inner", Parameter::Type::call, "erk4", "an explicit Runge–Kutta method"}};
  info.examples = {"rkmk(erk4)", "rkmk(dormand_prince_5)"};
  info.source = {"munthekaas1998", ""};
  registry.add(info, [](const Arguments& arguments) -> std::shared_ptr<const Method> {
    const std::string call = arguments.call("inner").text();
    auto inner = method_registry().make(call);
    if (!inner->tableau() || !inner->is_explicit())
      throw BadInput(fmt::format(
          "rkmk: inner = {} is not accepted: an explicit Runge–Kutta method such as erk4", call));
    return std::make_shared<Rkmk>(std::move(inner));
  });
}

}  // namespace daemark
