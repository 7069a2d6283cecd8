#include "analysis/variation/sensitivity.hpp"

#include <fmt/format.h>

#include "analysis/reference/reference.hpp"
#include "analysis/reference/taylor_reference.hpp"
#include "analysis/variation/numbers_of_data.hpp"
#include "base/graph/derivative.hpp"
#include "base/text/bad_input.hpp"
#include "problems/mechanism/recorded_system.hpp"

namespace daemark {
namespace {

using Recorded = RecordedSystem<real50>;

/// A mechanism whose Taylor series are of the coordinates that are shown.
std::shared_ptr<Recorded> series_of(const Problem& problem) {
  const MechanismMakers& makers = problem.series.in_real50 ? problem.series : problem.absolute;
  const auto refuse = [&](const char* why) {
    throw BadInput(
        fmt::format("sensitivities of {}: {}; accepted: problems of recorded mechanisms "
                    "whose coordinates are those shown",
                    problem.name, why));
  };
  if (!makers.in_real50) refuse("it exists in double only");
  auto system = std::dynamic_pointer_cast<Recorded>(makers.in_real50());
  if (!system || !system->has_record()) refuse("its rotations are on charts");
  if (system->forces_of_multipliers()) refuse("its forces depend on multipliers");
  if (system->rank() < system->constraints()) refuse("its constraints are redundant");
  if (problem.series.in_real50 || system->mechanism().shown)
    refuse("it is integrated in other coordinates");
  return system;
}

/// R and Φ as functions of q, v, a, λ and t.
struct Equations {
  explicit Equations(Recorded& system) {
    const int n = system.coordinates(), m = system.constraints();
    functions.resize(n + m);
    const auto q = graph.inputs(n), v = graph.inputs(n), a = graph.inputs(n),
               lambda = graph.inputs(m);
    const Var t = graph.input();
    system.record(graph, q.data(), v.data(), a.data(), lambda.data(), t, functions.data(),
                  functions.data() + n);
  }
  graph::Graph graph;
  std::vector<Var> functions;
};

/// R and Φ with the constants that depend on the datum as inputs, and their derivatives along a
/// change of the motion and of the datum.
class VariedEquations {
 public:
  /// `width`: of the datum between the two.
  VariedEquations(Recorded& below, Recorded& above, const wide& width)
      : n_(below.coordinates()), m_(below.constraints()), width_(width) {
    const Equations low(below), high(above);
    inputs_ = graph_.inputs(low.graph.input_count());
    rates_ = std::vector<Var>(inputs_.size());
    copy(low, high);
    const std::vector<Var> changes = graph_.inputs(3 * n_ + m_);
    std::copy(changes.begin(), changes.end(), rates_.begin());
    const std::vector<Var> derivatives = graph::directional(functions_, inputs_, rates_);
    functions_.insert(functions_.end(), derivatives.begin(), derivatives.end());
  }

  /// Of 2n coordinates, those of the motion and their changes, and 2m rows.
  void record(const Var* q, const Var* v, const Var* a, const Var* lambda, const Var& t, Var* R,
              Var* Phi) const {
    std::vector<Var> at;
    const auto add = [&](int half) {
      for (const Var* part : {q, v, a})
        at.insert(at.end(), part + half * n_, part + (half + 1) * n_);
      at.insert(at.end(), lambda + half * m_, lambda + (half + 1) * m_);
    };
    add(0);
    at.push_back(t);
    at.insert(at.end(), constants_.begin(), constants_.end());
    add(1);
    const std::vector<Var> values = graph_.call(functions_, at);
    for (int half = 0; half < 2; ++half) {
      const auto from = values.begin() + half * (n_ + m_);
      std::copy_n(from, n_, R + half * n_), std::copy_n(from + n_, m_, Phi + half * m_);
    }
  }

 private:
  void copy(const Equations& low, const Equations& high) {
    const auto refuse = [] {
      throw BadInput(
          "the parameter changes the form of the equations; accepted: one that does not");
    };
    if (low.graph.size() != high.graph.size()) refuse();
    std::vector<Var> nodes;
    for (int i = 0; i < low.graph.size(); ++i) {
      const graph::Node one = low.graph.node(i), other = high.graph.node(i);
      if (one.op != other.op) refuse();
      if (one.op == graph::Op::constant) {
        nodes.push_back(constant(low.graph.constant(one.a), high.graph.constant(other.a)));
        continue;
      }
      if (!(one == other)) refuse();
      const auto argument = [&](int node) { return node < 0 ? Var() : nodes[node]; };
      nodes.push_back(one.op == graph::Op::input ? inputs_[one.a]
                                                 : graph::apply(one.op, argument(one.a),
                                                                argument(one.b), argument(one.c)));
    }
    for (std::size_t i = 0; i < low.functions.size(); ++i) {
      const Var &one = low.functions[i], &other = high.functions[i];
      if (one.is_constant() != other.is_constant() || one.node() != other.node()) refuse();
      functions_.push_back(one.is_constant() ? constant(one.constant(), other.constant())
                                             : nodes[one.node()]);
    }
  }
  Var constant(const wide& low, const wide& high) {
    if (low == high) return low;
    constants_.emplace_back(wide((low + high) / 2));
    inputs_.push_back(graph_.input());
    rates_.emplace_back(wide((high - low) / width_));
    return inputs_.back();
  }

  int n_, m_;
  wide width_;
  graph::Graph graph_;
  std::vector<Var> inputs_, rates_, constants_, functions_;
};

/// The problem for other values of one number.
class Changed {
 public:
  Changed(const Problem& problem, const NumberOfData& number)
      : problem_(problem), number_(number), value_(number.exact().text()) {
    scale_ = number.exact().eval<wide>();
    if (scale_ == 0) scale_ = 1;
  }
  /// The number plus `step` (an expression) times itself, or times its unit where it is 0.
  std::shared_ptr<Recorded> by(const std::string& step) const {
    const std::string unit = number_.exact().eval<wide>() == 0 ? "1" : "(" + value_ + ")";
    const StatedNumber value(fmt::format("({})+{}*({})", value_, unit, step));
    return series_of(problem_registry().make(
        problem_.name, DatumChange{number_.datum->name, number_.place, value}));
  }
  const wide& scale() const { return scale_; }

 private:
  const Problem& problem_;
  const NumberOfData& number_;
  std::string value_;
  wide scale_;
};

using States = std::vector<TaylorState<real50>>;

struct StartChange {
  std::vector<wide> q, v;
};

/// d(q0, v0)/dp: of an assembled start, which has 45 digits, by differences of order 8 with the
/// step 1e-5, to 40 digits.
StartChange change_of_start(const Changed& changed, const Recorded& low, const Recorded& high,
                            const wide& width) {
  StartChange sum{std::vector<wide>(low.coordinates()), std::vector<wide>(low.coordinates())};
  const auto add = [&](const Recorded& at, const wide& weight) {
    for (int i = 0; i < low.coordinates(); ++i) {
      sum.q[i] += weight * at.mechanism().q0[i];
      sum.v[i] += weight * at.mechanism().v0[i];
    }
  };
  if (!low.mechanism().assembled) {
    add(high, 1 / width), add(low, -1 / width);
    return sum;
  }
  const wide step = changed.scale() * wide("1e-5");
  for (const auto& [place, above, below] :
       {std::tuple(1, 4, 5), {2, -1, 5}, {3, 4, 105}, {4, -1, 280}})
    for (const int side : {1, -1})
      add(*changed.by(fmt::format("{}*1e-5", side * place)), wide(side * above) / (below * step));
  return sum;
}

States by_variational_equations(const Changed& changed, const real50& start,
                                const std::vector<real50>& times) {
  const auto low = changed.by("-1e-40"), high = changed.by("1e-40");
  const wide width = 2 * changed.scale() * wide("1e-40");
  const int n = low->coordinates(), m = low->constraints();
  const auto equations = std::make_shared<VariedEquations>(*low, *high, width);
  std::vector<char> velocity_rows;
  for (int half = 0; half < 2; ++half)
    for (int row = 0; row < m; ++row)
      velocity_rows.push_back(low->row_level(row) == RowLevel::velocity);
  TaylorIntegrator<real50> series(
      2 * n, 2 * m,
      [equations](graph::Graph&, const Var* q, const Var* v, const Var* a, const Var* lambda,
                  const Var& t, Var* R,
                  Var* Phi) { equations->record(q, v, a, lambda, t, R, Phi); },
      0, velocity_rows);
  const StartChange change = change_of_start(changed, *low, *high, width);
  const auto with_change = [&](const std::vector<wide>& one, const std::vector<wide>& other,
                               const std::vector<wide>& rates) {
    std::vector<real50> all;
    for (int i = 0; i < n; ++i) all.push_back(from_wide<real50>((one[i] + other[i]) / 2));
    for (int i = 0; i < n; ++i) all.push_back(from_wide<real50>(rates[i]));
    return all;
  };
  return series.integrate(start, with_change(low->mechanism().q0, high->mechanism().q0, change.q),
                          with_change(low->mechanism().v0, high->mechanism().v0, change.v), times);
}

/// The second half of each part.
Motion changes_of(const TaylorState<real50>& state) {
  const auto half = [](const std::vector<real50>& x) {
    return std::vector<real50>(x.begin() + static_cast<long>(x.size() / 2), x.end());
  };
  return {half(state.q), half(state.v), half(state.lambda)};
}

std::vector<Motion> by_differences(const Changed& changed, const real50& start,
                                   const std::vector<real50>& times) {
  const real50 step = from_wide<real50>(changed.scale() * wide("1e-9"));
  std::vector<Motion> sums(times.size());
  for (const auto& [place, weight] : {std::pair(-2, 1), {-1, -8}, {1, 8}, {2, -1}}) {
    const auto system = changed.by(fmt::format("{}*1e-9", place));
    std::vector<real50> q(system->coordinates()), v(q);
    system->initial(q.data(), v.data());
    const States states = TaylorIntegrator<real50>(*system).integrate(start, q, v, times);
    for (std::size_t i = 0; i < times.size(); ++i)
      for (const auto& [from, to] : {std::pair(&states[i].q, &sums[i].q),
                                     {&states[i].v, &sums[i].v},
                                     {&states[i].lambda, &sums[i].lambda}}) {
        to->resize(from->size());
        for (std::size_t k = 0; k < from->size(); ++k)
          (*to)[k] += weight * (*from)[k] / (12 * step);
      }
  }
  return sums;
}

}  // namespace

std::vector<Sensitivity> sensitivities(const Problem& problem, const std::string& parameter,
                                       const std::vector<Expression>& times) {
  series_of(problem);
  const NumberOfData number = find_number(problem, parameter);
  const Changed changed(problem, number);
  const auto start = problem.start.eval<real50>();
  std::vector<real50> at;
  for (const Expression& t : times) at.push_back(t.eval<real50>());
  std::vector<Sensitivity> found;
  try {
    const States varied = by_variational_equations(changed, start, at);
    const std::vector<Motion> differences = by_differences(changed, start, at);
    constexpr double accuracy = 1e-35;  // of the differences: 4 s⁴ next to 1e-48/s
    constexpr int most_digits = 45;
    for (std::size_t i = 0; i < times.size(); ++i) {
      const Motion change = changes_of(varied[i]);
      const int digits = agreement(change, differences[i], accuracy, most_digits);
      found.push_back({number.name, number.datum->unit, times[i].text(), change, digits});
    }
  } catch (const TaylorFailure& failure) {
    throw NoReference(fmt::format("sensitivities of {}: {}", problem.name, failure.what()));
  }
  return found;
}

}  // namespace daemark
