// The loop over steps: "advance to the next output point, hitting it exactly".
//
// Fixed steps, step-size control and external solvers have the same interface.
#pragma once

#include <functional>
#include <utility>

#include "methods/core/method.hpp"

namespace daemark {

/// begin + k spacing, k = 1..count.
template <class S>
struct OutputPoints {
  S begin{}, spacing{};
  long count = 0;
};

template <class S>
class Integrator {
 public:
  virtual ~Integrator() = default;
  virtual void start(const State<S>& initial, const OutputPoints<S>& points) = 0;
  /// To the next output point. On failure state() is the last point that was accepted.
  virtual StepReport advance() = 0;
  virtual const State<S>& state() const = 0;
  virtual const Counts& counts() const = 0;
  /// Time of the integration [s], where a program of others says it; 0: to be measured.
  virtual double own_seconds() const { return 0; }
  /// `watcher` sees the end of every step that does not end at an output point, before advance() to
  /// the points in it returns. Solvers of libraries do not show theirs.
  void watch_steps(std::function<void(const State<S>&)> watcher) { watcher_ = std::move(watcher); }

 protected:
  void show_step(const State<S>& end) const {
    if (watcher_) watcher_(end);
  }

 private:
  std::function<void(const State<S>&)> watcher_;
};

/// The integrator of the method, if it has one. Otherwise its stepper, with one step from output
/// point to output point (halved up to settings.retry times if it fails), or, where
/// settings.control is on, with steps chosen from the estimated error.
template <class S>
std::unique_ptr<Integrator<S>> make_integrator(const Method& method, const Target<S>& target,
                                               const Settings& settings);

/// Empty if the method can do what `settings` asks of its steps on such a system, otherwise why
/// not.
std::string step_refusal(const Method& method, const SystemTraits& system,
                         const Settings& settings);

}  // namespace daemark
