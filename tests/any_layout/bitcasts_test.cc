// FindBitcasts of layouts of all families.

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"
#include "tessera/any_layout/any_layout.h"
#include "tessera/index_util/bitcast.h"
#include "tessera/tests/status_matchers.h"

namespace tessera {
namespace {

absl::StatusOr<std::optional<Bitcasts>> Find(
    const char* from, const char* to, const BitcastOptions& options = {}) {
  const absl::StatusOr<AnyLayout> a = ParseAnyLayout(from);
  const absl::StatusOr<AnyLayout> b = ParseAnyLayout(to);
  EXPECT_THAT(a, IsOk()) << from;
  EXPECT_THAT(b, IsOk()) << to;
  return FindBitcasts(*a, *b, options);
}

std::string TextOf(const std::optional<Bitcasts>& bitcasts) {
  if (!bitcasts.has_value()) return "none";
  const auto answer = [](std::optional<bool> told) {
    return !told.has_value() ? "unknown" : *told ? "yes" : "no";
  };
  return absl::StrCat(
      "reshape ", answer(bitcasts->as_reshape), ", transpose ",
      bitcasts->as_transpose == true ? absl::StrJoin(bitcasts->dimensions, ",")
                                     : answer(bitcasts->as_transpose),
      bitcasts->obstacle.empty() ? "" : "; ", bitcasts->obstacle);
}

TEST(FindBitcasts, OfAnyFamily) {
  struct Case {
    const char* from;
    const char* to;
    std::string want;
  };
  const Case cases[] = {
      {"int64[2,2] strides (8, 16) bytes", "s64[2,2]{0,1}",
       "reshape yes, transpose 0,1"},
      {"int64[2,2] strides (8, 16) bytes", "s64[2,2]{1,0}",
       "reshape no, transpose 1,0"},
      {"s64[2,2]{0,1}", "memref<2x2xi64, strided<[1, 2]>>",
       "reshape yes, transpose 0,1"},
      {"f32[4,6] strides (24, 4) bytes", "f32[24]{0}",
       "reshape yes, transpose no"},
      {"f32[8,128] strides (512, 4) bytes", "f32[8,128]{1,0:T(8,128)}",
       "reshape yes, transpose 0,1"},
      {"f32[8,256] strides (1024, 4) bytes", "f32[8,256]{1,0:T(8,128)}",
       "reshape no, transpose no"},
      {"f32[2,3,5] strides (60, 20, 4) bytes",
       "f32[5,2,3] strides (4, 60, 20) bytes", "reshape no, transpose 2,0,1"},
      // Gaps, offsets, and positions that several indices have.
      {"f32[2,3] strides (32, 8) bytes", "f32[3,2] strides (8, 32) bytes",
       "reshape no, transpose 1,0"},
      {"f32[2,3] strides (12, 4) bytes, offset 4 bytes", "f32[2,3]{1,0}",
       "reshape no, transpose no"},
      {"f32[3] strides (-4) bytes", "f32[3]{0}", "reshape no, transpose no"},
      {"f32[3] strides (-4) bytes", "f32[3,1] strides (-4, 0) bytes",
       "reshape yes, transpose no"},
      {"f32[3,3,2] strides (0, 0, 4) bytes",
       "f32[2,3,3] strides (4, 0, 0) bytes", "reshape no, transpose 2,0,1"},
      {"f32[3,3] strides (4, 4) bytes", "f32[3,3] strides (4, 4) bytes",
       "reshape yes, transpose 0,1"},
      // Elements: in NumPy an int4 takes a byte.
      {"memref<4xi4>", "s4[4]{0}", "reshape yes, transpose 0"},
      {"memref<4xi4>", "s4[4]{0:E(4)}",
       "reshape no, transpose no; elements of 8 and of 4 bits"},
      {"int64[2] strides (8) bytes", "s32[2]{0}",
       "reshape no, transpose no; elements of 64 and of 32 bits"},
      // Memory spaces.
      {"memref<4xf32, 1 : i32>", "f32[4] strides (4) bytes",
       "reshape yes, transpose 0; two memory spaces, 1 : i32 and the default"},
      {"f32[4] strides (4) bytes", "f32[4]{0:S(1)}",
       "reshape yes, transpose 0; two memory spaces, the default and S(1)"},
      // Two XLA arrays.
      {"f16[1,2,128,64]{3,2,1,0}", "f16[1,128,2,64]{3,1,2,0}",
       "reshape no, transpose 0,2,1,3"},
      // Not of families that do not say what a buffer is.
      {"(8,4):(1,8)", "(8,4):(1,8)", "none"},
      {"f32[8,4]{0,1}", "(8,4):(1,8)", "none"},
      {"(8,4):(1,8)", "f32[8,4] strides (4, 32) bytes", "none"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(absl::StrCat(c.from, " -> ", c.to));
    const absl::StatusOr<std::optional<Bitcasts>> found = Find(c.from, c.to);
    ASSERT_THAT(found, IsOk());
    EXPECT_EQ(TextOf(*found), c.want);
  }
}

TEST(FindBitcasts, OfOneTransposeOfAnyFamily) {
  BitcastOptions options;
  options.dimensions = {1, 0};
  EXPECT_EQ(
      TextOf(*Find("f32[2,3] strides (12, 4) bytes", "f32[3,2]{0,1}", options)),
      "reshape unknown, transpose 1,0");
  EXPECT_EQ(
      Find("f32[2,3] strides (12, 4) bytes", "f32[2,3]{1,0}", options).status(),
      absl::InvalidArgumentError(
          "dimensions={1,0} make [3,2] of [2,3], not [2,3]"));
}

}  // namespace
}  // namespace tessera
