// The ESDIRK with free nodes in any scalar, row by row from moments: all systems are Vandermonde.
#pragma once

#include <stdexcept>
#include <vector>

#include "analysis/exact/numbers/number.hpp"

namespace daemark::certcheck {

/// x with Σ_j x_j nodes_j^k = moments_k: Lagrange's polynomials, one division each.
template <class T>
std::vector<T> from_moments(const std::vector<T>& nodes, const std::vector<T>& moments) {
  std::vector<T> out;
  for (std::size_t j = 0; j < nodes.size(); ++j) {
    std::vector<T> p{T(1)};
    T scale(1);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (i == j) continue;
      p.push_back(T(0));
      for (std::size_t k = p.size() - 1; k > 0; --k) p[k] = p[k - 1] - nodes[i] * p[k];
      p[0] = -(nodes[i] * p[0]);
      scale = scale * (nodes[j] - nodes[i]);
    }
    T sum(0);
    for (std::size_t k = 0; k < p.size(); ++k) sum = sum + p[k] * moments[k];
    out.push_back(sum / scale);
  }
  return out;
}

/// Rows 0..n of A, of which the last one is b.
template <class T>
struct FreeNodes {
  T gamma;
  std::vector<T> c;
  std::vector<std::vector<T>> a;

  std::size_t stages() const { return c.size(); }
  std::vector<T> apply(const std::vector<T>& x) const {
    std::vector<T> out;
    for (std::size_t i = 0; i < x.size(); ++i) {
      T sum(0);
      for (std::size_t j = 0; j <= i; ++j) sum = sum + a[i][j] * x[j];
      out.push_back(sum);
    }
    return out;
  }
  T raised(std::size_t i, int k) const {  ///< c_i^k
    T out(1);
    for (int p = 0; p < k; ++p) out = out * c[i];
    return out;
  }
  T image(std::size_t i, int k) const {  ///< (A c^k)_i of a finished row
    T sum(0);
    for (std::size_t j = 0; j < stages(); ++j) sum = sum + a[i][j] * raised(j, k);
    return sum;
  }
  /// Row i from its moments m_k = Σ_j a_ij c_j^k, k = 0, 1, ..., the diagonal gamma among them.
  void set_row(std::size_t i, std::vector<T> moments) {
    for (std::size_t k = 0; k < moments.size(); ++k)
      moments[k] = moments[k] - gamma * raised(i, static_cast<int>(k));
    const std::vector<T> below(c.begin(), c.begin() + static_cast<long>(moments.size()));
    const std::vector<T> row = from_moments(below, moments);
    for (std::size_t j = 0; j < row.size(); ++j) a[i][j] = row[j];
    a[i][i] = gamma;
  }
  /// Likewise by C(1), C(2) and what is given beyond.
  void set_stage(std::size_t i, const std::vector<T>& beyond) {
    std::vector<T> moments{c[i], T(rational(1) / 2) * c[i] * c[i]};
    moments.insert(moments.end(), beyond.begin(), beyond.end());
    set_row(i, moments);
  }
};

/// nodes: c_i of the free rows, c_3, ..., c_n.
template <class T>
FreeNodes<T> free_nodes(int n, const T& gamma, const std::vector<T>& nodes) {
  const std::size_t last = static_cast<std::size_t>(n);
  FreeNodes<T> s{gamma, {T(0), gamma + gamma}, {}};
  s.c.insert(s.c.end(), nodes.begin(), nodes.end());
  s.c.push_back(T(1));
  s.a.assign(last + 1, std::vector<T>(last + 1, T(0)));
  s.a[1][0] = s.a[1][1] = gamma;
  std::vector<T> weights;
  for (int k = 0; k < n; ++k) weights.push_back(T(rational(1) / (k + 1)));
  s.set_row(last, weights);
  const std::vector<T>& b = s.a[last];
  s.set_stage(2, {});
  // b Ac² = 1/12 and, for n = 5, b (c Ac²) = 1/15 give (Ac²)_i of the rows 3, ..., n-1.
  T first = T(rational(1) / 12), second = T(rational(1) / 15);
  for (const std::size_t i : {std::size_t(1), std::size_t(2), last}) {
    first = first - b[i] * s.image(i, 2);
    second = second - b[i] * s.c[i] * s.image(i, 2);
  }
  if (n == 4) {
    s.set_stage(3, {first / b[3]});
    return s;
  }
  const T gap = s.c[4] - s.c[3];
  s.set_stage(3, {(first * s.c[4] - second) / (b[3] * gap)});
  T third = T(rational(1) / 20);  // b Ac³
  for (const std::size_t i : {std::size_t(1), std::size_t(2), std::size_t(3), last})
    third = third - b[i] * s.image(i, 3);
  s.set_stage(4, {(second - first * s.c[3]) / (b[4] * gap), third / b[4]});
  return s;
}

}  // namespace daemark::certcheck
