// Fixed-size forward derivatives: Dual<T, N> carries N partial derivatives, TimeJet<T> the first
// two time derivatives. They nest (TimeJet<Dual<double, 6>>, Dual<Dual<T, 3>, 3>, Dual<Var,
// 3>) and never allocate when T does not; second derivatives of constraints need such nesting,
// which Eigen's AutoDiffScalar does not survive over MPFR.
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
template <class T, int N>
Dual<T, N> tanh(const Dual<T, N>& x) {
  using std::tanh;
  const T value = tanh(x.value);
  return x.chain(value, T(1) - value * value);
}

/// x + ẋ s + ẍ s²/2: value and first two time derivatives.
template <class T>
struct TimeJet {
  T value{}, rate{}, second{};

  TimeJet() : TimeJet(T(0)) {}
  TimeJet(const T& v) : value(v), rate(T(0)), second(T(0)) {}  // NOLINT
  template <class U>
  requires(!std::is_same_v<U, T> && std::is_convertible_v<U, T>) TimeJet(const U& v)  // NOLINT
      : TimeJet(T(v)) {}
  TimeJet(const T& v, const T& r, const T& s) : value(v), rate(r), second(s) {}

  friend TimeJet operator+(const TimeJet& a, const TimeJet& b) {
    return {a.value + b.value, a.rate + b.rate, a.second + b.second};
  }
  friend TimeJet operator-(const TimeJet& a, const TimeJet& b) {
    return {a.value - b.value, a.rate - b.rate, a.second - b.second};
  }
  friend TimeJet operator*(const TimeJet& a, const TimeJet& b) {
    const T cross = a.rate * b.rate;
    return {a.value * b.value, a.rate * b.value + a.value * b.rate,
            a.second * b.value + cross + cross + a.value * b.second};
  }
  friend TimeJet operator/(const TimeJet& a, const TimeJet& b) {
    const T value = a.value / b.value;
    const T rate = (a.rate - value * b.rate) / b.value;
    return {value, rate, (a.second - rate * b.rate - rate * b.rate - value * b.second) / b.value};
  }
  TimeJet operator-() const { return {-value, -rate, -second}; }
  TimeJet& operator+=(const TimeJet& b) { return *this = *this + b; }
  TimeJet& operator-=(const TimeJet& b) { return *this = *this - b; }
  TimeJet& operator*=(const TimeJet& b) { return *this = *this * b; }
};

template <class T>
TimeJet<T> sin(const TimeJet<T>& x) {
  using std::cos;
  using std::sin;
  const T s = sin(x.value), c = cos(x.value);
  return {s, c * x.rate, c * x.second - s * x.rate * x.rate};
}
template <class T>
TimeJet<T> cos(const TimeJet<T>& x) {
  using std::cos;
  using std::sin;
  const T s = sin(x.value), c = cos(x.value);
  return {c, -s * x.rate, -s * x.second - c * x.rate * x.rate};
}
template <class T>
TimeJet<T> sqrt(const TimeJet<T>& x) {
  using std::sqrt;
  const T root = sqrt(x.value), half_inverse = T(1) / (root + root);
  const T rate = x.rate * half_inverse;
  return {root, rate, (x.second - rate * rate - rate * rate) * half_inverse};
}

}  // namespace daemark
