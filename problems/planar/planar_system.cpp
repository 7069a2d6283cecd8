#include "problems/planar/planar_system.hpp"

#include <algorithm>

#include "problems/planar/planar_elements.hpp"
#include "problems/planar/planar_rows.hpp"

namespace daemark {
namespace {

template <class S>
class PlanarSystem final : public MechanicalSystem<S> {
 public:
  explicit PlanarSystem(const PlanarMechanism& mechanism);

  void initial(S* q, S* v) const override {
    std::copy(q0_.begin(), q0_.end(), q);
    std::copy(v0_.begin(), v0_.end(), v);
  }
  void evaluate(const MotionPoint<S>& p, const ConstraintWeights<S>& w,
                const MotionValues<S>& out) override;
  void multiplier_stiffness(const MotionPoint<S>& p, S* stiffness) override;
  bool has_record() const override { return true; }
  void record(Tape<S>& tape, const TapeVar<S>* q, const TapeVar<S>* v, const TapeVar<S>* a,
              const TapeVar<S>* lambda, const TapeVar<S>& t, TapeVar<S>* R,
              TapeVar<S>* Phi) override;
  S kinetic_energy(const MotionPoint<S>& p) override;
  S potential_energy(const MotionPoint<S>& p) override;
  S work(const MotionPoint<S>& p) override;
  bool has_power() const override { return has_power_; }
  S power(const MotionPoint<S>& p) override;

 private:
  using Joint = PrismaticJoint<S>;
  using Coupling = PlanarCoupling<S>;
  struct JointPositions {
    int first_row;
    std::array<std::array<int, 6>, 2> gradient, curvature;
    std::array<std::array<int, 6>, 6> stiffness;
  };
  struct CouplingPositions {
    std::array<std::array<int, 6>, 6> residual_q, residual_v;
  };

  void lay_out_rows(const PlanarMechanism& mechanism);
  void lay_out_elements(const PlanarMechanism& mechanism);
  std::array<std::array<int, 6>, 6> block_positions(PatternBuilder& pattern, int a, int b);
  void evaluate_joint(const Joint& joint, const JointPositions& at, const MotionPoint<S>& p,
                      const ConstraintWeights<S>& w, const MotionValues<S>& out);
  void joint_stiffness(const Joint& joint, const JointPositions& at, const S* q, const S* lambda,
                       S* stiffness);
  void evaluate_coupling(const Coupling& coupling, const CouplingPositions& at,
                         const MotionPoint<S>& p, const MotionValues<S>& out);

  static void add_force(int column, const S& force, const MotionValues<S>& out) {
    if (out.residual) out.residual[column] -= force;
    if (out.force) out.force[column] += force;
  }
  static int column(int a, int b, int local) {
    return local < 3 ? 3 * a + local : 3 * b + local - 3;
  }
  template <class T>
  static std::array<T, 6> local(int a, int b, const T* x) {
    std::array<T, 6> z;
    for (int i = 0; i < 3; ++i) {
      z[i] = a < 0 ? T(0) : x[3 * a + i];
      z[3 + i] = b < 0 ? T(0) : x[3 * b + i];
    }
    return z;
  }

  std::vector<S> mass_, constant_force_, q0_, v0_, applied_;
  S gravity_;
  PlanarRows<S> rows_;
  std::vector<Joint> joints_;
  std::vector<JointPositions> joint_at_;
  std::vector<Coupling> couplings_;
  std::vector<CouplingPositions> coupling_at_;
  bool has_power_ = false;
  PatternBuilder gradient_, curvature_, residual_q_, residual_v_;  ///< of the constructor
};

template <class S>
PlanarSystem<S>::PlanarSystem(const PlanarMechanism& m) : gravity_(from_wide<S>(m.gravity())) {
  const int bodies = static_cast<int>(m.bodies().size()), n = 3 * bodies;
  for (int b = 0; b < bodies; ++b) {
    const auto& body = m.bodies()[b];
    for (const char* axis : {"x", "y", "theta"})
      this->coordinate_names_.push_back(axis + body.name);
    for (const wide& mass : {body.mass, body.mass, body.inertia})
      mass_.push_back(from_wide<S>(mass));
    for (const wide& q : {body.x, body.y, body.theta}) q0_.push_back(from_wide<S>(q));
    for (const wide& v : {body.vx, body.vy, body.omega}) v0_.push_back(from_wide<S>(v));
    for (const wide& f : {m.forces()[b][0], m.forces()[b][1], m.torques()[b]})
      applied_.push_back(from_wide<S>(f));
  }
  constant_force_ = applied_;
  for (int b = 0; b < bodies; ++b) constant_force_[3 * b + 1] -= mass_[3 * b] * gravity_;
  this->mass_pattern_ = {n, n, {}};
  for (int i = 0; i < n; ++i) this->mass_pattern_.entries.emplace_back(i, i);
  lay_out_rows(m);
  lay_out_elements(m);
  const int rows = static_cast<int>(this->constraint_names_.size());
  this->residual_q_pattern_ = residual_q_.pattern(n, n);
  this->residual_v_pattern_ = residual_v_.pattern(n, n);
  this->gradient_pattern_ = gradient_.pattern(rows, n);
  this->curvature_pattern_ = curvature_.pattern(rows, n);
}

template <class S>
void PlanarSystem<S>::lay_out_rows(const PlanarMechanism& m) {
  for (const auto& row : m.rows()) {
    rows_.add(row, gradient_, curvature_, residual_q_);
    this->constraint_names_.push_back("lambda_" + row.name);
  }
  has_power_ = rows_.has_law();
}

template <class S>
std::array<std::array<int, 6>, 6> PlanarSystem<S>::block_positions(PatternBuilder& pattern, int a,
                                                                   int b) {
  std::array<std::array<int, 6>, 6> at;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) {
      const bool ground = (i < 3 ? a : b) < 0 || (j < 3 ? a : b) < 0;
      at[i][j] = ground ? -1 : pattern.add(column(a, b, i), column(a, b, j));
    }
  return at;
}

template <class S>
void PlanarSystem<S>::lay_out_elements(const PlanarMechanism& m) {
  const auto narrow = [](const std::array<wide, 2>& x) {
    return std::array<S, 2>{from_wide<S>(x[0]), from_wide<S>(x[1])};
  };
  for (const auto& p : m.prismatics()) {
    joints_.push_back(
        {p.a, p.b, narrow(p.on_a), narrow(p.on_b), from_wide<S>(p.angle), from_wide<S>(p.offset)});
    JointPositions at;
    at.first_row = static_cast<int>(this->constraint_names_.size());
    for (int r = 0; r < 2; ++r) {
      this->constraint_names_.push_back("lambda_prismatic" + std::to_string(joints_.size()) +
                                        (r == 0 ? "_angle" : "_normal"));
      for (int i = 0; i < 6; ++i) {
        const bool absent = (i < 3 ? p.a : p.b) < 0;
        const int c = column(p.a, p.b, i);
        at.gradient[r][i] = absent ? -1 : gradient_.add(at.first_row + r, c);
        at.curvature[r][i] = absent || r == 0 ? -1 : curvature_.add(at.first_row + r, c);
      }
    }
    at.stiffness = block_positions(residual_q_, p.a, p.b);
    joint_at_.push_back(at);
  }
  for (const auto& c : m.couplings()) {
    couplings_.push_back({c.kind, c.a, c.b, narrow(c.on_a), narrow(c.on_b),
                          from_wide<S>(c.coefficient), from_wide<S>(c.rest)});
    CouplingPositions at{};
    at.residual_q = block_positions(residual_q_, c.a, c.b);
    if (couplings_.back().is_damper()) {
      has_power_ = true;
      at.residual_v = block_positions(residual_v_, c.a, c.b);
    }
    coupling_at_.push_back(at);
  }
}

template <class S>
void PlanarSystem<S>::evaluate(const MotionPoint<S>& p, const ConstraintWeights<S>& w,
                               const MotionValues<S>& out) {
  const int n = this->coordinates();
  if (out.residual)
    for (int i = 0; i < n; ++i) out.residual[i] = mass_[i] * p.a[i] - constant_force_[i];
  if (out.inertia)
    for (int i = 0; i < n; ++i) out.inertia[i] = mass_[i] * p.a[i];
  if (out.force) std::copy(constant_force_.begin(), constant_force_.end(), out.force);
  if (out.mass) std::copy(mass_.begin(), mass_.end(), out.mass);
  if (out.gradient) std::fill_n(out.gradient, this->gradient_pattern_.size(), S(0));
  if (out.residual_q) std::fill_n(out.residual_q, this->residual_q_pattern_.size(), S(0));
  if (out.residual_v) std::fill_n(out.residual_v, this->residual_v_pattern_.size(), S(0));
  if (out.curvature_q) std::fill_n(out.curvature_q, this->curvature_pattern_.size(), S(0));
  if (out.curvature_v) std::fill_n(out.curvature_v, this->curvature_pattern_.size(), S(0));
  if (out.residual || out.constraints() || out.gradient || out.derivatives()) {
    rows_.evaluate(p, w, out);
    for (std::size_t i = 0; i < joints_.size(); ++i)
      evaluate_joint(joints_[i], joint_at_[i], p, w, out);
  }
  if (out.residual || out.force || out.residual_q || out.residual_v)
    for (std::size_t i = 0; i < couplings_.size(); ++i)
      evaluate_coupling(couplings_[i], coupling_at_[i], p, out);
}

template <class S>
void PlanarSystem<S>::evaluate_joint(const Joint& joint, const JointPositions& at,
                                     const MotionPoint<S>& p, const ConstraintWeights<S>& w,
                                     const MotionValues<S>& out) {
  using D = Dual<S, 12>;
  const auto q = local(joint.a, joint.b, p.q), v = local(joint.a, joint.b, p.v),
             a = p.a ? local(joint.a, joint.b, p.a) : std::array<S, 6>{};
  std::array<TimeJet<D>, 6> z;
  for (int i = 0; i < 6; ++i) z[i] = {D::variable(q[i], i), D::variable(v[i], 6 + i), D(a[i])};
  std::array<TimeJet<D>, 2> phi;
  joint.constraint(z.data(), phi.data());
  for (int r = 0; r < 2; ++r) {
    const int row = at.first_row + r;
    const S &value = phi[r].value.value, &rate = phi[r].rate.value, &second = phi[r].second.value;
    if (out.weighted)
      out.weighted[row] = w.position * value + w.velocity * rate + w.acceleration * second;
    if (out.position) out.position[row] = value;
    if (out.velocity) out.velocity[row] = rate;
    if (out.acceleration) out.acceleration[row] = second;
    for (int i = 0; i < 6; ++i) {
      if (at.gradient[r][i] < 0) continue;
      const S& gradient = phi[r].value.grad[i];
      if (out.residual) out.residual[column(joint.a, joint.b, i)] += gradient * p.lambda[row];
      if (out.gradient) out.gradient[at.gradient[r][i]] += gradient;
      if (at.curvature[r][i] < 0) continue;
      if (out.curvature_q)
        out.curvature_q[at.curvature[r][i]] +=
            w.velocity * phi[r].rate.grad[i] + w.acceleration * phi[r].second.grad[i];
      if (out.curvature_v)
        out.curvature_v[at.curvature[r][i]] += w.acceleration * phi[r].second.grad[6 + i];
    }
  }
  if (out.residual_q) joint_stiffness(joint, at, p.q, p.lambda, out.residual_q);
}

template <class S>
void PlanarSystem<S>::joint_stiffness(const Joint& joint, const JointPositions& at, const S* q,
                                      const S* lambda, S* stiffness) {
  using D = Dual<S, 6>;
  using DD = Dual<D, 6>;
  const auto q6 = local(joint.a, joint.b, q);
  std::array<DD, 6> z;
  for (int i = 0; i < 6; ++i) z[i] = DD::variable(D::variable(q6[i], i), i);
  std::array<DD, 2> phi;
  joint.constraint(z.data(), phi.data());
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j)
      if (at.stiffness[i][j] >= 0)
        stiffness[at.stiffness[i][j]] += lambda[at.first_row] * phi[0].grad[i].grad[j] +
                                         lambda[at.first_row + 1] * phi[1].grad[i].grad[j];
}

template <class S>
void PlanarSystem<S>::evaluate_coupling(const Coupling& coupling, const CouplingPositions& at,
                                        const MotionPoint<S>& p, const MotionValues<S>& out) {
  const auto q = local(coupling.a, coupling.b, p.q), v = local(coupling.a, coupling.b, p.v);
  if (!out.residual_q && !out.residual_v) {
    std::array<S, 6> f;
    coupling.force(q.data(), v.data(), f.data());
    for (int i = 0; i < 6; ++i)
      if (at.residual_q[i][i] >= 0) add_force(column(coupling.a, coupling.b, i), f[i], out);
    return;
  }
  const auto add = [&]<int seeds>() {  // 12 derivatives where the velocities matter, else 6
    using D = Dual<S, seeds>;
    std::array<D, 6> z, rate, f;
    for (int i = 0; i < 6; ++i) {
      z[i] = D::variable(q[i], i);
      rate[i] = seeds > 6 ? D::variable(v[i], (6 + i) % seeds) : D(v[i]);
    }
    coupling.force(z.data(), rate.data(), f.data());
    for (int i = 0; i < 6; ++i) {
      if (at.residual_q[i][i] < 0) continue;
      add_force(column(coupling.a, coupling.b, i), f[i].value, out);
      for (int j = 0; j < 6; ++j) {
        if (at.residual_q[i][j] < 0) continue;
        if (out.residual_q) out.residual_q[at.residual_q[i][j]] -= f[i].grad[j];
        if constexpr (seeds > 6)
          if (out.residual_v) out.residual_v[at.residual_v[i][j]] -= f[i].grad[6 + j];
      }
    }
  };
  if (coupling.is_damper())
    add.template operator()<12>();
  else
    add.template operator()<6>();
}

template <class S>
void PlanarSystem<S>::multiplier_stiffness(const MotionPoint<S>& p, S* stiffness) {
  std::fill_n(stiffness, this->residual_q_pattern_.size(), S(0));
  rows_.add_stiffness(p.q, p.lambda, stiffness);
  for (std::size_t i = 0; i < joints_.size(); ++i)
    joint_stiffness(joints_[i], joint_at_[i], p.q, p.lambda, stiffness);
}

template <class S>
void PlanarSystem<S>::record(Tape<S>&, const TapeVar<S>* q, const TapeVar<S>* v,
                             const TapeVar<S>* a, const TapeVar<S>* lambda, const TapeVar<S>& t,
                             TapeVar<S>* R, TapeVar<S>* Phi) {
  using V = TapeVar<S>;
  for (int i = 0; i < this->coordinates(); ++i) R[i] = V(mass_[i]) * a[i] - V(constant_force_[i]);
  rows_.record(q, lambda, t, R, Phi);
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    using D = Dual<V, 6>;
    const auto q6 = local(joints_[j].a, joints_[j].b, q);
    std::array<D, 6> z;
    for (int i = 0; i < 6; ++i) z[i] = D::variable(q6[i], i);
    std::array<D, 2> phi;
    joints_[j].constraint(z.data(), phi.data());
    for (int r = 0; r < 2; ++r) {
      Phi[joint_at_[j].first_row + r] = phi[r].value;
      for (int i = 0; i < 6; ++i)
        if (joint_at_[j].gradient[r][i] >= 0)
          R[column(joints_[j].a, joints_[j].b, i)] +=
              phi[r].grad[i] * lambda[joint_at_[j].first_row + r];
    }
  }
  for (std::size_t c = 0; c < couplings_.size(); ++c) {
    const auto q6 = local(couplings_[c].a, couplings_[c].b, q);
    const auto v6 = local(couplings_[c].a, couplings_[c].b, v);
    std::array<V, 6> f;
    couplings_[c].force(q6.data(), v6.data(), f.data());
    for (int i = 0; i < 6; ++i)
      if (coupling_at_[c].residual_q[i][i] >= 0)
        R[column(couplings_[c].a, couplings_[c].b, i)] -= f[i];
  }
}

template <class S>
S PlanarSystem<S>::kinetic_energy(const MotionPoint<S>& p) {
  S sum(0);
  for (int i = 0; i < this->coordinates(); ++i) sum += mass_[i] * p.v[i] * p.v[i];
  return sum / S(2);
}

template <class S>
S PlanarSystem<S>::potential_energy(const MotionPoint<S>& p) {
  S sum(0);
  for (int i = 1; i < this->coordinates(); i += 3) sum += mass_[i] * gravity_ * p.q[i];
  for (const Coupling& c : couplings_) sum += c.potential(local(c.a, c.b, p.q).data());
  return sum;
}

template <class S>
S PlanarSystem<S>::work(const MotionPoint<S>& p) {
  S sum(0);
  for (int i = 0; i < this->coordinates(); ++i) sum += applied_[i] * (p.q[i] - q0_[i]);
  return sum;
}

template <class S>
S PlanarSystem<S>::power(const MotionPoint<S>& p) {
  S sum(0);
  for (const Coupling& c : couplings_) {
    if (!c.is_damper()) continue;
    const auto q6 = local(c.a, c.b, p.q), v6 = local(c.a, c.b, p.v);
    std::array<S, 6> f;
    c.force(q6.data(), v6.data(), f.data());
    for (int i = 0; i < 6; ++i) sum += f[i] * v6[i];
  }
  sum += rows_.power(p);
  return sum;
}

}  // namespace

template <class S>
MechanicalPtr<S> make_planar_system(const PlanarMechanism& mechanism) {
  return std::make_shared<PlanarSystem<S>>(mechanism);
}
template MechanicalPtr<double> make_planar_system<double>(const PlanarMechanism&);
template MechanicalPtr<quad> make_planar_system<quad>(const PlanarMechanism&);
template MechanicalPtr<real50> make_planar_system<real50>(const PlanarMechanism&);

}  // namespace daemark
