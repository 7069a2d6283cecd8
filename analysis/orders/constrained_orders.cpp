#include "analysis/orders/constrained_orders.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/linear/dense_solve.hpp"

namespace daemark {
namespace {

using exact::RootedTrees;
using exact::Tree;
using Real = wide;
using Column = std::vector<Real>;
using Square = std::vector<Column>;

constexpr int deepest = 12;  ///< rounds of trees
constexpr std::size_t most_trees = 1200;
constexpr int settling = 7;     ///< steps after which errors are sums of powers
constexpr int powers_seen = 6;  ///< n^0 to n^5
/// How often R(∞) and its powers may be roots of what errors follow.
constexpr std::array<int, 4> of_power{8, 4, 2, 1};
constexpr const char* round_off = "1e-120";  ///< 130 digits, of which 10 may cancel
constexpr double least_failure = 1e-4;       ///< what is left of conditions that fail, or more

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
Real power(const Real& x, int k) {
  Real out = 1;
  for (int i = 0; i < k; ++i) out *= x;
  return out;
}

/// Without the first rows and columns; empty where that is singular.
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
struct TreeHistory {
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
        a_(t.A),
        b_(t.b),
        trees_(0, exact::mechanism_trees(imposed)) {
    aa_ = times(a_, a_);
    c_ = times(a_, Column(b_.size(), Real(1)));
    weights_of_position_ = Column(b_.size(), Real(0));
    for (std::size_t i = 0; i < b_.size(); ++i)
      for (std::size_t j = 0; j < b_.size(); ++j) weights_of_position_[j] += b_[i] * a_[i][j];
    first_ = std::all_of(a_[0].begin(), a_[0].end(), [](const Real& x) { return x == 0; }) ? 1 : 0;
  }

  ConstrainedOrders orders() {
    ConstrainedOrders out;
    const auto inverse = inverse_behind(a_, first_);
    if (!inverse) {
      out.none = "A is singular: the constraints do not determine the stages";
      return out;
    }
    constraint_ = of_q_ ? aa_ : a_;
    inverse_ = of_q_ ? times(*inverse, *inverse) : *inverse;
    out.none = find_rho(*inverse);
    if (out.none.empty()) grow(out);
    return out;
  }

 private:
  /// What errors off the constraints are multiplied by in a step, and how much is lost where it is
  /// taken out again; why nothing follows from it, or "".
  std::string find_rho(const Square& inverse) {
    const Column weights(b_.begin() + static_cast<long>(first_), b_.end());
    rho_ = 1 - exact::weight_of(weights, times(inverse, Column(inverse.size(), Real(1))));
    if (first_ > 0 && (of_q_ || !solved_)) {  // the explicit stage hands velocities or λ on
      Column from_first;
      for (std::size_t i = first_; i < a_.size(); ++i) from_first.push_back(a_[i][0]);
      const Column image = times(inverse, from_first);
      rho_ -= exact::weight_of(weights, times(inverse, image));
      if (of_q_ && abs(Real(b_[0] - exact::weight_of(weights, image))) > unit_)
        return "errors of positions and of velocities off the constraints depend on each other";
    }
    for (const int exactly : {-1, 0, 1})
      if (abs(Real(rho_ - exactly)) < unit_) rho_ = exactly;
    if (abs(rho_) > 1)
      return "|R(infinity)| > 1: errors off the constraints grow from step to step";
    Real root = 1;
    for (std::size_t k = 0; k < of_power.size() && rho_ != 0 && rho_ != 1; ++k) {
      root *= rho_;
      if (k == 0 || rho_ != -1) roots_.emplace_back(root, of_power[k]);
    }
    steps_ = settling + powers_seen;
    reach_ = steps_;
    Real magnified = power(2, powers_seen);
    for (const auto& [factor, often] : roots_) {
      const Real distance = abs(Real(1 - factor));
      steps_ += often;
      reach_ += often / distance;
      magnified *= power((1 + abs(factor)) / distance, often);
    }
    unit_ = std::max(unit_, Real(Real(round_off) * magnified));
    return "";
  }

  /// One round of trees after another, until later ones have no say.
  void grow(ConstrainedOrders& out) {
    while (tolerance(sharp_ + 1) < least_failure && sharp_ <= deepest) ++sharp_;
    for (DerivedOrder* one : {&out.q, &out.v, &out.lambda}) one->order = deepest + 2;
    // What later trees leave is of order round - further at least: errors along the constraints
    // add up, those of velocities twice in positions; with |R(infinity)| = 1 those off the
    // constraints add up too, on index 3 twice in multipliers, and from there along them.
    const int further = abs(rho_) < 1 ? 0 : of_q_ ? 2 : 1, ahead = of_y_ ? 0 : 1;
    int round = 0;
    const auto open = [&](const DerivedOrder& one, int shift) {
      return round < one.order + 1 + further && round + shift < sharp_;
    };
    while ((open(out.q, ahead) || open(out.v, 0) || open(out.lambda, -1)) && round < deepest &&
           trees_.all().size() < most_trees && told_apart_) {
      const std::size_t before = trees_.all().size();
      trees_.grow();
      ++round;
      for (std::size_t i = before; i < trees_.all().size(); ++i) judge(static_cast<int>(i), out);
    }
    const auto bound = [&](DerivedOrder& one, int judged) {
      if (one.order > judged - further) one = {judged - further, true, ""};
    };
    bound(out.q, std::min(round, sharp_ - ahead));
    bound(out.v, std::min(round, sharp_));
    bound(out.lambda, std::min(round - 1, sharp_));
    if (!told_apart_)
      out.none = "errors off the constraints have more parts than are told apart";
    else if (sharp_ <= round && (out.v.at_least || out.lambda.at_least))
      out.none = reach_ > 100 ? "|R(infinity)| is too near to 1 to decide"
                              : "the coefficients have too few digits to decide";
  }

  /// What round-off and errors of the coefficients leave of a condition that holds: they come with
  /// up to `order` powers of n or of 1/(1 - R(infinity)).
  Real tolerance(int order) const { return unit_ * power(reach_, order); }

  void judge(int place, ConstrainedOrders& out) {
    const Tree& tree = trees_.all()[static_cast<std::size_t>(place)];
    run(place);
    const TreeHistory& h = *histories_.back();
    const Real exact = exact_value(tree);
    const auto bound = [&](DerivedOrder& order, const Column& values) {
      if (tree.order > sharp_) return;
      const int growth = growth_of(values, exact, tree.order);
      if (growth < 0 || tree.order - growth >= order.order) return;
      told_apart_ = told_apart_ && growth < powers_seen;
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
  bool is_exact_everywhere(const Tree& tree, const TreeHistory& h) const {
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
        const Real most = unit_ * power(n + 1, tree.order);
        if (abs(Real(branch[n][i] - value * power(at, tree.order))) > most ||
            abs(Real(h.stages[n][i] - rate * power(at, tree.order - weight))) > most)
          return false;
      }
    return true;
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
    for (const auto& [root, often] : roots_) filter(root, often);
    const Real most = tolerance(order);
    int power = -1;
    for (int k = 0; !errors.empty(); ++k) {
      for (const Real& x : errors)
        if (abs(x) > most) power = k;
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
      TreeHistory h;
      h.velocity = h.position = h.end = {Real(0)};
      if (tree.type == exact::multiplier)
        of_multiplier(tree, h);
      else if (tree.type == exact::start_velocity)
        of_start(h);
      else
        of_acceleration(tree, h);
      histories_.push_back(std::make_shared<const TreeHistory>(std::move(h)));
    }
  }
  const TreeHistory& history(int place) const {
    return *histories_[static_cast<std::size_t>(place)];
  }

  void of_start(TreeHistory& h) const {
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
      const TreeHistory& h = history(child);
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
      const TreeHistory& h = history(child);
      const int type = trees_.all()[static_cast<std::size_t>(child)].type;
      out *= (type == exact::multiplier    ? h.end
              : type == exact::as_velocity ? h.velocity
                                           : h.position)[n];
    }
    return out;
  }

  void step(TreeHistory& h, int n, Column stages) const {
    Column velocity = times(a_, stages), position = times(aa_, stages);
    for (std::size_t i = 0; i < c_.size(); ++i) {
      velocity[i] += h.velocity[n];
      position[i] += h.position[n] + c_[i] * h.velocity[n];
    }
    h.as_velocity.push_back(std::move(velocity)), h.as_position.push_back(std::move(position));
    h.position.push_back(h.position[n] + h.velocity[n] +
                         exact::weight_of(weights_of_position_, stages));
    h.velocity.push_back(h.velocity[n] + exact::weight_of(b_, stages));
    h.stages.push_back(std::move(stages));
  }

  void of_acceleration(const Tree& tree, TreeHistory& h) const {
    h.end[0] = end_value(tree, 0);
    for (int n = 0; n < steps_; ++n) {
      step(h, n, product(tree, n));
      h.end.push_back(end_value(tree, n + 1));
    }
  }

  void of_multiplier(const Tree& tree, TreeHistory& h) const {
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
  Column solve(const Tree& tree, const TreeHistory& h, int n) const {
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
      const TreeHistory& h = history(child);
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
  Real unit_;  ///< relative errors that are none
  Square a_, aa_, constraint_, inverse_;
  Column b_, c_, weights_of_position_;
  std::size_t first_ = 0;  ///< explicit stages
  Real rho_ = 0, reach_ = 0;
  std::vector<std::pair<Real, int>> roots_;  ///< of what errors follow, beside 1, and how often
  bool told_apart_ = true;                   ///< the roots are often enough
  int steps_ = 0;
  int sharp_ = 0;  ///< the highest order of trees whose errors are told from none
  RootedTrees trees_;
  std::vector<std::shared_ptr<const TreeHistory>> histories_;  ///< by tree
  std::vector<int> accelerations_;                             ///< trees f
  std::size_t positions_ = 0;                                  ///< trees F so far
};

}  // namespace

ConstrainedOrders constrained_orders(const WideTableau& tableau, exact::Imposed imposed,
                                     EndMultipliers end, double unit) {
  return MechanismRun(tableau, imposed, end, unit).orders();
}

}  // namespace daemark
