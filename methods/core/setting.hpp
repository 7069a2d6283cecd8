// A value that a run may set, which knows whether it was read: a setting that nothing has read is
// one that the run ignores.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace daemark {

/// While it lives, the keys of the settings that its thread reads.
class SettingReads {
 public:
  SettingReads() : before_(current()) { current() = this; }
  ~SettingReads() { current() = before_; }
  SettingReads(const SettingReads&) = delete;
  SettingReads& operator=(const SettingReads&) = delete;

  bool contains(const std::string& key) const { return keys_.contains(key); }
  static void note(const char* key) {
    if (SettingReads* const reads = current()) reads->keys_.emplace(key);
  }

 private:
  static SettingReads*& current() {
    static thread_local SettingReads* reads = nullptr;
    return reads;
  }
  SettingReads* before_;
  std::set<std::string, std::less<>> keys_;
};

template <class T>
class Setting {
 public:
  constexpr Setting(const char* key, T value) : key_(key), value_(value) {}
  Setting& operator=(const T& value) { return value_ = value, *this; }
  operator const T&() const {  // NOLINT: to be used as the value
    SettingReads::note(key_);
    return value_;
  }

 private:
  const char* key_;  ///< "newton.tol"; not of what lives shorter
  T value_;
};

}  // namespace daemark
