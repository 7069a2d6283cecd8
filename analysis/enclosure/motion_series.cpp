#include "analysis/enclosure/motion_series.hpp"

#include <algorithm>

#include "analysis/enclosure/complex_disc.hpp"
#include "base/graph/taylor_series_body.hpp"

namespace daemark {

namespace graph {
template class TaylorSeries<RealBall>;
template class TaylorSeries<ComplexDisc>;
}  // namespace graph

namespace {

enum Group { constraint_group, velocity_group, residual_group };

}  // namespace

template <class S>
RegularMatrix<S>::RegularMatrix(const std::vector<S>& entries, int size)
    : size_(size), error_(static_cast<std::size_t>(size) * size), u_(size, 1.0) {
  ArbMatrix<S> a(size, size), c(size, size), product(size, size);
  for (int i = 0; i < size * size; ++i) {
    if (!entries[i].finite()) throw EnclosureFailure("values that have no enclosure");
    a.set(i / size, i % size, entries[i]);
  }
  if (!c.approximate_inverse(a)) throw EnclosureFailure("singular matrix of accelerations");
  product.multiply(c, a);
  for (int i = 0; i < size; ++i)
    for (int j = 0; j < size; ++j) {
      S e = product.get(i, j);
      if (i == j) e = e - S(1);
      error_[static_cast<std::size_t>(i) * size + j] = magnitude(e);
    }
  // Towards the vector that |E| magnifies evenly; any positive one proves.
  for (int pass = 0; pass < 12; ++pass) {
    std::vector<double> next(size, 0);
    for (int i = 0; i < size; ++i) {
      for (int j = 0; j < size; ++j)
        next[i] += error_[static_cast<std::size_t>(i) * size + j] * u_[j];
    }
    const double largest = *std::max_element(next.begin(), next.end());
    if (!(largest > 0)) break;
    for (int i = 0; i < size; ++i) u_[i] = next[i] / largest + 1e-9;
  }
  for (int i = 0; i < size; ++i) {
    double sum = 0;
    for (int j = 0; j < size; ++j) sum += error_[static_cast<std::size_t>(i) * size + j] * u_[j];
    contraction_ = larger(contraction_, outward(sum / u_[i]));
  }
  if (!(contraction_ < 0.9)) throw EnclosureFailure("the matrix of accelerations may be singular");
  for (int i = 0; i < size * size; ++i) inverse_.push_back(c.get(i / size, i % size));
}

// |x| <= α u with α = max |y_i|/u_i / (1 − κ), hence |x − y| <= |E| b with b = |y| + |E| α u.
template <class S>
void RegularMatrix<S>::solve(const std::vector<S>& right, std::vector<S>& x) const {
  x.resize(size_);
  std::vector<double> size_of_y(size_);
  double alpha = 0;
  int shift = 0;  // magnitudes relative to 2^shift, as coefficients exceed the range of double
  for (int i = 0; i < size_; ++i) {
    x[i] = dot(&inverse_[static_cast<std::size_t>(i) * size_], right.data(), size_);
    if (!x[i].finite()) throw EnclosureFailure("values that have no enclosure");
    shift = i == 0 ? exponent(x[i]) : std::max(shift, exponent(x[i]));
  }
  for (int i = 0; i < size_; ++i) {
    size_of_y[i] = scaled_magnitude(x[i], -shift);
    alpha = larger(alpha, size_of_y[i] / u_[i]);
  }
  alpha = outward(alpha / (1 - contraction_));
  std::vector<double> bound(size_);
  for (int pass = 0; pass < 2; ++pass) {
    std::vector<double> within(size_), next(size_, 0);
    for (int j = 0; j < size_; ++j) within[j] = pass == 0 ? alpha * u_[j] : size_of_y[j] + bound[j];
    for (int i = 0; i < size_; ++i) {
      for (int j = 0; j < size_; ++j)
        next[i] += error_[static_cast<std::size_t>(i) * size_ + j] * within[j];
      next[i] = outward(next[i]);
    }
    bound = next;
  }
  for (int i = 0; i < size_; ++i) add_error(x[i], bound[i], shift);
}

template <class S>
MotionSeries<S>::Recorded::Recorded(MechanicalSystem<real50>& system, const std::vector<int>& rows,
                                    bool tangents)
    : groups(tangents ? 6 : 3) {
  const int n = system.coordinates();
  groups[residual_group].resize(n);
  std::vector<Var> all(system.constraints()), lambda(system.constraints());
  const auto q = graph.inputs(n), v = graph.inputs(n), a = graph.inputs(n);
  for (const int row : rows) lambda[row] = graph.input();
  const auto t = graph.input();
  system.record(graph, q.data(), v.data(), a.data(), lambda.data(), t,
                groups[residual_group].data(), all.data());
  for (const int row : rows)
    groups[system.row_level(row) == RowLevel::velocity ? velocity_group : constraint_group]
        .push_back(all[row]);
  if (!graph::has_series(graph, groups)) throw EnclosureFailure("a law with branches");
  if (!tangents) return;
  const int known = graph.input_count(), moving = known - 1;
  std::vector<Var> arguments, rates;
  for (int i = 0; i < moving; ++i) arguments.push_back(graph.var(graph.input_node(i)));
  for (int i = 0; i < moving; ++i) rates.push_back(graph.input());
  for (int group = 0; group < 3; ++group)
    groups[3 + group] = graph::directional(groups[group], arguments, rates);
}

template <class S>
MotionSeries<S>::MotionSeries(MechanicalSystem<real50>& system, const std::vector<int>& rows,
                              int max_order, bool tangents)
    : MotionSeries(system, rows, Recorded(system, rows, tangents), max_order) {}

template <class S>
MotionSeries<S>::MotionSeries(MechanicalSystem<real50>& system, const std::vector<int>& rows,
                              Recorded&& recorded, int max_order)
    : n_(system.coordinates()),
      m_(static_cast<int>(rows.size())),
      tangent_(3 * n_ + m_ + 1),
      followed_(recorded.groups.size() > 3),
      series_(recorded.graph, recorded.groups, max_order + 1) {
  int positions = 0, velocities = 0;
  for (const int row : rows)
    rows_.push_back(system.row_level(row) == RowLevel::velocity
                        ? Row{velocity_group, velocities++, 1}
                        : Row{constraint_group, positions++, 2});
}

template <class S>
void MotionSeries<S>::start(const S& t, const S* q, const S* v) {
  for (int i = 0; i < n_; ++i) in(i)[0] = q[i], in(n_ + i)[0] = v[i], in(2 * n_ + i)[0] = S(0);
  for (int i = 0; i < m_; ++i) in(3 * n_ + i)[0] = S(0);
  in(3 * n_ + m_)[0] = t;
  for (const int group : {constraint_group, velocity_group, residual_group})
    series_.evaluate_order(group, 0);
  factors_.clear();
  factors_.emplace_back(matrix(), n_ + m_);
  in(3 * n_ + m_)[1] = S(1);
  for (int i = 0; i < n_; ++i) in(i)[1] = v[i];
  series_.evaluate_order(constraint_group, 1);
  known_ = -1;
  extend(1);
}

// As in taylor_reference: with one coefficient of order 1 alone, order 1 is a partial derivative.
template <class S>
std::vector<S> MotionSeries<S>::matrix() {
  const int size = n_ + m_;
  std::vector<S> entries(static_cast<std::size_t>(size) * size, S(0));
  for (int i = 0; i <= 3 * n_ + m_; ++i) in(i)[1] = S(0);
  for (const int group : {constraint_group, velocity_group, residual_group})
    series_.evaluate_order(group, 1);
  for (const auto& [group, shift] : {std::pair(constraint_group, 0), {velocity_group, n_}}) {
    if (std::none_of(rows_.begin(), rows_.end(),
                     [g = group](const Row& row) { return row.group == g; }))
      continue;
    for (int col = 0; col < n_; ++col) {
      S& probed = in(shift + col)[1];
      probed = S(1);
      series_.update_order(group, 1);
      for (int i = 0; i < m_; ++i)
        if (rows_[i].group == group)
          entries[static_cast<std::size_t>(n_ + i) * size + col] =
              series_.output(group, rows_[i].place)[1];
      probed = S(0);
    }
    series_.update_order(group, 1);
  }
  for (int col = 0; col < size; ++col) {
    S& probed = in(2 * n_ + col)[1];
    probed = S(1);
    series_.update_order(residual_group, 1);
    for (int i = 0; i < n_; ++i)
      entries[static_cast<std::size_t>(i) * size + col] = series_.output(residual_group, i)[1];
    probed = S(0);
  }
  return entries;
}

// A derivative of constraints, wanted up to order + 1, may share functions of t, q (and of v up to
// `order`) with the groups that are known to lower orders, such as the 1/√x in Gᵀλ.
template <class S>
void MotionSeries<S>::extend(int order) {
  while (known_ + 1 < order) solve_order(++known_, 0, 0);
  if (!followed_) return;
  for (const int k : {order, order + 1})
    for (const int group : {velocity_group, residual_group}) series_.evaluate_order(group, k);
}

template <class S>
void MotionSeries<S>::follow(const S* dq, const S* dv, int order) {
  for (int i = 0; i < n_; ++i) {
    S* const q = in(tangent_ + i);
    q[0] = dq[i], q[1] = dv[i];
    in(tangent_ + n_ + i)[0] = dv[i], in(tangent_ + 2 * n_ + i)[0] = S(0);
  }
  for (int i = 0; i < m_; ++i) in(tangent_ + 3 * n_ + i)[0] = S(0);
  for (const int group : {constraint_group, velocity_group, residual_group})
    series_.evaluate_order(3 + group, 0);
  series_.evaluate_order(3 + constraint_group, 1);
  for (int k = 0; k < order; ++k) solve_order(k, tangent_, 3);
}

template <class S>
void MotionSeries<S>::solve_order(int k, int first, int group) {
  const int second = (k + 2) * (k + 1);  // a_k = second q_{k+2}
  const auto q = [&](int i) { return in(first + i); };
  const auto v = [&](int i) { return in(first + n_ + i); };
  const auto unknown = [&](int i) { return in(first + 2 * n_ + i); };  // a, then lambda
  for (int i = 0; i < n_; ++i) q(i)[k + 2] = S(0), v(i)[k + 1] = S(0);
  for (int i = 0; i < n_ + m_; ++i) unknown(i)[k] = S(0);
  in(3 * n_ + m_)[k + 2] = S(0);
  series_.evaluate_order(group + constraint_group, k + 2);
  series_.evaluate_order(group + velocity_group, k + 1);
  series_.evaluate_order(group + residual_group, k);
  right_.resize(n_ + m_);
  for (int i = 0; i < n_; ++i) right_[i] = -series_.output(group + residual_group, i)[k];
  for (int i = 0; i < m_; ++i) {
    const auto& [kind, place, ahead] = rows_[i];
    right_[n_ + i] =
        -((ahead == 2 ? second : k + 1) * series_.output(group + kind, place)[k + ahead]);
  }
  factors_.front().solve(right_, solution_);
  for (int i = 0; i < n_; ++i) {
    q(i)[k + 2] = solution_[i] / second;
    v(i)[k + 1] = solution_[i] / (k + 1);
  }
  for (int i = 0; i < n_ + m_; ++i) unknown(i)[k] = solution_[i];
  series_.update_order(group + constraint_group, k + 2);
  series_.update_order(group + velocity_group, k + 1);
  series_.update_order(group + residual_group, k);
}

template class RegularMatrix<RealBall>;
template class RegularMatrix<ComplexDisc>;
template class MotionSeries<RealBall>;
template class MotionSeries<ComplexDisc>;

}  // namespace daemark
