#include "tessera/hlo/memory/assignment/backend_guess.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/hlo/memory/assignment/buffer_assigner.h"

namespace tessera {
namespace hlo_internal {
namespace {

constexpr absl::string_view kGpuAttributes[] = {
    "\"operation_queue_id\"",
    "\"fusion_backend_config\"",
    "\"gemm_backend_config\"",
    "\"force_earliest_schedule\"",
    "__cublas$",
    "__cudnn$",
    "__triton",
    "kind=kCustom",
};

// GPU names a fusion after the emitter that it chooses.
constexpr absl::string_view kGpuNames[] = {
    "wrapped_",
    "loop_",
    "input_reduce_",
    "input_transpose_",
};

bool IsOfGpu(HloInstruction instruction) {
  const absl::string_view opcode = instruction.opcode();
  if (opcode == "fusion" &&
      std::any_of(std::begin(kGpuNames), std::end(kGpuNames),
                  [&](absl::string_view name) {
                    return absl::StartsWith(instruction.name(), name);
                  })) {
    return true;
  }
  const absl::string_view attributes = instruction.attributes_text();
  return std::any_of(std::begin(kGpuAttributes), std::end(kGpuAttributes),
                     [&](absl::string_view attribute) {
                       return absl::StrContains(attributes, attribute);
                     });
}

}  // namespace

BufferAssigner::Options GuessOptions(HloModule module) {
  BufferAssigner::Options options;
  const absl::optional<HloComputation> entry = module.entry_computation();
  if (!entry.has_value()) return options;
  // What calls fusions has the evidence, and nearly all of it does.
  int64_t instructions_left = 5000;
  for (const HloInstruction instruction : entry->instructions()) {
    if (instructions_left-- == 0) break;
    if (options.rules != BufferSharing::Rules::kGpu && IsOfGpu(instruction)) {
      options.rules = BufferSharing::Rules::kGpu;
      // kXlaAllocatedBufferAlignBytes before XLA wrote the key below, and
      // since.
      options.alignment = 128;
    }
    if (options.rules == BufferSharing::Rules::kGpu &&
        absl::StrContains(instruction.attributes_text(), "\"device_type\":")) {
      options.alignment = 256;
      break;
    }
  }
  return options;
}

}  // namespace hlo_internal
}  // namespace tessera
