#include "tessera/hlo/memory/assignment/assigner_options.h"

#include <cstdint>

#include "absl/strings/match.h"
#include "absl/types/optional.h"

namespace tessera {
namespace hlo_internal {
namespace {

// Whether the module is of a version of XLA that writes the key
// "device_type" into its backend configs.
bool NamesDeviceTypes(HloModule module) {
  const absl::optional<HloComputation> entry = module.entry_computation();
  if (!entry.has_value()) return false;
  // What calls fusions has the key, and nearly all of it does.
  int64_t instructions_left = 5000;
  for (const HloInstruction instruction : entry->instructions()) {
    if (instructions_left-- == 0) break;
    if (absl::StrContains(instruction.attributes_text(), "\"device_type\":")) {
      return true;
    }
  }
  return false;
}

}  // namespace

BufferAssigner::Options AssignerOptionsOf(HloTarget target, HloModule module) {
  BufferAssigner::Options options;
  if (target == HloTarget::kGpu) {
    options.rules = BufferSharing::Rules::kGpu;
    // kXlaAllocatedBufferAlignBytes, since then and before.
    options.alignment = NamesDeviceTypes(module) ? 256 : 128;
  }
  if (target == HloTarget::kTpu) {
    options.rules = BufferSharing::Rules::kTpu;
    options.allocations_are_shared = false;
  }
  return options;
}

}  // namespace hlo_internal
}  // namespace tessera
