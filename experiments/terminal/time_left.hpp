// How long work will still take, from how far it is.
#pragma once

#include <deque>
#include <optional>
#include <string>

namespace daemark {

/// A time that is not known better than to lie between two [s].
struct TimeSpan {
  double low = 0, high = 0;

  /// The guess in the middle, as wrong by a factor below as above.
  double middle() const;
  TimeSpan operator+(const TimeSpan& other) const { return {low + other.low, high + other.high}; }
  TimeSpan operator*(double factor) const { return {low * factor, high * factor}; }
};

/// "2 to 4 min", "about 40 s", "a moment"; never less than `low`.
std::string text_of(const TimeSpan& span);

/// Of work that tells its part, 0 to 1. Two rates are known, that since the start and that of the
/// last third: a run whose steps become dearer has a lower one of late, and one that has said
/// nothing for long has lower ones each second. The time left lies between what the faster allows
/// and a quarter above what the late one gives.
class TimeLeft {
 public:
  /// `part` of the work is done at the time `now` [s], which ascends; first where it begins.
  void hear(double now, double part);
  /// None before a part is done.
  std::optional<TimeSpan> at(double now) const;

 private:
  struct Sample {
    double time, part;
  };
  std::optional<Sample> first_;
  std::deque<Sample> heard_;  ///< thinned, of the last third of the time
};

/// What is left of work that took `seconds` for its `part`; none where that is 0.
std::optional<TimeSpan> left_at_rate(double seconds, double part);

}  // namespace daemark
