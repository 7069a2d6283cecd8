#include "problems/system/recorded_system.hpp"

#include <algorithm>

namespace daemark {
namespace {

using graph::Evaluator;

template <class S>
class RecordedSystem final : public MechanicalSystem<S>, public Drawable {
 public:
  explicit RecordedSystem(std::shared_ptr<const Mechanism> mechanism);

  Drawing drawing() const override {
    return mechanism_->drawing ? mechanism_->drawing() : Drawing{};
  }
  void initial(S* q, S* v) const override { narrow(mechanism_->q0, q), narrow(mechanism_->v0, v); }
  void guess_multipliers(S* lambda) const override { narrow(mechanism_->lambda0, lambda); }
  void evaluate(const MotionPoint<S>& p, const ConstraintWeights<S>& w,
                const MotionValues<S>& out) override;
  void multiplier_stiffness(const MotionPoint<S>& p, S* stiffness) override {
    S* groups[part_groups] = {};
    groups[static_cast<int>(PartGroup::stiffness)] = stiffness;
    run(bit(PartGroup::stiffness), p, {}, groups);
  }
  bool has_record() const override { return true; }
  void record(graph::Graph&, const Var* q, const Var* v, const Var* a, const Var* lambda,
              const Var& t, Var* R, Var* Phi) override;

  S kinetic_energy(const MotionPoint<S>& p) override { return number(PartGroup::kinetic, p); }
  S potential_energy(const MotionPoint<S>& p) override { return number(PartGroup::potential, p); }
  S work(const MotionPoint<S>& p) override { return number(PartGroup::work, p); }
  bool has_power() const override { return mechanism_->part->has_power(); }
  S power(const MotionPoint<S>& p) override { return number(PartGroup::power, p); }
  void output_values(const MotionPoint<S>& p, S* values) override {
    if (!mechanism_->part->has_outputs()) return;
    S* groups[part_groups] = {};
    groups[static_cast<int>(PartGroup::outputs)] = values;
    run(bit(PartGroup::outputs), p, {}, groups);
  }

  int reference_coordinates() const override {
    return mechanism_->shown ? shown_size_ / 2 : this->coordinates();
  }
  void to_reference(const MotionPoint<S>& p, S* q_ref, S* v_ref) const override;

 private:
  static void narrow(const std::vector<wide>& from, S* to) {
    for (const wide& x : from) *to++ = from_wide<S>(x);
  }
  void record_shown();
  void run(unsigned mask, const MotionPoint<S>& p, const ConstraintWeights<S>& w, S* const* groups,
           const S& row_weight = S(0));
  Evaluator<S>& evaluator(unsigned mask);
  S number(PartGroup group, const MotionPoint<S>& p) {
    S value(0);
    S* groups[part_groups] = {};
    groups[static_cast<int>(group)] = &value;
    run(bit(group), p, {}, groups);
    return value;
  }

  std::shared_ptr<const Mechanism> mechanism_;
  std::vector<std::pair<unsigned, Evaluator<S>>> evaluators_;
  mutable Evaluator<S> shown_;
  int shown_size_ = 0;
  std::vector<S> levels_;  ///< Φ, Φ̇, Φ̈ where they are not asked for by themselves
};

template <class S>
RecordedSystem<S>::RecordedSystem(std::shared_ptr<const Mechanism> mechanism)
    : mechanism_(std::move(mechanism)) {
  for (const Quantity& coordinate : mechanism_->coordinates) this->add_coordinate(coordinate);
  for (const Mechanism::Row& row : mechanism_->rows) this->add_row(row.quantity, row.level);
  const int n = this->coordinates(), m = this->constraints();
  const auto pattern = [&](PartGroup group, int rows, int columns) {
    return Pattern{rows, columns, mechanism_->part->places(group)};
  };
  this->mass_pattern_ = pattern(PartGroup::mass, n, n);
  this->gradient_pattern_ = pattern(PartGroup::gradient, m, n);
  this->curvature_pattern_ = pattern(PartGroup::curvature_q, m, n);
  this->residual_q_pattern_ = pattern(PartGroup::residual_q, n, n);
  this->residual_v_pattern_ = pattern(PartGroup::residual_v, n, n);
  if (mechanism_->part->forces_of_multipliers())
    this->residual_lambda_pattern_ = pattern(PartGroup::residual_lambda, n, m);
  this->outputs_ = mechanism_->outputs;
  this->redundant_ = mechanism_->redundant;
  levels_.resize(3 * m);
  if (mechanism_->shown) record_shown();
}

template <class S>
void RecordedSystem<S>::record_shown() {
  graph::Graph g;
  const auto q = g.inputs(this->coordinates()), v = g.inputs(this->coordinates());
  const std::vector<Var> states = mechanism_->shown(q.data(), v.data());
  shown_size_ = static_cast<int>(states.size());
  shown_ = Evaluator<S>(std::make_shared<const graph::Code>(
      graph::compile(g, {{states.begin(), states.begin() + shown_size_ / 2},
                         {states.begin() + shown_size_ / 2, states.end()}})));
}

template <class S>
Evaluator<S>& RecordedSystem<S>::evaluator(unsigned mask) {
  for (auto& [known, evaluator] : evaluators_)
    if (known == mask) return evaluator;
  return evaluators_.emplace_back(mask, Evaluator<S>(mechanism_->part->code(mask))).second;
}

template <class S>
void RecordedSystem<S>::run(unsigned mask, const MotionPoint<S>& p, const ConstraintWeights<S>& w,
                            S* const* groups, const S& row_weight) {
  Evaluator<S>& e = evaluator(mask);
  const int n = this->coordinates(), m = this->constraints();
  S* x = e.inputs();
  *x++ = p.t;
  for (const auto& [from, count] :
       {std::pair(p.q, n), std::pair(p.v, n), std::pair(p.a, n), std::pair(p.lambda, m)})
    x = from ? std::copy_n(from, count, x) : std::fill_n(x, count, S(0));
  x[0] = w.velocity, x[1] = w.acceleration, x[2] = row_weight;
  e.run(groups);
}

template <class S>
void RecordedSystem<S>::evaluate(const MotionPoint<S>& p, const ConstraintWeights<S>& w,
                                 const MotionValues<S>& out) {
  unsigned mask = 0;
  S* groups[part_groups] = {};
  const auto ask = [&](PartGroup group, S* to) {
    if (!to) return;
    mask |= bit(group), groups[static_cast<int>(group)] = to;
  };
  ask(PartGroup::residual, out.residual), ask(PartGroup::inertia, out.inertia);
  ask(PartGroup::force, out.force), ask(PartGroup::mass, out.mass);
  ask(PartGroup::gradient, out.gradient);
  ask(PartGroup::residual_q, out.residual_q), ask(PartGroup::residual_v, out.residual_v);
  ask(PartGroup::residual_lambda, out.residual_lambda);
  ask(PartGroup::curvature_q, out.curvature_q), ask(PartGroup::curvature_v, out.curvature_v);
  const int m = this->constraints();
  const bool velocity_rows = this->velocity_rows() > 0;
  const ConstraintWeights<S> of_velocities = velocity_rows ? w.of_velocity_rows() : w;
  const auto level = [&](PartGroup group, S* to, bool weighted, int number) {
    ask(group, to ? to : out.weighted && weighted ? &levels_[number * m] : nullptr);
  };
  level(PartGroup::position, out.position, w.position != 0, 0);
  level(PartGroup::velocity, out.velocity, w.velocity != 0 || of_velocities.velocity != 0, 1);
  level(PartGroup::acceleration, out.acceleration, w.acceleration != 0, 2);
  if (w.velocity != 0) mask |= with_velocity_weight;
  if (velocity_rows && of_velocities.velocity != 0) mask |= with_row_weight;
  if (w.acceleration != 0) mask |= with_acceleration_weight;
  if (!out.curvature_q && !out.curvature_v) mask &= bit(PartGroup::count) - 1;
  run(mask, p, w, groups, of_velocities.velocity);
  if (!out.weighted) return;
  const S* const position = groups[static_cast<int>(PartGroup::position)];
  const S* const velocity = groups[static_cast<int>(PartGroup::velocity)];
  const S* const acceleration = groups[static_cast<int>(PartGroup::acceleration)];
  for (int r = 0; r < m; ++r) {
    const ConstraintWeights<S>& own =
        velocity_rows && this->row_level(r) == RowLevel::velocity ? of_velocities : w;
    S sum(0);
    if (position && own.position != 0) sum += own.position * position[r];
    if (velocity && own.velocity != 0) sum += own.velocity * velocity[r];
    if (acceleration && own.acceleration != 0) sum += own.acceleration * acceleration[r];
    out.weighted[r] = sum;
  }
}

template <class S>
void RecordedSystem<S>::record(graph::Graph&, const Var* q, const Var* v, const Var* a,
                               const Var* lambda, const Var& t, Var* R, Var* Phi) {
  const int n = this->coordinates(), m = this->constraints();
  std::fill_n(R, n, Var());
  mechanism_->part->record({t, {q, q + n}, {v, v + n}, {a, a + n}, {lambda, lambda + m}, {}, {}}, R,
                           Phi);
}

template <class S>
void RecordedSystem<S>::to_reference(const MotionPoint<S>& p, S* q_ref, S* v_ref) const {
  if (!mechanism_->shown) return MechanicalSystem<S>::to_reference(p, q_ref, v_ref);
  const int n = this->coordinates();
  std::copy_n(p.v, n, std::copy_n(p.q, n, shown_.inputs()));
  S* groups[] = {q_ref, v_ref};
  shown_.run(groups);
}

}  // namespace

MechanismMakers recorded_makers(std::function<std::shared_ptr<const Mechanism>()> make) {
  struct Shared {
    std::once_flag once;
    std::shared_ptr<const Mechanism> mechanism;
  };
  const auto of = [make = std::move(make), shared = std::make_shared<Shared>()] {
    std::call_once(shared->once, [&] { shared->mechanism = make(); });
    return shared->mechanism;
  };
  return {[of] { return std::make_shared<RecordedSystem<double>>(of()); },
          [of] { return std::make_shared<RecordedSystem<quad>>(of()); },
          [of] { return std::make_shared<RecordedSystem<real50>>(of()); }};
}

}  // namespace daemark
