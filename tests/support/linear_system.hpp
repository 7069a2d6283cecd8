// ẏ = a y as an ImplicitSystem in any scalar, rational included: amplification is read off one
// step.
#pragma once

#include "problems/core/implicit_system.hpp"

namespace daemark::test {

template <class S>
class LinearSystem final : public ImplicitSystem<S> {
 public:
  explicit LinearSystem(S a) : a_(std::move(a)) {
    this->components_ = {{"y", Component::Kind::differential, -1}};
    this->finish_components();
    this->row_power_ = {0};
    this->pattern_y_ = this->pattern_rate_ = {1, 1, {{0, 0}}};
  }
  void evaluate(const S* y, const S* rate, const S&, S* r, S* jacobian_y,
                S* jacobian_rate) override {
    r[0] = rate[0] - a_ * y[0];
    if (jacobian_y) jacobian_y[0] = -a_, jacobian_rate[0] = S(1);
  }
  bool has_explicit_rates() const override { return true; }
  bool explicit_rates(S* y, S* rate, const S&) override {
    rate[0] = a_ * y[0];
    return true;
  }
  std::string description() const override { return "linear"; }

 private:
  S a_;
};

}  // namespace daemark::test
