#include "tests/support/allocation_counter.hpp"

#include <cstdlib>
#include <new>

namespace {

thread_local std::size_t count = 0;

}  // namespace

std::size_t daemark::test::allocations() { return count; }

// The library's array forms end up here. Its nothrow form does not where a sanitizer brings its
// own, and what std::stable_sort asks of that one, the deletes below give back: hence both.
void* operator new(std::size_t size) {
  ++count;
  if (void* block = std::malloc(size > 0 ? size : 1)) return block;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++count;
  return std::malloc(size > 0 ? size : 1);
}
void operator delete(void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }
void operator delete(void* block, const std::nothrow_t&) noexcept { std::free(block); }
