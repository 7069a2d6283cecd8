#include "base/program/memory.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>

namespace daemark {

namespace {

/// Bytes of data this process may hold: most of the memory of the machine, or of the limit set for
/// the process.
double memory_for_data() {
  constexpr double most = 0.8;  // the program and others want some, too
  double bytes =
      static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    bytes = std::min(bytes, static_cast<double>(limit.rlim_cur));
  return most * bytes;
}

}  // namespace

void require_memory(double bytes, const std::string& what, const std::string& accepted) {
  constexpr double gigabyte = 1e9;
  const double there = memory_for_data();
  if (bytes <= there) return;
  throw NoMemory(fmt::format("{} needs {:.3g} GB of memory, {:.3g} GB are to be had; accepted: {}",
                             what, bytes / gigabyte, there / gigabyte, accepted));
}

}  // namespace daemark
