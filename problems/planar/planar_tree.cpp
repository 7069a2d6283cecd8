#include "problems/planar/planar_tree.hpp"

#include <algorithm>

#include "base/numbers/sin_cos.hpp"
#include "problems/elements/assembly.hpp"
#include "problems/planar/planar_elements.hpp"
#include "problems/planar/timed_loads.hpp"

namespace daemark {
namespace {

/// Position of one mass centre along one axis: constant + Σ (cos_coefficient cos θ + sin_… sin θ).
template <class S>
struct Axis {
  struct Term {
    int angle;
    S cos_coefficient, sin_coefficient;
  };
  S mass, force;  ///< applied force along the axis, gravity included
  S constant;
  std::vector<Term> terms;
};

template <class S>
class PlanarTree final : public MechanicalSystem<S> {
 public:
  explicit PlanarTree(const PlanarMechanism& m);
  void initial(S* q, S* v) const override {
    std::copy(q0_.begin(), q0_.end(), q);
    std::copy(v0_.begin(), v0_.end(), v);
  }
  void evaluate(const MotionPoint<S>& p, const ConstraintWeights<S>& w,
                const MotionValues<S>& out) override;
  void multiplier_stiffness(const MotionPoint<S>&, S* stiffness) override {
    std::fill_n(stiffness, this->residual_q_pattern_.size(), S(0));
  }
  MechanicalPtr<S> stiff_part() const override {
    return stiff_ ? make_planar_tree<S>(*stiff_) : nullptr;
  }
  bool has_record() const override { return true; }
  void record(graph::Graph& graph, const Var* q, const Var* v, const Var* a, const Var* lambda,
              const Var& t, Var* R, Var* Phi) override;
  S kinetic_energy(const MotionPoint<S>& p) override;
  S potential_energy(const MotionPoint<S>& p) override;
  S work(const MotionPoint<S>& p) override;
  bool has_power() const override { return couplings_.has_power() || !timed_loads_.empty(); }
  S power(const MotionPoint<S>& p) override {
    S sum = timed_loads_.power(p);
    couplings_.add_power(p, sum);
    return sum;
  }
  int reference_coordinates() const override { return 3 * static_cast<int>(inertia_.size()); }
  void to_reference(const MotionPoint<S>& p, S* q_ref, S* v_ref) const override;
  void output_values(const MotionPoint<S>& p, S* values) override {
    std::vector<S> q(reference_coordinates()), v(q.size());
    to_reference(p, q.data(), v.data());
    for (const OutputLaw& law : output_laws_) *values++ = law.value<S>(p.t, q.data(), v.data());
  }

 private:
  void lay_out_couplings(const PlanarMechanism& m);
  void find_angles(const S* q);
  void list_sums();
  void find_axes(const MotionPoint<S>& p);
  void add_derivatives(const MotionPoint<S>& p, const MotionValues<S>& out);
  void add_forces(const MotionPoint<S>& p, const MotionValues<S>& out);

  std::vector<Axis<S>> axes_;  ///< x and y of body 0, x and y of body 1, …
  std::vector<S> inertia_, torque_, q0_, v0_, sin_, cos_;
  // Scratch. Per term of all axes: position, slope, mass × slope; per axis: the inertial force.
  std::vector<S> position_, slope_, weighted_, inertial_;
  // Entry i of R sums over force_pairs_[previous end .. force_end_[i]), (term, axis); entry i of M
  // over mass_pairs_ alike, (term, term).
  using Pair = std::pair<int, int>;
  std::vector<Pair> force_pairs_, mass_pairs_;
  std::vector<std::size_t> force_end_, mass_end_;
  S gravity_;
  std::vector<OutputLaw> output_laws_;
  TimedLoads<S> timed_loads_;
  Assembly<S> couplings_;  ///< torsion springs and dampers, between angles
  std::shared_ptr<const PlanarMechanism> stiff_;
};

template <class S>
PlanarTree<S>::PlanarTree(const PlanarMechanism& m)
    : gravity_(from_wide<S>(m.gravity())), timed_loads_(m, 1), stiff_(m.stiff_part()) {
  const int n = static_cast<int>(m.bodies().size());
  this->outputs_ = m.outputs();
  output_laws_ = m.output_laws();
  for (int b = 0; b < n; ++b) {
    const auto& body = m.bodies()[b];
    this->add_coordinate({"theta" + body.name, "rad"});
    inertia_.push_back(from_wide<S>(body.inertia));
    torque_.push_back(from_wide<S>(m.torques()[b]));
    q0_.push_back(from_wide<S>(body.theta));
    v0_.push_back(from_wide<S>(body.omega));
    for (int axis = 0; axis < 2; ++axis) {
      const auto row = m.position_row(b, axis);
      const wide weight = axis == 1 ? wide(body.mass * m.gravity()) : wide(0);
      Axis<S> entry{from_wide<S>(body.mass),
                    from_wide<S>(wide(m.forces()[b][axis] - weight)),
                    from_wide<S>(row.constant),
                    {}};
      for (const auto& [column, c, s] : row.trig)
        entry.terms.push_back({column / 3, from_wide<S>(c), from_wide<S>(s)});
      axes_.push_back(std::move(entry));
    }
  }
  for (Pattern* p :
       {&this->mass_pattern_, &this->residual_q_pattern_, &this->residual_v_pattern_}) {
    *p = {n, n, {}};
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) p->entries.emplace_back(i, j);
  }
  this->gradient_pattern_ = this->curvature_pattern_ = {0, n, {}};
  sin_.resize(n), cos_.resize(n);
  list_sums();
  lay_out_couplings(m);
}

/// On the dense patterns, row by row; what a coupling reads of positions is the ground's.
template <class S>
void PlanarTree<S>::lay_out_couplings(const PlanarMechanism& m) {
  const int n = this->coordinates();
  MotionPatterns patterns;
  for (PatternBuilder* p : {&patterns.residual_q, &patterns.residual_v})
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) p->add(i, j);
  for (const auto& c : m.couplings())
    couplings_.add(
        std::make_unique<ForceElement<S, PlanarCoupling<S>>>(
            std::vector<int>{-1, -1, c.a, -1, -1, c.b},
            PlanarCoupling<S>{c.kind, {}, {}, from_wide<S>(c.coefficient), from_wide<S>(c.rest)}),
        0, patterns);
}

template <class S>
void PlanarTree<S>::find_angles(const S* q) {
  for (std::size_t i = 0; i < sin_.size(); ++i) sin_cos(q[i], sin_[i], cos_[i]);
}

/// Which terms meet in which entry of R and M: an entry is then one sum in a register.
template <class S>
void PlanarTree<S>::list_sums() {
  const int n = this->coordinates();
  std::vector<std::vector<Pair>> forces(n), masses(static_cast<std::size_t>(n) * n);
  int first = 0;
  for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
    const auto& terms = axes_[axis].terms;
    const int count = static_cast<int>(terms.size());
    for (int k = 0; k < count; ++k) {
      forces[terms[k].angle].push_back({first + k, static_cast<int>(axis)});
      for (int l = 0; l < count; ++l)
        masses[terms[k].angle * n + terms[l].angle].push_back({first + k, first + l});
    }
    first += count;
  }
  position_.resize(first), slope_.resize(first), weighted_.resize(first);
  inertial_.resize(axes_.size());
  const auto append = [](const std::vector<std::vector<Pair>>& lists, std::vector<Pair>& pairs,
                         std::vector<std::size_t>& end) {
    for (const auto& list : lists) {
      pairs.insert(pairs.end(), list.begin(), list.end());
      end.push_back(pairs.size());
    }
  };
  append(forces, force_pairs_, force_end_);
  append(masses, mass_pairs_, mass_end_);
}

template <class S>
void PlanarTree<S>::evaluate(const MotionPoint<S>& p, const ConstraintWeights<S>&,
                             const MotionValues<S>& out) {
  const int n = this->coordinates();
  find_angles(p.q);
  find_axes(p);
  const Pair* pair = force_pairs_.data();
  for (int i = 0; i < n && out.residual; ++i) {
    S sum = inertia_[i] * p.a[i] - torque_[i];
    for (const Pair* end = force_pairs_.data() + force_end_[i]; pair != end; ++pair)
      sum += slope_[pair->first] * inertial_[pair->second];
    out.residual[i] = sum;
  }
  if (out.mass) {
    pair = mass_pairs_.data();
    for (int i = 0; i < n * n; ++i) {
      S sum = i % (n + 1) == 0 ? inertia_[i / (n + 1)] : S(0);
      for (const Pair* end = mass_pairs_.data() + mass_end_[i]; pair != end; ++pair)
        sum += weighted_[pair->first] * slope_[pair->second];
      out.mass[i] = sum;
    }
  }
  for (S* values : {out.residual_q, out.residual_v})
    if (values) std::fill_n(values, n * n, S(0));
  if (out.residual_q || out.residual_v) add_derivatives(p, out);
  if (out.inertia || out.force) add_forces(p, out);
  timed_loads_.add(p.t, out);
  couplings_.evaluate(p, {}, out);
}

/// Position and slope of every term, and the inertial force along every axis.
template <class S>
void PlanarTree<S>::find_axes(const MotionPoint<S>& p) {
  std::size_t k = 0;
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    const Axis<S>& axis = axes_[i];
    S acceleration(0);
    for (const auto& term : axis.terms) {
      const S &c = cos_[term.angle], &s = sin_[term.angle], &w = p.v[term.angle];
      const S position = term.cos_coefficient * c + term.sin_coefficient * s;
      const S slope = term.sin_coefficient * c - term.cos_coefficient * s;
      acceleration += (p.a ? S(slope * p.a[term.angle]) : S(0)) - position * w * w;
      position_[k] = position, slope_[k] = slope, weighted_[k] = axis.mass * slope;
      ++k;
    }
    inertial_[i] = axis.mass * acceleration - axis.force;
  }
}

/// M a, and f with what the velocities contribute, apart.
template <class S>
void PlanarTree<S>::add_forces(const MotionPoint<S>& p, const MotionValues<S>& out) {
  const int n = this->coordinates();
  for (int i = 0; i < n; ++i) {
    if (out.inertia) out.inertia[i] = inertia_[i] * p.a[i];
    if (out.force) out.force[i] = torque_[i];
  }
  std::size_t first = 0;
  for (const Axis<S>& axis : axes_) {
    S by_rates(0), by_speeds(0);  // the acceleration along the axis
    for (std::size_t k = 0; k < axis.terms.size(); ++k) {
      const int j = axis.terms[k].angle;
      if (out.inertia) by_rates += slope_[first + k] * p.a[j];
      by_speeds -= position_[first + k] * p.v[j] * p.v[j];
    }
    for (std::size_t k = 0; k < axis.terms.size(); ++k) {
      const int i = axis.terms[k].angle;
      if (out.inertia) out.inertia[i] += weighted_[first + k] * by_rates;
      if (out.force) out.force[i] += slope_[first + k] * (axis.force - axis.mass * by_speeds);
    }
    first += axis.terms.size();
  }
}

template <class S>
void PlanarTree<S>::add_derivatives(const MotionPoint<S>& p, const MotionValues<S>& out) {
  const int n = this->coordinates();
  std::size_t first = 0;
  for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
    const auto& terms = axes_[axis].terms;
    for (std::size_t k = 0; k < terms.size(); ++k) {
      const int i = terms[k].angle;
      if (out.residual_q) out.residual_q[i * n + i] -= position_[first + k] * inertial_[axis];
      const S& weighted = weighted_[first + k];
      for (std::size_t l = 0; l < terms.size(); ++l) {
        const int j = terms[l].angle;
        const S &w = p.v[j], &position = position_[first + l], &slope = slope_[first + l];
        if (out.residual_q)
          out.residual_q[i * n + j] -= weighted * (position * p.a[j] + slope * w * w);
        if (out.residual_v) out.residual_v[i * n + j] -= weighted * (position * (w + w));
      }
    }
    first += terms.size();
  }
}

template <class S>
void PlanarTree<S>::record(graph::Graph&, const Var* q, const Var* v, const Var* a,
                           const Var* lambda, const Var& t, Var* R, Var* Phi) {
  using V = Var;
  for (int i = 0; i < this->coordinates(); ++i) R[i] = V(inertia_[i]) * a[i] - V(torque_[i]);
  for (const Axis<S>& axis : axes_) {
    std::vector<V> slope;
    V acceleration;
    for (const auto& term : axis.terms) {
      const V c = cos(q[term.angle]), s = sin(q[term.angle]), w = v[term.angle];
      slope.push_back(V(term.sin_coefficient) * c - V(term.cos_coefficient) * s);
      acceleration += slope.back() * a[term.angle] -
                      (V(term.cos_coefficient) * c + V(term.sin_coefficient) * s) * w * w;
    }
    const V inertial = V(axis.mass) * acceleration - V(axis.force);
    for (std::size_t k = 0; k < axis.terms.size(); ++k)
      R[axis.terms[k].angle] += slope[k] * inertial;
  }
  timed_loads_.record(t, R);
  couplings_.record(q, v, a, lambda, t, R, Phi);
}

template <class S>
S PlanarTree<S>::kinetic_energy(const MotionPoint<S>& p) {
  const S* const v = p.v;
  find_angles(p.q);
  S sum(0);
  for (std::size_t i = 0; i < inertia_.size(); ++i) sum += inertia_[i] * v[i] * v[i];
  for (const Axis<S>& axis : axes_) {
    S rate(0);
    for (const auto& term : axis.terms)
      rate += (term.sin_coefficient * cos_[term.angle] - term.cos_coefficient * sin_[term.angle]) *
              v[term.angle];
    sum += axis.mass * rate * rate;
  }
  return sum / S(2);
}

template <class S>
S PlanarTree<S>::potential_energy(const MotionPoint<S>& p) {
  find_angles(p.q);
  S sum(0);
  for (std::size_t i = 1; i < axes_.size(); i += 2) {
    S height = axes_[i].constant;
    for (const auto& term : axes_[i].terms)
      height += term.cos_coefficient * cos_[term.angle] + term.sin_coefficient * sin_[term.angle];
    sum += axes_[i].mass * gravity_ * height;
  }
  couplings_.add_potential_energy(p, sum);
  return sum;
}

template <class S>
S PlanarTree<S>::work(const MotionPoint<S>& p) {
  const S* const q = p.q;
  find_angles(q);
  S sum(0);
  for (std::size_t i = 0; i < torque_.size(); ++i) sum += torque_[i] * (q[i] - q0_[i]);
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    const S applied = axes_[i].force + (i % 2 == 1 ? S(axes_[i].mass * gravity_) : S(0));
    if (applied == 0) continue;
    using std::cos;
    using std::sin;
    for (const auto& term : axes_[i].terms)
      sum += applied * (term.cos_coefficient * (cos_[term.angle] - cos(q0_[term.angle])) +
                        term.sin_coefficient * (sin_[term.angle] - sin(q0_[term.angle])));
  }
  return sum;
}

template <class S>
void PlanarTree<S>::to_reference(const MotionPoint<S>& p, S* q_ref, S* v_ref) const {
  const S *const q = p.q, *const v = p.v;
  using std::cos;
  using std::sin;
  for (std::size_t b = 0; b < inertia_.size(); ++b) {
    for (int axis = 0; axis < 2; ++axis) {
      const Axis<S>& a = axes_[2 * b + axis];
      S position = a.constant, rate(0);
      for (const auto& term : a.terms) {
        const S c = cos(q[term.angle]), s = sin(q[term.angle]);
        position += term.cos_coefficient * c + term.sin_coefficient * s;
        rate += (term.sin_coefficient * c - term.cos_coefficient * s) * v[term.angle];
      }
      q_ref[3 * b + axis] = position;
      v_ref[3 * b + axis] = rate;
    }
    q_ref[3 * b + 2] = q[b];
    v_ref[3 * b + 2] = v[b];
  }
}

}  // namespace

template <class S>
MechanicalPtr<S> make_planar_tree(const PlanarMechanism& mechanism) {
  return std::make_shared<PlanarTree<S>>(mechanism);
}
template MechanicalPtr<double> make_planar_tree<double>(const PlanarMechanism&);
template MechanicalPtr<real50> make_planar_tree<real50>(const PlanarMechanism&);

}  // namespace daemark
