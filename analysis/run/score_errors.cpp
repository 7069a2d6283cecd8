#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "analysis/run/score_columns.hpp"
#include "problems/system/index_one_solve.hpp"

namespace daemark {
namespace {

/// As written: a trajectory may have more digits than double.
real50 read(const std::string& text) {
  return real50(text.starts_with('+') ? text.substr(1) : text);
}

real50 norm(const std::vector<real50>& x) {
  real50 sum = 0;
  for (const real50& value : x) sum += value * value;
  return sqrt(sum);
}

class Comparison {
 public:
  Comparison(const ReferenceState& reference, const TrajectoryRow& row, const ScoreColumns& columns,
             const ScoredModel& model, std::vector<NotJudged>& not_judged)
      : reference_(reference),
        row_(row),
        columns_(columns),
        model_(model),
        mechanism_(model.problem->make<double>()),
        not_judged_(not_judged) {
    out_.t = reference.t;
    out_.reference_digits = reference.agreed_digits;
  }

  ScoredTime made() {
    compare_motion();
    compare_multipliers();
    compare_outputs();
    compare_energy();
    return std::move(out_);
  }

 private:
  /// The field of a column, 0 where there is none.
  real50 given(int column) const { return column < 0 ? real50(0) : read(row_.texts[column + 1]); }

  void skip(const std::string& what, const std::string& why) {
    not_judged_.push_back({fmt::format("{} at t = {}", what, reference_.t), why});
  }

  void add_column(int column, const std::string& name, const std::string& unit,
                  const real50& reference, int digits) {
    add_column(column, name, unit, reference, digits, real50(given(column) - reference));
  }
  void add_column(int column, const std::string& name, const std::string& unit,
                  const real50& reference, int digits, const real50& apart) {
    const real50 error = abs(apart);
    out_.columns.push_back({name, unit, row_.texts[column + 1],
                            reference.str(std::max(1, std::min(digits, 20))), to_double(error)});
  }

  /// The error, unless it takes digits that the reference does not have.
  void add_error(const char* name, const real50& error, const real50& size) {
    add_error(name, error, size, reference_.agreed_digits);
  }
  void add_error(const char* name, const real50& error, const real50& size, int digits) {
    int used = digits + 1;
    if (error > 0 && size > 0)
      used = std::max(
                 0, static_cast<int>(std::ceil(-to_double(real50(log10(real50(error / size))))))) +
             1;
    if (used > digits) {
      skip(name, fmt::format("it is below the {} digits of the reference", digits));
      return;
    }
    out_.errors[name] = to_double(error);
    out_.digits_used[name] = used;
  }

  /// q and v in the coordinates of the reference.
  void compare_motion() {
    const int n_ref = mechanism_->reference_coordinates();
    std::vector<real50> q, v;
    std::vector<real50> apart(n_ref);
    if (model_.compared_as_shown) {
      // What the file leaves out is taken from the reference: an orientation is compared as a
      // whole.
      for (int i = 0; i < n_ref; ++i) {
        q.push_back(columns_.of_q(i) < 0 ? reference_.q[i] : given(columns_.of_q(i)));
        v.push_back(given(columns_.of_v(i)));
      }
      mechanism_->reference_difference(q.data(), reference_.q.data(), apart.data());
      for (int i = 0; i < n_ref; ++i) {
        if (columns_.of_q(i) >= 0)
          add_column(columns_.of_q(i), model_.names.q[i], model_.names.q_units[i], reference_.q[i],
                     reference_.agreed_digits, apart[i]);
        if (columns_.of_v(i) >= 0)
          add_column(columns_.of_v(i), model_.names.v[i], model_.names.v_units[i], reference_.v[i],
                     reference_.agreed_digits);
      }
    } else if (columns_.has_motion()) {
      map_motion(q, v);
    }
    if (!columns_.has_motion()) {
      skip("error_q, error_v", columns_.what_is_missing());
      return;
    }
    mechanism_->reference_difference(q.data(), reference_.q.data(), apart.data());
    add_error("error_q", norm(apart), norm(reference_.q));
    for (int i = 0; i < n_ref; ++i) apart[i] = v[i] - reference_.v[i];
    add_error("error_v", norm(apart), norm(reference_.v));
  }

  /// From minimal or other coordinates, in 50 digits where the mechanism has them.
  void map_motion(std::vector<real50>& q, std::vector<real50>& v) const {
    const auto map = [&]<class S>() {
      const auto own = model_.problem->make<S>(model_.minimal);
      const int n = own->coordinates(), n_ref = own->reference_coordinates();
      std::vector<S> from_q(n), from_v(n), to_q(n_ref), to_v(n_ref);
      for (int i = 0; i < n; ++i) {
        from_q[i] = static_cast<S>(given(columns_.of_q(i)));
        from_v[i] = static_cast<S>(given(columns_.of_v(i)));
      }
      own->to_reference({S(row_.t), from_q.data(), from_v.data()}, to_q.data(), to_v.data());
      q.assign(to_q.begin(), to_q.end()), v.assign(to_v.begin(), to_v.end());
    };
    const MechanismMakers& makers =
        model_.minimal ? model_.problem->minimal : model_.problem->absolute;
    if (makers.in_real50)
      map.operator()<real50>();
    else
      map.operator()<double>();
  }

  void compare_multipliers() {
    const int m = model_.m();
    if (m == 0 || m != static_cast<int>(reference_.lambda.size())) return;
    std::vector<real50> apart(m);
    for (int i = 0; i < m; ++i) {
      const int column = columns_.of_lambda(i);
      apart[i] = given(column) - reference_.lambda[i];
      if (column >= 0)
        add_column(column, model_.names.lambda[i], model_.names.lambda_units[i],
                   reference_.lambda[i], reference_.agreed_digits);
    }
    if (columns_.has_multipliers()) add_error("error_lambda", norm(apart), norm(reference_.lambda));
  }

  /// The reference state in the mechanism's coordinates, in double; `what` is skipped where it is
  /// in others or has no accelerations.
  std::optional<State<double>> reference_in_double(const char* what) {
    const int n = mechanism_->coordinates(), n_ref = mechanism_->reference_coordinates();
    if (mechanism_->chart_size() == 0 && n != n_ref) {
      skip(what, "the reference is in other coordinates");
      return {};
    }
    std::vector<double> q_ref(n_ref), v_ref(n_ref);
    for (int i = 0; i < n_ref; ++i)
      q_ref[i] = to_double(reference_.q[i]), v_ref[i] = to_double(reference_.v[i]);
    State<double> state = ScoreColumns::state_of(*mechanism_, row_.t);
    mechanism_->from_reference(q_ref.data(), v_ref.data(), state.y.data(), state.y.data() + n,
                               state.chart.data());
    IndexOneSolve<double> index_one(*mechanism_);
    if (index_one.solve(*mechanism_, motion_point(n, state.point()), {0, 0, 1},
                        state.rate.data() + n, state.y.data() + 2 * n))
      return state;
    skip(what, "the equations of motion are singular there");
    return {};
  }

  /// Outputs of the reference state, in double.
  void compare_outputs() {
    const std::vector<OutputInfo>& outputs = mechanism_->outputs();
    bool asked = false;
    for (std::size_t i = 0; i < outputs.size(); ++i)
      asked = asked || columns_.of_output(static_cast<int>(i)) >= 0;
    const auto state = asked ? reference_in_double("outputs") : std::nullopt;
    if (!state) return;
    std::vector<double> values(outputs.size());
    mechanism_->output_values(motion_point(mechanism_->coordinates(), state->point()),
                              values.data());
    for (std::size_t i = 0; i < outputs.size(); ++i)
      if (const int column = columns_.of_output(static_cast<int>(i)); column >= 0)
        add_column(column, outputs[i].id, outputs[i].unit, real50(values[i]),
                   std::min(reference_.agreed_digits, digits_of_double));
  }

  /// What drives and dampers do is in the energy of the reference at the same time.
  void compare_energy() {
    if (!mechanism_->has_power() || !columns_.has_motion()) return;
    const auto reference = reference_in_double("error_energy");
    if (!reference) return;
    State<double> state = ScoreColumns::state_of(*model_.mechanism, row_.t);
    columns_.place_state(row_, state);
    const double energy = gained(*mechanism_, *reference);
    add_error(
        "error_energy", abs(real50(gained(*model_.mechanism, state) - energy)),
        real50(std::max(std::abs(energy), mechanism_->kinetic_energy(motion_point(
                                              mechanism_->coordinates(), reference->point())))),
        digits_of_double);
  }

  /// Energy since the start, without the work of constant loads.
  static double gained(MechanicalSystem<double>& mechanism, const State<double>& state) {
    const auto energy = [&](const State<double>& s) {
      const MotionPoint<double> at = motion_point(mechanism.coordinates(), s.point());
      return mechanism.kinetic_energy(at) + mechanism.potential_energy(at) - mechanism.work(at);
    };
    State<double> start = ScoreColumns::state_of(mechanism, state.t);
    mechanism.initial(start.y.data(), start.y.data() + mechanism.coordinates());
    return energy(state) - energy(start);
  }

  static constexpr int digits_of_double = 13;
  const ReferenceState& reference_;
  const TrajectoryRow& row_;
  const ScoreColumns& columns_;
  const ScoredModel& model_;
  MechanicalPtr<double> mechanism_;
  std::vector<NotJudged>& not_judged_;
  ScoredTime out_;
};

}  // namespace

ScoredTime compare_with(const ReferenceState& reference, const TrajectoryRow& row,
                        const ScoreColumns& columns, const ScoredModel& model,
                        std::vector<NotJudged>& not_judged) {
  return Comparison(reference, row, columns, model, not_judged).made();
}

}  // namespace daemark
