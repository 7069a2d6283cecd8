#include "base/program/interrupt.hpp"

#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

#include <utility>

#include "base/program/write_file.hpp"

namespace daemark {
namespace {

using Clock = std::chrono::steady_clock;

std::atomic<bool> interrupted{false}, said{false};
std::atomic<int> signals{0}, first_signal{SIGINT};
std::atomic<StopToken*> stopped_by_signals{nullptr};
static_assert(std::atomic<bool>::is_always_lock_free, "set from a signal handler");
static_assert(std::atomic<StopToken*>::is_always_lock_free, "read in a signal handler");
sem_t signalled;  // posted by the handler and by the end of the guard

std::mutex callback_lock;
OnInterrupt* callback = nullptr;

extern "C" void on_signal(int number) {
  constexpr int impatient = 3;  // the thread of the guard is given up
  if (++signals >= impatient) _exit(128 + number);
  if (!interrupted.exchange(true)) first_signal = number;
  if (StopToken* token = stopped_by_signals.load()) token->stop(StopCause::interrupted);
  sem_post(&signalled);
}

struct sigaction old_interrupt, old_terminate;

/// The time of a processor clock [s].
double processor_seconds(clockid_t clock) {
  timespec time = {};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

int interrupted_status() { return 128 + first_signal; }

void say_interrupted(const std::string& name, const std::string& kept) {
  if (said.exchange(true)) return;
  const std::string line = name + ": interrupted" + (kept.empty() ? "" : "; " + kept) + "\n";
  write_all(STDERR_FILENO, line);
}

InterruptGuard::InterruptGuard(std::string name) : name_(std::move(name)) {
  if (stopped_by_signals.load() != nullptr) return;
  interrupted = said = false;
  signals = 0;
  scope_.emplace(token_);
  stopped_by_signals = &token_;
  sem_init(&signalled, 0, 0);
  thread_ = std::thread([this] { wait_for_a_signal(); });
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
  sem_post(&signalled);
  thread_.join();
  sem_destroy(&signalled);
}

std::atomic<bool>& InterruptGuard::flag() { return interrupted; }

/// The work ends before its patience is over, or the program does.
void InterruptGuard::wait_for_a_signal() {
  const auto over = [] { return stopped_by_signals.load() == nullptr; };
  const auto wait = [&](std::chrono::milliseconds longest) {  // true: over, or a second signal
    const auto end = Clock::now() + longest;
    while (Clock::now() < end && !over() && signals < 2)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return over();
  };
  while (sem_wait(&signalled) != 0) {
  }
  if (wait(patience)) return;
  const std::lock_guard lock(callback_lock);
  if (over()) return;
  if (callback != nullptr && signals < 2) {
    const std::string kept = callback->say_();
    say_interrupted(name_, kept);
  } else if (said) {  // the thread of the work has said it and is on its way out
    constexpr std::chrono::milliseconds way_out{200};
    if (wait(way_out)) return;
  }
  say_interrupted(name_);
  remove_leftovers();
  ::_exit(interrupted_status());
}

OnInterrupt::OnInterrupt(Say say) : say_(std::move(say)) {
  const std::lock_guard lock(callback_lock);
  outer_ = std::exchange(callback, this);
}

OnInterrupt::~OnInterrupt() {
  const std::lock_guard lock(callback_lock);
  callback = outer_;
}

Watch::Watch(double limit, std::function<void()> say_overdue, const std::atomic<bool>* stop)
    : limit_(limit), say_overdue_(std::move(say_overdue)), stop_(stop), scope_(token_) {
  pthread_getcpuclockid(pthread_self(), &clock_);
  begin_ = processor_seconds(clock_);
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
  constexpr std::chrono::milliseconds pause(50);
  constexpr double grace = 1.5;  // processor time [s]
  std::unique_lock lock(mutex_);
  while (!done_.wait_for(lock, pause, [this] { return over_; })) {
    const bool by_signal = interrupted && stopped_by_signals.load() != nullptr;
    if (by_signal || (stop_ != nullptr && *stop_)) token_.stop(StopCause::interrupted);
    const double over = limit_ > 0 ? processor_seconds(clock_) - begin_ - limit_ : 0;
    if (over > 0) token_.stop(StopCause::timed_out);
    if (over <= grace || !say_overdue_) continue;
    say_overdue_();
    remove_leftovers();
    ::_exit(1);
  }
}

}  // namespace daemark
