#include "analysis/exact/proof/facts.hpp"

#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

#include "analysis/exact/proof/certificate.hpp"
#include "analysis/exact/theory/monotonicity.hpp"

namespace daemark::exact {

namespace {

using Complex = std::complex<long double>;

constexpr double infinite = std::numeric_limits<double>::infinity();

/// The first x > 0 where p becomes negative; 0, infinity, or empty for work beyond seconds.
std::optional<double> first_negative_value(const Poly& p) {
  const std::optional<FirstNegative> found = first_negative(p);
  if (!found) return std::nullopt;
  if (found->nowhere) return infinite;
  if (found->at_zero) return 0;
  rational low = found->lower, high = found->upper;
  const rational width(integer(1), power_of_two(64));
  while (high - low > width * high) {
    const rational middle = (low + high) / 2;
    (found->odd(Number(middle)).sign() > 0 ? low : high) = middle;
  }
  return to_double(static_cast<wide>(high));
}

Matrix reflection(const Operators& m) {
  const std::size_t s = m.b.size();
  const bool monomials = s > 1 && m.one[1].is_zero();
  Matrix out(s, Vector(s));
  if (!monomials) {  // at the stages: by the nodes where they are distinct, else by reversal
    std::vector<std::size_t> image;
    for (std::size_t i = 0; i < s; ++i) {
      std::vector<std::size_t> mirrored;
      for (std::size_t j = 0; j < s; ++j)
        if (m.c[j][j] == Number(1) - m.c[i][i]) mirrored.push_back(j);
      image.push_back(mirrored.size() == 1 ? mirrored[0] : s - 1 - i);
    }
    for (std::size_t i = 0; i < s; ++i) out[i][image[i]] = 1;
    return out;
  }
  Vector power = m.one;  // (1 - x)^k
  for (std::size_t k = 0; k < s; ++k) {
    for (std::size_t i = 0; i < s; ++i) out[i][k] = power[i];
    const Vector shifted = multiply(m.c, power);
    for (std::size_t i = 0; i < s; ++i) power[i] -= shifted[i];
  }
  return out;
}

bool reflects(const Operators& m, const Matrix& p) {
  const Matrix turned = multiply(multiply(p, m.a), p);
  for (std::size_t i = 0; i < m.b.size(); ++i) {
    Number weight;
    for (std::size_t j = 0; j < m.b.size(); ++j) {
      weight += m.b[j] * p[j][i];
      if (!(turned[i][j] + m.a[i][j] == m.one[i] * m.b[j])) return false;
    }
    if (!(weight == m.b[i])) return false;
  }
  return multiply(p, p) == identity(m.stages());
}

Json interval_value(const std::optional<double>& x) {
  return x && std::isinf(*x) ? Json("unbounded") : or_null(x);
}

Complex at(const Poly& p, const Complex& z) {
  Complex out = 0;
  for (int i = p.degree(); i >= 0; --i) out = out * z + static_cast<long double>(p[i].to_wide());
  return out;
}

/// |p(r (re + i im))|² as a polynomial in r.
Poly modulus_on_ray(const Poly& p, const rational& re, const rational& im) {
  std::vector<Number> real, imaginary;
  rational x = 1, y = 0;  // the direction to the power of k
  for (const Number& c : p.coefficients()) {
    real.push_back(c * Number(x));
    imaginary.push_back(c * Number(y));
    const rational turned = x * re - y * im;
    y = x * im + y * re;
    x = turned;
  }
  const Poly a(std::move(real)), b(std::move(imaginary));
  return a * a + b * b;
}

bool time_symmetric(const MultistepProof& proof) {
  const int k = proof.rho.degree();
  for (int j = 0; j <= k; ++j)
    if (!(proof.rho[k - j] == -proof.rho[j]) || !(proof.sigma[k - j] == proof.sigma[j]))
      return false;
  return true;
}

}  // namespace

bool reflects_nodes(const Operators& part) { return reflects(part, reflection(part)); }

std::optional<bool> is_symmetric(const MethodProof& proof) {
  const RationalFunction& r = proof.stability.function;
  if (!(r.num.reflected() == r.den)) return false;  // R(z) R(-z) = 1, both coprime and 1 at 0
  if (reflects_nodes(proof.method)) return true;
  for (std::size_t i = 0; i < proof.method.b.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (proof.method.one[1 % proof.method.b.size()].is_zero()) continue;
      if (proof.method.c[i][i] == proof.method.c[j][j]) return std::nullopt;
    }
  }
  return false;
}

std::optional<double> stability_angle(const MultistepProof& proof) {
  if (proof.a_stable) return 90;
  const bool inside = proof.inside_at_minus_one && proof.common_holds && proof.zero_stable &&
                      proof.sigma.degree() == proof.rho.degree() && root_condition(proof.sigma);
  if (!inside || !proof.witness) return std::nullopt;
  const auto angle = [&](long double phi) {  // of the locus point about the negative axis
    const Complex zeta = std::polar(1.0L, phi);
    const Complex z = -at(proof.rho, zeta) / at(proof.sigma, zeta);
    return std::abs(std::arg(z));
  };
  constexpr int parts = 20000;
  const long double step = std::numbers::pi_v<long double> / parts;
  int best = 1;
  for (int i = 2; i < parts; ++i)
    if (angle(i * step) < angle(best * step)) best = i;
  long double low = (best - 1) * step, high = (best + 1) * step;
  for (int i = 0; i < 120; ++i) {  // ternary search around the least one
    const long double a = low + (high - low) / 3, b = high - (high - low) / 3;
    (angle(a) < angle(b) ? high : low) = angle(a) < angle(b) ? b : a;
  }
  const auto degrees = angle((low + high) / 2) * 180 / std::numbers::pi_v<long double>;
  return std::round(static_cast<double>(degrees) * 1e8) / 1e8;  // long double leaves nine decimals
}

std::optional<double> stability_angle(const StabilityProof& proof) {
  constexpr int bits = 36;  // 2^-36 of tan(alpha/2) is 2e-9 degrees
  if (!proof.undecided.empty()) return std::nullopt;
  if (proof.a_stable) return 90;
  const auto& [num, den] = proof.function;
  if (!proof.poles_hold || num.degree() > den.degree()) return std::nullopt;
  // Without a pole in the left half-plane the sector is stable where its edge is.
  bool decided = true;
  const auto edge_holds = [&, &num = num, &den = den](const rational& u) {
    const rational re = u * u - 1, im = 2 * u;  // arg(-z) = 2 atan(u)
    const Poly e = modulus_on_ray(den, re, im) - modulus_on_ray(num, re, im);
    decided = decided && sturm_work(e) <= max_sturm_work / 10;  // a few seconds for all edges
    return decided && prove_axis(e).axis_holds;
  };
  rational low = 0, width = 1;
  for (int i = 0; i < bits; ++i) {
    width /= 2;
    if (edge_holds(low + width)) low += width;
  }
  if (low == 0 || !decided) return std::nullopt;
  const double degrees = 360 / std::numbers::pi * std::atan(to_double(static_cast<wide>(low)));
  return std::round(degrees * 1e8) / 1e8;
}

void add_facts(Facts& facts, const StabilityProof& proof) {
  facts.a_alpha = stability_angle(proof);
  facts.r_infinity = proof.at_infinity ? proof.at_infinity->text() : "unbounded";
  facts.error_constant = proof.error_constant.text();
  const auto root = first_negative_value(proof.e);
  if (root) facts.imaginary_interval = std::sqrt(*root);
  if (proof.a_stable && proof.undecided.empty()) {
    facts.real_interval = infinite;
    return;
  }
  const Poly num = proof.function.num.reflected(), den = proof.function.den.reflected();
  facts.real_interval = first_negative_value((den - num) * (den + num));
}

Facts facts_of_method(const MethodProof& proof) {
  Facts out;
  add_facts(out, proof.stability);
  if (proof.embedded_order && proof.embedded_order->exact())
    out.embedded_order = proof.embedded_order->order;
  if (proof.order.error_norm) out.error_norm = to_double(*proof.order.error_norm);
  out.symplectic = proof.algebraic.symplectic;
  out.symmetric = is_symmetric(proof);
  out.algebraically_stable = proof.algebraic.holds;
  out.stiffly_accurate = proof.stiffly_accurate;
  out.b = proof.simplifying.b;
  out.c = proof.simplifying.c;
  out.d = proof.simplifying.d;
  return out;
}

Facts facts_of_formula(const MultistepProof& proof) {
  Facts out;
  out.error_constant = proof.error_constant.text();
  out.symmetric = time_symmetric(proof);
  out.a_alpha = stability_angle(proof);
  return out;
}

nlohmann::ordered_json Facts::to_json() const {
  return {{"embedded_order", or_null(embedded_order)},
          {"R_infinity", or_null(r_infinity)},
          {"error_constant", or_null(error_constant)},
          {"error_norm", or_null(error_norm)},
          {"symplectic", or_null(symplectic)},
          {"symmetric", or_null(symmetric)},
          {"algebraically_stable", or_null(algebraically_stable)},
          {"stiffly_accurate", or_null(stiffly_accurate)},
          {"B", or_null(b)},
          {"C", or_null(c)},
          {"D", or_null(d)},
          {"real_stability_interval", interval_value(real_interval)},
          {"imaginary_stability_interval", interval_value(imaginary_interval)},
          {"A_alpha", or_null(a_alpha)},
          {"W_order", or_null(w_order)},
          {"SSP_coefficient", or_null(ssp_coefficient)},
          {"interpolant_order", or_null(interpolant_order)},
          {"interpolant_ends_in_b", or_null(interpolant_ends_in_b)},
          {"interpolant_C1", or_null(interpolant_c1)}};
}

std::vector<std::string> Facts::lines() const {
  std::vector<std::string> out;
  const Json all = to_json();
  for (const auto& [key, value] : all.items()) {
    if (value.is_null()) continue;
    out.push_back(key + ": " + (value.is_string() ? value.get<std::string>() : value.dump()));
  }
  return out;
}

}  // namespace daemark::exact
