// The order that errors at h, h/2, h/4, … show, decided, not fitted: orders are integers.
//
// With e(h) = C h^p (1 + ch + O(h²)) the slope between h and h/2 is p + ch/(2 ln 2) + O(h²): each
// halving halves what it is off by. A slope within 1/4 of an integer that came nearer to it with
// the last halving, or stood within 1/20 of it twice, therefore stands for that integer. Where C is
// small beside Cch, slopes stand near p + 1 first and then move away from it, which does not count;
// nor do errors on the round-off floor.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace daemark::test {

class ObservedOrder {
 public:
  /// Errors below `floor` say nothing about the method: what the arithmetic leaves, in its units.
  explicit ObservedOrder(double floor) : floor_(floor) {}
  /// The error at the next step size, half of the last one. Not finite: decides nothing.
  void add(double error) { errors_.push_back(error); }
  /// Empty as long as the last three errors do not decide it.
  std::optional<int> order() const;
  /// Slopes and the last error, for messages.
  std::string text() const;

 private:
  double floor_;
  std::vector<double> errors_;
};

}  // namespace daemark::test
