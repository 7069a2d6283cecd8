#include "analysis/run/score.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "analysis/reference/reference.hpp"
#include "analysis/run/measures.hpp"
#include "analysis/run/score_columns.hpp"
#include "analysis/setup/bound_run.hpp"
#include "base/program/stop.hpp"
#include "base/text/bad_input.hpp"
#include "problems/bodies/trajectory.hpp"

namespace daemark {
namespace {

/// Times of a row and of a reference this close are the same: both are rounded.
bool same_time(double a, double b) {
  constexpr double units = 4 * 2.3e-16;
  return std::abs(a - b) <= units * std::max(std::abs(a), std::abs(b));
}

/// The rational with the least denominator that is the same time as t, which is finite.
rational simplest_near(double t) {
  // Continued fraction; partial quotients of a double are exact in rationals.
  rational rest(t), before_p(1), before_q(0), p(floor(t)), q(1);
  constexpr int most = 60;
  for (int i = 0; i < most && !same_time(static_cast<double>(rational(p / q)), t); ++i) {
    const rational whole(static_cast<double>(std::floor(static_cast<double>(rest))));
    rest = rational(1) / (rest - whole);
    const rational next(static_cast<double>(std::floor(static_cast<double>(rest))));
    const rational new_p = next * p + before_p, new_q = next * q + before_q;
    before_p = p, before_q = q, p = new_p, q = new_q;
  }
  return p / q;
}

/// One pass over a file.
class Judge {
 public:
  explicit Judge(const ScoreRequest& request)
      : request_(request),
        problem_(problem_registry().make(request.problem)),
        formulation_(Formulation::parse(request.formulation)),
        model_(problem_, formulation_),
        mechanism_(*model_.mechanism),
        index_one_(mechanism_),
        measures_(mechanism_),
        reader_(request.file),
        rigid_(problem_.bodies && !model_.minimal ? problem_.bodies() : nullptr),
        bodies_(reader_.columns(), model_.names, reader_.place(), rigid_.get()),
        columns_(bodies_.columns(), model_, reader_.place()) {
    score_.problem = problem_.name, score_.formulation = formulation_.name();
    score_.h = reader_.h();
    for (const PublishedState& state : published_references())
      if (state.problem == problem_.name && state.is_current) published_.push_back(state.t);
    observe_start();
  }

  Score judge() {
    TrajectoryRow row, last;
    while (reader_.next(row)) {
      checkpoint();
      bodies_.translate(row, reader_.place());
      if (score_.rows++ == 0) check_first(row);
      observe(row);
      score_.t_end = row.t;
      if (const std::string time = published_at(row.t); !time.empty())
        compare(row, time);
      else if (problem_.closed_form)
        compare_with_closed_form(row);
      std::swap(last, row);
    }
    if (published_at(last.t).empty()) {
      if (problem_.closed_form) score_.times.pop_back();  // now by two routes
      compare_last(last);
    }
    finish();
    return std::move(score_);
  }

 private:
  /// Accelerations and multipliers that belong to q and v; throws BadInput where there are none.
  void complete(State<double>& state) {
    const int n = model_.n();
    std::copy_n(state.y.begin() + n, n, state.rate.begin());
    const MotionPoint<double> at = motion_point(n, state.point());
    if (!index_one_.solve(mechanism_, at, {0, 0, 1}, state.rate.data() + n, state.y.data() + 2 * n))
      throw BadInput(reader_.place() + ": the equations of motion are singular at this state");
  }

  /// What energy is compared with: the exact start.
  void observe_start() {
    start_ = ScoreColumns::state_of(mechanism_, problem_.start.eval<double>());
    mechanism_.initial(start_.y.data(), start_.y.data() + model_.n());
    complete(start_);
    if (columns_.has_motion()) measures_.observe(start_);
  }

  void check_first(const TrajectoryRow& row) {
    score_.t_start = row.t;
    if (row.t < start_.t && !same_time(row.t, start_.t))
      throw BadInput(fmt::format("{}: t = {} is before the start of {} at {} s", reader_.place(),
                                 row.t, problem_.name, start_.t));
    if (same_time(row.t, start_.t) || row.t == start_.t) columns_.check_start(row, start_);
  }

  void observe(const TrajectoryRow& row) {
    if (!columns_.has_positions()) return;
    State<double> state = ScoreColumns::state_of(mechanism_, row.t);
    columns_.place_state(row, state);
    check_positions(state);
    if (!columns_.has_motion() || row.t <= start_.t) return;
    complete(state);
    columns_.place_rest(row, state);
    measures_.observe(state);
  }

  void check_positions(const State<double>& state) {
    const int m = model_.m();
    if (m == 0) return;
    violation_.resize(m);
    MotionValues<double> out;
    out.position = violation_.data();
    mechanism_.evaluate(motion_point(model_.n(), state.point()), {}, out);
    for (int i = 0; i < m; ++i) {
      position_most_ = std::max(position_most_, std::abs(violation_[i]));
      if (!(std::abs(violation_[i]) <= request_.tolerance))
        throw BadInput(fmt::format(
            "{}: the state violates {} by {:.3g}; accepted: at most {:g} (--tolerance), in the "
            "coordinates and units of {}",
            reader_.place(), mechanism_.constraint_names()[i], std::abs(violation_[i]),
            request_.tolerance, problem_.name));
    }
  }

  std::string published_at(double t) const {
    for (const std::string& time : published_)
      if (same_time(Expression::parse(time, "t").eval<double>(), t)) return time;
    return {};
  }

  void compare(const TrajectoryRow& row, const std::string& time) {
    const ReferenceState reference =
        reference_states(problem_, {time}, digits_for_errors(Precision::in_double)).front();
    score_.times.push_back(compare_with(reference, row, columns_, model_, score_.not_judged));
  }

  /// By one route; the last time confirms it and reports what cannot be judged.
  void compare_with_closed_form(const TrajectoryRow& row) {
    const auto mechanism = problem_.make<double>();
    const rational t = simplest_near(row.t);
    ReferenceState exact;
    exact.t = t.str(), exact.agreed_digits = digits_for_errors(Precision::in_double);
    exact.q.resize(mechanism->reference_coordinates()), exact.v.resize(exact.q.size());
    exact.lambda.resize(mechanism->constraints());
    problem_.closed_form(static_cast<real50>(t), exact.q.data(), exact.v.data(),
                         exact.lambda.data());
    std::vector<NotJudged> again;
    score_.times.push_back(compare_with(exact, row, columns_, model_, again));
  }

  void compare_last(const TrajectoryRow& row) {
    const std::string time = simplest_near(row.t).str();
    try {
      compare(row, time);
    } catch (const NoReference& failure) {
      score_.not_judged.push_back({"errors at t = " + time, failure.what()});
    }
  }

  void finish() {
    columns_.report(score_.not_judged);
    if (problem_.closed_form)
      for (const ScoredTime& time : score_.times)
        for (const auto& [name, error] : time.errors) {
          double& largest = score_.measures[name + "_max"];
          largest = std::max(largest, error);
        }
    if (columns_.has_motion()) {
      measures_.write(score_.measures);
      if (!columns_.has_accelerations()) {
        std::erase_if(score_.measures,
                      [](const auto& m) { return m.first.starts_with("acceleration_"); });
        if (model_.m() > 0)
          score_.not_judged.push_back(
              {"acceleration_violation", "no accelerations in the file (columns a_NAME)"});
      }
      return;
    }
    if (columns_.has_positions() && model_.m() > 0)
      score_.measures["position_violation_max"] = position_most_;
    score_.not_judged.push_back({"energy and the other violations", columns_.what_is_missing()});
  }

  const ScoreRequest& request_;
  Problem problem_;
  Formulation formulation_;
  ScoredModel model_;
  MechanicalSystem<double>& mechanism_;
  IndexOneSolve<double> index_one_;
  Measures<double> measures_;
  TrajectoryReader reader_;
  std::shared_ptr<const RigidBodies> rigid_;
  BodyColumns bodies_;
  ScoreColumns columns_;
  std::vector<std::string> published_;
  State<double> start_;
  std::vector<double> violation_;
  double position_most_ = 0;
  Score score_;
};

}  // namespace

Score score(const ScoreRequest& request) { return Judge(request).judge(); }

}  // namespace daemark
