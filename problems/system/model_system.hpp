// A mechanism from templated functions written once; derivatives come from nested jets (dense).
// What stands here is for models on charts of their own and for equations whose coefficients
// change; others are recorded (recorded_model.hpp, which says what a Model has).
//
// On a chart (see MechanicalSystem::chart_size) a Model has chart_size, rotations(), chart(S*), and
//   void set_chart(const S*)        the functions then refer to that chart (set on a copy)
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
#include "problems/system/recorded_model.hpp"

namespace daemark {

template <class S, template <class> class ModelOf>
class ModelSystem final : public MechanicalSystem<S>, public Drawable {
 public:
  using Model = ModelOf<S>;
  static constexpr int n = Model::n, m = Model::m;

  explicit ModelSystem(Model model) : model_(std::move(model)) {
    for (const Quantity& coordinate : Model::coordinates()) this->add_coordinate(coordinate);
    for (const Quantity& row : Model::rows()) this->add_row(row);
    const auto dense = [](int rows) {
      Pattern p{rows, n, {}};
      for (int i = 0; i < rows; ++i)
        for (int j = 0; j < n; ++j) p.entries.emplace_back(i, j);
      return p;
    };
    this->mass_pattern_ = this->residual_q_pattern_ = this->residual_v_pattern_ = dense(n);
    this->gradient_pattern_ = this->curvature_pattern_ = dense(m);
  }

  Drawing drawing() const override {
    if constexpr (requires { model_.drawing(); }) return model_.drawing();
    return {};
  }

  void initial(S* q, S* v) const override { model_.initial(q, v); }

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

  bool has_record() const override { return !on_chart; }
  void record(graph::Graph&, const Var* q, const Var* v, const Var* a, const Var* lambda,
              const Var& t, Var* R, Var* Phi) override {
    Forces::template inertia_minus<Var>(model_, t, q, v, a, R);
    std::array<Var, n> reaction;
    constraint_force<Var>(model_, t, q, lambda, reaction.data());
    for (int i = 0; i < n; ++i) R[i] += reaction[i];
    if constexpr (m > 0) model_.constraint(t, q, Phi);
  }

  S kinetic_energy(const MotionPoint<S>& p) override {
    return Forces::kinetic(placed(p.chart), p.q, p.v);
  }
  S potential_energy(const MotionPoint<S>& p) override {
    return placed(p.chart).potential(p.t, p.q);
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
  static constexpr int rows = m > 0 ? m : 1;  // no arrays of length 0

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
    if constexpr (m > 0) model.constraint(D(t), z.data(), phi.data());
    for (int i = 0; i < n; ++i) {
      reaction[i] = T(0);
      for (int r = 0; r < m; ++r) reaction[i] += phi[r].grad[i] * T(lambda[r]);
    }
  }

  template <class T>
  static void constraint_jets(const Model& model, const MotionPoint<S>& p, const T* q, const T* v,
                              TimeJet<T>* phi) {
    std::array<TimeJet<T>, n> z;
    for (int i = 0; i < n; ++i) z[i] = TimeJet<T>(q[i], v[i], T(p.a ? p.a[i] : S(0)));
    if constexpr (m > 0) model.constraint(TimeJet<T>(T(p.t), T(1), T(0)), z.data(), phi);
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
    for (int r = 0; r < m; ++r) write_levels(r, phi[r].value, phi[r].rate, phi[r].second, w, out);
  }

  static void evaluate_values(const Model& model, const MotionPoint<S>& p,
                              const ConstraintWeights<S>& w, const MotionValues<S>& out) {
    using D = Dual<S, n>;
    if (out.residual) Forces::template inertia_minus<S>(model, p.t, p.q, p.v, p.a, out.residual);
    std::array<D, n> q, v;
    std::array<TimeJet<D>, rows> phi;
    for (int i = 0; i < n; ++i) q[i] = D::variable(p.q[i], i), v[i] = D(p.v[i]);
    constraint_jets<D>(model, p, q.data(), v.data(), phi.data());
    for (int r = 0; r < m; ++r) {
      write_levels(r, phi[r].value.value, phi[r].rate.value, phi[r].second.value, w, out);
      for (int i = 0; i < n; ++i) {
        if (out.residual) out.residual[i] += phi[r].value.grad[i] * p.lambda[r];
        if (out.gradient) out.gradient[r * n + i] = phi[r].value.grad[i];
      }
    }
  }

  static void evaluate_with_jacobian(const Model& model, const MotionPoint<S>& p,
                                     const ConstraintWeights<S>& w, const MotionValues<S>& out) {
    add_dynamics(model, p, out);
    // Velocities matter to Φ̈ alone; directions without use are what nested jets cost most.
    if (w.acceleration != S(0) || out.acceleration)
      write_constraints<2 * n>(model, p, w, out);
    else
      write_constraints<n>(model, p, w, out);
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
    Forces::template inertia_minus<D>(model, D(p.t), q.data(), v.data(), a.data(), value.data());
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
    for (int r = 0; r < m; ++r) {
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

/// A model in each scalar, recorded where it has no chart; `make` is a generic callable:
/// make.template operator()<S>().
template <template <class> class ModelOf, class Make>
MechanismMakers model_makers(Make make) {
  if constexpr (!requires { ModelOf<Var>::chart_size; })
    return recorded_makers([make] { return mechanism_of(make.template operator()<Var>()); });
  else
    return {
        [make] {
          return std::make_shared<ModelSystem<double, ModelOf>>(make.template operator()<double>());
        },
        [make] {
          return std::make_shared<ModelSystem<real50, ModelOf>>(make.template operator()<real50>());
        }};
}

}  // namespace daemark
