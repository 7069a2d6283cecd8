// The ESDIRK of mssth from its conditions, in any scalar: exact numbers, enclosures, derivatives.
//
// Nodes 0, 2 gamma, c_3, ..., c_n, 1; every row satisfies C(2), the diagonal is gamma, the last row
// is b with Σ b_j c_j^k = 1/(k+1), k < n. Inner entries: n = 4, a_43 from bAc² = 1/12; n = 5, a_43,
// a_53, a_54 from bAc² = 1/12, b(c Ac²) = 1/15, bAc³ = 1/20.
#pragma once

#include <stdexcept>
#include <utility>
#include <vector>

#include "analysis/exact/numbers/ball.hpp"
#include "base/linear/dense_solve.hpp"
#include "base/numbers/jet.hpp"
#include "methods/core/trees.hpp"

namespace daemark::exact {

template <class T>
struct Constant {
  static T of(const rational& x) { return T(x); }
};
template <class T, int N>
struct Constant<Dual<T, N>> {
  static Dual<T, N> of(const rational& x) { return Dual<T, N>(Constant<T>::of(x)); }
};

/// Certainly not zero.
inline bool regular(const Number& x) { return !x.is_zero(); }
inline bool regular(const Ball& x) { return x.bounded() && !x.may_vanish(); }
template <class T, int N>
bool regular(const Dual<T, N>& x) {
  return regular(x.value);
}

template <class T>
using Column = std::vector<T>;

/// Throws std::domain_error where no pivot is certainly nonzero.
template <class T>
Column<T> solve_regular(std::vector<Column<T>> a, Column<T> x) {
  if (!solve_dense(a, x, first_pivot([](const T& entry) { return regular(entry); })))
    throw std::domain_error("the conditions may be singular");
  return x;
}

template <class T>
struct Substeps {
  std::vector<Column<T>> a;
  Column<T> c;

  Column<T> apply(const Column<T>& x) const {
    Column<T> y(x.size(), T(0));
    for (std::size_t i = 0; i < x.size(); ++i)
      for (std::size_t j = 0; j <= i; ++j) y[i] += a[i][j] * x[j];
    return y;
  }
  static Column<T> times(Column<T> x, const Column<T>& y) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] *= y[i];
    return x;
  }
  Column<T> power(int k) const {
    Column<T> y(c.size(), T(1));
    for (int i = 0; i < k; ++i) y = times(y, c);
    return y;
  }
  T weigh(const Column<T>& x) const {
    T sum(0);
    for (std::size_t i = 0; i < x.size(); ++i) sum += a.back()[i] * x[i];
    return sum;
  }
  /// Row i, columns 0 and 1, from C(1) and C(2).
  void complete(std::size_t i, const T& gamma) {
    const T half = Constant<T>::of(rational(1) / 2);
    T first = half * c[i] * c[i] - gamma * c[i], zeroth = c[i] - gamma;
    for (std::size_t j = 2; j < i; ++j) {
      first -= a[i][j] * c[j];
      zeroth -= a[i][j];
    }
    a[i][i] = gamma;
    a[i][1] = first / c[1];
    a[i][0] = zeroth - a[i][1];
  }
};

/// Weights less targets of the conditions that give the inner entries.
template <class T>
Column<T> inner_conditions(const Substeps<T>& s, int n) {
  const auto target = [](int q) { return Constant<T>::of(rational(1) / q); };
  const Column<T> image = s.apply(s.power(2));
  Column<T> out{s.weigh(image) - target(12)};
  if (n == 5) {
    out.push_back(s.weigh(Substeps<T>::times(s.c, image)) - target(15));
    out.push_back(s.weigh(s.apply(s.power(3))) - target(20));
  }
  return out;
}

/// nodes: c_3, ..., c_n.
template <class T>
Substeps<T> substeps(int n, const T& gamma, const Column<T>& nodes) {
  Substeps<T> s;
  s.c = {T(0), gamma + gamma};
  s.c.insert(s.c.end(), nodes.begin(), nodes.end());
  s.c.push_back(T(1));
  const std::size_t last = static_cast<std::size_t>(n);
  s.a.assign(last + 1, Column<T>(last + 1, T(0)));
  s.a[1][0] = s.a[1][1] = gamma;
  for (std::size_t i = 2; i < last; ++i) s.complete(i, gamma);
  std::vector<Column<T>> powers;
  Column<T> moments;
  for (int k = 0; k < n; ++k) {
    powers.push_back(s.power(k));
    powers.back().pop_back();
    moments.push_back(Constant<T>::of(rational(1) / (k + 1)) - gamma);
  }
  s.a[last] = solve_regular(powers, moments);
  s.a[last].push_back(gamma);
  if (n == 3) return s;

  std::vector<std::pair<std::size_t, std::size_t>> entries{{3, 2}};
  if (n == 5) entries.insert(entries.end(), {{4, 2}, {4, 3}});
  const Column<T> start = inner_conditions(s, n);
  std::vector<Column<T>> matrix(entries.size(), Column<T>(entries.size(), T(0)));
  const auto set = [&](std::size_t k, const T& x) {
    s.a[entries[k].first][entries[k].second] = x;
    s.complete(entries[k].first, gamma);
  };
  for (std::size_t k = 0; k < entries.size(); ++k) {  // the conditions are affine in the entries
    set(k, T(1));
    const Column<T> moved = inner_conditions(s, n);
    for (std::size_t i = 0; i < entries.size(); ++i) matrix[i][k] = moved[i] - start[i];
    set(k, T(0));
  }
  Column<T> right;
  for (const T& x : start) right.push_back(-x);
  const Column<T> solution = solve_regular(matrix, right);
  for (std::size_t k = 0; k < entries.size(); ++k) set(k, solution[k]);
  return s;
}

/// The objective of the free nodes. True error: Σ ((weight - 1/density)/symmetry)² over the trees
/// of order n + 1. Published: the sums of Zhang 2022, with the tree b(Ac)² in place of bA(c Ac).
template <class T>
T leading_error(const Substeps<T>& s, int n, bool published) {
  const auto number = [](const rational& x) { return Constant<T>::of(x); };
  const auto square = [](const T& x) { return x * x; };
  T sum(0);
  if (!published) {
    static const RootedTrees trees(6);
    std::vector<Column<T>> images;  // A u(t) below order n + 1
    for (int i = 0; i < trees.end(n + 1); ++i) {
      const Tree& tree = trees.all()[static_cast<std::size_t>(i)];
      Column<T> u(s.c.size(), T(1));
      for (const int child : tree.children)
        u = Substeps<T>::times(u, images[static_cast<std::size_t>(child)]);
      if (tree.order <= n) images.push_back(s.apply(u));
      if (tree.order <= n) continue;
      const T gap = s.weigh(u) - number(rational(1) / tree.density);
      sum += number(rational(1) / (tree.symmetry * tree.symmetry)) * square(gap);
    }
    return sum;
  }
  const auto gap = [&](const Column<T>& u, int density) {
    return T(s.weigh(u) - number(rational(1) / density));
  };
  const Column<T> image = s.apply(s.power(2));
  if (n == 4) {
    const T e1 = gap(s.power(4), 5), e2 = gap(Substeps<T>::times(s.c, image), 15);
    const T e3 = gap(s.apply(s.power(3)), 20);
    return number(rational(37) / 576) * square(e1) + number(rational(1) / 2) * square(e2) +
           number(rational(10) / 36) * square(e3) +
           number(rational(1) / 16) * square(T(e3 - number(rational(1) / 20)));
  }
  const T f1 = gap(s.power(5), 6), f2 = gap(Substeps<T>::times(s.power(2), image), 18);
  const T f3 = gap(s.apply(s.power(4)), 30);
  const T f4 = gap(s.apply(Substeps<T>::times(s.c, image)), 90);
  return number(rational(101) / 14400) * square(f1) + number(rational(1) / 8) * square(f2) +
         number(rational(37) / 576) * square(f3) +
         square(T(number(rational(1) / 4) * f3 - number(rational(1) / 180))) +
         number(rational(1) / 2) * square(f4);
}

}  // namespace daemark::exact
