#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/buffer_assignment/assignment_text.h"
#include "tessera/hlo/memory/module_analysis.h"
#include "tessera/hlo/parse_hlo.h"
#include "tessera/hlo/tpu_generation.h"
#include "tessera/shape/shape_index.h"
#include "tests/hlo/truth_files.h"

namespace tessera {
namespace {

TEST(TpuGeneration, NamesComeBack) {
  for (const char* name : {"v4", "v5e", "v5p", "v6e", "v7x"}) {
    EXPECT_EQ(TpuGenerationName(TpuGenerationOfName(name)), name);
  }
  EXPECT_EQ(TpuGenerationOfName("v3"), TpuGeneration::kUnknown);
  EXPECT_EQ(TpuGenerationName(TpuGeneration::kUnknown), "");
}

TEST(TpuGeneration, IsReadFromTargetArguments) {
  const struct {
    const char* text;
    TpuGeneration expected;
  } kCases[] = {
      {"version: TPU_VERSION_PUFFERFISH\n", TpuGeneration::kV4},
      {"version: TPU_VERSION_VIPERFISH\n  variant: \"lite\"\n",
       TpuGeneration::kV5e},
      {"version: TPU_VERSION_VIPERFISH\n", TpuGeneration::kV5p},
      {"version: TPU_VERSION_GHOSTLITE\n", TpuGeneration::kV6e},
      {"version: TPU_VERSION_6acc60406\n", TpuGeneration::kV7x},
      {"version: TPU_VERSION_DRAGONFISH\n", TpuGeneration::kUnknown},
      {"", TpuGeneration::kUnknown},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(TpuGenerationOfArguments(c.text), c.expected) << c.text;
  }
}

// Bytes of `kind` or all, reserved in a memory space of a scheduled TPU module.
SpaceReservation ReservedIn(int64_t memory_space, const std::string& entry,
                            TpuGeneration generation = TpuGeneration::kV5p,
                            const std::string& computations = "") {
  const absl::StatusOr<HloDump> dump =
      ParseHlo(absl::StrCat("HloModule m, is_scheduled=true\n", computations,
                            "\nENTRY e {\n", entry, "\n}\n"));
  EXPECT_EQ(dump->diagnostic_count(), 0);
  MemoryOptions options;
  options.target = HloTarget::kTpu;
  options.generation = generation;
  absl::StatusOr<ModuleAnalysis> analysis =
      ModuleAnalysis::Of(*dump, dump->modules()[0], options);
  EXPECT_TRUE(analysis.ok()) << analysis.status();
  for (const auto& [space, use] : analysis->use()) {
    EXPECT_LE(use.peak_bytes, analysis->ReservedIn(space).sum().bytes())
        << "S(" << space << ") of " << entry;
  }
  return analysis->ReservedIn(memory_space);
}

// Arrays are placed in the order of time, not by size.
TEST(TpuMemory, TheHeapIsPackedByTime) {
  EXPECT_EQ(ReservedIn(0, R"(
      a = f32[1024]{0:T(1024)} parameter(0)
      t1 = f32[1024,1024]{1,0:T(8,128)} broadcast(a)
      t2 = f32[4096,1024]{1,0:T(8,128)} broadcast(t1)
      t3 = f32[2048,1024]{1,0:T(8,128)} slice(t2)
      t4 = f32[512,1024]{1,0:T(8,128)} slice(t3)
      ROOT r = f32[1024]{0:T(1024)} slice(t4))")
                .temporary_bytes,
            29360128);
}

// Temporaries lie in no output, and in no parameter.
TEST(TpuMemory, TemporariesAreApart) {
  EXPECT_EQ(ReservedIn(0, R"(
      a = f32[1024]{0:T(1024)} parameter(0)
      t = f32[1024,1024]{1,0:T(8,128)} broadcast(a)
      s = f32[1024]{0:T(1024)} slice(t)
      ROOT r = f32[1024,1024]{1,0:T(8,128)} broadcast(s))")
                .temporary_bytes,
            4198400);
}

// Every table of a tuple has a slot of its own for the whole run; its size is
// that of the generation.
TEST(TpuMemory, TablesOfTuplesHaveAllocationsOfTheirOwn) {
  constexpr char kCopies[] = R"(
      a = f32[1024]{0:T(1024)} parameter(0)
      s = (f32[1024]{0:T(1024)S(1)}, f32[1024]{0:T(1024)}, u32[]{:S(2)})
          copy-start(a)
      d = f32[1024]{0:T(1024)S(1)} copy-done(s)
      f = f32[1024]{0:T(1024)S(1)} negate(d)
      b = (f32[1024]{0:T(1024)}, f32[1024]{0:T(1024)S(1)}, u32[]{:S(2)})
          copy-start(f)
      ROOT r = f32[1024]{0:T(1024)} copy-done(b))";
  for (const TpuGeneration generation :
       {TpuGeneration::kV5p, TpuGeneration::kV6e, TpuGeneration::kV7x,
        TpuGeneration::kUnknown}) {
    EXPECT_EQ(ReservedIn(0, kCopies, generation).temporary_bytes, 16384 + 32);
  }
  for (const TpuGeneration generation :
       {TpuGeneration::kV4, TpuGeneration::kV5e}) {
    EXPECT_EQ(ReservedIn(0, kCopies, generation).temporary_bytes, 16384 + 512);
  }
  // Semaphores share by time.
  EXPECT_EQ(ReservedIn(2, kCopies).temporary_bytes, 4);
}

// A result lies over an operand where the text says so, and nowhere else.
TEST(TpuMemory, OnlyAliasesShare) {
  const std::string fused =
      "f { p = f32[128,1024]{1,0} parameter(0) q = f32[128,1024]{1,0} "
      "parameter(1) ROOT r = f32[128,1024]{1,0} add(p, q) }";
  const std::string entry = R"(
      a = f32[128,1024]{1,0:T(8,128)} parameter(0)
      b = f32[128,1024]{1,0:T(8,128)} parameter(1)
      t = f32[128,1024]{1,0:T(8,128)S(1)} negate(a)
      u = f32[128,1024]{1,0:T(8,128)S(1)} fusion(t, b), kind=kLoop, calls=f)";
  const std::string root = "\nROOT r = f32[128,1024]{1,0:T(8,128)} negate(u)";
  EXPECT_EQ(
      ReservedIn(1, entry + root, TpuGeneration::kV5p, fused).temporary_bytes,
      1048576);
  const SpaceReservation vmem = ReservedIn(
      1,
      absl::StrCat(entry,
                   ", backend_config={\"aliasing_operands\":{\"lists\":"
                   "[{\"indices\":[\"0\",\"2\"]}]}}",
                   root),
      TpuGeneration::kV5p, fused);
  EXPECT_EQ(vmem.temporary_bytes, 524288);
  EXPECT_TRUE(vmem.is_lower_bound);
}

// A list names the operands whose place a result may take. It takes that of the
// first that nothing needs any more, and a place of its own where all are
// needed later (jit_key and jit_index of JAX 0.10.2 with libtpu 0.0.52).
TEST(TpuMemory, AliasedOperandThatLives) {
  struct Case {
    const char* operands;  // of v, and the list
    const char* list;
    const char* last_use;
    int64_t arrays_at_once;
  };
  const Case kCases[] = {
      {"t, u", R"("0","1","2")", "v, v", 2},
      {"t, u", R"("0","1","2")", "v, t", 2},
      {"t, u", R"("0","2")", "v, t", 3},
      {"t, u", R"("0","2")", "v, u", 2},
  };
  for (const Case& c : kCases) {
    EXPECT_EQ(
        ReservedIn(1,
                   absl::StrCat(R"(
      a = f32[128,1024]{1,0:T(8,128)} parameter(0)
      t = f32[128,1024]{1,0:T(8,128)S(1)} negate(a)
      u = f32[128,1024]{1,0:T(8,128)S(1)} negate(a)
      v = f32[128,1024]{1,0:T(8,128)S(1)} add()",
                                c.operands,
                                R"(), backend_config={"aliasing_operands":)"
                                R"({"lists":[{"indices":[)",
                                c.list, R"(]}]}}
      ROOT r = f32[128,1024]{1,0:T(8,128)} add()",
                                c.last_use, ")"),
                   TpuGeneration::kV5p)
            .temporary_bytes,
        c.arrays_at_once * 524288)
        << c.operands << " " << c.list << " " << c.last_use;
  }
}

// Of two branches one runs. After its last use in either, a value that nothing
// needs after the conditional leaves its place to others (jit_nested_branches
// of JAX 0.10.2, jit_conditional of 0.12).
TEST(TpuMemory, ValueThatABranchNeedsNoMore) {
  struct Case {
    const char* e;      // in one branch
    const char* after;  // an operand of the root
    int64_t arrays_at_once;
  };
  const Case kCases[] = {
      {"negate(d)", "c", 2},  // d and e: x is idle
      {"add(x, d)", "c", 3},
      {"negate(d)", "t", 3},  // t is x, and needed after the conditional
  };
  for (const Case& c : kCases) {
    const std::string branches = absl::StrCat(R"(
long {
  x = f32[128,1024]{1,0:T(8,128)S(1)} parameter(0)
  d = f32[128,1024]{1,0:T(8,128)S(1)} negate(x)
  e = f32[128,1024]{1,0:T(8,128)S(1)} )",
                                              c.e, R"(
  ROOT r = f32[128,1024]{1,0:T(8,128)S(1)} negate(e)
}
short {
  x = f32[128,1024]{1,0:T(8,128)S(1)} parameter(0)
  ROOT r = f32[128,1024]{1,0:T(8,128)S(1)} negate(x)
})");
    for (const char* order :
         {"true_computation=long, false_computation=short",
          "true_computation=short, false_computation=long"}) {
      const std::string entry = absl::StrCat(R"(
  a = f32[128,1024]{1,0:T(8,128)} parameter(0)
  p = pred[]{:T(512)} parameter(1)
  t = f32[128,1024]{1,0:T(8,128)S(1)} negate(a)
  c = f32[128,1024]{1,0:T(8,128)S(1)} conditional(p, t, t), )",
                                             order, R"(
  ROOT r = f32[128,1024]{1,0:T(8,128)} add(c, )",
                                             c.after, ")");
      EXPECT_EQ(
          ReservedIn(1, entry, TpuGeneration::kV5p, branches).temporary_bytes,
          c.arrays_at_once * 524288)
          << c.e << ", " << c.after << ", " << order;
    }
  }
}

// Each of the two cores of a v5p holds one piece of an array that is split
// (jit_lstm_grad of JAX 0.10.2: 102,400 bytes).
TEST(TpuMemory, SplitArrayTakesItsLargestPiece) {
  EXPECT_EQ(ReservedIn(1, R"(
      a = f32[100,400]{0,1:T(8,128)} parameter(0)
      t = f32[100,400]{0,1:T(8,128)S(1)SC(0:200)} copy(a)
      ROOT r = f32[100,400]{0,1:T(8,128)} copy(t))",
                       TpuGeneration::kV5p)
                .temporary_bytes,
            102400);
}

// The slices of a sliced prefetch are there each from its own start, and are
// what they make together.
TEST(TpuMemory, ConcatBitcastIsItsOperands) {
  EXPECT_EQ(ReservedIn(1, R"(
      a = f32[128,1024]{1,0:T(8,128)} parameter(0)
      d1 = f32[128,1024]{1,0:T(8,128)S(1)} negate(a)
      d2 = f32[128,1024]{1,0:T(8,128)S(1)} exponential(a)
      c = f32[256,1024]{1,0:T(8,128)S(1)} custom-call(d1, d2),
          custom_call_target="ConcatBitcast"
      ROOT r = f32[256,1024]{1,0:T(8,128)} negate(c))")
                .temporary_bytes,
            1048576);
}

// What an async-update binds is an alias, and runs in front of it.
TEST(TpuMemory, AsyncUpdateBindsLate) {
  const SpaceReservation hbm = ReservedIn(0, R"(
      x = f32[1024,1024]{1,0:T(8,128)} parameter(0)
      j = s32[1024]{0:T(1024)} parameter(1)
      start = ((), (), (s32[16]{0:T(128)})) async-start(), calls=gather
      t = f32[1024,1024]{1,0:T(8,128)} negate(x)
      update = ((f32[1024,1024]{1,0:T(8,128)}, s32[1024]{0:T(1024)}),
                f32[1024]{0:T(1024)}, (s32[16]{0:T(128)}))
          async-update(start, t, j), output_to_operand_aliasing={{2,0}: (0, {2,0})}
      ROOT done = f32[1024]{0:T(1024)} async-done(update))",
                                          TpuGeneration::kV5p, R"(
      gather { p = f32[1024,1024]{1,0:T(8,128)} parameter(0)
               q = s32[1024]{0:T(1024)} parameter(1)
               ROOT g = f32[1024]{0:T(1024)} custom-call(p, q) })");
  EXPECT_EQ(hbm.parameter_bytes, 4198400);
  EXPECT_EQ(hbm.output_bytes, 4096);
  // One t, and slots for the scratch and the tables.
  EXPECT_GE(hbm.temporary_bytes, 4194304);
  EXPECT_LE(hbm.temporary_bytes, 4194304 + 10 * 16384);
}

// A kernel with a limit of its own sets memory aside among arrays.
TEST(TpuMemory, ReservationsOfScopedMemoryCount) {
  EXPECT_EQ(ReservedIn(1, R"(
      a = f32[1024,1024]{1,0:T(8,128)} parameter(0)
      t = f32[1024,1024]{1,0:T(8,128)S(1)} negate(a)
      ROOT r = f32[1024,1024]{1,0:T(8,128)} custom-call(t),
          custom_call_target="tpu_custom_call", backend_config={
          "scoped_memory_configs":[{"memory_space":"1","offset":"0","size":"25165824"}]})")
                .temporary_bytes,
            4194304 + 25165824);
}

using Places = std::map<std::string, std::pair<int64_t, int64_t>>;

// Memory space and offset of values in `kind` of allocations.
Places PlacesOf(const BufferAssignment& assignment) {
  Places places;
  for (size_t i = 0; i < assignment.allocations.size(); ++i) {
    const BufferAssignment::Allocation& allocation = assignment.allocations[i];
    if (allocation.kind != BufferAssignment::Kind::kTemporary ||
        allocation.memory_space != 0) {
      continue;
    }
    for (const BufferAssignment::Tenant& tenant : assignment.TenantsOf(i)) {
      const BufferAssignment::Value& value = assignment.values[tenant.value];
      if (value.bytes == 0 || tenant.bytes == 0) continue;
      places[absl::StrCat(AbslView(value.instruction),
                          ShapeIndexToString(value.shape_index))] = {
          tenant.offset, tenant.bytes};
    }
  }
  return places;
}

int64_t AssignedIn(const TruthModule& truth, int64_t memory_space) {
  const auto found = truth.assigned_bytes.find(memory_space);
  return found == truth.assigned_bytes.end() ? 0 : found->second;
}

// The assignments of libtpu 0.0.52, with the generation that it wrote beside
// them.
TEST(TpuMemory, IsThatOfTheCompiler) {
  struct Counts {
    int modules = 0;
    int equal = 0;      // HBM
    int near = 0;       // HBM within a slot of 16,384
    int places = 0;     // every offset
    int fast = 0;       // with VMEM or CMEM
    int fast_near = 0;  // at most 5 % below
    int others = 0;     // other memory spaces
    int others_equal = 0;
  };
  std::map<std::string, Counts> by_generation;
  std::vector<std::string> above;
  for (const TruthModule& truth : ReadTruthModules()) {
    if (truth.target[0] != 'v') continue;
    const std::string name = absl::StrCat(truth.target, "/", truth.name);
    const absl::StatusOr<HloDump> dump = ParseHlo(truth.text);
    ASSERT_TRUE(dump.ok()) << name;
    MemoryOptions options;
    options.target = HloTarget::kTpu;
    const std::string generation =
        truth.target.substr(0, truth.target.find('-'));
    options.generation = TpuGenerationOfName(generation);
    absl::StatusOr<ModuleAnalysis> analysis =
        ModuleAnalysis::Of(*dump, dump->modules()[0], options);
    ASSERT_TRUE(analysis.ok()) << name << analysis.status();
    const BufferAssignment by_xla =
        ReadBufferAssignmentText(truth.assignment_text, {});
    Counts& counts = by_generation[generation];
    ++counts.modules;
    const int64_t off =
        analysis->ReservedIn(0).reserved_bytes() - AssignedIn(truth, 0);
    counts.equal += off == 0;
    counts.near += std::abs(off) <= 16384;
    counts.places += PlacesOf(analysis->assignment()) == PlacesOf(by_xla);
    std::map<int64_t, int64_t> spaces = truth.assigned_bytes;
    for (const auto& [space, reserved] : analysis->reserved()) spaces[space];
    for (const auto& [space, unused] : spaces) {
      const int64_t assigned = AssignedIn(truth, space);
      const int64_t found = analysis->ReservedIn(space).reserved_bytes();
      if (space == 0 || assigned + found == 0) continue;
      if (space == (generation == "v4" ? 3 : 1)) {
        ++counts.fast;
        counts.fast_near += found <= assigned && found * 20 >= assigned * 19;
        if (found > assigned) above.push_back(name);
      } else {
        ++counts.others;
        counts.others_equal += found == assigned;
      }
    }
  }
  std::string found;
  for (const auto& [generation, counts] : by_generation) {
    absl::StrAppend(&found, generation, ": HBM ", counts.equal, " ",
                    counts.near, " ", counts.places, " of ", counts.modules,
                    ", fast ", counts.fast_near, " of ", counts.fast,
                    ", others ", counts.others_equal, " of ", counts.others,
                    "\n");
  }
  // Two modules with SparseCore: libtpu has fewer thread-local values than the
  // text, and lays tables in another order. docs/memory.md says why VMEM is a
  // bound.
  EXPECT_EQ(found,
            "v4: HBM 3 3 3 of 3, fast 2 of 2, others 3 of 3\n"
            "v5e: HBM 17 17 17 of 17, fast 12 of 14, others 11 of 11\n"
            "v5p: HBM 7 7 7 of 7, fast 4 of 7, others 8 of 8\n"
            "v6e: HBM 8 8 6 of 8, fast 7 of 7, others 17 of 17\n"
            "v7x: HBM 3 3 3 of 3, fast 2 of 3, others 8 of 8\n");
  EXPECT_THAT(above, ::testing::IsEmpty());
}

// The peak is in no space above what is reserved, and where XLA's assignment is
// that which is worked out, both have one peak at one step.
TEST(TpuMemory, PeaksAgree) {
  for (const TruthModule& truth : ReadTruthModules()) {
    const std::string name = absl::StrCat(truth.target, "/", truth.name);
    const absl::StatusOr<HloDump> dump = ParseHlo(truth.text);
    ASSERT_TRUE(dump.ok()) << name;
    MemoryOptions options;
    options.generation =
        TpuGenerationOfName(truth.target.substr(0, truth.target.find('-')));
    HloAssignments by_xla;
    by_xla.of_modules = {ReadBufferAssignmentText(truth.assignment_text, {})};
    const HloModule module = dump->modules()[0];
    absl::StatusOr<ModuleAnalysis> computed =
        ModuleAnalysis::Of(*dump, module, options);
    absl::StatusOr<ModuleAnalysis> assigned =
        ModuleAnalysis::Of(*dump, module, options, &by_xla);
    ASSERT_TRUE(computed.ok() && assigned.ok()) << name;
    EXPECT_TRUE(assigned->is_assigned_by_xla()) << name;
    for (const ModuleAnalysis* const analysis : {&*computed, &*assigned}) {
      for (const auto& [space, use] : analysis->use()) {
        EXPECT_LE(use.peak_bytes, analysis->ReservedIn(space).sum().bytes())
            << name << " S(" << space << ")";
      }
    }
    if (PlacesOf(computed->assignment()) != PlacesOf(*by_xla.of_modules[0]) ||
        computed->ReservedIn(0).reserved_bytes() != AssignedIn(truth, 0)) {
      continue;
    }
    ASSERT_EQ(computed->use().count(0), assigned->use().count(0)) << name;
    if (computed->use().count(0) == 0) continue;
    EXPECT_EQ(computed->use().at(0).peak_bytes,
              assigned->use().at(0).peak_bytes)
        << name;
    EXPECT_EQ(computed->use().at(0).peak_step, assigned->use().at(0).peak_step)
        << name;
  }
}

}  // namespace
}  // namespace tessera
