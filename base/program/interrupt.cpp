#include "base/program/interrupt.hpp"

#include <pthread.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <string_view>

namespace daemark {
namespace {

std::atomic<bool> interrupted{false};
std::atomic<StopToken*> stopped_by_signals{nullptr};
static_assert(std::atomic<bool>::is_always_lock_free, "set from a signal handler");
static_assert(std::atomic<StopToken*>::is_always_lock_free, "read in a signal handler");

extern "C" void on_signal(int) {
  if (interrupted.exchange(true)) _exit(2);
  if (StopToken* token = stopped_by_signals.load()) token->stop(StopCause::interrupted);
  constexpr std::string_view said = "\ndaemark: stopping; once more ends it at once\n";
  [[maybe_unused]] const auto ignored = ::write(STDERR_FILENO, said.data(), said.size());
}

struct sigaction old_interrupt, old_terminate;

}  // namespace

double processor_seconds(clockid_t clock) {
  timespec time = {};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

InterruptGuard::InterruptGuard() {
  if (stopped_by_signals.load() != nullptr) return;
  interrupted = false;
  scope_.emplace(token_);
  stopped_by_signals = &token_;
  struct sigaction action = {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, &old_interrupt);
  sigaction(SIGTERM, &action, &old_terminate);
}

InterruptGuard::~InterruptGuard() {
  if (!scope_) return;
  sigaction(SIGINT, &old_interrupt, nullptr);
  sigaction(SIGTERM, &old_terminate, nullptr);
  stopped_by_signals = nullptr;
}

std::atomic<bool>& InterruptGuard::flag() { return interrupted; }

Watch::Watch(double limit, std::string what)
    : what_(std::move(what)), limit_(limit), scope_(token_) {
  pthread_getcpuclockid(pthread_self(), &clock_);
  begin_ = processor_seconds(clock_);
  if (!what_.empty()) progress_.emplace([this](const char*, double part) { part_ = part; });
  thread_ = std::thread([this] { look(); });
}

Watch::~Watch() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  done_.notify_one();
  thread_.join();
}

void Watch::look() {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds pause(50);
  constexpr std::chrono::seconds period(10);
  const Clock::time_point begin = Clock::now();
  Clock::time_point said = begin;
  std::unique_lock lock(mutex_);
  while (!done_.wait_for(lock, pause, [this] { return over_; })) {
    if (interrupted) token_.stop(StopCause::interrupted);
    if (limit_ > 0 && processor_seconds(clock_) - begin_ > limit_)
      token_.stop(StopCause::timed_out);
    if (what_.empty() || Clock::now() - said < period) continue;
    said = Clock::now();
    const double seconds = std::chrono::duration<double>(said - begin).count();
    const double part = part_;
    const std::string share =
        part < 0 ? "" : ", " + std::to_string(static_cast<int>(100 * part)) + " % of this run";
    std::fprintf(stderr, "%s: %.0f s%s\n", what_.c_str(), seconds, share.c_str());
  }
}

}  // namespace daemark
