#include "analysis/orders/expected_orders.hpp"

#include <algorithm>

#include "analysis/exact/trees.hpp"
#include "analysis/linear/stability_function.hpp"
#include "methods/core/registry.hpp"
#include "methods/runge_kutta/runge_kutta.hpp"

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

exact::MethodFacts facts_of(const WideTableau& tableau) {
  const Conditions conditions(tableau);
  const int b = Conditions::largest([&](int k) { return conditions.b_holds(k); });
  exact::MethodFacts facts;
  facts.stages = tableau.stages();
  facts.c = Conditions::largest([&](int k) { return conditions.c_holds(k); });
  facts.d = Conditions::largest([&](int k) { return conditions.d_holds(k); });
  facts.order = classical_order(conditions, b, facts.c, facts.d);
  facts.explicit_first_stage = has_explicit_first_stage(tableau);
  facts.regular = !is_explicit(tableau) && is_implicit_part_regular(tableau);
  facts.stiffly_accurate = is_stiffly_accurate(tableau);
  // At 130 digits and rounded once: Gauss has exactly 1.
  facts.damped = facts.regular && modulus_at_infinity(tableau) < 1;
  return facts;
}

/// The first steps of a k-step formula, k > 1, have errors of size h³ unless a one-step method of
/// high order makes them: the trapezoidal rule's local error, and that of any formula of order 2
/// after it. They stay in the solution (zero-stability bounds, but does not damp them).
constexpr int order_of_default_start = 3;

int order_with_start(const Method& method, int p,
                     const std::map<std::string, std::string>& settings) {
  const auto formula = method.exact_multistep();
  const auto start = settings.find("start");
  const bool one_step = !formula || formula->alpha.size() <= 2;
  if (one_step || (start != settings.end() && start->second == "radau_iia")) return p;
  return std::min(p, order_of_default_start);
}

int index_of(const std::string& formulation) {
  const std::string id = formulation.substr(0, formulation.find('('));
  return id == "index3" ? 3 : id == "index2" || id == "ggl" ? 2 : 1;
}

}  // namespace

SlopesExpected slopes_expected(const std::string& call, const std::string& formulation,
                               const std::map<std::string, std::string>& settings) {
  const auto method = method_registry().make(call);
  const int index = index_of(formulation);
  if (const auto tableau = method->tableau())
    return exact::expected_orders(facts_of(*tableau), index);
  const std::optional<int> classical = order_of(call);
  if (!classical) return {};
  const int p = order_with_start(*method, *classical, settings);
  if (index <= 2 || parse_call(call, "method").id == "bdf") return {p, p, p};
  return {};
}

std::optional<int> order_of(const std::string& call) {
  const auto method = method_registry().make(call);
  if (const auto tableau = method->tableau()) return facts_of(*tableau).order;
  if (const auto formula = method->exact_multistep()) return linear_order(*formula);
  return method_registry().info(parse_call(call, "method").id).claims.order;
}

}  // namespace daemark
