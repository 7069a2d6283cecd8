#include "analysis/reference/reference_shelf.hpp"

#include <algorithm>
#include <chrono>

#include "base/program/progress.hpp"
#include "base/program/stop.hpp"
#include "base/text/bad_input.hpp"

namespace daemark {

ReferenceShelf::ReferenceShelf(const std::string& problem, Compute compute)
    : compute_(std::move(compute)), store_(problem) {
  for (const std::string& refused : store_.refused())
    notes_.push_back({refused + "; the states that are needed are computed anew"});
}

std::vector<ReferenceState> ReferenceShelf::get(const Times& wanted, int digits, bool recompute,
                                                bool keep) {
  const SharedWork shared;  // computed here, or waited for
  std::unique_lock lock(mutex_);
  digits = std::max(digits, standard_digits);
  std::set<rational> computed;  // by this call
  while (true) {
    bool others = false, worked = false;
    for (const auto& [key, t] : wanted) {
      const bool here = recompute ? computed.contains(key) : store_.find(key, digits) != nullptr;
      if (here) continue;
      if (failure_ && failure_->first <= key) throw NoReference(failure_->second);
      if (in_work_.contains(key)) {
        others = true;
        continue;
      }
      work_on(key, t, digits, keep, lock);
      computed.insert(key);
      worked = true;
      break;
    }
    if (worked) continue;
    if (!others) break;
    changed_.wait_for(lock, std::chrono::milliseconds(100));
    checkpoint();
  }
  std::vector<ReferenceState> result;
  for (const auto& [key, t] : wanted) result.push_back(store_.find(key, digits)->state);
  return result;
}

/// The lock is held on entry and exit, and released in between.
void ReferenceShelf::work_on(const rational& key, const Expression& t, int digits, bool keep,
                             std::unique_lock<std::mutex>& lock) {
  in_work_.insert(key);
  lock.unlock();
  const auto done = [&] {
    lock.lock();
    in_work_.erase(key);
    changed_.notify_all();
  };
  ReferenceState found;
  try {
    found = compute_(t, digits);
  } catch (const NoReference& why) {
    done();
    // Earlier times may still be computed, later ones cannot.
    if (!failure_ || key < failure_->first) failure_ = {key, why.what()};
    throw;
  } catch (...) {
    done();
    throw;
  }
  done();
  found.asked_digits = digits;
  store_.add(key, found);
  if (!keep) return;
  try {
    store_.save();
  } catch (const BadInput& failure) {  // it is known all the same
    notes_.push_back({failure.what(), true});
  }
}

void ReferenceShelf::compare(const rational& t, const ReferenceState& state) {
  const std::lock_guard lock(mutex_);
  store_.compare(t, state);
}

std::string ReferenceShelf::digest_of(const rational& t) {
  const std::lock_guard lock(mutex_);
  const StoredState* found = store_.find(t, standard_digits);
  return found == nullptr ? "" : found->checksum;
}

void ReferenceShelf::publish(const std::set<rational>& times) {
  const std::lock_guard lock(mutex_);
  store_.publish(times);
}

bool ReferenceShelf::is_published(const rational& t) {
  const std::lock_guard lock(mutex_);
  return store_.is_published(t);
}

std::vector<ReferenceNote> ReferenceShelf::take_notes() {
  const std::lock_guard lock(mutex_);
  return std::exchange(notes_, {});
}

}  // namespace daemark
