#include "tessera/hlo/memory/reserved_memory.h"

#include <cstdint>
#include <limits>
#include <map>

#include "absl/numeric/int128.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/hlo/hlo_target.h"
#include "tessera/hlo/memory/array_table.h"
#include "tessera/hlo/memory/assignment/assigner_options.h"
#include "tessera/hlo/memory/assignment/buffer_assigner.h"
#include "tessera/hlo/memory/assignment/program_values.h"
#include "tessera/hlo/memory/hlo_schedule.h"
#include "tessera/math/status_macros.h"

namespace tessera {
namespace {

using hlo_internal::AssignedBuffers;
using hlo_internal::BufferAssigner;
using hlo_internal::ProgramValues;

// All sums and offsets stay below 2^62.
absl::Status CheckSizes(const ProgramValues& program) {
  constexpr int64_t kMostBytes = int64_t{1} << 61;
  absl::uint128 sum = 0;
  for (const ProgramValues::Value& value : program.values) sum += value.bytes;
  if (sum < absl::uint128(kMostBytes)) return absl::OkStatus();
  return absl::ResourceExhaustedError(
      "the values of the program take 2^61 bytes or more");
}

void AddFixed(const AssignedBuffers::Allocation& allocation,
              SpaceReservation* space) {
  switch (allocation.kind) {
    case AssignedBuffers::Kind::kParameter:
      space->parameter_bytes += allocation.bytes;
      break;
    case AssignedBuffers::Kind::kConstant:
      space->constant_bytes += allocation.bytes;
      break;
    case AssignedBuffers::Kind::kOutput:
      space->output_bytes += allocation.bytes;
      break;
    case AssignedBuffers::Kind::kTuple:
      // Those of temporaries are a part of the heap.
      if (allocation.lives_out) space->output_bytes += allocation.bytes;
      break;
    case AssignedBuffers::Kind::kHeap:
      break;
  }
}

std::map<int64_t, SpaceReservation> BySpace(const AssignedBuffers& buffers) {
  std::map<int64_t, SpaceReservation> by_space;
  for (const AssignedBuffers::Allocation& allocation : buffers.allocations) {
    AddFixed(allocation, &by_space[allocation.memory_space]);
  }
  for (const auto& [memory_space, heap] : buffers.temporaries) {
    SpaceReservation& space = by_space[memory_space];
    space.temporary_bytes = heap.bytes;
    space.temporary_peak_bytes = heap.peak_bytes;
    space.is_without_fragmentation = heap.is_not_packed;
  }
  return by_space;
}

bool HasPadding(const ArrayTable& arrays) {
  for (int64_t i = 0; i < arrays.array_count(); ++i) {
    const ArrayTable::Array& array = arrays.array(i);
    if (array.sizes.has_value() &&
        array.sizes->padded_bytes != array.sizes->unpadded_bytes) {
      return true;
    }
  }
  return false;
}

// A program has at most so many values as its instructions have parts.
absl::Status CheckCount(HloModule module, ArrayTable* arrays) {
  int64_t parts = 0;
  for (const HloComputation computation : module.computations()) {
    for (const HloInstruction instruction : computation.instructions()) {
      parts += instruction.has_shape()
                   ? arrays->parts(instruction.shape_index()).size()
                   : 1;
    }
  }
  if (parts < std::numeric_limits<int32_t>::max() / 2) return absl::OkStatus();
  return absl::ResourceExhaustedError(
      "the instructions of the module have 2^30 results or more");
}

}  // namespace

absl::StatusOr<ReservedMemory> ComputeReservedMemory(
    const HloDump& dump, HloModule module,
    const ReservedMemoryOptions& options) {
  TESSERA_ASSIGN_OR_RETURN(const HloComputation entry,
                           FindSchedule(dump, module, options.schedule));
  ArrayTable arrays(&dump.shapes());
  TESSERA_RETURN_IF_ERROR(CheckCount(module, &arrays));
  const HloTarget target =
      options.target.has_value() ? *options.target : GuessTarget(module);
  const BufferAssigner::Options rules =
      hlo_internal::AssignerOptionsOf(target, module);

  ProgramValues program =
      hlo_internal::FindProgramValues(module, entry, &arrays);
  TESSERA_RETURN_IF_ERROR(CheckSizes(program));
  ReservedMemory reserved{BySpace(BufferAssigner(&program, rules).Assign())};
  for (const auto& [memory_space, bytes] : program.thread_local_bytes) {
    reserved.by_memory_space[memory_space].thread_local_bytes = bytes;
  }
  if (!HasPadding(arrays)) {
    for (auto& [memory_space, space] : reserved.by_memory_space) {
      space.reserved_unpadded_bytes = space.reserved_bytes();
    }
    return reserved;
  }
  hlo_internal::RemovePadding(&program);
  for (const auto& [memory_space, space] :
       BySpace(BufferAssigner(&program, rules).Assign())) {
    reserved.by_memory_space[memory_space].reserved_unpadded_bytes =
        space.reserved_bytes();
  }
  return reserved;
}

}  // namespace tessera
