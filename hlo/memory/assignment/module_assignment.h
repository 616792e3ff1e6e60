// File: hlo/memory/assignment/module_assignment.h
//
// Which allocations does XLA make for a scheduled module?
//
//   TESSERA_ASSIGN_OR_RETURN(
//       const std::unique_ptr<ModuleAssignment> assignment,
//       AssignModule(dump, module, {}, HloTarget::kGpu));
//   assignment->buffers.allocations[0].bytes;

#ifndef TESSERA_HLO_MEMORY_ASSIGNMENT_MODULE_ASSIGNMENT_H_
#define TESSERA_HLO_MEMORY_ASSIGNMENT_MODULE_ASSIGNMENT_H_

#include <memory>

#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/hlo/hlo_target.h"
#include "tessera/hlo/memory/array_table.h"
#include "tessera/hlo/memory/assignment/buffer_assigner.h"
#include "tessera/hlo/memory/assignment/program_values.h"
#include "tessera/hlo/memory/hlo_schedule.h"

namespace tessera {
namespace hlo_internal {

// Stays where it is: the program leads into the table.
struct ModuleAssignment {
  explicit ModuleAssignment(const HloShapeTable* shapes) : arrays(shapes) {}
  ModuleAssignment(const ModuleAssignment&) = delete;
  ModuleAssignment& operator=(const ModuleAssignment&) = delete;

  ArrayTable arrays;
  ProgramValues program;
  BufferAssigner::Options rules;
  AssignedBuffers buffers;
};

// The module is one of `dump`, which must outlive the result; without a
// `target` it is guessed.
//
// Errors: those of ComputeReservedMemory (hlo/memory/reserved_memory.h).
absl::StatusOr<std::unique_ptr<ModuleAssignment>> AssignModule(
    const HloDump& dump, HloModule module, const ScheduleOptions& schedule,
    absl::optional<HloTarget> target);

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_MEMORY_ASSIGNMENT_MODULE_ASSIGNMENT_H_
