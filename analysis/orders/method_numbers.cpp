#include "analysis/orders/method_numbers.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <boost/multiprecision/eigen.hpp>

#include "analysis/exact/trees.hpp"
#include "methods/runge_kutta/runge_kutta.hpp"

namespace daemark {
namespace {

using Values = std::vector<wide>;

/// Checks of a tableau: which identities its coefficients satisfy.
class Checks {
 public:
  Checks(const WideTableau& tableau, bool decimal)
      : t_(tableau), s_(tableau.stages()), close_(decimal ? "1e-10" : "1e-100") {}

  bool small(const wide& defect) const { return abs(defect) <= close_; }

  bool row_sums() const {
    for (int i = 0; i < s_; ++i) {
      if (!small(sum(t_.A[i]) - t_.c[i])) return false;
    }
    return true;
  }

  /// B(p): Σ b_i c_i^(k-1) = 1/k for k <= p; the largest p up to `most`.
  int quadrature(int most) const {
    return largest(most, [this](int k) {
      wide total = -wide(1) / k;
      for (int i = 0; i < s_; ++i) total += t_.b[i] * power(t_.c[i], k - 1);
      return small(total);
    });
  }

  /// C(q): Σ_j a_ij c_j^(k-1) = c_i^k / k.
  int stages(int most) const {
    return largest(most, [this](int k) {
      for (int i = 0; i < s_; ++i) {
        wide total = -power(t_.c[i], k) / k;
        for (int j = 0; j < s_; ++j) total += t_.A[i][j] * power(t_.c[j], k - 1);
        if (!small(total)) return false;
      }
      return true;
    });
  }

  /// D(r): Σ_i b_i c_i^(k-1) a_ij = b_j (1 - c_j^k) / k.
  int adjoint(int most) const {
    return largest(most, [this](int k) {
      for (int j = 0; j < s_; ++j) {
        wide total = -t_.b[j] * (1 - power(t_.c[j], k)) / k;
        for (int i = 0; i < s_; ++i) total += t_.b[i] * power(t_.c[i], k - 1) * t_.A[i][j];
        if (!small(total)) return false;
      }
      return true;
    });
  }

  /// Σ b_i Φ_i(t) = 1/γ(t) for all rooted trees up to the order returned, at most `most`.
  int trees(int most) const {
    const exact::RootedTrees rooted(most);
    std::vector<Values> after_edge;  // Σ_j a_ij Φ_j(t)
    for (const exact::Tree& tree : rooted.all()) {
      Values weight(s_, wide(1)), edge(s_, wide(0));
      for (const int child : tree.children) {
        for (int i = 0; i < s_; ++i) weight[i] *= after_edge[child][i];
      }
      wide defect = -wide(1) / wide(tree.density);
      for (int i = 0; i < s_; ++i) {
        defect += t_.b[i] * weight[i];
        for (int j = 0; j < s_; ++j) edge[i] += t_.A[i][j] * weight[j];
      }
      if (!small(defect)) return tree.order - 1;
      after_edge.push_back(std::move(edge));
    }
    return most;
  }

 private:
  static wide sum(const Values& values) {
    wide total = 0;
    for (const wide& value : values) total += value;
    return total;
  }
  static wide power(const wide& base, int exponent) {
    wide result = 1;
    for (int i = 0; i < exponent; ++i) result *= base;
    return result;
  }
  template <class Holds>
  static int largest(int most, Holds&& holds) {
    int k = 0;
    while (k < most && holds(k + 1)) ++k;
    return k;
  }

  const WideTableau& t_;
  int s_;
  wide close_;
};

/// R(z) = 1 + z bᵀ (I - zA)⁻¹ e far out on the negative real axis.
std::optional<wide> at_infinity(const WideTableau& t) {
  using Matrix = Eigen::Matrix<wide, Eigen::Dynamic, Eigen::Dynamic>;
  using Vector = Eigen::Matrix<wide, Eigen::Dynamic, 1>;
  const int s = t.stages();
  const auto value_at = [&](const wide& z) {
    Matrix m(s, s);
    Vector e(s), b(s);
    for (int i = 0; i < s; ++i) {
      e(i) = 1, b(i) = t.b[i];
      for (int j = 0; j < s; ++j) m(i, j) = wide(i == j ? 1 : 0) - z * t.A[i][j];
    }
    const Vector x = m.partialPivLu().solve(e);
    return wide(1 + z * b.dot(x));
  };
  const wide near = value_at(wide("-1e50")), far = value_at(wide("-1e52"));
  if (abs(near) > wide("1e20")) return std::nullopt;
  if (abs(far - near) > wide("1e-20")) return std::nullopt;
  return abs(far) < wide("1e-30") ? wide(0) : far;
}

}  // namespace

MethodNumbers method_numbers(const WideTableau& tableau, bool decimal) {
  constexpr int highest_tree = 10;  // 1842 trees; beyond, only the simplifying assumptions speak
  const Checks checks(tableau, decimal);
  MethodNumbers n;
  n.stages = tableau.stages();
  n.row_sums = checks.row_sums();
  n.stiffly_accurate = is_stiffly_accurate(tableau);
  const int b = checks.quadrature(2 * n.stages), c = checks.stages(n.stages);
  const int d = checks.adjoint(n.stages);
  n.stage_order = std::min(b, c);
  // Butcher 1964: B(b), C(c), D(d) give order b if b <= c + d + 1 and b <= 2c + 2. B is necessary.
  const int sure = std::min({b, c + d + 1, 2 * c + 2});
  if (n.row_sums && sure == b) {
    n.order = b;
  } else {
    const int by_trees = checks.trees(std::min(b, highest_tree));
    n.order = n.row_sums ? std::max(sure, by_trees) : by_trees;
    n.order_is_bound = by_trees == highest_tree && b > highest_tree;
  }
  if (!is_explicit(tableau)) n.at_infinity = at_infinity(tableau);
  return n;
}

std::string coefficient_text(const wide& value, int digits) {
  const wide close("1e-100"), largest("1e12");
  // Continued fraction: p/q are the convergents of |value|.
  wide x = abs(value), p0 = 0, q0 = 1, p = 1, q = 0;
  for (int i = 0; i < 40; ++i) {
    const wide whole = floor(x);
    const wide p1 = whole * p + p0, q1 = whole * q + q0;
    p0 = p, q0 = q, p = p1, q = q1;
    if (q > largest) break;
    if (abs(p / q - abs(value)) <= close * (1 + abs(value))) {
      const std::string sign = value < 0 ? "-" : "";
      const std::string top = sign + p.str(0, std::ios_base::fixed);
      const std::string numerator = top.substr(0, top.find('.'));
      const std::string bottom = q.str(0, std::ios_base::fixed);
      return q == 1 ? numerator : numerator + "/" + bottom.substr(0, bottom.find('.'));
    }
    x = 1 / (x - whole);
  }
  return value.str(digits);
}

}  // namespace daemark
