// The end of work whose time is up and that cannot be asked to stop: one call of a library may take
// minutes and looks at no token. (For interrupts: InterruptGuard.)
#pragma once

#include <ctime>
#include <functional>
#include <thread>

namespace daemark {

/// While it lives, the work of the thread that made it has `limit` seconds of processor time and a
/// little more, in which Watch can still stop it in good order; 0: no limit. Then `farewell` says
/// what is to be said, from a thread of its own, and the program ends with status 1.
class LastResort {
 public:
  LastResort(double limit, std::function<void()> farewell);

 private:
  void look(const std::stop_token& over);

  std::function<void()> farewell_;
  clockid_t clock_ = {};
  double latest_;  ///< processor time of the thread [s]
  std::jthread thread_;
};

}  // namespace daemark
