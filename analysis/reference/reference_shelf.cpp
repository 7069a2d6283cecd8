#include "analysis/reference/reference_shelf.hpp"

#include <algorithm>
#include <chrono>

#include "base/program/stop.hpp"

namespace daemark {

ReferenceShelf::ReferenceShelf(std::string problem, Compute compute)
    : problem_(std::move(problem)), compute_(std::move(compute)), store_(problem_) {}

void ReferenceShelf::forget() {
  const std::lock_guard lock(mutex_);
  store_ = ReferenceStore(problem_);
  asked_.clear();
  failure_.reset();
}

std::vector<ReferenceState> ReferenceShelf::get(const Times& wanted, int digits, bool recompute,
                                                bool keep) {
  std::unique_lock lock(mutex_);
  while (true) {
    Times missing;
    bool others = false;
    for (const auto& [key, t] : wanted) {
      if (failure_ && failure_->first <= key) throw NoReference(failure_->second);
      if (is_here(key, digits, recompute)) continue;
      if (in_work_.contains(key))
        others = true;
      else
        missing.emplace(key, t);
    }
    if (!missing.empty()) {
      work_on(missing, std::max(digits, ask_at_least), keep, lock);
    } else if (others) {
      changed_.wait_for(lock, std::chrono::milliseconds(100));
      checkpoint();
    } else {
      break;
    }
  }
  std::vector<ReferenceState> result;
  for (const auto& [key, t] : wanted) result.push_back(*store_.find(key));
  return result;
}

/// What was computed for as many digits in this run stays, also where fewer came out.
bool ReferenceShelf::is_here(const rational& key, int digits, bool recompute) const {
  const auto asked = asked_.find(key);
  if (asked != asked_.end() && asked->second >= digits) return true;
  const ReferenceState* state = recompute ? nullptr : store_.find(key);
  return state != nullptr && state->agreed_digits >= digits;
}

/// Called and left with the lock held, which is free in between.
void ReferenceShelf::work_on(const Times& missing, int digits, bool keep,
                             std::unique_lock<std::mutex>& lock) {
  for (const auto& [key, t] : missing) in_work_.insert(key);
  lock.unlock();
  const auto done = [&] {
    lock.lock();
    for (const auto& [key, t] : missing) in_work_.erase(key);
    changed_.notify_all();
  };
  std::map<rational, ReferenceState> found;
  try {
    found = compute_(missing, digits);
  } catch (const NoReference& why) {
    done();
    // Earlier times may be within reach, no later one is.
    if (const rational& last = missing.rbegin()->first; !failure_ || last < failure_->first)
      failure_ = {last, why.what()};
    return;
  } catch (...) {
    done();
    throw;
  }
  done();
  for (const auto& [key, state] : found) {
    store_.add(key, state);
    asked_[key] = digits;
  }
  if (keep) store_.save();
}

}  // namespace daemark
