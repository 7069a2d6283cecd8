#include "analysis/enclosure/proved_reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/enclosure/matrices.hpp"
#include "analysis/reference/reference_store.hpp"
#include "base/program/progress.hpp"
#include "base/program/stop.hpp"
#include "problems/mechanism/recorded_system.hpp"

namespace daemark {
namespace {

constexpr int spare_digits = 6, most_attempts = 5;

/// The model that is integrated, and what its states mean.
struct Model {
  explicit Model(const Problem& problem) {
    const MechanismMakers& makers = problem.series.in_real50 ? problem.series : problem.absolute;
    if (!makers.in_real50) throw EnclosureFailure("the problem exists in double only");
    system = makers.in_real50();
    recorded = dynamic_cast<const RecordedSystem<real50>*>(system.get());
    if (!recorded || !system->has_record())
      throw EnclosureFailure("rotations on charts, which have no series");
    if (system->forces_of_multipliers())
      throw EnclosureFailure("forces that depend on multipliers");
    rows = independent_rows();
  }

  /// As many rows as G has rank, the first that do not follow from those before at the start.
  std::vector<int> independent_rows() const {
    const int n = system->coordinates(), m = system->constraints();
    std::vector<int> all(m);
    for (int i = 0; i < m; ++i) all[i] = i;
    if (system->rank() == m) return all;
    ConstraintSet constraints(*system, all);  // rates of positions come first
    const Mechanism& stated = recorded->mechanism();
    std::vector<RealBall> state;
    for (const wide& x : stated.q0) state.push_back(from_wide<RealBall>(x));
    for (const wide& x : stated.v0) state.push_back(from_wide<RealBall>(x));
    constraints.evaluate(RealBall(0), state);
    const std::vector<RealBall> entries = constraints.jacobian();
    std::vector<std::vector<double>> basis;
    std::vector<int> chosen;
    for (int row = 0; row < m && static_cast<int>(chosen.size()) < system->rank(); ++row) {
      std::vector<double> x(n);
      double before = 0, after = 0;
      for (int i = 0; i < n; ++i) {
        x[i] = arf_get_d(arb_midref(entries[row * 2 * n + n + i].raw()), ARF_RND_NEAR);
        before += x[i] * x[i];
      }
      for (const auto& b : basis) {
        double along = 0;
        for (int i = 0; i < n; ++i) along += x[i] * b[i];
        for (int i = 0; i < n; ++i) x[i] -= along * b[i];
      }
      for (const double a : x) after += a * a;
      if (!(after > 1e-16 * before)) continue;
      for (double& a : x) a /= std::sqrt(after);
      basis.push_back(x);
      chosen.push_back(row);
    }
    return chosen;
  }

  MechanicalPtr<real50> system;
  const RecordedSystem<real50>* recorded = nullptr;
  std::vector<int> rows;
};

/// The reference's coordinates and multipliers from those of the model.
class Shown {
 public:
  Shown(const Problem& problem, const Model& model) : model_(model) {
    const Mechanism& mechanism = model.recorded->mechanism();
    const int n = model.system->coordinates();
    if (mechanism.shown) {
      const std::vector<Var> state = graph_.inputs(2 * n);
      states_ = mechanism.shown(state.data(), state.data() + n);
      function_ = std::make_unique<BallFunction>(graph_, std::vector<std::vector<Var>>{states_});
    }
    const auto own = problem.absolute.in_real50();
    multipliers_ = own->constraints();
    if (!model.rows.empty() || !problem.series.in_real50) return;
    // The model of the series has no multipliers: they are those of the problem's own.
    if (own->has_record() && own->rank() == own->constraints() &&
        own->reference_coordinates() == own->coordinates())
      own_ = own;
  }

  void operator()(const EnclosedState& from, ProvedState& to) {
    to.q = from.q, to.v = from.v;
    const auto n = static_cast<int>(from.q.size());
    if (function_) {
      for (int i = 0; i < n; ++i)
        function_->input(i) = from.q[i], function_->input(n + i) = from.v[i];
      function_->evaluate();
      const auto half = static_cast<int>(states_.size() / 2);
      to.q.clear(), to.v.clear();
      for (int i = 0; i < half; ++i)
        to.q.push_back(function_->output(0, i)), to.v.push_back(function_->output(0, half + i));
    }
    if (model_.system->rank() == model_.system->constraints())
      to.lambda.assign(from.lambda.begin(),
                       from.lambda.begin() + std::min<long>(multipliers_, from.lambda.size()));
    if (!own_) return;
    std::vector<int> rows(own_->constraints());
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<int>(i);
    MotionSeries<RealBall> own(*own_, rows, 1);
    own.start(ball_of(from.t), to.q.data(), to.v.data());
    for (std::size_t i = 0; i < rows.size(); ++i)
      to.lambda.push_back(own.lambda(static_cast<int>(i))[0]);
  }

 private:
  const Model& model_;
  int multipliers_ = 0;  ///< of the problem's own model: the first of the series' model
  graph::Graph graph_;
  std::vector<Var> states_;
  std::unique_ptr<BallFunction> function_;
  MechanicalPtr<real50> own_;
};

/// Digits by which the middles are right: middle and middle + radius agree on them.
int proved_digits(const ProvedState& state) {
  Motion a, b;
  double worst = 0;
  const auto add = [&](const std::vector<RealBall>& from, std::vector<real50>& x,
                       std::vector<real50>& y) {
    real50 largest = 0, widest = 0;
    for (const RealBall& ball : from) {
      x.push_back(middle(ball)), y.push_back(middle(ball) + radius(ball));
      largest = std::max<real50>(largest, abs(x.back()));
      widest = std::max(widest, radius(ball));
    }
    if (largest > 0) worst = std::max(worst, to_double(real50(widest / largest)));
  };
  add(state.q, a.q, b.q), add(state.v, a.v, b.v), add(state.lambda, a.lambda, b.lambda);
  constexpr int most = 48;
  return agreement(a, b, worst, most);
}

std::vector<ProvedState> attempt(const Problem& problem, const Model& model,
                                 const std::vector<Expression>& times, int working_digits,
                                 int most_steps) {
  const Mechanism& stated = model.recorded->mechanism();
  EnclosedMotion motion(*model.system, model.rows, problem.start.as_rational(), stated.q0,
                        stated.v0, working_digits);
  Shown shown(problem, model);
  std::vector<ProvedState> states;
  const rational begin = motion.time(), span = times.back().as_rational() - begin;
  for (const Expression& time : times) {
    const rational end = time.as_rational();
    while (motion.time() < end) {
      checkpoint();
      const double done = to_double(rational((motion.time() - begin) / span));
      tell_progress("proof", done);
      try {
        constexpr int telling = 32;
        if (motion.steps() >= telling && motion.steps() > 2 * done * most_steps)
          throw EnclosureFailure(fmt::format("the last time is too far for {} steps", most_steps));
        motion.step(end);
      } catch (const EnclosureFailure& failure) {
        throw EnclosureFailure(
            fmt::format("proved up to t = {:.6g}, where the largest relative "
                        "error is {:.1e}: {}",
                        static_cast<double>(motion.time()), motion.width(), failure.what()));
      }
    }
    const EnclosureBits bits(motion.bits());
    ProvedState state;
    state.t = time.text();
    shown(motion.state(), state);
    state.digits = proved_digits(state);
    state.steps = motion.steps(), state.order = motion.order(), state.bits = motion.bits();
    state.digits_lost = working_digits - state.digits;
    states.push_back(std::move(state));
  }
  return states;
}

}  // namespace

std::vector<ProvedState> proved_states(const Problem& problem, const std::vector<Expression>& times,
                                       int digits, int most_steps) {
  if (!problem.start.is_rational()) throw EnclosureFailure("a start at a time that is no fraction");
  for (const Expression& time : times)
    if (!time.is_rational()) throw EnclosureFailure("a time that is no fraction");
  const Model model(problem);
  int working = digits + spare_digits;
  for (int i = 1;; ++i) {
    std::vector<ProvedState> states = attempt(problem, model, times, working, most_steps);
    int least = digits;
    for (const ProvedState& state : states) least = std::min(least, state.digits);
    if (least >= digits || i == most_attempts) return states;
    working += digits - least + 2;
  }
}

bool contains(const ProvedState& state, const std::vector<real50>& q, const std::vector<real50>& v,
              const std::vector<real50>& lambda, int digits) {
  const auto inside = [&](const std::vector<RealBall>& balls, const std::vector<real50>& numbers) {
    if (balls.size() != numbers.size()) return balls.empty();
    for (std::size_t i = 0; i < balls.size(); ++i) {
      const real50 rounding = abs(numbers[i]) * pow(real50(10), 1 - digits);
      if (abs(middle(balls[i]) - numbers[i]) > radius(balls[i]) + rounding) return false;
    }
    return true;
  };
  return inside(state.q, q) && inside(state.v, v) && inside(state.lambda, lambda);
}

std::pair<std::string, std::string> ball_texts(const RealBall& x, int digits) {
  const std::string centre = middle(x).str(digits);
  const real50 written(centre);
  const real50 r = radius(x) + abs(middle(x) - written);
  if (r == 0) return {centre, "0"};
  mpfr_t up;
  mpfr_init2(up, 30);
  mpfr_set(up, r.backend().data(), MPFR_RNDU);
  mpfr_nextabove(up);
  char text[40];
  mpfr_snprintf(text, sizeof text, "%.2RUe", up);
  mpfr_clear(up);
  return {centre, text};
}

}  // namespace daemark
