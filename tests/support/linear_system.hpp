// ẏ = a y as an ImplicitSystem in any scalar, rational included: amplification is read off one
// step.
#pragma once

#include "problems/system/implicit_system.hpp"

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
  void evaluate(const SystemPoint<S>& p, S* r, S* jacobian_y, S* jacobian_rate) override {
    r[0] = p.rate[0] - a_ * p.y[0];
    if (jacobian_y) jacobian_y[0] = -a_, jacobian_rate[0] = S(1);
  }
  bool explicit_rates(S* y, S* rate, const S&, const S*) override {
    rate[0] = a_ * y[0];
    return true;
  }

 private:
  S a_;
};

}  // namespace daemark::test
