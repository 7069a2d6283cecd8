#include "problems/spatial/spatial_joint.hpp"

#include <algorithm>

#include "base/numbers/jet.hpp"
#include "problems/core/rotation_charts.hpp"

namespace daemark {

using namespace rotation;

template <class S>
SpatialJoint<S>::SpatialJoint(const std::vector<ElementNode>& nodes,
                              std::vector<std::string> row_names,
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

template <class S>
void SpatialJoint<S>::find(const JointFeature<S>& feature, const ElementPoint<S>& p,
                           State& state) const {
  const Vec3 zero{S(0), S(0), S(0)};
  state.value = feature.local;
  state.rate = state.second = zero;
  for (auto* columns : {&state.by_q, &state.rate_by_q, &state.second_by_q}) columns->fill(zero);
  if (feature.node < 0) return;
  using D = Dual<S, 3>;
  const int at = 6 * feature.node;
  rotation::Vec3<TimeJet<D>> g;
  for (int i = 0; i < 3; ++i)
    g[i] = {D::variable(p.q[at + 3 + i], i), D(p.v[at + 3 + i]), D(p.a[at + 3 + i])};
  const Vec3 turned = rotate(quaternion(p.chart + 4 * feature.node), feature.local);
  rotation::Vec3<TimeJet<D>> r;
  for (int i = 0; i < 3; ++i) r[i] = TimeJet<D>(D(turned[i]));
  const rotation::Vec3<TimeJet<D>> shown = cayley_rotate(g, r);
  for (int i = 0; i < 3; ++i) {
    state.value[i] = shown[i].value.value;
    state.rate[i] = shown[i].rate.value, state.second[i] = shown[i].second.value;
    for (int j = 0; j < 3; ++j) {
      state.by_q[3 + j][i] = shown[i].value.grad[j];
      state.rate_by_q[3 + j][i] = shown[i].rate.grad[j];
      state.second_by_q[3 + j][i] = shown[i].second.grad[j];
    }
    if (!feature.point) continue;
    state.value[i] += p.q[at + i], state.rate[i] += p.v[at + i], state.second[i] += p.a[at + i];
    state.by_q[i][i] = S(1);
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
  for (std::size_t f = 0; f < features_.size(); ++f) find(features_[f], p, states_[f]);
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

/// Σ along · ∂²f/∂g² of one feature.
template <class S>
void SpatialJoint<S>::add_second(const JointFeature<S>& feature, const ElementPoint<S>& p,
                                 const Vec3& along, S* stiffness) const {
  if (feature.node < 0) return;
  using D = Dual<S, 3>;
  using DD = Dual<D, 3>;
  const int at = 6 * feature.node + 3, k = this->size();
  const Vec3 turned = rotate(quaternion(p.chart + 4 * feature.node), feature.local);
  rotation::Vec3<DD> g, r;
  for (int i = 0; i < 3; ++i)
    g[i] = DD::variable(D::variable(p.q[at + i], i), i), r[i] = DD(D(turned[i]));
  const DD projected = dot(cayley_rotate(g, r),
                           rotation::Vec3<DD>{DD(D(along[0])), DD(D(along[1])), DD(D(along[2]))});
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) stiffness[(at + i) * k + at + j] += projected.grad[i].grad[j];
}

template <class S>
void SpatialJoint<S>::multiplier_stiffness(const ElementPoint<S>& p, S* stiffness) {
  const int k = this->size();
  std::fill_n(stiffness, k * k, S(0));
  for (std::size_t f = 0; f < features_.size(); ++f) find(features_[f], p, states_[f]);
  const std::array<TimeJet<S>, 3> factor = factors(p.t);
  for (std::size_t row = 0; row < row_data_.size(); ++row)
    for (const JointTerm<S>& term : row_data_[row].terms) {
      const S c = p.lambda[row] * term.coefficient * factor[static_cast<int>(term.factor)].value;
      const State &u = states_[term.u], &w = states_[term.w];
      Vec3 along;
      for (int i = 0; i < 3; ++i) along[i] = c * w.value[i];
      add_second(features_[term.u], p, along, stiffness);
      for (int i = 0; i < 3; ++i) along[i] = c * u.value[i];
      add_second(features_[term.w], p, along, stiffness);
      const int node_u = features_[term.u].node, node_w = features_[term.w].node;
      if (node_u < 0 || node_w < 0) continue;
      for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j) {
          const S mixed = c * dot(u.by_q[i], w.by_q[j]);
          stiffness[(6 * node_u + i) * k + 6 * node_w + j] += mixed;
          stiffness[(6 * node_w + j) * k + 6 * node_u + i] += mixed;
        }
    }
}

template <class S>
S SpatialJoint<S>::power(const ElementPoint<S>& p) {
  if (!law_) return S(0);
  for (std::size_t f = 0; f < features_.size(); ++f) find(features_[f], p, states_[f]);
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
template class SpatialJoint<quad>;
template class SpatialJoint<real50>;

}  // namespace daemark
