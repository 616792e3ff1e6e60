#include "tessera/hlo/memory/module_analysis.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
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
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A dump beside what leads into it.
struct Computed {
  HloDump dump;
  ModuleAnalysis analysis;

  const SpaceUse& space(int64_t number = 0) const {
    return analysis.use().at(number);
  }
  std::vector<int64_t> bytes(int64_t number = 0) const {
    return analysis.UseByStep(number);
  }

  // "b 2048 [2,3]" for what is live at the peak, in parentheses where it has
  // no place of its own.
  std::vector<std::string> AtPeak(int64_t number = 0) const {
    std::vector<std::string> rows;
    for (const LiveArray& array :
         analysis.LiveAt(number, space(number).peak_step)) {
      const std::string path = analysis.PathOf(array.computation);
      std::string row = absl::StrCat(
          path, path.empty() ? "" : " / ", AbslView(array.instruction.name()),
          " ", array.padded_bytes, " [", array.first, ",", array.last, "]");
      rows.push_back(array.same_place_as < 0 ? row
                                             : absl::StrCat("(", row, ")"));
    }
    return rows;
  }
};

Computed Compute(std::string text) {
  HloDump dump = *ParseHlo(std::move(text));
  absl::StatusOr<ModuleAnalysis> analysis =
      ModuleAnalysis::Of(dump, dump.modules()[0]);
  EXPECT_TRUE(analysis.ok()) << analysis.status();
  return {std::move(dump), *std::move(analysis)};
}

// 20,000 arrays, each there at the same time as many others.
std::string LongText() {
  std::string text =
      "HloModule m, is_scheduled=true\nENTRY e {\n"
      "  i0 = f32[8]{0} parameter(0)\n";
  constexpr int kInstructions = 20000;
  for (int i = 1; i < kInstructions; ++i) {
    absl::StrAppend(&text, "  i", i, " = f32[", 8 + i % 7, "]{0} custom-call(i",
                    i - 1, ", i", std::max(i - 50, 0), ")\n");
  }
  return text + "  ROOT r = f32[8]{0} copy(i19999)\n}\n";
}

TEST(ModuleAnalysis, EndsWithTheErrorOfGoOnAtFirstAndLastCallAndBetween) {
  const HloDump dump = *ParseHlo(LongText());
  for (const char* target : {"gpu", "cpu", "v5e"}) {
    // A call every 4,096 steps of a search that looks at each instruction
    // several times.
    constexpr int kFewestCalls = 15;
    MemoryOptions options;
    ASSERT_TRUE(SetTarget(target, &options));
    int calls = 0;
    int last_call = 0;
    options.go_on = [&] {
      return ++calls == last_call ? absl::DeadlineExceededError("too late")
                                  : absl::OkStatus();
    };
    ASSERT_TRUE(ModuleAnalysis::Of(dump, dump.modules()[0], options).ok());
    const int all_calls = calls;
    EXPECT_GE(all_calls, kFewestCalls) << target;
    // All calls together would take minutes.
    constexpr int kTried = 7;
    for (int tried = 0; tried < kTried; ++tried) {
      last_call = 1 + tried * (all_calls - 1) / (kTried - 1);
      calls = 0;
      EXPECT_EQ(ModuleAnalysis::Of(dump, dump.modules()[0], options).status(),
                absl::DeadlineExceededError("too late"))
          << target << ", call " << last_call;
      EXPECT_EQ(calls, last_call) << target;
    }
  }
}

// The loop carries (i, v): zero and v lie in its buffers, of 4 and 1024 bytes,
// its table takes 16. The condition runs in front of the body, and both in
// front of `loop`. The peak is at d, where v is read, and again where e dies.
TEST(ModuleAnalysis, While) {
  const Computed computed = Compute(R"(
      HloModule m, is_scheduled=true
      body {
        p = (s32[], f32[256]{0}) parameter(0)
        v = f32[256]{0} get-tuple-element(p), index=1
        d = f32[512]{0} broadcast(v)
        e = f32[512]{0} negate(d)
        v2 = f32[256]{0} slice(e)
        i = s32[] get-tuple-element(p), index=0
        one = s32[] constant(1)
        i2 = s32[] add(i, one)
        ROOT t = (s32[], f32[256]{0}) tuple(i2, v2)
      }
      condition {
        p = (s32[], f32[256]{0}) parameter(0)
        limit = s32[] constant(10)
        ROOT less = pred[] compare(%p#0, limit), direction=LT
      }
      ENTRY main {
        x = f32[256]{0} parameter(0)
        zero = s32[] constant(0)
        v = f32[256]{0} copy(x)
        init = (s32[], f32[256]{0}) tuple(zero, v)
        loop = (s32[], f32[256]{0}) while(init), condition=condition, body=body
        r = f32[256]{0} get-tuple-element(loop), index=1
        ROOT s = f32[256]{0} negate(r)
      })");
  EXPECT_EQ(computed.space().peak_step, 9);
  EXPECT_EQ(computed.space().peak_bytes, 1024 + 1024 + 2048 + 16 + 4);
  EXPECT_THAT(
      computed.AtPeak(),
      ElementsAre("loop / body / d 2048 [9,10]", "x 1024 [0,18]",
                  "loop / body / p 1024 [7,9]", "loop / body / p 16 [7,12]",
                  "loop / body / p 4 [7,14]"));
  EXPECT_THAT(
      computed.bytes(),
      ElementsAre(1024, 1028, 2052, 2068, 2068, 2072, 2073, 2069, 2068, 4116,
                  3092, 4116, 2068, 2056, 2056, 2068, 2068, 2064, 2048));
  // Each buffer by itself: d, e and v2 beside them.
  EXPECT_EQ(computed.space().unshared_peak_bytes, 5140);
  EXPECT_EQ(computed.analysis.doubts().unresolved, 0);
  EXPECT_EQ(computed.analysis.doubts().unresolved_calls, 0);
}

// At step 2 b lies in p.
TEST(ModuleAnalysis, PaddingOfAPlaceCountsOnce) {
  const Computed computed = Compute(R"(
HloModule m, is_scheduled=true, input_output_alias={ {}: (0, {}, may-alias) }

ENTRY e {
  p = f32[100,2]{1,0:T(8,128)} parameter(0)
  a = f32[100,2]{1,0:T(8,128)} negate(p)
  ROOT b = f32[100,2]{1,0:T(8,128)} negate(a)
})");
  constexpr int64_t kBytes = 104 * 128 * 4;
  constexpr int64_t kPadding = kBytes - 100 * 2 * 4;
  EXPECT_THAT(computed.bytes(), ElementsAre(kBytes, 2 * kBytes, 2 * kBytes));
  EXPECT_THAT(computed.analysis.PaddingByStep(0),
              ElementsAre(kPadding, 2 * kPadding, 2 * kPadding));
  EXPECT_THAT(computed.analysis.PaddingByStep(1), ElementsAre(0, 0, 0));
}

// The result {0}, c, lies in x, for input_output_alias, and a before it as it
// is elementwise; y may go after b reads it, at 4, for buffer_donor; z stays.
// The table of the result takes 16.
TEST(ModuleAnalysis, AliasesAndDonors) {
  const Computed computed = Compute(R"(
      HloModule m, is_scheduled=true,
          input_output_alias={ {0}: (0, {}, may-alias) },
          buffer_donor={ (1, {}) }
      ENTRY main {
        x = f32[256]{0} parameter(0)
        y = f32[256]{0} parameter(1)
        z = f32[256]{0} parameter(2)
        a = f32[256]{0} negate(x)
        b = f32[256]{0} add(a, y)
        c = f32[256]{0} add(b, z)
        d = f32[256]{0} negate(b)
        ROOT t = (f32[256]{0}, f32[256]{0}) tuple(c, d)
      })");
  EXPECT_THAT(computed.bytes(),
              ElementsAre(3072, 3072, 3072, 3072, 4096, 3072, 3072, 3088));
  EXPECT_EQ(computed.space().peak_bytes, 4096);
  EXPECT_EQ(computed.space().peak_step, 4);
  EXPECT_THAT(computed.AtPeak(), ElementsAre("y 1024 [0,4]", "z 1024 [0,7]",
                                             "a 1024 [3,4]", "b 1024 [4,6]"));
  const LiveArray x = computed.analysis.Arrays()[0];
  EXPECT_EQ(x.instruction.name(), "x");
  EXPECT_EQ(x.kind, LiveArray::Kind::kParameter);
  EXPECT_TRUE(x.holds_result);
  EXPECT_EQ(computed.analysis.doubts().unresolved, 0);
}

// a lies in x, which is donated. y and z could hold b and c; v has another
// layout, and w is handed through.
TEST(ModuleAnalysis, Donation) {
  const Computed computed = Compute(R"(
      HloModule m, is_scheduled=true,
          input_output_alias={ {0}: (0, {}, may-alias) }
      ENTRY main {
        x = f32[256]{0} parameter(0)
        y = f32[2,4]{1,0} parameter(1)
        z = f32[64]{0} parameter(2)
        v = f32[4,2]{0,1} parameter(3)
        w = f32[8]{0} parameter(4)
        a = f32[256]{0} negate(x)
        b = f32[2,4]{1,0} negate(y)
        c = f32[64]{0} negate(z)
        d = f32[4,2]{1,0} negate(v)
        ROOT t = (f32[256]{0}, f32[2,4]{1,0}, f32[64]{0}, f32[4,2]{1,0},
                  f32[8]{0}) tuple(a, b, c, d, w)
      })");
  const Donation donation = computed.analysis.FindDonation(0);
  EXPECT_EQ(donation.result_bytes, 1024 + 32);
  EXPECT_EQ(donation.savable_bytes, 256 + 32);
  ASSERT_EQ(donation.savable.size(), 2);
  EXPECT_EQ(donation.savable[0].instruction.name(), "z");
  EXPECT_EQ(donation.savable[1].instruction.name(), "y");
  for (const LiveArray& array : computed.analysis.Arrays()) {
    EXPECT_EQ(array.is_donated, array.instruction.name() == "x");
  }
  EXPECT_EQ(computed.analysis.FindDonation(1).savable_bytes, 0);
}

// b is written over y without a copy, and c over x, which is not used after b.
// d would overwrite an operand of the dot, and e a parameter that f still
// reads.
TEST(ModuleAnalysis, DonationWithoutCopies) {
  const Computed computed = Compute(R"(
      HloModule m, is_scheduled=true
      ENTRY main {
        x = f32[8]{0} parameter(0)
        y = f32[8]{0} parameter(1)
        m = f32[4,4]{1,0} parameter(2)
        v = s32[6]{0} parameter(3)
        b = f32[8]{0} add(x, y)
        c = f32[8]{0} sine(b)
        d = f32[4,4]{1,0} dot(m, m), lhs_contracting_dims={1},
            rhs_contracting_dims={0}
        e = s32[6]{0} negate(v)
        f = s32[7]{0} pad(v, s32[] constant(0)), padding=0_1
        ROOT t = (f32[8]{0}, f32[8]{0}, f32[4,4]{1,0}, s32[6]{0}, s32[7]{0})
            tuple(b, c, d, e, f)
      })");
  const Donation donation = computed.analysis.FindDonation(0);
  EXPECT_EQ(donation.savable_bytes, 64);
  ASSERT_EQ(donation.savable.size(), 2);
  EXPECT_EQ(donation.savable[0].instruction.name(), "x");
  EXPECT_EQ(donation.savable[1].instruction.name(), "y");
}

// The fusion's inside has no memory, its result {1} lies in y, {0} is new. The
// padding counts: f32[1,128]{1,0:T(8,128)} takes 4096, and so does an array of
// rank 1 without tiles on TPU. A table takes 32.
TEST(ModuleAnalysis, Fusion) {
  const Computed computed = Compute(R"(
      HloModule m, is_scheduled=true
      fused {
        p = f32[1,128]{1,0:T(8,128)} parameter(0)
        q = f32[128]{0} parameter(1)
        big = f32[1024,1024]{1,0} broadcast(p)
        a = f32[1,128]{1,0:T(8,128)} slice(big)
        b = f32[128]{0} negate(q)
        ROOT t = (f32[1,128]{1,0:T(8,128)}, f32[128]{0}) tuple(a, b)
      }
      ENTRY main {
        x = f32[1,128]{1,0:T(8,128)} parameter(0)
        y = f32[128]{0} parameter(1)
        f = (f32[1,128]{1,0:T(8,128)}, f32[128]{0}) fusion(x, y), kind=kLoop,
            calls=fused, output_to_operand_aliasing={{1}: (1, {})}
        ROOT r = f32[128]{0} add(%f#1, f32[1,128]{1,0:T(8,128)} %f#0)
      })");
  EXPECT_THAT(computed.bytes(), ElementsAre(8192, 8192, 12320, 16384));
  EXPECT_THAT(computed.AtPeak(), ElementsAre("x 4096 [0,3]", "f 4096 [2,3]",
                                             "f 4096 [2,3]", "r 4096 [3,3]"));
  EXPECT_EQ(computed.space().peak_unpadded_bytes, 4 * 512);
}

// `yes` needs 2048 for w, and hands x through as {1}; `no` hands it through as
// both. s, which is elementwise on nothing, lies in the place of the result
// {0}. One branch never adds to another.
TEST(ModuleAnalysis, Conditional) {
  const Computed computed = Compute(R"(
      HloModule m, is_scheduled=true
      yes {
        p = (f32[256]{0}) parameter(0)
        v = f32[256]{0} get-tuple-element(p), index=0
        w = f32[512]{0} broadcast(v)
        s = f32[256]{0} slice(w)
        ROOT t = (f32[256]{0}, f32[256]{0}) tuple(s, v)
      }
      no {
        p = (f32[256]{0}) parameter(0)
        ROOT t = (f32[256]{0}, f32[256]{0}) tuple(%p#0, %p#0)
      }
      ENTRY main {
        choose = pred[] parameter(0)
        x = f32[256]{0} parameter(1)
        t = (f32[256]{0}) tuple(x)
        c = (f32[256]{0}, f32[256]{0}) conditional(choose, t, t),
            true_computation=yes, false_computation=no
        ROOT r = f32[256]{0} add(%c#0, %c#1)
      })");
  EXPECT_THAT(computed.bytes(),
              ElementsAre(1025, 1025, 1033, 1033, 1033, 3081, 3081, 1049, 1049,
                          1049, 1049, 2049));
  EXPECT_THAT(computed.AtPeak(),
              ElementsAre("c / yes / w 2048 [5,6]", "x 1024 [0,6]",
                          "t 8 [2,10]", "choose 1 [0,11]"));
}

// What runs stands in front of the start, and its values are kept until `done`.
TEST(ModuleAnalysis, Async) {
  const Computed computed = Compute(R"(
      HloModule m, is_scheduled=true
      wrapped {
        p = f32[256]{0} parameter(0)
        w = f32[512]{0} broadcast(p)
        ROOT s = f32[128]{0} slice(w)
      }
      ENTRY main {
        x = f32[256]{0} parameter(0)
        start = ((f32[256]{0}), f32[128]{0}, u32[]) async-start(x),
            calls=wrapped
        n = f32[256]{0} negate(x)
        update = ((f32[256]{0}), f32[128]{0}, u32[]) async-update(start)
        r = f32[128]{0} async-done(update)
        ROOT s = f32[128]{0} add(r, n)
      })");
  EXPECT_THAT(computed.bytes(), ElementsAre(1024, 1024, 3072, 3584, 3620, 4644,
                                            4668, 4644, 2560));
  EXPECT_THAT(computed.AtPeak(),
              ElementsAre("start / wrapped / w 2048 [2,7]", "x 1024 [0,8]",
                          "n 1024 [5,8]", "start / wrapped / s 512 [3,8]",
                          "start 24 [4,6]", "update 24 [6,7]", "start 8 [4,7]",
                          "start 4 [4,7]"));
  EXPECT_EQ(computed.analysis.doubts().unresolved, 0);
}

// The arguments of an asynchronous computation may come later than its start,
// and so may its result (XLA's docs/async_ops.md). It is there once, and what
// runs stands in front of the instruction that binds the last argument.
TEST(ModuleAnalysis, AsyncBoundLate) {
  struct Case {
    const char* chain;
    std::vector<int64_t> bytes;
  };
  // p takes 4096, the result too, a context 4, tables 24 and 8; the computation
  // needs 8192 for b.
  const Case cases[] = {
      {"s = ((f32[1024]{0}), f32[1024]{0}, s32[]) async-start(p), calls=c\n"
       "u = ((f32[1024]{0}), f32[1024]{0}, s32[]) async-update(s)\n",
       {4096, 4096, 12288, 16384, 16420, 16444, 16420}},
      {"s = ((), f32[1024]{0}, s32[]) async-start(), calls=c\n"
       "u = ((f32[1024]{0}), f32[1024]{0}, s32[]) async-update(s, p)\n",
       {4096, 8220, 8220, 16412, 16412, 16444, 16420}},
      {"s = ((f32[1024]{0}), (), s32[]) async-start(p), calls=c\n"
       "u = ((f32[1024]{0}), f32[1024]{0}, s32[]) async-update(s)\n",
       {4096, 4096, 12288, 16384, 16420, 16444, 16420}},
      {"s = ((), (), s32[]) async-start(), calls=c\n"
       "u = ((f32[1024]{0}), f32[1024]{0}, s32[]) async-update(s, p)\n",
       {4096, 4124, 4124, 12316, 16412, 16444, 16420}},
      {"s = ((), (), s32[]) async-start(), calls=c\n"
       "u = ((f32[1024]{0}), (), s32[]) async-update(s, p)\n",
       {4096, 4124, 4124, 12316, 16412, 16444, 16420}},
      {"s = ((), (), s32[]) call-start(), to_apply=c\n"
       "u = ((f32[1024]{0}), (), s32[]) call-update(s, p)\n",
       {4096, 4124, 4124, 12316, 16412, 16444, 16420}},
  };
  for (const Case& c : cases) {
    const Computed computed = Compute(absl::StrCat(
        "HloModule m, is_scheduled=true\n"
        "c { q = f32[1024]{0} parameter(0)  b = f32[2048]{0} broadcast(q)\n"
        "ROOT n = f32[1024]{0} slice(b) }\n"
        "ENTRY e { p = f32[1024]{0} parameter(0)\n",
        c.chain, "ROOT d = f32[1024]{0} async-done(u) }"));
    EXPECT_EQ(computed.bytes(), c.bytes) << c.chain;
    EXPECT_EQ(computed.analysis.doubts().unresolved, 0) << c.chain;
  }
}

// Two arguments, one after the other: both are kept until the end.
TEST(ModuleAnalysis, AsyncBoundOneByOne) {
  const Computed computed = Compute(R"(
      HloModule m, is_scheduled=true
      c {
        p = f32[256]{0} parameter(0)
        q = f32[512]{0} parameter(1)
        ROOT r = f32[8]{0} dot(p, q)
      }
      ENTRY e {
        x = f32[2]{0} parameter(0)
        a = f32[256]{0} broadcast(x)
        s = ((), f32[8]{0}, s32[]) async-start(), calls=c
        t = ((f32[256]{0}), f32[8]{0}, s32[]) async-update(s, a)
        b = f32[512]{0} broadcast(x)
        u = ((f32[256]{0}, f32[512]{0}), f32[8]{0}, s32[]) async-update(t, b)
        d = f32[8]{0} async-done(u)
        ROOT n = f32[2]{0} slice(d)
      })");
  EXPECT_THAT(computed.bytes(), ElementsAre(8, 1032, 1092, 1124, 3148, 3148,
                                            3148, 3148, 3188, 3156, 48));
  EXPECT_EQ(computed.analysis.doubts().unresolved, 0);
}

// In place: the parts of the input that slice_sizes= gives go to the output,
// operand 1, which is the result. Four operands without it are four arrays.
TEST(ModuleAnalysis, CollectivePermuteInPlace) {
  const Computed in_place = Compute(R"(
      HloModule m, is_scheduled=true
      ENTRY e {
        in = f32[256]{0} parameter(0)
        z = s32[] constant(0)
        out = f32[512]{0} broadcast(z)
        from = (s32[]) tuple(z)
        s = (f32[256]{0}, f32[512]{0}, u32[], u32[])
            collective-permute-start(in, out, from, from),
            source_target_pairs={{0,1}}, slice_sizes={{4}}
        d = f32[512]{0} collective-permute-done(s)
        ROOT p = f32[512]{0} collective-permute(in, d, from, from),
            source_target_pairs={{0,1}}, slice_sizes={{4}}
      })");
  EXPECT_THAT(in_place.bytes(),
              ElementsAre(1024, 1028, 3076, 3084, 3124, 3124, 3084));
  EXPECT_EQ(in_place.analysis.doubts().unresolved, 0);

  const Computed four = Compute(R"(
      HloModule m, is_scheduled=true
      ENTRY e {
        a = f32[256]{0} parameter(0)
        s = ((f32[256]{0}, f32[256]{0}, f32[256]{0}, f32[256]{0}),
             (f32[256]{0}, f32[256]{0}, f32[256]{0}, f32[256]{0}), u32[], u32[])
            collective-permute-start(a, a, a, a), source_target_pairs={{0,1}}
        ROOT d = (f32[256]{0}, f32[256]{0}, f32[256]{0}, f32[256]{0})
            collective-permute-done(s)
      })");
  EXPECT_THAT(four.bytes(), ElementsAre(1024, 5224, 5256));
  EXPECT_EQ(four.analysis.doubts().unresolved, 0);
}

// Copies between memory spaces, collectives and channels.
//   S(1): the copy's destination, 1024 bytes, [1,6]
//   S(0): x 1024; the contexts of copy-start, send and recv, 4 each; the
//   gathered 2048 and the reduced 1024; what is received, 1024.
TEST(ModuleAnalysis, StartsAndDones) {
  const Computed computed = Compute(R"(
      HloModule m, is_scheduled=true
      ENTRY main {
        x = f32[256]{0} parameter(0)
        cs = (f32[256]{0:S(1)}, f32[256]{0}, u32[]) copy-start(x)
        cd = f32[256]{0:S(1)} copy-done(cs)
        gs = (f32[256]{0}, f32[512]{0}) all-gather-start(x)
        gd = f32[512]{0} all-gather-done(gs)
        rs = f32[256]{0} all-reduce-start(x)
        rd = f32[256]{0} all-reduce-done(rs)
        token = token[] after-all()
        send = (f32[256]{0}, u32[], token[]) send(x, token)
        sent = token[] send-done(send)
        recv = (f32[256]{0}, u32[], token[]) recv(token)
        got = (f32[256]{0}, token[]) recv-done(recv)
        ROOT t = (f32[256]{0:S(1)}, f32[512]{0}, f32[256]{0}, f32[256]{0})
            tuple(cd, gd, rd, %got#0)
      })");
  EXPECT_THAT(computed.bytes(1),
              ElementsAre(0, 1024, 1024, 1024, 1024, 1024, 1024, 1024, 1024,
                          1024, 1024, 1024, 1024));
  EXPECT_THAT(computed.bytes(0),
              ElementsAre(1024, 1052, 1052, 3088, 3088, 3072, 3072, 3072, 3100,
                          3100, 4124, 4140, 4128));
  EXPECT_EQ(computed.analysis.doubts().unresolved, 0);
}

// What a call runs stands in front of it. A leaf that it hands through lies in
// the caller's buffer.
TEST(ModuleAnalysis, Call) {
  const Computed computed = Compute(R"(
      HloModule m, is_scheduled=true
      inner {
        p = f32[2]{0} parameter(0)
        q = f32[256]{0} parameter(1)
        a = f32[4]{0:S(1)} broadcast(p)
        b = f32[8]{0} broadcast(a)
        c = f32[2]{0} slice(b)
        ROOT t = (f32[2]{0}, f32[256]{0}) tuple(c, q)
      }
      ENTRY main {
        x = f32[2]{0} parameter(0)
        y = f32[256]{0} parameter(1)
        c = (f32[2]{0}, f32[256]{0}) call(x, y), to_apply=inner
        ROOT g = f32[256]{0} get-tuple-element(c), index=1
      })");
  EXPECT_THAT(computed.bytes(0), ElementsAre(1032, 1032, 1032, 1032, 1032, 1064,
                                             1072, 1056, 1056, 1048));
  EXPECT_THAT(computed.bytes(1), ElementsAre(0, 0, 0, 0, 16, 16, 0, 0, 0, 0));
  for (const LiveArray& array : computed.analysis.Arrays()) {
    if (array.instruction.name() == "y") {
      EXPECT_TRUE(array.holds_result);
    }
  }
}

TEST(ModuleAnalysis, WhatSharesABuffer) {
  // One buffer of 64 bytes each, however it is handed on; the table of a tuple
  // takes 8 for each element.
  struct Case {
    const char* instructions;
    int64_t bytes_at_end;
  };
  const Case kCases[] = {
      {"ROOT r = f32[4,4]{1,0} bitcast(x)", 64},
      {"ROOT r = f32[16]{0} opt-barrier(x)", 64},
      {"t = (f32[16]{0}) tuple(x)  ROOT r = (f32[16]{0}) opt-barrier(t)", 72},
      {"t = (f32[16]{0}) tuple(x)  ROOT r = (f32[16]{0}) copy(t)", 80},
      {"k = token[] after-all()  ROOT r = f32[16]{0} add-dependency(x, k)", 64},
      {"t = ((f32[16]{0}), u8[]) tuple((f32[16]{0}) tuple(x), x)  "
       "ROOT r = f32[16]{0} negate(%t#1)",
       64 + 64},
      {"ROOT r = f32[16]{0} copy(x)", 128},
      {"ROOT r = f32[16]{0} custom-call(x), custom_call_target=\"f\", "
       "output_to_operand_aliasing={{}: (0, {})}",
       64},
      {"ROOT r = f32[16]{0} dynamic-update-slice(x, x)", 64},
      // What leads nowhere has memory of its own.
      {"ROOT r = f32[16]{0} custom-call(x), output_to_operand_aliasing={{}: "
       "(1, {})}",
       128},
      {"ROOT r = f32[16]{0} bitcast(nothing)", 128},
      {"ROOT r = f32[16]{0} get-tuple-element(x), index=0", 128},
      {"t = (f32[16]{0}) tuple(x)  ROOT r = f32[16]{0} get-tuple-element(t), "
       "index=1",
       136},
      {"ROOT r = f32[16]{0} get-tuple-element()", 128},
      {"ROOT r = (f32[16]{0}, f32[16]{0}) while(x), body=b", 208},
  };
  for (const Case& c : kCases) {
    const Computed computed =
        Compute(absl::StrCat("HloModule m, is_scheduled=true\nENTRY e {\n"
                             "x = f32[16]{0} parameter(0)\n",
                             c.instructions, "\n}"));
    EXPECT_EQ(computed.bytes().back(), c.bytes_at_end) << c.instructions;
  }
}

// What is sorted in place counts once: not what something else uses, not even
// before, nor a parameter, nor what lives on.
TEST(ModuleAnalysis, SortsInPlaceCountOnce) {
  struct Case {
    const char* what;
    const char* entry;
    int64_t peak_bytes;
  };
  const Case kCases[] = {
      {"over an operand that nothing else uses",
       R"(x = f32[256]{0} parameter(0)
          t = f32[256]{0} negate(x)
          s = f32[256]{0} sort(t), dimensions={0}, to_apply=lt
          ROOT r = f32[2]{0} slice(s))",
       2056},
      {"each of two operands",
       R"(x = f32[256]{0} parameter(0)
          t = f32[256]{0} negate(x)
          i = s32[256]{0} iota()
          s = (f32[256]{0}, s32[256]{0}) sort(t, i), dimensions={0},
              to_apply=lt
          g = s32[256]{0} get-tuple-element(s), index=1
          ROOT r = s32[2]{0} slice(g))",
       3088},
      {"not over an operand with another use before",
       R"(x = f32[256]{0} parameter(0)
          t = f32[256]{0} negate(x)
          u = f32[2]{0} slice(t)
          s = f32[256]{0} sort(t), dimensions={0}, to_apply=lt
          ROOT r = f32[2]{0} slice(s))",
       3072},
      {"an addition behind lies over both",
       R"(x = f32[256]{0} parameter(0)
          t = f32[256]{0} negate(x)
          s = f32[256]{0} sort(t), dimensions={0}, to_apply=lt
          ROOT r = f32[256]{0} add(t, s))",
       3072},
      {"nor one that is sorted twice",
       R"(x = f32[256]{0} parameter(0)
          t = f32[256]{0} negate(x)
          s = (f32[256]{0}, f32[256]{0}) sort(t, t), dimensions={0},
              to_apply=lt
          g = f32[256]{0} get-tuple-element(s), index=1
          ROOT r = f32[2]{0} slice(g))",
       4112},
      {"and under another name, too",
       R"(x = f32[256]{0} parameter(0)
          t = f32[256]{0} negate(x)
          b = f32[256]{0} bitcast(t)
          s = f32[256]{0} sort(b), dimensions={0}, to_apply=lt
          ROOT r = f32[256]{0} add(t, s))",
       3072},
      {"nor a parameter",
       R"(x = f32[256]{0} parameter(0)
          s = f32[256]{0} sort(x), dimensions={0}, to_apply=lt
          ROOT r = f32[2]{0} slice(s))",
       2056},
      {"on TPU over a parameter's copy, as its compiler says",
       R"(x = f32[1024]{0:T(1024)} parameter(0)
          i = s32[1024]{0:T(1024)} iota()
          s = (f32[1024]{0:T(1024)}, s32[1024]{0:T(1024)}) sort(x, i),
              dimensions={0}, to_apply=lt, backend_config={
                "aliasing_operands":{"lists":[{"indices":["1","3"]}]}}
          ROOT g = f32[1024]{0:T(1024)} get-tuple-element(s), index=0)",
       3 * 4096 + 32},
  };
  for (const Case& c : kCases) {
    const Computed computed = Compute(
        absl::StrCat("HloModule m, is_scheduled=true\n"
                     "lt { a = f32[] parameter(0)  b = f32[] parameter(1)\n"
                     "     ROOT r = pred[] compare(a, b), direction=LT }\n"
                     "ENTRY e {\n",
                     c.entry, "\n}"));
    EXPECT_EQ(computed.space().peak_bytes, c.peak_bytes) << c.what;
    EXPECT_EQ(computed.analysis.doubts().unresolved, 0) << c.what;
  }
}

// The result of `t` is not known, but what it holds must stay.
TEST(ModuleAnalysis, InstructionsWithoutShapeKeepTheirOperands) {
  const Computed computed = Compute(R"(
      HloModule m, is_scheduled=true
      ENTRY e {
        a = f32[16]{0} iota()
        b = f32[16]{0} iota()
        t = custom-call(a, b), custom_call_target="pair"
        n = s8[2]{0} iota()
        ROOT r = f32[16]{0} get-tuple-element(t), index=0
      })");
  EXPECT_THAT(computed.bytes(), ElementsAre(64, 128, 128, 130, 192));
  EXPECT_EQ(computed.analysis.doubts().instructions_without_shape, 1);
}

TEST(ModuleAnalysis, ArraysWithoutASizeAreCounted) {
  const Computed computed = Compute(R"(
      HloModule m, is_scheduled=true
      ENTRY e {
        a = f32[?]{0} parameter(0)
        z = f32[0]{0} parameter(1)
        k = token[] after-all()
        ROOT b = f32[?]{0} negate(a)
      })");
  EXPECT_EQ(computed.analysis.doubts().arrays_with_unbounded_dimension, 2);
  EXPECT_THAT(computed.analysis.Arrays(), IsEmpty());
  EXPECT_THAT(computed.analysis.use(), IsEmpty());
}

TEST(ModuleAnalysis, Refusals) {
  HloDump dump = *ParseHlo("HloModule m\nENTRY e { a = f32[] parameter(0) }");
  absl::Status status = ModuleAnalysis::Of(dump, dump.modules()[0]).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(
      std::string(status.message()),
      HasSubstr("not scheduled (no is_scheduled=true); assume_text_order uses "
                "the order of the text"));

  dump = *ParseHlo("HloModule m, is_scheduled=true\nENTRY e {\n}\n");
  status = ModuleAnalysis::Of(dump, dump.modules()[0]).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(status.message(), "the ENTRY computation has no instruction");

  std::string text = "HloModule m, is_scheduled=true\nENTRY e {\n";
  for (int i = 0; i < 65; ++i) {
    absl::StrAppend(&text, "a", i, " = s8[1]{0:S(", i, ")} iota()\n");
  }
  dump = *ParseHlo(text + "}");
  status = ModuleAnalysis::Of(dump, dump.modules()[0]).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("more than 64 memory spaces"));
}

TEST(ModuleAnalysis, SumsOf2To61BytesAreRefused) {
  const auto of = [](const char* bytes) {
    const HloDump dump = *ParseHlo(absl::StrCat(
        "HloModule m, is_scheduled=true\nENTRY e {\n  a = u8[", bytes,
        "]{0} iota()\n  ROOT r = s8[1]{0} custom-call(a) }"));
    absl::StatusOr<ModuleAnalysis> analysis =
        ModuleAnalysis::Of(dump, dump.modules()[0]);
    return analysis.ok() ? absl::StrCat(analysis->use().at(0).peak_bytes)
                         : std::string(analysis.status().message());
  };
  EXPECT_EQ(of("2305843009213693950"), "2305843009213693951");
  EXPECT_EQ(of("2305843009213693951"),
            "the values of the program take 2^61 bytes or more");
  EXPECT_EQ(of("9223372036854775807"),
            "the values of the program take 2^61 bytes or more");
}

TEST(ModuleAnalysis, BrokenText) {
  for (const char* text : {
           "ENTRY e { a = f32[2] add(b, c) }",
           "ENTRY e { a = f32[2] while(), body=e, condition=e }",
           "ENTRY e { a = (f32[2]) call(), to_apply=nothing }",
           "ENTRY e { a = add() }",
           "ENTRY e { a = (f32[2]) parameter(x) ROOT b = f32[2] add(%a#7) }",
           "ENTRY e { a = () tuple() b = f32[2] async-done(a) }",
           "ENTRY e { a = f32[2] async-start(a), calls=e }",
           "ENTRY e { a = ((), f32[]) async-start(), calls=e }",
           "ENTRY e { a = f32[] copy-start() b = f32[] copy-done(a) }",
           "ENTRY e { a = f32[] conditional(), branch_computations={e} }",
           "ENTRY e { p = pred[] parameter(0) ROOT a = f32[] conditional(p), "
           "branch_computations={e, f, g} }",
           "ENTRY e { a = f32[] recv-done() b = f32[] send() }",
           "f { ROOT a = f32[] call(), to_apply=g }\n"
           "g { ROOT a = f32[] call(), to_apply=f }\n"
           "ENTRY e { ROOT a = f32[] call(), to_apply=f }",
           "ENTRY e { ROOT a = f32[] parameter(0) b = f32[] add(a, a) }",
       }) {
    for (const char* header :
         {"", ", input_output_alias={ {}: (0, {}), {3}: (9, {1}) }",
          ", input_output_alias={ {", ", buffer_donor={ (7, {}), (0, {2}) }",
          ", buffer_donor=x"}) {
      const HloDump dump = *ParseHlo(
          absl::StrCat("HloModule m, is_scheduled=true", header, "\n", text));
      const absl::StatusOr<ModuleAnalysis> analysis =
          ModuleAnalysis::Of(dump, dump.modules()[0]);
      if (analysis.ok()) {
        for (const LiveArray& array : analysis->Arrays()) {
          EXPECT_LE(array.first, array.last) << text;
        }
      }
    }
  }
  // e calls f, f calls g; g calls f, which does not end.
  const Computed computed = Compute(
      "HloModule m, is_scheduled=true\n"
      "f { ROOT a = f32[] call(), to_apply=g }\n"
      "g { ROOT a = f32[] call(), to_apply=f }\n"
      "ENTRY e { ROOT a = f32[] call(), to_apply=f }");
  EXPECT_EQ(computed.analysis.doubts().unresolved_calls, 1);
}

// XLA copies a computation for each call, and so does Tessera: 10,000 calls of
// one of two instructions.
TEST(ModuleAnalysis, ManyCallsOfOneComputation) {
  std::string text =
      "HloModule m, is_scheduled=true\n"
      "f { p = f32[] parameter(0) ROOT r = f32[] negate(p) }\n"
      "ENTRY e {\n x0 = f32[] parameter(0)\n";
  for (int i = 1; i <= 10'000; ++i) {
    absl::StrAppend(&text, " x", i, " = f32[] call(x", i - 1,
                    "), to_apply=f\n");
  }
  const Computed computed = Compute(text + "}\n");
  EXPECT_EQ(computed.analysis.doubts().unresolved_calls, 0);
  EXPECT_EQ(computed.analysis.step_count(), 30'001);
}

// The last computation is no entry: its peak is that of nothing.
TEST(ModuleAnalysis, NoPeakWithoutEntry) {
  constexpr char kUnmarked[] = "no computation is marked ENTRY";
  constexpr char kCutOff[] = "the text breaks off before ENTRY";
  const std::string body = "{\n  ROOT x = f32[256]{0} iota()\n";
  const struct {
    std::string text;
    const char* reason;
  } kCases[] = {
      {"", kUnmarked},
      {"f " + body + "}\n", kUnmarked},
      {"f " + body, kCutOff},
      {"f " + body + "}\ng {\n  x = f32[2", kCutOff},
      // What breaks off is the module behind it.
      {"f " + body + "}\nHloModule n\ng " + body, kUnmarked},
      {"f {\n  x = f32[2\n}\n", kUnmarked},
  };
  for (const auto& test : kCases) {
    const HloDump dump =
        *ParseHlo("HloModule m, is_scheduled=true\n" + test.text);
    const absl::Status status =
        ModuleAnalysis::Of(dump, dump.modules()[0]).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition)
        << test.text;
    EXPECT_EQ(status.message(), test.reason) << test.text;
  }
}

// Each lies in the place of the one before, beside a0.
TEST(ModuleAnalysis, LongChains) {
  std::string text =
      "HloModule m, is_scheduled=true\nENTRY e {\n"
      "a0 = f32[256]{0} parameter(0)\n";
  for (int i = 1; i < 100000; ++i) {
    absl::StrAppend(&text, "a", i, " = f32[256]{0} negate(a", i - 1, ")\n");
  }
  const Computed computed = Compute(text + "}");
  EXPECT_EQ(computed.space().peak_bytes, 2 * 1024);
  EXPECT_EQ(computed.space().peak_step, 1);
  EXPECT_EQ(computed.bytes().size(), 100000);
}

// A tuple of 20,000 arrays, each with a pointer of 8 bytes, is used whole
// 20,000 times and taken apart.
TEST(ModuleAnalysis, WideTuples) {
  constexpr int kWidth = 20000;
  std::string shape = "(s8[1]{0}";
  for (int i = 1; i < kWidth; ++i) absl::StrAppend(&shape, ",s8[1]{0}");
  std::string text =
      absl::StrCat("HloModule m, is_scheduled=true\nENTRY e {\np = ", shape,
                   ") parameter(0)\n");
  for (int i = 0; i < kWidth; ++i) {
    absl::StrAppend(&text, "k", i, " = token[] after-all(p)\n");
    absl::StrAppend(&text, "g", i,
                    " = s8[1]{0} get-tuple-element(p), index=", i, "\n");
  }
  const Computed computed = Compute(text + "}");
  EXPECT_EQ(computed.space().peak_bytes, 9 * kWidth);
}

// Every call keeps 4 bytes, a, while its callee runs.
TEST(ModuleAnalysis, DeepCalls) {
  constexpr int kDepth = 5000;
  std::string text =
      "HloModule m, is_scheduled=true\n"
      "f0 { p = f32[] parameter(0) ROOT r = f32[] negate(p) }\n";
  for (int i = 1; i <= kDepth; ++i) {
    absl::StrAppend(&text, "f", i,
                    " {\n p = f32[] parameter(0)\n a = f32[] negate(p)\n"
                    " b = f32[] call(a), to_apply=f",
                    i - 1, "\n ROOT c = f32[] add(a, b)\n}\n");
  }
  absl::StrAppend(&text,
                  "ENTRY e {\n x = f32[] parameter(0)\n"
                  " ROOT y = f32[] call(x), to_apply=f",
                  kDepth, "\n}\n");
  const Computed computed = Compute(text);
  EXPECT_EQ(computed.space().peak_bytes, 4 + 4 + kDepth * 4);
  EXPECT_EQ(computed.analysis.doubts().unresolved_calls, 0);
}

// What is listed at a peak is all of it.
TEST(ModuleAnalysis, Dumps) {
  for (const char* file :
       {"kernel_reuse.hlo", "slice_to_dynamic.hlo", "tpu_backbone.hlo",
        "tpu_jit_f.after_optimizations.txt"}) {
    const HloDump dump = *ParseHlo(ReadDump(file));
    for (const HloModule module : dump.modules()) {
      if (!module.is_scheduled()) continue;
      absl::StatusOr<ModuleAnalysis> analysis =
          ModuleAnalysis::Of(dump, module);
      ASSERT_TRUE(analysis.ok()) << file << analysis.status();
      for (const auto& [space, use] : analysis->use()) {
        int64_t at_peak = 0;
        for (const LiveArray& array : analysis->LiveAt(space, use.peak_step)) {
          if (array.same_place_as < 0) at_peak += array.padded_bytes;
        }
        EXPECT_EQ(at_peak, use.peak_bytes) << file << " S(" << space << ")";
      }
    }
  }
}

}  // namespace
}  // namespace tessera
