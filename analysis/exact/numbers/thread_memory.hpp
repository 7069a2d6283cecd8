// FLINT keeps integers for further use, each thread its own.
#pragma once

namespace daemark {

/// Gives back what this thread keeps; for threads that end.
void free_exact_memory_of_thread();

}  // namespace daemark
