#include "analysis/enclosure/motion_disc.hpp"

#include <algorithm>

#include "base/graph/derivative.hpp"

namespace daemark {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

enum DiscGroup { equations, by_unknowns_group, by_state_group };
constexpr int inverse_degree = 12;

/// c_k h^k.
ComplexDisc scaled_coefficient(const RealBall& c, const RealBall& power) {
  return disc_of(c * power);
}
ComplexDisc scaled_coefficient(const ComplexDisc& c, const RealBall& power) {
  return c * disc_of(power);
}

}  // namespace

bool Contraction::find(MatrixXd error) {
  error_ = std::move(error);
  if (!error_.allFinite()) return false;
  u_ = VectorXd::Ones(error_.rows());
  for (int pass = 0; pass < 12; ++pass) {  // towards what |E| magnifies evenly
    const VectorXd next = error_ * u_;
    if (!(next.maxCoeff() > 0)) break;
    u_ = (next / next.maxCoeff()).array() + 1e-6;
  }
  kappa_ = outward((error_ * u_).cwiseQuotient(u_).maxCoeff());
  return kappa_ < 0.9;
}

// |y| <= α u with α = max |y0_i|/u_i/(1 − κ), hence |E y| <= |E| (|y0| + |E| α u).
MatrixXd Contraction::beyond(const MatrixXd& y0) const {
  MatrixXd y = y0;
  for (Eigen::Index j = 0; j < y.cols(); ++j) {
    double alpha = 0;
    for (Eigen::Index i = 0; i < y.rows(); ++i) alpha = larger(alpha, y(i, j) / u_[i]);
    y.col(j) = outward(alpha / (1 - kappa_)) * u_;
  }
  return outward(error_ * (y0 + outward(error_ * y)));
}

// Position constraints by their second derivatives, velocity-level ones by their first.
MotionDisc::Recorded::Recorded(MechanicalSystem<real50>& system, const std::vector<int>& rows,
                               bool derivatives)
    : groups(derivatives ? 3 : 2) {
  const int n = system.coordinates();
  std::vector<Var> residual(n), all(system.constraints()), lambda(system.constraints());
  std::vector<Var> state = graph.inputs(2 * n), unknowns = graph.inputs(n);
  for (const int row : rows) {
    lambda[row] = graph.input();
    unknowns.push_back(lambda[row]);
  }
  const Var t = graph.input();
  const Var *const q = state.data(), *const v = q + n, *const a = unknowns.data();
  system.record(graph, q, v, a, lambda.data(), t, residual.data(), all.data());
  std::vector<Var> positions(q, q + n), position_rates(v, v + n);
  positions.push_back(t), position_rates.emplace_back(1);
  std::vector<Var> states(state), rates(v, v + n);
  rates.insert(rates.end(), a, a + n);
  states.push_back(t), rates.emplace_back(1);
  std::vector<Var> velocity_level;
  for (const int row : rows)
    velocity_level.push_back(
        system.row_level(row) == RowLevel::velocity
            ? all[row]
            : graph::directional({all[row]}, positions, position_rates).front());
  groups[equations] = residual;
  for (const Var& row : graph::directional(velocity_level, states, rates))
    groups[equations].push_back(row);
  const auto differentiate = [&](const std::vector<Var>& by, int group,
                                 std::vector<std::pair<int, int>>& places) {
    for (const auto& [row, column, value] : graph::jacobian(groups[equations], by)) {
      places.emplace_back(row, column);
      groups[group].push_back(value);
    }
  };
  differentiate(unknowns, by_unknowns_group, by_unknowns);
  const std::vector<char> live = graph::live_nodes(graph, groups[by_unknowns_group]);
  for (int i = 2 * n; i + 1 < graph.input_count(); ++i) {
    const auto node = static_cast<std::size_t>(graph.input_node(i));
    if (node < live.size() && live[node])
      throw EnclosureFailure("equations that are not linear in accelerations and multipliers");
  }
  if (derivatives) differentiate(state, by_state_group, by_state);
}

MotionDisc::MotionDisc(MechanicalSystem<real50>& system, const std::vector<int>& rows, int order,
                       bool derivatives)
    : MotionDisc(system, rows, order, Recorded(system, rows, derivatives)) {}

MotionDisc::MotionDisc(MechanicalSystem<real50>& system, const std::vector<int>& rows, int order,
                       Recorded&& recorded)
    : n_(system.coordinates()),
      size_(n_ + static_cast<int>(rows.size())),
      order_(order - 1),
      by_unknowns_(std::move(recorded.by_unknowns)),
      by_state_(std::move(recorded.by_state)),
      models_(recorded.graph, recorded.groups, order_),
      beyond_(2 * n_),
      rest_(2 * n_),
      reach_(2 * n_) {}

template <class S>
bool MotionDisc::holds(const MotionSeries<S>& series, const RealBall& t, const RealBall& h) {
  const EnclosureBits coarse(64);
  h_ = disc_of(h), length_ = magnitude(h_);
  std::vector<RealBall> powers = {RealBall(1)};
  while (static_cast<int>(powers.size()) <= order_ + 2) powers.push_back(powers.back() * h);
  // To degree K + 2 of q, K + 1 of v, K of y, where they are known.
  std::vector<std::vector<ComplexDisc>> all;
  for (int i = 0; i < 2 * n_ + size_; ++i) {
    const int known = order_ + (i < n_ ? 2 : i < 2 * n_ ? 1 : 0);
    const S* const c = i < 2 * n_ ? series.state(i) : series.unknown(i - 2 * n_);
    all.emplace_back();
    for (int k = 0; k <= known; ++k) all.back().push_back(scaled_coefficient(c[k], powers[k]));
  }
  set_inputs(all, t);
  if (!find_inverse() || !bound_unknowns(unknowns_)) return false;
  for (int i = 0; i < 2 * n_; ++i) {
    const int k = order_ + 2;
    const double a = unknowns_[i % n_];
    rest_[i] = outward(i < n_ ? length_ * length_ * a / (static_cast<double>(k) * (k + 1))
                              : length_ * a / k);
    double sum = rest_[i];
    for (std::size_t j = 1; j < all[i].size(); ++j) sum += magnitude(all[i][j]);
    reach_[i] = outward(sum);
  }
  return true;
}

void MotionDisc::set_inputs(const std::vector<std::vector<ComplexDisc>>& all, const RealBall& t) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    ComplexDisc* const to = models_.input(static_cast<int>(i));
    std::copy_n(all[i].begin(), order_ + 1, to);
    double beyond = 0;
    for (std::size_t k = order_ + 1; k < all[i].size(); ++k) beyond += magnitude(all[i][k]);
    if (static_cast<int>(i) < 2 * n_) beyond_[static_cast<Eigen::Index>(i)] = outward(beyond);
  }
  ComplexDisc* const time = models_.input(2 * n_ + size_);
  time[0] = disc_of(t), time[1] = h_;
  models_.evaluate();
}

// v and q as integrals of a.
void MotionDisc::set_rests(const VectorXd& accelerations) {
  const double k = order_ + 2;
  for (int i = 0; i < n_; ++i) {
    const double a = accelerations[i];
    models_.set_rest(i, outward(beyond_[i] + length_ * length_ * a / (k * (k + 1))));
    models_.set_rest(n_ + i, outward(beyond_[n_ + i] + length_ * a / k));
  }
}

// The remainders of y, from an assumed bound of those of a that they do not exceed.
bool MotionDisc::bound_unknowns(VectorXd& bounds) {
  VectorXd guess = VectorXd::Zero(n_);
  for (int pass = 0; pass < 12; ++pass) {
    set_rests(guess);
    const bool right = models_.bound();
    MatrixXd error = defect_;
    multiply_inverse(error);
    if (!contraction_.find(std::move(error))) return false;
    VectorXd off(size_);
    for (int i = 0; i < size_; ++i) off[i] = models_.rest(equations, i);
    const MatrixXd first = outward(inverse_size_ * off);
    bounds = outward(first + contraction_.beyond(first));
    if (!bounds.allFinite()) return false;
    if (right && (bounds.head(n_).array() <= guess.array()).all()) return true;
    const double least = 1e-6 * bounds.head(n_).maxCoeff();
    guess = guess.cwiseMax(1.2 * bounds.head(n_));
    guess.array() += least;
  }
  return false;
}

// --- the matrix of y -----------------------------------------------------------------------------

DiscMatrix MotionDisc::coefficients(int group, int k) const {
  const auto& places = group == by_unknowns_group ? by_unknowns_ : by_state_;
  DiscMatrix x(size_, group == by_unknowns_group ? size_ : 2 * n_);
  for (std::size_t e = 0; e < places.size(); ++e)
    x.set(places[e].first, places[e].second, models_.output(group, static_cast<int>(e))[k]);
  return x;
}

MatrixXd MotionDisc::rests(int group) const {
  const auto& places = group == by_unknowns_group ? by_unknowns_ : by_state_;
  MatrixXd x = MatrixXd::Zero(size_, group == by_unknowns_group ? size_ : 2 * n_);
  for (std::size_t e = 0; e < places.size(); ++e)
    x(places[e].first, places[e].second) = models_.rest(group, static_cast<int>(e));
  return x;
}

// A polynomial C about the inverse of the matrix A(s), and a bound of I − C A with the polynomial
// of A alone; any C is right.
bool MotionDisc::find_inverse() {
  const int degree = std::min(order_, inverse_degree);
  inverse_ = {coefficients(by_unknowns_group, 0).middle.inverse()};
  if (!inverse_.front().allFinite()) return false;
  const auto entries = static_cast<int>(by_unknowns_.size());
  const auto add_product = [&](const MatrixXd& c, int k, MatrixXd& to) {
    for (int e = 0; e < entries; ++e) {
      const double a = models_.output(by_unknowns_group, e)[k].middle;
      if (a != 0) to.col(by_unknowns_[e].second) += a * c.col(by_unknowns_[e].first);
    }
  };
  const MatrixXd none = MatrixXd::Zero(size_, size_);
  for (int k = 1; k <= degree; ++k) {
    MatrixXd sum = none;
    for (int j = 1; j <= k; ++j) add_product(inverse_[k - j], j, sum);
    inverse_.push_back(-sum * inverse_.front());
  }
  std::vector<MatrixXd> sizes;
  inverse_size_ = none, defect_ = none;
  for (const MatrixXd& c : inverse_) {
    sizes.push_back(c.cwiseAbs());
    inverse_size_ += sizes.back();
  }
  inverse_size_ = outward(inverse_size_);
  for (int n = 0; n <= degree; ++n) {
    MatrixXd product = -(n == 0 ? MatrixXd(MatrixXd::Identity(size_, size_)) : none);
    for (int i = 0; i <= n; ++i) add_product(inverse_[i], n - i, product);
    defect_ += product.cwiseAbs();
  }
  // Roundings of these products, radii, and products beyond their degree.
  const double rounding = ComplexDisc::rounding * ((degree + 1.0) * size_ + 2);
  for (int e = 0; e < entries; ++e) {
    const ComplexDisc* const a = models_.output(by_unknowns_group, e);
    for (int i = 0; i <= degree; ++i) {
      double sum = 0;
      for (int j = 0; j <= order_; ++j)
        sum += i + j > degree ? magnitude(a[j]) : a[j].radius + rounding * std::abs(a[j].middle);
      if (sum != 0)
        defect_.col(by_unknowns_[e].second) += sum * sizes[i].col(by_unknowns_[e].first);
    }
  }
  defect_.array() += rounding;  // of the sums with 1
  defect_ = outward(defect_);
  return defect_.allFinite();
}

// error += |C| (remainders of A)
void MotionDisc::multiply_inverse(MatrixXd& error) const {
  for (std::size_t e = 0; e < by_unknowns_.size(); ++e) {
    const double rest = models_.rest(by_unknowns_group, static_cast<int>(e));
    if (rest != 0)
      error.col(by_unknowns_[e].second) += rest * inverse_size_.col(by_unknowns_[e].first);
  }
  error = outward(error);
}

// --- derivatives by the start --------------------------------------------------------------------

std::optional<DiscMatrix> MotionDisc::moved(const DiscMatrix& columns) {
  for (int i = 0; i < size_; ++i) models_.set_rest(2 * n_ + i, unknowns_[i]);
  for (int pass = 0; !models_.bound(); ++pass)
    if (pass == 4) return {};
  std::vector<DiscMatrix> state = {columns}, unknowns;
  DiscMatrix end;
  if (!series_of(state, unknowns) || !add_rests(state, unknowns, end)) return {};
  return end;
}

// Of state to degree K + 1, of q one more: A_0 y_k = −Σ_{i>0} A_i y_{k−i} − Σ J_i x_{k−i}.
bool MotionDisc::series_of(std::vector<DiscMatrix>& state, std::vector<DiscMatrix>& unknowns) {
  const Eigen::Index columns = state.front().middle.cols();
  std::vector<DiscMatrix> a, j;
  for (int k = 0; k <= order_; ++k) {
    a.push_back(coefficients(by_unknowns_group, k));
    j.push_back(coefficients(by_state_group, k));
  }
  const DiscMatrix inverse(MatrixXd(-inverse_.front()));
  Contraction contraction;
  MatrixXd error = (inverse * a[0] + DiscMatrix(MatrixXd(MatrixXd::Identity(size_, size_)))).size();
  if (!contraction.find(std::move(error))) return false;
  for (int k = 0; k <= order_ + 1; ++k) {
    if (k <= order_) {
      DiscMatrix sum(size_, columns);
      for (int i = 0; i <= k; ++i) {
        sum = sum + j[i] * state[k - i];
        if (i > 0) sum = sum + a[i] * unknowns[k - i];
      }
      DiscMatrix y = inverse * sum;
      y.radius = outward(y.radius + contraction.beyond(y.size()));
      unknowns.push_back(std::move(y));
    }
    const ComplexDisc factor = h_ / (k + 1);
    DiscMatrix next(2 * n_, columns);
    const auto integrate = [&](const DiscMatrix& from, int first, int to) {
      for (Eigen::Index c = 0; c < columns; ++c)
        for (int i = 0; i < n_; ++i) next.set(to + i, c, factor * from(first + i, c));
    };
    integrate(state[k], n_, 0);
    if (k <= order_) integrate(unknowns[k], 0, n_);
    state.push_back(std::move(next));
  }
  return true;
}

// As bound_unknowns, of equations that are linear.
bool MotionDisc::add_rests(const std::vector<DiscMatrix>& state,
                           const std::vector<DiscMatrix>& unknowns, DiscMatrix& end) {
  const Eigen::Index columns = state.front().middle.cols();
  MatrixXd off = MatrixXd::Zero(size_, columns), j_sum = rests(by_state_group);
  MatrixXd x_sum = MatrixXd::Zero(2 * n_, columns), y_sum = off;
  for (int i = 0; i <= order_; ++i) {
    off += coefficients(by_state_group, i).size() * x_sum;  // of degrees above K − i
    off += coefficients(by_unknowns_group, i).size() * y_sum;
    j_sum += coefficients(by_state_group, i).size();
    x_sum += state[order_ - i].size(), y_sum += unknowns[order_ - i].size();
  }
  off += rests(by_state_group) * x_sum + rests(by_unknowns_group) * y_sum;
  j_sum = outward(j_sum);
  const MatrixXd beyond = outward(state[order_ + 1].size() + state[order_ + 2].size());
  off += j_sum * beyond;
  off = outward(off);
  const double k = order_ + 2, v_part = outward(length_ / k),
               q_part = outward(length_ * length_ / (k * (k + 1)));
  MatrixXd guess = MatrixXd::Zero(n_, columns);
  for (int pass = 0; pass < 12; ++pass) {
    const MatrixXd all = outward(off + q_part * (j_sum.leftCols(n_) * guess) +
                                 v_part * (j_sum.rightCols(n_) * guess));
    const MatrixXd first = outward(inverse_size_ * all);
    const MatrixXd image = outward(first + contraction_.beyond(first)).topRows(n_);
    if (!image.allFinite()) return false;
    if ((image.array() <= guess.array()).all()) {
      end = state[0];
      for (int d = 1; d <= order_ + 2; ++d) end = end + state[d];
      end.radius.topRows(n_) += q_part * image;
      end.radius.bottomRows(n_) += v_part * image;
      end.radius = outward(end.radius);
      return true;
    }
    guess = guess.cwiseMax(1.2 * image);
    for (Eigen::Index c = 0; c < columns; ++c)
      guess.col(c).array() += 1e-6 * image.col(c).maxCoeff();
  }
  return false;
}

template bool MotionDisc::holds(const MotionSeries<RealBall>&, const RealBall&, const RealBall&);
template bool MotionDisc::holds(const MotionSeries<ComplexDisc>&, const RealBall&, const RealBall&);

}  // namespace daemark
