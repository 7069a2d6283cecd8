// Statements for all rho: identities by evaluation at more points than their degrees can fake,
// signs by Bernstein coefficients.
#include "analysis/certcheck/families.hpp"

namespace daemark::certcheck {

Number binomial(int n, int k) {
  rational out = 1;
  for (int i = 1; i <= k; ++i) out = out * (n - k + i) / i;
  return Number(out);
}

Number raised(const Number& x, int n) {
  Number out = 1;
  for (int i = 0; i < n; ++i) out *= x;
  return out;
}

namespace {

/// p on [low, high] in the Bernstein basis of degree p.size() - 1.
Row bernstein(const Row& p, const Number& low, const Number& high) {
  const int n = static_cast<int>(p.size()) - 1;
  Row local(p.size());  // powers of t, x = low + (high - low) t
  for (int i = n; i >= 0; --i) {
    for (int j = n; j > 0; --j) local[j] = local[j] * low + local[j - 1] * (high - low);
    local[0] = local[0] * low + p[i];
  }
  Row out(p.size());
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= i; ++j) out[i] += binomial(i, j) / binomial(n, j) * local[j];
  return out;
}

constexpr int largest_depth = 12;

bool positive_on(const Row& p, const Number& low, const Number& high, int depth = 0) {
  if (p.empty()) return false;
  bool all = true;
  for (const Number& c : bernstein(p, low, high)) all = all && c.sign() > 0;
  if (all || depth == largest_depth) return all;
  const Number middle = (low + high) / Number(2);
  return positive_on(p, low, middle, depth + 1) && positive_on(p, middle, high, depth + 1);
}

/// p > 0 for x >= 0: [0, 1] by Bernstein coefficients, beyond by those of p(1 + x).
bool positive_beyond_zero(const Row& p) {
  Row shifted(p.size());
  for (std::size_t i = p.size(); i-- > 0;) {
    for (std::size_t j = p.size() - 1; j > 0; --j) shifted[j] += shifted[j - 1];
    shifted[0] += p[i];
  }
  bool all = !p.empty();
  for (const Number& c : shifted) all = all && c.sign() > 0;
  return all && positive_on(p, Number(0), Number(1));
}

/// q_j/gamma of the last row for given N_1..N_n.
Row last_row(const Table& map, const Row& numerator) {
  Row out;
  for (const Row& form : map) {
    Number sum = form.at(0);
    for (std::size_t k = 1; k < form.size(); ++k)
      if (k < numerator.size()) sum += form[k] * numerator[k];
    out.push_back(sum);
  }
  return out;
}

/// |N|² = Σ P_k(rho) x^k with P_k >= 0, and (1+x)^n - |N|² = (1-rho²) x^n.
bool modulus_holds(const Table& modulus, int n) {
  if (static_cast<int>(modulus.size()) != n + 1) return false;
  for (const Row& p : modulus) {
    if (p.size() > 3) return false;
    for (const Number& c : p)
      if (c.sign() < 0) return false;
  }
  for (int r = 0; r < 3; ++r) {  // degree 2 in rho
    const Number rho = Number(r) / Number(2);
    for (int x = 0; x <= n; ++x) {
      Number sum = (Number(1) - rho * rho) * raised(x, n);
      for (int k = 0; k <= n; ++k) sum += value(modulus[k], rho) * raised(x, k);
      if (!(sum == raised(Number(1 + x), n))) return false;
    }
  }
  return true;
}

/// (N - (1-s)^(n-1))/s = Σ q_j/gamma (1+s)^j (1-s)^(n-1-j) for N = 1 and N = 1 + s^k: affine in N,
/// so for every N. The stages are ((1+s)/(1-s))^j, hence R = N/(1-s)^n.
bool last_row_holds(const Table& map, int n) {
  if (static_cast<int>(map.size()) != n) return false;
  for (const Row& form : map)
    if (static_cast<int>(form.size()) != n + 1) return false;
  for (int k = 0; k <= n; ++k) {
    Row numerator(static_cast<std::size_t>(n) + 1);
    numerator[0] = 1;
    if (k > 0) numerator[k] = 1;
    const Row q = last_row(map, numerator);
    for (int point = 2; point <= n + 3; ++point) {
      const Number s(point);
      Number sum = raised(Number(1) - s, n - 1);
      for (int j = 0; j < n; ++j)
        sum += s * q[j] * raised(Number(1) + s, j) * raised(Number(1) - s, n - 1 - j);
      if (!(sum == value(numerator, s))) return false;
    }
  }
  return true;
}

/// c_s = 1 and C(2) of the last row where 2 N_2 = N_1² - n: quadratic in N_1, affine in the others.
bool last_row_consistent(const Table& map, int n) {
  for (int first = 0; first < 4; ++first) {
    for (int other = 2; other <= n; ++other) {
      Row numerator(static_cast<std::size_t>(n) + 1);
      numerator[0] = 1;
      numerator[1] = first;
      numerator[2] = Number(first * first - n) / Number(2);
      if (other > 2) numerator[other] = 7;
      Number sum, moment;
      int j = 0;
      for (const Number& q : last_row(map, numerator)) {
        sum += q;
        moment += Number(2 * j++) * q;
      }
      const Number nodes(n + first);  // 1/gamma
      if (!(sum + Number(1) == nodes) || !(Number(2) * (moment + nodes) == nodes * nodes))
        return false;
    }
  }
  return true;
}

const Json& fact_of(const Json& certificate, const char* family, const char* range,
                    const Member& member, Keys keys) {
  const Json& fact = certificate.at("for_all_rho");
  keys.insert(keys.end(), {"range", "family", "n"});
  require_keys(fact, "for_all_rho", keys);
  require_value(fact, "family", family);
  require_value(fact, "range", range);
  require_value(fact, "n", member.n);
  require(fraction(certificate, "rho_infinity") == member.rho, "rho_infinity: not that of the id");
  return fact;
}

/// The tableau of msstc and bathe: gamma, trapezoidal rows, the last row by the map.
void check_spectral_member(const Reader& reader, const Json& certificate, const Table& map,
                           const Member& member) {
  const int n = member.n;
  const Method m = read_method(reader, certificate);
  require(static_cast<int>(m.b.size()) == n + 1, "A: not of the stages of the family");
  const Number gamma = m.a[1][1];
  require(gamma.sign() > 0, "A: gamma is not positive");
  Row numerator = reader.polynomial(certificate.at("stability"), "num");
  Number scale = 1;
  for (Number& c : numerator) {
    c /= scale;
    scale *= gamma;
  }
  for (int j = 0; j <= n; ++j) require(m.a[0][j].is_zero(), "A: the first stage is not explicit");
  bool rows = true;
  for (int i = 1; i < n; ++i) {
    for (int j = 0; j <= n; ++j) {
      const Number wanted = j > i ? Number(0) : j == 0 || j == i ? gamma : gamma + gamma;
      rows = rows && m.a[i][j] == wanted;
    }
  }
  const Row q = last_row(map, numerator);
  for (int j = 0; j < n; ++j) rows = rows && m.b[j] == gamma * q[j];
  require(rows && m.b[n] == gamma && m.a[n] == m.b, "A: the tableau is not of the family");
  bool modulus = numerator.size() <= m.b.size();
  for (int w = 1; w <= 2 * n + 1; ++w) {
    const Number x(static_cast<long>(w) * w);
    const Number left = modulus_squared(value(numerator, Complex{Number(0), Number(w)}));
    modulus = modulus && left == raised(Number(1) + x, n) -
                                     Number(rational(1 - member.rho * member.rho)) * raised(x, n);
  }
  require(modulus && hurwitz(numerator), "num: not the Hurwitz factor for this rho");
  require(image(m.a, m.one) == m.c, "c: not the row sums");
}

}  // namespace

void check_spectral_family(const Reader& reader, const Json& certificate, const Member& member) {
  const int n = member.n;
  require(n >= 2 && n <= 40, "n: not in 2..40");
  const Json& fact = fact_of(certificate, "spectral_factor", "[0, 1]", member,
                             {"modulus_of_N", "last_row", "third_order"});
  require(modulus_holds(reader.polynomials(fact, "modulus_of_N"), n), "modulus_of_N: E >= 0");
  Table map;
  for (const Json& row : fact.at("last_row"))
    map.push_back(reader.row(Json{{"last_row", row}}, "last_row"));
  require(last_row_holds(map, n), "last_row: another R of the tableau");
  require(last_row_consistent(map, n), "last_row: stage order 2");
  const Row sign = reader.polynomial(fact, "third_order");
  bool equal = sign.size() == 7;
  for (int u = 0; u < 7; ++u) {
    const Number left(4 * u * u * u + 3 * u + 1), right(9 * u * u * (4 * u * u + 1));
    equal = equal && value(sign, Number(u)) == left * left - right;
  }
  require(equal && positive_beyond_zero(sign), "third_order: order 2, no more");
  if (certificate.at("kind") == "runge_kutta")
    check_spectral_member(reader, certificate, map, member);
}

Row flat_polynomial(int n) {
  // K (1 - cos phi)^n = K 2^-n Σ_m (-1)^m C(2n, n+m) e^(i m phi): Q(1 - zeta) has the coefficients
  // of cos(m phi); brought to w = 1 - zeta and scaled to Q'(0) = 1.
  Row in_w(static_cast<std::size_t>(n) + 1);
  for (int m = 0; m <= n; ++m) {
    Number c = binomial(2 * n, n + m) * Number(m % 2 == 0 ? 1 : -1) * Number(m == 0 ? 1 : 2);
    for (int k = 0; k <= m; ++k) in_w[k] += c * binomial(m, k) * Number(k % 2 == 0 ? 1 : -1);
  }
  return scaled(in_w, in_w[1].inverse());
}

bool is_flat_formula(int n, const rational& at, const Row& alpha, const Row& beta) {
  const Row q = flat_polynomial(n);
  const Number rho(at), rest = Number(1) - rho;
  if (static_cast<int>(alpha.size()) != n + 1 || static_cast<int>(beta.size()) != n + 1)
    return false;
  for (int point = 0; point <= n; ++point) {
    const Number e(point + 2);
    Number sum, power = 1;
    for (int k = 1; k <= n; ++k) {
      sum += (Number(1) + rho) * q[k] * power * raised(e - Number(1), k) * raised(e + rho, n - k);
      power *= rest;
    }
    if (!(value(alpha, e) == sum && value(beta, e) == raised(e + rho, n))) return false;
  }
  return true;
}

void check_flat_family(const Reader& reader, const Json& certificate, const Member& member) {
  const int n = member.n;
  const Json& fact = fact_of(certificate, "flat_multistep", "[0, 1)", member, {"Q", "gain"});
  const Row q = reader.polynomial(fact, "Q");
  const Number gain = reader.number(fact, "gain");
  require(static_cast<int>(q.size()) == n + 1, "Q: not of degree n");
  require(gain.sign() > 0, "gain: not positive");
  bool form = true;
  for (long t = 1; form && t <= 2L * n + 1; ++t) {  // rational points of the circle
    const Number d(1 + t * t);
    const Complex w{Number(1) - Number(1 - t * t) / d, -(Number(2 * t) / d)};
    form = value(q, w).re == gain * raised(w.re, n);
  }
  require(form, "Q: Re Q is not gain (1 - cos phi)^n on the circle");
  const bool third = n < 3 || q[3] < Number(rational(1) / 3);
  require(q[0].is_zero() && q[1] == Number(1) && q[2] == Number(rational(1) / 2) && third,
          "Q: order 2, no more");
}

namespace {

/// Where gamma lies for rho in [0, 1], and the sign of N_n/(rho gamma^n) there.
struct Branch {
  rational lower, upper;
  int kappa;
};
Branch branch_of(int n) {
  if (n == 3) return {rational(31) / 100, rational(11) / 25, -1};
  if (n == 4) return {rational(39) / 100, rational(29) / 50, 1};
  return {rational(49) / 200, rational(7) / 25, 1};
}

/// E = Σ e_k(gamma) x^k, every e_k zero or positive on the branch but the last, 1 - rho² >= 0.
void check_axis_of_family(const Table& e, int n, const Number& low, const Number& high) {
  require(static_cast<int>(e.size()) == n + 1, "E: not of degree n");
  for (const Row& c : e)
    require(static_cast<int>(c.size()) <= 2 * n + 1, "E: of too high a degree");
  for (int i = 1; i <= 2 * n + 1; ++i) {  // degree 2n in gamma, n in x
    const Number gamma = Number(i) / Number(7);
    Row num, den;
    for (int k = 0; k <= n; ++k) {
      num.push_back(high_order_numerator(n, k, gamma));
      den.push_back(binomial(n, k) * raised(-gamma, k));
    }
    for (int y = 0; y <= n; ++y) {
      const Complex z{Number(0), Number(y)};
      Number sum;
      for (int k = 0; k <= n; ++k) sum += value(e[k], gamma) * raised(Number(y * y), k);
      require(sum == modulus_squared(value(den, z)) - modulus_squared(value(num, z)),
              "E: another polynomial");
    }
  }
  for (int k = 0; k < n; ++k)
    require(e[k].empty() || positive_on(e[k], low, high), "E: a coefficient changes its sign");
}

void check_branch(int n, int kappa, const Number& low, const Number& high) {
  Row last, error;  // N_n and the coefficient of z^(n+1), as polynomials in gamma
  for (int j = 0; j <= n; ++j) {
    rational factorial = 1;
    for (int i = 2; i <= n - j; ++i) factorial *= i;
    const Number c = binomial(n, j) * Number(j % 2 == 0 ? 1 : -1);
    last.push_back(c / Number(factorial));
    error.push_back(c / Number(rational(factorial * (n + 1 - j))));
  }
  Row slope(last.size());  // gamma N' - n N
  for (int j = 0; j <= n; ++j) slope[j] = last[j] * Number(kappa * (j - n));
  const auto rho = [&](const Number& g) { return value(last, g) * Number(kappa) / raised(g, n); };
  const bool rising = positive_on(slope, low, high);
  require(rising || positive_on(scaled(slope, -1), low, high), "gamma: rho is not monotone in it");
  require(rho(rising ? low : high) < Number(0) && rho(rising ? high : low) > Number(1),
          "gamma: the branch does not cover [0, 1]");
  require(positive_on(error, low, high) || positive_on(scaled(error, -1), low, high),
          "for_all_rho: R may have an order above n");
}

/// n = 3: an ESDIRK with C(2), B(4) and this gamma; there is one.
Number gamma_of_tableau(const Reader& reader, const Json& certificate) {
  const Method m = read_method(reader, certificate);
  require(m.b.size() == 4, "A: not of the stages of the family");
  const Number gamma = m.a[1][1];
  bool form = m.a[3] == m.b && m.c[3] == Number(1);
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = i; j < 4; ++j)
      form = form && m.a[i][j] == (i == j && i > 0 ? gamma : Number(0));
  require(form && stage_order_of(m, 2) == 2 && quadrature_order(m, m.b, 4) == 4,
          "A: the tableau is not of the family");
  return gamma;
}

}  // namespace

void check_high_order_family(const Reader& reader, const Json& certificate, const Member& member) {
  const int n = member.n;
  require(n >= 3 && n <= 5, "n: not in 3..5");
  const Json& fact =
      fact_of(certificate, "high_order_substeps", "[0, 1]", member, {"kappa", "gamma", "E"});
  const Branch branch = branch_of(n);
  require_value(fact, "kappa", branch.kappa);
  require(fact.at("gamma") == Json({branch.lower.str(), branch.upper.str()}),
          "gamma: not the interval of the branch");
  const Number low(branch.lower), high(branch.upper);
  check_axis_of_family(reader.polynomials(fact, "E"), n, low, high);
  check_branch(n, branch.kappa, low, high);

  const Number gamma = certificate.at("kind") == "free_nodes"
                           ? reader.number(certificate, "gamma")
                           : gamma_of_tableau(reader, certificate);
  const Number scale(rational(member.rho * branch.kappa));
  require(
      gamma > low && gamma < high && high_order_numerator(n, n, gamma) == scale * raised(gamma, n),
      "gamma: not that of the branch for this rho");
  const Row num = reader.polynomial(certificate.at("stability"), "num");
  const Row den = reader.polynomial(certificate.at("stability"), "den");
  require(static_cast<int>(num.size()) <= n + 1, "num: of too high a degree");
  bool equal = static_cast<int>(den.size()) == n + 1;
  for (int k = 0; equal && k <= n; ++k) {
    const Number c = k < static_cast<int>(num.size()) ? num[k] : Number(0);
    equal = c == high_order_numerator(n, k, gamma) && den[k] == binomial(n, k) * raised(-gamma, k);
  }
  require(equal, "num: not R of the family");
}

Number high_order_numerator(int n, int k, const Number& gamma) {
  Number sum;
  for (int j = 0; j <= n && j <= k; ++j) {
    rational factorial = 1;
    for (int i = 2; i <= k - j; ++i) factorial *= i;
    sum += binomial(n, j) * raised(-gamma, j) / Number(factorial);
  }
  return sum;
}

}  // namespace daemark::certcheck
