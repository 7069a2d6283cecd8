// The rows of velocities of a Model (model_system.hpp), the last ones of its m: values, G and
// derivatives from one function that is linear in v.
#pragma once

#include <array>

#include "base/numbers/jet.hpp"
#include "problems/system/mechanical_system.hpp"

namespace daemark {

template <class S, class Model>
struct ModelVelocityRows {
  static constexpr int count = [] {
    if constexpr (requires { Model::velocity_rows; })
      return Model::velocity_rows;
    else
      return 0;
  }();
  static constexpr int n = Model::n, first = Model::m - count;

  /// Φ̇, Φ̈ and what follows from them; gᵀλ goes to the residual where `reactions`.
  static void write(const Model& model, const MotionPoint<S>& p,
                    const ConstraintWeights<S>& weights, const MotionValues<S>& out,
                    bool reactions) {
    using D = Dual<S, 2 * n>;
    using Jet = Dual<D, 1>;
    const ConstraintWeights<S> w = weights.of_velocity_rows();
    const auto moving = [](const D& value, const D& rate) {
      Jet jet(value);
      jet.grad[0] = rate;
      return jet;
    };
    std::array<Jet, n> q, v;
    for (int i = 0; i < n; ++i) {
      const D velocity = D::variable(p.v[i], n + i);
      q[i] = moving(D::variable(p.q[i], i), velocity);
      v[i] = moving(velocity, D(p.a ? p.a[i] : S(0)));
    }
    std::array<Jet, count> row;
    model.velocity_constraint(moving(D(p.t), D(S(1))), q.data(), v.data(), row.data());
    for (int i = 0; i < count; ++i) {
      const int r = first + i;
      const D &value = row[i].value, &rate = row[i].grad[0];
      if (out.weighted) out.weighted[r] = w.velocity * value.value + w.acceleration * rate.value;
      if (out.position) out.position[r] = S(0);
      if (out.velocity) out.velocity[r] = value.value;
      if (out.acceleration) out.acceleration[r] = rate.value;
      for (int j = 0; j < n; ++j) {
        if (reactions && out.residual) out.residual[j] += value.grad[n + j] * p.lambda[r];
        if (out.gradient) out.gradient[r * n + j] = value.grad[n + j];
        if (out.curvature_q)
          out.curvature_q[r * n + j] = w.velocity * value.grad[j] + w.acceleration * rate.grad[j];
        if (out.curvature_v) out.curvature_v[r * n + j] = w.acceleration * rate.grad[n + j];
      }
    }
  }

  /// Adds gᵀλ; g, which does not depend on v, is found at rest.
  template <class T, class L>
  static void add_reaction(const Model& model, const T& t, const T* q, const L* lambda,
                           T* reaction) {
    using D = Dual<T, n>;
    std::array<D, n> z, v;
    for (int i = 0; i < n; ++i) z[i] = D(q[i]), v[i] = D::variable(T(0), i);
    std::array<D, count> row;
    model.velocity_constraint(D(t), z.data(), v.data(), row.data());
    for (int i = 0; i < n; ++i)
      for (int r = 0; r < count; ++r) reaction[i] += row[r].grad[i] * T(lambda[first + r]);
  }

  /// λᵀc, the power of what drives the rows.
  static S power(const Model& model, const MotionPoint<S>& p) {
    const std::array<S, n> rest{};
    std::array<S, count> row;
    model.velocity_constraint(p.t, p.q, rest.data(), row.data());
    S sum(0);
    for (int r = 0; r < count; ++r) sum += p.lambda[first + r] * row[r];
    return sum;
  }
};

}  // namespace daemark
