#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/hlo/parse_hlo.h"
#include "tessera/report/page/page_writer.h"

namespace tessera {
namespace {

using ::testing::ElementsAre;

SummarizeResult PageOf(const std::string& text) {
  return *PageSummary("m.hlo", *ParseHlo(text), {}, {});
}

constexpr char kModule[] = R"(HloModule m, is_scheduled=true
FileNames
1 "model.py"
FunctionNames
1 "f"
FileLocations
1 {file_name_id=1 function_name_id=1 line=12 column=1}
StackFrames
1 {file_location_id=1 parent_frame_id=1}

ENTRY e {
  x = f32[1000,2]{1,0:T(8,128)} parameter(0), metadata={source_file="in.py" source_line=7}
  y = f32[1000,2]{0,1:T(8,128)} copy(x), metadata={stack_frame_id=1}
  ROOT z = f32[1000,2]{0,1:T(8,128)S(1)} copy(y)
}
)";

TEST(PageSummary, ScheduledModule) {
  const SummarizeResult page = PageOf(kModule);
  EXPECT_EQ(page.file(), "m.hlo");
  ASSERT_EQ(page.modules_size(), 1);
  const ModuleSummary& module = page.modules(0);
  EXPECT_EQ(module.name(), "m");
  EXPECT_EQ(module.instructions(), 3);
  EXPECT_EQ(module.total().padded_bytes(), 512000 + 2 * 32768);
  const ModulePeak& peak = module.peak();
  EXPECT_THAT(peak.step_instructions(), ElementsAre("x", "y", "z"));
  const auto& spaces = peak.by_memory_space().spaces();
  ASSERT_EQ(spaces.size(), 2);
  const SpacePeak& hbm = spaces.at(0);
  EXPECT_EQ(hbm.name(), "HBM");
  EXPECT_THAT(hbm.bytes(), ElementsAre(512000, 544768, 544768));
  EXPECT_EQ(hbm.peak_position(), 1);
  ASSERT_EQ(hbm.arrays_size(), 2);
  EXPECT_EQ(hbm.arrays(0).source_line(), "in.py:7");
  EXPECT_EQ(hbm.arrays(0).unpadded_bytes(), 8000);
  EXPECT_EQ(hbm.arrays(0).padded_bytes(), 512000);
  EXPECT_EQ(hbm.arrays(1).source_line(), "model.py:12");
  EXPECT_EQ(spaces.at(1).name(), "VMEM");
  const SpaceMap& map = hbm.map();
  EXPECT_EQ(map.bytes(), 544768);
  EXPECT_EQ(map.steps(), 3);
  ASSERT_EQ(map.values_size(), 2);
  EXPECT_EQ(map.value_count(), 2);
  EXPECT_EQ(map.values(1).name(), "y");
  EXPECT_EQ(map.values(1).offset(), 512000);
  EXPECT_EQ(map.values(1).padding_bytes(), 32768 - 8000);
}

TEST(PageSummary, Tables) {
  const SummarizeResult page = PageOf(kModule);
  ASSERT_EQ(page.by_memory_space_size(), 2);
  EXPECT_EQ(page.by_memory_space(0).memory_space(), 0);
  EXPECT_EQ(page.by_memory_space(0).arrays(), 2);
  ASSERT_EQ(page.by_origin_size(), 3);
  EXPECT_EQ(page.by_origin(0).opcode(), "parameter");
  EXPECT_EQ(page.by_origin(0).source_line(), "in.py:7");
  EXPECT_EQ(page.by_origin(1).opcode(), "copy");
  EXPECT_EQ(page.by_origin(1).source_line(), "");
  EXPECT_EQ(page.by_origin(2).source_line(), "model.py:12");
  EXPECT_EQ(page.by_origin(2).instructions(), 1);
  EXPECT_EQ(page.by_origin(2).padded_bytes(), 32768);
  ASSERT_EQ(page.largest_size(), 3);
  EXPECT_EQ(page.largest(0).shape(), "f32[1000,2]{1,0:T(8,128)}");
  EXPECT_THAT(page.largest(0).most_padded().dimensions(), ElementsAre(1));
  EXPECT_THAT(page.most_wasteful(0).hint().minor_to_major(), ElementsAre(0, 1));
  EXPECT_EQ(page.most_wasteful(0).hint().padded_bytes(), 32768);
  EXPECT_FALSE(page.most_wasteful(1).has_hint());
  ASSERT_EQ(page.moves_size(), 2);
  EXPECT_EQ(page.move_count(), 2);
  EXPECT_EQ(page.moved_bytes(), 2 * 32768);
  EXPECT_EQ(page.moves(0).instruction(), "y");
  EXPECT_FALSE(page.moves(0).is_free());
}

// The same shape in two modules is one row.
TEST(PageSummary, ModulesTogether) {
  const std::string text =
      "HloModule a\nENTRY e { ROOT x = f32[3]{0:T(8)} parameter(0) }\n"
      "HloModule b\nENTRY e { ROOT x = f32[3]{0:T(8)} parameter(0)\n"
      "y = f32[?] custom-call(x) }\n";
  const SummarizeResult page = PageOf(text);
  EXPECT_EQ(page.modules_size(), 2);
  EXPECT_TRUE(page.modules(0).peak().is_unscheduled());
  ASSERT_EQ(page.largest_size(), 1);
  EXPECT_EQ(page.largest(0).count(), 2);
  EXPECT_EQ(page.largest(0).total_padding_bytes(), 2 * 20);
  EXPECT_EQ(page.skipped_arrays(), 1);
}

// Not that of the last computation.
TEST(PageSummary, NoPeakWithoutEntry) {
  const std::string f = "f { ROOT x = f32[3]{0} iota() ";
  for (const bool is_cut_off : {false, true}) {
    const std::string reason = is_cut_off ? "the text breaks off before ENTRY"
                                          : "no computation is marked ENTRY";
    const SummarizeResult page = PageOf("HloModule m, is_scheduled=true\n" + f +
                                        (is_cut_off ? "" : "}\n"));
    ASSERT_EQ(page.modules_size(), 1);
    const ModulePeak& peak = page.modules(0).peak();
    EXPECT_EQ(peak.reason(), reason);
    EXPECT_FALSE(peak.is_unscheduled());
    EXPECT_TRUE(peak.step_instructions().empty());
    EXPECT_FALSE(peak.has_by_memory_space());
  }
  EXPECT_TRUE(
      PageOf("HloModule m\n" + f + "}\n").modules(0).peak().is_unscheduled());
  EXPECT_FALSE(PageOf(kModule).modules(0).peak().has_reason());
}

TEST(PageSummary, NothingAndNonsense) {
  EXPECT_TRUE(PageOf("").modules().empty());
  EXPECT_EQ(PageOf("ENTRY e { x = f32[ } ").diagnostic_count(), 2);
  // Metadata, tables and frames that are none are left out.
  const SummarizeResult page = PageOf(
      "HloModule m\nFileNames\n1 \"f\"\n\nENTRY e {\n"
      "ROOT x = f32[] parameter(0), metadata={stack_frame_id=9}\n"
      "y = f32[] parameter(1), metadata={op_name=7}\n}\n");
  ASSERT_EQ(page.by_origin_size(), 1);
  EXPECT_EQ(page.by_origin(0).source_line(), "");
  EXPECT_EQ(page.by_origin(0).instructions(), 2);
}

}  // namespace
}  // namespace tessera
