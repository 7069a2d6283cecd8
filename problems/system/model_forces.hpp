// The mass and the forces of a Model (model_system.hpp), which may depend on its multipliers.
#pragma once

#include <array>

#include "base/numbers/jet.hpp"
#include "problems/system/mechanical_system.hpp"

namespace daemark {

template <class S, class Model>
struct ModelForces {
  static constexpr int n = Model::n, m = Model::m;
  static constexpr bool damped = requires(const Model& model, const S* x) {
    model.damping_power(x, x);
  };
  static constexpr bool by_multipliers = requires(const Model& model, S* x) {
    model.force(*x, x, x, x, x);
  };
  static constexpr bool damped_by_multipliers = requires(const Model& model, const S* x) {
    model.damping_power(x, x, x);
  };

  static constexpr bool dissipate = damped || damped_by_multipliers;

  /// Of dampers [W].
  static S damping_power(const Model& model, const MotionPoint<S>& p) {
    if constexpr (damped_by_multipliers)
      return model.damping_power(p.q, p.v, p.lambda);
    else if constexpr (damped)
      return model.damping_power(p.q, p.v);
    else
      return S(0);
  }

  template <class T>
  static void force(const Model& model, const T& t, const T* q, const T* v, const T* lambda, T* f) {
    if constexpr (by_multipliers)
      model.force(t, q, v, lambda, f);
    else
      model.force(t, q, v, f);
  }

  template <class T>
  static void inertia_minus(const Model& model, const T& t, const T* q, const T* v, const T* a,
                            const T* lambda, T* R) {
    std::array<T, n * n> M;
    std::array<T, n> f;
    model.mass(q, M.data());
    force(model, t, q, v, lambda, f.data());
    for (int i = 0; i < n; ++i) {
      R[i] = -f[i];
      for (int j = 0; j < n; ++j) R[i] += M[i * n + j] * a[j];
    }
  }

  template <class T>
  static T kinetic(const Model& model, const T* q, const T* v) {
    if constexpr (requires { model.kinetic(q, v); }) {
      return model.kinetic(q, v);
    } else {
      std::array<T, n * n> M;
      model.mass(q, M.data());
      T sum(S(0));
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) sum += M[n * i + j] * v[i] * v[j];
      return sum / T(S(2));
    }
  }

  static void evaluate(const Model& model, const MotionPoint<S>& p, const MotionValues<S>& out) {
    if (out.force) force(model, p.t, p.q, p.v, p.lambda, out.force);
    if (!out.inertia) return;
    std::array<S, n * n> M;
    model.mass(p.q, M.data());
    for (int i = 0; i < n; ++i) {
      out.inertia[i] = S(0);
      for (int j = 0; j < n; ++j) out.inertia[i] += M[i * n + j] * p.a[j];
    }
  }

  /// −∂f/∂λ.
  static void differentiate_by_multipliers(const Model& model, const MotionPoint<S>& p,
                                           const MotionValues<S>& out) {
    using D = Dual<S, m>;
    std::array<D, n> q, v, f;
    std::array<D, m> lambda;
    for (int i = 0; i < n; ++i) q[i] = D(p.q[i]), v[i] = D(p.v[i]);
    for (int r = 0; r < m; ++r) lambda[r] = D::variable(p.lambda[r], r);
    model.force(D(p.t), q.data(), v.data(), lambda.data(), f.data());
    for (int i = 0; i < n; ++i)
      for (int r = 0; r < m; ++r) out.residual_lambda[i * m + r] = -f[i].grad[r];
  }
};

}  // namespace daemark
