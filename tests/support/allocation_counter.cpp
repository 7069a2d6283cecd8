#include "tests/support/allocation_counter.hpp"

#include <cstdlib>
#include <new>

namespace {

thread_local std::size_t count = 0;

}  // namespace

std::size_t daemark::test::allocations() { return count; }

// The array and nothrow forms of the library end up here.
void* operator new(std::size_t size) {
  ++count;
  if (void* block = std::malloc(size > 0 ? size : 1)) return block;
  throw std::bad_alloc();
}
void operator delete(void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }
