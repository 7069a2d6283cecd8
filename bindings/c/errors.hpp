// Errors at the boundary of daemark.h: a code, and a line that daemark_last_error() shows.
#pragma once

#include <mpfr.h>

#include <exception>
#include <new>
#include <string>

#include "base/text/bad_input.hpp"
#include "bindings/c/daemark.h"

namespace daemark::c {

inline thread_local std::string last_error;  // NOLINT: what errno is

inline int refuse(int code, std::string text) noexcept {
  last_error = std::move(text);
  return code;
}

/// Runs `work`, which returns a code of daemark.h; what it throws becomes one.
template <class Work>
int guarded(const char* where, Work&& work) noexcept {
  try {
    return work();
  } catch (const BadInput& error) {
    return refuse(DAEMARK_BAD_INPUT, std::string(where) + ": " + error.what());
  } catch (const std::bad_alloc&) {
    return refuse(DAEMARK_FAILED, "out of memory");
  } catch (const std::exception& error) {
    return refuse(DAEMARK_FAILED, std::string(where) + ": " + error.what());
  }
}

inline int missing(const char* where, const char* what) {
  return refuse(DAEMARK_BAD_INPUT,
                std::string(where) + ": " + what + " is NULL; accepted: what daemark.h says of it");
}

/// MPFR keeps constants and numbers of each thread; where the program's threads end, they go too.
inline void free_multiprecision_at_thread_end() {
  struct AtEnd {
    ~AtEnd() { mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE); }
  };
  thread_local const AtEnd at_end;
  static_cast<void>(&at_end);
}

}  // namespace daemark::c
