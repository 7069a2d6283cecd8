#include "analysis/exact/theory/pade_block.hpp"

#include "analysis/exact/numbers/tower.hpp"
#include "analysis/exact/theory/collocation.hpp"
#include "analysis/exact/theory/import.hpp"
#include "base/numbers/polynomial_root.hpp"
#include "base/text/bad_input.hpp"

namespace daemark::exact {

namespace {

Poly coefficients_of_mu(const Vector& m) {
  std::vector<Number> c{Number(0)};
  c.insert(c.end(), m.begin(), m.end());
  return Poly(std::move(c));
}

/// Distinct zeros of the polynomial in (0, 1), ascending, each an exact expression.
void append_zeros(const Poly& p, std::vector<Expression>& out) {
  struct Zero {
    rational lower, upper;
    std::string text;
  };
  std::vector<rational> c;
  for (const Number& x : p.coefficients()) c.push_back(x.to_rational());
  bool repeated = false;
  std::vector<Zero> zeros;
  for (const std::vector<rational>& f : irreducible_factors(c, repeated)) {
    const SturmChain chain(primitive_part(f));
    const int wanted = chain.count(0, 1);
    std::string poly;
    for (std::size_t i = f.size(); i-- > 0;) {
      if (f[i] == 0) continue;
      poly += (f[i] < 0 || poly.empty() ? "" : "+") + f[i].str() +
              (i > 0 ? "*x^" + std::to_string(i) : "");
    }
    int parts = 16;  // the zeros of these families are separated by a uniform grid soon
    for (int found = 0; found < wanted; parts *= 2) {
      found = 0;
      std::vector<Zero> here;
      for (int i = 0; i < parts; ++i) {
        const rational low = rational(i) / parts, high = rational(i + 1) / parts;
        if (chain.count(low, high) != 1) continue;
        ++found;
        here.push_back({low, high, "root(" + poly + "," + low.str() + "," + high.str() + ")"});
      }
      if (f.size() == 2) {
        const rational root = -f[0] / f[1];
        here = {{root, root, root.str()}};
        found = wanted;
      }
      if (found == wanted) zeros.insert(zeros.end(), here.begin(), here.end());
    }
  }
  std::sort(zeros.begin(), zeros.end(), [&](const Zero& a, const Zero& b) {
    if (a.upper <= b.lower) return true;
    if (b.upper <= a.lower) return false;
    return Expression::parse(a.text, "nodes").eval<wide>() <
           Expression::parse(b.text, "nodes").eval<wide>();
  });
  for (const Zero& z : zeros) out.push_back(Expression::parse(z.text, "nodes"));
}

}  // namespace

Matrix block_in_monomials(int r, const Poly& mu) {
  Matrix b(static_cast<std::size_t>(r), Vector(static_cast<std::size_t>(r)));
  for (int j = 1; j < r; ++j) b[j][j - 1] = inverse_of(j + 1);
  for (int i = 1; i <= r; ++i) b[i - 1][r - 1] = mu[i] * inverse_of(r + 1);
  return b;
}

Poly block_numerator(int r, const Matrix& b) {
  // det(I - zB + z x e') = det(I - zB) + z e' adj(I - zB) x, x = (1, 0, ..., 0)', e = (1, ..., 1)'.
  Matrix shifted = b;
  for (int j = 0; j < r; ++j) shifted[0][j] -= Number(1);
  return resolvent_determinant(shifted);
}

BlockDerivation derive_block(int r, int k, int j) {
  if (r < 1 || r > largest_block || k < 0 || k > r || j < 0 || j > r || k + j < r) {
    throw BadInput("pade_block: r = " + std::to_string(r) + ", k = " + std::to_string(k) +
                   ", j = " + std::to_string(j) + "; accepted are r = 1.." +
                   std::to_string(largest_block) + ", 0 <= k <= r, 0 <= j <= r, k + j >= r");
  }
  BlockDerivation out;
  out.r = r;
  out.k = k;
  out.j = j;
  out.pade = pade_of_exp(k, j);
  const std::size_t n = static_cast<std::size_t>(r);
  const Poly base = resolvent_determinant(block_in_monomials(r, Poly()));
  Matrix system(n, Vector(n));
  Vector right;
  for (int i = 1; i <= r; ++i) right.push_back(out.pade.den[i] - base[i]);
  for (int l = 1; l <= r; ++l) {
    const Poly moved = resolvent_determinant(block_in_monomials(r, Poly::monomial(1, l)));
    for (int i = 1; i <= r; ++i) system[i - 1][l - 1] = moved[i] - base[i];
  }
  out.uniqueness = determinant(system);
  Vector m;
  if (!solve(system, right, m)) throw std::logic_error("pade_block: mu is not unique");
  out.mu = coefficients_of_mu(m);
  const Matrix b = block_in_monomials(r, out.mu);
  out.determinant = resolvent_determinant(b);
  out.matches = out.determinant == out.pade.den && block_numerator(r, b) == out.pade.num;
  out.singular = out.determinant.degree() < r;
  return out;
}

NodeSet node_set(const std::string& word, int r) {
  NodeSet out{word, {}, Poly::root(1), {}};
  const auto parse = [](const std::string& text) { return Expression::parse(text, "nodes"); };
  if (word == "equidistant") {
    for (int i = 1; i <= r; ++i) {
      const rational node = rational(i) / rational(r);
      out.text.push_back(parse(node.str()));
      if (i < r) out.polynomial = out.polynomial * Poly::root(node);
    }
    return out;
  }
  const Poly ends = Poly::root(1) * Poly::monomial(1, 1);
  Poly inner;
  if (word == "chebyshev") {
    inner = compose(chebyshev_to(r - 1)[r - 1], Poly({Number(-1), Number(2)}));
    for (int i = r - 1; i >= 1; --i) {  // ascending; eq. (12) as printed runs downwards
      out.text.push_back(parse("1/2+cos(" + std::to_string(2 * i - 1) + "*pi/" +
                               std::to_string(2 * (r - 1)) + ")/2"));
    }
  } else if (word == "legendre") {
    inner = legendre_on_unit_interval(r - 1);
  } else if (word == "radau") {
    inner = quotient(node_polynomial(Family::radau_iia, r), Poly::root(1));
  } else if (word == "lobatto") {
    inner = quotient(node_polynomial(Family::lobatto_iiia, r + 1), ends);
  } else {
    throw BadInput("nodes '" + word +
                   "': accepted are equidistant, chebyshev, legendre, radau, "
                   "lobatto or a list such as [1/4,1/2,1]");
  }
  if (out.text.empty() && inner.degree() > 0) append_zeros(inner, out.text);
  out.polynomial = (inner * out.polynomial).monic();
  out.text.push_back(parse("1"));
  return out;
}

NodeSet node_list(const std::vector<Expression>& nodes, int r) {
  std::string name;
  for (const Expression& e : nodes) name += (name.empty() ? "[" : ",") + e.text();
  name += name.empty() ? "[]" : "]";
  Vector radicals;
  const Vector exact = import_numbers(pointers_to({&nodes}), "nodes", {}, &radicals);
  bool good = static_cast<int>(nodes.size()) == r;
  for (std::size_t i = 0; i < exact.size(); ++i)
    good = good && (i == 0 ? exact[i].sign() > 0 : exact[i - 1] < exact[i]);
  if (!good || !(exact.back() == Number(1))) {
    throw BadInput("nodes " + name + ": accepted are " + std::to_string(r) +
                   " ascending numbers in (0, 1], the last one 1");
  }
  Poly polynomial = Poly::constant(1);
  for (const Number& h : exact) polynomial = polynomial * Poly::root(h);
  return {name, nodes, polynomial, radicals};
}

Operators block_operators(const BlockDerivation& block, const Poly& nodes) {
  const std::size_t n = static_cast<std::size_t>(block.r) + 1;
  Matrix a(n, Vector(n));
  Vector b;
  for (int k = 0; k <= block.r; ++k) {
    const Poly image = k < block.r ? Poly::monomial(inverse_of(k + 1), k + 1)
                                   : block.mu.scaled(inverse_of(block.r + 1));
    for (int i = 0; i <= block.r; ++i) a[i][k] = image[i];
    b.push_back(image(Number(1)));
  }
  return ring_operators(nodes * Poly::monomial(1, 1), a, b);
}

MethodProof prove_block(const std::string& id, const BlockDerivation& block, const Poly& nodes) {
  return prove_method(id, block_operators(block, nodes), {}, true, true);
}

BlockMatrices block_matrices(const Vector& nodes, const Vector& mu) {
  const std::size_t r = nodes.size();
  // Columns of the unknown rows: [B d] C = H, so each row of [B d] solves C' row' = H_i'.
  Matrix transposed(r + 1, Vector(r + 1));
  for (std::size_t p = 0; p <= r; ++p)
    for (std::size_t i = 0; i < r; ++i)
      transposed[p][i] = pow(nodes[i], static_cast<long>(p)) * Number(static_cast<long>(p + 1));
  transposed[0][r] = 1;
  BlockMatrices out;
  out.nodes = nodes;
  out.mu = mu;
  for (std::size_t i = 0; i < r; ++i) {
    Vector right, row;
    for (std::size_t p = 1; p <= r; ++p) right.push_back(pow(nodes[i], static_cast<long>(p)));
    right.push_back(mu[i]);
    if (!solve(transposed, right, row)) throw BadInput("nodes: two of them coincide");
    out.d.push_back(row.back());
    row.pop_back();
    out.b.push_back(row);
  }
  return out;
}

std::vector<wide> wide_nodes(const NodeSet& set) {
  std::vector<wide> out;
  for (const Expression& e : set.text) out.push_back(e.eval<wide>());
  return out;
}

wide block_deviation(const std::vector<wide>& nodes, const BlockDerivation& derivation) {
  const std::size_t r = nodes.size();
  std::vector<std::vector<wide>> b(r, std::vector<wide>(r));
  for (std::size_t l = 0; l < r; ++l) {  // Lagrange basis on {0, h_1..h_r}: B_il = B l_l at h_i
    std::vector<wide> c{1};
    wide scale = nodes[l];
    for (std::size_t m = 0; m < r; ++m) {
      if (m == l) continue;
      c.emplace_back(0);
      for (std::size_t i = c.size() - 1; i > 0; --i) c[i] = c[i - 1] - nodes[m] * c[i];
      c[0] = -nodes[m] * c[0];
      scale *= nodes[l] - nodes[m];
    }
    for (std::size_t i = 0; i < r; ++i) {  // c holds the factor of x: l_l = x Σ c_p x^p / scale
      wide sum = 0, power = nodes[i];
      for (std::size_t p = 0; p + 1 < r; ++p) {
        power *= nodes[i];
        sum += c[p] * power / static_cast<int>(p + 2);
      }
      wide mu = 0;
      for (int q = derivation.mu.degree(); q >= 0; --q)
        mu = mu * nodes[i] + derivation.mu[q].to_wide();
      b[i][l] = (sum + c[r - 1] * mu / static_cast<int>(r + 1)) / scale;
    }
  }
  const std::vector<wide> found = rounded_resolvent(b);
  wide worst = 0;
  for (std::size_t k = 1; k <= r; ++k) {
    const wide exact = derivation.determinant[static_cast<int>(k)].to_wide();
    worst = std::max(worst, wide(mp::abs(found[k] - exact)));
  }
  return worst;  // the largest coefficient is d_0 = 1
}

RationalFunction block_stability_function(const Matrix& b, const Vector& d) {
  // e_r'(I - zB)^-1 (1 + zd) = det(I - zB + (1 + zd) e_r')/det(I - zB) - 1; the numerator is found
  // by Cramer's rule on the last column, interpolated in z.
  const std::size_t r = d.size();
  const Poly den = resolvent_determinant(b);
  Poly num;
  Poly nodal = Poly::constant(1);  // Newton interpolation at z = 0, 1, ..., r
  for (std::size_t p = 0; p <= r; ++p) {
    const Number z(static_cast<long>(p));
    Matrix m(r, Vector(r));
    for (std::size_t i = 0; i < r; ++i) {
      for (std::size_t l = 0; l < r; ++l) m[i][l] = Number(i == l ? 1 : 0) - z * b[i][l];
      m[i][r - 1] = Number(1) + z * d[i];
    }
    const Number gap = determinant(m) - num(z);
    num = num + nodal.scaled(gap / nodal(z));
    nodal = nodal * Poly::root(z);
  }
  return reduced(num, den);
}

std::pair<int, int> identify_pade(const RationalFunction& r) {
  const int k = r.num.degree(), j = r.den.degree();
  if (k < 0) return {-1, -1};
  const RationalFunction pade = pade_of_exp(k, j);
  if (pade.num == r.num && pade.den == r.den) return {k, j};
  return {-1, -1};
}

}  // namespace daemark::exact
