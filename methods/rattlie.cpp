// rattlie: the variational integrator of RATTLE's kind on Lie groups (Hante & Arnold 2021),
// Rᵏ × SO(3)ᵏ for mechanisms with rotations; equations in methods/geometric/rattlie_equations.hpp.
//
// Order 2, symplectic, positions and velocities on the constraints; the two λ of a step are of
// order 1, λ and accelerations at step ends come from the index-1 solve there. On Rⁿ with constant
// M it is rattle. Takes mechanisms whose mass is constant in the frames of the bodies and whose
// forces depend on velocities by gyroscopic moments alone. Departs from the paper: direct products
// Rᵏ × SO(3)ᵏ only; the equations are those of the authors' code of the same name, the paper could
// not be read.
#include "methods/catalogue/registry.hpp"
#include "methods/geometric/lie_stepper.hpp"
#include "methods/geometric/rattlie_equations.hpp"

namespace daemark {
namespace {

template <class S>
class RattlieStepper final : public StateStepper<S> {
 public:
  RattlieStepper(const Target<S>& target, const Settings& settings)
      : StateStepper<S>(target),
        frames_(*target.mechanism),
        solver_(target, settings.newton),
        v_(this->n_, S(0)),
        rate_(v_) {}

 protected:
  StepReport advance(const S& h) override {
    const int n = this->n_, m = this->m_;
    const State<S>& from = this->state_;
    State<S>& to = this->next_;
    frames_.to_body(from.chart.data(), from.y.data() + n, v_.data());
    frames_.to_body(from.chart.data(), from.rate.data() + n, rate_.data());
    solver_.begin([&](auto& equations) { equations.begin(from, h, v_); });
    RattlieEquations<S>& step = solver_.equations();
    S* const x = solver_.x();
    for (int k = 0; k < n; ++k) {
      x[step.increment() + k] = v_[k] + h * rate_[k] / S(2);
      x[step.velocity() + k] = v_[k] + h * rate_[k];
    }
    for (int k = 0; k < m; ++k)
      x[step.first_multiplier() + k] = x[step.second_multiplier() + k] = h * from.y[2 * n + k];
    const StepReport report = solver_.solve(this->counts_);
    if (report.status != Status::ok) return report;
    step.settle(x);
    std::copy_n(x + step.velocity(), n, v_.begin());
    frames_.to_chart(from.chart.data(), step.position().data(), step.chart().data(), v_.data(),
                     rate_.data(), to.y.data(), to.y.data() + n, to.rate.data() + n);
    return {};
  }

 private:
  BodyFrames<S> frames_;
  EquationSolver<RattlieEquations, S> solver_;
  std::vector<S> v_, rate_;
};

class Rattlie final : public MethodOf<Rattlie> {
 public:
  int cost_stages() const override { return 2; }
  bool solves_end_rates() const override { return true; }
  std::string refusal(const SystemTraits& system) const override {
    if (system.index == 2)
      return "it holds positions and velocities by itself; accepted: index3, minimal";
    if (const std::string why = lie_refusal(system); !why.empty()) return why;
    if (!system.rigid_inertia)
      return "it needs a mass that is constant in the frames of the bodies and forces without "
             "velocities; accepted: rattle, lie_generalized_alpha";
    return "";
  }
  std::optional<StatedOrders> stated_orders(int index) const override {
    if (index != 0 && index != 3) return std::nullopt;
    return StatedOrders{2, 2, 2, true, "observed: order 2, λ is a function of the state"};
  }
  template <class S>
  std::unique_ptr<Stepper<S>> make(const Target<S>& target, const Settings& settings) const {
    if constexpr (!is_exact<S>)
      if (target.mechanism) return std::make_unique<RattlieStepper<S>>(target, settings);
    return nullptr;
  }
};

}  // namespace

void register_rattlie(MethodRegistry& registry) {
  MethodInfo info;
  info.id = "rattlie";
  info.kind = "Lie group";
  info.summary = "RATTLie: variational integrator of RATTLE's kind on Lie groups";
  info.claims.order = 2;
  info.claims.symplectic = true;
  info.source = {"hante2021", ""};
  registry.add(info, [](const Arguments&) { return std::make_shared<Rattlie>(); });
}

}  // namespace daemark
