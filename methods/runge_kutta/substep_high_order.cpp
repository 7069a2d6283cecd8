#include "methods/runge_kutta/substep_high_order.hpp"

#include <array>
#include <stdexcept>

#include "base/linear/dense_solve.hpp"
#include "base/numbers/jet.hpp"

namespace daemark {
namespace {

// T is `wide` or a Dual over it: the error sums are differentiated by the free nodes.
template <class T>
using Values = std::vector<T>;
using Free = Dual<wide, 2>;

const wide& value_of(const wide& x) { return x; }
const wide& value_of(const Free& x) { return x.value; }
wide ratio(long p, long q) { return wide(p) / q; }

template <class T>
Values<T> solve_linear(std::vector<Values<T>> a, Values<T> rhs, T* determinant = nullptr) {
  const auto size = [](const T& x) { return wide(abs(value_of(x))); };
  solve_dense(a, rhs, largest_pivot(size), determinant);
  return rhs;
}

template <class T>
struct Scheme {
  std::vector<Values<T>> A;
  Values<T> c;

  int stages() const { return static_cast<int>(c.size()); }
  Values<T> apply(const Values<T>& x) const {
    Values<T> y(x.size(), T(0));
    for (std::size_t i = 0; i < x.size(); ++i)
      for (std::size_t j = 0; j <= i; ++j) y[i] += A[i][j] * x[j];
    return y;
  }
  Values<T> power(int k) const {
    Values<T> y(c.size(), T(1));
    for (int i = 0; i < k; ++i) y = times(y, c);
    return y;
  }
  static Values<T> times(Values<T> a, const Values<T>& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] *= b[i];
    return a;
  }
  T weigh(const Values<T>& x) const {  // bᵀx; b is the last row
    T sum(0);
    for (std::size_t i = 0; i < x.size(); ++i) sum += A.back()[i] * x[i];
    return sum;
  }
};

/// Fills row i from its entries in columns 2..i−1: γ on the diagonal, stage order 2 gives the rest.
template <class T>
void complete_row(Scheme<T>& s, const wide& gamma, int i) {
  Values<T>& row = s.A[i];
  const T& c = s.c[i];
  T first = c * c / T(2) - T(gamma) * c, zeroth = c - T(gamma);
  for (int j = 2; j < i; ++j) {
    first -= row[j] * s.c[j];
    zeroth -= row[j];
  }
  row[i] = T(gamma);
  row[1] = first / s.c[1];
  row[0] = zeroth - row[1];
}

/// Stages with the given nodes c_3..c_n, b from Σ b_i c_i^k = 1/(k+1), k < n; inner entries zero.
template <class T>
Scheme<T> with_nodes(int n, const wide& gamma, const Values<T>& nodes) {
  Scheme<T> s;
  s.c = {T(0), T(wide(2 * gamma))};
  s.c.insert(s.c.end(), nodes.begin(), nodes.end());
  s.c.push_back(T(1));
  s.A.assign(n + 1, Values<T>(n + 1, T(0)));
  s.A[1][0] = s.A[1][1] = T(gamma);
  for (int i = 2; i < n; ++i) complete_row(s, gamma, i);
  std::vector<Values<T>> vandermonde;
  Values<T> rhs;
  for (int k = 0; k < n; ++k) {
    const Values<T> powers = s.power(k);
    vandermonde.emplace_back(powers.begin(), powers.end() - 1);
    rhs.push_back(T(wide(1) / (k + 1) - gamma));
  }
  s.A[n] = solve_linear(vandermonde, rhs);
  s.A[n].push_back(T(gamma));
  return s;
}

/// The entries a_43 (n = 4) or a_43, a_53, a_54 (n = 5) from the order conditions they enter
/// linearly: bAc² = 1/12 and, for n = 5, b(c·Ac²) = 1/15, bAc³ = 1/20.
template <class T>
Scheme<T> scheme(int n, const wide& gamma, const Values<T>& nodes, T* determinant = nullptr) {
  Scheme<T> s = with_nodes(n, gamma, nodes);
  if (n == 3) return s;
  const std::vector<std::array<int, 2>> entries =
      n == 4 ? std::vector<std::array<int, 2>>{{3, 2}}
             : std::vector<std::array<int, 2>>{{3, 2}, {4, 2}, {4, 3}};
  const int unknowns = static_cast<int>(entries.size());
  const auto conditions = [&] {
    const Values<T> first = s.apply(s.power(2));
    Values<T> r = {s.weigh(first) - T(ratio(1, 12))};
    if (n == 5) {
      r.push_back(s.weigh(Scheme<T>::times(s.c, first)) - T(ratio(1, 15)));
      r.push_back(s.weigh(s.apply(s.power(3))) - T(ratio(1, 20)));
    }
    return r;
  };
  const auto set = [&](int k, const T& x) {
    s.A[entries[k][0]][entries[k][1]] = x;
    complete_row(s, gamma, entries[k][0]);
  };
  const Values<T> at_zero = conditions();
  std::vector<Values<T>> matrix(unknowns, Values<T>(unknowns, T(0)));
  for (int k = 0; k < unknowns; ++k) {
    set(k, T(1));
    const Values<T> r = conditions();
    for (int i = 0; i < unknowns; ++i) matrix[i][k] = r[i] - at_zero[i];
    set(k, T(0));
  }
  Values<T> rhs;
  for (const T& r : at_zero) rhs.push_back(-r);
  const Values<T> solution = solve_linear(matrix, rhs, determinant);
  for (int k = 0; k < unknowns; ++k) set(k, solution[k]);
  return s;
}

template <class T>
T square(const T& x) {
  return x * x;
}

// The trees of each order, reduced by Ac = c²/2 (stage order 2); factors are Σ 1/σ² over those that
// reduce to the same weight.

template <class T>
T error_of_order_5(const Scheme<T>& s, Objective objective) {
  const Values<T> first = s.apply(s.power(2));
  const T e1 = s.weigh(s.power(4)) - T(ratio(1, 5));
  const T e2 = s.weigh(Scheme<T>::times(s.c, first)) - T(ratio(1, 15));
  const T e3 = s.weigh(s.apply(s.power(3))) - T(ratio(1, 20));
  const T common = T(ratio(1, 576) + ratio(1, 16)) * square(e1) + square(e2) / T(2) +
                   T(ratio(1, 36) + ratio(1, 4)) * square(e3);
  if (objective == Objective::published) return common + square(T(e3 - T(ratio(1, 20)))) / T(16);
  return common + square(e1) / T(64);
}

template <class T>
T error_of_order_6(const Scheme<T>& s, Objective objective) {
  const auto times = &Scheme<T>::times;
  const Values<T> first = s.apply(s.power(2)), cubes = s.apply(s.power(3));
  const T f1 = s.weigh(s.power(5)) - T(ratio(1, 6));
  const T f2 = s.weigh(times(s.power(2), first)) - T(ratio(1, 18));
  const T f3 = s.weigh(s.apply(s.power(4))) - T(ratio(1, 30));
  const T f4 = s.weigh(s.apply(times(s.c, first))) - T(ratio(1, 90));
  const T common = T(ratio(1, 14400) + ratio(1, 144)) * square(f1) +
                   T(ratio(1, 576) + ratio(1, 16)) * square(f3) + square(f4) / T(2);
  if (objective == Objective::published)
    return common + square(f2) / T(8) + square(T(f3 / T(4) - T(ratio(1, 180))));
  const T g1 = s.weigh(times(s.c, cubes)) - T(ratio(1, 24));
  const T g2 = s.weigh(times(s.c, s.apply(first))) - T(ratio(1, 72));
  const T g3 = s.weigh(s.apply(cubes)) - T(ratio(1, 120));
  const T g4 = s.weigh(s.apply(s.apply(first))) - T(ratio(1, 360));
  return common + square(f1) / T(64) + square(f2) / T(4) + square(f3) / T(64) +
         T(ratio(1, 36) + ratio(1, 4)) * (square(g1) + square(g3)) +
         (square(g2) + square(g4)) / T(2);
}

template <class T>
T error_of_order_4(const Scheme<T>& s) {
  const T e1 = s.weigh(s.power(3)) - T(ratio(1, 4));
  const T e2 = s.weigh(s.apply(s.power(2))) - T(ratio(1, 12));
  return T(ratio(1, 36) + ratio(1, 4)) * square(e1) + square(e2) / T(2);
}

/// γ of the branch, by Newton from a near value.
wide gamma_near(int n, const wide& rho, wide gamma) {
  const int kappa = n == 3 ? -1 : 1;
  for (int iteration = 0; iteration < 100; ++iteration) {
    Dual<wide, 1> x = Dual<wide, 1>::variable(gamma, 0), power(1), sum(0);
    wide factorial = 1;
    for (int i = 2; i <= n; ++i) factorial *= i;
    wide binomial = 1;
    for (int j = 0; j <= n; ++j) {
      sum += power * Dual<wide, 1>(wide(binomial / factorial));
      if (j == n) break;
      power = power * -x;
      binomial = binomial * (n - j) / (j + 1);
      factorial /= n - j;
    }
    Dual<wide, 1> last(1);
    for (int i = 0; i < n; ++i) last *= x;
    sum -= last * Dual<wide, 1>(wide(kappa * rho));
    const wide change = sum.value / sum.grad[0];
    gamma -= change;
    if (abs(change) < wide("1e-100")) return gamma;  // quadratic: exact now
  }
  throw std::logic_error("mssth: gamma does not converge");
}

/// Newton's iteration for equations in one or two nodes, with a Jacobian by differences of 1e-45:
/// at 130 digits each iteration still gains about 45 digits at the end.
template <class Equations>
std::vector<wide> newton(std::vector<wide> x, Equations equations) {
  const wide step("1e-45"), resolved("1e-100");
  for (int iteration = 0; iteration < 100; ++iteration) {
    const std::vector<wide> g = equations(x);
    std::vector<Values<wide>> jacobian(x.size(), Values<wide>(x.size()));
    for (std::size_t k = 0; k < x.size(); ++k) {
      std::vector<wide> moved = x;
      moved[k] += step;
      const std::vector<wide> h = equations(moved);
      for (std::size_t i = 0; i < x.size(); ++i) jacobian[i][k] = (h[i] - g[i]) / step;
    }
    const Values<wide> change = solve_linear(jacobian, g);
    wide size = 0;
    for (std::size_t k = 0; k < x.size(); ++k) {
      x[k] -= change[k];
      size += abs(change[k]);
    }
    // Quadratic or better: the next change would be below the 130 digits carried.
    if (size < resolved) return x;
  }
  throw std::logic_error("mssth: the nodes do not converge");
}

/// (c_3, c_4) with a stationary error.
std::vector<wide> nodes_of_four(const wide& gamma, const std::vector<wide>& near,
                                Objective objective) {
  return newton(near, [&](const std::vector<wide>& x) -> std::vector<wide> {
    const Values<Free> nodes = {Free::variable(x[0], 0), Free::variable(x[1], 1)};
    const Free e = error_of_order_5(scheme(4, gamma, nodes), objective);
    return {e.grad[0], e.grad[1]};
  });
}

/// (c_4, c_5): bAAc² = 1/60 gives c_5, whatever c_4 is; then c_4 with a stationary error.
std::vector<wide> nodes_of_five(const wide& gamma, const std::vector<wide>& near,
                                Objective objective) {
  const wide c3 = ratio(1, 10), &c4 = near[0];
  const std::vector<wide> c5 = newton({near[1]}, [&](const std::vector<wide>& x) {
    // Times the determinant: near ρ = 0.555 a pole of the weight passes through its zero.
    wide determinant = 1;
    const Scheme<wide> s = scheme<wide>(5, gamma, {c3, c4, x[0]}, &determinant);
    const wide weight = s.weigh(s.apply(s.apply(s.power(2))));
    return std::vector<wide>{determinant * (weight - ratio(1, 60))};
  });
  const std::vector<wide> found = newton({c4}, [&](const std::vector<wide>& x) {
    const Values<Free> nodes = {Free(c3), Free::variable(x[0], 0), Free(c5[0])};
    return std::vector<wide>{error_of_order_6(scheme(5, gamma, nodes), objective).grad[0]};
  });
  return {found[0], c5[0]};
}

struct Branch {
  wide gamma;
  std::vector<wide> nodes;  ///< the free ones: c_3, c_4 or c_4, c_5
};

/// Near the solution at ρ = 0; Newton does the rest.
Branch first_guess(int n, Objective objective) {
  if (n == 3) return {wide("0.4359"), {}};
  const bool published = objective == Objective::published;
  if (n == 4) return {wide("0.5728"), {wide(published ? "0.5591" : "0.4863"), wide("0.742")}};
  return {wide("0.2781"), {wide(published ? "0.9673" : "0.7101"), wide("1.1401")}};
}

}  // namespace

WideTableau high_order_substeps(int n, const rational& rho, Objective objective) {
  Branch branch = first_guess(n, objective);
  constexpr int continuation = 16;  // steps from ρ = 0
  const int steps = rho == 0 ? 0 : continuation;
  for (int i = 0; i <= steps; ++i) {
    const wide at = steps == 0 ? wide(0) : static_cast<wide>(rational(rho * i / steps));
    branch.gamma = gamma_near(n, at, branch.gamma);
    if (n == 4) branch.nodes = nodes_of_four(branch.gamma, branch.nodes, objective);
    if (n == 5) branch.nodes = nodes_of_five(branch.gamma, branch.nodes, objective);
  }
  const wide& g = branch.gamma;
  Values<wide> nodes;
  if (n == 3)  // the zero of the only free term, bc³ − 1/4
    nodes = {(24 * g * g - 20 * g + 3) / (24 * g * g - 24 * g + 4)};
  if (n == 4) nodes = {branch.nodes[0], branch.nodes[1]};
  if (n == 5) nodes = {ratio(1, 10), branch.nodes[0], branch.nodes[1]};
  const Scheme<wide> s = scheme(n, g, nodes);
  return {s.A, s.A.back(), s.c, {}};
}

wide error_norm(const WideTableau& tableau) {
  const Scheme<wide> s{tableau.A, tableau.c};
  if (s.stages() == 4) return sqrt(error_of_order_4(s));
  if (s.stages() == 5) return sqrt(error_of_order_5(s, Objective::error));
  return sqrt(error_of_order_6(s, Objective::error));
}

}  // namespace daemark
