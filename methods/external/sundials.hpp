// What IDA, CVODE and ARKODE have in common: contexts, vectors, output points, statuses. For
// SUNDIALS 6.4 and 7.
// Included where DAEMARK_SUNDIALS is defined.
#pragma once

#include <fmt/format.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_config.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <optional>

#include "base/linear/dense_solve.hpp"
#include "base/program/stop.hpp"
#include "methods/external/external_method.hpp"

namespace daemark::sundials {

class Context {
 public:
  Context() {
#if SUNDIALS_VERSION_MAJOR >= 7
    if (SUNContext_Create(SUN_COMM_NULL, &context_) != 0) throw std::bad_alloc();
    SUNContext_ClearErrHandlers(context_);
#else
    if (SUNContext_Create(nullptr, &context_) != 0) throw std::bad_alloc();
#endif
  }
  ~Context() { SUNContext_Free(&context_); }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  // NOLINTNEXTLINE(google-explicit-constructor): handed to the library as it is
  operator SUNContext() const { return context_; }

 private:
  SUNContext context_ = nullptr;
};

template <class Handle, auto Free>
struct Owned {
  Handle handle = nullptr;
  Owned() = default;
  explicit Owned(Handle made) : handle(made) {
    if (!handle) throw std::bad_alloc();
  }
  Owned(Owned&& other) noexcept : handle(std::exchange(other.handle, nullptr)) {}
  Owned& operator=(Owned&& other) noexcept {
    std::swap(handle, other.handle);
    return *this;
  }
  ~Owned() {
    if (handle) Free(handle);
  }
  // NOLINTNEXTLINE(google-explicit-constructor): handed to the library as it is
  operator Handle() const { return handle; }
};
using Vector = Owned<N_Vector, N_VDestroy>;
using Matrix = Owned<SUNMatrix, SUNMatDestroy>;
using LinearSolver = Owned<SUNLinearSolver, SUNLinSolFree>;

inline double* data(N_Vector v) { return N_VGetArrayPointer(v); }

/// No return value of a package: where steps are so short that the cap would be met far from the
/// end.
inline constexpr int hopeless = -1000;

/// Return values −1 … −8 mean the same in the three packages.
inline StepReport report_of(int flag) {
  static const std::string capped =
      fmt::format("stopped by our cap of {} steps to one output point", most_steps);
  static const std::string short_steps = fmt::format(
      "stopped after {} steps that are so short that ten times our cap of {} would not "
      "lead to the output point",
      trial_steps, most_steps);
  switch (flag) {
    case hopeless:
      return {Status::step_limit, short_steps.c_str()};
    case -1:
      return {Status::step_limit, capped.c_str()};
    case -2:
      return {Status::step_limit, "the tolerance is below what round-off allows"};
    case -3:
      return {Status::step_limit, "the error test failed too often or the step became too small"};
    case -4:
      return {Status::newton_diverged, "the nonlinear solver failed too often"};
    case -6:
    case -7:
      return {Status::singular_matrix, "the linear solver failed"};
    default:
      return {Status::not_finite, "the equations could not be evaluated"};
  }
}

/// No messages of the library on standard error; from version 7 on they are the context's.
#if SUNDIALS_VERSION_MAJOR >= 7
#define DAEMARK_SILENT(PACKAGE) static_cast<void>(0)
#else
inline void silent(int, const char*, const char*, char*, void*) {}
#define DAEMARK_SILENT(PACKAGE) PACKAGE##SetErrHandlerFn(memory_, silent, nullptr)
#endif

/// An integrator that steps to output points. `Stopped` may not cross the library: it is kept and
/// thrown again outside.
// NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor): Integrator's is virtual
class OutputStepper : public Integrator<double> {
 public:
  void start(const State<double>& initial, const OutputPoints<double>& points) final {
    state_ = initial;
    points_ = points;
    done_ = 0, tallied_ = 0;
    stopped_.reset();
    begin();
  }
  StepReport advance() final {
    ++done_;
    const double end = points_.begin + static_cast<double>(done_) * points_.spacing;
    const int flag = advance_to(end);
    const std::int64_t pairs = lu_pairs();
    LuTally::add_pairs(pairs - tallied_);
    tallied_ = pairs;
    if (stopped_) throw *stopped_;
    if (flag < 0) return report_of(flag);
    state_.t = end;
    if (!take_state()) return {Status::singular_matrix, "the index-1 matrix is singular"};
    return {};
  }
  const State<double>& state() const final { return state_; }
  const Counts& counts() const final {
    read_counts(counts_);
    return counts_;
  }

 protected:
  virtual void begin() = 0;
  /// To `end` exactly; the flag of the library.
  virtual int advance_to(double end) = 0;
  /// Fills state_; false if that fails.
  virtual bool take_state() = 0;
  virtual void read_counts(Counts& counts) const = 0;
  /// Multiply-subtract pairs of the library's factorisations and solves since begin().
  virtual std::int64_t lu_pairs() const { return 0; }

  /// For callbacks: false where the work is to end.
  bool goes_on() {
    try {
      checkpoint();
      return true;
    } catch (const Stopped& stopped) {
      stopped_ = stopped;
      return false;
    }
  }

  State<double> state_;
  OutputPoints<double> points_;
  Context context_;

 private:
  long done_ = 0;
  std::int64_t tallied_ = 0;
  std::optional<Stopped> stopped_;
  mutable Counts counts_;
};

/// ẏ = f(t, y) for the components that are not algebraic, by explicit_rates(): the form CVODE and
/// ARKODE take.
// NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor): Integrator's is virtual
class OdeStepper : public OutputStepper {
 public:
  explicit OdeStepper(const Target<double>& target) : system_(*target.system) {
    const auto& components = system_.components();
    for (int c = 0; c < system_.size(); ++c)
      if (components[c].kind != Component::Kind::algebraic) places_.push_back(c);
    full_y_.resize(system_.size()), full_rate_.resize(system_.size());
    y_ = Vector(N_VNew_Serial(static_cast<sunindextype>(places_.size()), context_));
  }

 protected:
  int size() const { return static_cast<int>(places_.size()); }
  /// Of a dense Newton matrix, n × n.
  std::int64_t dense_pairs(long factorizations, long solves) const {
    return factorizations * dense_factor_pairs(size()) + solves * dense_solve_pairs(size());
  }
  void begin() override {
    full_y_ = state_.y;
    for (int i = 0; i < size(); ++i) data(y_)[i] = state_.y[places_[i]];
  }
  bool take_state() override {
    for (int i = 0; i < size(); ++i) state_.y[places_[i]] = data(y_)[i];
    return system_.explicit_rates(state_.y.data(), state_.rate.data(), state_.t, nullptr);
  }
  /// The callback; `user` is this object.
  static int rates(double t, N_Vector y, N_Vector rate, void* user) {
    auto& self = *static_cast<OdeStepper*>(user);
    if (!self.goes_on()) return -1;
    for (int i = 0; i < self.size(); ++i) self.full_y_[self.places_[i]] = data(y)[i];
    if (!self.system_.explicit_rates(self.full_y_.data(), self.full_rate_.data(), t, nullptr))
      return 1;
    double sum = 0;
    for (int i = 0; i < self.size(); ++i) sum += data(rate)[i] = self.full_rate_[self.places_[i]];
    return std::isfinite(sum) ? 0 : 1;
  }

  ImplicitSystem<double>& system_;
  std::vector<int> places_;
  std::vector<double> full_y_, full_rate_;
  Vector y_;
};

}  // namespace daemark::sundials
