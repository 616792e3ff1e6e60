#include "tessera/hlo/diff/dump_diff.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/parse_hlo.h"
#include "tests/hlo/dump.h"

namespace tessera {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// "+y f32[2]{0}" for what appeared, "-..." for what vanished, and what changed
// as "y f32[2]{0} -> f32[2]{0:S(1)}", "~" before it if it was not matched by
// name.
std::vector<std::string> Changes(const ModuleDiff& module) {
  std::vector<std::string> rows;
  for (const ArrayChange& change : module.changes) {
    if (change.appeared) {
      rows.push_back(absl::StrCat("+", AbslView(change.after->name()), " ",
                                  change.after_shape->ToString()));
    } else if (change.vanished) {
      rows.push_back(absl::StrCat("-", AbslView(change.before->name()), " ",
                                  change.before_shape->ToString()));
    } else {
      rows.push_back(absl::StrCat(change.match == DiffMatch::kName ? "" : "~",
                                  AbslView(change.before->name()), " ",
                                  change.before_shape->ToString(), " -> ",
                                  change.after_shape->ToString()));
    }
  }
  return rows;
}

DumpDiff Diff(const HloDump& before, const HloDump& after) {
  return DiffDumps(before, after);
}

TEST(DumpDiff, EndsWithTheErrorOfGoOnAtWhicheverCall) {
  const auto chain = [](const char* opcode) {
    std::string text =
        "HloModule m, is_scheduled=true\nENTRY e {\n"
        "  i0 = f32[1000,2]{1,0:T(8,128)} parameter(0)\n";
    constexpr int kInstructions = 2000;
    for (int i = 1; i < kInstructions; ++i) {
      absl::StrAppend(&text, "  i", i, " = f32[1000,2]{1,0:T(8,128)} ",
                      i % 100 == 0 ? opcode : "copy", "(i", i - 1, ")\n");
    }
    return *ParseHlo(text + "}\n");
  };
  const HloDump before = chain("negate"), after = chain("abs");
  DumpDiffOptions options;
  int calls = 0;
  int last_call = 0;
  options.question.go_on = [&] {
    return ++calls == last_call ? absl::DeadlineExceededError("too late")
                                : absl::OkStatus();
  };
  const DumpDiff whole = DiffDumps(before, after, options);
  EXPECT_EQ(whole.status, absl::OkStatus());
  EXPECT_EQ(Changes(whole.modules[0]), Changes(Diff(before, after).modules[0]));
  const int all_calls = calls;
  EXPECT_GE(all_calls, 10);
  for (last_call = 1; last_call <= all_calls; ++last_call) {
    calls = 0;
    EXPECT_EQ(DiffDumps(before, after, options).status,
              absl::DeadlineExceededError("too late"))
        << last_call;
    EXPECT_EQ(calls, last_call);
  }
}

TEST(DumpDiff, Nothing) {
  const HloDump dump = *ParseHlo(ReadDump("while.hlo"));
  const DumpDiff diff = Diff(dump, dump);
  ASSERT_EQ(diff.modules.size(), dump.modules().size());
  int64_t matched = 0;
  for (const ModuleDiff& module : diff.modules) {
    EXPECT_THAT(module.changes, IsEmpty());
    EXPECT_EQ(module.appeared, 0);
    EXPECT_EQ(module.vanished, 0);
    EXPECT_EQ(module.matched_by_name + module.matched_by_signature, 0);
    matched += module.matched_by_structure;
  }
  EXPECT_EQ(matched, dump.counts().instructions);
}

TEST(DumpDiff, WhatChanges) {
  struct Case {
    const char* before;
    const char* after;
    bool shape, minor_to_major, tiles, memory_space, other;
  };
  const Case kCases[] = {
      {"f32[2,3]", "f32[2,4]", true, false, false, false, false},
      {"f32[2,3]", "s32[2,3]", true, false, false, false, false},
      {"f32[2,3]", "f32[6]", true, true, false, false, false},
      {"f32[2,3]", "f32[2,3]{0,1}", false, true, false, false, false},
      {"f32[2,3]", "f32[2,3]{1,0:T(8,128)}", false, false, true, false, false},
      {"f32[2,3]", "f32[2,3]{1,0:S(5)}", false, false, false, true, false},
      {"f32[2,3]", "f32[2,3]{1,0:L(8)}", false, false, false, false, true},
      {"f32[2,3]", "f32[2,3]{0,1:T(2)L(8)S(1)}", false, true, true, true, true},
  };
  for (const Case& c : kCases) {
    const HloDump before = *ParseHlo(absl::StrCat("x = ", c.before, " f()"));
    const HloDump after = *ParseHlo(absl::StrCat("x = ", c.after, " f()"));
    const DumpDiff diff = Diff(before, after);
    ASSERT_EQ(diff.modules[0].changes.size(), 1) << c.after;
    const ArrayChange& change = diff.modules[0].changes[0];
    EXPECT_EQ(change.shape_changed, c.shape) << c.after;
    EXPECT_EQ(change.minor_to_major_changed, c.minor_to_major) << c.after;
    EXPECT_EQ(change.tiles_changed, c.tiles) << c.after;
    EXPECT_EQ(change.memory_space_changed, c.memory_space) << c.after;
    EXPECT_EQ(change.other_layout_changed, c.other) << c.after;
    EXPECT_FALSE(diff.modules[0].peaks.has_value());
  }
}

TEST(DumpDiff, Matching) {
  const HloDump before = *ParseHlo(R"(
      HloModule m
      f.1 {
        ROOT p = f32[2]{0} parameter(0)
      }
      ENTRY main {
        a = f32[2]{0} parameter(0)
        b.1 = f32[2]{0} negate(a), metadata={op_name="first"}
        b.2 = f32[2]{0} negate(a), metadata={op_name="second"}
        c = f32[4]{0} sine(a)
        d = f32[8]{0} fusion(a), kind=kLoop, calls=f.1
        ROOT t = (f32[2]{0}, f32[2]{0}) tuple(b.1, b.2)
      })");
  const HloDump after = *ParseHlo(R"(
      HloModule m
      f.9 {
        ROOT p = f32[2]{0:S(1)} parameter(0)
      }
      ENTRY main {
        a = f32[2]{0} parameter(0)
        b.8 = f32[2]{0:S(2)} negate(a), metadata={op_name="second"}
        b.9 = f32[2]{0:S(1)} negate(a), metadata={op_name="first"}
        c = f32[4]{0} cosine(a)
        d = f32[16]{0} fusion(a), kind=kLoop, calls=f.9
        ROOT t = (f32[2]{0}, f32[2]{0}, s8[1]{0}) tuple(b.9, b.8, e)
      })");
  const DumpDiff diff = Diff(before, after);
  const ModuleDiff& module = diff.modules[0];
  // Neither tuples nor what is inside of fusions has a buffer.
  EXPECT_THAT(Changes(module),
              ElementsAre("d f32[8]{0} -> f32[16]{0}",  // 32 bytes
                          "-c f32[4]{0}", "+c f32[4]{0}",
                          "~b.1 f32[2]{0} -> f32[2]{0:S(1)}",
                          "~b.2 f32[2]{0} -> f32[2]{0:S(2)}"));
  EXPECT_EQ(module.matched_by_name, 1);       // d
  EXPECT_EQ(module.matched_by_structure, 5);  // a, b.1, b.2, p and t
  EXPECT_EQ(module.matched_by_signature, 0);
  EXPECT_EQ(module.appeared, 1);
  EXPECT_EQ(module.vanished, 1);
  EXPECT_EQ(module.by_memory_space.at(1).before.arrays, 0);
  EXPECT_EQ(module.by_memory_space.at(1).after.arrays, 1);
  EXPECT_EQ(module.total.after.padded_bytes - module.total.before.padded_bytes,
            32);

  DumpDiffOptions all;
  all.counted = CountedArrays::kResults;
  EXPECT_THAT(
      Changes(DiffDumps(before, after, all).modules[0]),
      ElementsAre("d f32[8]{0} -> f32[16]{0}", "-c f32[4]{0}", "+c f32[4]{0}",
                  "+t s8[1]{0}", "~p f32[2]{0} -> f32[2]{0:S(1)}",
                  "~b.1 f32[2]{0} -> f32[2]{0:S(1)}",
                  "~b.2 f32[2]{0} -> f32[2]{0:S(2)}"));
}

// An optimizer puts an instruction into a fusion: it is still there, and has no
// buffer.
TEST(DumpDiff, Fused) {
  const HloDump before = *ParseHlo(R"(
      HloModule m
      ENTRY main {
        a = f32[256]{0} parameter(0)
        b = f32[256]{0} negate(a), metadata={op_name="neg"}
        ROOT c = f32[256]{0} sine(b), metadata={op_name="sin"}
      })");
  const HloDump after = *ParseHlo(R"(
      HloModule m
      fused {
        p = f32[256]{0} parameter(0)
        b = f32[256]{0} negate(p), metadata={op_name="neg"}
        ROOT c = f32[256]{0} sine(b), metadata={op_name="sin"}
      }
      ENTRY main {
        a = f32[256]{0} parameter(0)
        ROOT f = f32[256]{0} fusion(a), kind=kLoop, calls=fused,
            metadata={op_name="sin"}
      })");
  const ModuleDiff module = Diff(before, after).modules[0];
  ASSERT_EQ(module.changes.size(), 3);
  for (const ArrayChange& change : module.changes) {
    if (change.appeared) {
      EXPECT_EQ(change.after->name(), "f");
      continue;
    }
    EXPECT_TRUE(change.vanished);
    EXPECT_TRUE(change.is_fused);
    ASSERT_TRUE(change.after.has_value()) << change.before->name();
    EXPECT_EQ(change.after->name(), change.before->name());
    EXPECT_EQ(change.after->computation().name(), "fused");
  }
}

// A buffer may also go because the instruction works in that of its operand.
TEST(DumpDiff, InPlace) {
  const HloDump before = *ParseHlo(R"(
      ENTRY main {
        a = f32[256]{0} parameter(0)
        ROOT b = f32[256]{0} copy(a), metadata={op_name="same"}
      })");
  const HloDump after = *ParseHlo(R"(
      ENTRY main {
        a = f32[256]{0} parameter(0)
        ROOT c = f32[256]{0} bitcast(a), metadata={op_name="same"}
      })");
  const ModuleDiff module = Diff(before, after).modules[0];
  ASSERT_EQ(module.changes.size(), 1);
  EXPECT_TRUE(module.changes[0].vanished);
  EXPECT_TRUE(module.changes[0].after.has_value());
  EXPECT_FALSE(module.changes[0].is_fused);
}

// What is at one peak and not at the other makes their difference.
TEST(DumpDiff, Peaks) {
  const HloDump before = *ParseHlo(R"(
      HloModule m, is_scheduled=true
      ENTRY main {
        x = f32[256]{0} parameter(0)
        a = f32[512]{0} broadcast(x)
        b = f32[128]{0} slice(a)
        c = f32[1024]{0} broadcast(b)
        ROOT d = f32[128]{0} slice(c)
      })");
  const HloDump after = *ParseHlo(R"(
      HloModule m, is_scheduled=true
      ENTRY main {
        x = f32[256]{0} parameter(0)
        a = f32[512]{0} broadcast(x)
        b = f32[128]{0} slice(a)
        c = f32[2048]{0} broadcast(b)
        e = f32[128]{0} slice(a)
        ROOT d = f32[128]{0} slice(c)
      })");
  const ModuleDiff module = Diff(before, after).modules[0];
  const PeakChange& peak = module.peaks->at(0);
  EXPECT_EQ(peak.before, 1024 + 512 + 4096 + 0);
  EXPECT_EQ(peak.after, 1024 + 2048 + 512 + 8192);
  const auto rows = [](const std::vector<ArrayChange>& changes) {
    ModuleDiff only;
    only.changes = changes;
    return Changes(only);
  };
  EXPECT_THAT(rows(peak.changes),
              ElementsAre("c f32[1024]{0} -> f32[2048]{0}", "+a f32[512]{0}"));
}

TEST(DumpDiff, ModulesInOneDumpOnly) {
  const HloDump one = *ParseHlo("HloModule a\nENTRY e { x = f32[2] f() }");
  const HloDump two = *ParseHlo(
      "HloModule a\nENTRY e { x = f32[2] f() }\n"
      "HloModule b\nENTRY e { y = f32[4] f() }");
  DumpDiff diff = Diff(one, two);
  ASSERT_EQ(diff.modules.size(), 2);
  EXPECT_THAT(Changes(diff.modules[0]), IsEmpty());
  EXPECT_THAT(Changes(diff.modules[1]), ElementsAre("+y f32[4]{0}"));
  EXPECT_FALSE(diff.modules[1].before.has_value());
  EXPECT_EQ(diff.modules[1].total.after.padded_bytes, 16);
  diff = Diff(two, one);
  EXPECT_THAT(Changes(diff.modules[1]), ElementsAre("-y f32[4]{0}"));
  EXPECT_EQ(diff.modules[1].vanished, 1);
}

TEST(DumpDiff, BrokenText) {
  for (const char* before :
       {"", "x = f32[2] f()", "ENTRY e {", "f() f() f()"}) {
    for (const char* after : {"", "x = f()\nx = f()\n", "f { } f { x = f() }",
                              "x = f32[] f(), metadata={op_name=}"}) {
      const HloDump a = *ParseHlo(before), b = *ParseHlo(after);
      EXPECT_EQ(Diff(a, b).modules.size(),
                std::max(a.modules().size(), b.modules().size()));
    }
  }
}

// Every name is another one, and every instruction is like every other.
TEST(DumpDiff, Many) {
  auto text = [](int begin) {
    std::string out = "ENTRY e {\n";
    for (int i = begin; i < begin + 100000; ++i) {
      absl::StrAppend(&out, "a.", i, " = f32[256]{0} iota()\n");
    }
    return out + "}";
  };
  const HloDump before = *ParseHlo(text(0)), after = *ParseHlo(text(500000));
  const DumpDiff diff = Diff(before, after);
  EXPECT_EQ(diff.modules[0].matched_by_structure, 100000);
  EXPECT_THAT(diff.modules[0].changes, IsEmpty());
}

// A real program with everything that was in VMEM put into HBM.
TEST(DumpDiff, Dump) {
  const std::string text = ReadDump("tpu_maxtext_llama3_8b_2026-07-31.txt");
  const HloDump before = *ParseHlo(text);
  const HloDump after = *ParseHlo(absl::StrReplaceAll(text, {{"S(1)", ""}}));
  const DumpDiff diff = Diff(before, after);
  const ModuleDiff& module = diff.modules[0];
  EXPECT_EQ(module.matched_by_structure, before.counts().instructions);
  for (const ArrayChange& change : module.changes) {
    EXPECT_TRUE(change.memory_space_changed);
    EXPECT_FALSE(change.tiles_changed || change.minor_to_major_changed ||
                 change.shape_changed || change.other_layout_changed);
  }
  EXPECT_EQ(module.changes.size(), 458);
  EXPECT_EQ(module.by_memory_space.at(1).after.arrays, 0);
  EXPECT_EQ(module.total.before.padded_bytes, module.total.after.padded_bytes);
  EXPECT_FALSE(module.peaks.has_value());
}

TEST(DumpDiff, NoPeakWithoutEntry) {
  const std::string header = "HloModule m, is_scheduled=true\n";
  const std::string body = " f { ROOT x = f32[256]{0} iota() }";
  const HloDump whole = *ParseHlo(header + "ENTRY" + body);
  const HloDump unmarked = *ParseHlo(header + body);
  const HloDump cut_off = *ParseHlo(header + body.substr(0, body.size() - 1));
  const HloDump unscheduled = *ParseHlo("HloModule m\n" + body);
  const struct {
    const HloDump* before;
    const HloDump* after;
    const char* no_peak;
    bool is_unscheduled = false;
  } kCases[] = {
      {&whole, &whole, ""},
      {&whole, &cut_off, "after: the text breaks off before ENTRY"},
      {&unmarked, &whole, "before: no computation is marked ENTRY"},
      {&cut_off, &unmarked,
       "before: the text breaks off before ENTRY; after: no computation is "
       "marked ENTRY"},
      {&whole, &unscheduled,
       "after: the module is not scheduled; assume_text_order uses the order "
       "of "
       "the text",
       true},
      {&unscheduled, &unscheduled,
       "before: the module is not scheduled; after: the module is not "
       "scheduled; assume_text_order uses the order of the text",
       true},
      {&unscheduled, &cut_off,
       "before: the module is not scheduled; after: the text breaks off before "
       "ENTRY"},
  };
  for (const auto& test : kCases) {
    const DumpDiff diff = Diff(*test.before, *test.after);
    EXPECT_EQ(diff.modules[0].no_peak, test.no_peak);
    EXPECT_EQ(diff.modules[0].is_unscheduled, test.is_unscheduled);
    EXPECT_EQ(diff.modules[0].peaks.has_value(),
              test.before == &whole && test.after == &whole);
  }
}

// Results are compared where one module does not say what runs: on both sides,
// so that a difference in the sums is one of the program.
TEST(DumpDiff, BothSidesAreCountedAlike) {
  const std::string body = R"( f {
      x = f32[256]{0} parameter(0)
      y = f32[256]{0} negate(x)
      ROOT t = (f32[256]{0}) tuple(y)
    })";
  const HloDump buffers = *ParseHlo("HloModule m\nENTRY" + body);
  const HloDump results = *ParseHlo("HloModule m\n" + body);
  struct Case {
    const HloDump* before;
    const HloDump* after;
    CountedArrays counted;
    int64_t bytes;
  };
  for (const Case& c :
       {Case{&buffers, &buffers, CountedArrays::kBuffers, 2 * 1024},
        Case{&results, &results, CountedArrays::kResults, 3 * 1024},
        Case{&buffers, &results, CountedArrays::kResults, 3 * 1024},
        Case{&results, &buffers, CountedArrays::kResults, 3 * 1024}}) {
    const ModuleDiff module = Diff(*c.before, *c.after).modules[0];
    EXPECT_EQ(module.counted, c.counted);
    EXPECT_THAT(module.changes, IsEmpty());
    EXPECT_EQ(module.total.before.padded_bytes, c.bytes);
    EXPECT_EQ(module.total.after.padded_bytes, c.bytes);
    EXPECT_EQ(module.by_memory_space.at(0).before.padded_bytes, c.bytes);
    EXPECT_EQ(module.by_memory_space.at(0).after.padded_bytes, c.bytes);
  }
}

}  // namespace
}  // namespace tessera
