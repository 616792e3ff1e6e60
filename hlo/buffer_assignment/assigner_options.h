// The rules by which a backend of XLA assigns the buffers of a module.

#ifndef TESSERA_HLO_BUFFER_ASSIGNMENT_ASSIGNER_OPTIONS_H_
#define TESSERA_HLO_BUFFER_ASSIGNMENT_ASSIGNER_OPTIONS_H_

#include "tessera/hlo/buffer_assignment/buffer_assigner.h"
#include "tessera/hlo/dataflow/program_values.h"
#include "tessera/hlo/dataflow/work_check.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/hlo/hlo_target.h"
#include "tessera/hlo/tpu_generation.h"

namespace tessera {
namespace hlo_internal {

struct AssignerOptions {
  ValueRules values;
  // Whether AssignTpuBuffers is used instead of BufferAssigner.
  bool is_tpu = false;
  BufferAssigner::Options buffers;
};

// `generation` is used only on TPU.
AssignerOptions AssignerOptionsOf(HloTarget target, TpuGeneration generation,
                                  HloModule module);

// Returns the allocations by these rules. Some are missing if `check` ends the
// work. `program` need not outlive the call.
AssignedBuffers AssignBuffers(const ProgramValues& program,
                              const AssignerOptions& options, WorkCheck* check);

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_BUFFER_ASSIGNMENT_ASSIGNER_OPTIONS_H_
