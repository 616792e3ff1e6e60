#include "tessera/hlo/memory/memory_report.h"

#include <cstdint>
#include <limits>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/hlo/memory/memory_summary.h"
#include "tessera/hlo/parse_hlo.h"
#include "tests/hlo/dump.h"

namespace tessera {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

HloDump Parsed(std::string text) { return *ParseHlo(std::move(text)); }

TEST(MemoryReport, Example) {
  absl::StatusOr<HloDump> dump = ParseHlo(R"(
      HloModule m
      double {
        p = f32[1000,2]{1,0:T(8,128)} parameter(0)
        ROOT sum = f32[1000,2]{1,0:T(8,128)} add(p, p)
      }
      ENTRY main {
        x = f32[1000,2]{1,0:T(8,128)} parameter(0)
        ROOT y = f32[1000,2]{1,0:T(8,128)} fusion(x), kind=kLoop,
            calls=double
      })");
  MemoryReport report = ReportMemory(*dump);
  const ModuleMemory& module = report.modules[0];
  EXPECT_EQ(module.memory.total.padded_bytes, 4 * 512000);
  EXPECT_EQ(module.memory.by_opcode.at("add").unpadded_bytes, 8000);
  EXPECT_EQ(module.memory.by_layout.at("{1,0:T(8,128)}").arrays, 4);
  EXPECT_EQ(module.computations[1].memory.total.arrays, 2);
  const int64_t first = module.most_wasteful[0].first_instruction;
  EXPECT_EQ(dump->instructions()[first].name(), "p");
  EXPECT_THAT(module.most_wasteful[0].most_padded.dimensions, ElementsAre(1));
  EXPECT_THAT(module.most_wasteful[0].best_order->minor_to_major,
              ElementsAre(0, 1));
  EXPECT_EQ(module.most_wasteful[0].best_order->padded_bytes, 32768);
}

TEST(MemoryReport, ByEverything) {
  const HloDump dump = Parsed(R"(
      HloModule first
      ENTRY f {
        a = (f32[2]{0}, s8[8]{0:S(1)}) parameter(0)
        b = f32[2]{0} get-tuple-element(a), index=0
        c = add(b, b)
        d = f32[?] parameter(1)
        e = token[] after-all()
        ROOT g = f32[2,2]{0,1} broadcast(b)
      }
      HloModule second
      ENTRY f {
        ROOT a = f32[2]{0} parameter(0)
      })");
  const MemoryReport report = ReportMemory(dump);
  ASSERT_EQ(report.modules.size(), 2);
  const ModuleMemory& first = report.modules[0];
  EXPECT_EQ(first.module.name(), "first");
  EXPECT_EQ(first.distinct_shapes, 5);
  ASSERT_EQ(first.computations.size(), 1);
  EXPECT_EQ(first.computations[0].computation.name(), "f");
  for (const MemoryBreakdown* memory :
       {&first.memory, &first.computations[0].memory}) {
    EXPECT_EQ(memory->instructions, 6);
    EXPECT_EQ(memory->instructions_without_shape, 1);
    EXPECT_EQ(memory->skipped_arrays, 1);
    EXPECT_EQ(memory->total.arrays, 4);
    EXPECT_EQ(memory->total.padded_bytes, 8 + 8 + 8 + 16);
    ASSERT_EQ(memory->by_memory_space.size(), 2);
    EXPECT_EQ(memory->by_memory_space.at(1).padded_bytes, 8);
    ASSERT_EQ(memory->by_element_type.size(), 2);
    EXPECT_EQ(memory->by_element_type.at(F32).arrays, 3);
    ASSERT_EQ(memory->by_opcode.size(), 3);
    EXPECT_EQ(memory->by_opcode.at("parameter").arrays, 2);
    EXPECT_EQ(memory->by_opcode.at("get-tuple-element").padded_bytes, 8);
    EXPECT_EQ(memory->by_opcode.at("broadcast").padded_bytes, 16);
    ASSERT_EQ(memory->by_layout.size(), 3);
    EXPECT_EQ(memory->by_layout.at("{0}").arrays, 2);
    EXPECT_EQ(memory->by_layout.at("{0:S(1)}").arrays, 1);
    EXPECT_EQ(memory->by_layout.at("{0,1}").padded_bytes, 16);
  }
  EXPECT_EQ(first.largest.size(), 3);
  EXPECT_EQ(first.largest[0].shape_text, "f32[2,2]{0,1}");
  EXPECT_EQ(first.largest[1].shape_text, "f32[2]{0}");
  EXPECT_EQ(first.largest[1].count, 2);
  EXPECT_EQ(first.largest[1].first_instruction, 0);
  EXPECT_THAT(first.most_wasteful, IsEmpty());
  EXPECT_EQ(report.modules[1].memory.total.arrays, 1);
  EXPECT_EQ(report.modules[1].distinct_shapes, 1);
}

TEST(MemoryReport, ArraysOf2To60BytesAndMore) {
  const HloDump dump = Parsed(R"(ENTRY e {
    a = f32[1048576,1048576,1024,1024] f()
    b = (s4[4611686018427387904]{0:E(4)}, u8[1152921504606846976]) g(a)
    c = u8[1]{0:T(1152921504606846975)} g(b)
  })");
  EXPECT_TRUE(dump.diagnostics().empty());
  const MemoryReport report = ReportMemory(dump);
  const MemoryBreakdown& memory = report.modules[0].memory;
  EXPECT_EQ(memory.instructions, 3);
  EXPECT_EQ(memory.total.arrays, 4);
  EXPECT_EQ(memory.total.padded_bytes, kMax);
  EXPECT_FALSE(memory.total.is_saturated);
  EXPECT_EQ(report.modules[0].largest[0].padded_bytes, int64_t{1} << 62);
  EXPECT_EQ(report.modules[0].most_wasteful[0].total_padding_bytes,
            (int64_t{1} << 60) - 2);
}

TEST(MemoryReport, SumsStayAtTheirGreatest) {
  std::string text = "ENTRY e {\n";
  for (int i = 0; i < 16; ++i) {
    absl::StrAppend(&text, "a", i, " = u8[576460752303423488] f()\n");
  }
  const HloDump dump = Parsed(text + "}");
  const MemoryReport report = ReportMemory(dump);
  const MemoryBreakdown& memory = report.modules[0].memory;
  EXPECT_EQ(memory.total.arrays, 16);
  EXPECT_EQ(memory.total.padded_bytes, kMax);
  EXPECT_TRUE(memory.total.is_saturated);
  EXPECT_TRUE(memory.by_opcode.at("f").is_saturated);
  EXPECT_TRUE(report.modules[0].largest[0].is_saturated);
}

// The streaming summary counts in another way.
TEST(MemoryReport, AgreesWithTheSummaryOnDumps) {
  for (const char* file :
       {"custom_call.hlo", "import_async.hlo", "kernel_reuse.hlo",
        "layouts_and_names.hlo", "sharded_computation.hlo",
        "tpu_jit_f.after_optimizations.txt",
        "tpu_maxtext_llama3_8b_2026-07-31.txt", "while.hlo"}) {
    const std::string text = ReadDump(file);
    const MemorySummary summary = SummarizeMemory(text);
    const HloDump dump = Parsed(text);
    MemoryBreakdown all;
    MemoryTotals by_opcode, by_layout;
    for (const ModuleMemory& module : ReportMemory(dump).modules) {
      all.Add(module.memory);
    }
    for (const auto& [opcode, totals] : all.by_opcode) by_opcode.Add(totals);
    for (const auto& [layout, totals] : all.by_layout) by_layout.Add(totals);
    EXPECT_EQ(all.instructions, summary.counts.instructions) << file;
    EXPECT_EQ(all.instructions_without_shape,
              summary.instructions_without_shape)
        << file;
    EXPECT_EQ(all.skipped_arrays, summary.skipped_arrays) << file;
    for (const MemoryTotals* totals : {&all.total, &by_opcode, &by_layout}) {
      EXPECT_EQ(totals->arrays, summary.total.arrays) << file;
      EXPECT_EQ(totals->unpadded_bytes, summary.total.unpadded_bytes) << file;
      EXPECT_EQ(totals->padded_bytes, summary.total.padded_bytes) << file;
    }
    for (const auto& [space, totals] : summary.by_memory_space) {
      EXPECT_EQ(all.by_memory_space.at(space).padded_bytes, totals.padded_bytes)
          << file;
    }
  }
}

}  // namespace
}  // namespace tessera
