#include "tessera/hlo/memory/liveness.h"

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/hlo/parse_hlo.h"
#include "tests/hlo/dump.h"

namespace tessera {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

// A dump beside what leads into it.
struct Computed {
  HloDump dump;
  Liveness liveness;

  const SpaceLiveness& space(int64_t number = 0) const {
    return liveness.by_memory_space.at(number);
  }

  // "b 2048 [2,3]" for what is live at the peak, "while (called) ..." for what
  // computations need that it calls.
  std::vector<std::string> AtPeak(int64_t number = 0) const {
    std::vector<std::string> rows;
    for (const int64_t i : space(number).live_at_peak) {
      const LiveBuffer& buffer = liveness.buffers[i];
      rows.push_back(absl::StrCat(
          buffer.instruction.name(),
          buffer.kind == LiveBuffer::Kind::kCalled ? " (called) " : " ",
          buffer.padded_bytes, " [", buffer.first, ",", buffer.last, "]"));
    }
    return rows;
  }
};

Computed Compute(std::string text) {
  HloDump dump = *ParseHlo(std::move(text));
  absl::StatusOr<Liveness> liveness = ComputeLiveness(dump, dump.modules()[0]);
  EXPECT_TRUE(liveness.ok()) << liveness.status();
  return {std::move(dump), *std::move(liveness)};
}

// The loop carries (i, v): init's two buffers, 4 and 1024 bytes, are those of
// the body's parameter and result, and of the loop's. While an iteration runs,
// the body needs beside them
//   d  [2,3]  2048    e  [3,4]  2048
// so 4096 where e is computed; its results, i2 and v2, lie in the loop's own
// buffers; `one` is a constant. The condition needs its own result, 1 byte.
// At `loop`: x 1024, zero 4, v 1024, one 4, limit 4, and 4096 for the body.
// i goes round in the buffer of the constant zero: XLA would have copied it.
TEST(Liveness, While) {
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
  EXPECT_EQ(computed.space().peak_instruction, 4);
  EXPECT_EQ(computed.space().peak_bytes, 1024 + 1024 + 4 + 4 + 4 + 4096);
  EXPECT_THAT(
      computed.AtPeak(),
      ElementsAre("loop (called) 4096 [4,4]", "x 1024 [0,6]", "v 1024 [2,6]",
                  "one 4 [0,6]", "limit 4 [0,6]", "zero 4 [0,6]"));
  EXPECT_THAT(computed.space().bytes,
              ElementsAre(1036, 1036, 2060, 2060, 6156, 2060, 3084));
  EXPECT_EQ(computed.liveness.unresolved, 0);
  EXPECT_EQ(computed.liveness.unresolved_calls, 0);
}

// x [0,4] holds the result {0}, for input_output_alias; y may go after b reads
// it, at 2, for buffer_donor; z stays. d, the result {1}, has its own buffer.
//   0, 1  x y z, and a from 1 on        3072, 4096
//   2     x y z a b                     5120
//   3     x z b, and c in x             3072
//   4     x z b d                       4096
TEST(Liveness, AliasesAndDonors) {
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
  EXPECT_THAT(computed.space().bytes,
              ElementsAre(3072, 3072, 3072, 4096, 5120, 3072, 4096, 3072));
  EXPECT_EQ(computed.space().peak_bytes, 5120);
  EXPECT_EQ(computed.space().peak_instruction, 4);
  EXPECT_THAT(computed.AtPeak(),
              ElementsAre("x 1024 [0,7]", "y 1024 [0,4]", "z 1024 [0,7]",
                          "a 1024 [3,4]", "b 1024 [4,6]"));
  const LiveBuffer& x = computed.liveness.buffers[0];
  EXPECT_EQ(x.kind, LiveBuffer::Kind::kParameter);
  EXPECT_TRUE(x.holds_result);
  EXPECT_EQ(computed.liveness.unresolved, 0);
}

// The fusion's inside has no memory, its result {1} lies in y, {0} is new.
// The padding counts: f32[1,128]{1,0:T(8,128)} takes 4096.
//   0, 1  x 4096, y 512               4608
//   2     and f{0} 4096               8704
//   3     x, y, f{0}, r 512           9216
TEST(Liveness, Fusion) {
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
  EXPECT_THAT(computed.space().bytes, ElementsAre(4608, 4608, 8704, 9216));
  EXPECT_THAT(computed.AtPeak(), ElementsAre("x 4096 [0,3]", "f 4096 [2,3]",
                                             "y 512 [0,3]", "r 512 [3,3]"));
}

// `yes` needs 2048 for w beside its result, in which {0} is new and {1} is x.
// `no` hands x through as {1} too and needs nothing. Of the result {1} lies in
// x, and {0} is new though `no` hands its operand through there as well: `yes`
// does not.
//   0..2  choose 1, x 1024            1025
//   3     c{0} 1024, 2048 for yes     4097
//   4     c{0}, x, r 1024             3073
TEST(Liveness, Conditional) {
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
  EXPECT_THAT(computed.space().bytes,
              ElementsAre(1025, 1025, 1025, 4097, 3073));
  EXPECT_THAT(computed.AtPeak(),
              ElementsAre("c (called) 2048 [3,3]", "x 1024 [0,4]",
                          "c 1024 [3,4]", "choose 1 [0,4]"));
}

// The start's result holds x, the result, 512 bytes, and a counter, 4, which
// are there until `done`, when r, which is the result, remains. The wrapped
// computation needs 2048 for w all the while.
//   0 x 1024    1 +512 +4 +2048    2 +1024 n    3 (done)    4 x, n, r, s 512
TEST(Liveness, Async) {
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
  EXPECT_THAT(computed.space().bytes,
              ElementsAre(1024, 3588, 4612, 4612, 4612, 3072));
  EXPECT_THAT(computed.AtPeak(),
              ElementsAre("start (called) 2048 [1,4]", "x 1024 [0,5]",
                          "n 1024 [2,5]", "start 512 [1,5]", "start 4 [1,4]"));
  EXPECT_EQ(computed.liveness.unresolved, 0);
}

// The arguments of an asynchronous computation may come later than its start,
// and so may its result (XLA's docs/async_ops.md). It is there once, and what
// runs needs memory from where nothing is missing.
TEST(Liveness, AsyncBoundLate) {
  struct Case {
    const char* chain;
    std::vector<int64_t> bytes;
  };
  // p takes 4096, the result too, a context 4; the computation needs 8192.
  const Case cases[] = {
      {"s = ((f32[1024]{0}), f32[1024]{0}, s32[]) async-start(p), calls=c\n"
       "u = ((f32[1024]{0}), f32[1024]{0}, s32[]) async-update(s)\n",
       {4096, 16388, 16388, 16388}},
      {"s = ((), f32[1024]{0}, s32[]) async-start(), calls=c\n"
       "u = ((f32[1024]{0}), f32[1024]{0}, s32[]) async-update(s, p)\n",
       {4096, 8196, 16388, 16388}},
      {"s = ((f32[1024]{0}), (), s32[]) async-start(p), calls=c\n"
       "u = ((f32[1024]{0}), f32[1024]{0}, s32[]) async-update(s)\n",
       {4096, 4100, 16388, 16388}},
      {"s = ((), (), s32[]) async-start(), calls=c\n"
       "u = ((f32[1024]{0}), f32[1024]{0}, s32[]) async-update(s, p)\n",
       {4096, 4100, 16388, 16388}},
      {"s = ((), (), s32[]) async-start(), calls=c\n"
       "u = ((f32[1024]{0}), (), s32[]) async-update(s, p)\n",
       {4096, 4100, 4100, 16388}},
      {"s = ((), (), s32[]) call-start(), to_apply=c\n"
       "u = ((f32[1024]{0}), (), s32[]) call-update(s, p)\n",
       {4096, 4100, 4100, 16388}},
  };
  for (const Case& c : cases) {
    const Computed computed = Compute(absl::StrCat(
        "HloModule m, is_scheduled=true\n"
        "c { q = f32[1024]{0} parameter(0)  b = f32[2048]{0} broadcast(q)\n"
        "ROOT n = f32[1024]{0} slice(b) }\n"
        "ENTRY e { p = f32[1024]{0} parameter(0)\n",
        c.chain, "ROOT d = f32[1024]{0} async-done(u) }"));
    EXPECT_EQ(computed.space().bytes, c.bytes) << c.chain;
    EXPECT_EQ(computed.liveness.unresolved, 0) << c.chain;
  }
}

// Two arguments, one after the other: both are kept until the end.
TEST(Liveness, AsyncBoundOneByOne) {
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
  EXPECT_THAT(computed.space().bytes,
              ElementsAre(8, 1032, 1068, 1068, 3116, 3116, 3116, 48));
  EXPECT_EQ(computed.liveness.unresolved, 0);
}

// In place: the parts of the input that slice_sizes= gives go to the output,
// operand 1, which is the result. Four operands without it are four arrays.
TEST(Liveness, CollectivePermuteInPlace) {
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
  EXPECT_THAT(in_place.space().bytes,
              ElementsAre(1028, 1028, 3076, 3076, 3084, 3084, 3076));
  EXPECT_EQ(in_place.liveness.unresolved, 0);

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
  EXPECT_THAT(four.space().bytes, ElementsAre(1024, 5128, 5128));
  EXPECT_EQ(four.liveness.unresolved, 0);
}

// Copies between memory spaces, collectives and channels.
//   S(1): the copy's destination, 1024 bytes, [1,6]
//   S(0): x 1024; the contexts of copy-start, send and recv, 4 each; the
//   gathered 2048 and the reduced 1024; what is received, 1024.
TEST(Liveness, StartsAndDones) {
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
  EXPECT_THAT(computed.space(1).bytes,
              ElementsAre(0, 1024, 1024, 1024, 1024, 1024, 1024, 1024, 1024,
                          1024, 1024, 1024, 1024));
  EXPECT_THAT(computed.space(0).bytes,
              ElementsAre(1024, 1028, 1028, 3072, 3072, 4096, 4096, 4096, 4100,
                          4100, 5124, 5124, 5120));
  EXPECT_EQ(computed.liveness.unresolved, 0);
}

// A call needs what its computation does, less parameters and result. A leaf
// that it hands through lies in the caller's buffer.
TEST(Liveness, Call) {
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
  EXPECT_THAT(computed.space(0).bytes,
              ElementsAre(1032, 1032, 1032 + 8 + 32, 1032));
  EXPECT_THAT(computed.space(1).bytes, ElementsAre(0, 0, 16, 0));
  EXPECT_EQ(computed.liveness.buffers[1].holds_result, true);
}

TEST(Liveness, WhatSharesABuffer) {
  // One buffer of 64 bytes each, however it is handed on; `kept` beside it.
  struct Case {
    const char* instructions;
    int64_t bytes_at_end;
  };
  const Case kCases[] = {
      {"ROOT r = f32[4,4]{1,0} bitcast(x)", 64},
      {"ROOT r = f32[16]{0} opt-barrier(x)", 64},
      {"t = (f32[16]{0}) tuple(x)  ROOT r = (f32[16]{0}) opt-barrier(t)", 64},
      {"t = (f32[16]{0}) tuple(x)  ROOT r = (f32[16]{0}) copy(t)", 64},
      {"k = token[] after-all()  ROOT r = f32[16]{0} add-dependency(x, k)", 64},
      {"t = ((f32[16]{0}), u8[]) tuple((f32[16]{0}) tuple(x), x)  "
       "ROOT r = f32[16]{0} negate(%t#1)",
       64 + 64},
      {"ROOT r = f32[16]{0} copy(x)", 128},
      {"ROOT r = f32[16]{0} custom-call(x), custom_call_target=\"f\", "
       "output_to_operand_aliasing={{}: (0, {})}",
       64},
      {"ROOT r = f32[16]{0} dynamic-update-slice(x, x)", 128},
      // What leads nowhere has memory of its own.
      {"ROOT r = f32[16]{0} custom-call(x), output_to_operand_aliasing={{}: "
       "(1, {})}",
       128},
      {"ROOT r = f32[16]{0} bitcast(nothing)", 128},
      {"ROOT r = f32[16]{0} get-tuple-element(x), index=0", 128},
      {"t = (f32[16]{0}) tuple(x)  ROOT r = f32[16]{0} get-tuple-element(t), "
       "index=1",
       128},
      {"ROOT r = f32[16]{0} get-tuple-element()", 128},
      {"ROOT r = (f32[16]{0}, f32[16]{0}) while(x), body=b", 192},
  };
  for (const Case& c : kCases) {
    const Computed computed =
        Compute(absl::StrCat("HloModule m, is_scheduled=true\nENTRY e {\n"
                             "x = f32[16]{0} parameter(0)\n",
                             c.instructions, "\n}"));
    EXPECT_EQ(computed.space().bytes.back(), c.bytes_at_end) << c.instructions;
  }
}

// The result of `t` is not known, but what it holds must stay.
// What is sorted in place counts once: not what something else uses, not even
// before, nor a parameter, nor what lives on.
TEST(Liveness, SortsInPlaceCountOnce) {
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
       3072},
      {"not over an operand with another use before",
       R"(x = f32[256]{0} parameter(0)
          t = f32[256]{0} negate(x)
          u = f32[2]{0} slice(t)
          s = f32[256]{0} sort(t), dimensions={0}, to_apply=lt
          ROOT r = f32[2]{0} slice(s))",
       3072},
      {"nor one with another use behind",
       R"(x = f32[256]{0} parameter(0)
          t = f32[256]{0} negate(x)
          s = f32[256]{0} sort(t), dimensions={0}, to_apply=lt
          ROOT r = f32[256]{0} add(t, s))",
       4096},
      {"nor one that is sorted twice",
       R"(x = f32[256]{0} parameter(0)
          t = f32[256]{0} negate(x)
          s = (f32[256]{0}, f32[256]{0}) sort(t, t), dimensions={0},
              to_apply=lt
          g = f32[256]{0} get-tuple-element(s), index=1
          ROOT r = f32[2]{0} slice(g))",
       4096},
      {"nor one in whose place another name of it is read later",
       R"(x = f32[256]{0} parameter(0)
          t = f32[256]{0} negate(x)
          b = f32[256]{0} bitcast(t)
          s = f32[256]{0} sort(b), dimensions={0}, to_apply=lt
          ROOT r = f32[256]{0} add(t, s))",
       4096},
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
       3 * 4096},
  };
  for (const Case& c : kCases) {
    const Computed computed = Compute(
        absl::StrCat("HloModule m, is_scheduled=true\n"
                     "lt { a = f32[] parameter(0)  b = f32[] parameter(1)\n"
                     "     ROOT r = pred[] compare(a, b), direction=LT }\n"
                     "ENTRY e {\n",
                     c.entry, "\n}"));
    EXPECT_EQ(computed.space().peak_bytes, c.peak_bytes) << c.what;
    EXPECT_EQ(computed.liveness.unresolved, 0) << c.what;
  }
}

TEST(Liveness, InstructionsWithoutShapeKeepTheirOperands) {
  const Computed computed = Compute(R"(
      HloModule m, is_scheduled=true
      ENTRY e {
        a = f32[16]{0} iota()
        b = f32[16]{0} iota()
        t = custom-call(a, b), custom_call_target="pair"
        n = s8[2]{0} iota()
        ROOT r = f32[16]{0} get-tuple-element(t), index=0
      })");
  EXPECT_THAT(computed.space().bytes, ElementsAre(64, 128, 128, 130, 192));
  EXPECT_EQ(computed.liveness.instructions_without_shape, 1);
}

TEST(Liveness, ArraysWithoutASizeAreCounted) {
  const Computed computed = Compute(R"(
      HloModule m, is_scheduled=true
      ENTRY e {
        a = f32[?]{0} parameter(0)
        z = f32[0]{0} parameter(1)
        k = token[] after-all()
        ROOT b = f32[?]{0} negate(a)
      })");
  EXPECT_EQ(computed.liveness.skipped_arrays, 2);
  EXPECT_THAT(computed.liveness.buffers, IsEmpty());
  EXPECT_THAT(computed.liveness.by_memory_space, IsEmpty());
}

TEST(Liveness, Refusals) {
  HloDump dump = *ParseHlo("HloModule m\nENTRY e { a = f32[] parameter(0) }");
  absl::Status status = ComputeLiveness(dump, dump.modules()[0]).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("'m' is not scheduled (is_scheduled=true)"));

  dump = *ParseHlo("HloModule m, is_scheduled=true\nENTRY e {\n}\n");
  status = ComputeLiveness(dump, dump.modules()[0]).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(status.message(), "the ENTRY computation has no instruction");

  std::string text = "HloModule m, is_scheduled=true\nENTRY e {\n";
  for (int i = 0; i < 65; ++i) {
    absl::StrAppend(&text, "a", i, " = s8[1]{0:S(", i, ")} iota()\n");
  }
  dump = *ParseHlo(text + "}");
  status = ComputeLiveness(dump, dump.modules()[0]).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("more than 64 memory spaces"));
}

TEST(Liveness, ArraysOf2To60BytesAndMore) {
  const Computed computed = Compute(R"(HloModule m, is_scheduled=true
      ENTRY e {
        a = f32[1048576,1048576,1024,1024]{3,2,1,0} iota()
        b = s4[4611686018427387904]{0:E(4)} convert(a)
        ROOT r = s8[1]{0} custom-call(b)
      })");
  EXPECT_EQ(computed.space().peak_bytes, 3 * (int64_t{1} << 61));
  EXPECT_FALSE(computed.space().is_saturated);
  EXPECT_THAT(computed.AtPeak(), ElementsAre("a 4611686018427387904 [0,1]",
                                             "b 2305843009213693952 [1,2]"));

  // 2^63-1 bytes are no sum that stays there, one more are.
  const char kPair[] = R"(HloModule m, is_scheduled=true
      ENTRY e {
        a = u8[9223372036854775806]{0} iota()
        b = u8[%d]{0} convert(a)
        ROOT r = s8[1]{0} custom-call(b)
      })";
  const Computed just = Compute(absl::StrReplaceAll(kPair, {{"%d", "1"}}));
  EXPECT_EQ(just.space().peak_bytes, kMax);
  EXPECT_FALSE(just.space().is_saturated);
  const Computed more = Compute(absl::StrReplaceAll(kPair, {{"%d", "2"}}));
  EXPECT_EQ(more.space().peak_bytes, kMax);
  EXPECT_TRUE(more.space().is_saturated);
}

TEST(Liveness, SumsStayAtTheirGreatest) {
  std::string text = "HloModule m, is_scheduled=true\nENTRY e {\n";
  for (int i = 0; i < 32; ++i) {
    absl::StrAppend(&text, "a", i, " = u8[576460752303423488]{0} iota()\n");
  }
  absl::StrAppend(&text, "u = token[] after-all(a0");
  for (int i = 1; i < 32; ++i) absl::StrAppend(&text, ", a", i);
  const Computed computed = Compute(text + ")\nROOT r = s8[1]{0} iota()\n}");
  const SpaceLiveness& space = computed.space();
  EXPECT_EQ(space.peak_bytes, kMax);
  EXPECT_EQ(space.peak_instruction, 15);
  EXPECT_TRUE(space.is_saturated);
  // What was added is taken off again.
  EXPECT_EQ(space.bytes[33], 1);
}

TEST(Liveness, SeriesAreLeftOutPastTheirLimit) {
  const HloDump dump = *ParseHlo(R"(
      HloModule m, is_scheduled=true
      ENTRY main {
        x = f32[256]{0} parameter(0)
        a = f32[256]{0:S(1)} negate(x)
        ROOT b = f32[512]{0} broadcast(a)
      })");
  LivenessOptions options;
  options.series_entries = 6;  // three instructions, two memory spaces
  const Liveness all = *ComputeLiveness(dump, dump.modules()[0], options);
  EXPECT_THAT(all.by_memory_space.at(0).bytes, ElementsAre(1024, 1024, 3072));
  EXPECT_THAT(all.by_memory_space.at(1).bytes, ElementsAre(0, 1024, 1024));
  for (const int64_t limit : {0, 5}) {
    options.series_entries = limit;
    const Liveness none = *ComputeLiveness(dump, dump.modules()[0], options);
    for (const int64_t space : {0, 1}) {
      const SpaceLiveness& want = all.by_memory_space.at(space);
      const SpaceLiveness& got = none.by_memory_space.at(space);
      EXPECT_THAT(got.bytes, IsEmpty());
      EXPECT_EQ(got.peak_bytes, want.peak_bytes);
      EXPECT_EQ(got.peak_instruction, want.peak_instruction);
      EXPECT_EQ(got.live_at_peak, want.live_at_peak);
    }
  }
}

TEST(Liveness, BrokenText) {
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
      const absl::StatusOr<Liveness> liveness =
          ComputeLiveness(dump, dump.modules()[0]);
      if (liveness.ok()) {
        for (const LiveBuffer& buffer : liveness->buffers) {
          EXPECT_LE(buffer.first, buffer.last) << text;
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
  EXPECT_EQ(computed.liveness.unresolved_calls, 1);
}

// The last computation is no entry: its peak is that of nothing.
TEST(Liveness, NoPeakWithoutEntry) {
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
        ComputeLiveness(dump, dump.modules()[0]).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition)
        << test.text;
    EXPECT_EQ(status.message(), test.reason) << test.text;
  }
}

// Each reads the one before: two live at a time, beside x.
TEST(Liveness, LongChains) {
  std::string text =
      "HloModule m, is_scheduled=true\nENTRY e {\n"
      "a0 = f32[256]{0} parameter(0)\n";
  for (int i = 1; i < 100000; ++i) {
    absl::StrAppend(&text, "a", i, " = f32[256]{0} negate(a", i - 1, ")\n");
  }
  const Computed computed = Compute(text + "}");
  EXPECT_EQ(computed.space().peak_bytes, 3 * 1024);
  EXPECT_EQ(computed.space().peak_instruction, 2);
  EXPECT_EQ(computed.space().bytes.size(), 100000);
}

// A tuple of 20,000 arrays is used whole 20,000 times and taken apart.
TEST(Liveness, WideTuples) {
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
  EXPECT_EQ(computed.space().peak_bytes, kWidth);
}

// Every call adds 4 bytes to what its callee needs, S(1) and all.
TEST(Liveness, DeepCalls) {
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
  // Each of them holds a and b while it calls.
  EXPECT_EQ(computed.space().peak_bytes, 4 + 4 + kDepth * 8);
  EXPECT_EQ(computed.liveness.unresolved_calls, 0);
}

// What is listed at a peak is all of it.
TEST(Liveness, Dumps) {
  for (const char* file :
       {"kernel_reuse.hlo", "slice_to_dynamic.hlo", "tpu_backbone.hlo",
        "tpu_jit_f.after_optimizations.txt"}) {
    const HloDump dump = *ParseHlo(ReadDump(file));
    for (const HloModule module : dump.modules()) {
      if (!module.is_scheduled()) continue;
      const absl::StatusOr<Liveness> liveness = ComputeLiveness(dump, module);
      ASSERT_TRUE(liveness.ok()) << file << liveness.status();
      for (const auto& [space, live] : liveness->by_memory_space) {
        int64_t at_peak = 0;
        for (const int64_t i : live.live_at_peak) {
          at_peak += liveness->buffers[i].padded_bytes;
        }
        EXPECT_EQ(at_peak, live.peak_bytes) << file << " S(" << space << ")";
        EXPECT_FALSE(live.is_saturated);
      }
    }
  }
}

}  // namespace
}  // namespace tessera
