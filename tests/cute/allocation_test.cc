// Layouts of up to eight leaves are read, composed, coalesced and asked without
// allocation.

#include <cstdint>
#include <cstdlib>
#include <new>

#include "gtest/gtest.h"
#include "tessera/cute/algebra/coalesce.h"
#include "tessera/cute/algebra/composition.h"
#include "tessera/cute/internal/walk.h"
#include "tessera/cute/layout_function.h"
#include "tessera/cute/parse.h"

namespace {

int64_t allocations = 0;

}  // namespace

void* operator new(size_t size) {
  ++allocations;
  void* memory = std::malloc(size);
  if (memory == nullptr) std::abort();
  return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }

namespace tessera::cute {
namespace {

// The number of allocations that `action` makes.
template <typename Action>
int64_t AllocationsOf(const Action& action) {
  const int64_t before = allocations;
  action();
  return allocations - before;
}

constexpr char kEightLeaves[] =
    "(((2,3),(2,2)),((3,2),(5,2))):(((1,40),(500,3)),((7,900),(11,13)))";

TEST(Allocation, TheCountSeesOne) {
  EXPECT_EQ(AllocationsOf([] { ::operator delete(::operator new(1)); }), 1);
}

TEST(Allocation, ReadingALayout) {
  for (const char* text :
       {"4:2", "((3,5),(7,2)):((1,40),(5,300))", kEightLeaves}) {
    EXPECT_EQ(AllocationsOf([&] { EXPECT_TRUE(ParseLayout(text).ok()); }), 0)
        << text;
  }
}

TEST(Allocation, CompositionAndCoalesce) {
  const Layout a = *ParseLayout("(10,2):(16,4)");
  const Layout b = *ParseLayout("(5,4):(1,5)");
  const Layout large = *ParseLayout(kEightLeaves);
  const Layout bits = *ParseLayout("((2,2,2),(2,2,2)):((1,16,4),(8,2,32))");
  const Layout square = *ParseLayout("(8,8):(8,1)");
  const Layout identity = *ParseLayout("1440:1");
  EXPECT_EQ(AllocationsOf([&] {
              EXPECT_TRUE(Composition(a, b).ok());
              EXPECT_TRUE(Composition(square, bits).ok());
              EXPECT_TRUE(Composition(large, identity).ok());
              EXPECT_EQ(Coalesce(large).size(), large.size());
            }),
            0);
}

TEST(Allocation, Evaluation) {
  const Layout layout = *ParseLayout(kEightLeaves);
  EXPECT_EQ(AllocationsOf([&] {
              const LayoutFunction function(layout);
              int64_t sum = 0;
              for (LayoutWalk walk(layout); !walk.AtEnd(); walk.Next()) {
                const int64_t c = walk.coordinate();
                sum += walk.offset() - layout(c);
                sum += function(c) - function.At(c % 24, c / 24);
                sum += layout.At({c % 24, c / 24}) - walk.offset();
              }
              EXPECT_EQ(sum, 0);
            }),
            0);
}

}  // namespace
}  // namespace tessera::cute
