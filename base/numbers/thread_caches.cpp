#include "base/numbers/thread_caches.hpp"

#include <mpfr.h>

namespace daemark {

void free_caches_with_thread() {
  struct Release {
    ~Release() { mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE); }
  };
  thread_local const Release at_end;
  (void)at_end;
}

}  // namespace daemark
