#include "analysis/orders/constrained_orders.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "base/linear/dense_solve.hpp"

namespace daemark {
namespace {

using exact::RootedTrees;
using exact::Tree;
using Real = real50;
using Column = std::vector<Real>;
using Square = std::vector<Column>;

constexpr int deepest = 12;  ///< rounds of trees
constexpr std::size_t most_trees = 1200;
constexpr int settling = 7;     ///< steps after which errors are sums of powers
constexpr int powers_seen = 6;  ///< n^0 to n^5
/// How often R(∞) and its powers may be roots of what errors follow.
constexpr std::array<int, 4> of_power{8, 4, 2, 1};

Column times(const Square& m, const Column& x) {
  Column out;
  for (const Column& row : m) {
    Real sum = 0;
    for (std::size_t j = 0; j < x.size(); ++j)
      if (row[j] != 0) sum += row[j] * x[j];
    out.push_back(sum);
  }
  return out;
}
Square times(const Square& x, const Square& y) {
  Square out(x.size(), Column(x.size(), Real(0)));
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t k = 0; k < x.size(); ++k)
      for (std::size_t j = 0; j < x.size(); ++j) out[i][j] += x[i][k] * y[k][j];
  return out;
}
Real dot(const Column& x, const Column& y) {
  Real sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}
Column rounded(const std::vector<wide>& list) {
  Column out;
  for (const wide& x : list) out.push_back(from_wide<Real>(x));
  return out;
}

/// Without its first row and column; empty where it is singular.
std::optional<Square> inverse_behind(const Square& m, std::size_t first) {
  const std::size_t n = m.size() - first;
  Square out(n, Column(n, Real(0)));
  for (std::size_t j = 0; j < n; ++j) {
    Square a;
    for (std::size_t i = first; i < m.size(); ++i)
      a.emplace_back(m[i].begin() + static_cast<long>(first), m[i].end());
    Column unit(n, Real(0));
    unit[j] = 1;
    const auto pivot = [](const Square& a, std::size_t k) {
      const auto size = [](const Real& x) { return Real(abs(x)); };
      const std::size_t row = largest_pivot(size)(a, k);
      return size(a[row][k]) < 1e-30 ? a.size() : row;
    };
    if (!solve_dense(a, unit, pivot)) return std::nullopt;
    for (std::size_t i = 0; i < n; ++i) out[i][j] = unit[i];
  }
  return out;
}

/// A tree as the method sees it: states at the ends of steps, by step, and functions of stages.
struct History {
  Column velocity, position, end;  ///< sums of h b and of positions; the value of the tree there
  std::vector<Column> stages, as_velocity, as_position;  ///< Φ, and what branches multiply with
};

class MechanismRun {
 public:
  MechanismRun(const WideTableau& t, exact::Imposed imposed, EndMultipliers end, double unit)
      : of_y_(imposed == exact::Imposed::both),
        of_q_(imposed == exact::Imposed::positions),
        solved_(end == EndMultipliers::solved),
        unit_(unit),
        b_(rounded(t.b)),
        trees_(0, exact::mechanism_trees(imposed)) {
    for (const auto& row : t.A) a_.push_back(rounded(row));
    aa_ = times(a_, a_);
    c_ = times(a_, Column(b_.size(), Real(1)));
    weights_of_position_ = Column(b_.size(), Real(0));
    for (std::size_t i = 0; i < b_.size(); ++i)
      for (std::size_t j = 0; j < b_.size(); ++j) weights_of_position_[j] += b_[i] * a_[i][j];
    first_ = std::all_of(a_[0].begin(), a_[0].end(), [](const Real& x) { return x == 0; }) ? 1 : 0;
  }

  std::optional<ConstrainedOrders> orders() {
    const auto inverse = inverse_behind(a_, first_);
    if (!inverse) return std::nullopt;
    constraint_ = of_q_ ? aa_ : a_;
    inverse_ = of_q_ ? times(*inverse, *inverse) : *inverse;
    if (!find_rho(*inverse)) return std::nullopt;
    ConstrainedOrders out;
    std::array<DerivedOrder*, 3> all{&out.q, &out.v, &out.lambda};
    for (DerivedOrder* one : all) one->order = deepest + 2, one->at_least = true;
    // Errors along the constraints add up, those of velocities twice in positions; with
    // |R(infinity)| = 1 those off the constraints add up likewise.
    const int further = abs(rho_) == 1 ? 1 : 0;
    int round = 0;
    while ((round < out.q.order + 1 + further || round < out.v.order + 1 + further ||
            round < out.lambda.order + 2) &&
           round < deepest && trees_.all().size() < most_trees) {
      const std::size_t before = trees_.all().size();
      trees_.grow();
      ++round;
      for (std::size_t i = before; i < trees_.all().size(); ++i) judge(static_cast<int>(i), out);
    }
    for (auto& [one, holds] : {std::pair(&out.q, round + 1), std::pair(&out.v, round),
                               std::pair(&out.lambda, round - 1)})
      if (one->at_least) one->order = holds;
    return out;
  }

 private:
  /// What errors off the constraints are multiplied by in a step.
  bool find_rho(const Square& inverse) {
    const Column weights(b_.begin() + static_cast<long>(first_), b_.end());
    rho_ = 1 - dot(weights, times(inverse, Column(inverse.size(), Real(1))));
    if (first_ > 0 && (of_q_ || !solved_)) {  // the explicit stage hands velocities or λ on
      Column from_first;
      for (std::size_t i = first_; i < a_.size(); ++i) from_first.push_back(a_[i][0]);
      rho_ -= dot(weights, times(inverse, times(inverse, from_first)));
    }
    for (const int exactly : {-1, 0, 1})
      if (abs(Real(rho_ - exactly)) < unit_) rho_ = exactly;
    steps_ = settling + powers_seen;
    for (std::size_t k = 0; k < of_power.size() && rho_ != 0 && rho_ != 1; ++k)
      if (k == 0 || rho_ != -1) steps_ += of_power[k];
    return abs(rho_) <= 1;
  }

  void judge(int place, ConstrainedOrders& out) {
    const Tree& tree = trees_.all()[static_cast<std::size_t>(place)];
    run(place);
    const History& h = *histories_.back();
    const Real exact = exact_value(tree);
    const auto bound = [&](DerivedOrder& order, const Column& values) {
      const int growth = growth_of(values, exact, tree.order);
      if (growth < 0 || tree.order - growth >= order.order) return;
      order = {tree.order - growth, false, tree.text};
    };
    if (tree.type == exact::as_velocity) bound(out.v, h.velocity);
    if (tree.type == (of_y_ ? exact::as_velocity : exact::as_position))
      bound(out.q, of_y_ ? h.velocity : h.position);
    if (tree.type == exact::multiplier) bound(out.lambda, h.end);
    if (is_exact_everywhere(tree, h)) trees_.bar(place);
  }

  static Real exact_value(const Tree& tree) { return Real(1) / static_cast<Real>(tree.density); }

  /// At all stages it is what powers of c are: a tree with these in its place has the same
  /// condition.
  bool is_exact_everywhere(const Tree& tree, const History& h) const {
    if (tree.type == exact::start_velocity || (of_y_ && tree.children.empty())) return false;
    const int weight = tree.type == exact::as_velocity   ? 1
                       : tree.type == exact::as_position ? 2
                                                         : 0;
    Real value = exact_value(tree), rate = value;
    for (int k = 0; k < weight; ++k) rate *= tree.order - k;
    const auto& branch = tree.type == exact::as_velocity   ? h.as_velocity
                         : tree.type == exact::as_position ? h.as_position
                                                           : h.stages;
    for (int n = 0; n < steps_; ++n)
      for (std::size_t i = 0; i < c_.size(); ++i) {
        const Real at = n + c_[i];
        if (differs(branch[n][i], value * power(at, tree.order), tree.order) ||
            differs(h.stages[n][i], rate * power(at, tree.order - weight), tree.order))
          return false;
      }
    return true;
  }
  static Real power(const Real& x, int k) {
    Real out = 1;
    for (int i = 0; i < k; ++i) out *= x;
    return out;
  }
  bool differs(const Real& x, const Real& y, int order) const {
    return std::abs(to_double(Real(x - y))) > unit_ * std::pow(steps_, order + 1);
  }

  /// The power of n with which errors grow; below 0: there are none.
  int growth_of(const Column& values, const Real& exact, int order) const {
    Column errors, turned;
    for (std::size_t n = settling; n < values.size(); ++n) {
      errors.push_back(values[n] - exact * power(Real(static_cast<int>(n)), order));
      turned.push_back(n % 2 == 0 ? errors.back() : Real(-errors.back()));
    }
    const bool alternating = rho_ == -1;
    return std::max(power_of(std::move(errors), order),
                    alternating ? power_of(std::move(turned), order) : -1);
  }
  /// Without what powers of R(∞)^n bring.
  int power_of(Column errors, int order) const {
    const auto filter = [&errors](const Real& root, int times) {
      for (int k = 0; k < times; ++k) {
        for (std::size_t n = 0; n + 1 < errors.size(); ++n)
          errors[n] = (errors[n + 1] - root * errors[n]) / (1 - root);
        errors.pop_back();
      }
    };
    Real root = 1;
    for (std::size_t k = 0; k < of_power.size() && rho_ != 0 && rho_ != 1; ++k) {
      root *= rho_;
      if (k == 0 || rho_ != -1) filter(root, of_power[k]);
    }
    int power = -1;
    for (int k = 0; !errors.empty(); ++k) {
      for (const Real& x : errors)
        if (differs(x, Real(0), order)) power = k;
      for (std::size_t n = 0; n + 1 < errors.size(); ++n) errors[n] = errors[n + 1] - errors[n];
      errors.pop_back();
    }
    return power;
  }

  void run(int place) {
    const Tree& tree = trees_.all()[static_cast<std::size_t>(place)];
    if (tree.type == exact::as_velocity) accelerations_.push_back(place);
    if (tree.type == exact::as_position) {  // of the acceleration in the same place among f
      histories_.push_back(histories_[static_cast<std::size_t>(accelerations_[positions_++])]);
    } else if (tree.type == exact::as_velocity && exact::is_normal(trees_, tree)) {
      histories_.push_back(histories_[static_cast<std::size_t>(tree.children[0])]);
    } else {
      History h;
      h.velocity = h.position = h.end = {Real(0)};
      if (tree.type == exact::multiplier)
        of_multiplier(tree, h);
      else if (tree.type == exact::start_velocity)
        of_start(h);
      else
        of_acceleration(tree, h);
      histories_.push_back(std::make_shared<const History>(std::move(h)));
    }
  }
  const History& history(int place) const { return *histories_[static_cast<std::size_t>(place)]; }

  void of_start(History& h) const {
    for (int n = 0; n < steps_; ++n) {
      Column at;
      for (const Real& c : c_) at.push_back(n + c);
      h.as_position.push_back(at);
      h.stages.push_back(at);
      h.position.push_back(Real(n + 1));
      h.velocity.push_back(Real(1));
    }
  }

  Column product(const Tree& tree, int n) const {
    Column out(b_.size(), Real(1));
    for (const int child : tree.children) {
      const History& h = history(child);
      const int type = trees_.all()[static_cast<std::size_t>(child)].type;
      const Column& branch = (type == exact::multiplier    ? h.stages
                              : type == exact::as_velocity ? h.as_velocity
                                                           : h.as_position)[n];
      for (std::size_t i = 0; i < out.size(); ++i) out[i] *= branch[i];
    }
    return out;
  }

  /// The tree at the end of step n - 1: of an acceleration.
  Real end_value(const Tree& tree, int n) const {
    Real out = 1;
    for (const int child : tree.children) {
      const History& h = history(child);
      const int type = trees_.all()[static_cast<std::size_t>(child)].type;
      out *= (type == exact::multiplier    ? h.end
              : type == exact::as_velocity ? h.velocity
                                           : h.position)[n];
    }
    return out;
  }

  void step(History& h, int n, Column stages) const {
    Column velocity = times(a_, stages), position = times(aa_, stages);
    for (std::size_t i = 0; i < c_.size(); ++i) {
      velocity[i] += h.velocity[n];
      position[i] += h.position[n] + c_[i] * h.velocity[n];
    }
    h.as_velocity.push_back(std::move(velocity)), h.as_position.push_back(std::move(position));
    h.position.push_back(h.position[n] + h.velocity[n] + dot(weights_of_position_, stages));
    h.velocity.push_back(h.velocity[n] + dot(b_, stages));
    h.stages.push_back(std::move(stages));
  }

  void of_acceleration(const Tree& tree, History& h) const {
    h.end[0] = end_value(tree, 0);
    for (int n = 0; n < steps_; ++n) {
      step(h, n, product(tree, n));
      h.end.push_back(end_value(tree, n + 1));
    }
  }

  void of_multiplier(const Tree& tree, History& h) const {
    const int only = tree.children.front();
    const bool tangential =
        tree.children.size() == 1 && trees_.all()[static_cast<std::size_t>(only)].type ==
                                         (of_q_ ? exact::as_position : exact::as_velocity);
    h.end[0] = tree.order == 0 ? exact_value(tree) : Real(0);
    for (int n = 0; n < steps_; ++n) {
      if (tangential)
        h.stages.push_back(history(only).stages[n]);
      else
        step(h, n, solve(tree, h, n));
      h.end.push_back(!solved_     ? h.stages[n].back()
                      : tangential ? history(only).end[n + 1]
                                   : consistent(tree, n + 1));
    }
  }

  /// λ of the stages from the constraint.
  Column solve(const Tree& tree, const History& h, int n) const {
    Column right = product(tree, n), out(b_.size(), Real(0));
    if (first_ > 0) out[0] = h.end[n];
    Column behind;
    for (std::size_t i = first_; i < out.size(); ++i) {
      right[i] -= of_q_ ? Real(h.position[n] + c_[i] * h.velocity[n]) : h.velocity[n];
      behind.push_back(first_ > 0 ? Real(right[i] - constraint_[i][0] * out[0]) : right[i]);
    }
    const Column found = times(inverse_, behind);
    std::copy(found.begin(), found.end(), out.begin() + static_cast<long>(first_));
    return out;
  }

  /// λ as a function of (q, v): the derivative of the constraint's terms, once or twice.
  Real consistent(const Tree& tree, int n) const {
    std::array<Real, 3> series{Real(1), Real(0), Real(0)};
    for (const int child : tree.children) {
      const History& h = history(child);
      const Tree& branch = trees_.all()[static_cast<std::size_t>(child)];
      std::array<Real, 3> x{h.position[n], h.velocity[n], Real(0)};
      if (branch.type == exact::as_position) x[2] = h.end[n] / 2;
      if (branch.type == exact::as_velocity) x = {h.velocity[n], h.end[n], Real(0)};
      series = {series[0] * x[0], series[0] * x[1] + series[1] * x[0],
                series[0] * x[2] + series[1] * x[1] + series[2] * x[0]};
    }
    return of_q_ ? Real(2 * series[2]) : series[1];
  }

  bool of_y_, of_q_;
  bool solved_;
  double unit_;
  Square a_, aa_, constraint_, inverse_;
  Column b_, c_, weights_of_position_;
  std::size_t first_ = 0;  ///< explicit stages
  Real rho_ = 0;
  int steps_ = 0;
  RootedTrees trees_;
  std::vector<std::shared_ptr<const History>> histories_;  ///< by tree
  std::vector<int> accelerations_;                         ///< trees f
  std::size_t positions_ = 0;                              ///< trees F so far
};

}  // namespace

std::optional<ConstrainedOrders> constrained_orders(const WideTableau& tableau,
                                                    exact::Imposed imposed, EndMultipliers end,
                                                    double unit) {
  return MechanismRun(tableau, imposed, end, unit).orders();
}

}  // namespace daemark
