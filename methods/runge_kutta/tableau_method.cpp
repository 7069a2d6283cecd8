#include "methods/runge_kutta/tableau_method.hpp"

namespace daemark {
namespace {

class TableauMethod final : public Method {
 public:
  TableauMethod(const ExactTableau& exact, std::optional<RhoFamily> family)
      : exact_(exact),
        method_(runge_kutta_method(
            {evaluate(exact), true, evaluate_exactly(exact), std::nullopt, std::move(family)})) {}

  int cost_stages() const override { return method_->cost_stages(); }
  bool is_explicit() const override { return method_->is_explicit(); }
  std::string refusal(int index) const override { return method_->refusal(index); }
  std::unique_ptr<Stepper<double>> stepper(SystemPair<double> p, const Settings& s) const override {
    return method_->stepper(p, s);
  }
  std::unique_ptr<Stepper<quad>> stepper(SystemPair<quad> p, const Settings& s) const override {
    return method_->stepper(p, s);
  }
  std::unique_ptr<Stepper<real50>> stepper(SystemPair<real50> p, const Settings& s) const override {
    return method_->stepper(p, s);
  }
  std::unique_ptr<Stepper<rational>> stepper(SystemPair<rational> p,
                                             const Settings& s) const override {
    return method_->stepper(p, s);
  }
  std::optional<WideTableau> tableau() const override { return method_->tableau(); }
  std::optional<ExactTableau> exact_tableau() const override { return exact_; }
  std::optional<RhoFamily> rho_family() const override { return method_->rho_family(); }
  bool solves_end_rates() const override { return method_->solves_end_rates(); }

 private:
  ExactTableau exact_;
  std::shared_ptr<const Method> method_;
};

}  // namespace

std::shared_ptr<const Method> tableau_method(const ExactTableau& tableau,
                                             std::optional<RhoFamily> family) {
  return std::make_shared<TableauMethod>(tableau, std::move(family));
}

}  // namespace daemark
