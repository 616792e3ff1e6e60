#include "tessera/hlo/memory/assignment/module_assignment.h"

#include <cstdint>
#include <limits>
#include <memory>

#include "absl/numeric/int128.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "tessera/hlo/memory/assignment/assigner_options.h"
#include "tessera/math/status_macros.h"

namespace tessera {
namespace hlo_internal {
namespace {

// All sums and offsets stay below 2^62.
absl::Status CheckSizes(const ProgramValues& program) {
  constexpr int64_t kMostBytes = int64_t{1} << 61;
  absl::uint128 sum = 0;
  for (const ProgramValues::Value& value : program.values) sum += value.bytes;
  if (sum < absl::uint128(kMostBytes)) return absl::OkStatus();
  return absl::ResourceExhaustedError(
      "the values of the program take 2^61 bytes or more");
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

absl::StatusOr<std::unique_ptr<ModuleAssignment>> AssignModule(
    const HloDump& dump, HloModule module, const ScheduleOptions& schedule,
    absl::optional<HloTarget> target) {
  TESSERA_ASSIGN_OR_RETURN(const HloComputation entry,
                           FindSchedule(dump, module, schedule));
  auto assignment = std::make_unique<ModuleAssignment>(&dump.shapes());
  TESSERA_RETURN_IF_ERROR(CheckCount(module, &assignment->arrays));
  assignment->rules = AssignerOptionsOf(
      target.has_value() ? *target : GuessTarget(module), module);
  assignment->program = FindProgramValues(module, entry, &assignment->arrays);
  TESSERA_RETURN_IF_ERROR(CheckSizes(assignment->program));
  assignment->buffers =
      BufferAssigner(&assignment->program, assignment->rules).Assign();
  return assignment;
}

}  // namespace hlo_internal
}  // namespace tessera
