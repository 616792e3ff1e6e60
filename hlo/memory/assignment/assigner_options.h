// File: hlo/memory/assignment/assigner_options.h
//
// By which rules does a backend of XLA assign the buffers of a module?
//
//   BufferAssigner::Options options =
//       AssignerOptionsOf(HloTarget::kGpu, module);

#ifndef TESSERA_HLO_MEMORY_ASSIGNMENT_ASSIGNER_OPTIONS_H_
#define TESSERA_HLO_MEMORY_ASSIGNMENT_ASSIGNER_OPTIONS_H_

#include "tessera/hlo/hlo_module.h"
#include "tessera/hlo/hlo_target.h"
#include "tessera/hlo/memory/assignment/buffer_assigner.h"

namespace tessera {
namespace hlo_internal {

BufferAssigner::Options AssignerOptionsOf(HloTarget target, HloModule module);

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_MEMORY_ASSIGNMENT_ASSIGNER_OPTIONS_H_
