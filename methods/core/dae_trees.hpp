// Rooted trees of differential-algebraic systems y' = f(y, z), 0 = g: vertices of y ("t") and of z
// ("z", written with angle brackets), by order.
//
//   index 0: vertices of y alone, the trees of ordinary differential equations.
//   index 1, g(y, z): a vertex of y counts 1, one of z nothing. A vertex of z has two branches at
//     least, or one of y. γ = order · Πγ (y), Πγ (z).
//     [roche1988; hairer1996, VI.4]
//   index 2, g(y): a vertex of z counts −1 and has branches of y alone, two at least, or one that
//   is
//     neither t nor [<...>]; one of y has one branch of z at most, as f is linear in z. γ = order ·
//     Πγ (y), Πγ/(order + 1) (z). [hairer1989; hairer1996, VII.5]
//
// On index 2 only those of mechanisms are kept, y = (q, v), q' = v, v' = f(q, v) + B(q) z,
// g = G(q) v: trees that occur in the series of q or v.
#pragma once

#include <string>
#include <vector>

#include "base/numbers/scalar.hpp"

namespace daemark::exact {

struct DaeTree {
  bool fat = false;  ///< the root is a vertex of z
  int order = 1;
  std::vector<int> children;                    ///< places in DaeTrees::all(), ascending
  rational density;                             ///< γ: the condition is Φ = 1/γ
  std::string text;                             ///< t, [t,t], <t,[t]>
  bool of_position = true, of_velocity = true;  ///< index 2: occurs in the series of q, of v
};

class DaeTrees {
 public:
  enum class Index { zero, one, two };
  /// All trees of y up to the order, of z below it.
  DaeTrees(Index index, int most);
  /// A tree stands after its branches.
  const std::vector<DaeTree>& all() const { return trees_; }
  /// The same, made once.
  static const DaeTrees& to(Index index, int most);

 private:
  void add(bool fat, int order, std::vector<int> children);
  void extend(bool fat, int order, int rest, std::size_t largest, std::vector<int>& children);
  bool accepts(bool fat, const std::vector<int>& children) const;

  Index index_;
  std::vector<DaeTree> trees_;
};

}  // namespace daemark::exact
