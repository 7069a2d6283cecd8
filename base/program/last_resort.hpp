// The end of work that cannot be asked to stop: one call of a library may take minutes and looks at
// no token.
#pragma once

#include <atomic>
#include <ctime>
#include <functional>
#include <thread>

namespace daemark {

/// While it lives, the work of the thread that made it has `limit` seconds of processor time and a
/// little more, in which Watch can still stop it in good order; 0: no limit. Then, and as long
/// after `interrupted` became true, `farewell(interrupted)` says what is to be said, from a thread
/// of its own, and the program ends with status 1, interrupted with 2.
class LastResort {
 public:
  using Farewell = std::function<void(bool interrupted)>;
  LastResort(double limit, Farewell farewell, const std::atomic<bool>* interrupted = nullptr);

 private:
  void look(const std::stop_token& over);

  Farewell farewell_;
  const std::atomic<bool>* interrupted_;
  clockid_t clock_ = {};
  double latest_;  ///< processor time of the thread [s]
  std::jthread thread_;
};

}  // namespace daemark
