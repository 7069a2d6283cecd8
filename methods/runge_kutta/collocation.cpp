#include "methods/runge_kutta/collocation.hpp"

#include <Eigen/Eigenvalues>
#include <string>

#include "base/text/bad_input.hpp"

namespace daemark {
namespace {

using Row = std::vector<wide>;
using Matrix = std::vector<Row>;

void check_count(const char* family, int s, int least) {
  if (s >= least && s <= max_collocation_stages) return;
  throw BadInput(std::string(family) + ": s = " + std::to_string(s) + " is not accepted; s is an " +
                 "integer " + std::to_string(least) + ".." +
                 std::to_string(max_collocation_stages));
}

/// Monic Jacobi polynomials: π_{k+1} = (x − shift(k)) π_k − weight(k) π_{k−1} on (−1, 1), for the
/// weight function (1 − x)^alpha (1 + x)^beta with alpha, beta in {0, 1}.
struct JacobiRecurrence {
  int alpha, beta;
  template <class S>
  S shift(int k) const {
    const int sum = alpha + beta;
    if (alpha == beta) return S(0);
    if (k == 0) return S(beta - alpha) / S(sum + 2);
    return S(beta * beta - alpha * alpha) / S((2 * k + sum) * (2 * k + sum + 2));
  }
  template <class S>
  S weight(int k) const {
    const int sum = alpha + beta, m = 2 * k + sum;
    return S(4 * k) * S(k + alpha) * S(k + beta) * S(k + sum) / (S(m) * S(m) * S(m + 1) * S(m - 1));
  }
};

/// Zeros in double, ascending: the eigenvalues of the recurrence's tridiagonal matrix.
Eigen::VectorXd jacobi_zeros_double(const JacobiRecurrence& recurrence, int n) {
  Eigen::VectorXd diagonal(n), off(n - 1);
  for (int k = 0; k < n; ++k) diagonal[k] = recurrence.shift<double>(k);
  for (int k = 1; k < n; ++k) off[k - 1] = std::sqrt(recurrence.weight<double>(k));
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
  solver.computeFromTridiagonal(diagonal, off, Eigen::EigenvaluesOnly);
  return solver.eigenvalues();
}

/// Zeros of the Jacobi polynomial of degree n, ascending in (−1, 1): Newton from double.
Row jacobi_zeros(int alpha, int beta, int n) {
  if (n == 0) return {};
  const JacobiRecurrence recurrence{alpha, beta};
  Row shift(n), weight(n);
  for (int k = 0; k < n; ++k) {
    shift[k] = recurrence.shift<wide>(k);
    weight[k] = k == 0 ? wide(0) : recurrence.weight<wide>(k);
  }
  const Eigen::VectorXd start = jacobi_zeros_double(recurrence, n);
  const wide close_enough("1e-100");  // the step after the last one would be far below round-off
  Row zeros(n);
  for (int i = 0; i < n; ++i) {
    wide x = start[i];
    for (int iteration = 0; iteration < 20; ++iteration) {
      wide p_last = 0, p = 1, slope_last = 0, slope = 0;
      for (int k = 0; k < n; ++k) {
        const wide p_next = (x - shift[k]) * p - weight[k] * p_last;
        const wide slope_next = p + (x - shift[k]) * slope - weight[k] * slope_last;
        p_last = p, p = p_next, slope_last = slope, slope = slope_next;
      }
      const wide step = p / slope;
      x -= step;
      if (abs(step) < close_enough) break;
    }
    zeros[i] = x;
  }
  if (alpha == beta) {  // exactly symmetric about 0
    for (int i = 0; i < n / 2; ++i) zeros[i] = -zeros[n - 1 - i];
    if (n % 2 == 1) zeros[n / 2] = 0;
  }
  return zeros;
}

/// Zeros moved from (−1, 1) to (0, 1), with the endpoints the rule contains.
Row unit_nodes(bool with_zero, const Row& zeros, bool with_one) {
  Row nodes;
  if (with_zero) nodes.emplace_back(0);
  for (const wide& x : zeros) nodes.push_back((1 + x) / 2);
  if (with_one) nodes.emplace_back(1);
  return nodes;
}

/// P_0..P_s on [−1, 1] at 2c − 1, for every node: entry [i][k].
Matrix legendre_values(const Row& c) {
  const int s = static_cast<int>(c.size());
  Matrix values(s, Row(s + 1));
  for (int i = 0; i < s; ++i) {
    const wide x = 2 * c[i] - 1;
    values[i][0] = 1;
    values[i][1] = x;
    for (int k = 1; k < s; ++k) {
      values[i][k + 1] = ((2 * k + 1) * x * values[i][k] - k * values[i][k - 1]) / (k + 1);
    }
  }
  return values;
}

/// The collocation method on a Gauss, Radau or Lobatto rule.
///
/// The Lagrange basis is expanded in Legendre polynomials, l_j = b_j Σ_k (2k+1)/g_k P_k(c_j) P_k,
/// which the rule's discrete orthogonality gives without solving a (badly conditioned) system; g_k
/// is the discrete over the continuous squared norm: 1, but (2s−1)/(s−1) for k = s−1 on Lobatto.
/// The P_k integrate to (P_{k+1} − P_{k−1}) / (2(2k+1)).
WideTableau collocate(Row c, bool lobatto, const Matrix& legendre) {
  const int s = static_cast<int>(c.size());
  Row norm_inverse(s, wide(1));
  if (lobatto) norm_inverse[s - 1] = wide(s - 1) / (2 * s - 1);

  WideTableau method;
  method.b.resize(s);
  Matrix scaled(s, Row(s));  // b_j P_k(c_j) / g_k
  for (int j = 0; j < s; ++j) {
    wide sum = 0;
    for (int k = 0; k < s; ++k) {
      scaled[j][k] = legendre[j][k] * norm_inverse[k];
      sum += (2 * k + 1) * legendre[j][k] * scaled[j][k];
    }
    method.b[j] = 1 / sum;
    for (wide& entry : scaled[j]) entry *= method.b[j];
  }
  method.A.assign(s, Row(s, wide(0)));
  Row integral(s);  // (2k+1) ∫_0^{c_i} P_k(2t − 1) dt
  for (int i = 0; i < s; ++i) {
    if (c[i] == 0) continue;
    if (c[i] == 1) {
      method.A[i] = method.b;
      continue;
    }
    integral[0] = c[i];
    for (int k = 1; k < s; ++k) integral[k] = (legendre[i][k + 1] - legendre[i][k - 1]) / 2;
    for (int j = 0; j < s; ++j) {
      wide sum = 0;
      for (int k = 0; k < s; ++k) sum += integral[k] * scaled[j][k];
      method.A[i][j] = sum;
    }
  }
  method.c = std::move(c);
  return method;
}

WideTableau collocate(Row c, bool lobatto = false) {
  const Matrix legendre = legendre_values(c);
  return collocate(std::move(c), lobatto, legendre);
}

}  // namespace

std::vector<wide> gauss_nodes(int n) {
  check_count("Gauss nodes", n, 1);
  return unit_nodes(false, jacobi_zeros(0, 0, n), false);
}

std::vector<wide> radau_left_nodes(int n) {
  check_count("Radau nodes", n, 1);
  return unit_nodes(true, jacobi_zeros(0, 1, n - 1), false);
}

std::vector<wide> radau_right_nodes(int n) {
  check_count("Radau nodes", n, 1);
  return unit_nodes(false, jacobi_zeros(1, 0, n - 1), true);
}

std::vector<wide> lobatto_nodes(int n) {
  check_count("Lobatto nodes", n, 2);
  return unit_nodes(true, jacobi_zeros(1, 1, n - 2), true);
}

WideTableau gauss(int s) {
  check_count("gauss", s, 1);
  return collocate(gauss_nodes(s));
}

WideTableau radau_iia(int s) {
  check_count("radau_iia", s, 1);
  return collocate(radau_right_nodes(s));
}

WideTableau lobatto_iiia(int s) {
  check_count("lobatto_iiia", s, 2);
  return collocate(lobatto_nodes(s), true);
}

// D(s) applied to the Lagrange basis: b_i a_ij = b_j ∫_{c_j}^1 l_i = b_j (b_i − ∫_0^{c_j} l_i).
WideTableau radau_ia(int s) {
  check_count("radau_ia", s, 1);
  const WideTableau collocation = collocate(radau_left_nodes(s));
  WideTableau method = collocation;
  for (int i = 0; i < s; ++i) {
    for (int j = 0; j < s; ++j) {
      method.A[i][j] = method.b[j] - method.b[j] / method.b[i] * collocation.A[j][i];
    }
  }
  return method;
}

// C(s − 1) leaves each row free along b_j P_{s−1}(c_j), the functional that vanishes on degree
// s − 2; a_i1 = b_1 (the definition of IIIC) fixes how much of it is added to Lobatto IIIA.
WideTableau lobatto_iiic(int s) {
  check_count("lobatto_iiic", s, 2);
  const std::vector<wide> c = lobatto_nodes(s);
  const Matrix legendre = legendre_values(c);
  WideTableau method = collocate(c, true, legendre);
  const wide first = method.b[0];
  for (Row& row : method.A) {
    const wide amount = (first - row[0]) / (first * legendre[0][s - 1]);
    for (int j = 0; j < s; ++j) row[j] += amount * method.b[j] * legendre[j][s - 1];
    row[0] = first;
  }
  return method;
}

}  // namespace daemark
