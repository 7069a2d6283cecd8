#include "methods/runge_kutta/pade.hpp"

#include <algorithm>
#include <boost/math/constants/constants.hpp>

#include "base/text/bad_input.hpp"
#include "methods/runge_kutta/collocation.hpp"

namespace daemark {
namespace {

template <class T>
using RowOf = std::vector<T>;
using Row = RowOf<wide>;

std::string block_sizes() {
  return std::to_string(min_block_size) + ".." + std::to_string(max_block_size);
}

void check_block_size(int r) {
  if (r >= min_block_size && r <= max_block_size) return;
  throw BadInput("pade_block: r = " + std::to_string(r) + " is not accepted; r is an integer " +
                 block_sizes());
}

std::string short_text(const wide& node) { return node.str(6); }
std::string short_text(const rational& node) { return node.str(); }

template <class T>
void check_nodes(const RowOf<T>& nodes) {
  check_block_size(static_cast<int>(nodes.size()));
  T last = 0;
  for (const T& node : nodes) {
    if (!(node > last && node <= 1)) {
      throw BadInput("pade_block: nodes: " + short_text(node) + " after " + short_text(last) +
                     " is not accepted; nodes are distinct, ascending, in (0, 1], the last is 1");
    }
    last = node;
  }
  if (last != 1) {
    throw BadInput("pade_block: nodes: the last node is " + short_text(last) + "; it must be 1");
  }
}

rational factorial(int n) {
  rational product = 1;
  for (int m = 2; m <= n; ++m) product *= m;
  return product;
}

/// sign^m (n + other − m)! n! / ((n + other)! m! (n − m)!), m = 0..n.
std::vector<rational> pade_coefficients(int n, int other, int sign) {
  std::vector<rational> coefficients(n + 1);
  const rational scale = factorial(n) / factorial(n + other);
  for (int m = 0; m <= n; ++m) {
    const int sign_m = m % 2 == 0 ? 1 : sign;
    coefficients[m] = sign_m * scale * factorial(n + other - m) / (factorial(m) * factorial(n - m));
  }
  return coefficients;
}

template <class T>
T horner(const RowOf<T>& ascending, const T& x) {
  T value = 0;
  for (auto c = ascending.rbegin(); c != ascending.rend(); ++c) value = value * x + *c;
  return value;
}

/// μ as a polynomial in the node, ascending coefficients of degree 0..r.
///
/// On y' = zy let u(t) = Σ η_m t^m, degree r + 1, be the polynomial behind eq. (8), so that
/// ẏ_i = u'(c_i) and y_i = u(c_i) + (μ_i − c_i^{r+1}) η_{r+1}. With ω(t) = t Π(t − c_i) and ν the
/// degree-r interpolant of μ_i − c_i^{r+1} that vanishes at 0, the equations at 0, c_1, …, c_r say
/// u' − zu = −z η_{r+1} Q, Q = ω − ν, hence u = η_{r+1} Σ_k Q^{(k)} z^{−k}, and u(0) = 1 has the
/// denominator Σ_k Q^{(k)}(0) z^{r+1−k}, which is (r+1)! det(I − zB). So the wanted D gives
/// Q = Σ_m D_m (r+1)!/(r+1−m)! t^{r+1−m}, and μ_i = c_i^{r+1} − Q(c_i) whatever the nodes are.
/// The numerator follows: it has degree ≤ r and agrees with D exp through z^r.
template <class T>
RowOf<T> mu_polynomial(int r, int k, int j) {
  const std::vector<rational> denominator = pade_denominator(k, j);
  RowOf<T> coefficients(r + 1, T(0));
  for (int m = 1; m <= j; ++m) {
    const rational exact = -denominator[m] * factorial(r + 1) / factorial(r + 1 - m);
    coefficients[r + 1 - m] = static_cast<T>(exact);
  }
  return coefficients;
}

/// Ascending coefficients (degree r) of the Lagrange polynomials of 0, c_1, …, c_r; row 0 is that
/// of the node 0.
template <class T>
std::vector<RowOf<T>> lagrange_coefficients(const RowOf<T>& nodes) {
  const int r = static_cast<int>(nodes.size());
  RowOf<T> all(1, T(0));
  all.insert(all.end(), nodes.begin(), nodes.end());
  RowOf<T> product(1, T(1));  // Π (t − node), ascending
  for (const T& node : all) {
    product.insert(product.begin(), T(0));
    for (std::size_t m = 0; m + 1 < product.size(); ++m) product[m] -= node * product[m + 1];
  }
  std::vector<RowOf<T>> basis(r + 1, RowOf<T>(r + 1));
  for (int i = 0; i <= r; ++i) {
    T carry = 0;
    for (int m = r; m >= 0; --m) carry = basis[i][m] = product[m + 1] + all[i] * carry;
    T at_own_node = 1;
    for (int other = 0; other <= r; ++other) {
      if (other != i) at_own_node *= all[i] - all[other];
    }
    for (T& coefficient : basis[i]) coefficient /= at_own_node;
  }
  return basis;
}

void check_resolved(const std::vector<Row>& basis) {
  const wide most("1e38");  // of 130 digits, at least 90 survive the cancellation
  for (const Row& row : basis) {
    wide sum = 0;
    for (const wide& coefficient : row) sum += abs(coefficient);
    if (!(sum < most)) {
      throw BadInput("pade_block: nodes: too close together to be resolved in 130 digits");
    }
  }
}

}  // namespace

const std::vector<std::string>& node_set_names() {
  static const std::vector<std::string> names = {"equidistant", "chebyshev", "legendre", "radau",
                                                 "lobatto"};
  return names;
}

std::vector<wide> node_set(const std::string& name, int r) {
  check_block_size(r);
  Row nodes;
  if (name == "equidistant") {
    for (int i = 1; i <= r; ++i) nodes.push_back(wide(i) / r);
  } else if (name == "chebyshev") {
    const wide& pi = boost::math::constants::pi<wide>();
    for (int i = r - 1; i >= 1; --i) {  // eq. (12) numbers them downwards
      nodes.push_back((1 + cos((2 * i - 1) * pi / (2 * (r - 1)))) / 2);
    }
    nodes.emplace_back(1);
  } else if (name == "legendre") {
    nodes = gauss_nodes(r - 1);
    nodes.emplace_back(1);
  } else if (name == "radau") {
    nodes = radau_right_nodes(r);
  } else if (name == "lobatto") {
    nodes = lobatto_nodes(r + 1);
    nodes.erase(nodes.begin());
  } else {
    std::string accepted;
    for (const std::string& known : node_set_names()) accepted += known + ", ";
    throw BadInput("pade_block: nodes = '" + name + "' is not known; accepted: " + accepted +
                   "or a list");
  }
  return nodes;
}

std::vector<rational> pade_numerator(int k, int j) { return pade_coefficients(k, j, 1); }

std::vector<rational> pade_denominator(int k, int j) { return pade_coefficients(j, k, -1); }

void check_pade_degrees(int r, int k, int j) {
  check_block_size(r);
  if (k >= 0 && k <= r && j >= 0 && j <= r && k + j >= r) return;
  throw BadInput("pade_block: r = " + std::to_string(r) + ", k = " + std::to_string(k) + ", j = " +
                 std::to_string(j) + " is not accepted; 0 <= k <= r, 0 <= j <= r and k + j >= r");
}

namespace {

template <class Block, class T>
Block block_of(const RowOf<T>& nodes, int k, int j) {
  check_nodes(nodes);
  const int r = static_cast<int>(nodes.size());
  check_pade_degrees(r, k, j);
  const std::vector<RowOf<T>> basis = lagrange_coefficients(nodes);
  if constexpr (std::is_same_v<T, wide>) check_resolved(basis);
  const RowOf<T> mu = mu_polynomial<T>(r, k, j);

  Block block{std::vector<RowOf<T>>(r, RowOf<T>(r)), RowOf<T>(r), nodes, RowOf<T>(r)};
  RowOf<T> moments(r + 1);  // what row i gives for the derivative 1, t, …, t^r
  for (int i = 0; i < r; ++i) {
    block.mu[i] = horner(mu, nodes[i]);
    T power = 1;
    for (int m = 1; m <= r; ++m) {
      power *= nodes[i];
      moments[m - 1] = power / m;
    }
    moments[r] = block.mu[i] / (r + 1);
    for (int node = 0; node <= r; ++node) {
      T sum = 0;
      for (int m = 0; m <= r; ++m) sum += basis[node][m] * moments[m];
      (node == 0 ? block.d[i] : block.B[i][node - 1]) = sum;
    }
  }
  return block;
}

}  // namespace

WideBlock pade_block(const std::vector<wide>& nodes, int k, int j) {
  return block_of<WideBlock>(nodes, k, j);
}

Block<rational> exact_pade_block(const std::vector<rational>& nodes, int k, int j) {
  return block_of<Block<rational>>(nodes, k, j);
}

bool singular_B(const WideBlock& block) {
  const int r = block.size();
  const wide negligible("1e-75");  // pivots: about 1e-90 where B is singular, above 1e-60 elsewhere
  std::vector<Row> rows = block.B;
  for (Row& row : rows) {
    wide largest = 0;
    for (const wide& entry : row) largest = std::max<wide>(largest, abs(entry));
    if (largest == 0) return true;
    for (wide& entry : row) entry /= largest;
  }
  for (int p = 0; p < r; ++p) {
    int best = p;
    for (int i = p + 1; i < r; ++i) {
      if (abs(rows[i][p]) > abs(rows[best][p])) best = i;
    }
    if (abs(rows[best][p]) < negligible) return true;
    std::swap(rows[p], rows[best]);
    for (int i = p + 1; i < r; ++i) {
      const wide factor = rows[i][p] / rows[p][p];
      for (int m = p; m < r; ++m) rows[i][m] -= factor * rows[p][m];
    }
  }
  return false;
}

}  // namespace daemark
