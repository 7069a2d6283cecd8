#include "analysis/exact/numbers/thread_memory.hpp"

#include <flint/flint.h>

namespace daemark {

void free_exact_memory_of_thread() { flint_cleanup(); }

}  // namespace daemark
