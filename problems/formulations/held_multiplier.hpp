// M v̇ = f − Gᵀλ with λ given: the ordinary equations a mechanism follows while its multipliers are
// held (Yang, Duan & Di 2006, eqs. 21-22). y = (q, v), q̇ = v.
#pragma once

#include <vector>

#include "base/linear/sparse_lu.hpp"
#include "problems/system/mechanical_system.hpp"

namespace daemark {

template <class S>
class HeldMultiplierSystem final : public ImplicitSystem<S> {
 public:
  /// `mechanism`, flat, outlives this object.
  explicit HeldMultiplierSystem(MechanicalSystem<S>& mechanism);

  /// m entries, rounded where T is wider.
  template <class T>
  void hold(const T* lambda) {
    for (S& x : lambda_) x = static_cast<S>(*lambda++);
  }

  void evaluate(const SystemPoint<S>& point, S* r, S* jacobian_y, S* jacobian_rate) override;
  bool explicit_rates(S* y, S* rate, const S& t, const S* chart) override;

 private:
  MotionPoint<S> motion(const S* y, const S* a, const S& t) const {
    return {t, y, y + n_, a, lambda_.data(), nullptr};
  }

  MechanicalSystem<S>& mechanism_;
  int n_;
  std::vector<S> lambda_, mass_, residual_;
  std::vector<double> mass_values_, correction_;
  SparseLu<double> mass_lu_;
};

}  // namespace daemark
