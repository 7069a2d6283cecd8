// Values computed once and shared between threads.
#pragma once

#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "base/program/progress.hpp"
#include "base/program/stop.hpp"

namespace daemark {

template <class Value>
class OncePerKey {
 public:
  /// The value of `key`, from `compute` on the first request for it. No lock is held while it
  /// computes: requests for the same key wait for it, requests for other keys do not. An exception
  /// of `compute` is passed on, and the next request that waits computes.
  template <class Compute>
  std::shared_ptr<const Value> get(const std::string& key, Compute&& compute) {
    const SharedWork shared;  // computed here, or waited for
    if (auto known = known_or_claimed(key)) return known;
    std::shared_ptr<const Value> value;
    try {
      value = std::make_shared<const Value>(compute());
    } catch (...) {
      const std::lock_guard lock(mutex_);
      entries_.erase(key);
      changed_.notify_all();
      throw;
    }
    const std::lock_guard lock(mutex_);
    entries_[key] = value;
    changed_.notify_all();
    return value;
  }

 private:
  /// Null: the caller computes it.
  std::shared_ptr<const Value> known_or_claimed(const std::string& key) {
    std::unique_lock lock(mutex_);
    while (true) {
      const auto [at, first] = entries_.try_emplace(key);
      if (first || at->second) return at->second;
      changed_.wait_for(lock, std::chrono::milliseconds(100));
      checkpoint();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, std::shared_ptr<const Value>> entries_;  ///< null: being computed
};

}  // namespace daemark
