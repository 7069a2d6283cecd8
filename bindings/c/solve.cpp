// daemark_solve(): methods of the catalogue on the residual of another program.
#pragma GCC visibility push(default)
#include "bindings/c/daemark.h"
#pragma GCC visibility pop

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <sstream>

#include "base/linear/dense_solve.hpp"
#include "bindings/c/open_problem.hpp"
#include "methods/catalogue/registry.hpp"
#include "methods/loop/integrator.hpp"

namespace daemark {
namespace {

using c::refuse;
using Matrix = std::vector<std::vector<double>>;

/// The system as steppers see it: dense, without positions whose rate is another component.
class OwnSystem final : public ImplicitSystem<double> {
 public:
  explicit OwnSystem(const daemark_system& given) : given_(given), n_(given.n) {
    row_power_.assign(n_, 0);
    pattern_y_ = pattern_rate_ = {n_, n_, {}};
    for (int i = 0; i < n_; ++i) {
      const bool differential = given.differential == nullptr || given.differential[i] != 0;
      components_.push_back({fmt::format("y{}", i + 1), differential ? Component::Kind::differential
                                                                     : Component::Kind::algebraic});
      for (int j = 0; j < n_; ++j) pattern_y_.entries.emplace_back(i, j);
    }
    for (int i = 0; i < n_; ++i)
      for (int j = 0; j < n_; ++j)
        if (is_differential(j)) pattern_rate_.entries.emplace_back(i, j);
    finish_components();
    y_.resize(n_), rate_.resize(n_), moved_.resize(n_), at_.resize(n_);
    jacobian_.resize(static_cast<std::size_t>(n_) * n_), with_rate_ = jacobian_;
  }

  bool is_differential(int i) const { return components_[i].kind == Component::Kind::differential; }

  void evaluate(const SystemPoint<double>& point, double* r, double* jacobian_y,
                double* jacobian_rate) override {
    residual(point.t, point.y, point.rate, r);
    if (jacobian_y == nullptr && jacobian_rate == nullptr) return;
    jacobians(point, r);
    if (jacobian_y != nullptr) std::copy(jacobian_.begin(), jacobian_.end(), jacobian_y);
    if (jacobian_rate == nullptr) return;
    for (const auto& [i, j] : pattern_rate_.entries) *jacobian_rate++ = with_rate_[i * n_ + j];
  }

  /// Newton on F = 0 in y' of the differential and in the algebraic components.
  bool explicit_rates(double* y, double* rate, const double& t, const double*) override {
    const auto unknown = [&](int j) -> double& { return is_differential(j) ? rate[j] : y[j]; };
    double last = std::numeric_limits<double>::infinity();
    for (int iteration = 0; iteration < most_iterations; ++iteration) {
      residual(t, y, rate, at_.data());
      jacobians({y, rate, t, nullptr}, at_.data());
      Matrix matrix(n_, std::vector<double>(n_));
      for (int i = 0; i < n_; ++i)
        for (int j = 0; j < n_; ++j)
          matrix[i][j] = (is_differential(j) ? with_rate_ : jacobian_)[i * n_ + j];
      std::vector<double> step = at_;
      const auto pivot = largest_pivot([](double x) { return std::fabs(x); });
      if (!solve_dense(matrix, step, pivot)) return false;
      double size = 0;  // of the increment, relative
      for (int j = 0; j < n_; ++j) {
        size = std::max(size, std::fabs(step[j]) / (1 + std::fabs(unknown(j))));
        unknown(j) -= step[j];
      }
      if (!std::isfinite(size)) return false;
      if (size <= converged || (size >= last && size <= at_round_off)) return true;
      last = size;
    }
    return false;
  }

  /// max |F| at a state.
  double violation(double t, const double* y, const double* rate) {
    residual(t, y, rate, at_.data());
    double worst = 0;
    for (const double r : at_) worst = std::isnan(r) ? r : std::max(worst, std::fabs(r));
    return worst;
  }

 private:
  static constexpr int most_iterations = 30;
  static constexpr double converged = 1e-13, at_round_off = 1e-9;

  void call(int code, double* values, std::size_t count) {
    if (code < 0) throw Stopped{StopCause::interrupted};
    if (code > 0) std::fill_n(values, count, std::numeric_limits<double>::quiet_NaN());
  }
  void residual(double t, const double* y, const double* rate, double* r) {
    call(given_.residual(t, y, rate, r, given_.user), r, n_);
  }
  /// ∂F/∂y and ∂F/∂y' at a point with the residual r.
  void jacobians(const SystemPoint<double>& point, const double* r) {
    if (given_.jacobian != nullptr)
      from_sums(point);
    else
      differences(point, r);
  }
  /// From the sums with cj = 0 and 1.
  void from_sums(const SystemPoint<double>& point) {
    const auto sum = [&](double cj, std::vector<double>& J) {
      call(given_.jacobian(point.t, cj, point.y, point.rate, J.data(), given_.user), J.data(),
           J.size());
    };
    sum(0, jacobian_), sum(1, with_rate_);
    for (std::size_t k = 0; k < jacobian_.size(); ++k) with_rate_[k] -= jacobian_[k];
  }
  void differences(const SystemPoint<double>& point, const double* r) {
    std::copy_n(point.y, n_, y_.data()), std::copy_n(point.rate, n_, rate_.data());
    const auto column = [&](std::vector<double>& x, int j, std::vector<double>& J) {
      const double before = x[j];
      x[j] += std::sqrt(std::numeric_limits<double>::epsilon()) * (1 + std::fabs(before));
      residual(point.t, y_.data(), rate_.data(), moved_.data());
      for (int i = 0; i < n_; ++i) J[i * n_ + j] = (moved_[i] - r[i]) / (x[j] - before);
      x[j] = before;
    };
    for (int j = 0; j < n_; ++j) {
      column(y_, j, jacobian_);
      if (is_differential(j)) column(rate_, j, with_rate_);
    }
  }

  const daemark_system& given_;
  int n_;
  std::vector<double> y_, rate_, moved_, at_, jacobian_, with_rate_;
};

/// "control.tol=1e-6 newton.tol=1e-9".
Settings settings_of(const char* text) {
  std::map<std::string, std::string> values;
  std::istringstream words(text == nullptr ? "" : text);
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos)
      throw BadInput("setting '" + word + "'; accepted: KEY=VALUE, separated by blanks");
    values[word.substr(0, equals)] = word.substr(equals + 1);
  }
  return parse_settings(values, Precision::in_double);
}

SystemTraits traits_of(const daemark_system& system) {
  SystemTraits traits(system.index);
  traits.mechanism = traits.second_order = traits.rigid_inertia = false;
  traits.velocity_forces = true, traits.constant_mass = false;
  traits.unknowns = system.n;
  return traits;
}

std::shared_ptr<const Method> method_for(const char* call, const SystemTraits& traits,
                                         const Settings& settings) {
  auto method = method_registry().make(call);
  std::string why = method->refusal(traits);
  if (why.empty()) why = step_refusal(*method, traits, settings);
  if (!why.empty()) throw BadInput(fmt::format("method {}: {}", call, why));
  return method;
}

/// Throws BadInput where the state is not, and cannot be made, consistent.
void make_consistent(OwnSystem& system, int index, State<double>& state) {
  if (index <= 1) {
    if (!system.explicit_rates(state.y.data(), state.rate.data(), state.t, nullptr))
      throw BadInput(
          "the start: F cannot be solved for y' and the algebraic components; accepted: a regular "
          "system of the index stated, and a start near a consistent one");
    return;
  }
  constexpr double most = 1e-8;
  const double violation = system.violation(state.t, state.y.data(), state.rate.data());
  if (!(violation <= most))
    throw BadInput(
        fmt::format("the start violates F = 0 by {:.3g}; accepted: at most {:g}", violation, most));
}

int code_of(const StepReport& report, double t) {
  if (report.status == Status::ok) return DAEMARK_DONE;
  const int code = report.status == Status::not_finite        ? DAEMARK_NOT_FINITE
                   : report.status == Status::singular_matrix ? DAEMARK_SINGULAR
                   : report.status == Status::not_available   ? DAEMARK_FAILED
                                                              : DAEMARK_STEP_FAILED;
  return refuse(code, fmt::format("daemark_solve: {} in the step from t = {:.6g}: {}",
                                  status_name(report.status), t, report.why));
}

}  // namespace
}  // namespace daemark

int daemark_solve(const daemark_system* system, const char* method, const char* settings, double t,
                  double t_end, int points, double* y, double* yp,
                  int (*output)(double t, const double* y, const double* yp, void* user),
                  long* counts) {
  using namespace daemark;
  const char* const where = "daemark_solve";
  if (system == nullptr || system->residual == nullptr) return c::missing(where, "system");
  if (method == nullptr || y == nullptr || yp == nullptr)
    return c::missing(where, method == nullptr ? "method" : y == nullptr ? "y" : "yp");
  c::free_multiprecision_at_thread_end();
  return c::guarded(where, [&]() -> int {
    if (system->n < 1 || system->index < 0 || system->index > 3)
      throw BadInput(fmt::format("n = {}, index = {}; accepted: n > 0, index 0 to 3", system->n,
                                 system->index));
    if (!(std::isfinite(t) && std::isfinite(t_end) && t_end > t) || points < 1)
      throw BadInput(fmt::format(
          "from t = {} to {} with {} points; accepted: t_end > t, one or more", t, t_end, points));
    const Settings bound = settings_of(settings);
    const auto made = method_for(method, traits_of(*system), bound);
    OwnSystem own(*system);
    State<double> state{t, {y, y + system->n}, {yp, yp + system->n}, {}};
    long done = 0;
    try {
      make_consistent(own, system->index, state);
      const auto integrator = make_integrator<double>(*made, {&own, &own}, bound);
      integrator->start(state, {t, (t_end - t) / points, points});
      const auto show = [&](const State<double>& at) {
        if (output != nullptr && output(at.t, at.y.data(), at.rate.data(), system->user) < 0)
          throw Stopped{StopCause::interrupted};
      };
      show(state);
      int code = DAEMARK_DONE;
      for (; done < points && code == DAEMARK_DONE; ++done) {
        code = code_of(integrator->advance(), integrator->state().t);
        if (code == DAEMARK_DONE) show(integrator->state());
      }
      std::copy_n(integrator->state().y.data(), system->n, y);
      std::copy_n(integrator->state().rate.data(), system->n, yp);
      const Counts& c = integrator->counts();
      const long all[] = {c.steps,          c.rejected_steps, c.newton_iterations,
                          c.residual_evals, c.jacobian_evals, c.factorizations};
      if (counts != nullptr) std::copy(std::begin(all), std::end(all), counts);
      return code;
    } catch (const Stopped&) {
      return refuse(
          DAEMARK_STOPPED,
          fmt::format("daemark_solve: stopped after {} of {} output points", done, points));
    }
  });
}
