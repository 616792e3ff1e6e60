#include "tessera/hlo/buffer_assignment/assigner_options.h"

#include <cstdint>
#include <string_view>

#include "tessera/base/text/absl_view.h"

namespace tessera {
namespace hlo_internal {
namespace {

// Whether the module is from a version of XLA that aligns temporaries to 256
// bytes. Such versions write "device_type" into the backend configs of the
// instructions that call fusions, and the scheduler's name of an instruction
// into its metadata.
bool HasWideAlignment(HloModule module) {
  int64_t instructions_left = 5000;
  for (const HloComputation computation : module.computations()) {
    for (const HloInstruction instruction : computation.instructions()) {
      if (instructions_left-- == 0) return false;
      const std::string_view attributes = instruction.attributes_text();
      if (StrContains(attributes, "\"device_type\":") ||
          StrContains(attributes, "scheduling_name=")) {
        return true;
      }
    }
  }
  return false;
}

bool SaysAliases(HloModule module) {
  for (const HloComputation computation : module.computations()) {
    for (const HloInstruction instruction : computation.instructions()) {
      if (StrContains(instruction.attributes_text(),
                      "\"aliasing_operands\":")) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace

AssignerOptions AssignerOptionsOf(HloTarget target, TpuGeneration generation,
                                  HloModule module) {
  AssignerOptions options;
  if (target == HloTarget::kGpu) {
    options.buffers.sharing = BufferSharing::Rules::kGpu;
    // kXlaAllocatedBufferAlignBytes, in such versions and in older ones.
    options.buffers.alignment = HasWideAlignment(module) ? 256 : 128;
  }
  if (target == HloTarget::kTpu) {
    options.values.is_tpu = true;
    options.values.is_in_place_by_opcode = !SaysAliases(module);
    options.values.pointer_bytes = 4;
    options.values.table_alignment = TpuMemoryOf(generation).table_alignment;
    options.values.untiled_elements = 1024;
  }
  return options;
}

}  // namespace hlo_internal
}  // namespace tessera
