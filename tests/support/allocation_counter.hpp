// Counts what the test binary allocates by operator new, for tests that promise "no allocation".
#pragma once

#include <cstddef>

namespace daemark::test {

/// Calls of operator new so far in this thread (not malloc, so not Eigen's own blocks).
std::size_t allocations();

}  // namespace daemark::test
