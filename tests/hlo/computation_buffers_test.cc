#include "tessera/hlo/memory/computation_buffers.h"

#include "gtest/gtest.h"
#include "tessera/hlo/memory/array_table.h"
#include "tessera/hlo/parse_hlo.h"

namespace tessera {
namespace {

const ComputationResult* NoCallees(HloComputation) { return nullptr; }

TEST(ComputationBuffers, Example) {
  const HloDump dump = *ParseHlo(R"(
      ENTRY e {
        p = f32[8]{0} parameter(0)
        t = (f32[8]{0}, f32[8]{0}) tuple(p, p)
        ROOT g = f32[8]{0} get-tuple-element(t), index=1
      })");
  const HloComputation computation = dump.computations()[0];
  ArrayTable arrays(&dump.shapes());
  ComputationBuffers buffers =
      FindComputationBuffers(computation, &arrays, NoCallees);
  EXPECT_EQ(buffers.buffers.size(), 1);
  EXPECT_EQ(buffers.result[0], 0);
  EXPECT_EQ(buffers.buffers[0].last, 2);
  EXPECT_TRUE(buffers.buffers[0].is_result);
}

// Tuples and get-tuple-elements read nothing: x is needed until n, though it is
// taken out of t once more, and y not at all after it was made.
TEST(ComputationBuffers, OnlyWhatReadsIsAUse) {
  const HloDump dump = *ParseHlo(R"(
      ENTRY e {
        x = f32[8]{0} iota()
        y = f32[4]{0} iota()
        t = (f32[8]{0}, f32[4]{0}) tuple(x, y)
        n = f32[8]{0} negate(%t#0)
        g = f32[8]{0} get-tuple-element(t), index=0
        ROOT r = f32[2]{0} slice(n)
      })");
  ArrayTable arrays(&dump.shapes());
  const ComputationBuffers found =
      FindComputationBuffers(dump.computations()[0], &arrays, NoCallees);
  ASSERT_EQ(found.buffers.size(), 4);
  EXPECT_EQ(found.buffers[0].last, 3);
  EXPECT_EQ(found.buffers[1].last, 1);
  EXPECT_EQ(found.buffers[2].last, 5);
}

TEST(ComputationBuffers, ForCallers) {
  const HloDump dump = *ParseHlo(R"(
      f {
        q = f32[2]{0} parameter(1)
        p = (s8[1]{0}, (f32[8]{0}, f32[8]{0})) parameter(0)
        n = f32[8]{0} negate(%p#1#0)
        ROOT t = (f32[8]{0}, f32[8]{0}, f32[2]{0}) tuple(n, %p#1#1, q)
      })");
  const HloComputation computation = dump.computations()[0];
  ArrayTable arrays(&dump.shapes());
  const ComputationResult result =
      FindComputationBuffers(computation, &arrays, NoCallees)
          .ForCallers(computation, &arrays);
  EXPECT_EQ(result.shape_index, computation.root()->shape_index());
  // The tuple itself, n, the last of the five parts of parameter 0, and all of
  // parameter 1.
  ASSERT_EQ(result.origins.size(), 4);
  EXPECT_EQ(result.origins[0].parameter, -1);
  EXPECT_EQ(result.origins[1].parameter, -1);
  EXPECT_EQ(result.origins[2].parameter, 0);
  EXPECT_EQ(result.origins[2].part, 4);
  EXPECT_EQ(result.origins[2].part_count, 5);
  EXPECT_EQ(result.origins[3].parameter, 1);
  EXPECT_EQ(result.origins[3].part, 0);
}

TEST(ComputationBuffers, CallsLastUntilTheirDone) {
  const HloDump dump = *ParseHlo(R"(
      f {
        ROOT p = f32[2]{0} parameter(0)
      }
      ENTRY e {
        x = f32[2]{0} parameter(0)
        a = ((f32[2]{0}), f32[2]{0}) async-start(x), calls=f
        b = ((f32[2]{0}), f32[2]{0}) async-start(x), calls=f
        c = f32[2]{0} async-done(a)
        d = f32[2]{0} call(x), to_apply=f
        ROOT r = f32[2]{0} negate(x)
      })");
  ArrayTable arrays(&dump.shapes());
  const ComputationBuffers found =
      FindComputationBuffers(dump.computations()[1], &arrays, NoCallees);
  ASSERT_EQ(found.calls.size(), 3);
  EXPECT_EQ(found.calls[0].instruction, 1);
  EXPECT_EQ(found.calls[0].last, 3);
  // b is never done.
  EXPECT_EQ(found.calls[1].last, 5);
  EXPECT_EQ(found.calls[2].instruction, 4);
  EXPECT_EQ(found.calls[2].last, 4);
}

TEST(ComputationBuffers, CallsBeginWhereNothingIsMissing) {
  const HloDump dump = *ParseHlo(R"(
      f {
        p = f32[2]{0} parameter(0)
        q = f32[2]{0} parameter(1)
        ROOT r = f32[2]{0} add(p, q)
      }
      ENTRY e {
        x = f32[2]{0} parameter(0)
        s = ((), (), s32[]) async-start(), calls=f
        t = ((f32[2]{0}), (), s32[]) async-update(s, x)
        u = ((f32[2]{0}, f32[2]{0}), f32[2]{0}, s32[]) async-update(t, x)
        v = ((f32[2]{0}, f32[2]{0}), f32[2]{0}, s32[]) async-update(u)
        ROOT d = f32[2]{0} async-done(v)
      })");
  ArrayTable arrays(&dump.shapes());
  const ComputationBuffers found =
      FindComputationBuffers(dump.computations()[1], &arrays, NoCallees);
  // x, the context and the result.
  ASSERT_EQ(found.buffers.size(), 3);
  EXPECT_EQ(found.buffers[2].first, 3);
  EXPECT_EQ(found.result[0], 2);
  ASSERT_EQ(found.calls.size(), 1);
  EXPECT_EQ(found.calls[0].instruction, 1);
  EXPECT_EQ(found.calls[0].first, 3);
  EXPECT_EQ(found.calls[0].last, 5);
}

}  // namespace
}  // namespace tessera
