#include "tessera/hlo/buffer_assignment/assignment_proto.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/hlo/buffer_assignment/assigned_memory.h"
#include "tessera/hlo/buffer_assignment/occupancy.h"
#include "tessera/hlo/parse_hlo.h"
#include "tests/hlo/made_proto.h"
#include "tests/hlo/proto_files.h"

namespace tessera {
namespace {

using ::testing::ElementsAre;
using Kind = BufferAssignment::Kind;
using KindBytes = std::map<std::string, int64_t>;

// As totals.tsv has them: kinds without an allocation are left out.
std::map<int64_t, KindBytes> AllocatedBytes(
    const BufferAssignment& assignment) {
  std::map<int64_t, KindBytes> bytes;
  for (const auto& [memory_space, space] : FindAssignedMemory(assignment)) {
    KindBytes& by_kind = bytes[memory_space];
    by_kind["param"] = space.parameter_bytes;
    by_kind["const"] = space.constant_bytes;
    by_kind["out"] = space.output_bytes;
    by_kind["temp"] = space.temporary_bytes;
    by_kind["thread"] = space.thread_local_bytes;
  }
  return bytes;
}

// The kinds that totals.tsv leaves out have no bytes.
std::map<int64_t, KindBytes> WithAllKinds(std::map<int64_t, KindBytes> bytes) {
  for (auto& [memory_space, by_kind] : bytes) {
    for (const char* kind : {"param", "const", "out", "temp", "thread"}) {
      by_kind.emplace(kind, 0);
    }
  }
  return bytes;
}

TEST(AssignmentProto, GivesWhatXlaAllocated) {
  int64_t modules = 0;
  for (const ProtoFile& file : ReadProtoFiles()) {
    const absl::StatusOr<HloDump> dump = ParseHloProto(file.bytes);
    ASSERT_TRUE(dump.ok()) << file.name;
    const std::vector<std::optional<BufferAssignment>> assignments =
        ReadProtoAssignments(file.bytes);
    ASSERT_EQ(static_cast<int64_t>(assignments.size()), dump->modules().size())
        << file.name;
    std::vector<ProtoModule> found;
    std::vector<ProtoModule> expected = file.modules;
    for (size_t i = 0; i < assignments.size(); ++i) {
      if (!assignments[i].has_value()) continue;
      EXPECT_EQ(assignments[i]->problem_count, 0)
          << file.name << ": " << assignments[i]->problems[0].message;
      const HloModule module = dump->modules()[i];
      ProtoModule row;
      row.name = std::string(module.name());
      for (const HloComputation computation : module.computations()) {
        row.instructions += computation.instructions().size();
      }
      row.allocated_bytes = AllocatedBytes(*assignments[i]);
      for (const auto& [number, space] : FindAssignedMemory(*assignments[i])) {
        row.reserved_bytes += space.assigned_bytes;
      }
      found.push_back(row);
    }
    std::sort(found.begin(), found.end());
    ASSERT_EQ(found.size(), expected.size()) << file.name;
    for (size_t i = 0; i < found.size(); ++i) {
      EXPECT_EQ(found[i].name, expected[i].name);
      EXPECT_EQ(found[i].reserved_bytes, expected[i].reserved_bytes)
          << found[i].name;
      EXPECT_EQ(found[i].allocated_bytes,
                WithAllKinds(expected[i].allocated_bytes))
          << file.name << " " << found[i].name;
      ++modules;
    }
  }
  EXPECT_EQ(modules, 41);
}

TEST(AssignmentProto, NamesAreThoseOfTheModule) {
  for (const ProtoFile& file : ReadProtoFiles()) {
    const absl::StatusOr<HloDump> dump = ParseHloProto(file.bytes);
    const std::vector<std::optional<BufferAssignment>> assignments =
        ReadProtoAssignments(file.bytes);
    for (size_t i = 0; i < assignments.size(); ++i) {
      if (!assignments[i].has_value()) continue;
      std::vector<std::string_view> names;
      for (const HloComputation computation :
           dump->modules()[i].computations()) {
        for (const HloInstruction instruction : computation.instructions()) {
          names.push_back(instruction.name());
        }
      }
      std::sort(names.begin(), names.end());
      for (const BufferAssignment::Value& value : assignments[i]->values) {
        EXPECT_TRUE(
            std::binary_search(names.begin(), names.end(), value.instruction))
            << file.name << " " << value.instruction;
      }
    }
  }
}

// A proto's wire format by hand: the messages of an assignment are in no
// .proto of the project.
std::string Integer(int number, uint64_t value) {
  std::string field;
  for (uint64_t rest : {static_cast<uint64_t>(number) << 3, value}) {
    for (; rest >= 0x80; rest >>= 7) {
      field.push_back(static_cast<char>(rest | 0x80));
    }
    field.push_back(static_cast<char>(rest));
  }
  return field;
}

std::string Buffer(int64_t id, int64_t bytes, int64_t instruction) {
  return MadeField(1, Integer(1, id) + Integer(2, bytes) +
                          MadeField(3, Integer(4, instruction)));
}

std::string Assigned(int64_t id, int64_t offset, int64_t bytes) {
  return MadeField(9, Integer(1, id) + Integer(2, offset) + Integer(3, bytes));
}

std::string Allocation(int64_t index, int64_t bytes, const std::string& rest) {
  return MadeField(3, Integer(1, index) + Integer(2, bytes) + rest);
}

std::string Event(int64_t kind, int64_t id, std::string_view instruction) {
  return MadeField(1, (kind == 0 ? "" : Integer(1, kind)) + Integer(2, id) +
                          MadeField(4, instruction));
}

// A proto of the instructions x, y and z with the ids 1, 2 and 3.
std::string WithAssignment(const std::string& assignment) {
  return MadeHloProto(
             {MadeComputation("main", 9, 3,
                              {Parameter("x", 1, 0), Op("y", "negate", 2, {1}),
                               Op("z", "negate", 3, {2})})}) +
         MadeField(3, assignment);
}

BufferAssignment Read(const std::string& bytes) {
  std::vector<std::optional<BufferAssignment>> assignments =
      ReadProtoAssignments(bytes);
  EXPECT_EQ(assignments.size(), 1);
  return assignments.empty() || !assignments[0].has_value() ? BufferAssignment()
                                                            : *assignments[0];
}

TEST(AssignmentProto, AllocationsValuesAndLiveRanges) {
  const std::string bytes = WithAssignment(
      Buffer(7, 8, 1) + Buffer(8, 100, 2) + Buffer(9, 40, 3) +
      MadeField(2, Integer(1, 7) + MadeField(2, Integer(4, 2))) +
      MadeField(2, Integer(1, 8) +
                       MadeField(2, Integer(4, 3) + MadeField(3, "\1\2"))) +
      Allocation(0, 8, Integer(5, 1) + Integer(6, 3) + Assigned(7, 0, 8)) +
      Allocation(1, 256,
                 Integer(8, 5) + Assigned(8, 0, 100) + Assigned(9, 128, 40)) +
      Allocation(2, 24, Integer(3, 1)) +
      MadeField(4, Event(0, 8, "y") + Event(0, 9, "z") + Event(1, 8, "y")));
  const BufferAssignment assignment = Read(bytes);
  EXPECT_EQ(assignment.problem_count, 0);
  ASSERT_EQ(assignment.allocations.size(), 3);
  EXPECT_EQ(assignment.allocations[0].kind, Kind::kParameter);
  EXPECT_EQ(assignment.allocations[0].parameter_number, 3);
  EXPECT_EQ(assignment.allocations[1].kind, Kind::kTemporary);
  EXPECT_EQ(assignment.allocations[1].memory_space, 5);
  EXPECT_EQ(assignment.allocations[2].kind, Kind::kThreadLocal);
  EXPECT_EQ(assignment.TenantsOf(1)[1].offset, 128);
  const BufferAssignment::Value& x = assignment.values[0];
  ASSERT_EQ(x.position_count, 1);
  EXPECT_EQ(assignment.positions[x.first_position].instruction, "y");
  const BufferAssignment::Value& y = assignment.values[1];
  EXPECT_EQ(y.instruction, "y");
  EXPECT_EQ(y.first, 0);
  EXPECT_EQ(y.last, 2);
  ASSERT_EQ(y.position_count, 1);
  EXPECT_EQ(assignment.positions[y.first_position].instruction, "z");
  EXPECT_EQ(assignment.positions[y.first_position].shape_index,
            (ShapeIndex{1, 2}));
  EXPECT_EQ(assignment.values[2].last, 2);  // never freed
  EXPECT_THAT(assignment.steps, ElementsAre("y", "z", "y"));

  const std::map<int64_t, AssignedSpace> spaces =
      FindAssignedMemory(assignment);
  EXPECT_EQ(spaces.at(0).assigned_bytes, 8);
  EXPECT_EQ(spaces.at(0).thread_local_bytes, 24);
  EXPECT_EQ(spaces.at(5).temporary_bytes, 256);
  EXPECT_EQ(spaces.at(5).fragmentation_bytes(), 256 - 140);
}

TEST(AssignmentProto, TellsWhatIsWrongAndReadsTheRest) {
  struct Case {
    std::string assignment;
    std::string message;
  };
  const std::string good =
      Buffer(7, 8, 1) + Allocation(0, 8, Assigned(7, 0, 8));
  const Case kCases[] = {
      {good + Buffer(8, 8, 4), "no instruction has the id 4"},
      {good + Buffer(7, 8, 2), "two buffers have the id 7"},
      {good + Buffer(8, -1, 2),
       "the size of buffer 8 is -1, which is negative"},
      {good + Allocation(1, -8, ""),
       "the size of allocation 1 is -8, which is negative"},
      {good + Allocation(1, 8, Assigned(8, 0, 8)), "no buffer has the id 8"},
      {good + Allocation(1, 8, Assigned(7, 4, 8)),
       "buffer 7 of 8 bytes at offset 4 does not lie within allocation 1 of 8 "
       "bytes"},
      {good + Allocation(1, 8, Assigned(7, -4, 8)),
       "buffer 7 of 8 bytes at offset -4 does not lie within allocation 1 of 8 "
       "bytes"},
      {good + Allocation(1, 8, Assigned(7, 0, -8)),
       "the size of buffer 7 is -8, which is negative"},
      {good + MadeField(4, Event(1, 7, "x")),
       "buffer 7 is freed before it is allocated"},
      {good + MadeField(4, Event(3, 7, "x")), "unknown kind of event: 3"},
      {good + MadeField(4, Event(0, 8, "x")), "no buffer has the id 8"},
  };
  for (const Case& c : kCases) {
    const std::string bytes = WithAssignment(c.assignment);
    const BufferAssignment assignment = Read(bytes);
    ASSERT_EQ(assignment.problem_count, 1) << c.message;
    EXPECT_EQ(assignment.problems[0].message, c.message);
    EXPECT_EQ(assignment.problems[0].line, 0);
    EXPECT_GE(assignment.problems[0].offset,
              static_cast<int64_t>(bytes.size() - c.assignment.size()));
    ASSERT_GE(assignment.allocations.size(), 1);
    EXPECT_EQ(assignment.allocations[0].bytes, 8);
    EXPECT_EQ(assignment.TenantsOf(0).size(), 1);
  }
}

// XLA does it for what the branches of a conditional use.
TEST(AssignmentProto, ABufferIsThereInTheUnionOfItsIntervals) {
  struct Case {
    // Of each event: 'a' allocates buffer 7, 's' shares it, 'f' frees it; '-'
    // is an event of another buffer, '|' begins another trace.
    std::string events;
    std::vector<std::pair<int64_t, int64_t>> intervals;
  };
  const Case kCases[] = {
      {"a-f", {{0, 2}}},
      {"a-f--a-f", {{0, 2}, {5, 7}}},
      {"a-f-s-f-a-f", {{0, 2}, {4, 6}, {8, 10}}},
      // Between two events nothing happens.
      {"a-fa-f", {{0, 5}}},
      // While it is there.
      {"a-a-f-f-", {{0, 6}}},
      {"a-s-f-", {{0, 5}}},
      // More often freed than allocated.
      {"af-a-f-f--", {{0, 1}, {3, 7}}},
      // As in truth/v5e/branches: the last interval has no length, and XLA
      // writes its end before its beginning.
      {"afa-f--f-a------", {{0, 7}, {9, 9}}},
      // Never freed.
      {"a-f--a--", {{0, 2}, {5, 7}}},
      {"a-|--a-f", {{0, 1}, {4, 6}}},
  };
  for (const Case& c : kCases) {
    std::string traces;
    std::string trace;
    for (const char event : c.events) {
      if (event == '|') {
        traces += MadeField(4, trace);
        trace.clear();
        continue;
      }
      trace += event == '-'   ? Event(0, 8, "y")
               : event == 'a' ? Event(0, 7, "x")
               : event == 's' ? Event(2, 7, "x")
                              : Event(1, 7, "x");
    }
    traces += MadeField(4, trace);
    const std::string bytes =
        WithAssignment(Buffer(7, 8, 1) + Buffer(8, 16, 2) +
                       Allocation(0, 8, Assigned(7, 0, 8)) +
                       Allocation(1, 16, Assigned(8, 0, 16)) + traces);
    const BufferAssignment assignment = Read(bytes);
    EXPECT_EQ(assignment.problem_count, 0) << c.events;
    const BufferAssignment::Value& value = assignment.values[0];
    std::vector<std::pair<int64_t, int64_t>> intervals;
    for (const auto& [first, last] : assignment.IntervalsOf(value)) {
      intervals.emplace_back(first, last);
    }
    EXPECT_EQ(intervals, c.intervals) << c.events;
    EXPECT_EQ(value.first, c.intervals.front().first);
    EXPECT_EQ(value.last, c.intervals.back().second);
    // Its bytes are in use then, and free in between.
    std::vector<int64_t> used(assignment.steps.size() + 1);
    const Occupancy occupancy = FindOccupancy(assignment, 0);
    for (const Occupancy::Used& change : occupancy.used) {
      std::fill(used.begin() + change.step, used.end(), change.bytes);
    }
    for (size_t step = 0; step < assignment.steps.size(); ++step) {
      bool is_there = false;
      for (const auto& [first, last] : c.intervals) {
        is_there |= first <= static_cast<int64_t>(step) &&
                    static_cast<int64_t>(step) <= last;
      }
      EXPECT_EQ(used[step], is_there ? 8 : 0) << c.events << " " << step;
      EXPECT_EQ(FindHoles(assignment, 0, step).empty(), is_there);
    }
  }
}

TEST(AssignmentProto, ASumThatIsNotThatOfXla) {
  const std::string good =
      Buffer(7, 8, 1) + Allocation(0, 8, Assigned(7, 0, 8));
  EXPECT_TRUE(Read(WithAssignment(good)).has_all_allocations);
  // What is no allocation changes no sum.
  EXPECT_TRUE(Read(WithAssignment(good + MadeField(4, Event(3, 7, "x"))))
                  .has_all_allocations);
  EXPECT_FALSE(
      Read(WithAssignment(good + Allocation(1, -8, ""))).has_all_allocations);
  EXPECT_FALSE(
      Read(WithAssignment(good + MadeField(3, "\x12"))).has_all_allocations);
  EXPECT_FALSE(Read(WithAssignment(good + "\x1a")).has_all_allocations);
}

TEST(AssignmentProto, OfEveryBeginningOfAFile) {
  const std::string bytes = WithAssignment(
      Buffer(7, 8, 1) + Buffer(8, 100, 2) +
      Allocation(0, 108, Assigned(7, 0, 8) + Assigned(8, 8, 100)) +
      MadeField(4, Event(0, 7, "x") + Event(0, 8, "y")));
  // Where the file itself breaks off, its modules' reader says so.
  for (size_t size = 1; size < bytes.size(); ++size) {
    // A module without an assignment is whole.
    if (size == WithAssignment("").size() - MadeField(3, "").size()) continue;
    const std::string cut = bytes.substr(0, size);
    const absl::StatusOr<HloDump> dump = ParseHloProto(cut);
    ASSERT_TRUE(dump.ok());
    int64_t problems = dump->diagnostic_count();
    for (const std::optional<BufferAssignment>& assignment :
         ReadProtoAssignments(cut)) {
      if (assignment.has_value()) problems += assignment->problem_count;
    }
    EXPECT_GT(problems, 0) << size;
  }
}

// A bitmap of the allocation, one step after the other.
int64_t MostUsedByHand(const BufferAssignment& assignment) {
  int64_t most = 0;
  for (int64_t step = 0; step < 20; ++step) {
    std::vector<bool> is_used(assignment.allocations[0].bytes);
    for (const BufferAssignment::Tenant& tenant : assignment.TenantsOf(0)) {
      const BufferAssignment::Value& value = assignment.values[tenant.value];
      if (value.first >= 0 && (step < value.first || step > value.last)) {
        continue;
      }
      std::fill_n(is_used.begin() + tenant.offset, tenant.bytes, true);
    }
    const int64_t used = std::count(is_used.begin(), is_used.end(), true);
    EXPECT_EQ(used, [&] {
      int64_t holes = 0;
      for (const Hole& hole : FindHoles(assignment, 0, step)) {
        holes += hole.bytes;
      }
      return assignment.allocations[0].bytes - holes;
    }());
    most = std::max(most, used);
  }
  return most;
}

TEST(Occupancy, IsThatOfABitmap) {
  uint64_t random = 1;
  const auto below = [&random](int64_t limit) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    return static_cast<int64_t>((random >> 33) % limit);
  };
  for (int round = 0; round < 500; ++round) {
    BufferAssignment assignment;
    BufferAssignment::Allocation allocation;
    allocation.bytes = 1 + below(60);
    allocation.tenant_count = below(12);
    assignment.allocations.push_back(allocation);
    for (int64_t i = 0; i < allocation.tenant_count; ++i) {
      BufferAssignment::Tenant tenant;
      tenant.value = i;
      tenant.offset = below(allocation.bytes);
      tenant.bytes = below(allocation.bytes - tenant.offset + 1);
      assignment.tenants.push_back(tenant);
      BufferAssignment::Value value;
      if (below(5) > 0) {
        value.first = below(20);
        value.last = value.first + below(20 - value.first);
      }
      assignment.values.push_back(value);
    }
    const Occupancy occupancy = FindOccupancy(assignment, 0);
    EXPECT_EQ(occupancy.most_used_bytes, MostUsedByHand(assignment)) << round;
  }
}

}  // namespace
}  // namespace tessera
