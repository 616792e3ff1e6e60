#include "tessera/hlo/memory/memory_summary.h"

#include <cstdint>
#include <limits>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/hlo/dump.h"

namespace tessera {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

TEST(MemorySummary, Example) {
  MemorySummary summary = SummarizeMemory(R"(
      HloModule m
      ENTRY main {
        x = bf16[9,130]{1,0:T(8,128)(2,1)} parameter(0)
        y = bf16[9,130]{1,0:T(8,128)(2,1)S(1)} copy(x)
        n = s32[] constant(7)
        ROOT t = (bf16[9,130]{1,0:T(8,128)(2,1)}, s32[]) tuple(x, n)
      })");
  EXPECT_EQ(summary.counts.instructions, 4);
  EXPECT_EQ(summary.total.arrays, 5);
  EXPECT_EQ(summary.total.unpadded_bytes, 3 * 2340 + 2 * 4);
  EXPECT_EQ(summary.total.padded_bytes, 3 * 8192 + 2 * 4);
  EXPECT_EQ(summary.by_memory_space.at(1).padded_bytes, 8192);
  EXPECT_EQ(summary.most_wasteful[0].shape_text,
            "bf16[9,130]{1,0:T(8,128)(2,1)}");
  EXPECT_EQ(summary.most_wasteful[0].count, 2);
}

// One instruction of the shape.
MemorySummary SummarizeShape(absl::string_view shape) {
  return SummarizeMemory(absl::StrCat("x = ", shape, " f()"));
}

TEST(MemorySummary, Bytes) {
  struct Case {
    const char* shape;
    int64_t arrays;
    int64_t unpadded_bytes;
    int64_t padded_bytes;
  };
  const Case kCases[] = {
      {"f32[]", 1, 4, 4},
      {"f32[2,3]", 1, 24, 24},
      // Worked by hand from the definition of tiles.
      {"f32[3,5]{1,0:T(2,4)}", 1, 60, 128},
      {"f32[]{:T(128)}", 1, 4, 512},
      {"bf16[2048]{0:T(1024)(128)(2,1)}", 1, 4096, 4096},
      {"bf16[100]{0:T(256)(128)(2,1)}", 1, 200, 512},
      {"s8[40,200]{1,0:T(8,128)(4,1)}", 1, 8000, 10240},
      {"f32[10,200]{1,0:T(8,128)(3,1)}", 1, 8000, 18432},
      // Packed, unpacked, wider than the type.
      {"s4[3,3]{1,0:E(4)}", 1, 5, 5},
      {"s4[3,3]{1,0}", 1, 9, 9},
      {"pred[8]", 1, 8, 8},
      {"s4[100,300]{1,0:T(64,128)(8,1)E(4)}", 1, 15000, 24576},
      {"pred[8,8,8]{0,2,1:T(8,128)E(32)}", 1, 2048, 32768},
      // Tail padding, with tiles and without.
      {"f32[7]{0:L(100)}", 1, 28, 400},
      {"f32[4,33]{1,0:T(8)L(1024)}", 1, 528, 4096},
      // Nothing, in spite of tiles and tail padding.
      {"f32[0]{0:T(8)L(100)}", 1, 0, 0},
      {"f32[0,5]{1,0:T(8,128)}", 1, 0, 0},
      // Bounded, at the bound; the metadata prefix M is no array.
      {"f32[<=100,8]{1,0:T(8,128)M(1024)}", 1, 3200, 53248},
      // What is no array.
      {"token[]", 0, 0, 0},
      {"opaque[]", 0, 0, 0},
      {"()", 0, 0, 0},
      // Arrays within.
      {"(f32[2], (s32[], token[]), f32[2])", 3, 20, 20},
      {"b(f32[8])", 1, 32, 32},
      {"(b(f32[8]), b(f32[8]))", 2, 64, 64},
  };
  for (const Case& c : kCases) {
    const MemorySummary summary = SummarizeShape(c.shape);
    EXPECT_EQ(summary.counts.diagnostics, 0) << c.shape;
    EXPECT_EQ(summary.total.arrays, c.arrays) << c.shape;
    EXPECT_EQ(summary.total.unpadded_bytes, c.unpadded_bytes) << c.shape;
    EXPECT_EQ(summary.total.padded_bytes, c.padded_bytes) << c.shape;
    EXPECT_EQ(summary.skipped_arrays, 0) << c.shape;
  }
}

TEST(MemorySummary, UnboundedArraysAreSkipped) {
  const MemorySummary summary = SummarizeShape("(f32[?,2], f32[4], f32[?])");
  EXPECT_EQ(summary.total.arrays, 1);
  EXPECT_EQ(summary.total.padded_bytes, 16);
  EXPECT_EQ(summary.skipped_arrays, 2);
  EXPECT_EQ(summary.distinct_shapes, 1);
}

TEST(MemorySummary, DistinctShapesCountLayoutsButNotSpelling) {
  const MemorySummary summary = SummarizeMemory(
      "a = f32[2,3] f()\n"
      "b = f32[2,3]{1,0} f()\n"
      "c = f32[ 2 , 3 ] { 1 , 0 } f()\n"
      "d = f32[2,3]{0,1} f()\n"
      "e = f32[2,3]{1,0:S(1)} f()\n"
      "g = (f32[2,3], f32[2,3]) f()\n"
      "h = (f32[2,3], /*index=1*/f32[2,3]{1,0}) f()\n"
      "i = broken[2] f()\n"
      "j = f()\n");
  EXPECT_EQ(summary.distinct_shapes, 4);
  EXPECT_EQ(summary.counts.instructions, 8);
  EXPECT_EQ(summary.instructions_without_shape, 1);
  EXPECT_EQ(summary.total.arrays, 9);
  ASSERT_EQ(summary.diagnostics.size(), 1);
  EXPECT_EQ(summary.diagnostics[0].line, 8);
}

TEST(MemorySummary, BySpaceAndByType) {
  const MemorySummary summary = SummarizeMemory(
      "a = f32[2] f()\n"
      "b = (f32[2]{0:S(5)}, s4[4]{0:E(4)S(5)}, pred[]) f()\n"
      "c = s4[4]{0:E(4)} f()\n");
  ASSERT_EQ(summary.by_memory_space.size(), 2);
  const MemoryTotals& space0 = summary.by_memory_space.at(0);
  EXPECT_EQ(space0.arrays, 3);
  EXPECT_EQ(space0.padded_bytes, 8 + 1 + 2);
  const MemoryTotals& space5 = summary.by_memory_space.at(5);
  EXPECT_EQ(space5.arrays, 2);
  EXPECT_EQ(space5.unpadded_bytes, 8 + 2);
  ASSERT_EQ(summary.by_element_type.size(), 3);
  EXPECT_EQ(summary.by_element_type.at(F32).arrays, 2);
  EXPECT_EQ(summary.by_element_type.at(S4).padded_bytes, 4);
  EXPECT_EQ(summary.by_element_type.at(PRED).unpadded_bytes, 1);
}

TEST(MemorySummary, LargestAndMostWasteful) {
  const MemorySummary summary = SummarizeMemory(
      "a = f32[1000]{0} f()\n"
      "b = (f32[1,128]{1,0:T(8,128)}, f32[1,128]{1,0:T(8,128)}) f()\n"
      "c = f32[8,1]{1,0:T(8,128)} f()\n"
      "d = f32[8]{0} f()\n");
  ASSERT_EQ(summary.largest.size(), 4);
  EXPECT_EQ(summary.largest[0].shape_text, "f32[1,128]{1,0:T(8,128)}");
  EXPECT_EQ(summary.largest[1].shape_text, "f32[8,1]{1,0:T(8,128)}");
  EXPECT_EQ(summary.largest[2].shape_text, "f32[1000]{0}");
  EXPECT_EQ(summary.largest[3].shape_text, "f32[8]{0}");
  EXPECT_EQ(summary.largest[3].most_padded.cause, PaddingCause::kNone);
  EXPECT_EQ(summary.largest[3].padding_factor, 1);

  ASSERT_EQ(summary.most_wasteful.size(), 2);
  const ArrayUsage& rows = summary.most_wasteful[0];
  EXPECT_EQ(rows.shape_text, "f32[1,128]{1,0:T(8,128)}");
  EXPECT_EQ(rows.count, 2);
  EXPECT_EQ(rows.unpadded_bytes, 512);
  EXPECT_EQ(rows.padded_bytes, 4096);
  EXPECT_EQ(rows.padding_factor, 8);
  EXPECT_EQ(rows.total_padded_bytes, 8192);
  EXPECT_EQ(rows.total_padding_bytes, 2 * 3584);
  EXPECT_THAT(rows.most_padded.dimensions, ElementsAre(0));
  EXPECT_EQ(rows.most_padded.bound, 1);
  EXPECT_EQ(rows.most_padded.padded, 8);
  const ArrayUsage& columns = summary.most_wasteful[1];
  EXPECT_EQ(columns.shape_text, "f32[8,1]{1,0:T(8,128)}");
  EXPECT_THAT(columns.most_padded.dimensions, ElementsAre(1));
  EXPECT_EQ(columns.most_padded.padded, 128);
}

TEST(MemorySummary, TheTailIsToBlame) {
  const MemorySummary summary =
      SummarizeMemory("a = f32[7]{0:T(8)L(1024)} f()\n");
  const PaddingBlame& blame = summary.most_wasteful[0].most_padded;
  EXPECT_EQ(blame.cause, PaddingCause::kTail);
  EXPECT_THAT(blame.dimensions, IsEmpty());
  EXPECT_EQ(blame.bound, 8);
  EXPECT_EQ(blame.padded, 1024);
}

TEST(MemorySummary, TablesAreCut) {
  std::string text;
  for (int i = 1; i <= 50; ++i) {
    absl::StrAppend(&text, "x = f32[", i, ",1]{1,0:T(8,128)} f()\n");
    absl::StrAppend(&text, "broken\n");
  }
  MemorySummary summary = SummarizeMemory(text);
  EXPECT_EQ(summary.largest.size(), 10);
  // Of equally large ones, those that come first: 49 and 50 rows pad to 56.
  EXPECT_EQ(summary.largest[0].shape_text, "f32[49,1]{1,0:T(8,128)}");
  EXPECT_EQ(summary.largest[1].shape_text, "f32[50,1]{1,0:T(8,128)}");
  EXPECT_EQ(summary.diagnostics.size(), 50);
  MemorySummaryOptions options;
  options.table_rows = 2;
  options.diagnostic_limit = 3;
  summary = SummarizeMemory(text, options);
  EXPECT_EQ(summary.largest.size(), 2);
  EXPECT_EQ(summary.most_wasteful.size(), 2);
  EXPECT_EQ(summary.diagnostics.size(), 3);
  EXPECT_EQ(summary.counts.diagnostics, 50);
}

TEST(MemorySummary, SumsStayAtTheirGreatest) {
  // 2^59 bytes each.
  const MemorySummary summary = SummarizeMemory(
      "a = u8[576460752303423488] f()\n"
      "b = (u8[576460752303423488], u8[576460752303423488]) f()\n");
  EXPECT_EQ(summary.total.padded_bytes, 3 * (int64_t{1} << 59));

  std::string text;
  for (int i = 0; i < 16; ++i) {
    absl::StrAppend(&text, "a = u8[576460752303423488] f()\n");
  }
  const MemorySummary saturated = SummarizeMemory(text);
  EXPECT_EQ(saturated.total.arrays, 16);
  EXPECT_TRUE(saturated.total.is_saturated);
  EXPECT_FALSE(summary.total.is_saturated);
  EXPECT_EQ(saturated.total.unpadded_bytes, kMax);
  EXPECT_EQ(saturated.total.padded_bytes, kMax);
  EXPECT_EQ(saturated.largest[0].padded_bytes, int64_t{1} << 59);
  EXPECT_EQ(saturated.largest[0].total_padded_bytes, kMax);
}

TEST(MemorySummary, ArraysOf2To60BytesAndMore) {
  const MemorySummary summary = SummarizeMemory(
      "a = u8[9223372036854775806] f()\n"
      "b = u8[1] f()\n");
  EXPECT_TRUE(summary.diagnostics.empty());
  EXPECT_EQ(summary.total.padded_bytes, kMax);
  EXPECT_FALSE(summary.total.is_saturated);
  EXPECT_EQ(summary.largest[0].padded_bytes, kMax - 1);
  const MemorySummary more = SummarizeMemory(
      "a = u8[9223372036854775806] f()\n"
      "b = u8[2] f()\n");
  EXPECT_EQ(more.total.padded_bytes, kMax);
  EXPECT_TRUE(more.total.is_saturated);
}

// Against numbers that a script worked out by itself from the files' text.
TEST(MemorySummary, Dumps) {
  struct Case {
    const char* file;
    int64_t instructions_without_shape;
    int64_t distinct_shapes;
    int64_t arrays;
    int64_t unpadded_bytes;
    int64_t padded_bytes;
    int64_t skipped_arrays;
  };
  const Case kCases[] = {
      {"custom_call.hlo", 0, 16, 23, 1807, 1807, 6},
      {"fuzz_rand_000009.hlo", 0, 6, 336, 1202, 1202, 0},
      {"import_async.hlo", 2, 20, 75, 912392, 912392, 0},
      {"jax.issue.33666.linx.frag_0100.module_0005.hlo", 0, 14, 193, 7337, 7337,
       0},
      {"kernel_reuse.hlo", 0, 8, 109, 21511, 21511, 0},
      {"layouts_and_names.hlo", 0, 7, 12, 544683464, 544683464, 0},
      {"sharded_computation.hlo", 0, 16, 101, 7718830184, 7718830184, 0},
      {"slice_to_dynamic.hlo", 0, 3, 4, 72, 72, 0},
      {"tpu_jit_f.after_optimizations.txt", 0, 3, 7, 220, 3584, 0},
      {"tpu_maxtext_llama3_8b_2026-07-31.txt", 0, 152, 1577, 22892038349,
       22916959836, 0},
      {"while.hlo", 0, 22, 225, 1627, 1627, 0},
  };
  for (const Case& c : kCases) {
    const MemorySummary summary = SummarizeMemory(ReadDump(c.file));
    EXPECT_EQ(summary.instructions_without_shape, c.instructions_without_shape)
        << c.file;
    EXPECT_EQ(summary.distinct_shapes, c.distinct_shapes) << c.file;
    EXPECT_EQ(summary.total.arrays, c.arrays) << c.file;
    EXPECT_EQ(summary.total.unpadded_bytes, c.unpadded_bytes) << c.file;
    EXPECT_EQ(summary.total.padded_bytes, c.padded_bytes) << c.file;
    EXPECT_EQ(summary.skipped_arrays, c.skipped_arrays) << c.file;
  }
}

TEST(MemorySummary, DumpByMemorySpace) {
  const MemorySummary summary =
      SummarizeMemory(ReadDump("tpu_maxtext_llama3_8b_2026-07-31.txt"));
  struct Case {
    int64_t memory_space;
    int64_t arrays;
    int64_t unpadded_bytes;
    int64_t padded_bytes;
  };
  const Case kCases[] = {
      {0, 1075, 21413117469, 21423406116},
      {1, 458, 1478920704, 1493538304},
      {2, 14, 56, 56},
      {6, 30, 120, 15360},
  };
  EXPECT_EQ(summary.by_memory_space.size(), 4);
  for (const Case& c : kCases) {
    const MemoryTotals& totals = summary.by_memory_space.at(c.memory_space);
    EXPECT_EQ(totals.arrays, c.arrays) << c.memory_space;
    EXPECT_EQ(totals.unpadded_bytes, c.unpadded_bytes) << c.memory_space;
    EXPECT_EQ(totals.padded_bytes, c.padded_bytes) << c.memory_space;
  }
}

TEST(MemorySummary, Nothing) {
  const MemorySummary summary = SummarizeMemory("");
  EXPECT_EQ(summary.counts.modules, 0);
  EXPECT_EQ(summary.distinct_shapes, 0);
  EXPECT_EQ(summary.total.arrays, 0);
  EXPECT_THAT(summary.by_memory_space, IsEmpty());
  EXPECT_THAT(summary.largest, IsEmpty());
  EXPECT_THAT(summary.most_wasteful, IsEmpty());
}

}  // namespace
}  // namespace tessera
