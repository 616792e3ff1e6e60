#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/hlo/diff/dump_diff.h"
#include "tessera/hlo/memory/module_analysis.h"
#include "tessera/hlo/memory/reserved_memory.h"
#include "tessera/hlo/parse_hlo.h"
#include "tests/status_matchers.h"

namespace tessera {
namespace {

constexpr char kModule[] = R"(HloModule m, is_scheduled=true
body {
  ROOT b = f32[1024]{0} parameter(0)
}
ENTRY main {
  x = f32[256]{0} parameter(0)
  ROOT y = f32[512]{0:S(1)} broadcast(x), dimensions={}
})";

// 5,000 bytes in memory space 0, without what is thread-local, and 64 in 5.
BufferAssignment Assignment() {
  BufferAssignment assignment;
  assignment.allocations.resize(4);
  assignment.allocations[0].bytes = 4096;
  assignment.allocations[0].kind = BufferAssignment::Kind::kParameter;
  assignment.allocations[1].bytes = 904;
  assignment.allocations[2].bytes = 7777;
  assignment.allocations[2].kind = BufferAssignment::Kind::kThreadLocal;
  assignment.allocations[3].bytes = 64;
  assignment.allocations[3].memory_space = 5;
  return assignment;
}

// By memory space: worked out, by XLA or -1, and what counts.
std::map<int64_t, std::vector<int64_t>> Numbers(
    const std::map<int64_t, SpaceReservation>& reserved) {
  std::map<int64_t, std::vector<int64_t>> numbers;
  for (const auto& [number, parts] : reserved) {
    const ReservedBytes space = parts.sum();
    numbers[number] = {space.reserved_bytes, space.assigned_bytes.value_or(-1),
                       space.bytes()};
  }
  return numbers;
}

using Expected = std::map<int64_t, std::vector<int64_t>>;

TEST(ReservedBytes, XlaCountsWhereItIsKnown) {
  const absl::StatusOr<HloDump> dump = ParseHlo(kModule);
  ASSERT_TRUE(dump.ok());
  const HloModule module = dump->modules()[0];
  HloAssignments complete, incomplete;
  complete.of_modules = {Assignment()};
  incomplete.of_modules = {Assignment()};
  incomplete.of_modules[0]->has_all_allocations = false;
  struct Case {
    const HloAssignments* beside;
    std::string computation;
    Expected expected;
  };
  const Expected worked_out = {{0, {1024, -1, 1024}}, {1, {2048, -1, 2048}}};
  const Expected by_xla = {
      {0, {1024, 5000, 5000}}, {1, {2048, 0, 0}}, {5, {0, 64, 64}}};
  const Case kCases[] = {
      {nullptr, "", worked_out},
      {&incomplete, "", worked_out},
      {&complete, "", by_xla},
      {&complete, "main", by_xla},
      // It is of the whole program.
      {&complete, "body", {{0, {4096, -1, 4096}}}},
  };
  for (const Case& c : kCases) {
    MemoryOptions options;
    options.schedule.computation = c.computation;
    absl::StatusOr<ModuleAnalysis> analysis =
        ModuleAnalysis::Of(*dump, module, options, c.beside);
    ASSERT_TRUE(analysis.ok()) << analysis.status();
    EXPECT_EQ(Numbers(analysis->reserved()), c.expected) << c.computation;
    EXPECT_EQ(analysis->is_assigned_by_xla(), c.expected == by_xla);
    // What no memory space has.
    const ReservedBytes nothing = analysis->ReservedIn(9).sum();
    EXPECT_EQ(nothing.bytes(), 0);
    EXPECT_EQ(nothing.is_assigned(), analysis->is_assigned_by_xla());
  }
}

TEST(ReservedBytes, OfAModuleWithoutASchedule) {
  const absl::StatusOr<HloDump> dump =
      ParseHlo("HloModule m\nENTRY e { ROOT x = f32[2]{0} parameter(0) }");
  ASSERT_TRUE(dump.ok());
  HloAssignments by_xla;
  by_xla.of_modules = {Assignment()};
  EXPECT_THAT(
      ModuleAnalysis::Of(*dump, dump->modules()[0], {}, &by_xla).status(),
      StatusIs(absl::StatusCode::kFailedPrecondition));
}

TEST(ReservedBytes, TwoModulesAreComparedByOneMeasure) {
  struct Case {
    ReservedBytes before;
    ReservedBytes after;
    ReservedChange expected;
  };
  const Case kCases[] = {
      {{8, 512}, {16, 1024}, {512, 1024, true}},
      {{8, std::nullopt}, {16, 1024}, {8, 16, false}},
      {{8, 512}, {16, std::nullopt}, {8, 16, false}},
      {{8, std::nullopt}, {16, std::nullopt}, {8, 16, false}},
      {{8, 0}, {16, 0}, {0, 0, true}},
  };
  for (const Case& c : kCases) {
    const ReservedChange change = CompareReserved(c.before, c.after);
    EXPECT_EQ(change.before, c.expected.before);
    EXPECT_EQ(change.after, c.expected.after);
    EXPECT_EQ(change.is_assigned, c.expected.is_assigned);
  }
}

TEST(ReservedBytes, TheDifferenceOfDumps) {
  const absl::StatusOr<HloDump> dump = ParseHlo(kModule);
  ASSERT_TRUE(dump.ok());
  HloAssignments before, after;
  before.of_modules = {Assignment()};
  after.of_modules = {Assignment()};
  after.of_modules[0]->allocations[1].bytes += 1000;
  DumpDiffOptions options;
  options.before = &before;
  DumpDiff diff = DiffDumps(*dump, *dump, options);
  const PeakChange* space = &diff.modules[0].peaks->at(0);
  EXPECT_EQ(space->reserved_after, 1024);
  EXPECT_FALSE(space->assigned_before.has_value());
  EXPECT_EQ(diff.modules[0].peaks->count(5), 0);

  options.after = &after;
  diff = DiffDumps(*dump, *dump, options);
  space = &diff.modules[0].peaks->at(0);
  EXPECT_EQ(space->reserved_after, 1024);
  EXPECT_EQ(space->assigned_before, 5000);
  EXPECT_EQ(space->assigned_after, 6000);
  EXPECT_EQ(diff.modules[0].peaks->at(1).assigned_after, 0);
  EXPECT_EQ(diff.modules[0].peaks->at(5).assigned_after, 64);

  // The assignment is of the whole program.
  options.question.schedule.computation = "body";
  diff = DiffDumps(*dump, *dump, options);
  EXPECT_FALSE(diff.modules[0].peaks->at(0).assigned_before.has_value());
}

// The table of a tuple takes 512 bytes on v4 and 32 on v5p.
TEST(ReservedBytes, TheDifferenceIsOfTheGenerationsBesideTheDumps) {
  const absl::StatusOr<HloDump> dump = ParseHlo(R"(
HloModule m, is_scheduled=true

ENTRY e {
  a = f32[1024]{0:T(1024)} parameter(0)
  s = (f32[1024]{0:T(1024)S(1)}, f32[1024]{0:T(1024)}, u32[]{:S(2)}) copy-start(a)
  d = f32[1024]{0:T(1024)S(1)} copy-done(s)
  ROOT r = f32[1024]{0:T(1024)} negate(d)
}
)");
  ASSERT_TRUE(dump.ok()) << dump.status();
  HloAssignments before, after;
  before.tpu_generation = TpuGeneration::kV4;
  after.tpu_generation = TpuGeneration::kV5p;
  DumpDiffOptions options;
  options.before = &before;
  options.after = &after;
  const DumpDiff diff = DiffDumps(*dump, *dump, options);
  const PeakChange& hbm = diff.modules[0].peaks->at(0);
  EXPECT_EQ(hbm.reserved_before - hbm.reserved_after, 512 - 32);
}

}  // namespace
}  // namespace tessera
