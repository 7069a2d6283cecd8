// A stepper: one method on one system with one fixed step.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "methods/core/settings.hpp"
#include "problems/core/implicit_system.hpp"

namespace daemark {

enum class Status { ok, newton_diverged, singular_matrix, not_finite, step_limit };
const char* status_name(Status status);

struct StepReport {
  Status status = Status::ok;
  const char* why = "";
};

/// Of one run; cost is compared in these, never in time.
struct Counts {
  long steps = 0, newton_iterations = 0, residual_evals = 0, jacobian_evals = 0, factorizations = 0;
  long floor_stops = 0;  ///< Newton ended on its round-off floor, not on the tolerance
};

/// A point of the trajectory: all components of y and their rates.
template <class S>
struct State {
  S t{};
  std::vector<S> y, rate;
  std::vector<S> chart;  ///< orientations y refers to; empty for flat systems
};

/// The system in the scalar of the run and in the scalar Newton matrices are factored in.
template <class S>
struct SystemPair {
  ImplicitSystem<S>* system = nullptr;
  ImplicitSystem<FactorScalar<S>>* factor_system = nullptr;

  /// Puts both systems on a chart; nothing for flat ones.
  void set_chart(const std::vector<S>& chart) const {
    using F = FactorScalar<S>;
    if (chart.empty()) return;
    system->set_chart(chart.data());
    if constexpr (!std::is_same_v<S, F>) {
      std::vector<F> rounded;
      for (const S& x : chart) rounded.push_back(static_cast<F>(x));
      factor_system->set_chart(rounded.data());
    }
  }
  /// ImplicitSystem::rebase for both systems after a converged step; `chart` is kept up to date.
  void rebase(const std::vector<S*>& points_y, const std::vector<S*>& points_rate,
              std::vector<S>& chart) const {
    system->rebase(points_y, points_rate);
    system->chart(chart.data());
    set_chart(chart);
  }
};

template <class S>
class Stepper {
 public:
  virtual ~Stepper() = default;
  /// From a consistent state; may take first steps later. h > 0.
  virtual void start(const State<S>& initial, const S& h) = 0;
  /// One step h. On failure the memory is unchanged and the report says why.
  virtual StepReport step() = 0;
  virtual const State<S>& state() const = 0;
  /// Every number the next result depends on besides the clock, which start() sets: to continue
  /// from a memory taken at t, start from the state at t, then set_memory. set_memory(memory())
  /// changes nothing. With newton.reuse > 0 kept factors add what the Newton tolerance allows.
  virtual std::vector<S> memory() const = 0;
  virtual void set_memory(const std::vector<S>& memory) = 0;
  const Counts& counts() const { return counts_; }

 protected:
  Counts counts_;
};

}  // namespace daemark
