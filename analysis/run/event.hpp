// Events of a run: times at which a named quantity (a coordinate, velocity, multiplier or output)
// crosses a value. A change of sign between two output points is located by integrating again from
// the first of them, so the root is as accurate as the method; two crossings between output points
// are not detected. Steps of a run with events end at its output points, because a restart from an
// interpolant would violate the constraints.
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
  /// Throws BadInput for an unknown quantity. A quantity that has the value at the start has its
  /// event when it returns to it.
  EventSearch(const BoundRun& run, BoundSystem<S>& model, const State<S>& initial);

  /// Handles the next output point. Returns the state at the first event that ends the run, if any;
  /// found() has the events up to there.
  std::optional<State<S>> observe(const State<S>& now);
  const std::vector<EventFound>& found() const { return found_; }
  /// Why a root could not be located; empty if none failed.
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
