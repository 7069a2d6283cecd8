// A mechanism from functions of its coordinates, recorded as one part.
//
// A Model has `static constexpr int n, m;` and the following. What is written to is zero at first;
// numbers of the model are `wide`, or of the graph where charts set them; arguments are inputs of
// one graph, on which derivative.hpp may be asked for slopes and rates.
//   void mass(const Var* q, Var* M) const                  n × n row-major, symmetric
//   void force(const Var& t, const Var* q, const Var* v, Var* f) const
//     n, gyroscopic terms included; or (t, q, v, lambda, f), and
//     void multipliers(Var* lambda) const: MechanicalSystem's guess
//   void constraint(const Var& t, const Var* q, Var* phi) const                m
//   Var potential(const Var& t, const Var* q) const                            [J]
//   void initial(Var* q, Var* v) const                     constants
//   static std::vector<Quantity> coordinates(), rows()     names and units
// and, where the last rows begin on the velocity level (see MechanicalSystem),
//   static constexpr int velocity_rows: so many of the m; constraint() then has m − velocity_rows
//   void velocity_constraint(const Var& t, const Var* q, const Var* v, Var* rate) const
//     linear in v
// and may have
//   Var damping_power(const Var* q, const Var* v) const
//     of forces that are no potential's [W]; or (q, v, lambda) where they depend on λ
//   Var work(const Var* q) const                           see MechanicalSystem::work
//   void to_reference(const Var* q, const Var* v, Var* q_ref, Var* v_ref) const
//     with static int n_ref
//   static constexpr int redundant: so many constraints follow from the rest
//   std::vector<Chart> charts() const, void set_chart(const Var* numbers): coordinates are on
//     charts (charts.hpp), from whose numbers the functions above then start; with
//     static std::vector<std::string> reference_names(), reference_velocity_names()
//   static std::vector<OutputInfo> outputs()
//   void output_values(const MotionPoint<Var>&, Var*) const
//   Drawing drawing() const                                for an animation
#pragma once

#include "problems/mechanism/recorded_system.hpp"

namespace daemark {

template <class Model>
PartFunctions record_model(const Model& model, const PartArguments& at) {
  constexpr int n = Model::n, m = Model::m;
  constexpr int velocity_rows = [] {
    if constexpr (requires { Model::velocity_rows; })
      return Model::velocity_rows;
    else
      return 0;
  }();
  PartFunctions f;
  f.mass.resize(n * n), f.force.resize(n), f.rows.resize(m);
  const Var *const q = at.q.data(), *const v = at.v.data(), *const lambda = at.lambda.data();
  model.mass(q, f.mass.data());
  if constexpr (requires { model.force(at.t, q, v, lambda, f.force.data()); })
    model.force(at.t, q, v, lambda, f.force.data());
  else
    model.force(at.t, q, v, f.force.data());
  if constexpr (m > velocity_rows) model.constraint(at.t, q, f.rows.data());
  if constexpr (velocity_rows > 0)
    model.velocity_constraint(at.t, q, v, f.rows.data() + (m - velocity_rows));
  f.potential = model.potential(at.t, q);
  if constexpr (requires { model.work(q); }) f.work = model.work(q);
  if constexpr (requires { model.damping_power(q, v, lambda); })
    f.dissipation = model.damping_power(q, v, lambda);
  else if constexpr (requires { model.damping_power(q, v); })
    f.dissipation = model.damping_power(q, v);
  return f;
}

/// What a model says of itself, and its part.
template <class Model>
std::shared_ptr<const Mechanism> mechanism_of(const Model& model) {
  constexpr int n = Model::n, m = Model::m;
  auto mechanism = std::make_shared<Mechanism>();
  PartSizes sizes{n, m};
  if constexpr (requires { Model::velocity_rows; }) sizes.velocity_rows = Model::velocity_rows;
  mechanism->coordinates = Model::coordinates();
  std::vector<Var> q(n), v(n), lambda(m);
  model.initial(q.data(), v.data());
  if constexpr (requires { model.multipliers(lambda.data()); }) model.multipliers(lambda.data());
  for (const Var& x : q) mechanism->q0.push_back(x.constant());
  for (const Var& x : v) mechanism->v0.push_back(x.constant());
  for (const Var& x : lambda) mechanism->lambda0.push_back(x.constant());
  if constexpr (requires { Model::redundant; }) mechanism->redundant = Model::redundant;
  if constexpr (requires { Model::outputs(); }) {
    mechanism->outputs = Model::outputs();
    mechanism->output_values = [model](const MotionPoint<Var>& at) {
      std::vector<Var> values(Model::outputs().size());
      model.output_values(at, values.data());
      return values;
    };
  }
  if constexpr (requires { model.drawing(); })
    mechanism->drawing = [model] { return model.drawing(); };
  if constexpr (requires { model.charts(); }) {
    mechanism->charts = model.charts();
    for (const Chart& chart : mechanism->charts)
      sizes.chart += static_cast<int>(chart.numbers.size());
    mechanism->reference_names = Model::reference_names();
    mechanism->reference_velocity_names = Model::reference_velocity_names();
  }
  if constexpr (requires { model.to_reference(q.data(), v.data(), q.data(), v.data()); })
    mechanism->shown = [model](const Var* at, const Var* rate) {
      std::vector<Var> states(2 * Model::n_ref);
      model.to_reference(at, rate, states.data(), states.data() + Model::n_ref);
      return states;
    };
  mechanism->elements = {whole_element(sizes, Model::rows(), [model](const PartArguments& at) {
    if constexpr (requires { model.charts(); }) {
      Model placed = model;
      placed.set_chart(at.chart.data());
      return record_model(placed, at);
    } else {
      return record_model(model, at);
    }
  })};
  return mechanism;
}

/// A model in each scalar.
template <class Model>
MechanismMakers model_makers(const Model& model) {
  return recorded_makers([model] { return mechanism_of(model); });
}

}  // namespace daemark
