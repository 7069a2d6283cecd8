// Statements about a family of methods for every rho in [0, 1] at once, each decided as an identity
// or as the sign of a polynomial.
#pragma once

#include <string>

#include "analysis/exact/proof/certificate.hpp"

namespace daemark::exact {

struct FamilyFact {
  bool holds = false;
  std::string note;  ///< "for all rho in [0, 1]: ..."; what fails otherwise
  Json data;         ///< "for_all_rho" of a certificate
};

/// msstc(n, rho), and bathe(rho) for n = 2. With s = gamma z, R = N(s)/(1-s)^n, where N is the
/// Hurwitz polynomial with N(0) = 1 and |N(i w)|² = (1+x)^n - (1-rho²) x^n, x = w². The right side
/// has coefficients >= 0, so N exists, and E = |D|² - |N|² = (1-rho²) x^n >= 0. Its leading
/// coefficient is rho, its others are positive, so gamma = 1/(n + N'(0)) > 0 and the pole 1/gamma
/// is positive.
///
/// Order 2, no more: N(s) N(-s) = (1-s²)^n up to s^(2n), so log R is odd to there and
/// log R = z + r z³ + ..., 3 r = gamma³ Σ_k (1 + a_k³), where -1/a_k are the zeros of N and
/// a_k² = 1 - tau_k, |tau_k| <= 1, Re a_k > 0. For a = u + i v, f = 1 + Re a³ = 1 + u³ - 3 u v²
/// decreases in v², and |a² - 1| <= 1 means v² <= sqrt(4u²+1) - u² - 1; there f > 0 is
/// (4u³ + 3u + 1)² - 9u² (4u² + 1) > 0 for u >= 0. So r > 0.
FamilyFact spectral_family(int n);

/// q_j/gamma as affine functions of the coefficients of N: row j holds (constant, N_1, ..., N_n),
/// from (N(s) - (1-s)^(n-1))/s = Σ_j (q_j/gamma) (1+s)^j (1-s)^(n-1-j).
Matrix last_row_map(int n);
/// A/gamma of msstc for a given N of degree <= n: trapezoidal rows, then last_row_map and 1.
Matrix scaled_substeps(int n, const Poly& numerator);

/// lms(n, rho) and ss(n, rho), rho < 1. With zeta = (1 + rho E)/(E + rho), w = 1 - zeta:
/// h lambda = (1+rho)/(1-rho) Q(w), and zeta maps |E| > 1 onto |zeta| < 1. Re Q(1 - e^{i phi}) =
/// K (1 - cos phi)^n >= 0, so Re h lambda > 0 for |E| > 1 (maximum principle) and on |E| = 1 but
/// for E = 1, a simple root. Order: h lambda - log E = C (log E)³ + ..., C = -1/12 + d² (q_3 -
/// 1/4), d = (1-rho)/(1+rho) in [0, 1], negative for q_3 < 1/3.
FamilyFact flat_family(int n);
/// The formula that Q gives at this rho: (1+rho) Σ q_k (1-rho)^(k-1) (E-1)^k (E+rho)^(n-k) and
/// (E+rho)^n, both in E.
struct FlatMember {
  Poly alpha, beta;
};
FlatMember flat_member(int n, const rational& rho);

/// mssth(n, rho) and mssth_min(n, rho), n = 3, 4, 5, as far as R is concerned. R = N(z)/(1-gamma
/// z)^n of order n has coefficients polynomial in gamma; rho = kappa N_n/gamma^n grows or falls
/// strictly on an interval of gamma that covers rho in [0, 1]; there every coefficient of E is > 0
/// but the last, gamma^(2n) (1-rho²).
FamilyFact high_order_family(int n);

/// The interval of gamma and the numerator's coefficients N_k as polynomials in gamma.
struct GammaBranch {
  rational lower, upper;
  int kappa;
};
GammaBranch gamma_branch(int n);
/// N_k = Σ_j C(n,j) (-gamma)^j / (k-j)!, the coefficients of (1-gamma z)^n e^z.
Poly numerator_coefficient(int n, int k);

}  // namespace daemark::exact
