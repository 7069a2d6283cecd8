#include "methods/tangent/tangent_system.hpp"

#include <algorithm>

#include "problems/formulations/formulation.hpp"

namespace daemark {

template <class S>
TangentSystem<S>::TangentSystem(MechanicalSystem<S>& mechanism, bool twice)
    : mechanism_(mechanism),
      index_one_(mechanism),
      at_(mechanism.coordinates(), mechanism.constraints()),
      twice_(twice) {
  using Kind = Component::Kind;
  const auto& q = mechanism.coordinate_names();
  const auto& rows = mechanism.constraint_names();
  const auto add = [this](const std::string& prefix, const std::vector<std::string>& names,
                          Kind kind, int source) {
    for (std::size_t i = 0; i < names.size(); ++i)
      this->components_.push_back(
          {prefix + names[i], kind, source < 0 ? -1 : source + static_cast<int>(i)});
  };
  add("p_", q, twice ? Kind::integral : Kind::differential, twice ? at_.w() : -1);
  add("w_", q, Kind::differential, -1);
  add("", q, Kind::algebraic, at_.p());  // first guesses
  add("d", q, Kind::algebraic, at_.w());
  for (const char* prefix : {"", "mu_", "nu_"}) add(prefix, rows, Kind::algebraic, -1);
  this->finish_components();
  lay_out();
}

/// Rows: [ṗ − v], dynamics, x, v, Φ, Φ̇, Φ̈. Unknowns: [ṗ], ẇ, x, v, λ, μ, ν.
template <class S>
void TangentSystem<S>::lay_out() {
  const int n = at_.n, m = at_.m, first = rate_rows();
  const auto repeat = [](std::vector<int>& to, int count, int value) {
    to.insert(to.end(), count, value);
  };
  for (const auto& [count, power] :
       {std::pair{first, 0}, {n, 0}, {n, -2}, {n, -1}, {m, -2}, {m, -1}, {m, 0}})
    repeat(this->row_power_, count, power);
  // |dx|, h |dv|, h² |da|
  for (const auto& [count, power] : {std::pair{first, 1}, {n, 2}, {n, 0}, {n, 1}, {3 * m, -1}})
    repeat(this->increment_power_, count, power);

  Pattern &y = this->pattern_y_, &rate = this->pattern_rate_;
  y = {this->unknowns(), at_.size(), {}}, rate = y;
  const auto put = [](Pattern& to, const Pattern& source, int row, int column) {
    for (const auto& [i, j] : source.entries) to.entries.emplace_back(row + i, column + j);
  };
  const auto put_transposed = [&y](const Pattern& source, int row, int column) {
    for (const auto& [i, j] : source.entries) y.entries.emplace_back(row + j, column + i);
  };
  const auto put_diagonal = [n](Pattern& to, int row, int column) {
    for (int i = 0; i < n; ++i) to.entries.emplace_back(row + i, column + i);
  };
  const Pattern &g = mechanism_.gradient_pattern(), &c = mechanism_.curvature_pattern();
  const int dynamics = first, rows_x = dynamics + n, rows_v = rows_x + n, position = rows_v + n,
            velocity = position + m, acceleration = velocity + m;
  put(y, mechanism_.residual_q_pattern(), dynamics, at_.x());
  put(y, mechanism_.residual_v_pattern(), dynamics, at_.v());
  put(y, c, acceleration, at_.x());
  put(y, c, acceleration, at_.v());
  put(y, mechanism_.residual_q_pattern(), rows_x, at_.x());
  put(y, mechanism_.residual_q_pattern(), rows_v, at_.x());
  put(y, c, velocity, at_.x());
  put_transposed(g, dynamics, at_.lambda());
  put_transposed(g, rows_x, at_.mu());
  put_transposed(g, rows_v, at_.nu());
  put(y, g, position, at_.x());
  put(y, g, velocity, at_.v());
  put_diagonal(y, rows_x, at_.x());
  put_diagonal(y, rows_v, at_.v());
  put_diagonal(y, rows_x, at_.p());
  put_diagonal(y, rows_v, at_.w());
  if (first > 0) put_diagonal(y, 0, at_.v());
  for (int row = 0; row < m; ++row)
    if (!of_positions(row)) y.entries.emplace_back(position + row, at_.mu() + row);
  put(rate, mechanism_.mass_pattern(), dynamics, at_.w());
  put(rate, g, acceleration, at_.w());
  if (first > 0) put_diagonal(rate, 0, at_.p());
  gradient_.resize(g.size());
}

template <class S>
void TangentSystem<S>::evaluate(const SystemPoint<S>& p, S* r, S* jacobian_y, S* jacobian_rate) {
  const int n = at_.n, m = at_.m, first = rate_rows();
  const MotionPoint<S> point{
      p.t, p.y + at_.x(), p.y + at_.v(), p.rate + at_.w(), p.y + at_.lambda(), p.chart};
  S *const dynamics = r + first, *const rows_x = dynamics + n, *const rows_v = rows_x + n,
           *const position = rows_v + n;
  MotionValues<S> out;
  out.residual = dynamics;
  out.position = position, out.velocity = position + m, out.acceleration = position + 2 * m;
  out.gradient = gradient_.data();
  if (jacobian_y) {
    const int kq = mechanism_.residual_q_pattern().size(),
              kv = mechanism_.residual_v_pattern().size(),
              kc = mechanism_.curvature_pattern().size();
    out.mass = jacobian_rate;
    out.residual_q = jacobian_y;
    out.residual_v = out.residual_q + kq;
    out.curvature_q = out.residual_v + kv;
    out.curvature_v = out.curvature_q + kc;
  }
  mechanism_.evaluate(point, {S(0), S(0), S(1)}, out);
  for (int i = 0; i < first; ++i) r[i] = p.rate[at_.p() + i] - p.y[at_.v() + i];
  for (int i = 0; i < n; ++i) {
    rows_x[i] = p.y[at_.x() + i] - p.y[at_.p() + i];
    rows_v[i] = p.y[at_.v() + i] - p.y[at_.w() + i];
  }
  const auto& entries = mechanism_.gradient_pattern().entries;
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const auto [row, column] = entries[k];
    if (of_positions(row)) rows_x[column] += gradient_[k] * p.y[at_.mu() + row];
    rows_v[column] += gradient_[k] * p.y[at_.nu() + row];
  }
  for (int row = 0; row < m; ++row)
    if (!of_positions(row)) position[row] = p.y[at_.mu() + row];
  if (jacobian_y) write_jacobian(point, p, jacobian_y, jacobian_rate);
}

/// The blocks after those that the mechanism has written, in the order of lay_out().
template <class S>
void TangentSystem<S>::write_jacobian(const MotionPoint<S>& point, const SystemPoint<S>& p,
                                      S* jacobian_y, S* jacobian_rate) {
  const int n = at_.n, kq = mechanism_.residual_q_pattern().size(),
            kc = mechanism_.curvature_pattern().size();
  const S* const curvature_v = jacobian_y + kq + mechanism_.residual_v_pattern().size() + kc;
  S* next = jacobian_y + kq + mechanism_.residual_v_pattern().size() + 2 * kc;
  for (const int multiplier : {at_.mu(), at_.nu()}) {
    MotionPoint<S> normal = point;
    normal.lambda = p.y + multiplier;
    mechanism_.multiplier_stiffness(normal, next);
    next += kq;
  }
  write_velocity_curvature(point, curvature_v, next);
  next += kc;
  const auto& entries = mechanism_.gradient_pattern().entries;
  for (const bool positions_only : {false, true, false, true, false})  // Gᵀ of λ, μ, ν; G of Φ, Φ̇
    for (std::size_t k = 0; k < entries.size(); ++k)
      *next++ = positions_only && !of_positions(entries[k].first) ? S(0) : gradient_[k];
  for (const int one : {1, 1, -1, -1})
    for (int i = 0; i < n; ++i) *next++ = S(one);
  for (int i = 0; i < rate_rows(); ++i) *next++ = S(-1);
  for (int row = 0; row < at_.m; ++row)
    if (!of_positions(row)) *next++ = S(1);
  S* rate = jacobian_rate + mechanism_.mass_pattern().size();
  for (const S& x : gradient_) *rate++ = x;
  for (int i = 0; i < rate_rows(); ++i) *rate++ = S(1);
}

/// ∂Φ̇/∂q. Where all rows are of positions ∂Φ̈/∂v is twice that: both are Σ ∂²Φ/∂q∂(q, t) (v, 1).
template <class S>
void TangentSystem<S>::write_velocity_curvature(const MotionPoint<S>& point, const S* curvature_v,
                                                S* out) {
  if (mechanism_.velocity_rows() == 0) {
    const int size = mechanism_.curvature_pattern().size();
    for (int k = 0; k < size; ++k) out[k] = curvature_v[k] / S(2);
    return;
  }
  MotionValues<S> rates;
  rates.curvature_q = out;
  mechanism_.evaluate(point, {S(0), S(1), S(0)}, rates);
}

template <class S>
bool TangentSystem<S>::explicit_rates(S* y, S* rate, const S& t, const S* chart) {
  const MotionPoint<S> point{t, y + at_.x(), y + at_.v(), nullptr, nullptr, chart};
  std::fill(rate, rate + this->size(), S(0));
  std::copy_n(y + at_.v(), at_.n, rate + at_.p());
  std::fill_n(y + at_.mu(), 2 * at_.m, S(0));
  return index_one_.solve(mechanism_, point, {S(0), S(0), S(1)}, rate + at_.w(), y + at_.lambda());
}

template class TangentSystem<double>;
template class TangentSystem<real50>;

}  // namespace daemark
