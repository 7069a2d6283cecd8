#include "problems/files/equations.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace daemark {
namespace {

using graph::Entry;

/// What formulas may read, as a set of bits.
enum Reads : unsigned {
  time = 1,
  position = 2,
  velocity = 4,
  acceleration = 8,
  multiplier = 16,
  everything = 31
};
constexpr const char* names_of_reads[] = {"the time", "coordinates", "velocities", "accelerations",
                                          "multipliers"};

/// Formulas as functions of given arguments. The graph of the arguments has inputs for all of them,
/// in the order of the formulas' numbers, unless it is not to be checked what they read.
class Recording {
 public:
  Recording(const Equations& e, const PartArguments& at, bool checked = true)
      : e_(e), graph_(at.t.graph()), checked_(checked) {
    values_ = {at.t};
    for (const auto* x : {&at.q, &at.v, &at.a, &at.lambda})
      values_.insert(values_.end(), x->begin(), x->end());
    for (const PlacedFormula& definition : e.definitions)
      values_.push_back((*this)(definition, everything));
  }

  Var operator()(const PlacedFormula& f, unsigned allowed) {
    Var value;
    try {
      value = f.formula.value<Var>([this](int number) { return values_[number]; });
    } catch (const std::domain_error&) {
      throw BadInput(f.where + ": no real number");
    }
    if (value.is_constant()) {
      if (!isfinite(value.constant())) throw BadInput(f.where + ": no real number");
      return value;
    }
    limit(f.where);
    require(value, allowed, f.where);
    return value;
  }

  /// Of what is recorded and derived so far: derivatives are what grows.
  void limit(const std::string& where) const {
    if (graph_ && graph_->size() > largest_graph)
      throw BadInput(
          fmt::format("{}: the equations so far take more than {} operations; at most so "
                      "many are accepted",
                      where, largest_graph));
  }

  void require(const Var& value, unsigned allowed, const std::string& what) const {
    if (!checked_ || value.is_constant() || allowed == everything) return;
    const graph::Graph& g = *value.graph();
    const std::vector<char> live = graph::live_nodes(g, {value});
    const int n = e_.n();
    for (int i = 0; i < 1 + 3 * n + e_.m(); ++i) {
      const int kind = i == 0 ? 0 : i > 3 * n ? 4 : (i - 1) / n + 1;
      if (!live[g.input_node(i)] || (allowed >> kind & 1U)) continue;
      const std::string name = i == 0 ? "t"
                               : i > 3 * n
                                   ? e_.rows[i - 1 - 3 * n].quantity.name
                                   : e_.coordinates[(i - 1) % n].quantity.name +
                                         std::string(static_cast<std::size_t>(kind) - 1, '\'');
      std::vector<std::string> accepted;
      for (int k = 0; k < 5; ++k)
        if (allowed >> k & 1U) accepted.emplace_back(names_of_reads[k]);
      throw BadInput(
          fmt::format("{} depends on {}; accepted: {}", what, name, fmt::join(accepted, ", ")));
    }
  }

 private:
  const Equations& e_;
  const graph::Graph* graph_;
  bool checked_;
  std::vector<Var> values_;
};

/// M and the forces of inertia from the kinetic energy.
void derive_motion(const Recording& recording, const PlacedFormula& where, const Var& T,
                   const PartArguments& at, PartFunctions& f) {
  const int n = static_cast<int>(at.q.size());
  const std::vector<Var> momentum = graph::gradient(T, at.v), slope = graph::gradient(T, at.q);
  recording.limit(where.where);
  const std::vector<Var> turned = graph::directional(momentum, at.q, at.v);
  recording.limit(where.where);
  const std::vector<Entry> second = graph::jacobian(momentum, at.v);
  recording.limit(where.where);
  f.mass.resize(n * n);
  for (const Entry& e : second) {
    recording.require(e.value, position,
                      where.where + ": not quadratic in the velocities, as its second derivative");
    if (e.row <= e.column) f.mass[e.row * n + e.column] = f.mass[e.column * n + e.row] = e.value;
  }
  for (int i = 0; i < n; ++i) f.force[i] = slope[i] - turned[i];
  f.kinetic = T;
  if (T.is_constant()) return;
  // With parts linear in the velocities or free of them, what is kept is v·∂T/∂v − T + V.
  graph::Graph& g = *T.graph();
  std::vector<Var> resting, parts = momentum;
  for (int i = 0; i < g.input_count(); ++i)
    resting.push_back(i > n && i <= 2 * n ? Var() : g.var(g.input_node(i)));
  parts.push_back(T);
  for (const Var& part : g.call(parts, resting)) {
    if (part.is_zero()) continue;
    Var energy = -T;
    for (int i = 0; i < n; ++i) energy += at.v[i] * momentum[i];
    f.kinetic = energy;
    return;
  }
}

/// The mass matrix as it is stated, and the power that its change takes.
void state_mass(const Equations& e, Recording& recording, const PartArguments& at,
                PartFunctions& f) {
  const int n = e.n();
  f.mass.resize(n * n);
  for (int i = 0; i < n * n; ++i)
    if (e.mass[i]) f.mass[i] = recording(*e.mass[i], position);
  const std::vector<Var> rate = graph::directional(f.mass, at.q, at.v);
  for (int i = 0; i < n * n; ++i) f.dissipation += rate[i] * at.v[i / n] * at.v[i % n] / Var(2);
}

PartFunctions record_equations(const Equations& e, const PartArguments& at) {
  const int n = e.n();
  Recording recording(e, at);
  PartFunctions f;
  f.force.resize(n);
  if (e.kinetic)
    derive_motion(recording, *e.kinetic, recording(*e.kinetic, position | velocity), at, f);
  else
    state_mass(e, recording, at, f);
  if (e.potential) f.potential = recording(*e.potential, time | position);
  const std::vector<Var> slope = graph::gradient(f.potential, at.q);
  std::vector<Var> lost(n);
  if (e.dissipation)
    lost = graph::gradient(recording(*e.dissipation, time | position | velocity), at.v);
  for (int i = 0; i < n; ++i) {
    Var load = -lost[i];
    if (e.forces[i]) load += recording(*e.forces[i], time | position | velocity | multiplier);
    f.force[i] += load - slope[i];
    f.dissipation += load * at.v[i];
  }
  for (const Equations::Row& row : e.rows) {
    const bool of_velocities = row.level == RowLevel::velocity;
    f.rows.push_back(recording(row.formula, time | position | (of_velocities ? velocity : 0U)));
    for (const Entry& slope_by : graph::jacobian({f.rows.back()}, at.v))
      recording.require(slope_by.value, time | position,
                        row.formula.where + ": not linear in the velocities, as its derivative");
  }
  for (const PlacedFormula& x : e.shown) recording(x, position);  // checked; see mechanism_of
  for (const PlacedFormula& value : e.output_values) recording(value, everything);  // checked
  recording.limit(e.where);
  return f;
}

}  // namespace

int Equations::velocity_rows() const {
  int count = 0;
  for (const Row& row : rows) count += row.level == RowLevel::velocity;
  return count;
}

std::shared_ptr<Mechanism> mechanism_of(const Equations& e) {
  const int n = e.n(), m = e.m();
  auto mechanism = std::make_shared<Mechanism>();
  for (const Equations::Coordinate& c : e.coordinates) mechanism->coordinates.push_back(c.quantity);
  std::vector<Quantity> rows;
  for (const Equations::Row& row : e.rows) {
    rows.push_back(row.quantity);
    mechanism->lambda0.push_back(row.multiplier);
  }
  mechanism->redundant = e.redundant, mechanism->outputs = e.outputs;

  graph::Graph g;
  PartArguments at;
  at.t = g.input();
  for (auto* x : {&at.q, &at.v, &at.a}) *x = g.inputs(n);
  at.lambda = g.inputs(m);
  std::tie(mechanism->q0, mechanism->v0) = start_of(e, g, at, record_equations(e, at));
  mechanism->elements = {whole_element(
      {n, m, e.velocity_rows()}, rows,
      [&e](const PartArguments& arguments) { return record_equations(e, arguments); })};
  if (!e.outputs.empty())
    mechanism->output_values = [e](const MotionPoint<Var>& p) {
      PartArguments moving{p.t,
                           {p.q, p.q + e.n()},
                           {p.v, p.v + e.n()},
                           {p.a, p.a + e.n()},
                           {p.lambda, p.lambda + e.m()},
                           {},
                           {}};
      Recording recording(e, moving, false);
      std::vector<Var> values;
      for (const PlacedFormula& value : e.output_values)
        values.push_back(recording(value, everything));
      return values;
    };

  if (!e.shown.empty())
    mechanism->shown = [e](const Var* q, const Var* v) {
      PartArguments moving{{}, {q, q + e.n()}, {v, v + e.n()}, {}, {}, {}, {}};
      moving.a.resize(e.n()), moving.lambda.resize(e.m());
      Recording recording(e, moving, false);
      std::vector<Var> states;
      for (const PlacedFormula& x : e.shown) states.push_back(recording(x, position));
      const std::vector<Var> rates = graph::directional(states, moving.q, moving.v);
      states.insert(states.end(), rates.begin(), rates.end());
      return states;
    };
  return mechanism;
}

Drawing drawing_from(const Equations& e) {
  Drawing drawing = e.view;
  if (e.shapes.empty()) return drawing;
  graph::Graph g;
  PartArguments at;
  at.t = g.input();
  for (auto* x : {&at.q, &at.v, &at.a}) *x = g.inputs(e.n());
  at.lambda = g.inputs(e.m());
  Recording recording(e, at);
  std::vector<Var> values;
  std::vector<DrawnShape> shapes;
  for (const Equations::Shape& shape : e.shapes) {
    shapes.push_back({shape.kind, std::vector<SpacePoint>(shape.points.size()), shape.closed});
    for (const auto& point : shape.points)
      for (const PlacedFormula& x : point) values.push_back(recording(x, time | position));
  }
  graph::Evaluator<double> evaluator(
      std::make_shared<const graph::Code>(graph::compile(g, {values})));
  drawing.shapes = [evaluator, shapes, n = e.n(), xyz = std::vector<double>(values.size())](
                       double t, const double* q) mutable {
    evaluator.inputs()[0] = t;
    std::copy_n(q, n, evaluator.inputs() + 1);
    evaluator.run(xyz.data());
    const double* x = xyz.data();
    for (DrawnShape& shape : shapes)
      for (SpacePoint& point : shape.points)
        for (double& coordinate : point) coordinate = *x++;
    return shapes;
  };
  return drawing;
}

}  // namespace daemark
