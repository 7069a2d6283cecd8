#include "experiments/core/expected_orders.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "analysis/exact/trees.hpp"
#include "methods/core/registry.hpp"
#include "methods/core/runge_kutta.hpp"

namespace daemark {
namespace {

using Column = std::vector<wide>;

/// Coefficients carry about 60 digits: a condition holds if its residual is far below those of
/// double.
bool zero(const wide& x) { return abs(x) < wide(1e-30); }

/// A tableau with the products its conditions are made of.
struct Conditions {
  explicit Conditions(const WideTableau& tableau) : t(tableau) {}
  const WideTableau& t;

  Column power(int k) const {
    Column out;
    for (const wide& c : t.c) out.push_back(k == 0 ? wide(1) : wide(pow(c, k)));
    return out;
  }
  Column times(const Column& x) const {
    Column out(x.size(), wide(0));
    for (std::size_t i = 0; i < x.size(); ++i) {
      for (std::size_t j = 0; j < x.size(); ++j) out[i] += t.A[i][j] * x[j];
    }
    return out;
  }
  wide weighted(const Column& x) const {
    wide sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += t.b[i] * x[i];
    return sum;
  }
  bool b_holds(int k) const { return zero(wide(weighted(power(k - 1)) - wide(1) / k)); }
  bool c_holds(int k) const {
    const Column left = times(power(k - 1)), right = power(k);
    for (std::size_t i = 0; i < left.size(); ++i) {
      if (!zero(wide(left[i] - right[i] / k))) return false;
    }
    return true;
  }
  bool d_holds(int k) const {
    const Column c = power(k - 1), last = power(k);
    for (std::size_t j = 0; j < c.size(); ++j) {
      wide sum = 0;
      for (std::size_t i = 0; i < c.size(); ++i) sum += t.b[i] * c[i] * t.A[i][j];
      if (!zero(wide(sum - t.b[j] * (1 - last[j]) / k))) return false;
    }
    return true;
  }
  template <class Test>
  static int largest(Test test) {
    constexpr int enough = 100;
    int k = 0;
    while (k < enough && test(k + 1)) ++k;
    return k;
  }
};

/// By rooted trees up to order 8; beyond that by Butcher's theorem.
int classical_order(const Conditions& tableau, int b, int c, int d) {
  constexpr int most = 8;
  static const exact::RootedTrees trees(most);
  std::vector<Column> inner;  // Φ_i of each tree without the outer weights
  for (const exact::Tree& tree : trees.all()) {
    Column product(tableau.t.b.size(), wide(1));
    for (const int child : tree.children) {
      const Column below = tableau.times(inner[static_cast<std::size_t>(child)]);
      for (std::size_t i = 0; i < product.size(); ++i) product[i] *= below[i];
    }
    if (!zero(wide(tableau.weighted(product) - 1 / wide(tree.density)))) return tree.order - 1;
    inner.push_back(std::move(product));
  }
  return std::max(most, std::min({b, c + d + 1, 2 * c + 2}));
}

double at_infinity(const WideTableau& tableau) {
  const int s = tableau.stages();
  Eigen::MatrixXd a(s, s);
  Eigen::VectorXd b(s);
  for (int i = 0; i < s; ++i) {
    b[i] = to_double(tableau.b[i]);
    for (int j = 0; j < s; ++j) a(i, j) = to_double(tableau.A[i][j]);
  }
  return 1 - b.dot(a.fullPivLu().solve(Eigen::VectorXd::Ones(s)));
}

SlopesExpected of_tableau(const WideTableau& tableau, int index) {
  const Conditions conditions(tableau);
  const int b = Conditions::largest([&](int k) { return conditions.b_holds(k); });
  const int c = Conditions::largest([&](int k) { return conditions.c_holds(k); });
  const int d = Conditions::largest([&](int k) { return conditions.d_holds(k); });
  const int p = classical_order(conditions, b, c, d);
  if (index <= 1) return {p, p, p};
  if (is_explicit(tableau) || !is_implicit_part_regular(tableau) || c < 1) return {};
  const bool stiff = is_stiffly_accurate(tableau);
  if (index == 2) {
    if (stiff) return {std::min({p, 2 * c, c + d + 1}), std::min({p, 2 * c, c + d + 1}), c};
    if (has_explicit_first_stage(tableau) || !(std::abs(at_infinity(tableau)) < 1)) return {};
    return {std::min(p, c + 1), std::min(p, c + 1), c};
  }
  if (!stiff || c < 2) return {};
  SlopesExpected out{std::nullopt, c, c - 1};
  const int s = tableau.stages();
  if (c == s && d == s - 1 && p == 2 * s - 1) out.q = p;
  return out;
}

int index_of(const std::string& formulation) {
  const std::string id = formulation.substr(0, formulation.find('('));
  return id == "index3" ? 3 : id == "index2" || id == "ggl" ? 2 : 1;
}

}  // namespace

SlopesExpected slopes_expected(const std::string& call, const std::string& formulation) {
  const auto method = method_registry().make(call);
  const int index = index_of(formulation);
  if (const auto tableau = method->tableau()) return of_tableau(*tableau, index);
  const std::optional<int> p = order_of(call);
  if (!p) return {};
  if (index <= 2 || call.starts_with("bdf")) return {p, p, p};
  return {};
}

std::optional<int> order_of(const std::string& call) {
  const auto method = method_registry().make(call);
  if (const auto tableau = method->tableau()) return of_tableau(*tableau, 1).q;
  const Call parsed = parse_call(call, "method");
  const Arguments arguments = method_registry().bind(call);
  if (parsed.id == "bdf") return static_cast<int>(arguments.integer("k", 1, 6));
  return method_registry().info(parsed.id).claims.order;
}

}  // namespace daemark
