#include "tessera/hlo/memory/memory_report.h"

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/parse_hlo.h"
#include "tests/hlo/dump.h"
#include "tests/hlo/dump_files.h"

namespace tessera {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

HloDump Parsed(std::string text) { return *ParseHlo(std::move(text)); }

// A dump and the report on it.
struct Reported {
  HloDump dump;
  MemoryReport report;
};
// Counts every result if nothing else is asked.
MemoryReportOptions Results() {
  MemoryReportOptions options;
  options.counted = CountedArrays::kResults;
  return options;
}
Reported Report(std::string text,
                const MemoryReportOptions& options = Results()) {
  HloDump dump = Parsed(std::move(text));
  MemoryReport report = ReportMemory(dump, options);
  return {std::move(dump), std::move(report)};
}

TEST(MemoryReport, ATupleHasItsArrays) {
  const Reported reported = Report(R"(
      HloModule m
      ENTRY main {
        x = bf16[9,130]{1,0:T(8,128)(2,1)} parameter(0)
        y = bf16[9,130]{1,0:T(8,128)(2,1)S(1)} copy(x)
        n = s32[] constant(7)
        ROOT t = (bf16[9,130]{1,0:T(8,128)(2,1)}, s32[]) tuple(x, n)
      })");
  const MemoryReport& report = reported.report;
  EXPECT_EQ(report.memory.instructions, 4);
  EXPECT_EQ(report.memory.total.arrays, 5);
  EXPECT_EQ(report.memory.total.unpadded_bytes, 3 * 2340 + 2 * 4);
  EXPECT_EQ(report.memory.total.padded_bytes, 3 * 8192 + 2 * 4);
  EXPECT_EQ(report.memory.by_memory_space.at(1).padded_bytes, 8192);
  EXPECT_EQ(report.most_wasteful[0].shape_text,
            "bf16[9,130]{1,0:T(8,128)(2,1)}");
  EXPECT_EQ(report.most_wasteful[0].count, 2);
}

// As before optimization: the orders say nothing.
TEST(MemoryReport, UntiledArraysMayHaveTheLayoutsOfTpu) {
  constexpr char kText[] = R"(
      HloModule m
      ENTRY main {
        x = f32[2000,3]{1,0} parameter(0)
        y = f32[2000,3]{1,0} negate(x)
        z = f32[300,2]{0,1} parameter(1)
        n = s32[] constant(7)
        e = f32[0,3]{1,0} parameter(2)
        d = f32[?,3]{1,0} parameter(3)
        b = (bf16[9,130]{1,0}, f6e2m3fn[5]{0}) parameter(4)
        ROOT t = (f32[2000,3]{1,0}, s32[]) tuple(y, n)
      })";
  MemoryReportOptions options;
  options.tpu_layouts = true;
  const Reported reported = Report(kText, options);
  const MemoryBreakdown& memory = reported.report.memory;
  EXPECT_TRUE(memory.has_tpu_default_layouts);
  EXPECT_EQ(memory.by_layout.at("{0,1:T(4,128)}").arrays, 2);
  EXPECT_EQ(memory.by_layout.at("{0,1:T(4,128)}").padded_bytes, 2 * 32768);
  // The tuple is no buffer. An order that is not row-major is meant.
  EXPECT_EQ(memory.by_layout.at("{0,1:T(2,128)}").padded_bytes, 384 * 2 * 4);
  EXPECT_EQ(memory.by_layout.at("{:T(128)}").padded_bytes, 512);
  EXPECT_EQ(memory.by_layout.at("{1,0:T(8,128)(2,1)}").padded_bytes, 8192);
  EXPECT_EQ(memory.by_layout.at("{1,0}").padded_bytes, 0);
  // The compiler has no layout for it.
  EXPECT_EQ(memory.by_layout.at("{0}").padded_bytes, 5);
  EXPECT_EQ(memory.skipped_arrays, 1);
  EXPECT_EQ(reported.report.largest[0].shape_text, "f32[2000,3]{0,1:T(4,128)}");
  for (const ArrayUsage& array : reported.report.most_wasteful) {
    EXPECT_FALSE(array.best_order.has_value()) << array.shape_text;
  }
  const MemoryBreakdown of_main = ReportComputation(
      reported.dump, reported.dump.computations()[0], options);
  EXPECT_TRUE(of_main.has_tpu_default_layouts);
  EXPECT_EQ(of_main.total.padded_bytes, memory.total.padded_bytes);

  options.tpu_layouts = false;
  const Reported as_written = Report(kText, options);
  EXPECT_FALSE(as_written.report.memory.has_tpu_default_layouts);
  EXPECT_EQ(as_written.report.memory.by_layout.at("{1,0}").padded_bytes,
            2 * 24000 + 2340);
}

// One array with tiles, and the compiler has been here.
TEST(MemoryReport, TiledModulesKeepTheirLayouts) {
  MemoryReportOptions options;
  options.tpu_layouts = true;
  const Reported reported = Report(R"(
      HloModule m
      ENTRY main {
        x = f32[2000,3]{1,0} parameter(0)
        ROOT y = (f32[2000,3]{1,0}, b(f32[8]{0:T(8)})) custom-call(x)
      })",
                                   options);
  EXPECT_FALSE(reported.report.memory.has_tpu_default_layouts);
  EXPECT_EQ(reported.report.memory.by_layout.at("{1,0}").padded_bytes,
            2 * 24000);
}

TEST(MemoryReport, ByEverything) {
  const HloDump dump = Parsed(R"(
      HloModule first
      ENTRY f {
        a = (f32[2]{0}, s8[8]{0:S(1)}) parameter(0)
        b = f32[2]{0} get-tuple-element(a), index=0
        c = convert(b)
        d = f32[?] parameter(1)
        e = token[] after-all()
        ROOT g = f32[2,2]{0,1} broadcast(b)
      }
      HloModule second
      ENTRY f {
        ROOT a = f32[2]{0} parameter(0)
      })");
  const MemoryReport report = ReportMemory(dump, Results());
  ASSERT_EQ(report.modules.size(), 2);
  const ModuleMemory& first = report.modules[0];
  EXPECT_EQ(first.module.name(), "first");
  EXPECT_EQ(first.distinct_shapes, 5);
  const MemoryBreakdown of_f =
      ReportComputation(dump, dump.computations()[0], Results());
  for (const MemoryBreakdown* memory : {&first.memory, &of_f}) {
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

// By module, opcode, layout and computation, the sums are those of the whole.
TEST(MemoryReport, PartsAddUp) {
  for (const char* file : kDumpFiles) {
    const Reported reported = Report(ReadDump(file), Results());
    const MemoryBreakdown& all = reported.report.memory;
    MemoryTotals by_module, by_opcode, by_layout, by_computation;
    int64_t instructions = 0;
    for (const ModuleMemory& module : reported.report.modules) {
      by_module.Add(module.memory.total);
      instructions += module.memory.instructions;
    }
    for (const auto& [opcode, totals] : all.by_opcode) by_opcode.Add(totals);
    for (const auto& [layout, totals] : all.by_layout) by_layout.Add(totals);
    for (const HloComputation computation : reported.dump.computations()) {
      by_computation.Add(
          ReportComputation(reported.dump, computation, Results()).total);
    }
    EXPECT_EQ(all.instructions, reported.dump.counts().instructions) << file;
    EXPECT_EQ(all.instructions, instructions) << file;
    for (const MemoryTotals* totals :
         {&by_module, &by_opcode, &by_layout, &by_computation}) {
      EXPECT_EQ(totals->arrays, all.total.arrays) << file;
      EXPECT_EQ(totals->unpadded_bytes, all.total.unpadded_bytes) << file;
      EXPECT_EQ(totals->padded_bytes, all.total.padded_bytes) << file;
    }
  }
}

// Neither a tuple and what it holds, nor the inside of a fusion or reducer, nor
// what goes round in a loop has a buffer of its own.
TEST(MemoryReport, CountsBuffers) {
  const char kText[] = R"(
      HloModule m
      add { a = f32[] parameter(0)
        b = f32[] parameter(1)
        ROOT c = f32[] add(a, b) }
      fused { p = f32[256]{0} parameter(0)
        big = f32[1024,256]{1,0} broadcast(p), dimensions={1}
        zero = f32[] constant(0)
        ROOT r = f32[256]{0} reduce(big, zero), dimensions={0}, to_apply=add }
      body { p = (s32[], f32[256]{0}) parameter(0)
        i = s32[] get-tuple-element(p), index=0
        x = f32[256]{0} get-tuple-element(p), index=1
        f = f32[256]{0} fusion(x), kind=kLoop, calls=fused
        ROOT t = (s32[], f32[256]{0}) tuple(i, f) }
      test { p = (s32[], f32[256]{0}) parameter(0)
        ROOT less = pred[] constant(true) }
      ENTRY main { x = f32[256]{0} parameter(0)
        i = s32[] constant(0)
        t = (s32[], f32[256]{0}) tuple(i, x)
        w = (s32[], f32[256]{0}) while(t), condition=test, body=body
        ROOT y = f32[256]{0} get-tuple-element(w), index=1 })";
  const Reported buffers = Report(kText, MemoryReportOptions());
  const MemoryBreakdown& memory = buffers.report.memory;
  EXPECT_EQ(memory.counted, CountedArrays::kBuffers);
  EXPECT_EQ(memory.instructions, 19);
  EXPECT_EQ(memory.total.arrays, 4);  // x and i; f of the body; less
  EXPECT_EQ(memory.total.padded_bytes, 1024 + 4 + 1024 + 1);
  EXPECT_EQ(memory.by_opcode.size(), 3);
  EXPECT_EQ(memory.by_opcode.at("fusion").padded_bytes, 1024);
  EXPECT_EQ(buffers.report.largest[0].shape_text, "f32[256]{0}");
  EXPECT_EQ(buffers.report.largest[0].count, 2);
  // The shapes are those of the text all the same.
  const Reported results = Report(kText);
  EXPECT_EQ(results.report.memory.counted, CountedArrays::kResults);
  EXPECT_EQ(results.report.distinct_shapes, buffers.report.distinct_shapes);
  EXPECT_EQ(results.report.largest[0].shape_text, "f32[1024,256]{1,0}");

  struct Case {
    const char* computation;
    CountedArrays counted;
    int64_t arrays;
  };
  // The inside of a fusion is asked for by name: its results are counted.
  constexpr Case kCases[] = {{"body", CountedArrays::kBuffers, 1},
                             {"test", CountedArrays::kBuffers, 1},
                             {"fused", CountedArrays::kResults, 4},
                             {"add", CountedArrays::kResults, 3}};
  for (const Case& c : kCases) {
    for (const HloComputation computation : buffers.dump.computations()) {
      if (computation.name() != c.computation) continue;
      const MemoryBreakdown of = ReportComputation(buffers.dump, computation);
      EXPECT_EQ(of.counted, c.counted) << c.computation;
      EXPECT_EQ(of.total.arrays, c.arrays) << c.computation;
    }
  }
}

// What runs is not known before ENTRY.
TEST(MemoryReport, CountsResultsOfAModuleWithoutEntry) {
  const Reported reported = Report(
      "HloModule a\nf {\n p = f32[2]{0} parameter(0)\n"
      " ROOT b = f32[2]{0} bitcast(p)\n}\n"
      "HloModule b\nENTRY e {\n p = f32[2]{0} parameter(0)\n"
      " ROOT b = f32[2]{0} bitcast(p)\n}\n",
      MemoryReportOptions());
  EXPECT_EQ(reported.report.modules_without_entry, 1);
  EXPECT_EQ(reported.report.memory.counted, CountedArrays::kBuffers);
  EXPECT_EQ(reported.report.memory.total.arrays, 3);
  EXPECT_EQ(reported.report.modules[0].memory.counted, CountedArrays::kResults);
  EXPECT_EQ(reported.report.modules[0].memory.total.arrays, 2);
  EXPECT_EQ(reported.report.modules[1].memory.total.arrays, 1);
}

// A shape that stands in two modules is one row of the whole.
TEST(MemoryReport, SeveralModules) {
  const Reported reported = Report(
      "HloModule a\nENTRY e {\n x = f32[3]{0:T(8)} f()\n}\n"
      "HloModule b\nENTRY e {\n x = f32[3]{0:T(8)} f()\n}\n");
  ASSERT_EQ(reported.report.modules.size(), 2);
  for (const ModuleMemory& module : reported.report.modules) {
    ASSERT_EQ(module.most_wasteful.size(), 1);
    EXPECT_EQ(module.most_wasteful[0].count, 1);
  }
  ASSERT_EQ(reported.report.most_wasteful.size(), 1);
  EXPECT_EQ(reported.report.most_wasteful[0].count, 2);
  EXPECT_EQ(reported.report.most_wasteful[0].total_padding_bytes, 2 * 20);
  EXPECT_EQ(reported.report.distinct_shapes, 1);
}

// One instruction of the shape.
Reported ReportShape(std::string_view shape) {
  return Report(absl::StrCat("x = ", AbslView(shape), " f()"));
}

TEST(MemoryReport, Bytes) {
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
      {"pred[8,8,8]{0,2,1:T(8,128)E(32)}", 1, 512, 32768},
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
    const Reported reported = ReportShape(c.shape);
    EXPECT_EQ(reported.dump.diagnostic_count(), 0) << c.shape;
    EXPECT_EQ(reported.report.memory.total.arrays, c.arrays) << c.shape;
    EXPECT_EQ(reported.report.memory.total.unpadded_bytes, c.unpadded_bytes)
        << c.shape;
    EXPECT_EQ(reported.report.memory.total.padded_bytes, c.padded_bytes)
        << c.shape;
    EXPECT_EQ(reported.report.memory.skipped_arrays, 0) << c.shape;
  }
}

TEST(MemoryReport, UnboundedArraysAreSkipped) {
  const Reported reported = ReportShape("(f32[?,2], f32[4], f32[?])");
  EXPECT_EQ(reported.report.memory.total.arrays, 1);
  EXPECT_EQ(reported.report.memory.total.padded_bytes, 16);
  EXPECT_EQ(reported.report.memory.skipped_arrays, 2);
  EXPECT_EQ(reported.report.distinct_shapes, 1);
}

TEST(MemoryReport, DistinctShapesCountLayoutsButNotSpelling) {
  const Reported reported = Report(
      "a = f32[2,3] f()\n"
      "b = f32[2,3]{1,0} f()\n"
      "c = f32[ 2 , 3 ] { 1 , 0 } f()\n"
      "d = f32[2,3]{0,1} f()\n"
      "e = f32[2,3]{1,0:S(1)} f()\n"
      "g = (f32[2,3], f32[2,3]) f()\n"
      "h = (f32[2,3], /*index=1*/f32[2,3]{1,0}) f()\n"
      "i = broken[2] f()\n"
      "j = f()\n");
  EXPECT_EQ(reported.report.distinct_shapes, 4);
  EXPECT_EQ(reported.dump.counts().instructions, 8);
  EXPECT_EQ(reported.report.memory.instructions_without_shape, 1);
  EXPECT_EQ(reported.report.memory.total.arrays, 9);
  ASSERT_EQ(reported.dump.diagnostics().size(), 1);
  EXPECT_EQ(reported.dump.diagnostics()[0].line, 8);
}

TEST(MemoryReport, BySpaceAndByType) {
  const Reported reported = Report(
      "a = f32[2] f()\n"
      "b = (f32[2]{0:S(5)}, s4[4]{0:E(4)S(5)}, pred[]) f()\n"
      "c = s4[4]{0:E(4)} f()\n");
  ASSERT_EQ(reported.report.memory.by_memory_space.size(), 2);
  const MemoryTotals& space0 = reported.report.memory.by_memory_space.at(0);
  EXPECT_EQ(space0.arrays, 3);
  EXPECT_EQ(space0.padded_bytes, 8 + 1 + 2);
  const MemoryTotals& space5 = reported.report.memory.by_memory_space.at(5);
  EXPECT_EQ(space5.arrays, 2);
  EXPECT_EQ(space5.unpadded_bytes, 8 + 2);
  ASSERT_EQ(reported.report.memory.by_element_type.size(), 3);
  EXPECT_EQ(reported.report.memory.by_element_type.at(F32).arrays, 2);
  EXPECT_EQ(reported.report.memory.by_element_type.at(S4).padded_bytes, 4);
  EXPECT_EQ(reported.report.memory.by_element_type.at(PRED).unpadded_bytes, 1);
}

TEST(MemoryReport, LargestAndMostWasteful) {
  const Reported reported = Report(
      "a = f32[1000]{0} f()\n"
      "b = (f32[1,128]{1,0:T(8,128)}, f32[1,128]{1,0:T(8,128)}) f()\n"
      "c = f32[8,1]{1,0:T(8,128)} f()\n"
      "d = f32[8]{0} f()\n");
  ASSERT_EQ(reported.report.largest.size(), 4);
  EXPECT_EQ(reported.report.largest[0].shape_text, "f32[1,128]{1,0:T(8,128)}");
  EXPECT_EQ(reported.report.largest[1].shape_text, "f32[8,1]{1,0:T(8,128)}");
  EXPECT_EQ(reported.report.largest[2].shape_text, "f32[1000]{0}");
  EXPECT_EQ(reported.report.largest[3].shape_text, "f32[8]{0}");
  EXPECT_EQ(reported.report.largest[3].most_padded.cause, PaddingCause::kNone);
  EXPECT_EQ(reported.report.largest[3].padding_factor, 1);

  ASSERT_EQ(reported.report.most_wasteful.size(), 2);
  const ArrayUsage& rows = reported.report.most_wasteful[0];
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
  const ArrayUsage& columns = reported.report.most_wasteful[1];
  EXPECT_EQ(columns.shape_text, "f32[8,1]{1,0:T(8,128)}");
  EXPECT_THAT(columns.most_padded.dimensions, ElementsAre(1));
  EXPECT_EQ(columns.most_padded.padded, 128);
}

TEST(MemoryReport, TheTailIsToBlame) {
  const Reported reported = Report("a = f32[7]{0:T(8)L(1024)} f()\n");
  const PaddingBlame& blame = reported.report.most_wasteful[0].most_padded;
  EXPECT_EQ(blame.cause, PaddingCause::kTail);
  EXPECT_THAT(blame.dimensions, IsEmpty());
  EXPECT_EQ(blame.bound, 8);
  EXPECT_EQ(blame.padded, 1024);
}

TEST(MemoryReport, TablesAreCut) {
  std::string text;
  for (int i = 1; i <= 50; ++i) {
    absl::StrAppend(&text, "x", i, " = f32[", i, ",1]{1,0:T(8,128)} f()\n");
    absl::StrAppend(&text, "broken\n");
  }
  Reported reported = Report(text);
  EXPECT_EQ(reported.report.largest.size(), 10);
  // Of equally large ones, those that come first: 49 and 50 rows pad to 56.
  EXPECT_EQ(reported.report.largest[0].shape_text, "f32[49,1]{1,0:T(8,128)}");
  EXPECT_EQ(reported.report.largest[1].shape_text, "f32[50,1]{1,0:T(8,128)}");
  EXPECT_EQ(reported.dump.diagnostics().size(), 50);
  MemoryReportOptions options;
  options.table_rows = 2;
  reported = Report(text, options);
  EXPECT_EQ(reported.report.largest.size(), 2);
  EXPECT_EQ(reported.report.most_wasteful.size(), 2);
  EXPECT_EQ(reported.dump.diagnostic_count(), 50);
}

TEST(MemoryReport, SumsOfOneShapeStayAtTheirGreatest) {
  // 2^59 bytes each.
  const Reported reported = Report(
      "a = u8[576460752303423488] f()\n"
      "b = (u8[576460752303423488], u8[576460752303423488]) f()\n");
  EXPECT_EQ(reported.report.memory.total.padded_bytes, 3 * (int64_t{1} << 59));

  std::string text;
  for (int i = 0; i < 16; ++i) {
    absl::StrAppend(&text, "a", i, " = u8[576460752303423488] f()\n");
  }
  const Reported saturated = Report(text);
  EXPECT_EQ(saturated.report.memory.total.arrays, 16);
  EXPECT_TRUE(saturated.report.memory.total.is_saturated);
  EXPECT_FALSE(reported.report.memory.total.is_saturated);
  EXPECT_EQ(saturated.report.memory.total.unpadded_bytes, kMax);
  EXPECT_EQ(saturated.report.memory.total.padded_bytes, kMax);
  EXPECT_EQ(saturated.report.largest[0].padded_bytes, int64_t{1} << 59);
  EXPECT_EQ(saturated.report.largest[0].total_padded_bytes, kMax);
}

TEST(MemoryReport, ArraysOfNearly2To63Bytes) {
  const Reported reported = Report(
      "a = u8[9223372036854775806] f()\n"
      "b = u8[1] f()\n");
  EXPECT_TRUE(reported.dump.diagnostics().empty());
  EXPECT_EQ(reported.report.memory.total.padded_bytes, kMax);
  EXPECT_FALSE(reported.report.memory.total.is_saturated);
  EXPECT_EQ(reported.report.largest[0].padded_bytes, kMax - 1);
  const Reported more = Report(
      "a = u8[9223372036854775806] f()\n"
      "b = u8[2] f()\n");
  EXPECT_EQ(more.report.memory.total.padded_bytes, kMax);
  EXPECT_TRUE(more.report.memory.total.is_saturated);
}

// Against numbers that a script worked out by itself from the files' text.
TEST(MemoryReport, OfDumps) {
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
      {"import_async.hlo", 0, 21, 77, 939528, 939528, 0},
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
    const Reported reported = Report(ReadDump(c.file));
    EXPECT_EQ(reported.report.memory.instructions_without_shape,
              c.instructions_without_shape)
        << c.file;
    EXPECT_EQ(reported.report.distinct_shapes, c.distinct_shapes) << c.file;
    EXPECT_EQ(reported.report.memory.total.arrays, c.arrays) << c.file;
    EXPECT_EQ(reported.report.memory.total.unpadded_bytes, c.unpadded_bytes)
        << c.file;
    EXPECT_EQ(reported.report.memory.total.padded_bytes, c.padded_bytes)
        << c.file;
    EXPECT_EQ(reported.report.memory.skipped_arrays, c.skipped_arrays)
        << c.file;
  }
}

TEST(MemoryReport, DumpByMemorySpace) {
  const Reported reported =
      Report(ReadDump("tpu_maxtext_llama3_8b_2026-07-31.txt"));
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
  EXPECT_EQ(reported.report.memory.by_memory_space.size(), 4);
  for (const Case& c : kCases) {
    const MemoryTotals& totals =
        reported.report.memory.by_memory_space.at(c.memory_space);
    EXPECT_EQ(totals.arrays, c.arrays) << c.memory_space;
    EXPECT_EQ(totals.unpadded_bytes, c.unpadded_bytes) << c.memory_space;
    EXPECT_EQ(totals.padded_bytes, c.padded_bytes) << c.memory_space;
  }
}

TEST(MemoryReport, OfNothing) {
  const Reported reported = Report("");
  EXPECT_EQ(reported.dump.counts().modules, 0);
  EXPECT_EQ(reported.report.distinct_shapes, 0);
  EXPECT_EQ(reported.report.memory.total.arrays, 0);
  EXPECT_THAT(reported.report.memory.by_memory_space, IsEmpty());
  EXPECT_THAT(reported.report.largest, IsEmpty());
  EXPECT_THAT(reported.report.most_wasteful, IsEmpty());
}

}  // namespace
}  // namespace tessera
