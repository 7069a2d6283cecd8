// MPFR keeps constants and scratch numbers for each thread and does not free them by itself.
#pragma once

namespace daemark {

/// Frees the caches of MPFR of this thread when the thread ends. Call it where a thread begins to
/// compute; further calls do nothing.
void free_caches_with_thread();

}  // namespace daemark
