// Linear multistep formulas: order, root conditions, the boundary locus at points of the circle.
#include "analysis/certcheck/method.hpp"

namespace daemark::certcheck {

namespace {

void check_multistep_order(const Reader& reader, const Json& certificate, const Row& rho,
                           const Row& sigma) {
  const auto defect = [&](int q) {  // q! C_q = Σ j^q alpha - q Σ j^(q-1) beta
    Number sum;
    rational factorial = 1;
    for (int i = 2; i <= q; ++i) factorial *= i;
    for (std::size_t j = 0; j < rho.size(); ++j) {
      const Number node(static_cast<long>(j));
      sum += rho[j] * pow(node, q);
      if (q > 0 && j < sigma.size()) sum -= sigma[j] * Number(q) * pow(node, q - 1);
    }
    return sum / Number(factorial);
  };
  const int last = 2 * static_cast<int>(rho.size());  // no formula of k steps goes beyond 2k
  int p = -1;
  while (p < last && defect(p + 1).is_zero()) ++p;
  require_value(certificate, "order", p);
  const Number scale = value(sigma, Number(1));
  const Number constant = scale.is_zero() ? defect(p + 1) : defect(p + 1) / scale;
  require(constant == reader.number(certificate, "error_constant"),
          "error_constant: derived " + constant.text());
}

bool is_locus(const Row& locus, const Row& rho, const Row& sigma) {
  if (locus.size() > rho.size()) return false;
  for (long t = 1; t <= static_cast<long>(rho.size()) + 1; ++t) {  // rational points of the circle
    const Number n(1 + t * t);
    const Complex zeta{Number(1 - t * t) / n, Number(2 * t) / n};
    const Complex a = value(rho, zeta), b = value(sigma, zeta);
    if (!(value(locus, zeta.re) == a.re * b.re + a.im * b.im)) return false;
  }
  return true;
}

/// The locus polynomial is >= 0 on (-1, 1).
void check_circle(const Reader& reader, const Json& certificate, const Row& locus) {
  if (locus.empty()) {
    require_value(certificate, "circle", "the locus is the imaginary axis");
    return;
  }
  const Json& circle = certificate.at("circle");
  require_keys(circle, "circle", {"odd", "square", "chain"});
  const Row odd = reader.polynomial(circle, "odd"), square = reader.polynomial(circle, "square");
  require(!square.empty() && square.back() == Number(1), "square: not monic");
  require(locus == product(odd, product(square, square)), "circle: locus is not odd square^2");
  const Table chain = reader.polynomials(circle, "chain");
  require(valid_sturm_chain(chain) && chain.front() == odd, "chain: no Sturm chain of odd");
  const int roots = variations(chain, Number(-1)) - variations(chain, Number(1)) -
                    (value(odd, Number(1)).is_zero() ? 1 : 0);
  int sign = 0;
  for (long d = 2; sign == 0; ++d) sign = value(odd, Number(1) / Number(d)).sign();
  require(roots == 0 && sign > 0, "A_stable: the locus enters the left half-plane");
}

void check_locus_witness(const Reader& reader, const Json& witness, const Row& locus) {
  require_keys(witness, "witness", {"cos_phi", "value"});
  const rational x = fraction(witness, "cos_phi");
  const Number found = value(locus, Number(x));
  require(found == reader.number(witness, "value"), "value: derived " + found.text());
  require(abs(x) < 1 && found.sign() < 0, "witness: the locus is not negative there");
}

}  // namespace

void check_multistep(const Reader& reader, const Json& certificate) {
  const Row rho = reader.polynomial(certificate, "rho");
  const Row sigma = reader.polynomial(certificate, "sigma");
  require(rho.size() > 1 && !sigma.empty() && sigma.size() <= rho.size(),
          "rho: of a lower degree than sigma, or no polynomial");
  check_multistep_order(reader, certificate, rho, sigma);
  require_value(certificate, "zero_stable", root_condition(rho));

  const Row common = reader.polynomial(certificate, "common_factor");
  require(!common.empty() && common.back() == Number(1), "common_factor: not monic");
  Row rest_rho, rest_sigma;
  Row r = divided(rho, common, rest_rho), s = divided(sigma, common, rest_sigma);
  require(rest_rho.empty() && rest_sigma.empty() && common_divisor(r, s).size() == 1,
          "common_factor: not the greatest common divisor");
  if (rho.back().sign() < 0) r = scaled(r, -1), s = scaled(s, -1);
  const Row locus = reader.polynomial(certificate, "locus");
  require(is_locus(locus, r, s), "locus: not Re(rho conj sigma)");
  Row sum = r;
  for (std::size_t i = 0; i < s.size(); ++i) sum[i] += s[i];
  const bool inside = s.size() == r.size() && !sum.back().is_zero() && schur(sum);
  const bool a_stable = truth(certificate, "A_stable");
  if (a_stable) {
    require(certificate.at("witness").is_null(), "witness: of an A-stable formula");
    check_circle(reader, certificate, locus);
    require(inside, "A_stable: at z = -1 not all roots lie inside the disc");
    require(root_condition(common), "A_stable: the common factor violates the root condition");
  } else {
    require(certificate.at("circle").is_null(), "circle: of a formula that is not A-stable");
    if (certificate.at("witness").is_null())
      require(!inside || !root_condition(common), "A_stable: false, but no condition fails");
    else
      check_locus_witness(reader, certificate.at("witness"), locus);
  }
  bool one_power = sigma.size() == rho.size();  // all roots at infinity are 0
  for (std::size_t i = 0; i + 1 < sigma.size(); ++i) one_power = one_power && sigma[i].is_zero();
  require_value(certificate, "L_stable", a_stable && one_power);
}

}  // namespace daemark::certcheck
