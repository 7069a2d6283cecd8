#include "analysis/exact/proof/high_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "analysis/exact/numbers/tower.hpp"
#include "analysis/exact/proof/code_theory.hpp"

namespace daemark::exact {

namespace {

using Gradient = Dual<Ball, 2>;
using Hessian = Dual<Gradient, 2>;

/// c_3..c_n in the scalar T: free ones as variables, the others constant.
template <class T>
Column<T> all_nodes(int n, const Column<T>& free, const BallVector& fixed) {
  if (n == 4) return {free[0], free[1]};
  return {T(fixed[0]), free[0], T(fixed[1])};
}

/// An approximate inverse of the middle of a symmetric 1 × 1 or 2 × 2 matrix.
BallMatrix rough_inverse(const BallMatrix& h) {
  const auto middle = [&](int i, int j) { return Ball(h[i][j].middle()); };
  if (h.size() == 1) return {{Ball((Ball(1) / middle(0, 0)).middle())}};
  const Ball det = middle(0, 0) * middle(1, 1) - middle(0, 1) * middle(0, 1);
  return {{middle(1, 1) / det, -(middle(0, 1) / det)}, {-(middle(0, 1) / det), middle(0, 0) / det}};
}

bool positive_definite(const BallMatrix& h) {
  if (!h[0][0].positive()) return false;
  return h.size() == 1 || (h[0][0] * h[1][1] - h[0][1] * h[0][1]).positive();
}

/// Only `t` and the trees without a child [t]; a child [t] is Ac = c²/2, two leaves and a half.
bool reducible(const RootedTrees& trees, const Tree& tree) {
  for (const int child : tree.children) {
    const Tree& below = trees.all()[static_cast<std::size_t>(child)];
    if (below.order == 2 || reducible(trees, below)) return true;
  }
  return false;
}

/// What the construction imposes: Σ b c^k for k < n, and for n = 4, 5 the conditions on Ac², Ac³.
std::vector<std::string> imposed_trees(int n) {
  std::vector<std::string> out{"t", "[t]", "[t,t]"};
  if (n >= 4) out.insert(out.end(), {"[t,t,t]", "[[t,t]]"});
  if (n >= 5) out.insert(out.end(), {"[t,t,t,t]", "[t,[t,t]]", "[[t,t,t]]", "[[[t,t]]]"});
  return out;
}

bool all_imposed(int n) {
  std::vector<std::string> left = irreducible_trees(n), imposed = imposed_trees(n);
  std::sort(left.begin(), left.end());
  std::sort(imposed.begin(), imposed.end());
  return left == imposed;
}

/// bAAc² = 1/60 for every c_4. With q = Ac² - c³/3 and d = bA - b(1-c), bAAc² - 1/60 = d q, where
/// b q = b(c q) = 0 and d c^k = 0, k < 4: as a function of c_4 it is a polynomial of degree <= 3
/// over (c_2-c_4)(c_3-c_4)(c_5-c_4). So four values of c_4 decide it.
constexpr int samples_needed = 4;

std::string failing_sample(const Number& gamma, const Number& c3, const Number& c5) {
  int held = 0;
  for (int i = 3; held < samples_needed; ++i) {
    const Number c4(rational(i) / 8);
    if (c4 == c3 || c4 == c5 || c4 == gamma + gamma) continue;
    const Substeps<Number> s = substeps<Number>(5, gamma, {c3, c4, c5});
    const Number gap = s.weigh(s.apply(s.apply(s.power(2)))) - Number(rational(1) / 60);
    if (!gap.is_zero()) return "bAAc^2 = 1/60 is off by " + gap.decimal(6);
    ++held;
  }
  return "";
}

struct Found {
  Number gamma, c5;
  StabilityProof stability;
  BallVector nodes;  ///< the free ones: c_3, c_4 or c_4
};

Json certificate_of(const std::string& id, int n, bool published, const Found& found) {
  Json out = certificate_head(id, "free_nodes");
  out["field"] = field_json({found.gamma});
  out["n"] = n;
  out["objective"] = published ? "published" : "error";
  out["gamma"] = json_of(found.gamma);
  if (n == 5) out["c5"] = json_of(found.c5);
  out["order"] = n;
  out["stage_order"] = 2;
  out["conditions"] = irreducible_trees(n);
  Json nodes = Json::array();
  for (const Ball& x : found.nodes) nodes.push_back(interval_json(x));
  out["free_nodes"] = nodes;
  out["stability"] = json_of(found.stability);
  return out;
}

/// R = N(z)/(1 - gamma z)^n: of degree <= n over n (explicit first stage, stiffly accurate) and of
/// order n, which determines N.
RationalFunction function_of(int n, const Number& gamma) {
  std::vector<Number> num;
  for (int k = 0; k <= n; ++k) num.push_back(numerator_coefficient(n, k)(gamma));
  return {Poly(num), power(Poly({Number(1), -gamma}), n)};
}

VerifyReport verify_three(const std::string& id, const Number& gamma, const WideTableau& code,
                          const Claims& claims) {
  const Substeps<Number> s = substeps<Number>(3, gamma, {third_node(gamma)});
  VerifyReport report = report_on(id, {s.a, s.a.back(), s.c, {}, {}}, claims);
  BallMatrix a;
  for (const auto& row : s.a) a.emplace_back(row.begin(), row.end());
  add_tableau_check(report, code, a, BallVector(s.c.begin(), s.c.end()));
  return report;
}

/// The free nodes, the regularity of the conditions there and the program's tableau.
void add_nodes(VerifyReport& report, int n, bool published, Found& found, const WideTableau& code) {
  const Ball gamma(found.gamma);
  const BallVector fixed{Ball(rational(1) / 10), n == 5 ? Ball(found.c5) : Ball(0)};
  BallVector near;
  for (int i = n == 4 ? 2 : 3; i <= 3; ++i) near.emplace_back(exact_value(code.c.at(i)));
  try {
    found.nodes = minimising_nodes(n, gamma, published, fixed, near);
    const Substeps<Ball> s = substeps<Ball>(n, gamma, all_nodes(n, found.nodes, fixed));
    for (std::size_t i = 0; i < found.nodes.size(); ++i) {
      report.notes.push_back(
          fmt::format("c{} = {}, enclosed: the only stationary point nearby, a minimum",
                      n == 4 ? 3 + i : 4 + i, found.nodes[i].decimal(40)));
    }
    add_tableau_check(report, code, s.a, s.c);
  } catch (const std::domain_error& problem) {
    report.failures.push_back(std::string("free nodes: not enclosed, ") + problem.what());
  }
}

VerifyReport verify_free(const std::string& id, int n, bool published, const Number& gamma,
                         const WideTableau& code, const Claims& claims) {
  Found found{gamma, n == 5 ? fifth_node(gamma) : Number(0), {}, {}};
  found.stability = prove_stability(function_of(n, gamma));
  VerifyReport report;
  report.id = id;
  std::string gap = all_imposed(n) ? "" : "a tree is not imposed";
  if (n == 5 && gap.empty()) gap = failing_sample(gamma, Number(rational(1) / 10), found.c5);
  if (!gap.empty() || found.stability.order != n) {
    report.failures.push_back("order: undecided, " + (gap.empty() ? "R has another order" : gap));
    return report;
  }
  report.order = n;
  report.stage_order = 2;
  report.notes.push_back(fmt::format(
      "order {0} for every value of the free nodes: C(2) reduces the trees to {1}, each of them "
      "imposed; not more, since R has order {0}",
      n, imposed_trees(n).size()));
  if (n == 5)
    report.notes.emplace_back(
        "c5 in Q(gamma) from bAAc^2 = 1/60, whatever c4 is: degree at most 3 "
        "in c4, zero at 4 values");
  report.notes.emplace_back("stage order 2; C(3) fails at the second stage, D(1) at the last");
  const Number& end = *found.stability.at_infinity;
  MethodFacts facts_on_index{n + 1, n, 2, 0, true, true, true, abs(end) < Number(1)};
  facts_on_index.tableau = code;
  add_expected_orders(report, facts_on_index);
  add_stability(report, found.stability);
  Facts facts;
  add_facts(facts, found.stability);
  facts.stiffly_accurate = true;
  facts.c = 2;
  add_facts(report, facts);
  add_nodes(report, n, published, found, code);
  check_claim(report, "order", claims.order, n, "the order of R");
  check_claim(report, "stage_order", claims.stage_order, 2, "C(3) fails at the second stage");
  check_stability_claims(report, claims, found.stability);
  if (!report.verified()) return report;
  certify(report, certificate_of(id, n, published, found));
  return report;
}

}  // namespace

Number branch_gamma(int n, const rational& rho) {
  const GammaBranch branch = gamma_branch(n);
  const Poly equation =
      numerator_coefficient(n, n) - Poly::monomial(Number(rational(branch.kappa * rho)), n);
  std::vector<rational> c;
  for (const Number& x : equation.coefficients()) c.push_back(x.to_rational());
  Tower tower("mssth");
  Number unused;
  return tower.adjoin(bracketed_root(c, branch.lower, branch.upper), unused);
}

Number third_node(const Number& g) {
  const Poly above({Number(3), Number(-20), Number(24)}),
      below({Number(4), Number(-24), Number(24)});
  return above(g) / below(g);
}

Number fifth_node(const Number& g) {
  const Poly above(
      {Number(-1), Number(58), Number(-760), Number(4016), Number(-8840), Number(7200)});
  const Poly below(
      {Number(-1), Number(56), Number(-656), Number(3120), Number(-6240), Number(4800)});
  return above(g) / below(g);
}

std::vector<std::string> irreducible_trees(int n) {
  static const RootedTrees trees(5);
  std::vector<std::string> out;
  for (int i = 0; i < trees.end(n); ++i) {
    const Tree& tree = trees.all()[static_cast<std::size_t>(i)];
    if (!reducible(trees, tree)) out.push_back(tree.text);
  }
  return out;
}

BallVector minimising_nodes(int n, const Ball& gamma, bool published, const BallVector& fixed,
                            const BallVector& near) {
  const std::size_t size = near.size();
  const rational radius(integer(1), mp::pow(integer(10), 50));
  BallVector box;
  Column<Gradient> middle;
  Column<Hessian> around;
  for (int i = 0; i < static_cast<int>(size); ++i) {
    box.push_back(near[i].widened(radius));
    middle.push_back(Gradient::variable(near[i], i));
    around.push_back(Hessian::variable(Gradient::variable(box[i], i), i));
  }
  const Gradient at = leading_error(
      substeps<Gradient>(n, Gradient(gamma), all_nodes(n, middle, fixed)), n, published);
  const Hessian over = leading_error(
      substeps<Hessian>(n, Hessian(Gradient(gamma)), all_nodes(n, around, fixed)), n, published);
  BallMatrix h(size, BallVector(size));
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < size; ++j) h[i][j] = over.grad[i].grad[j];
  if (!positive_definite(h)) throw std::domain_error("the second derivative is not positive");
  const BallMatrix inverse = rough_inverse(h);
  BallVector out;
  for (std::size_t i = 0; i < size; ++i) {  // K = m - Y g(m) + (I - Y H)(X - m)
    Ball k = near[i];
    for (std::size_t j = 0; j < size; ++j) {
      k -= inverse[i][j] * at.grad[j];
      Ball entry(i == j ? 1 : 0);
      for (std::size_t l = 0; l < size; ++l) entry -= inverse[i][l] * h[l][j];
      k += entry * (box[j] - near[j]);
    }
    if (!k.bounded() || !k.inside(box[i]))
      throw std::domain_error("Krawczyk's box is not mapped into itself");
    out.push_back(k);
  }
  return out;
}

VerifyReport verify_mssth(const std::string& id, int n, const rational& rho, bool published,
                          const WideTableau& code, Claims claims) {
  claims.order = n;
  const Number gamma = branch_gamma(n, rho);
  VerifyReport report = n == 3 ? verify_three(id, gamma, code, claims)
                               : verify_free(id, n, published, gamma, code, claims);
  add_family(report, high_order_family(n));
  if (report.certificate_data.is_object())
    report.certificate_data["rho_infinity"] = rational_text(rho);
  return report;
}

}  // namespace daemark::exact
