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

template <class T>
struct FreeNodes {
  std::vector<std::vector<T>> a;
  std::vector<T> c;

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
};

/// Rows 0..n; c_i of the free rows in nodes (c_3, ..., c_n). Row i of moments m_k = Σ_j<i a_ij
/// c_j^k.
template <class T>
FreeNodes<T> free_nodes(int n, const T& gamma, const std::vector<T>& nodes) {
  const std::size_t last = static_cast<std::size_t>(n);
  FreeNodes<T> s;
  s.c = {T(0), gamma + gamma};
  s.c.insert(s.c.end(), nodes.begin(), nodes.end());
  s.c.push_back(T(1));
  s.a.assign(last + 1, std::vector<T>(last + 1, T(0)));
  s.a[1][0] = s.a[1][1] = gamma;
  const auto fraction = [](long p, long q) { return T(rational(p) / q); };
  const auto raised = [](const T& x, int k) {
    T out(1);
    for (int i = 0; i < k; ++i) out = out * x;
    return out;
  };
  // Row from its first moments of c^0, c^1, ... including the diagonal.
  const auto set_row = [&](std::size_t i, std::vector<T> moments) {
    for (std::size_t k = 0; k < moments.size(); ++k) {
      moments[k] = moments[k] - gamma * raised(s.c[i], static_cast<int>(k));
    }
    const std::vector<T> below(s.c.begin(), s.c.begin() + static_cast<long>(moments.size()));
    const std::vector<T> row = from_moments(below, moments);
    for (std::size_t j = 0; j < row.size(); ++j) s.a[i][j] = row[j];
    s.a[i][i] = gamma;
  };
  const auto stage = [&](std::size_t i) {  // C(1), C(2)
    return std::vector<T>{s.c[i], fraction(1, 2) * s.c[i] * s.c[i]};
  };
  std::vector<T> weights;
  for (int k = 0; k < n; ++k) weights.push_back(fraction(1, k + 1));
  set_row(last, weights);
  const std::vector<T>& b = s.a[last];
  set_row(2, stage(2));
  const auto image = [&](std::size_t i, int k) {  // (A c^k)_i of a finished row
    T sum(0);
    for (std::size_t j = 0; j <= last; ++j) sum = sum + s.a[i][j] * raised(s.c[j], k);
    return sum;
  };
  // b Ac² = 1/12 and, for n = 5, b (c Ac²) = 1/15 give (Ac²)_i of the rows 3, ..., n-1.
  T first = fraction(1, 12), second = fraction(1, 15);
  for (const std::size_t i : {std::size_t(1), std::size_t(2), last}) {
    first = first - b[i] * image(i, 2);
    second = second - b[i] * s.c[i] * image(i, 2);
  }
  std::vector<T> three = stage(3);
  if (n == 4) {
    three.push_back(first / b[3]);
    set_row(3, three);
    return s;
  }
  const T gap = s.c[4] - s.c[3];
  three.push_back((first * s.c[4] - second) / (b[3] * gap));
  set_row(3, three);
  std::vector<T> four = stage(4);
  four.push_back((second - first * s.c[3]) / (b[4] * gap));
  T third = fraction(1, 20);  // b Ac³
  for (const std::size_t i : {std::size_t(1), std::size_t(2), std::size_t(3), last}) {
    third = third - b[i] * image(i, 3);
  }
  four.push_back(third / b[4]);
  set_row(4, four);
  return s;
}

}  // namespace daemark::certcheck
