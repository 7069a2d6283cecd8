// msstc by enclosure: the boxes of N hold one spectral factor (Krawczyk on N(s) N(-s)), a Hurwitz
// polynomial; the prover multiplies the roots instead.
#include "analysis/certcheck/families.hpp"
#include "analysis/certcheck/interval.hpp"

namespace daemark::certcheck {

namespace {

const exact::integer& grid() {
  static const exact::integer cells = mp::pow(exact::integer(10), 40);
  return cells;
}

}  // namespace

Interval cell(const Json& from, const std::string& name) {
  require(from.is_array() && from.size() == 2 && from[0].is_string() && from[1].is_string(),
          name + ": no pair of fractions");
  const rational low = fraction_of(from[0].get<std::string>(), name);
  const rational high = fraction_of(from[1].get<std::string>(), name);
  const rational twice = 2 * low * grid();
  const bool odd = mp::denominator(twice) == 1 && exact::integer(mp::numerator(twice)) % 2 != 0;
  require(low == high || (rational(high - low) * grid() == 1 && odd),
          name + ": neither a point nor a cell (m +- 1/2) 1e-40");
  return {low, high};
}

namespace {

/// Coefficients of s², s⁴, ..., s^(2n-2) in N(s) N(-s) - (1 - s²)^n.
IntervalRow defects(const IntervalRow& numerator) {
  const int n = static_cast<int>(numerator.size()) - 1;
  IntervalRow out;
  rational binomial = 1;
  for (int k = 1; k < n; ++k) {
    binomial = binomial * (n - k + 1) / k;
    Interval sum(rational(k % 2 == 0 ? -binomial : binomial));
    for (int i = std::max(0, 2 * k - n); i <= std::min(n, 2 * k); ++i) {
      const Interval term = numerator[i] * numerator[2 * k - i];
      if (i % 2 == 0) sum += term;
      if (i % 2 == 1) sum -= term;
    }
    out.push_back(sum);
  }
  return out;
}

/// Their derivatives by N_1, ..., N_(n-1).
IntervalTable slopes(const IntervalRow& numerator) {
  const int n = static_cast<int>(numerator.size()) - 1;
  IntervalTable out;
  for (int k = 1; k < n; ++k) {
    out.emplace_back();
    for (int m = 1; m < n; ++m) {
      const int other = 2 * k - m;
      const Interval twice =
          other >= 0 && other <= n ? Interval(2) * numerator[other] : Interval(0);
      out.back().push_back(m % 2 == 0 ? twice : -twice);
    }
  }
  return out;
}

Table middle_inverse(const IntervalTable& m) {
  Table exact, out(m.size(), Row(m.size()));
  for (const IntervalRow& row : m) {
    exact.emplace_back();
    for (const Interval& x : row) exact.back().emplace_back(x.middle());
  }
  for (std::size_t j = 0; j < m.size(); ++j) {
    Row unit(m.size());
    unit[j] = 1;
    const Row column = solution(exact, unit);
    if (column.empty()) throw std::invalid_argument("N: a singular Jacobian");
    for (std::size_t i = 0; i < m.size(); ++i) out[i][j] = column[i];
  }
  return out;
}

/// The image of the box under Krawczyk's operator; refused unless inside the box.
IntervalRow contracted(const IntervalRow& box) {
  IntervalRow middle;
  for (const Interval& x : box) middle.emplace_back(x.middle());
  const IntervalTable slope = slopes(box);
  const Table inverse = middle_inverse(slope);
  const IntervalRow gap = defects(middle);
  IntervalRow image = box;
  bool inside = true;
  for (std::size_t i = 0; i < slope.size(); ++i) {
    Interval x = middle[i + 1];
    for (std::size_t j = 0; j < slope.size(); ++j) {
      x -= Interval(inverse[i][j].to_rational()) * gap[j];
      Interval rest(i == j ? 1 : 0);
      for (std::size_t l = 0; l < slope.size(); ++l)
        rest -= Interval(inverse[i][l].to_rational()) * slope[l][j];
      x += rest * (box[j + 1] - middle[j + 1]);
    }
    const Interval& old = box[i + 1];
    inside = inside && (x.inside(old) || (old.lower == old.upper && x.within(old)));
    image[i + 1] = x;
  }
  require(inside, "N: not one spectral factor in the box");
  return image;
}

}  // namespace

void check_spectral_enclosure(const Json& certificate, const Member& member) {
  const auto& [n, rho] = member;
  require_value(certificate, "n", n);
  const Json& stated = certificate.at("N");
  require(stated.is_array() && static_cast<int>(stated.size()) == n + 1, "N: not of degree n");
  IntervalRow box;
  for (const Json& x : stated) box.push_back(cell(x, "N"));
  const auto is = [](const Interval& x, const rational& value) {
    return x.lower == value && x.upper == value;
  };
  require(is(box[0], 1) && is(box.back(), rho), "N: N(0) = 1 and N_n = rho");
  const IntervalRow numerator = contracted(box);
  IntervalRow without_zero = numerator;
  if (rho == 0) without_zero.pop_back();
  require(hurwitz(without_zero), "N: no Hurwitz polynomial");

  const Interval gamma = Interval(1) / (Interval(n) + numerator[1]);
  require(gamma.within(cell(certificate.at("gamma"), "gamma")),
          "gamma: 1/(n + N_1) lies elsewhere");
  const Interval &e1 = numerator[1], &e2 = numerator[2];
  Interval cubes = e1 * e1 * e1 - Interval(3) * e1 * e2 + Interval(n);
  if (n > 2) cubes += Interval(3) * numerator[3];
  const Interval third = -(cubes * gamma * gamma * gamma / Interval(3));
  const Interval claimed = cell(certificate.at("error_constant"), "error_constant");
  require(third.within(claimed) && !claimed.has_zero(),
          "error_constant: the coefficient of z^3 lies elsewhere, or may be 0");
  require_value(certificate, "order", 2);
  require_value(certificate, "stage_order", 2);
  require_value(certificate, "A_stable", true);
  require_value(certificate, "L_stable", rho == 0);
  const rational end = n % 2 == 0 ? rho : rational(-rho);
  require(fraction(certificate, "R_at_infinity") == end, "R_at_infinity: derived " + end.str());
}

}  // namespace daemark::certcheck
