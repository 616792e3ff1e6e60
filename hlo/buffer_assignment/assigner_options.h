// The rules by which a backend of XLA assigns the buffers of a module.

#ifndef TESSERA_HLO_BUFFER_ASSIGNMENT_ASSIGNER_OPTIONS_H_
#define TESSERA_HLO_BUFFER_ASSIGNMENT_ASSIGNER_OPTIONS_H_

#include "tessera/hlo/buffer_assignment/buffer_assigner.h"
#include "tessera/hlo/dataflow/program_values.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/hlo/hlo_target.h"
#include "tessera/hlo/tpu_generation.h"

namespace tessera {
namespace hlo_internal {

struct AssignerOptions {
  ValueRules values;
  AssignmentRules buffers;  // not used on TPU
};

// `generation` is used only on TPU.
AssignerOptions AssignerOptionsOf(HloTarget target, TpuGeneration generation,
                                  HloModule module);

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_BUFFER_ASSIGNMENT_ASSIGNER_OPTIONS_H_
