#include "analysis/exact/theory/rounding.hpp"

#include <algorithm>

#include "analysis/exact/theory/import.hpp"
#include "analysis/exact/theory/trees.hpp"

namespace daemark::exact {

namespace {

using Values = std::vector<wide>;

constexpr int shallowest = 11, exact_decimals = 3, double_decimals = 15, double_most = 18,
              shortest_denominator = 1000;

wide exactly_zero() { return wide("1e-100"); }

/// Digits after the point of every decimal literal in the text: "1.25e-3" has 5.
std::vector<int> decimals_in(const std::string& text) {
  std::vector<int> out;
  const auto digit = [&](std::size_t i) {
    return i < text.size() && text[i] >= '0' && text[i] <= '9';
  };
  for (std::size_t i = 0; i < text.size();) {
    if (!digit(i) && text[i] != '.') {
      ++i;
      continue;
    }
    int places = 0;
    bool decimal = false;
    while (digit(i)) ++i;
    if (i < text.size() && text[i] == '.') {
      decimal = true;
      for (++i; digit(i); ++i) ++places;
    }
    if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
      decimal = true;
      std::string exponent;
      for (++i; digit(i) || (i < text.size() && (text[i] == '-' || text[i] == '+')); ++i)
        exponent += text[i];
      places -= std::stoi(exponent);
    }
    if (decimal) out.push_back(std::max(places, 0));
  }
  return out;
}

/// Values with their uncertainties, both as they enter a condition with all signs positive.
struct Uncertain {
  Values value, size, more;  ///< x, |x|, |x| + u

  void add(const Expression& entry, int decimals) {
    value.push_back(entry.eval<wide>());
    size.push_back(abs(value.back()));
    more.push_back(size.back() + uncertainty(entry, decimals));
  }
};

struct Coefficients {
  std::vector<Uncertain> a;
  Uncertain b, c, embedded;
  bool approximates = false;

  explicit Coefficients(const ExactTableau& t) {
    const std::vector<const Expression*> all = entries_of(t);
    const int decimals = longest_decimal(all);
    for (const Expression* e : all) approximates |= uncertainty(*e, decimals) > 0;
    const auto fill = [&](const std::vector<Expression>& from, Uncertain& to) {
      for (const Expression& e : from) to.add(e, decimals);
    };
    for (const auto& row : t.A) fill(row, a.emplace_back());
    fill(t.b, b);
    fill(t.c, c);
    fill(t.embedded, embedded);
  }
};

/// A condition Σ weights · function - target: its residual and how far rounding moves it.
struct Condition {
  wide residual, bound;
  bool holds() const { return abs(residual) <= bound + exactly_zero(); }
};

/// Stage values of one function in the three forms of Uncertain.
using Triple = std::vector<Values>;
const Values& form(const Uncertain& u, int which) {
  return which == 0 ? u.value : which == 1 ? u.size : u.more;
}
wide sum_of(const Values& x, const Values& y) {
  wide out = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (x[i] != 0) out += x[i] * y[i];
  return out;
}
Triple ones(const Coefficients& k) { return Triple(3, Values(k.b.value.size(), wide(1))); }
Triple product(const Triple& x, const Triple& y) {
  Triple out = x;
  for (int f = 0; f < 3; ++f)
    for (std::size_t i = 0; i < x[f].size(); ++i) out[f][i] *= y[f][i];
  return out;
}
Triple applied(const std::vector<Uncertain>& a, const Triple& x) {
  Triple out(3);
  for (int f = 0; f < 3; ++f)
    for (const Uncertain& row : a) out[f].push_back(sum_of(form(row, f), x[f]));
  return out;
}
Condition condition(const Uncertain& b, const Triple& x, const wide& target) {
  return {sum_of(b.value, x[0]) - target, sum_of(b.more, x[2]) - sum_of(b.size, x[1])};
}

/// B(k) for k <= most, C(k) likewise, within rounding.
int quadrature(const Coefficients& k, int most) {
  Triple power = ones(k);
  const Triple c{k.c.value, k.c.size, k.c.more};
  for (int q = 1; q <= most; ++q) {
    if (!condition(k.b, power, wide(1) / q).holds()) return q - 1;
    power = product(power, c);
  }
  return most;
}

int stage_conditions(const Coefficients& k, int most) {
  Triple power = ones(k);
  const Triple c{k.c.value, k.c.size, k.c.more};
  for (int q = 1; q <= most; ++q) {
    const Triple left = applied(k.a, power), right = product(power, c);
    for (std::size_t i = 0; i < k.a.size(); ++i) {
      const wide gap = abs(wide(left[0][i] - right[0][i] / q));
      if (gap > left[2][i] - left[1][i] + (right[2][i] - right[1][i]) / q + exactly_zero())
        return q - 1;
    }
    power = right;
  }
  return most;
}

/// b'C^(q-1)A = b'(1 - C^q)/q, within rounding.
int adjoint_conditions(const Coefficients& k, int most) {
  Triple power = ones(k);
  const Triple c{k.c.value, k.c.size, k.c.more}, b{k.b.value, k.b.size, k.b.more};
  for (int q = 1; q <= most; ++q) {
    const Triple weights = product(b, power), next = product(power, c);
    for (std::size_t j = 0; j < k.a.size(); ++j) {
      wide sums[3];  // of the left side and, with all signs positive, the right one
      for (int f = 0; f < 3; ++f) {
        sums[f] = 0;
        for (std::size_t i = 0; i < k.a.size(); ++i) sums[f] += weights[f][i] * form(k.a[i], f)[j];
        const wide right = b[f][j] * (f == 0 ? 1 - next[f][j] : 1 + next[f][j]) / q;
        f == 0 ? sums[f] -= right : sums[f] += right;
      }
      if (abs(sums[0]) > sums[2] - sums[1] + exactly_zero()) return q - 1;
    }
    power = next;
  }
  return most;
}

/// The highest order whose trees are tried, 11 to deepest_trees: bounds the products with A, one
/// for every tree of a lower order.
int tree_limit(const Coefficients& k) {
  constexpr double most = 6e7;
  constexpr int trees[] = {3047, 7813, 20299};  // of order 11, 12, 13 and below
  const double size = static_cast<double>(k.a.size());
  int limit = shallowest;
  for (const int count : trees) {
    if (count * size * size > most) break;
    ++limit;
  }
  return limit;
}

/// Order by order, all trees of one.
class OrderConditions {
 public:
  OrderConditions(const Coefficients& k, const Uncertain& weights) : k_(k), weights_(weights) {}

  /// The next order's: whether all hold, and the largest residual.
  bool next_holds(wide& worst) {
    ++order_;
    const RootedTrees& trees = trees_to(std::max(order_, shallowest));
    for (int i = order_ > 1 ? trees.begin(order_ - 1) : 0; i < trees.begin(order_); ++i)
      images_.push_back(applied(k_.a, stage_weights(trees, i)));
    bool all = true;
    worst = 0;
    for (int i = trees.begin(order_); i < trees.end(order_); ++i) {
      const wide target = 1 / static_cast<wide>(trees.all()[static_cast<std::size_t>(i)].density);
      const Condition c = condition(weights_, stage_weights(trees, i), target);
      all = all && c.holds();
      if (abs(c.residual) > exactly_zero()) worst = std::max(worst, wide(abs(c.residual)));
    }
    return all;
  }

 private:
  Triple stage_weights(const RootedTrees& trees, int index) const {
    Triple u = ones(k_);
    for (const int child : trees.all()[static_cast<std::size_t>(index)].children)
      u = product(u, images_[static_cast<std::size_t>(child)]);
    return u;
  }

  const Coefficients& k_;
  const Uncertain& weights_;
  int order_ = 0;
  std::vector<Triple> images_;  ///< A times the weights, of the trees below order_
};

/// Of B(q), with the row sums for c: the bushy tree of order q.
wide bushy_residual(const Coefficients& k, const Uncertain& weights, int q) {
  const Triple c = applied(k.a, ones(k));
  Triple power = ones(k);
  for (int i = 1; i < q; ++i) power = product(power, c);
  return abs(condition(weights, power, wide(1) / q).residual);
}

RoundedOrder order_of(const Coefficients& k, const Uncertain& weights, int by_theorem) {
  const int limit = tree_limit(k);
  OrderConditions conditions(k, weights);
  Values worst{0};  // worst[q]: largest residual of order q
  int holds = 0, exact = 0;
  for (bool all = true; all && holds < limit;) {
    wide here;
    all = conditions.next_holds(here);
    worst.push_back(here);
    if (here == 0 && exact == static_cast<int>(worst.size()) - 2) ++exact;
    if (all) ++holds;
  }
  const auto largest = [&](int order) {
    return *std::max_element(worst.begin(), worst.begin() + order + 1);
  };
  if (static_cast<int>(worst.size()) == holds + 1) {  // the trees end before the order does
    const wide residual = largest(holds);
    holds = std::max(holds, by_theorem);
    const wide next = bushy_residual(k, weights, holds + 1);
    return {holds, residual, next, next < 10 * residual || next <= exactly_zero()};
  }
  while (holds > exact && worst[static_cast<std::size_t>(holds) + 1] < 10 * largest(holds)) --holds;
  return {holds, largest(holds), worst[static_cast<std::size_t>(holds) + 1]};
}

void check_sums(const Coefficients& k, RoundedTableau& out) {
  const Triple one = ones(k);
  const Triple sums = applied(k.a, one);
  wide worst = 0, largest = 0;
  std::string failure;
  for (std::size_t i = 0; i < k.a.size(); ++i) {
    const wide gap = sums[0][i] - k.c.value[i];
    const wide bound = sums[2][i] - sums[1][i] + k.c.more[i] - k.c.size[i] + exactly_zero();
    largest = std::max(largest, wide(abs(gap)));
    if (abs(gap) <= bound || abs(gap) <= worst) continue;
    worst = abs(gap);
    failure = "row sums: row " + std::to_string(i + 1) + " of A sums to c" + std::to_string(i + 1) +
              " plus " + gap.str(6, std::ios_base::scientific);
  }
  out.sums_hold = failure.empty();
  if (!failure.empty()) out.defects.push_back(failure + ", beyond the rounding");
  out.row_sums = largest <= exactly_zero()
                     ? "row sums: exact"
                     : "row sums: off by at most " + largest.str(3, std::ios_base::scientific);
  const auto weights = [&](const Uncertain& b, const char* name) {
    const Condition c = condition(b, one, 1);
    if (!b.value.empty() && !c.holds()) {
      out.defects.push_back(std::string("consistency: ") + name + " sum to 1 plus " +
                            c.residual.str(6, std::ios_base::scientific) + ", beyond the rounding");
    }
  };
  weights(k.b, "the weights");
  weights(k.embedded, "the embedded weights");
}

}  // namespace

wide uncertainty(const Expression& entry, int decimals) {
  const wide size = abs(entry.eval<wide>());
  const std::vector<int> places = decimals_in(entry.text());
  if (!places.empty()) {
    if (decimals <= exact_decimals) return 0;
    const int fewest = *std::min_element(places.begin(), places.end());
    // A long entry of its own accuracy, or a short one whose zeros were dropped.
    const int digits = fewest >= decimals / 2 ? fewest : decimals;
    const wide unit = mp::pow(wide(10), -digits);
    const bool as_doubles = decimals >= double_decimals && decimals <= double_most;
    const wide computed = as_doubles ? wide(mp::ldexp(size, -52)) : wide(0);
    return std::max(unit, computed);
  }
  if (!entry.is_rational() || size == 0) return 0;
  const rational value = entry.as_rational();
  const wide denominator(mp::denominator(value));
  return denominator < shortest_denominator ? wide(0) : wide(1 / (denominator * denominator));
}

int longest_decimal(const std::vector<const Expression*>& entries) {
  int out = 0;
  for (const Expression* e : entries)
    for (const int places : decimals_in(e->text())) out = std::max(out, places);
  return out;
}

bool approximates(const ExactTableau& tableau) { return Coefficients(tableau).approximates; }

RoundedTableau rounded(const ExactTableau& tableau) {
  const Coefficients k(tableau);
  RoundedTableau out;
  check_sums(k, out);
  const int most = 2 * tableau.stages() + 2;
  out.b = quadrature(k, most);
  out.c = stage_conditions(k, most);
  out.d = adjoint_conditions(k, most);
  const int butcher = std::min({out.b, out.c + out.d + 1, 2 * out.c + 2});
  out.order = order_of(k, k.b, out.sums_hold ? butcher : 0);
  if (!tableau.embedded.empty()) out.embedded = order_of(k, k.embedded, 0);
  if (out.sums_hold) out.b = std::max(out.b, out.order.order);  // implied: of bushy trees
  return out;
}

bool within_rounding_symplectic(const ExactTableau& tableau) {
  const Coefficients k(tableau);
  const auto entry = [&](std::size_t i, std::size_t j, int which, int sign) {
    const Values& b = form(k.b, which);
    return wide(b[i] * form(k.a[i], which)[j] + b[j] * form(k.a[j], which)[i] + sign * b[i] * b[j]);
  };
  for (std::size_t i = 0; i < k.a.size(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const wide bound = entry(i, j, 2, 1) - entry(i, j, 1, 1) + exactly_zero();
      if (abs(entry(i, j, 0, -1)) > bound) return false;
    }
  }
  return true;
}

RoundedOrder rounded(const ExactMultistep& formula, std::vector<std::string>& defects) {
  const int decimals = longest_decimal(pointers_to({&formula.alpha, &formula.beta}));
  RoundedOrder out{-1, 0, 0};
  wide factorial = 1;
  for (int q = 0; q <= 2 * static_cast<int>(formula.alpha.size()); ++q) {
    if (q > 0) factorial *= q;
    wide defect = 0, bound = exactly_zero();
    for (std::size_t j = 0; j < formula.alpha.size(); ++j) {
      const wide node = static_cast<int>(j);
      const wide power = q == 0 ? wide(1) : wide(mp::pow(node, q));
      const wide before = q == 0 ? wide(0) : q == 1 ? wide(1) : wide(q * mp::pow(node, q - 1));
      defect += power * formula.alpha[j].eval<wide>() - before * formula.beta[j].eval<wide>();
      bound += power * uncertainty(formula.alpha[j], decimals) +
               before * uncertainty(formula.beta[j], decimals);
    }
    const wide residual = abs(defect) / factorial;
    if (abs(defect) > bound) {
      out.next = residual;
      break;
    }
    out.order = q;
    out.residual = std::max(out.residual, residual);
  }
  if (out.order < 1) {
    defects.push_back("consistency: C_" + std::to_string(out.order + 1) + " = " +
                      out.next.str(6, std::ios_base::scientific) + ", beyond the rounding");
  }
  return out;
}

}  // namespace daemark::exact
