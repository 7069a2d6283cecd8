#include "experiments/terminal/time_left.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace daemark {
namespace {

constexpr double above = 1.25;  // of what the late rate gives
constexpr double minute = 60, hour = 3600;

struct Unit {
  const char* name;
  double seconds, step;  ///< told in multiples of `step` of it
};

/// In which `high` is a number of at most two digits that mean something.
Unit unit_for(double high) {
  if (high <= 10) return {"s", 1, 1};
  if (high <= 1.5 * minute) return {"s", 1, 5};
  if (high <= 10 * minute) return {"min", minute, 0.5};
  if (high <= 1.5 * hour) return {"min", minute, high <= hour / 2 ? 1.0 : 5.0};
  return {"h", hour, high <= 10 * hour ? 0.5 : 1.0};
}

}  // namespace

double TimeSpan::middle() const { return std::sqrt(low * high); }

std::string text_of(const TimeSpan& span) {
  if (!(span.high >= 1)) return "a moment";
  const Unit unit = unit_for(span.high);
  const auto told = [&](double seconds) {
    return unit.step * std::ceil(seconds / unit.seconds / unit.step - 1e-9);
  };
  const double low = std::max(told(span.low), unit.step), high = std::max(told(span.high), low);
  if (high - low < unit.step / 2) return fmt::format("about {:g} {}", low, unit.name);
  return fmt::format("{:g} to {:g} {}", low, high, unit.name);
}

std::optional<TimeSpan> left_at_rate(double seconds, double part) {
  if (!(part > 0) || !(seconds > 0)) return std::nullopt;
  const double left = seconds * (1 - std::min(part, 1.0)) / part;
  return TimeSpan{left, above * left};
}

void TimeLeft::hear(double now, double part) {
  constexpr double kept = 1.0 / 64;  // of the time
  if (!first_) {
    first_ = Sample{now, part};
    heard_.push_back(*first_);
  }
  if (part <= heard_.back().part) return;
  if (heard_.size() >= 2 && now - heard_[heard_.size() - 2].time < kept * (now - first_->time))
    heard_.pop_back();
  heard_.push_back({now, part});
  const double late = now - (now - first_->time) / 3;
  while (heard_.size() > 2 && heard_[1].time <= late) heard_.pop_front();
}

std::optional<TimeSpan> TimeLeft::at(double now) const {
  if (!first_ || heard_.back().part <= first_->part || now <= first_->time) return std::nullopt;
  const double part = std::min(heard_.back().part, 1.0);
  const auto rate = [&](const Sample& then) { return (part - then.part) / (now - then.time); };
  const double whole = rate(*first_),
               late = part > heard_.front().part ? rate(heard_.front()) : whole;
  return TimeSpan{(1 - part) / std::max(whole, late), above * (1 - part) / late};
}

}  // namespace daemark
