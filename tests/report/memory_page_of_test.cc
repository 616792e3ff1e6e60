#include "tessera/report/page/memory_page_of.h"

#include <fstream>
#include <iterator>
#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/hlo/parse_hlo.h"

namespace tessera {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

MemoryPage PageOf(const std::string& text) {
  return MemoryPageOf("m.hlo", *ParseHlo(text));
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

TEST(MemoryPageOf, ScheduledModule) {
  const MemoryPage page = PageOf(kModule);
  EXPECT_EQ(page.title, "m.hlo");
  ASSERT_EQ(page.modules.size(), 1);
  const MemoryPage::Module& module = page.modules[0];
  EXPECT_EQ(module.name, "m");
  EXPECT_EQ(module.instructions, 3);
  EXPECT_EQ(module.padded_bytes, 512000 + 2 * 32768);
  ASSERT_EQ(module.schedule.size(), 3);
  EXPECT_EQ(module.schedule[1].name, "y");
  ASSERT_EQ(module.timelines.size(), 2);
  const MemoryPage::Timeline& hbm = module.timelines[0];
  EXPECT_EQ(hbm.memory_space, "HBM S(0)");
  EXPECT_THAT(hbm.live_bytes, ElementsAre(512000, 544768, 544768));
  EXPECT_EQ(hbm.peak, 1);
  ASSERT_EQ(hbm.buffers.size(), 2);
  EXPECT_EQ(hbm.buffers[0].source, "in.py:7");
  EXPECT_EQ(hbm.buffers[0].unpadded_bytes, 8000);
  EXPECT_EQ(hbm.buffers[0].padded_bytes, 512000);
  EXPECT_EQ(hbm.buffers[1].source, "model.py:12");
  EXPECT_EQ(module.timelines[1].memory_space, "VMEM S(1)");
}

TEST(MemoryPageOf, Tables) {
  const MemoryPage page = PageOf(kModule);
  ASSERT_EQ(page.by_memory_space.size(), 2);
  EXPECT_EQ(page.by_memory_space[0].arrays, 2);
  ASSERT_EQ(page.groups.size(), 3);
  EXPECT_EQ(page.groups[0].opcode, "copy");
  EXPECT_EQ(page.groups[0].source, "");
  EXPECT_EQ(page.groups[1].source, "model.py:12");
  ASSERT_EQ(page.by_opcode.size(), 2);
  EXPECT_EQ(page.by_opcode[0].instructions, 2);
  EXPECT_EQ(page.by_opcode[0].padded_bytes, 2 * 32768);
  ASSERT_EQ(page.largest.size(), 3);
  EXPECT_EQ(page.largest[0].shape, "f32[1000,2]{1,0:T(8,128)}");
  EXPECT_EQ(page.largest[0].padded_dimension, "dim 1: 2\u2192128");
  EXPECT_EQ(page.most_wasteful[0].better_order, "{0,1}");
  EXPECT_EQ(page.most_wasteful[0].better_bytes, 32768);
  EXPECT_EQ(page.most_wasteful[1].better_order, "");
  ASSERT_EQ(page.relayouts.size(), 2);
  EXPECT_EQ(page.relayouts[0].instruction, "y");
  EXPECT_FALSE(page.relayouts[0].is_free);
  EXPECT_THAT(page.notes, ElementsAre());
}

// The same shape in two modules is one row.
TEST(MemoryPageOf, ModulesTogether) {
  const std::string text =
      "HloModule a\nENTRY e { ROOT x = f32[3]{0:T(8)} parameter(0) }\n"
      "HloModule b\nENTRY e { ROOT x = f32[3]{0:T(8)} parameter(0)\n"
      "y = f32[?] custom-call(x) }\n";
  const MemoryPage page = PageOf(text);
  EXPECT_EQ(page.modules.size(), 2);
  EXPECT_TRUE(page.modules[0].schedule.empty());
  ASSERT_EQ(page.largest.size(), 1);
  EXPECT_EQ(page.largest[0].uses, 2);
  EXPECT_EQ(page.largest[0].total_padding_bytes, 2 * 20);
  EXPECT_THAT(page.notes,
              ElementsAre("Left out: 1 array with an unbounded dimension."));
}

// Not that of the last computation.
TEST(MemoryPageOf, NoPeakWithoutEntry) {
  const std::string f = "f { ROOT x = f32[3]{0} iota() ";
  for (const bool is_cut_off : {false, true}) {
    const std::string reason = is_cut_off ? "the text breaks off before ENTRY"
                                          : "no computation is marked ENTRY";
    const MemoryPage page = PageOf("HloModule m, is_scheduled=true\n" + f +
                                   (is_cut_off ? "" : "}\n"));
    ASSERT_EQ(page.modules.size(), 1);
    EXPECT_EQ(page.modules[0].no_peak, reason);
    EXPECT_TRUE(page.modules[0].schedule.empty());
    EXPECT_TRUE(page.modules[0].timelines.empty());
    EXPECT_THAT(page.notes,
                Contains("module m has no timeline: " + reason + "."));
  }
  EXPECT_EQ(PageOf("HloModule m\n" + f + "}\n").modules[0].no_peak, "");
  EXPECT_EQ(PageOf(kModule).modules[0].no_peak, "");
}

TEST(MemoryPageOf, NothingAndNonsense) {
  EXPECT_TRUE(PageOf("").modules.empty());
  EXPECT_THAT(PageOf("ENTRY e { x = f32[ } ").notes,
              ElementsAre(HasSubstr("could not be read in full")));
  // Metadata, tables and frames that are none are left out.
  const MemoryPage page = PageOf(
      "HloModule m\nFileNames\n1 \"f\"\n\nENTRY e {\n"
      "ROOT x = f32[] parameter(0), metadata={stack_frame_id=9}\n"
      "y = f32[] parameter(1), metadata={op_name=7}\n}\n");
  ASSERT_EQ(page.groups.size(), 1);
  EXPECT_EQ(page.groups[0].source, "");
  EXPECT_EQ(page.groups[0].instructions, 2);
}

}  // namespace
}  // namespace tessera
