// Fixed-size forward derivatives: Dual<T, N> carries N partial derivatives. They nest
// (Dual<Dual<T, 2>, 2>) and never allocate when T does not. Recorded functions are differentiated
// on their graph (base/graph/derivative.hpp).
#pragma once

#include <array>
#include <cmath>

namespace daemark {

/// value + Σ grad[i] ε_i with ε_i ε_j = 0.
template <class T, int N>
struct Dual {
  T value{};
  std::array<T, N> grad{};

  Dual() { grad.fill(T(0)); }
  Dual(const T& v) : value(v) { grad.fill(T(0)); }  // NOLINT: constants mix with variables
  template <class U>
  requires(!std::is_same_v<U, T> && std::is_convertible_v<U, T>) Dual(const U& v)  // NOLINT
      : Dual(T(v)) {}
  static Dual variable(const T& v, int index) {
    Dual x(v);
    x.grad[index] = T(1);
    return x;
  }

  /// f(x) from f and f' at the value.
  Dual chain(const T& f, const T& derivative) const {
    Dual r(f);
    for (int i = 0; i < N; ++i) r.grad[i] = derivative * grad[i];
    return r;
  }

  friend Dual operator+(const Dual& a, const Dual& b) {
    Dual r(a.value + b.value);
    for (int i = 0; i < N; ++i) r.grad[i] = a.grad[i] + b.grad[i];
    return r;
  }
  friend Dual operator-(const Dual& a, const Dual& b) {
    Dual r(a.value - b.value);
    for (int i = 0; i < N; ++i) r.grad[i] = a.grad[i] - b.grad[i];
    return r;
  }
  friend Dual operator*(const Dual& a, const Dual& b) {
    Dual r(a.value * b.value);
    for (int i = 0; i < N; ++i) r.grad[i] = a.grad[i] * b.value + a.value * b.grad[i];
    return r;
  }
  friend Dual operator/(const Dual& a, const Dual& b) {
    const T inverse = T(1) / b.value;
    Dual r(a.value * inverse);
    for (int i = 0; i < N; ++i) r.grad[i] = (a.grad[i] - r.value * b.grad[i]) * inverse;
    return r;
  }
  Dual operator-() const { return chain(-value, T(-1)); }
  Dual& operator+=(const Dual& b) { return *this = *this + b; }
  Dual& operator-=(const Dual& b) { return *this = *this - b; }
  Dual& operator*=(const Dual& b) { return *this = *this * b; }
};

template <class T, int N>
Dual<T, N> sin(const Dual<T, N>& x) {
  using std::cos;
  using std::sin;
  return x.chain(sin(x.value), cos(x.value));
}
template <class T, int N>
Dual<T, N> cos(const Dual<T, N>& x) {
  using std::cos;
  using std::sin;
  return x.chain(cos(x.value), -sin(x.value));
}
template <class T, int N>
Dual<T, N> sqrt(const Dual<T, N>& x) {
  using std::sqrt;
  const T root = sqrt(x.value);
  return x.chain(root, T(1) / (root + root));
}

}  // namespace daemark
