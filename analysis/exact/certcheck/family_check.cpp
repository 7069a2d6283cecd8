// Statements for all rho: identities by evaluation at more points than their degrees can fake,
// signs by Bernstein coefficients.
#include "analysis/exact/certcheck/families.hpp"

namespace daemark::certcheck {

namespace {

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

/// p on [low, high] in the Bernstein basis of degree p.size() - 1.
Row bernstein(const Row& p, const Number& low, const Number& high) {
  const int n = static_cast<int>(p.size()) - 1;
  Row local(p.size());  // powers of t, x = low + (high - low) t
  for (int i = n; i >= 0; --i) {
    for (int j = n; j > 0; --j) local[j] = local[j] * low + local[j - 1] * (high - low);
    local[0] = local[0] * low + p[i];
  }
  Row out(p.size());
  for (int i = 0; i <= n; ++i) {
    for (int j = 0; j <= i; ++j) out[i] += binomial(i, j) / binomial(n, j) * local[j];
  }
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
    for (std::size_t k = 1; k < form.size(); ++k) {
      if (k < numerator.size()) sum += form[k] * numerator[k];
    }
    out.push_back(sum);
  }
  return out;
}

/// |N|² = Σ P_k(rho) x^k with P_k >= 0, and (1+x)^n - |N|² = (1-rho²) x^n.
bool modulus_holds(const Table& modulus, int n) {
  if (static_cast<int>(modulus.size()) != n + 1) return false;
  for (const Row& p : modulus) {
    if (p.size() > 3) return false;
    for (const Number& c : p) {
      if (c.sign() < 0) return false;
    }
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
  for (const Row& form : map) {
    if (static_cast<int>(form.size()) != n + 1) return false;
  }
  for (int k = 0; k <= n; ++k) {
    Row numerator(static_cast<std::size_t>(n) + 1);
    numerator[0] = 1;
    if (k > 0) numerator[k] = 1;
    const Row q = last_row(map, numerator);
    for (int point = 2; point <= n + 3; ++point) {
      const Number s(point);
      Number sum = raised(Number(1) - s, n - 1);
      for (int j = 0; j < n; ++j) {
        sum += s * q[j] * raised(Number(1) + s, j) * raised(Number(1) - s, n - 1 - j);
      }
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

}  // namespace

Number high_order_numerator(int n, int k, const Number& gamma) {
  Number sum;
  for (int j = 0; j <= n && j <= k; ++j) {
    rational factorial = 1;
    for (int i = 2; i <= k - j; ++i) factorial *= i;
    sum += binomial(n, j) * raised(-gamma, j) / Number(factorial);
  }
  return sum;
}

void check_spectral_family(const Reader& reader, const Json& fact, Verdicts& out) {
  const int n = fact.at("n").get<int>();
  if (n < 2 || n > 40) throw std::invalid_argument("n");
  out.require(fact.at("range") == "[0, 1]", "for all rho: the range");
  out.require(modulus_holds(reader.table(fact.at("modulus_of_N")), n), "for all rho: E >= 0");
  const Table map = reader.table(fact.at("last_row"));
  out.require(last_row_holds(map, n), "for all rho: R of the tableau");
  out.require(last_row_consistent(map, n), "for all rho: stage order 2");
  const Row sign = reader.row(fact.at("third_order"));
  bool equal = sign.size() == 7;
  for (int u = 0; u < 7; ++u) {
    const Number left(4 * u * u * u + 3 * u + 1), right(9 * u * u * (4 * u * u + 1));
    equal = equal && value(sign, Number(u)) == left * left - right;
  }
  out.require(equal && positive_beyond_zero(sign), "for all rho: order 2, no more");
}

void check_spectral_member(const Reader& reader, const Json& certificate, Verdicts& out) {
  const Json& fact = certificate.at("for_all_rho");
  const int n = fact.at("n").get<int>();
  const rational rho = Reader::fraction(certificate.at("rho_infinity"));
  const Method m = read_method(reader, certificate);
  if (static_cast<int>(m.b.size()) != n + 1) throw std::invalid_argument("stages of the family");
  const Number gamma = m.a[1][1];
  Row numerator = reader.row(certificate.at("stability").at("num"));
  Number scale = 1;
  for (Number& c : numerator) {
    c /= scale;
    scale *= gamma;
  }
  bool rows = gamma.sign() > 0;
  for (int i = 1; i < n; ++i) {
    for (int j = 0; j <= n; ++j) {
      const Number wanted = j > i ? Number(0) : j == 0 || j == i ? gamma : gamma + gamma;
      rows = rows && m.a[i][j] == wanted;
    }
  }
  const Row q = last_row(reader.table(fact.at("last_row")), numerator);
  for (int j = 0; j < n; ++j) rows = rows && m.b[j] == gamma * q[j];
  rows = rows && m.b[n] == gamma && m.a[n] == m.b;
  out.require(rows, "the tableau is of the family");
  bool modulus = rho >= 0 && rho <= 1;
  for (int w = 1; w <= 2 * n + 1; ++w) {
    const Number x(static_cast<long>(w) * w);
    const Number left = modulus_squared(value(numerator, Complex{Number(0), Number(w)}));
    modulus = modulus &&
              left == raised(Number(1) + x, n) - Number(rational(1 - rho * rho)) * raised(x, n);
  }
  out.require(modulus && numerator.size() <= m.b.size() && hurwitz(numerator),
              "N is the Hurwitz factor for this rho");
}

void check_flat_family(const Reader& reader, const Json& certificate, Verdicts& out) {
  const Json& fact = certificate.at("for_all_rho");
  const int n = fact.at("n").get<int>();
  const Row q = reader.row(fact.at("Q"));
  const Number gain = reader.number(fact.at("gain"));
  bool form = n >= 2 && static_cast<int>(q.size()) == n + 1 && gain.sign() > 0;
  for (long t = 1; form && t <= 2L * n + 1; ++t) {  // rational points of the circle
    const Number d(1 + t * t);
    const Complex w{Number(1) - Number(1 - t * t) / d, -(Number(2 * t) / d)};
    form = value(q, w).re == gain * raised(w.re, n);
  }
  out.require(fact.at("range") == "[0, 1)" && form, "for all rho: Re Q >= 0 on the circle");
  const bool third = n < 3 || q[3] < Number(rational(1) / 3);
  out.require(
      form && q[0].is_zero() && q[1] == Number(1) && q[2] == Number(rational(1) / 2) && third,
      "for all rho: order 2, no more");
  const rational at = Reader::fraction(certificate.at("rho_infinity"));
  const Number rho(at), rest = Number(1) - rho;
  const Row alpha = reader.row(certificate.at("rho")), beta = reader.row(certificate.at("sigma"));
  bool member = form && at >= 0 && at < 1;
  for (int point = 0; member && point <= n; ++point) {
    const Number e(point + 2);
    Number sum, power = 1;
    for (int k = 1; k <= n; ++k) {
      sum += (Number(1) + rho) * q[k] * power * raised(e - Number(1), k) * raised(e + rho, n - k);
      power *= rest;
    }
    member = value(alpha, e) == sum && value(beta, e) == raised(e + rho, n);
  }
  out.require(
      member && static_cast<int>(alpha.size()) == n + 1 && static_cast<int>(beta.size()) == n + 1,
      "the formula is of the family");
}

void check_high_order_family(const Reader& reader, const Json& fact, Verdicts& out) {
  const int n = fact.at("n").get<int>(), kappa = fact.at("kappa").get<int>();
  if (n < 3 || n > 5 || kappa * kappa != 1) throw std::invalid_argument("n or kappa");
  const Number low(Reader::fraction(fact.at("gamma").at(0)));
  const Number high(Reader::fraction(fact.at("gamma").at(1)));
  const Table e = reader.table(fact.at("E"));
  bool axis = static_cast<int>(e.size()) == n + 1 && low.sign() > 0 && low < high;
  for (const Row& c : e) axis = axis && static_cast<int>(c.size()) <= 2 * n + 1;
  for (int i = 1; axis && i <= 2 * n + 1; ++i) {  // degree 2n in gamma, n in x
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
      axis = axis && sum == modulus_squared(value(den, z)) - modulus_squared(value(num, z));
    }
  }
  // The last coefficient is gamma^(2n) - N_n² = gamma^(2n) (1 - rho²); zero below order n/2.
  for (int k = 0; axis && k < n; ++k) axis = trimmed(e[k]).empty() || positive_on(e[k], low, high);
  out.require(axis, "for all rho: every coefficient of E >= 0");

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
  const auto negated = [](Row p) {
    for (Number& c : p) c = -c;
    return p;
  };
  const auto rho = [&](const Number& g) { return value(last, g) * Number(kappa) / raised(g, n); };
  const bool rising = positive_on(slope, low, high);
  out.require(rising || positive_on(negated(slope), low, high), "for all rho: gamma is a branch");
  out.require(rho(rising ? low : high) < Number(0) && rho(rising ? high : low) > Number(1),
              "for all rho: the branch covers [0, 1]");
  out.require(positive_on(error, low, high) || positive_on(negated(error), low, high),
              "for all rho: R has order n, no more");
  out.require(fact.at("range") == "[0, 1]", "for all rho: the range");
}

void check_high_order_member(const Reader& reader, const Json& certificate, const Number& gamma,
                             Verdicts& out) {
  const Json& fact = certificate.at("for_all_rho");
  const int n = fact.at("n").get<int>();
  const rational rho = Reader::fraction(certificate.at("rho_infinity"));
  const Number low(Reader::fraction(fact.at("gamma").at(0)));
  const Number high(Reader::fraction(fact.at("gamma").at(1)));
  const Number scale(rational(rho * fact.at("kappa").get<int>()));
  out.require(rho >= 0 && rho <= 1 && gamma > low && gamma < high &&
                  high_order_numerator(n, n, gamma) == scale * raised(gamma, n),
              "gamma of the branch for this rho");
  const Row num = reader.row(certificate.at("stability").at("num"));
  const Row den = reader.row(certificate.at("stability").at("den"));
  bool equal = static_cast<int>(den.size()) == n + 1;
  for (int k = 0; equal && k <= n; ++k) {
    const Number c = k < static_cast<int>(num.size()) ? num[k] : Number(0);
    equal = c == high_order_numerator(n, k, gamma) && den[k] == binomial(n, k) * raised(-gamma, k);
  }
  out.require(equal && static_cast<int>(num.size()) <= n + 1, "R of the family");
}

void check_family(const Reader& reader, const Json& certificate, Verdicts& out) {
  const Json& fact = certificate.at("for_all_rho");
  const std::string family = fact.at("family").get<std::string>();
  const std::string kind = certificate.at("kind").get<std::string>();
  if (family == "spectral_factor" && (kind == "runge_kutta" || kind == "spectral_factor")) {
    check_spectral_family(reader, fact, out);
    if (kind == "runge_kutta") check_spectral_member(reader, certificate, out);
  } else if (family == "flat_multistep" && kind == "multistep") {
    check_flat_family(reader, certificate, out);
  } else if (family == "high_order_substeps" && (kind == "runge_kutta" || kind == "free_nodes")) {
    check_high_order_family(reader, fact, out);
    const Number gamma = kind == "free_nodes" ? reader.number(certificate.at("gamma"))
                                              : reader.table(certificate.at("A")).at(1).at(1);
    check_high_order_member(reader, certificate, gamma, out);
  } else {
    out.require(false, "for all rho: the family");
  }
}

}  // namespace daemark::certcheck
