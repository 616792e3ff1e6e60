// Memory that runs out while text is written: an exception, and no end of the
// process.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <new>
#include <string>

#include "gtest/gtest.h"
#include "tessera/base/text/text_writer.h"

namespace {

constexpr int64_t kPlenty = std::numeric_limits<int64_t>::max();
// The number of the allocation that fails, counted down.
int64_t until_failure = kPlenty;

void* Allocate(std::size_t size) {
  if (until_failure-- == 0) throw std::bad_alloc();
  void* const memory = std::malloc(size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(std::size_t size) { return Allocate(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace tessera {
namespace {

// Writes more than a writer keeps, and some that is left for its end.
void WriteMuch(std::string* out) {
  TextWriter writer(out);
  for (int i = 0; i < 10'000; ++i) writer.Char('x');
}

TEST(TextWriterMemory, EachAllocationMayFail) {
  int failures = 0;
  for (int64_t allocation = 0;; ++allocation) {
    std::string out;
    until_failure = allocation;
    bool has_failed = false;
    try {
      WriteMuch(&out);
    } catch (const std::bad_alloc&) {
      has_failed = true;
    }
    until_failure = kPlenty;
    if (!has_failed) {
      EXPECT_EQ(out, std::string(10'000, 'x'));
      break;
    }
    ++failures;
  }
  EXPECT_GT(failures, 0);
}

}  // namespace
}  // namespace tessera
