#include "analysis/exact/theory/multistep.hpp"

#include "analysis/exact/theory/stability.hpp"
#include "base/text/bad_input.hpp"

namespace daemark::exact {

namespace {

/// (w - 1)^k p((w + 1)/(w - 1)): outside the unit disc becomes Re w > 0, s = 1 becomes infinity.
Poly to_half_plane(const Poly& p) {
  const Poly plus({Number(1), Number(1)}), minus({Number(-1), Number(1)});
  Poly out;
  for (int i = 0; i <= p.degree(); ++i)
    out = out + (power(plus, i) * power(minus, p.degree() - i)).scaled(p[i]);
  return out;
}

/// Σ over (j, l) of alpha_j beta_l T_|j-l|(x).
Poly locus_polynomial(const Poly& rho, const Poly& sigma) {
  const std::vector<Poly> chebyshev = chebyshev_to(std::max(rho.degree(), sigma.degree()));
  Poly out;
  for (int j = 0; j <= rho.degree(); ++j)
    for (int l = 0; l <= sigma.degree(); ++l)
      out = out + chebyshev[static_cast<std::size_t>(std::abs(j - l))].scaled(rho[j] * sigma[l]);
  return out;
}

int roots_in_interval(const std::vector<Poly>& chain, const Poly& odd) {  // (-1, 1)
  const Number left = -1, right = 1;
  return sign_changes(chain, &left) - sign_changes(chain, &right) - (odd(right).is_zero() ? 1 : 0);
}

/// Sign of a polynomial without roots in (-1, 1), at a point where it does not vanish.
int sign_in_interval(const Poly& odd) {
  int sign = 0;
  for (int d = 2; sign == 0; ++d) sign = odd(inverse_of(d)).sign();
  return sign;
}

void decide_locus(MultistepProof& proof, const Poly& rho, const Poly& sigma) {
  proof.locus = locus_polynomial(rho, sigma);
  if (proof.locus.is_zero()) {
    proof.locus_holds = true;
    return;
  }
  split_by_parity(proof.locus, proof.odd, proof.square);
  proof.chain = sturm_chain(proof.odd);
  proof.locus_holds =
      roots_in_interval(proof.chain, proof.odd) == 0 && sign_in_interval(proof.odd) > 0;
  if (proof.locus_holds) return;
  for (int parts = 2; !proof.witness; parts *= 2) {
    for (int i = 1; i < 2 * parts && !proof.witness; i += 2) {
      const rational x = rational(i - parts) / rational(parts);
      if (abs(x) < 1 && proof.locus(Number(x)).sign() < 0) proof.witness = x;
    }
    if (parts > 1 << 24) break;
  }
}

void decide_order(MultistepProof& proof) {
  const int k = proof.rho.degree();
  for (int q = 0; q <= 2 * k + 2; ++q) {
    rational factorial = 1;
    for (int i = 2; i <= q; ++i) factorial *= i;
    Number sum;
    for (int j = 0; j <= k; ++j) {
      rational power = 1;
      for (int i = 1; i < q; ++i) power *= j;  // j^(q-1)
      if (q > 0) sum -= proof.sigma[j] * Number(rational(power * q / factorial));
      sum += proof.rho[j] * Number(rational((q > 0 ? rational(power * j) : power) / factorial));
    }
    if (sum.is_zero()) continue;
    proof.order = q - 1;
    const Number scale = proof.sigma(Number(1));
    proof.error_constant = scale.is_zero() ? sum : sum / scale;
    return;
  }
}

void decide_infinity(MultistepProof& proof) {
  const int n = proof.sigma.degree();
  if (n < 1) return;
  const Number root = -proof.sigma[n - 1] / (proof.sigma.leading() * Number(n));
  proof.equal_roots_at_infinity =
      power(Poly::root(root), n).scaled(proof.sigma.leading()) == proof.sigma;
  proof.root_at_infinity = proof.equal_roots_at_infinity ? root : Number(0);
}

}  // namespace

bool roots_inside_disc(const Poly& p) {
  if (p.degree() < 1) return !p.is_zero();
  const Poly q = to_half_plane(p);
  return q.degree() == p.degree() && hurwitz(q);  // a lower degree means the root s = 1
}

bool root_condition(const Poly& p) {
  if (p.degree() < 1) return !p.is_zero();
  const Poly q = to_half_plane(p);
  if (p.degree() - q.degree() > 1) return false;  // s = 1 is a multiple root
  const Poly axis = gcd(q, q.reflected());
  if (!hurwitz(quotient(q, axis))) return false;
  std::vector<Number> h;  // axis(w) = w^e h(w²): all roots w² real, negative and simple
  const int e = axis.degree() % 2;
  for (int i = e; i <= axis.degree(); i += 2) h.push_back(axis[i]);
  const Poly mirrored = Poly(h).reflected();
  if (mirrored.degree() < 1) return true;
  if (mirrored[0].is_zero()) return false;
  const std::vector<Poly> chain = sturm_chain(mirrored);
  const Number zero = 0;
  return sign_changes(chain, &zero) - sign_changes(chain, nullptr) == mirrored.degree();
}

bool locus_never_below(const Poly& locus, const Number& margin) {
  const Poly lifted = locus + Poly::constant(margin);
  if (lifted.is_zero()) return true;
  Poly odd, square;
  split_by_parity(lifted, odd, square);
  return roots_in_interval(sturm_chain(odd), odd) == 0 && sign_in_interval(odd) > 0;
}

MultistepProof prove_multistep(const Vector& alpha, const Vector& beta) {
  if (alpha.size() != beta.size() || alpha.size() < 2 || alpha.back().is_zero()) {
    throw BadInput(
        "multistep formula: alpha and beta need k + 1 entries each, k >= 1, and the "
        "last alpha must not vanish");
  }
  MultistepProof proof;
  proof.rho = Poly(alpha);
  proof.sigma = Poly(beta);
  if (proof.sigma.is_zero()) throw BadInput("multistep formula: every beta is zero");
  decide_order(proof);
  proof.common = gcd(proof.rho, proof.sigma);
  proof.zero_stable = root_condition(proof.rho);
  const Number sign = proof.rho.leading().sign();
  const Poly rho = quotient(proof.rho, proof.common).scaled(sign);
  const Poly sigma = quotient(proof.sigma, proof.common).scaled(sign);
  decide_locus(proof, rho, sigma);
  const Poly sum = rho + sigma;
  proof.inside_at_minus_one = sum.degree() == rho.degree() && roots_inside_disc(sum);
  proof.common_holds = root_condition(proof.common);
  proof.a_stable = proof.locus_holds && proof.inside_at_minus_one && proof.common_holds &&
                   sigma.degree() == rho.degree();
  decide_infinity(proof);
  proof.l_stable = proof.a_stable && proof.sigma.degree() == proof.rho.degree() &&
                   proof.equal_roots_at_infinity && proof.root_at_infinity.is_zero();
  if (!proof.locus_holds && proof.witness) {
    const Number value = proof.locus(Number(*proof.witness));
    proof.reason =
        "boundary locus enters the left half-plane: Re(rho conj sigma) = " + value.decimal(6) +
        " at cos(phi) = " + rational_text(*proof.witness);
  } else if (!proof.inside_at_minus_one) {
    proof.reason = "at z = -1 a root lies on or outside the unit circle";
  } else if (!proof.common_holds) {
    proof.reason = "rho and sigma share the factor " + proof.common.text("s") +
                   ", which violates the root condition at every z";
  } else if (sigma.degree() != rho.degree()) {
    proof.reason = "explicit formula: unbounded at infinity";
  }
  return proof;
}

}  // namespace daemark::exact
