#include "tessera/hlo/dataflow/opcode_traits.h"

#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tessera/hlo/dataflow/array_table.h"
#include "tessera/hlo/parse_hlo.h"

namespace tessera {
namespace {

// One letter for each part of the result of the entry's root, a tuple before
// its elements: B where it has a buffer, else -.
std::string BuffersOfRoot(const std::string& root) {
  const HloDump dump = *ParseHlo(absl::StrCat(
      "HloModule m\n"
      "c { q = f32[2]{0} parameter(0)\n ROOT r = f32[2]{0} negate(q) }\n"
      "ENTRY e { p = f32[2]{0} parameter(0)\n"
      " t = (f32[2]{0}, f32[2]{0}) parameter(1)\n"
      " n = s32[] parameter(2)\n ROOT ",
      root, " }"));
  const HloInstruction instruction =
      *dump.modules()[0].entry_computation()->root();
  EXPECT_TRUE(RunningComputations(dump.modules()[0])
                  .contains(instruction.computation().index()));
  ArrayTable arrays(&dump.shapes());
  const ArrayTable::ShapeParts& parts = arrays.parts(instruction.shape_index());
  const std::optional<PartPaths> paths = PathsWithoutBuffer(instruction);
  if (!paths.has_value()) return std::string(parts.size(), '-');
  std::string letters;
  for (const bool has_buffer : PartsWithBuffer(*paths, parts)) {
    letters += has_buffer ? 'B' : '-';
  }
  return letters;
}

TEST(OpcodeTraits, BuffersOfEveryFlow) {
  struct Case {
    const char* root;
    const char* buffers;
  };
  constexpr Case kCases[] = {
      {"x = f32[2]{0} negate(p)", "B"},
      {"x = (f32[2]{0}, (s32[], token[])) custom-call(p)", "-B-B-"},
      {"x = (f32[2]{0}, f32[2]{0}) parameter(3)", "-BB"},
      {"x = f32[2]{0} constant({1, 2})", "B"},
      {"x = s32[2]{0} bitcast(p)", "-"},
      {"x = f32[2]{0} opt-barrier(p)", "-"},
      {"x = (f32[2]{0}, s32[]) tuple(p, n)", "---"},
      {"x = f32[2]{0} get-tuple-element(t), index=1", "-"},
      {"x = f32[2]{0} copy(p)", "B"},
      {"x = (f32[2]{0}, f32[2]{0}) copy(t)", "---"},
      {"x = f32[2]{0} while(p), condition=c, body=c", "-"},
      {"x = f32[2]{0} call(p), to_apply=c", "-"},
      {"x = f32[2]{0} call(p), to_apply=missing", "B"},
      {"x = f32[2]{0} conditional(n, p, p), branch_computations={c, c}", "-"},
      {"x = f32[2]{0} fusion(p), kind=kLoop, calls=c", "B"},
      {"x = (f32[2]{0}, f32[2]{0}, u32[]) copy-start(p)", "-B-B"},
      {"x = f32[2]{0} copy-done(t)", "-"},
      {"x = (f32[2]{0}, u32[], token[]) send(p, n), channel_id=1", "--B-"},
      {"x = ((f32[2]{0}), f32[2]{0}, s32[]) async-start(p), calls=c", "----B"},
      {"x = ((f32[2]{0}), f32[2]{0}, s32[]) fusion-start(p), calls=c", "---BB"},
      {"x = ((f32[2]{0}), f32[2]{0}, s32[]) async-update(t)", "-----"},
      {"x = f32[2]{0} async-done(t)", "-"},
      {"x = (f32[2]{0}, f32[4]{0}) all-gather-start(p), dimensions={0}", "--B"},
      {"x = f32[2]{0} all-reduce-start(p), to_apply=c", "B"},
      {"x = (f32[2]{0}, f32[2]{0}, u32[], u32[]) collective-permute-start(p), "
       "source_target_pairs={{0,1}}",
       "--BBB"},
      {"x = (f32[2]{0}, f32[2]{0}, u32[], u32[]) collective-permute-start(p, "
       "p, n, n), source_target_pairs={{0,1}}",
       "---BB"},
      {"x = (f32[2]{0}, f32[2]{0}) custom-call(p), "
       "output_to_operand_aliasing={{1}: (0, {})}",
       "-B-"},
      {"x = (f32[2]{0}, (f32[2]{0}, s32[])) custom-call(p), "
       "output_to_operand_aliasing={{1,0}: (0, {}), {1}: (0, {}), {1}: (0, "
       "{})}",
       "-B---"},
      {"x = f32[2]{0} custom-call(p), output_to_operand_aliasing={{}: (0, {})}",
       "-"},
      {"x = f32[2]{0} custom-call(p), output_to_operand_aliasing={7: (0, {})}",
       "B"},
  };
  for (const Case& c : kCases)
    EXPECT_EQ(BuffersOfRoot(c.root), c.buffers) << c.root;
}

TEST(OpcodeTraits, OnlyWhatRunsHasBuffers) {
  const HloDump dump = *ParseHlo(R"(
      HloModule m
      reducer { a = f32[] parameter(0)
        b = f32[] parameter(1)
        ROOT s = f32[] add(a, b) }
      called { p = f32[] parameter(0)
        ROOT r = f32[] reduce(p, p), dimensions={}, to_apply=reducer }
      wrapped { ROOT p = f32[] parameter(0) }
      fused { ROOT p = f32[] parameter(0) }
      dead { ROOT p = f32[] parameter(0) }
      ENTRY e { p = f32[] parameter(0)
        f = f32[] fusion(p), kind=kLoop, calls=fused
        s = ((f32[]), f32[], s32[]) async-start(f), calls=wrapped
        d = f32[] async-done(s)
        ROOT c = f32[] call(d), to_apply=called }
      HloModule n
      ROOT { p = f32[] parameter(0) })");
  const absl::flat_hash_set<int64_t> indices =
      RunningComputations(dump.modules()[0]);
  EXPECT_TRUE(RunningComputations(dump.modules()[1]).empty());
  std::vector<std::string> running;
  for (const HloComputation computation : dump.computations()) {
    if (indices.contains(computation.index())) {
      running.push_back(std::string(computation.name()));
    }
  }
  EXPECT_EQ(running, (std::vector<std::string>{"called", "wrapped", "e"}));
  // A parameter of what is called lies in the caller's buffer.
  const HloInstruction of_called = dump.computations()[1].instructions()[0];
  EXPECT_FALSE(PathsWithoutBuffer(of_called).has_value());
}

}  // namespace
}  // namespace tessera
