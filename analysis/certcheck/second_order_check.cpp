// One-step methods for second-order equations: the step of the id's family, orders by series of
// determinants at values of ζ, stability by values of Q at points, which decide its coefficients.
#include <algorithm>

#include "analysis/certcheck/families.hpp"

namespace daemark::certcheck {

namespace {

/// Entries constant, damping, stiffness by rows.
using Step = std::vector<std::vector<Row>>;

Number determinant(Table m) {
  Number out(1);
  for (std::size_t p = 0; p < m.size(); ++p) {
    std::size_t best = p;
    while (best < m.size() && m[best][p].is_zero()) ++best;
    if (best == m.size()) return Number(0);
    if (best != p) {
      std::swap(m[p], m[best]);
      out = -out;
    }
    out *= m[p][p];
    for (std::size_t i = p + 1; i < m.size(); ++i) {
      const Number factor = m[i][p] / m[p][p];
      for (std::size_t j = p; j < m.size(); ++j) m[i][j] -= factor * m[p][j];
    }
  }
  return out;
}

struct Pencil {
  Step next, previous;
  std::size_t size() const { return next.size(); }
  /// Rows that hold c or k.
  int equations() const {
    int count = 0;
    for (std::size_t i = 0; i < size(); ++i) {
      const auto holds = [](const Row& e) { return !e[1].is_zero() || !e[2].is_zero(); };
      count += std::any_of(next[i].begin(), next[i].end(), holds) ||
               std::any_of(previous[i].begin(), previous[i].end(), holds);
    }
    return count;
  }

  Number at(const Number& c, const Number& k, const Number& zeta) const {
    Table m(size(), Row(size()));
    const auto entry = [&](const Row& e) { return e[0] + c * e[1] + k * e[2]; };
    for (std::size_t i = 0; i < size(); ++i)
      for (std::size_t j = 0; j < size(); ++j)
        m[i][j] = zeta * entry(next[i][j]) - entry(previous[i][j]);
    return determinant(m);
  }
  /// det(ζN − P), ascending powers of ζ, by values at 0, 1, ….
  Row characteristic(const Number& c, const Number& k) const {
    Table powers;
    Row values;
    for (long z = 0; z <= static_cast<long>(size()); ++z) {
      powers.emplace_back();
      for (std::size_t i = 0; i <= size(); ++i)
        powers.back().push_back(i == 0 ? Number(1) : pow(Number(z), static_cast<long>(i)));
      values.push_back(at(c, k, Number(z)));
    }
    return solution(powers, values);
  }
};

Row entry(rational constant, rational damping, rational stiffness) {
  return {Number(constant), Number(damping), Number(stiffness)};
}

/// Newmark's formulas and (1 − m) a₊ + m a + (1 − f)(c v + k q)₊ + f (c v + k q) = 0.
Pencil newmark(const rational& gamma, const rational& beta, const rational& m, const rational& f) {
  const rational half = rational(1) / 2;
  return {{{entry(1, 0, 0), entry(0, 0, 0), entry(-beta, 0, 0)},
           {entry(0, 0, 0), entry(1, 0, 0), entry(-gamma, 0, 0)},
           {entry(0, 0, 1 - f), entry(0, 1 - f, 0), entry(1 - m, 0, 0)}},
          {{entry(1, 0, 0), entry(1, 0, 0), entry(half - beta, 0, 0)},
           {entry(0, 0, 0), entry(1, 0, 0), entry(1 - gamma, 0, 0)},
           {entry(0, 0, -f), entry(0, -f, 0), entry(-m, 0, 0)}}};
}

Pencil of_family(const Id& id) {
  const rational half = rational(1) / 2;
  if (id.name == "augmented_lagrangian")  // without constraints it is Newmark's
    require(fraction_of(id.argument("penalty"), "id: penalty") > 0, "id: penalty not above 0");
  if (id.name == "newmark" || id.name == "augmented_lagrangian")
    return newmark(id.fraction_in("gamma"), id.fraction_in("beta"), 0, 0);
  const std::pair<const char*, rational> members[] = {{"average_acceleration", rational(1) / 4},
                                                      {"linear_acceleration", rational(1) / 6},
                                                      {"fox_goodwin", rational(1) / 12},
                                                      {"central_difference", rational(0)}};
  for (const auto& [name, beta] : members)
    if (id.name == name) return newmark(half, beta, 0, 0);
  if (id.name == "hht" || id.name == "hht_i3") {
    const rational most = id.name == "hht" ? rational(0) : rational(-1) / 1000;
    const rational alpha = id.fraction("alpha", rational(-1) / 3, most);
    return newmark(half - alpha, (1 - alpha) * (1 - alpha) / 4, 0, -alpha);
  }
  require(id.name == "generalized_alpha", "kind: not that of the id");
  const std::string& variant = id.argument("variant");  // one linear step
  require(variant == "chung_hulbert" || variant == "arnold_bruls", "id: unknown variant");
  const rational rho = id.fraction_in("rho"), m = (2 * rho - 1) / (rho + 1), f = rho / (rho + 1);
  return newmark(half + f - m, (1 + f - m) * (1 + f - m) / 4, m, f);
}

Pencil read_pencil(const Json& certificate) {
  const Json& from = certificate.at("A");
  require_keys(from, "A", {"next", "previous"});
  const auto read = [](const Json& rows, const std::string& name) {
    require(rows.is_array() && !rows.empty() && rows.size() <= 6, name + ": no matrix");
    Step out;
    for (const Json& row : rows) {
      require(row.is_array() && row.size() == rows.size(), name + ": not square");
      out.emplace_back();
      for (const Json& e : row) {
        require(e.is_array() && e.size() == 3, name + ": an entry is constant, damping, stiffness");
        out.back().emplace_back();
        for (const Json& x : e) {
          require(x.is_string(), name + ": no fraction");
          out.back().back().emplace_back(fraction_of(x.get<std::string>(), name));
        }
      }
    }
    return out;
  };
  return {read(from.at("next"), "next"), read(from.at("previous"), "previous")};
}

/// Lowest power of z in det(e^z N − P) at c = −(1 + s) z, k = s z², less 2. The exponential is cut
/// after z^top, the determinant a polynomial in z of a degree that its values decide.
int order_with(const Pencil& pencil, const Number& s) {
  constexpr int top = 8;
  const int degree = static_cast<int>(pencil.size()) * top + 2 * pencil.equations();
  Table powers;
  Row values;
  for (long i = 1; i <= degree + 1; ++i) {
    const Number z = Number(i) / Number(degree);
    Number exponential(1), term(1);
    for (long j = 1; j <= top; ++j) exponential += term = term * z / Number(j);
    values.push_back(pencil.at(-(Number(1) + s) * z, s * z * z, exponential));
    powers.emplace_back();
    Number power(1);
    for (int j = 0; j <= degree; ++j, power *= z) powers.back().push_back(power);
  }
  const Row series = solution(powers, values);
  int first = 0;
  while (first < top && series[first].is_zero()) ++first;
  require(first < top, "linear_order: too high for this check");
  return first - 2;
}

/// (1 − w)^d P((1 + w)/(1 − w)) of P without its `zeros` lowest powers, at one w.
Number half_plane_at(const Row& p, int zeros, const Number& w) {
  Number sum;
  const int d = static_cast<int>(p.size()) - 1 - zeros;
  for (int i = 0; i <= d; ++i)
    sum += p[i + zeros] * raised(Number(1) + w, i) * raised(Number(1) - w, d - i);
  return sum;
}

/// A polynomial in c and k as the certificate writes it.
struct Term {
  int c, k;
  Number value;
};
using Terms = std::vector<Term>;

Terms read_terms(const Json& from) {
  require(from.is_array(), "half_plane: no list");
  Terms out;
  for (const Json& t : from) {
    require(t.is_array() && t.size() == 3 && t[0].is_number_integer() && t[1].is_number_integer() &&
                t[2].is_string(),
            "half_plane: a term is power of c, power of k, coefficient");
    const int c = t[0].get<int>(), k = t[1].get<int>();
    require(c >= 0 && k >= 0 && c <= 12 && k <= 12, "half_plane: a power out of range");
    require(out.empty() || std::pair(out.back().c, out.back().k) < std::pair(c, k),
            "half_plane: terms not in order");
    out.push_back({c, k, Number(fraction_of(t[2].get<std::string>(), "half_plane"))});
    require(!out.back().value.is_zero(), "half_plane: a zero term");
  }
  return out;
}

Number value_of(const Terms& terms, const Number& c, const Number& k) {
  Number sum;
  for (const Term& t : terms) sum += t.value * raised(c, t.c) * raised(k, t.k);
  return sum;
}

bool not_negative(const Terms& terms) {
  return std::none_of(terms.begin(), terms.end(), [](const Term& t) { return t.value.sign() < 0; });
}
bool is_positive(const Terms& terms) {
  return not_negative(terms) &&
         std::any_of(terms.begin(), terms.end(), [](const Term& t) { return t.c == 0; });
}

/// q₁ q₂ − q₀ q₃ has no negative coefficient.
bool hurwitz_minor(const std::vector<Terms>& q) {
  std::map<std::pair<int, int>, Number> sum;
  for (const auto& [a, b, sign] : {std::tuple{1, 2, 1}, std::tuple{0, 3, -1}})
    for (const Term& s : q[a])
      for (const Term& t : q[b]) sum[{s.c + t.c, s.k + t.k}] += Number(sign) * s.value * t.value;
  return std::all_of(sum.begin(), sum.end(), [](const auto& e) { return e.second.sign() >= 0; });
}

int zero_roots(const Pencil& pencil) {
  const Row p = pencil.characteristic(Number(rational(3) / 7), Number(rational(5) / 11));
  int zeros = 0;
  while (p[zeros].is_zero()) ++zeros;
  return zeros;
}

/// The listed Q is that of the pencil, and its signs are those of stability.
void check_signs(const Json& certificate, const Pencil& pencil, int zeros) {
  const Json& list = certificate.at("half_plane");
  require(list.is_array(), "half_plane: no list");
  std::vector<Terms> q;
  for (const Json& terms : list) q.push_back(read_terms(terms));
  const int size = static_cast<int>(pencil.size());
  // Degrees in c and k are at most `size` in both, so that a grid decides; one more for w.
  for (const Terms& terms : q)
    for (const Term& t : terms)
      require(t.c <= size && t.k <= size, "half_plane: a power out of range");
  for (long c = 0; c <= size; ++c)
    for (long k = 0; k <= size; ++k) {
      Row p = pencil.characteristic(Number(c), Number(k));
      require(static_cast<int>(q.size()) <= size + 1 - zeros, "half_plane: too many coefficients");
      while (static_cast<int>(p.size()) > zeros + static_cast<int>(q.size())) {
        require(p.back().is_zero(), "half_plane: too few coefficients");
        p.pop_back();
      }
      for (long w = 2; w <= size + 2; ++w) {
        Number sum;
        for (std::size_t i = 0; i < q.size(); ++i)
          sum += value_of(q[i], Number(c), Number(k)) * raised(Number(w), static_cast<int>(i));
        require(sum == half_plane_at(p, zeros, Number(w)), "half_plane: not that of the step");
      }
    }
  if (!q.empty() && q.back().empty()) q.pop_back();  // the one root −1
  const std::size_t d = q.size();
  bool holds = d >= 2 && d <= 4 && is_positive(q.front()) && is_positive(q.back());
  if (d == 3) holds = holds && not_negative(q[1]);
  if (d == 4) holds = holds && is_positive(q[1]) && is_positive(q[2]) && hurwitz_minor(q);
  require(holds, "A_stable: signs of half_plane do not show it");
}

bool stable_at(const Pencil& pencil, const rational& k) {
  return root_condition(pencil.characteristic(Number(0), Number(k)));
}

/// The first of 2^-20, 2^-19, ... that is unstable.
void check_undamped_witness(const Json& certificate, const Pencil& pencil) {
  require(certificate.at("half_plane").is_null(), "half_plane: of a method that is not A-stable");
  const rational stated = fraction(certificate, "witness");
  rational k = rational(1) / (1L << 20);
  for (int i = -20; i <= 40; ++i, k *= 2) {
    const bool stable = stable_at(pencil, k);
    require(stable == (k < stated), "witness: not the first power of two that is unstable");
    if (!stable) return;
  }
  throw Refused("witness: none of the powers of two");
}

/// The limit of det(ζN − P)/ζ^zeros for k → ∞, monic, by its leading coefficients in k.
Row at_infinity(const Pencil& pencil, int zeros) {
  const int size = static_cast<int>(pencil.size());
  Table powers, values(size + 1);
  for (long k = 0; k <= size; ++k) {
    powers.emplace_back();
    for (int i = 0; i <= size; ++i) powers.back().push_back(raised(Number(k), i));
    const Row p = pencil.characteristic(Number(0), Number(k));
    for (int i = 0; i <= size; ++i) values[i].push_back(p[i]);
  }
  Table in_k;
  for (const Row& v : values) in_k.push_back(solution(powers, v));
  for (int top = size; top >= 0; --top) {
    Row out;
    for (int i = zeros; i <= size; ++i) out.push_back(in_k[i][top]);
    out = trimmed(out);
    if (!out.empty()) return scaled(out, out.back().inverse());
  }
  return {};
}

}  // namespace

void check_second_order(const Reader& reader, const Json& certificate, const Id& id) {
  const Pencil pencil = read_pencil(certificate), own = of_family(id);
  require(pencil.next == own.next && pencil.previous == own.previous, "A: not the step of the id");
  int order = 100;  // each power of z has a polynomial in s of at most that degree
  for (long s = 2; s <= 2 + pencil.equations(); ++s)
    order = std::min(order, order_with(pencil, Number(s)));
  require_value(certificate, "linear_order", order);
  require_value(certificate, "order", std::min(order, 2));
  require_value(certificate, "undamped_order", order_with(pencil, Number(-1)));
  const int zeros = zero_roots(pencil);
  const Row infinity = at_infinity(pencil, zeros);
  require(reader.polynomial(certificate, "roots_at_infinity") == infinity,
          "roots_at_infinity: not those of the step");
  if (certificate.at("A_stable").is_null()) throw Refused("A_stable: undecided");
  if (truth(certificate, "A_stable")) {
    require(certificate.at("witness").is_null(), "witness: of an A-stable method");
    check_signs(certificate, pencil, zeros);
  } else {
    check_undamped_witness(certificate, pencil);
  }
  const bool zero = std::all_of(infinity.begin(), infinity.end() - 1,
                                [](const Number& x) { return x.is_zero(); });
  require_value(certificate, "L_stable", truth(certificate, "A_stable") && zero);
}

}  // namespace daemark::certcheck
