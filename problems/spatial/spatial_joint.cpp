#include "problems/spatial/spatial_joint.hpp"

#include <algorithm>

#include "base/numbers/jet.hpp"
#include "problems/geometry/rotation_charts.hpp"

namespace daemark {

using namespace rotation;

template <class S>
SpatialJoint<S>::SpatialJoint(const std::vector<ElementNode>& nodes,
                              std::vector<Quantity> row_names,
                              std::vector<JointFeature<S>> features, std::vector<JointRow<S>> rows,
                              std::shared_ptr<const MotionLaw> law)
    : Element<S>(node_coordinates(nodes), std::move(row_names), node_charts(nodes)),
      features_(std::move(features)),
      row_data_(std::move(rows)),
      law_(std::move(law)),
      states_(features_.size()) {
  for (const JointRow<S>& row : row_data_) {
    std::vector<std::array<bool, 2>> touched(nodes.size(), {false, false});
    for (const JointTerm<S>& term : row.terms)
      for (const int f : {term.u, term.w}) {
        const JointFeature<S>& feature = features_[f];
        if (feature.node < 0) continue;
        auto& [position, orientation] = touched[feature.node];
        position = position || feature.point;
        for (const S& x : feature.local) orientation = orientation || x != 0;
      }
    touched_.push_back(std::move(touched));
  }
}

template <class S>
bool SpatialJoint<S>::fills(ElementBlock block, int i, int j) const {
  const auto touches = [this](int row, int c) { return touched_[row][c / 6][c % 6 / 3]; };
  if (block == ElementBlock::gradient || block == ElementBlock::curvature) return touches(i, j);
  if (block != ElementBlock::residual_q) return false;
  for (std::size_t row = 0; row < touched_.size(); ++row)
    if ((i % 6 >= 3 || j % 6 >= 3) && touches(static_cast<int>(row), i) &&
        touches(static_cast<int>(row), j))
      return true;
  return false;
}

/// u = R r turns with ω = G ġ: u̇ = ω × u, ü = ω̇ × u + ω × u̇, ω̇ = −½ c (g·ġ) ω + G g̈, and
/// ∂u/∂g_j = G e_j × u. Derivatives of the rates come from jets, where they are asked for.
template <class S>
void SpatialJoint<S>::find(const JointFeature<S>& feature, const ElementPoint<S>& p,
                           bool rates_by_q, State& state) const {
  const Vec3 zero{S(0), S(0), S(0)};
  state.value = feature.local;
  state.rate = state.second = zero;
  for (auto* columns : {&state.by_q, &state.rate_by_q, &state.second_by_q}) columns->fill(zero);
  if (feature.node < 0) return;
  const int at = 6 * feature.node;
  const Vec3 turned = rotate(quaternion(p.chart + 4 * feature.node), feature.local);
  const Vec3 g = vector(p.q + at + 3), g_rate = vector(p.v + at + 3);
  const Vec3 u = cayley_rotate(g, turned), omega = cayley_spin(g, g_rate);
  const S shrink = cayley_scale(g) * dot(g, g_rate) / S(-2);
  const Vec3 omega_rate = combine(shrink, omega, S(1), cayley_spin(g, vector(p.a + at + 3)));
  state.value = u;
  state.rate = cross(omega, u);
  state.second = combine(S(1), cross(omega_rate, u), S(1), cross(omega, state.rate));
  for (int j = 0; j < 3; ++j) {
    Vec3 unit = zero;
    unit[j] = S(1);
    state.by_q[3 + j] = cross(cayley_spin(g, unit), u);
  }
  if (rates_by_q) find_rates(turned, p, at, state);
  if (!feature.point) return;
  for (int i = 0; i < 3; ++i) {
    state.value[i] += p.q[at + i], state.rate[i] += p.v[at + i], state.second[i] += p.a[at + i];
    state.by_q[i][i] = S(1);
  }
}

template <class S>
void SpatialJoint<S>::find_rates(const Vec3& turned, const ElementPoint<S>& p, int at,
                                 State& state) const {
  using D = Dual<S, 3>;
  rotation::Vec3<TimeJet<D>> g, r;
  for (int i = 0; i < 3; ++i) {
    g[i] = {D::variable(p.q[at + 3 + i], i), D(p.v[at + 3 + i]), D(p.a[at + 3 + i])};
    r[i] = TimeJet<D>(D(turned[i]));
  }
  const rotation::Vec3<TimeJet<D>> shown = cayley_rotate(g, r);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      state.rate_by_q[3 + j][i] = shown[i].rate.grad[j];
      state.second_by_q[3 + j][i] = shown[i].second.grad[j];
    }
}

template <class S>
std::array<TimeJet<S>, 3> SpatialJoint<S>::factors(const S& t) const {
  if (!law_) return {TimeJet<S>(S(1)), TimeJet<S>(S(0)), TimeJet<S>(S(0))};
  const TimeJet<S> angle = law_value<S>(*law_)(TimeJet<S>(t, S(1), S(0)));
  return {TimeJet<S>(S(1)), cos(angle), sin(angle)};
}

template <class S>
void SpatialJoint<S>::add_term(const JointTerm<S>& term, const TimeJet<S>& factor,
                               const ConstraintWeights<S>& weights, int row,
                               const ElementValues<S>& out) const {
  const TimeJet<S> c = TimeJet<S>(term.coefficient) * factor;
  const State &u = states_[term.u], &w = states_[term.w];
  const TimeJet<S> product(
      dot(u.value, w.value), dot(u.rate, w.value) + dot(u.value, w.rate),
      dot(u.second, w.value) + S(2) * dot(u.rate, w.rate) + dot(u.value, w.second));
  const TimeJet<S> term_value = c * product;
  out.position[row] += term_value.value;
  out.velocity[row] += term_value.rate;
  out.acceleration[row] += term_value.second;
  if (!out.gradient && !out.curvature_q && !out.curvature_v) return;
  const int k = this->size();
  for (const auto& [own, other, feature] :
       {std::tuple(&u, &w, term.u), std::tuple(&w, &u, term.w)}) {
    if (features_[feature].node < 0) continue;
    const int first = row * k + 6 * features_[feature].node;
    for (int j = features_[feature].point ? 0 : 3; j < 6; ++j) {
      const TimeJet<S> slope(dot(own->by_q[j], other->value),
                             dot(own->rate_by_q[j], other->value) + dot(own->by_q[j], other->rate),
                             dot(own->second_by_q[j], other->value) +
                                 S(2) * dot(own->rate_by_q[j], other->rate) +
                                 dot(own->by_q[j], other->second));
      const TimeJet<S> derivative = c * slope;
      if (out.gradient) out.gradient[first + j] += derivative.value;
      if (out.curvature_q)
        out.curvature_q[first + j] +=
            weights.velocity * derivative.rate + weights.acceleration * derivative.second;
      if (out.curvature_v)
        out.curvature_v[first + j] += S(2) * weights.acceleration * derivative.rate;
    }
  }
}

template <class S>
void SpatialJoint<S>::evaluate(const ElementPoint<S>& p, const ConstraintWeights<S>& w,
                               const ElementValues<S>& asked) {
  if (!asked.levels()) return;
  const ElementValues<S> out = asked;
  const int k = this->size(), rows = static_cast<int>(row_data_.size());
  const bool rates =
      (out.curvature_q || out.curvature_v) && (w.velocity != 0 || w.acceleration != 0);
  for (std::size_t f = 0; f < features_.size(); ++f) find(features_[f], p, rates, states_[f]);
  for (S* block : {out.gradient, out.curvature_q, out.curvature_v})
    if (block) std::fill_n(block, rows * k, S(0));
  const std::array<TimeJet<S>, 3> factor = factors(p.t);
  for (int row = 0; row < rows; ++row) {
    TimeJet<S> law;
    if (row_data_[row].subtracts_law) law = law_value<S>(*law_)(TimeJet<S>(p.t, S(1), S(0)));
    out.position[row] = -law.value, out.velocity[row] = -law.rate;
    out.acceleration[row] = -law.second;
    for (const JointTerm<S>& term : row_data_[row].terms)
      add_term(term, factor[static_cast<int>(term.factor)], w, row, out);
  }
}

/// a · ∂²f/∂g² of one feature, from its gradient Gᵀ(u × a): by the product rule
/// ∂(Gᵀm)/∂g = ½ c (m× − (Gᵀm) gᵀ) for fixed m, and Gᵀ (u aᵀ − (a·u) I) G for m = u × a.
template <class S>
void SpatialJoint<S>::add_second(const JointFeature<S>& feature, const ElementPoint<S>& p,
                                 const Vec3& a, S* stiffness) const {
  if (feature.node < 0) return;
  const int at = 6 * feature.node + 3, k = this->size();
  const Vec3 turned = rotate(quaternion(p.chart + 4 * feature.node), feature.local);
  const Vec3 g = vector(p.q + at), u = cayley_rotate(g, turned);
  const Vec3 m = cross(u, a), along_g = cayley_spin_transposed(g, m);
  const S half = cayley_scale(g) / S(2), au = dot(a, u);
  for (int j = 0; j < 3; ++j) {
    Vec3 unit{S(0), S(0), S(0)};
    unit[j] = S(1);
    const Vec3 turn = cayley_spin(g, unit), swept = cross(m, unit);
    const Vec3 second = cayley_spin_transposed(g, combine(dot(a, turn), u, S(-au), turn));
    for (int i = 0; i < 3; ++i)
      stiffness[(at + i) * k + at + j] += half * (swept[i] - along_g[i] * g[j]) + second[i];
  }
}

template <class S>
void SpatialJoint<S>::multiplier_stiffness(const ElementPoint<S>& p, S* stiffness) {
  const int k = this->size();
  std::fill_n(stiffness, k * k, S(0));
  for (std::size_t f = 0; f < features_.size(); ++f) find(features_[f], p, false, states_[f]);
  const std::array<TimeJet<S>, 3> factor = factors(p.t);
  for (State& state : states_) state.along = {S(0), S(0), S(0)};
  for (std::size_t row = 0; row < row_data_.size(); ++row)
    for (const JointTerm<S>& term : row_data_[row].terms) {
      const S c = p.lambda[row] * term.coefficient * factor[static_cast<int>(term.factor)].value;
      State &u = states_[term.u], &w = states_[term.w];
      u.along = combine(S(1), u.along, c, w.value);
      w.along = combine(S(1), w.along, c, u.value);
      const int node_u = features_[term.u].node, node_w = features_[term.w].node;
      if (node_u < 0 || node_w < 0) continue;
      for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j) {
          const S mixed = c * dot(u.by_q[i], w.by_q[j]);
          stiffness[(6 * node_u + i) * k + 6 * node_w + j] += mixed;
          stiffness[(6 * node_w + j) * k + 6 * node_u + i] += mixed;
        }
    }
  for (std::size_t f = 0; f < features_.size(); ++f)
    add_second(features_[f], p, states_[f].along, stiffness);
}

template <class S>
S SpatialJoint<S>::power(const ElementPoint<S>& p) {
  if (!law_) return S(0);
  for (std::size_t f = 0; f < features_.size(); ++f) find(features_[f], p, false, states_[f]);
  const std::array<TimeJet<S>, 3> factor = factors(p.t);
  const S law_rate = law_value<S>(*law_)(TimeJet<S>(p.t, S(1), S(0))).rate;
  S sum(0);
  for (std::size_t row = 0; row < row_data_.size(); ++row) {
    S rate = row_data_[row].subtracts_law ? -law_rate : S(0);
    for (const JointTerm<S>& term : row_data_[row].terms)
      rate += term.coefficient * factor[static_cast<int>(term.factor)].rate *
              dot(states_[term.u].value, states_[term.w].value);
    sum += p.lambda[row] * rate;
  }
  return sum;
}

template class SpatialJoint<double>;
template class SpatialJoint<real50>;

}  // namespace daemark
