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

}  // namespace daemark
