#include "problems/planar/planar_system.hpp"

#include <algorithm>

#include "problems/elements/assembly.hpp"
#include "problems/planar/planar_drawing.hpp"
#include "problems/planar/planar_elements.hpp"
#include "problems/planar/planar_rows.hpp"
#include "problems/planar/timed_loads.hpp"

namespace daemark {
namespace {

template <class S>
class PlanarSystem final : public MechanicalSystem<S>, public Drawable {
 public:
  explicit PlanarSystem(std::shared_ptr<const PlanarMechanism> mechanism);

  Drawing drawing() const override { return planar_drawing(*mechanism_); }
  MechanicalPtr<S> stiff_part() const override {
    const auto part = mechanism_->stiff_part();
    return part ? make_planar_system<S>(part) : nullptr;
  }

  void initial(S* q, S* v) const override {
    std::copy(q0_.begin(), q0_.end(), q);
    std::copy(v0_.begin(), v0_.end(), v);
  }
  void evaluate(const MotionPoint<S>& p, const ConstraintWeights<S>& w,
                const MotionValues<S>& out) override;
  void multiplier_stiffness(const MotionPoint<S>& p, S* stiffness) override;
  bool has_record() const override { return true; }
  void record(graph::Graph& graph, const Var* q, const Var* v, const Var* a, const Var* lambda,
              const Var& t, Var* R, Var* Phi) override;
  S kinetic_energy(const MotionPoint<S>& p) override;
  S potential_energy(const MotionPoint<S>& p) override;
  S work(const MotionPoint<S>& p) override;
  bool has_power() const override {
    return rows_.has_law() || elements_.has_power() || !timed_loads_.empty();
  }
  S power(const MotionPoint<S>& p) override;
  void output_values(const MotionPoint<S>& p, S* values) override {
    for (const OutputLaw& law : output_laws_) *values++ = law.value<S>(p.t, p.q, p.v);
  }

 private:
  void lay_out_elements(const PlanarMechanism& mechanism, MotionPatterns& patterns);

  std::shared_ptr<const PlanarMechanism> mechanism_;
  std::vector<S> mass_, constant_force_, q0_, v0_, applied_;
  S gravity_;
  std::vector<OutputLaw> output_laws_;
  TimedLoads<S> timed_loads_;
  PlanarRows<S> rows_;
  Assembly<S> elements_;  ///< prismatic joints, springs, dampers
};

template <class S>
PlanarSystem<S>::PlanarSystem(std::shared_ptr<const PlanarMechanism> mechanism)
    : mechanism_(std::move(mechanism)),
      gravity_(from_wide<S>(mechanism_->gravity())),
      timed_loads_(*mechanism_, 3) {
  const PlanarMechanism& m = *mechanism_;
  const int bodies = static_cast<int>(m.bodies().size()), n = 3 * bodies;
  for (int b = 0; b < bodies; ++b) {
    const auto& body = m.bodies()[b];
    for (const auto& [axis, unit] :
         {std::pair("x", "m"), std::pair("y", "m"), std::pair("theta", "rad")})
      this->add_coordinate({axis + body.name, unit});
    for (const wide& mass : {body.mass, body.mass, body.inertia})
      mass_.push_back(from_wide<S>(mass));
    for (const wide& q : {body.x, body.y, body.theta}) q0_.push_back(from_wide<S>(q));
    for (const wide& v : {body.vx, body.vy, body.omega}) v0_.push_back(from_wide<S>(v));
    for (const wide& f : {m.forces()[b][0], m.forces()[b][1], m.torques()[b]})
      applied_.push_back(from_wide<S>(f));
  }
  this->outputs_ = m.outputs();
  output_laws_ = m.output_laws();
  constant_force_ = applied_;
  for (int b = 0; b < bodies; ++b) constant_force_[3 * b + 1] -= mass_[3 * b] * gravity_;
  this->mass_pattern_ = {n, n, {}};
  for (int i = 0; i < n; ++i) this->mass_pattern_.entries.emplace_back(i, i);
  MotionPatterns patterns;
  for (const auto& row : m.rows()) {
    rows_.add(row, patterns.gradient, patterns.curvature, patterns.residual_q);
    this->add_row({"lambda_" + row.quantity.name, row.quantity.unit});
  }
  lay_out_elements(m, patterns);
  this->redundant_ = m.redundancy();
  const int rows = this->constraints();
  this->residual_q_pattern_ = patterns.residual_q.pattern(n, n);
  this->residual_v_pattern_ = patterns.residual_v.pattern(n, n);
  this->gradient_pattern_ = patterns.gradient.pattern(rows, n);
  this->curvature_pattern_ = patterns.curvature.pattern(rows, n);
}

template <class S>
void PlanarSystem<S>::lay_out_elements(const PlanarMechanism& m, MotionPatterns& patterns) {
  const auto narrow = [](const std::array<wide, 2>& x) {
    return std::array<S, 2>{from_wide<S>(x[0]), from_wide<S>(x[1])};
  };
  const auto bodies = [](int a, int b) {
    return node_coordinates({{a < 0 ? -1 : 3 * a, 3}, {b < 0 ? -1 : 3 * b, 3}});
  };
  const auto add = [&](std::unique_ptr<Element<S>> element) {
    const int first_row = this->constraints();
    for (const Quantity& row : element->rows()) this->add_row(row);
    elements_.add(std::move(element), first_row, patterns);
  };
  int joint = 0;
  for (const auto& p : m.prismatics()) {
    const std::string name = "lambda_prismatic" + std::to_string(++joint);
    add(std::make_unique<ConstraintElement<S, PrismaticJoint<S>>>(
        bodies(p.a, p.b), std::vector<Quantity>{{name + "_angle", "rad"}, {name + "_normal", "m"}},
        PrismaticJoint<S>{narrow(p.on_a), narrow(p.on_b), from_wide<S>(p.angle),
                          from_wide<S>(p.offset)}));
  }
  for (const auto& c : m.couplings())
    add(std::make_unique<ForceElement<S, PlanarCoupling<S>>>(
        bodies(c.a, c.b), PlanarCoupling<S>{c.kind, narrow(c.on_a), narrow(c.on_b),
                                            from_wide<S>(c.coefficient), from_wide<S>(c.rest)}));
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
  if (!timed_loads_.empty()) timed_loads_.add(p.t, out);
  if (out.gradient) std::fill_n(out.gradient, this->gradient_pattern_.size(), S(0));
  if (out.residual_q) std::fill_n(out.residual_q, this->residual_q_pattern_.size(), S(0));
  if (out.residual_v) std::fill_n(out.residual_v, this->residual_v_pattern_.size(), S(0));
  if (out.curvature_q) std::fill_n(out.curvature_q, this->curvature_pattern_.size(), S(0));
  if (out.curvature_v) std::fill_n(out.curvature_v, this->curvature_pattern_.size(), S(0));
  if (out.residual || out.constraints() || out.gradient || out.derivatives())
    rows_.evaluate(p, w, out);
  elements_.evaluate(p, w, out);
}

template <class S>
void PlanarSystem<S>::multiplier_stiffness(const MotionPoint<S>& p, S* stiffness) {
  std::fill_n(stiffness, this->residual_q_pattern_.size(), S(0));
  rows_.add_stiffness(p.q, p.lambda, stiffness);
  elements_.add_multiplier_stiffness(p, stiffness);
}

template <class S>
void PlanarSystem<S>::record(graph::Graph&, const Var* q, const Var* v, const Var* a,
                             const Var* lambda, const Var& t, Var* R, Var* Phi) {
  using V = Var;
  for (int i = 0; i < this->coordinates(); ++i) R[i] = V(mass_[i]) * a[i] - V(constant_force_[i]);
  timed_loads_.record(t, R);
  rows_.record(q, lambda, t, R, Phi);
  elements_.record(q, v, a, lambda, t, R, Phi);
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
  elements_.add_potential_energy(p, sum);
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
  elements_.add_power(p, sum);
  sum += rows_.power(p) + timed_loads_.power(p);
  return sum;
}

}  // namespace

template <class S>
MechanicalPtr<S> make_planar_system(std::shared_ptr<const PlanarMechanism> mechanism) {
  return std::make_shared<PlanarSystem<S>>(std::move(mechanism));
}
template <class S>
MechanicalPtr<S> make_planar_system(const PlanarMechanism& mechanism) {
  return make_planar_system<S>(std::make_shared<const PlanarMechanism>(mechanism));
}

#define DAEMARK_PLANAR_SYSTEM(S)                                                           \
  template MechanicalPtr<S> make_planar_system<S>(std::shared_ptr<const PlanarMechanism>); \
  template MechanicalPtr<S> make_planar_system<S>(const PlanarMechanism&);
DAEMARK_PLANAR_SYSTEM(double)
DAEMARK_PLANAR_SYSTEM(real50)

}  // namespace daemark
