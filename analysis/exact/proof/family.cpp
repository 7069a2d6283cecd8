#include "analysis/exact/proof/family.hpp"

#include "methods/multistep/flat_multistep.hpp"

namespace daemark::exact {

namespace {

rational binomial(int n, int k) {
  rational out = 1;
  for (int i = 1; i <= k; ++i) out = out * (n - k + i) / i;
  return out;
}

/// p > 0 on [lower, upper], upwards without an end; squarefree p only.
bool positive_between(const Poly& p, const rational& lower, const std::optional<rational>& upper) {
  Poly odd, square;
  split_by_parity(p, odd, square);
  const std::vector<Poly> chain = sturm_chain(odd);
  const Number left(lower), right(upper.value_or(0));
  return square.degree() < 1 && p(left).sign() > 0 &&
         sign_changes(chain, &left) == sign_changes(chain, upper ? &right : nullptr) &&
         !(upper && p(right).is_zero());
}

/// |N(i w)|² = Σ P_k x^k and E as polynomials in rho, by powers of x.
std::vector<Poly> spectral_square(int n) {
  std::vector<Poly> out;
  for (int k = 0; k < n; ++k) out.push_back(Poly::constant(binomial(n, k)));
  out.push_back(Poly::monomial(1, 2));
  return out;
}

/// R of the tableau is N(s)/(1-s)^n: the numerator det(I - s(A - 1b')) is affine in the last row,
/// hence in N, so n + 1 affinely independent N decide it for all.
bool substeps_have_numerator(int n) {
  for (int k = 0; k <= n; ++k) {
    const Poly numerator = Poly::constant(1) + (k > 0 ? Poly::monomial(1, k) : Poly());
    const Matrix a = scaled_substeps(n, numerator);
    Matrix shifted = a;
    for (Vector& row : shifted)
      for (std::size_t j = 0; j < row.size(); ++j) row[j] -= a.back()[j];
    if (!(resolvent_determinant(shifted) == numerator)) return false;
    if (!(resolvent_determinant(a) == power(Poly({Number(1), Number(-1)}), n))) return false;
  }
  return true;
}

/// c_s = 1 and C(2) of the last row, as identities in N_1 with 2 N_2 = N_1² - n (the coefficient of
/// s² in N(s) N(-s)); the rows before are trapezoidal rules.
bool last_row_is_consistent(int n) {
  const Matrix map = last_row_map(n);
  Vector sum(static_cast<std::size_t>(n) + 1), moment = sum;
  for (std::size_t j = 0; j < map.size(); ++j) {
    for (std::size_t k = 0; k < sum.size(); ++k) {
      sum[k] += map[j][k];
      moment[k] += Number(2 * static_cast<long>(j)) * map[j][k];  // times c_j = 2 j gamma
    }
  }
  for (int k = 3; k <= n; ++k)
    if (!sum[k].is_zero() || !moment[k].is_zero()) return false;
  const Poly first = Poly::monomial(1, 1), nodes = first + Poly::constant(n);  // 1/gamma
  const Poly second = (first * first - Poly::constant(n)).scaled(Number(rational(1) / 2));
  const auto at = [&](const Vector& form) {
    return Poly::constant(form[0]) + first.scaled(form[1]) + second.scaled(form[2]);
  };
  return at(sum) + Poly::constant(1) == nodes && (at(moment) + nodes).scaled(2) == nodes * nodes;
}

const Poly& third_order_sign() {  // (4u³ + 3u + 1)² - 9u² (4u² + 1)
  static const Poly p = [] {
    const Poly left({Number(1), Number(3), Number(0), Number(4)});
    const Poly right({Number(1), Number(0), Number(4)});
    return left * left - Poly::monomial(9, 2) * right;
  }();
  return p;
}

FamilyFact fact(Json data, const std::string& range, const std::string& statement,
                const std::string& failure) {
  FamilyFact out;
  out.holds = failure.empty();
  out.note = "for all rho in " + range + ": " + (out.holds ? statement : "not proved, " + failure);
  if (!out.holds) return out;
  out.data["range"] = range;
  for (const auto& [key, value] : data.items()) out.data[key] = value;
  return out;
}

}  // namespace

Matrix last_row_map(int n) {
  const Poly plus({Number(1), Number(1)}), minus({Number(1), Number(-1)});
  Matrix basis(static_cast<std::size_t>(n), Vector(static_cast<std::size_t>(n)));
  for (int j = 0; j < n; ++j) {
    const Poly column = power(plus, j) * power(minus, n - 1 - j);
    for (int i = 0; i < n; ++i) basis[i][j] = column[i];
  }
  const Matrix inverse = solve_rational(basis, identity(n));
  const Poly start = power(minus, n - 1);
  Matrix out;
  for (const Vector& row : inverse) {
    Vector form{Number(0)};
    for (int m = 0; m < n; ++m) {
      form[0] -= row[m] * start[m + 1];
      form.push_back(row[m]);
    }
    out.push_back(form);
  }
  return out;
}

Matrix scaled_substeps(int n, const Poly& numerator) {
  const std::size_t stages = static_cast<std::size_t>(n) + 1;
  Matrix a(stages, Vector(stages));
  for (int i = 1; i < n; ++i)
    for (int j = 0; j <= i; ++j) a[i][j] = j == 0 || j == i ? 1 : 2;
  const Matrix map = last_row_map(n);
  for (int j = 0; j < n; ++j) {
    a[n][j] = map[j][0];
    for (int k = 1; k <= n; ++k) a[n][j] += map[j][k] * numerator[k];
  }
  a[n][n] = 1;
  return a;
}

FamilyFact spectral_family(int n) {
  const std::vector<Poly> square = spectral_square(n);
  std::string failure;
  for (int k = 0; k <= n; ++k) {  // E = (1+x)^n - |N|² = (1-rho²) x^n
    const Poly e = Poly::constant(binomial(n, k)) - square[static_cast<std::size_t>(k)];
    const Poly wanted = k < n ? Poly() : Poly({Number(1), Number(0), Number(-1)});
    if (!(e == wanted)) failure = "E is another polynomial";
  }
  if (!substeps_have_numerator(n)) failure = "the tableau has another R";
  if (!last_row_is_consistent(n)) failure = "the last row lacks stage order 2";
  if (!positive_between(third_order_sign(), 0, std::nullopt)) failure = "the order may be above 2";
  const Json data = {{"family", "spectral_factor"},
                     {"n", n},
                     {"modulus_of_N", json_of(square)},
                     {"last_row", json_of(last_row_map(n))},
                     {"third_order", json_of(third_order_sign())}};
  return fact(data, "[0, 1]",
              "order 2 and stage order 2, A-stable by E = (1-rho^2) (gamma y)^" +
                  std::to_string(2 * n) + ", |R(infinity)| = rho, L-stable for rho = 0 only",
              failure);
}

FamilyFact flat_family(int n) {
  Poly q;  // in w, then Re Q(1 - e^{i phi}) in x = cos phi
  int power_of_w = 1;
  for (const rational& c : flat_polynomial(n)) q = q + Poly::monomial(Number(c), power_of_w++);
  const Poly in_zeta = compose(q, Poly({Number(1), Number(-1)}));
  const std::vector<Poly> chebyshev = chebyshev_to(n);
  Poly real_part;
  for (int k = 0; k <= n; ++k) real_part = real_part + chebyshev[k].scaled(in_zeta[k]);
  const Number gain = real_part[0];
  std::string failure;
  if (!(real_part == power(Poly({Number(1), Number(-1)}), n).scaled(gain)) || gain.sign() <= 0)
    failure = "Re Q(1 - e^{i phi}) is no positive multiple of (1 - cos phi)^n";
  if (!(q[1] == Number(1)) || !(q[2] == Number(rational(1) / 2))) failure = "the order is below 2";
  if (!(q[3] < Number(rational(1) / 3))) failure = "the order may be above 2";
  const Json data = {
      {"family", "flat_multistep"}, {"n", n}, {"Q", json_of(q)}, {"gain", json_of(gain)}};
  return fact(data, "[0, 1)",
              "order 2, A-stable by Re Q(1 - e^{i phi}) = K (1 - cos phi)^" + std::to_string(n) +
                  ", all roots at infinity -rho, L-stable for rho = 0 only",
              failure);
}

FlatMember flat_member(int n, const rational& rho) {
  const Poly difference = Poly::root(1), sum = Poly::root(Number(rational(-rho)));
  FlatMember out{Poly(), power(sum, n)};
  Number factor(rational(1 + rho));
  int k = 1;
  for (const rational& q : flat_polynomial(n)) {
    const Poly term = power(difference, k) * power(sum, n - k);
    out.alpha = out.alpha + term.scaled(factor * Number(q));
    factor *= Number(rational(1 - rho));
    ++k;
  }
  return out;
}

GammaBranch gamma_branch(int n) {
  if (n == 3) return {rational(31) / 100, rational(44) / 100, -1};
  if (n == 4) return {rational(39) / 100, rational(58) / 100, 1};
  return {rational(49) / 200, rational(28) / 100, 1};
}

Poly numerator_coefficient(int n, int k) {
  std::vector<Number> c;
  for (int j = 0; j <= std::min(n, k); ++j) {
    rational factorial = 1;
    for (int i = 2; i <= k - j; ++i) factorial *= i;
    c.emplace_back(rational((j % 2 == 0 ? 1 : -1) * binomial(n, j) / factorial));
  }
  return Poly(std::move(c));
}

namespace {

/// |p(iy)|² for p with coefficients polynomial in gamma, by powers of x = y².
std::vector<Poly> axis_square(const std::vector<Poly>& p) {
  std::vector<Poly> out(p.size());
  for (std::size_t i = 0; i < p.size(); ++i) {
    for (std::size_t j = i % 2; j < p.size(); j += 2) {  // i^i conj(i^j) is real for equal parity
      const Number sign = (i > j ? i - j : j - i) % 4 == 0 ? 1 : -1;
      out[(i + j) / 2] = out[(i + j) / 2] + (p[i] * p[j]).scaled(sign);
    }
  }
  return out;
}

}  // namespace

FamilyFact high_order_family(int n) {
  const GammaBranch branch = gamma_branch(n);
  std::vector<Poly> num, den;
  for (int k = 0; k <= n; ++k) {
    num.push_back(numerator_coefficient(n, k));
    den.push_back(Poly::monomial(Number(rational((k % 2 == 0 ? 1 : -1) * binomial(n, k))), k));
  }
  const std::vector<Poly> above = axis_square(den), below = axis_square(num);
  std::string failure;
  Json table = Json::array();
  for (int k = 0; k <= n; ++k) {
    const Poly e = above[static_cast<std::size_t>(k)] - below[static_cast<std::size_t>(k)];
    table.push_back(json_of(e));
    if (k < n && !e.is_zero() && !positive_between(e, branch.lower, branch.upper))
      failure = "a coefficient of E changes sign";
  }
  const Poly last = num.back().scaled(branch.kappa), gamma = Poly::monomial(1, 1);
  // rho' = (gamma N' - n N) kappa/gamma^(n+1), of one sign; rho takes 0 and 1 inside.
  const Poly slope = gamma * last.derivative() - last.scaled(n);
  const bool rising = slope(Number(branch.lower)).sign() > 0;
  if (!positive_between(rising ? slope : slope.scaled(-1), branch.lower, branch.upper))
    failure = "rho is not monotone in gamma";
  const auto rho = [&](const rational& g) { return last(Number(g)) / pow(Number(g), n); };
  const Number low = rho(rising ? branch.lower : branch.upper);
  const Number high = rho(rising ? branch.upper : branch.lower);
  if (!(low < Number(0)) || !(high > Number(1))) failure = "the interval of gamma is too small";
  Poly error = numerator_coefficient(n, n + 1);
  if (error(Number(branch.lower)).sign() < 0) error = error.scaled(-1);
  if (!positive_between(error, branch.lower, branch.upper)) failure = "R may have order above n";
  Json data;
  data["family"] = "high_order_substeps";
  data["n"] = n;
  data["kappa"] = branch.kappa;
  data["gamma"] = {rational_text(branch.lower), rational_text(branch.upper)};
  data["E"] = table;
  return fact(data, "[0, 1]",
              "R has order " + std::to_string(n) +
                  " and is A-stable, every coefficient of E being >= 0 for gamma in [" +
                  rational_text(branch.lower) + ", " + rational_text(branch.upper) +
                  "]; |R(infinity)| = rho, L-stable for rho = 0 only",
              failure);
}

}  // namespace daemark::exact
