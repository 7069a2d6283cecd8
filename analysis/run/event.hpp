// Events of a run: when a named quantity (a coordinate, velocity, multiplier or output) passes a
// value. A change of sign between two output points is followed up by integrating anew from the
// first of them to where the root must be, so that it is as exact as the method; a double passage
// between two output points is not detected. Steps of a run with events end at its output points: a
// method starts anew from what a step ends with, not from an interpolant, which leaves constraints.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/setup/bound_run.hpp"
#include "methods/core/stepper.hpp"

namespace daemark {

struct BoundRun;
template <class S>
struct BoundSystem;

struct EventFound {
  std::string event, t;  ///< as asked; full digits [s]
  bool rising = true;
};

template <class S>
class EventSearch {
 public:
  /// Throws BadInput for a quantity that there is not. A quantity that has its value at the start
  /// has its event when it comes back.
  EventSearch(const BoundRun& run, BoundSystem<S>& model, const State<S>& initial);

  /// The next output point. Returns the state at the first event that ends the run, if there is
  /// one; what it found until there is in found().
  std::optional<State<S>> observe(const State<S>& now);
  const std::vector<EventFound>& found() const { return found_; }
  /// Why a root that was passed could not be located; empty where none failed.
  const std::string& failure() const { return failure_; }

 private:
  enum class Kind { position, velocity, multiplier, output };
  struct Watched {
    EventRequest request;
    Kind kind;
    std::size_t index;
    S target;
    S last;          ///< the last distance from the value that was not zero
    State<S> since;  ///< and the state that had it
  };
  Watched watched(const EventRequest& request) const;
  S distance(const Watched& event, const State<S>& at) const;
  StepReport reach(const State<S>& from, const S& t, State<S>& there) const;
  std::optional<State<S>> root(const Watched& event, const State<S>& to, S at_end);

  const BoundRun& run_;
  BoundSystem<S>& model_;
  std::vector<Watched> events_;
  std::vector<EventFound> found_;
  std::string failure_;
};

}  // namespace daemark
