#include "base/program/last_resort.hpp"

#include <pthread.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <limits>
#include <mutex>
#include <utility>

#include "base/program/interrupt.hpp"

namespace daemark {
constexpr double grace = 1.5;  // processor time [s]

LastResort::LastResort(double limit, Farewell farewell, const std::atomic<bool>* interrupted)
    : farewell_(std::move(farewell)), interrupted_(interrupted) {
  pthread_getcpuclockid(pthread_self(), &clock_);
  latest_ = limit > 0 ? processor_seconds(clock_) + limit + grace
                      : std::numeric_limits<double>::infinity();
  thread_ = std::jthread([this](const std::stop_token& over) { look(over); });
}

void LastResort::look(const std::stop_token& over) {
  std::mutex mutex;
  std::condition_variable_any ended;
  std::unique_lock lock(mutex);
  for (bool asked = false; !over.stop_requested();) {
    ended.wait_for(lock, over, std::chrono::milliseconds(50), [] { return false; });
    const bool interrupted = interrupted_ != nullptr && *interrupted_;
    if (interrupted && !asked) latest_ = processor_seconds(clock_) + grace;
    asked = interrupted;
    if (processor_seconds(clock_) < latest_ || over.stop_requested()) continue;
    farewell_(interrupted);
    ::_exit(interrupted ? 2 : 1);
  }
}

}  // namespace daemark
