// The two-step formulas of order 2 with both roots at infinity at −ρ, for any ratio of steps.
//
//   y_n = a_1 y_{n−1} + a_2 y_{n−2} + h (b_0 ẏ_n + b_1 ẏ_{n−1} + b_2 ẏ_{n−2}),  r = h/h_{n−1}
//
// b_1 = 2ρ b_0 and b_2 = ρ² b_0 keep (E+ρ)² at infinity for every r; order 2 leaves, with
// s = 1 + 1/r and c = 2ρ(2 + ρs)/(1+ρ)²,
//
//   a_2 = (c − 1)/(s² − 1 − c/r),  a_1 = 1 − a_2,  b_0 = (1 + a_2/r)/(1+ρ)².
//
// r = 1: lms(2, ρ); ρ = 0: the variable-step backward differentiation formula. Local error C h³ y‴
// with C = (a_1 + a_2 s³)/6 − (b_1 + b_2 s²)/2, y‴ from the second divided difference of ẏ.
#pragma once

namespace daemark {

template <class S>
struct VariableTwoStep {
  S a1, a2, b0, b1, b2;
  S e0, e1, e2;  ///< the estimated error is h (e_0 ẏ_n + e_1 ẏ_{n−1} + e_2 ẏ_{n−2})

  VariableTwoStep(const S& rho, const S& ratio) {
    const S s = S(1) + S(1) / ratio, square = (S(1) + rho) * (S(1) + rho);
    const S c = S(2) * rho * (S(2) + rho * s) / square;
    a2 = (c - S(1)) / (s * s - S(1) - c / ratio);
    a1 = S(1) - a2;
    b0 = (S(1) + a2 / ratio) / square;
    b1 = S(2) * rho * b0;
    b2 = rho * rho * b0;
    const S constant = (a1 + a2 * s * s * s) / S(6) - (b1 + b2 * s * s) / S(2);
    const S weight = S(2) * constant / s;  // y‴ = 2 [ẏ_n, ẏ_{n−1}, ẏ_{n−2}], times in steps
    e0 = weight;
    e2 = weight * ratio;
    e1 = -e0 - e2;
  }
};

// Backward differentiation formulas for steps of any sizes: the polynomial through y_n, …, y_{n−m}
// has the rate ẏ_n at t_n. With s_j = (t_n − t_{n−j})/h_n,
//
//   y_n = Σ_{j=1..m} a_j y_{n−j} + h b_0 ẏ_n,
//   1/b_0 = Σ 1/s_j,  a_j = b_0/s_j Π_{i≠j} s_i/(s_i − s_j),
//
// and the local error b_0 Π s_j h^{m+1} y^(m+1)/(m+1)!, whose derivative is m! times the divided
// difference of ẏ_n, …, ẏ_{n−m}.
//
// A strongly stable formula stays stable if steps change smoothly ([soederlind2018]). If they keep
// growing by one ratio, a root of the formula leaves the unit circle at largest_growth(m).

constexpr int most_differences = 6;

/// For constantly growing steps (computed: tests/methods/multistep/variable_differences_test.cpp).
constexpr double largest_growth(int m) {
  constexpr double of[] = {0, 1e3, 2.414, 1.618, 1.280, 1.127, 1.044};
  return of[m];
}
/// The growth allowed: four fifths of the way from 1 to largest_growth.
constexpr double allowed_growth(int m) { return 1 + 0.8 * (largest_growth(m) - 1); }

template <class S>
class VariableDifferences {
 public:
  /// s[j − 1] = s_j, j = 1..m.
  void set(const S* s, int m) {
    S inverse(0), product(1);
    for (int j = 0; j < m; ++j) inverse += S(1) / s[j], product *= s[j];
    b0_ = S(1) / inverse;
    const S constant = b0_ * product / S(m + 1);
    error_[0] = constant / product;  // τ_0 = 0, τ_j = −s_j
    for (int j = 0; j < m; ++j) {
      S value(1), apart = -s[j];  // Π (τ_j − τ_i)
      for (int i = 0; i < m; ++i) {
        if (i == j) continue;
        value *= s[i] / (s[i] - s[j]);
        apart *= s[i] - s[j];
      }
      ahead_[j] = value;
      a_[j] = b0_ / s[j] * value;
      error_[j + 1] = constant / apart;
    }
  }
  const S& b0() const { return b0_; }
  const S& a(int j) const { return a_[j - 1]; }          ///< of y_{n−j}, j = 1..m
  const S& error(int j) const { return error_[j]; }      ///< of h ẏ_{n−j}, j = 0..m
  const S& ahead(int j) const { return ahead_[j - 1]; }  ///< extrapolates ẏ_{n−j}, j = 1..m, to t_n

 private:
  S b0_{}, a_[most_differences], ahead_[most_differences], error_[most_differences + 1];
};

}  // namespace daemark
