// The mass and the forces of a Model (model_system.hpp).
#pragma once

#include <array>

#include "base/numbers/jet.hpp"
#include "problems/system/mechanical_system.hpp"

namespace daemark {

template <class S, class Model>
struct ModelForces {
  static constexpr int n = Model::n, m = Model::m;

  template <class T>
  static void inertia_minus(const Model& model, const T& t, const T* q, const T* v, const T* a,
                            T* R) {
    std::array<T, n * n> M;
    std::array<T, n> f;
    model.mass(q, M.data());
    model.force(t, q, v, f.data());
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
    if (out.force) model.force(p.t, p.q, p.v, out.force);
    if (!out.inertia) return;
    std::array<S, n * n> M;
    model.mass(p.q, M.data());
    for (int i = 0; i < n; ++i) {
      out.inertia[i] = S(0);
      for (int j = 0; j < n; ++j) out.inertia[i] += M[i * n + j] * p.a[j];
    }
  }
};

}  // namespace daemark
