#include "methods/rosenbrock/rosenbrock.hpp"

#include <algorithm>

#include "methods/core/estimate_order.hpp"
#include "methods/core/index_two_orders.hpp"
#include "methods/rosenbrock/rosenbrock_stepper.hpp"

namespace daemark {
namespace {

template <class S, class T>
RosenbrockCoefficients<S> rounded(const RosenbrockNumbers<T>& numbers) {
  const auto narrow = [](const T& x) {
    if constexpr (std::is_same_v<S, T>)
      return x;
    else
      return from_wide<S>(x);
  };
  RosenbrockCoefficients<S> out;
  for (const auto* rows : {&numbers.A, &numbers.C})
    for (const auto& row : *rows)
      for (const T& x : row) (rows == &numbers.A ? out.A : out.C).push_back(narrow(x));
  for (const T& x : numbers.weights) out.weights.push_back(narrow(x));
  for (const T& x : numbers.error) out.error.push_back(narrow(x));
  for (const T& x : numbers.c) out.c.push_back(narrow(x));
  for (const T& x : numbers.d) out.d.push_back(narrow(x));
  out.gamma = narrow(numbers.gamma);
  return out;
}

class RosenbrockMethod final : public MethodOf<RosenbrockMethod> {
 public:
  explicit RosenbrockMethod(const ExactRosenbrock& written)
      : MethodOf(written),
        numbers_(evaluate(written)),
        exact_(evaluate_exactly(written)),
        estimate_order_(order_of_difference(numbers_)) {}

  int cost_stages() const override { return numbers_.stages(); }
  int estimate_order() const override { return estimate_order_; }
  /// On index 2 multipliers enter the estimate times h.
  ControlOrders control_orders(int index) const override {
    if (index < 2) return Method::control_orders(index);
    const IndexTwoOrders orders = index_two_orders(numbers_);
    return {std::min(orders.difference, orders.multipliers + 1), orders.motion};
  }

  std::string refusal(const SystemTraits& system) const override {
    if (system.index > 2)
      return "its multipliers follow one linear system a stage, which constraints on positions do "
             "not determine; accepted: " +
             formulation_ids([](const FormulationInfo& info) { return info.index <= 2; });
    return system.index > 0 && !system.full_rank ? refusals::redundant : "";
  }

  template <class S>
  std::unique_ptr<Stepper<S>> make(const Target<S>& target, const Settings& settings) const {
    if constexpr (is_exact<S>) {
      if (!exact_) return nullptr;
      return std::make_unique<RosenbrockStepper<S>>(rounded<S>(*exact_), target, settings);
    } else {
      return std::make_unique<RosenbrockStepper<S>>(rounded<S>(numbers_), target, settings);
    }
  }

 private:
  RosenbrockNumbers<wide> numbers_;
  std::optional<RosenbrockNumbers<rational>> exact_;
  int estimate_order_;
};

}  // namespace

std::shared_ptr<const Method> rosenbrock_method(const ExactRosenbrock& written) {
  return std::make_shared<RosenbrockMethod>(written);
}

}  // namespace daemark
