#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/buffer_assignment/assigned_memory.h"
#include "tessera/hlo/buffer_assignment/assignment_proto.h"
#include "tessera/hlo/buffer_assignment/hlo_file.h"
#include "tessera/hlo/memory/module_analysis.h"
#include "tessera/hlo/parse_hlo.h"
#include "tests/hlo/proto_files.h"

namespace tessera {
namespace {

using Kind = BufferAssignment::Kind;

std::string Describe(const BufferAssignment& assignment) {
  std::string out;
  for (size_t i = 0; i < assignment.allocations.size(); ++i) {
    absl::StrAppend(&out, "allocation of ", assignment.allocations[i].bytes,
                    ":");
    for (const BufferAssignment::Tenant& tenant : assignment.TenantsOf(i)) {
      const BufferAssignment::Value& value = assignment.values[tenant.value];
      absl::StrAppend(&out, " ", AbslView(value.instruction),
                      ShapeIndexToString(value.shape_index), " at ",
                      tenant.offset, " in ", value.first, "-", value.last);
    }
    out += "\n";
  }
  return out;
}

TEST(ComputedAssignment, OfASmallProgram) {
  const absl::StatusOr<HloDump> dump = ParseHlo(R"(
      HloModule m, is_scheduled=true
      ENTRY main {
        x = f32[256]{0} parameter(0)
        a = f32[1024]{0} broadcast(x)
        b = f32[512]{0} slice(a)
        c = f32[512]{0} negate(b)
        ROOT t = (f32[512]{0}, f32[256]{0}) tuple(c, x)
      })");
  const absl::StatusOr<ModuleAnalysis> assignment =
      ModuleAnalysis::Of(*dump, dump->modules()[0]);
  ASSERT_TRUE(assignment.ok()) << assignment.status();
  EXPECT_EQ(Describe(assignment->assignment()),
            "allocation of 2048: c{} at 0 in 3-5 b{} at 0 in 2-3\n"
            "allocation of 1024: x{} at 0 in 0-5\n"
            "allocation of 16: t{} at 0 in 4-5\n"
            "allocation of 4096: a{} at 0 in 1-2\n");
}

std::vector<int64_t> PartsOf(const AssignedSpace& space) {
  return {space.parameter_bytes,    space.constant_bytes,
          space.output_bytes,       space.temporary_bytes,
          space.thread_local_bytes, space.assigned_bytes};
}

std::vector<int64_t> PartsOf(const SpaceReservation& space) {
  return {space.parameter_bytes,    space.constant_bytes,
          space.output_bytes,       space.temporary_bytes,
          space.thread_local_bytes, space.reserved_bytes()};
}

// A proto's live ranges count events of a trace, and not instructions.
TEST(ComputedAssignment, RangesInStepsOfATraceAreComputed) {
  const absl::StatusOr<HloDump> dump = ParseHlo(R"(
      HloModule m, is_scheduled=true
      ENTRY main {
        x = f32[256]{0} parameter(0)
        a = f32[1024]{0} broadcast(x)
        ROOT b = f32[512]{0} slice(a)
      })");
  const absl::StatusOr<ModuleAnalysis> computed =
      ModuleAnalysis::Of(*dump, dump->modules()[0]);
  ASSERT_TRUE(computed.ok()) << computed.status();
  HloAssignments beside;
  BufferAssignment& of_trace =
      *beside.of_modules.emplace_back(computed->assignment());
  of_trace.has_all_allocations = true;
  of_trace.has_steps_of_traces = true;
  for (BufferAssignment::Value& value : of_trace.values) {
    value.first = value.last = 0;
  }
  const absl::StatusOr<ModuleAnalysis> aligned =
      ModuleAnalysis::Of(*dump, dump->modules()[0], {}, &beside);
  ASSERT_TRUE(aligned.ok()) << aligned.status();
  ASSERT_TRUE(aligned->is_assigned_by_xla());
  EXPECT_EQ(Describe(aligned->assignment()), Describe(computed->assignment()));
}

TEST(ComputedAssignment, AddsUpToWhatIsReserved) {
  for (const ProtoFile& file : ReadProtoFiles()) {
    const absl::StatusOr<HloDump> dump = ParseHloProto(file.bytes);
    ASSERT_TRUE(dump.ok());
    for (const HloModule module : dump->modules()) {
      absl::StatusOr<ModuleAnalysis> reserved =
          ModuleAnalysis::Of(*dump, module);
      const absl::StatusOr<ModuleAnalysis> assignment =
          ModuleAnalysis::Of(*dump, module);
      ASSERT_EQ(assignment.ok(), reserved.ok());
      if (!assignment.ok()) continue;
      const std::map<int64_t, AssignedSpace> spaces =
          FindAssignedMemory(assignment->assignment());
      for (const auto& [number, space] : reserved->reserved()) {
        const auto found = spaces.find(number);
        EXPECT_EQ(
            PartsOf(found == spaces.end() ? AssignedSpace() : found->second),
            PartsOf(space))
            << file.name << " " << module.name() << " S(" << number << ")";
      }
    }
  }
}

// Kind, memory space and bytes of each allocation, and the values in it with
// their offsets; without the tables of tuples, which XLA numbers by itself.
using Placed = std::tuple<int, int64_t, int64_t,
                          std::vector<std::tuple<std::string, int64_t>>>;

std::vector<Placed> PlacedValues(const BufferAssignment& assignment) {
  std::vector<Placed> placed;
  for (size_t i = 0; i < assignment.allocations.size(); ++i) {
    const BufferAssignment::Allocation& allocation = assignment.allocations[i];
    if (allocation.kind == Kind::kThreadLocal) continue;
    std::vector<std::tuple<std::string, int64_t>> values;
    for (const BufferAssignment::Tenant& tenant : assignment.TenantsOf(i)) {
      const BufferAssignment::Value& value = assignment.values[tenant.value];
      values.emplace_back(absl::StrCat(AbslView(value.instruction),
                                       ShapeIndexToString(value.shape_index)),
                          tenant.offset);
    }
    std::sort(values.begin(), values.end());
    placed.emplace_back(static_cast<int>(allocation.kind),
                        allocation.memory_space, allocation.bytes, values);
  }
  std::sort(placed.begin(), placed.end());
  return placed;
}

TEST(ComputedAssignment, PutsValuesWhereXlaDoes) {
  int64_t modules = 0;
  std::vector<std::string> different;
  for (const ProtoFile& file : ReadProtoFiles()) {
    const absl::StatusOr<HloDump> dump = ParseHloProto(file.bytes);
    const std::vector<std::optional<BufferAssignment>> assigned =
        ReadProtoAssignments(file.bytes);
    for (size_t i = 0; i < assigned.size(); ++i) {
      if (!assigned[i].has_value()) continue;
      const absl::StatusOr<ModuleAnalysis> computed =
          ModuleAnalysis::Of(*dump, dump->modules()[i]);
      ASSERT_TRUE(computed.ok());
      ++modules;
      const std::vector<Placed> want = PlacedValues(*assigned[i]);
      std::vector<Placed> common;
      const std::vector<Placed> got = PlacedValues(computed->assignment());
      std::set_intersection(want.begin(), want.end(), got.begin(), got.end(),
                            std::back_inserter(common));
      if (common.size() == want.size() && want.size() == got.size()) continue;
      different.push_back(absl::StrCat(AbslView(dump->modules()[i].name()),
                                       ": ", common.size(), " of ",
                                       want.size()));
    }
  }
  EXPECT_EQ(modules, 41);
  // Everything is where XLA puts it in all but these.
  EXPECT_THAT(different,
              ::testing::ElementsAre(
                  // The heap of temporaries is 640 bytes smaller.
                  "jit_train_step: 51 of 52",
                  // Of TPU, whose compiler has temporaries of its own.
                  "jit__psum: 2 of 3", "jit_broadcast_in_dim: 3 of 4",
                  "jit_f: 4 of 7", "jit_convert_element_type: 3 of 4"));
}

}  // namespace
}  // namespace tessera
