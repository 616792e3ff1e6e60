#include "tessera/cute/algebra/partition.h"

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/tests/cute/cute_values.h"
#include "tessera/tests/status_matchers.h"

namespace tessera::cute {
namespace {

std::string TextOfPart(const absl::StatusOr<LayoutPart>& part) {
  if (!part.ok()) return absl::StrCat("error: ", part.status().message());
  return absl::StrCat(part->layout.ToString(), " at ", part->offset.ToString());
}

TEST(LocalTile, Table) {
  const struct {
    std::string_view layout;
    std::string_view tiler;
    std::string_view coordinate;
    std::string expected;
  } kCases[] = {
      {"(512,1024):(1,512)", "(128,8)", "(1,_)",
       "(128,8,128):(1,512,4096) at 128"},
      {"(512,256):(256,1)", "(128,8)", "(1,_)",
       "(128,8,32):(256,1,8) at 32768"},
      {"(512,256):(256,1)", "(128,8)", "(1,2)", "(128,8):(256,1) at 32784"},
      // What the coordinate lacks stays open.
      {"(512,256):(256,1)", "(128,8)", "(1)", "(128,8,32):(256,1,8) at 32768"},
      {"(8,4):(4,1)", "(2,4)", "3", "(2,4):(4,1) at 24"},
      {"(8,4):(4,1)", "4:1", "1", "(4):(4) at 16"},
      {"(8,4,5):(1,8,32)", "(2,4)", "(1,0,2)", "(2,4):(1,8) at 66"},
      {"(8,6):(1@0,1@1)", "(4,2)", "(1,2)", "(4,2):(1@0,1@1) at (4,4)"},
      {"(8,4):(4,1)", "(2,4)", "(1,0,0)",
       "error: the coordinate (1,0,0) has 3 modes, more than 2"},
      {"(8,4):(4,1)", "(2,4,2)", "(1,0)",
       "error: 3 modes are asked of a layout with 2"},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(TextOfPart(LocalTile(LayoutOf(c.layout), TilerOf(c.tiler),
                                   TupleOf(c.coordinate))),
              c.expected)
        << c.layout << " by " << c.tiler << " at " << c.coordinate;
  }
}

TEST(LocalPartition, Table) {
  const struct {
    std::string_view layout;
    std::string_view threads;
    int64_t thread;
    std::string expected;
  } kCases[] = {
      {"(128,8):(1,128)", "(32,8):(1,32)", 5, "(4,1):(32,0) at 5"},
      {"(128,8):(1,128)", "(32,8):(8,1)", 13, "(4,1):(32,0) at 641"},
      {"(16,64):(64,1)", "(2,16):(1,2)", 3, "(8,4):(128,16) at 65"},
      {"(16,64):(64,1)", "((2,2),16):((1,32),2)", 35, "(4,4):(256,16) at 193"},
      {"(8,4):(4,1)", "(2,2):(0,1)", 1,
       "error: the mode 2:0 has no stride of at least 1 to divide by"},
      {"(8,4):(4,1)", "(2,2):(1,2)", -1, "error: the offset -1 is negative"},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(TextOfPart(LocalPartition(LayoutOf(c.layout), LayoutOf(c.threads),
                                        c.thread)),
              c.expected)
        << c.layout << " by " << c.threads << " for " << c.thread;
  }
}

// Each element belongs to one thread and to one tile.
TEST(Partitions, CoverTheLayout) {
  const Layout layout = LayoutOf("((4,2),(2,6)):((6,48),(1,2))");
  const Layout threads = LayoutOf("(4,3):(3,1)");
  std::multiset<int64_t> of_threads, of_tiles, all;
  for (const int64_t offset : ValuesOf(layout)) all.insert(offset);
  for (int64_t thread = 0; thread < threads.size(); ++thread) {
    const absl::StatusOr<LayoutPart> part =
        LocalPartition(layout, threads, thread);
    ASSERT_THAT(part, IsOk());
    for (const int64_t offset : ValuesOf(part->layout)) {
      of_threads.insert(part->offset.value() + offset);
    }
  }
  for (int64_t tile = 0; tile < 8; ++tile) {
    const absl::StatusOr<LayoutPart> part =
        LocalTile(layout, TilerOf("(4,3)"), tile);
    ASSERT_THAT(part, IsOk());
    for (const int64_t offset : ValuesOf(part->layout)) {
      of_tiles.insert(part->offset.value() + offset);
    }
  }
  EXPECT_EQ(of_threads, all);
  EXPECT_EQ(of_tiles, all);
}

TEST(Project, Table) {
  const auto projected = [](std::string_view projection,
                            std::string_view tiler) {
    return TextOf(Project(TupleOf(projection), TilerOf(tiler)));
  };
  EXPECT_EQ(projected("(1,_,1)", "(32,64,4)"), "(32:1,4:1)");
  EXPECT_EQ(projected("(_,_,1)", "<32, 64, (2,2):(1,4)>"), "((2,2):(1,4))");
  EXPECT_EQ(projected("(1,_)", "(32,64,4)"),
            "error: the projection (1,_) does not have the modes of "
            "(32:1,64:1,4:1)");
  EXPECT_EQ(projected("(1,_)", "(32,64):(1,32)"),
            "error: the projection (1,_) does not have the modes of "
            "(32,64):(1,32)");
  EXPECT_EQ(projected("(1,(1,1))", "(32,(2,2))"),
            "error: mode 1 of the projection (1,(1,1)) is not an integer or "
            "'_'");
}

}  // namespace
}  // namespace tessera::cute
