#include "experiments/terminal/progress_line.hpp"

#include <fmt/format.h>

#include <iostream>

namespace daemark {

std::string ProgressText::at(double now, const std::string& what, double part) {
  if (part >= 0) {
    if (part < part_) left_ = {};
    part_ = part;
    left_.hear(now, part);
  }
  const auto left = left_.at(now);
  return status_text(what, part, now, left ? text_of(*left) : "");
}

ProgressLine::ProgressLine(std::ostream& err, const std::string& what)
    : part_(progress_begun()),
      what_(what),
      text_(progress_begun()),
      scope_([this](const char* said, double part) {
        said_.store(said, std::memory_order_relaxed);
        part_.store(part, std::memory_order_relaxed);
      }) {
  if (&err == &std::cerr) line_.emplace([this](double seconds) { return text(seconds); });
}

ProgressLine::~ProgressLine() = default;

void ProgressLine::name(const std::string& what) {
  const std::lock_guard lock(mutex_);
  what_ = what;
}

std::string ProgressLine::text(double seconds) {
  const std::lock_guard lock(mutex_);
  const char* const said = said_.load(std::memory_order_relaxed);
  std::string what = what_;
  if (said != nullptr) what += (what.empty() ? "" : ", ") + std::string(said);
  const double part = part_.load(std::memory_order_relaxed);
  return text_.at(seconds, what.empty() ? "at work" : what, said == nullptr ? -1 : part);
}

}  // namespace daemark
