#include "base/program/last_resort.hpp"

#include <pthread.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>

#include "base/program/interrupt.hpp"
#include "base/program/leftovers.hpp"

namespace daemark {
constexpr double grace = 1.5;  // processor time [s]

LastResort::LastResort(double limit, std::function<void()> farewell)
    : farewell_(std::move(farewell)) {
  if (limit <= 0) return;
  pthread_getcpuclockid(pthread_self(), &clock_);
  latest_ = processor_seconds(clock_) + limit + grace;
  thread_ = std::jthread([this](const std::stop_token& over) { look(over); });
}

void LastResort::look(const std::stop_token& over) {
  std::mutex mutex;
  std::condition_variable_any ended;
  std::unique_lock lock(mutex);
  while (!over.stop_requested()) {
    ended.wait_for(lock, over, std::chrono::milliseconds(50), [] { return false; });
    if (processor_seconds(clock_) < latest_ || over.stop_requested()) continue;
    farewell_();
    remove_leftovers();
    ::_exit(1);
  }
}

}  // namespace daemark
