// A mechanism from templated functions written once; derivatives come from nested jets (dense).
//
// A Model has `static constexpr int n, m;` and, for any scalar-like T:
//   void mass(const T* q, T* M) const                      n × n row-major, symmetric
//   void force(const T& t, const T* q, const T* v, T* f) const      n, gyroscopic terms included;
//     or (t, q, v, lambda, f), and void multipliers(S* lambda) const: MechanicalSystem's guess
//   void constraint(const T& t, const T* q, T* phi) const  m
//   T potential(const T& t, const T* q) const   [J]
//   void initial(T* q, T* v) const
//   static std::vector<Quantity> coordinates(), rows()     names and units
// and, where the last rows begin on the velocity level (see MechanicalSystem),
//   static constexpr int velocity_rows: so many of the m; constraint() then has m − velocity_rows
//   void velocity_constraint(const T& t, const T* q, const T* v, T* rate) const     linear in v
// and may have
//   T kinetic(const T* q, const T* v) const   [J]; ½ vᵀM v where it has none
//   S damping_power(const S* q, const S* v) const       of forces that are no potential's [W];
//     or (q, v, lambda) where they depend on λ
//   static constexpr bool driven: rows or potential depend on time, what moves them has a power
//   T work(const T* q) const                                   see MechanicalSystem::work
//   void to_reference(const S* q, const S* v, S* q_ref, S* v_ref) const, with static int n_ref
//   static constexpr int redundant: so many constraints follow from the rest
//   static std::vector<OutputInfo> outputs(); void output_values(const MotionPoint<S>&, S*) const
//   Drawing drawing() const                                     for an animation
// and, on a chart (see MechanicalSystem::chart_size), chart_size, rotations(), chart(S*), and
//   void set_chart(const S*)        the functions above then refer to that chart (set on a copy)
//   bool holds(const S* q) const    whether the chart reaches that far; else nothing is a number
//   void re_express(const S* origin, const T* q, T* q_new) const    q in the chart around origin
//   void move_chart(const S* origin)                                the same for the chart itself
//   from_reference, reference_names, reference_velocity_names, reference_difference
// Parameters of the Model are `wide`, converted with T(from_wide<S>(x)) by the model's own S.
#pragma once

#include <array>
#include <limits>

#include "base/numbers/jet.hpp"
#include "problems/system/drawing.hpp"
#include "problems/system/model_forces.hpp"
#include "problems/system/model_velocity_rows.hpp"
#include "problems/system/registry.hpp"

namespace daemark {

template <class S, template <class> class ModelOf>
class ModelSystem final : public MechanicalSystem<S>, public Drawable {
 public:
  using Model = ModelOf<S>;
  static constexpr int n = Model::n, m = Model::m;

  explicit ModelSystem(Model model) : model_(std::move(model)) {
    for (const Quantity& coordinate : Model::coordinates()) this->add_coordinate(coordinate);
    for (const Quantity& row : Model::rows())
      this->add_row(row, this->constraints() < positions ? RowLevel::position : RowLevel::velocity);
    const auto dense = [](int rows) {
      Pattern p{rows, n, {}};
      for (int i = 0; i < rows; ++i)
        for (int j = 0; j < n; ++j) p.entries.emplace_back(i, j);
      return p;
    };
    this->mass_pattern_ = this->residual_q_pattern_ = this->residual_v_pattern_ = dense(n);
    this->gradient_pattern_ = this->curvature_pattern_ = dense(m);
    if constexpr (by_multipliers) {
      Pattern& p = this->residual_lambda_pattern_ = {n, m, {}};
      for (int i = 0; i < n; ++i)
        for (int r = 0; r < m; ++r) p.entries.emplace_back(i, r);
    }
    if constexpr (requires { Model::outputs(); }) this->outputs_ = Model::outputs();
    if constexpr (requires { Model::redundant; }) {
      static_assert(Velocities::count == 0, "how many of which rows follow is not said");
      this->redundant_ = Model::redundant;
    }
  }

  Drawing drawing() const override {
    if constexpr (requires { model_.drawing(); }) return model_.drawing();
    return {};
  }

  void initial(S* q, S* v) const override { model_.initial(q, v); }
  void guess_multipliers(S* lambda) const override {
    if constexpr (by_multipliers)
      model_.multipliers(lambda);
    else
      MechanicalSystem<S>::guess_multipliers(lambda);
  }

  void evaluate(const MotionPoint<S>& p, const ConstraintWeights<S>& w,
                const MotionValues<S>& out) override {
    const auto& model = placed(p.chart);
    if (out.derivatives())
      evaluate_with_jacobian(model, p, w, out);
    else if (out.residual || out.gradient)
      evaluate_values(model, p, w, out);
    else if (out.constraints())
      evaluate_constraints(model, p, w, out);
    if (out.inertia || out.force) Forces::evaluate(model, p, out);
    if (out.mass) model.mass(p.q, out.mass);
    if constexpr (on_chart)
      if (!model.holds(p.q)) write_no_numbers(out);
  }

  void multiplier_stiffness(const MotionPoint<S>& p, S* stiffness) override {
    using D = Dual<S, n>;
    std::array<D, n> z, reaction;
    for (int i = 0; i < n; ++i) z[i] = D::variable(p.q[i], i);
    constraint_force<D>(placed(p.chart), D(p.t), z.data(), p.lambda, reaction.data());
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) stiffness[i * n + j] = reaction[i].grad[j];
  }

  bool has_record() const override { return !on_chart && !by_multipliers; }
  void record(Tape<S>&, const TapeVar<S>* q, const TapeVar<S>* v, const TapeVar<S>* a,
              const TapeVar<S>* lambda, const TapeVar<S>& t, TapeVar<S>* R,
              TapeVar<S>* Phi) override {
    if constexpr (!by_multipliers) {
      using V = TapeVar<S>;
      Forces::template inertia_minus<V>(model_, t, q, v, a, lambda, R);
      std::array<V, n> reaction;
      constraint_force<V>(model_, t, q, lambda, reaction.data());
      for (int i = 0; i < n; ++i) R[i] += reaction[i];
      if constexpr (positions > 0) model_.constraint(t, q, Phi);
      if constexpr (positions < m) model_.velocity_constraint(t, q, v, Phi + positions);
    }
  }

  S kinetic_energy(const MotionPoint<S>& p) override {
    return Forces::kinetic(placed(p.chart), p.q, p.v);
  }
  S potential_energy(const MotionPoint<S>& p) override {
    return placed(p.chart).potential(p.t, p.q);
  }
  S work(const MotionPoint<S>& p) override {
    if constexpr (requires { model_.work(p.q); })
      return placed(p.chart).work(p.q);
    else
      return S(0);
  }
  bool has_power() const override {
    return requires { Model::driven; }
    || Forces::dissipate;
  }
  S power(const MotionPoint<S>& p) override {
    S sum(0);
    if constexpr (requires { Model::driven; }) sum += drive_power(placed(p.chart), p);
    if constexpr (Forces::dissipate) sum += Forces::damping_power(model_, p);
    return sum;
  }
  void output_values(const MotionPoint<S>& p, S* values) override {
    if constexpr (requires { Model::outputs(); }) placed(p.chart).output_values(p, values);
  }

  int chart_size() const override {
    if constexpr (on_chart)
      return Model::chart_size;
    else
      return 0;
  }
  std::vector<int> rotations() const override {
    if constexpr (on_chart) return Model::rotations();
    return {};
  }
  void initial_chart(S* chart) const override {
    if constexpr (on_chart) model_.chart(chart);
  }
  // With q + ε₁(v + ε₂ v̇) + ε₂ q̇ the change of chart yields its tangent maps in one go.
  void rebase(S* chart, const std::vector<ChartPoint<S>>& points) override {
    if constexpr (on_chart) {
      using D = Dual<S, 1>;
      Model model = placed(chart);
      std::array<S, n> origin;
      std::copy_n(points.front().q, n, origin.begin());
      for (const ChartPoint<S>& p : points) {
        std::array<Dual<D, 1>, n> z, moved;
        for (int i = 0; i < n; ++i) {
          z[i].value.value = p.q[i], z[i].value.grad[0] = p.q_rate[i];
          z[i].grad[0].value = p.v[i], z[i].grad[0].grad[0] = p.v_rate[i];
        }
        model.re_express(origin.data(), z.data(), moved.data());
        for (int i = 0; i < n; ++i) {
          p.q[i] = moved[i].value.value, p.q_rate[i] = moved[i].value.grad[0];
          p.v[i] = moved[i].grad[0].value, p.v_rate[i] = moved[i].grad[0].grad[0];
        }
      }
      model.move_chart(origin.data());
      model.chart(chart);
    }
  }
  int reference_coordinates() const override {
    if constexpr (requires { Model::n_ref; })
      return Model::n_ref;
    else
      return n;
  }
  void to_reference(const MotionPoint<S>& p, S* q_ref, S* v_ref) const override {
    if constexpr (requires { Model::n_ref; })
      placed(p.chart).to_reference(p.q, p.v, q_ref, v_ref);
    else
      MechanicalSystem<S>::to_reference(p, q_ref, v_ref);
  }
  void from_reference(const S* q_ref, const S* v_ref, S* q, S* v, S* chart) const override {
    if constexpr (on_chart) {
      Model model = model_;
      model.from_reference(q_ref, v_ref, q, v);
      model.chart(chart);
    } else {
      MechanicalSystem<S>::from_reference(q_ref, v_ref, q, v, chart);
    }
  }
  std::vector<std::string> reference_names() const override {
    if constexpr (on_chart)
      return Model::reference_names();
    else
      return this->coordinate_names_;
  }
  std::vector<std::string> reference_velocity_names() const override {
    if constexpr (on_chart)
      return Model::reference_velocity_names();
    else
      return this->coordinate_names_;
  }
  void reference_difference(const real50* a, const real50* b, real50* difference) const override {
    if constexpr (on_chart)
      Model::reference_difference(a, b, difference);
    else
      MechanicalSystem<S>::reference_difference(a, b, difference);
  }

 private:
  static void write_no_numbers(const MotionValues<S>& out) {
    const S none = std::numeric_limits<S>::quiet_NaN();
    for (S* values : {out.residual, out.inertia, out.force})
      if (values) std::fill_n(values, n, none);
    for (S* values : {out.weighted, out.position, out.velocity, out.acceleration})
      if (values) std::fill_n(values, m, none);
  }

  static constexpr bool on_chart = requires { Model::chart_size; };
  using Forces = ModelForces<S, Model>;
  static constexpr bool by_multipliers = Forces::by_multipliers;
  using Velocities = ModelVelocityRows<S, Model>;
  static constexpr int positions = m - Velocities::count;     // rows of Φ, which come first
  static constexpr int rows = positions > 0 ? positions : 1;  // no arrays of length 0

  /// The model itself where it is flat, a copy on the chart otherwise.
  decltype(auto) placed(const S* chart) const {
    if constexpr (on_chart) {
      Model model = model_;
      model.set_chart(chart);
      return model;
    } else {
      (void)chart;
      return static_cast<const Model&>(model_);
    }
  }

  /// Gᵀλ by the gradient of λᵀΦ.
  template <class T, class L>
  static void constraint_force(const Model& model, const T& t, const T* q, const L* lambda,
                               T* reaction) {
    using D = Dual<T, n>;
    std::array<D, n> z;
    std::array<D, rows> phi;
    for (int i = 0; i < n; ++i) z[i] = D::variable(q[i], i);
    if constexpr (positions > 0) model.constraint(D(t), z.data(), phi.data());
    for (int i = 0; i < n; ++i) {
      reaction[i] = T(0);
      for (int r = 0; r < positions; ++r) reaction[i] += phi[r].grad[i] * T(lambda[r]);
    }
    if constexpr (positions < m) Velocities::add_reaction(model, t, q, lambda, reaction);
  }

  /// λᵀ∂Φ/∂t, of rows of velocities λᵀc, and ∂V/∂t.
  static S drive_power(const Model& model, const MotionPoint<S>& p) {
    using D = Dual<S, 1>;
    std::array<D, n> q;
    for (int i = 0; i < n; ++i) q[i] = D(p.q[i]);
    const D t = D::variable(p.t, 0);
    S sum = model.potential(t, q.data()).grad[0];
    std::array<D, rows> phi;
    if constexpr (positions > 0) model.constraint(t, q.data(), phi.data());
    for (int r = 0; r < positions; ++r) sum += p.lambda[r] * phi[r].grad[0];
    if constexpr (positions < m) sum += Velocities::power(model, p);
    return sum;
  }

  template <class T>
  static void constraint_jets(const Model& model, const MotionPoint<S>& p, const T* q, const T* v,
                              TimeJet<T>* phi) {
    std::array<TimeJet<T>, n> z;
    for (int i = 0; i < n; ++i) z[i] = TimeJet<T>(q[i], v[i], T(p.a ? p.a[i] : S(0)));
    if constexpr (positions > 0) model.constraint(TimeJet<T>(T(p.t), T(1), T(0)), z.data(), phi);
  }

  /// Φ, Φ̇, Φ̈ of row r and their weighted sum.
  static void write_levels(int r, const S& value, const S& rate, const S& second,
                           const ConstraintWeights<S>& w, const MotionValues<S>& out) {
    if (out.weighted)
      out.weighted[r] = w.position * value + w.velocity * rate + w.acceleration * second;
    if (out.position) out.position[r] = value;
    if (out.velocity) out.velocity[r] = rate;
    if (out.acceleration) out.acceleration[r] = second;
  }

  static void evaluate_constraints(const Model& model, const MotionPoint<S>& p,
                                   const ConstraintWeights<S>& w, const MotionValues<S>& out) {
    std::array<TimeJet<S>, rows> phi;
    constraint_jets<S>(model, p, p.q, p.v, phi.data());
    for (int r = 0; r < positions; ++r)
      write_levels(r, phi[r].value, phi[r].rate, phi[r].second, w, out);
    if constexpr (positions < m) Velocities::write(model, p, w, out, false);
  }

  static void evaluate_values(const Model& model, const MotionPoint<S>& p,
                              const ConstraintWeights<S>& w, const MotionValues<S>& out) {
    using D = Dual<S, n>;
    if (out.residual)
      Forces::template inertia_minus<S>(model, p.t, p.q, p.v, p.a, p.lambda, out.residual);
    std::array<D, n> q, v;
    std::array<TimeJet<D>, rows> phi;
    for (int i = 0; i < n; ++i) q[i] = D::variable(p.q[i], i), v[i] = D(p.v[i]);
    constraint_jets<D>(model, p, q.data(), v.data(), phi.data());
    for (int r = 0; r < positions; ++r) {
      write_levels(r, phi[r].value.value, phi[r].rate.value, phi[r].second.value, w, out);
      for (int i = 0; i < n; ++i) {
        if (out.residual) out.residual[i] += phi[r].value.grad[i] * p.lambda[r];
        if (out.gradient) out.gradient[r * n + i] = phi[r].value.grad[i];
      }
    }
    if constexpr (positions < m) Velocities::write(model, p, w, out, true);
  }

  static void evaluate_with_jacobian(const Model& model, const MotionPoint<S>& p,
                                     const ConstraintWeights<S>& w, const MotionValues<S>& out) {
    add_dynamics(model, p, out);
    if constexpr (by_multipliers)
      if (out.residual_lambda) Forces::differentiate_by_multipliers(model, p, out);
    // Velocities matter to Φ̈ alone; directions without use are what nested jets cost most.
    if (w.acceleration != S(0) || out.acceleration)
      write_constraints<2 * n>(model, p, w, out);
    else
      write_constraints<n>(model, p, w, out);
    if constexpr (positions < m) Velocities::write(model, p, w, out, false);
  }

  static void add_dynamics(const Model& model, const MotionPoint<S>& p,
                           const MotionValues<S>& out) {
    using D = Dual<S, 2 * n>;
    using Q = Dual<S, n>;
    std::array<D, n> q, v, a, value;
    std::array<Q, n> position, reaction;
    for (int i = 0; i < n; ++i) {
      q[i] = D::variable(p.q[i], i), v[i] = D::variable(p.v[i], n + i), a[i] = D(p.a[i]);
      position[i] = Q::variable(p.q[i], i);
    }
    std::array<D, by_multipliers ? m : 1> lambda;
    if constexpr (by_multipliers)
      for (int r = 0; r < m; ++r) lambda[r] = D(p.lambda[r]);
    Forces::template inertia_minus<D>(model, D(p.t), q.data(), v.data(), a.data(), lambda.data(),
                                      value.data());
    constraint_force<Q>(model, Q(p.t), position.data(), p.lambda, reaction.data());
    for (int i = 0; i < n; ++i) {
      if (out.residual) out.residual[i] = value[i].value + reaction[i].value;
      for (int j = 0; j < n; ++j) {
        if (out.residual_q) out.residual_q[i * n + j] = value[i].grad[j] + reaction[i].grad[j];
        if (out.residual_v) out.residual_v[i * n + j] = value[i].grad[n + j];
      }
    }
  }

  /// All levels with their derivatives in `directions`: n (coordinates) or 2 n (velocities too).
  template <int directions>
  static void write_constraints(const Model& model, const MotionPoint<S>& p,
                                const ConstraintWeights<S>& w, const MotionValues<S>& out) {
    using D = Dual<S, directions>;
    constexpr bool with_velocities = directions > n;
    std::array<D, n> q, v;
    std::array<TimeJet<D>, rows> phi;
    for (int i = 0; i < n; ++i) {
      q[i] = D::variable(p.q[i], i);
      if constexpr (with_velocities)
        v[i] = D::variable(p.v[i], n + i);
      else
        v[i] = D(p.v[i]);
    }
    constraint_jets<D>(model, p, q.data(), v.data(), phi.data());
    for (int r = 0; r < positions; ++r) {
      write_levels(r, phi[r].value.value, phi[r].rate.value, phi[r].second.value, w, out);
      for (int j = 0; j < n; ++j) {
        if (out.gradient) out.gradient[r * n + j] = phi[r].value.grad[j];
        if (out.curvature_q)
          out.curvature_q[r * n + j] =
              w.velocity * phi[r].rate.grad[j] + w.acceleration * phi[r].second.grad[j];
        if (out.curvature_v) {
          out.curvature_v[r * n + j] = S(0);
          if constexpr (with_velocities)
            out.curvature_v[r * n + j] = w.acceleration * phi[r].second.grad[n + j];
        }
      }
    }
  }

  Model model_;
};

/// The three scalars of a model; `make` is a generic callable: make.template operator()<S>().
template <template <class> class ModelOf, class Make>
MechanismMakers model_makers(Make make) {
  return {
      [make] {
        return std::make_shared<ModelSystem<double, ModelOf>>(make.template operator()<double>());
      },
      [make] {
        return std::make_shared<ModelSystem<quad, ModelOf>>(make.template operator()<quad>());
      },
      [make] {
        return std::make_shared<ModelSystem<real50, ModelOf>>(make.template operator()<real50>());
      }};
}

}  // namespace daemark
