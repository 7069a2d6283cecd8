// Backward differentiation formulas for steps of any sizes: the polynomial through y_n, …, y_{n−m}
// has the rate ẏ_n at t_n. With s_j = (t_n − t_{n−j})/h_n,
//
//   y_n = Σ_{j=1..m} a_j y_{n−j} + h b_0 ẏ_n,
//   1/b_0 = Σ 1/s_j,  a_j = b_0/s_j Π_{i≠j} s_i/(s_i − s_j),
//
// and the local error b_0 Π s_j h^{m+1} y^(m+1)/(m+1)!, whose derivative is m! times the divided
// difference of ẏ_n, …, ẏ_{n−m}.
//
// A strongly stable formula stays stable where steps change smoothly ([soederlind2018]). Where they
// grow for ever by one ratio, a root of the formula leaves the unit circle at largest_growth(m).
#pragma once

namespace daemark {

constexpr int most_differences = 6;

/// Of steps that grow for ever; computed (tests/methods/multistep/variable_differences_test.cpp).
constexpr double largest_growth(int m) {
  constexpr double of[] = {0, 1e3, 2.414, 1.618, 1.280, 1.127, 1.044};
  return of[m];
}
/// What is allowed: four fifths of the way from equal steps.
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
