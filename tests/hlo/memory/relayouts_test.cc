#include "tessera/hlo/memory/relayouts.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/hlo/parse_hlo.h"
#include "tests/hlo/dump.h"

namespace tessera {
namespace {

using ::testing::IsEmpty;

TEST(Relayouts, Verdicts) {
  struct Case {
    const char* from;
    const char* to;  // with its opcode, without operands
    const char* attributes;
    RelayoutPlaces places;
    bool is_free;
  };
  constexpr RelayoutPlaces kSame = RelayoutPlaces::kSame;
  constexpr RelayoutPlaces kOther = RelayoutPlaces::kOther;
  constexpr RelayoutPlaces kUnknown = RelayoutPlaces::kUnknown;
  const Case kCases[] = {
      {"f32[8,256]{1,0:T(8,128)}", "f32[8,256]{1,0} copy", "", kOther, false},
      {"f32[8,1]{1,0}", "f32[8,1]{0,1} copy", "", kSame, true},
      // Elsewhere, in the same order.
      {"f32[8]{0}", "f32[8]{0:S(1)} copy", "", kSame, false},
      {"f32[8]{0}", "f32[8]{0:L(128)} copy", "", kSame, true},
      {"f32[<=8]{0}", "f32[<=8]{0:M(64)} copy", "", kOther, false},
      {"f32[?]{0}", "f32[?]{0:S(1)} copy", "", kUnknown, false},
      {"f32[8]{0}", "f32[4]{0} copy", "", kUnknown, false},
      {"f32[2,3]{1,0}", "f32[3,2]{1,0} copy", "", kUnknown, false},
      {"f32[0,3]{1,0}", "f32[0,3]{0,1} copy", "", kSame, true},
      // Dimensions may exchange their names with nothing moved, or not.
      {"f32[2,3]{1,0}", "f32[3,2]{0,1} transpose", ", dimensions={1,0}", kSame,
       true},
      {"f32[2,3]{1,0}", "f32[3,2]{1,0} transpose", ", dimensions={1,0}", kOther,
       false},
      {"f32[3,3]{1,0}", "f32[3,3]{1,0} transpose", ", dimensions={1,0}", kOther,
       false},
      // Result dimension i is operand dimension dimensions[i]: 2,3,4 -> 4,2,3.
      {"f32[2,3,4]{2,1,0}", "f32[4,2,3]{0,2,1} transpose",
       ", dimensions={2,0,1}", kSame, true},
      {"f32[2,3,4]{2,1,0}", "f32[4,2,3]{2,1,0} transpose",
       ", dimensions={2,0,1}", kOther, false},
      {"bf16[8,128]{1,0:T(8,128)(2,1)}",
       "bf16[128,8]{0,1:T(8,128)(2,1)} transpose", ", dimensions={1,0}", kSame,
       true},
      {"f32[2,3]{1,0}", "f32[3,2]{0,1} transpose", ", dimensions={0,1}",
       kUnknown, false},
      {"f32[2,3]{1,0}", "f32[3,2]{0,1} transpose", ", dimensions={1,7}",
       kUnknown, false},
      {"f32[2,3]{1,0}", "f32[3,2]{0,1} transpose", ", dimensions={1,1}",
       kUnknown, false},
      // The number in row-major order.
      {"f32[6]{0}", "f32[2,3]{1,0} reshape", "", kSame, true},
      {"f32[6]{0}", "f32[2,3]{0,1} reshape", "", kOther, false},
      {"bf16[8,128]{1,0:T(8,128)}", "bf16[1024]{0} reshape", "", kSame, true},
      {"bf16[8,256]{1,0:T(8,128)}", "bf16[2048]{0} reshape", "", kOther, false},
      // A bitcast moves nothing, whatever it reads.
      {"f32[2,3]{1,0}", "f32[3,2]{1,0} bitcast", "", kSame, true},
      {"f32[2,3]{0,1}", "f32[3,2]{1,0} bitcast", "", kOther, true},
      {"f32[2]{0}", "s8[8]{0} bitcast", "", kUnknown, true},
  };
  for (const Case& c : kCases) {
    const HloDump dump = *ParseHlo(absl::StrCat(
        "ENTRY e {\nx = ", c.from, " parameter(0)\nROOT y = ", c.to, "(x)",
        c.attributes, "\n}"));
    const std::string label = absl::StrCat(c.from, " -> ", c.to, c.attributes);
    ASSERT_EQ(dump.diagnostic_count(), 0) << label;
    const RelayoutReport report = FindRelayouts(dump, dump.modules()[0]);
    ASSERT_EQ(report.relayouts.size(), 1) << label;
    EXPECT_EQ(report.relayouts[0].places, c.places) << label;
    EXPECT_EQ(report.relayouts[0].is_free, c.is_free) << label;
    EXPECT_EQ(report.total.unknown_count, c.places == kUnknown) << label;
    EXPECT_EQ(report.total.bytes_moved,
              c.is_free ? 0 : report.relayouts[0].bytes)
        << label;
  }
}

TEST(Relayouts, WhatIsNone) {
  const HloDump dump = *ParseHlo(R"(
      HloModule m
      ENTRY e {
        x = f32[2,3]{1,0} parameter(0)
        a = f32[2,3]{1,0} copy(x)
        b = s32[2,3]{1,0} bitcast(a)
        c = f32[2,3]{1,0} transpose(x), dimensions={0,1}
        d = f32[2,3]{0,1} negate(x)
        t = (f32[2,3]{1,0}) tuple(x)
        ROOT u = (f32[2,3]{0,1}) copy(t)
      })");
  const RelayoutReport report = FindRelayouts(dump, dump.modules()[0]);
  EXPECT_THAT(report.relayouts, IsEmpty());
  EXPECT_EQ(report.unresolved, 0);
  EXPECT_EQ(report.total.count, 0);
}

TEST(Relayouts, BrokenText) {
  const HloDump dump = *ParseHlo(R"(
      HloModule m
      ENTRY e {
        x = f32[2,3]{1,0} parameter(0)
        a = f32[2,3]{0,1} copy(nothing)
        b = f32[2,3]{0,1} copy()
        c = bitcast(x)
        d = f32[2,3]{0,1} copy(%x#2)
        f = f32[3,2]{1,0} transpose(x)
        g = f32[2,3]{1,0} copy-start(x)
        h = () copy-start(x)
        i = f32[2,3]{0,1} copy(c)
      })");
  const RelayoutReport report = FindRelayouts(dump, dump.modules()[0]);
  EXPECT_THAT(report.relayouts, IsEmpty());
  EXPECT_EQ(report.unresolved, 8);
}

TEST(Relayouts, StartsPathsAndFusions) {
  const HloDump dump = *ParseHlo(R"(
      HloModule m
      fused {
        p = f32[2,3]{1,0} parameter(0)
        ROOT c = f32[2,3]{0,1} copy(p)
      }
      ENTRY e {
        t = (s8[], f32[2,3]{1,0}) parameter(0)
        s = (f32[2,3]{1,0:S(1)}, f32[2,3]{1,0}, u32[]) copy-start(%t#1)
        f = f32[2,3]{0,1} fusion(%t#1), kind=kLoop, calls=fused
      })");
  const RelayoutReport report = FindRelayouts(dump, dump.modules()[0]);
  ASSERT_EQ(report.relayouts.size(), 3);
  EXPECT_TRUE(report.relayouts[0].is_fused);
  // What stands in a fusion moves nothing; the fusion does.
  EXPECT_EQ(report.total.count, 3);
  EXPECT_EQ(report.total.fused_count, 1);
  EXPECT_EQ(report.total.bytes_moved, 24 + 24);
  EXPECT_EQ(report.by_opcode.at("fusion").bytes_moved, 24);
  EXPECT_EQ(report.by_opcode.at("copy").bytes_moved, 0);
  const Relayout& start = report.relayouts[1];
  EXPECT_FALSE(start.is_fused);
  EXPECT_EQ(start.from_memory_space, 0);
  EXPECT_EQ(start.to_memory_space, 1);
  EXPECT_EQ(start.bytes, 24);
  EXPECT_EQ(start.places, RelayoutPlaces::kSame);
  EXPECT_FALSE(start.is_free);
  EXPECT_EQ(start.to->ToString(), "f32[2,3]{1,0:S(1)}");
  EXPECT_EQ(start.moves, Moves::kMemorySpace);
  EXPECT_EQ(start.producer->name(), "t");
  EXPECT_FALSE(start.user.has_value());
}

// A fusion moves an array if all that it does is to copy, transpose or slice.
TEST(Relayouts, FusionsThatOnlyMove) {
  const HloDump dump = *ParseHlo(R"(
      HloModule m
      transposes {
        p = f32[4,2]{1,0} parameter(0)
        i = s32[] parameter(1)
        z = s32[] constant(0)
        s = f32[2,2]{1,0} dynamic-slice(p, i, z), dynamic_slice_sizes={2,2}
        b = f32[2,2]{1,0} bitcast(s)
        ROOT c = f32[2,2]{0,1} transpose(b), dimensions={1,0}
      }
      computes {
        p = f32[4,2]{1,0} parameter(0)
        c = f32[4,2]{0,1} copy(p)
        ROOT n = f32[4,2]{0,1} negate(c)
      }
      renames {
        p = f32[4,2]{1,0} parameter(0)
        ROOT b = f32[8]{0} bitcast(p)
      }
      ENTRY e {
        i = s32[] parameter(0)
        x = f32[4,2]{1,0} parameter(1)
        t = f32[2,2]{0,1} fusion(x, i), kind=kLoop, calls=transposes
        n = f32[4,2]{0,1} fusion(x), kind=kLoop, calls=computes
        r = f32[8]{0} fusion(x), kind=kLoop, calls=renames
        h = f32[2,2]{0,1:S(5)} copy(t)
        ROOT u = f32[2,2]{0,1:S(5)} negate(h)
      })");
  std::vector<Relayout> moving;
  for (const Relayout& each :
       FindRelayouts(dump, dump.modules()[0]).relayouts) {
    if (!each.is_free && !each.is_fused) moving.push_back(each);
  }
  ASSERT_EQ(moving.size(), 2);
  EXPECT_EQ(moving[0].instruction.name(), "t");
  EXPECT_EQ(moving[0].from->ToString(), "f32[4,2]{1,0}");
  EXPECT_EQ(moving[0].bytes, 16);
  EXPECT_EQ(moving[0].moves, Moves::kLayout);
  EXPECT_EQ(moving[0].producer->name(), "x");
  EXPECT_EQ(moving[0].user->name(), "h");
  EXPECT_EQ(moving[1].instruction.name(), "h");
  EXPECT_EQ(moving[1].moves, Moves::kHost);
  EXPECT_EQ(moving[1].user->name(), "u");
  EXPECT_EQ(MovesName(Moves::kMemorySpace), "memory space");
}

// Tiles that join and cut irregularly, in any number: each such question is
// answered by values, and all together only so many.
TEST(Relayouts, ContrivedTilesInNumbers) {
  std::string text = "ENTRY e {\n";
  for (int i = 0; i < 3000; ++i) {
    absl::StrAppend(&text, "x", i, " = s8[", 1000 + i, ",", 2000 + i,
                    "]{1,0:T(*,7)(3)} parameter(", i, ")\n");
    absl::StrAppend(&text, "y", i, " = s8[", 1000 + i, ",", 2000 + i,
                    "]{1,0:T(*,7)(4)} copy(x", i, ")\n");
  }
  const HloDump dump = *ParseHlo(text + "}");
  const RelayoutReport report = FindRelayouts(dump, dump.modules()[0]);
  EXPECT_EQ(report.total.count, 3000);
}

// Of a real program every question is answered but where the type changes, as
// in a copy it may; bitcasts to other places were transposes.
TEST(Relayouts, Dump) {
  const HloDump dump =
      *ParseHlo(ReadDump("tpu_maxtext_llama3_8b_2026-07-31.txt"));
  const RelayoutReport report = FindRelayouts(dump, dump.modules()[0]);
  int64_t same = 0, other = 0;
  for (const Relayout& relayout : report.relayouts) {
    const bool is_bitcast = relayout.instruction.opcode() == "bitcast";
    if (relayout.places == RelayoutPlaces::kUnknown) {
      EXPECT_NE(relayout.from->element_type(), relayout.to->element_type())
          << relayout.instruction.text();
    }
    if (!is_bitcast) continue;
    same += relayout.places == RelayoutPlaces::kSame;
    other += relayout.places == RelayoutPlaces::kOther;
  }
  EXPECT_GT(same, 3 * other);
  EXPECT_GT(other, 0);
}

}  // namespace
}  // namespace tessera
