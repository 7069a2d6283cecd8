// MPFR keeps constants and scratch numbers for each thread, which it does not give back by itself.
#pragma once

namespace daemark {

/// What MPFR keeps for this thread is freed when the thread ends. To be called where threads begin
/// to compute; more calls do nothing.
void free_caches_with_thread();

}  // namespace daemark
