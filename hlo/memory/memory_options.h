// The options of questions about the memory of a module.
//
//   MemoryOptions options;
//   SetTarget("v5e", &options);        // true
//   options.target == HloTarget::kTpu;                // true
//   options.generation == TpuGeneration::kV5e;        // true
//   SetTarget("tpu", &options);        // true: the generation is not known
//   SetTarget("v1", &options);         // false

#ifndef TESSERA_HLO_MEMORY_MEMORY_OPTIONS_H_
#define TESSERA_HLO_MEMORY_MEMORY_OPTIONS_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "absl/status/status.h"
#include "tessera/hlo/buffer_assignment/hlo_file.h"
#include "tessera/hlo/hlo_target.h"
#include "tessera/hlo/memory/hlo_schedule.h"
#include "tessera/hlo/tpu_generation.h"

namespace tessera {

struct MemoryOptions {
  ScheduleOptions schedule;
  // The target whose rules decide which buffers share memory; nullopt for
  // GuessTarget().
  std::optional<HloTarget> target;
  // The generation of a TPU; kUnknown for GuessTpuGeneration().
  TpuGeneration generation = TpuGeneration::kUnknown;
  // The most bytes of scoped VMEM that an instruction of a TPU may use; 0 for
  // that of the compiler's options, or else of the generation.
  int64_t scoped_vmem_limit = 0;
  // If set, an analysis calls this now and then, and ends with its first error.
  // For example, the deadline has passed, or nobody waits for the answer.
  std::function<absl::Status()> go_on;

  // Returns these options, with the generation of the files next to the dump
  // if this has none.
  MemoryOptions For(const HloAssignments& beside) const {
    MemoryOptions options = *this;
    if (generation == TpuGeneration::kUnknown) {
      options.generation = beside.tpu_generation;
    }
    return options;
  }
};

// The names that SetTarget() accepts, for an error message.
constexpr std::string_view kTargetNames =
    "tpu, v4, v5e, v5p, v6e, v7x, gpu, cpu or none";

// Sets the target and, if the name is that of a TPU generation, the generation.
// Returns whether the name is known; if not, nothing is set.
inline bool SetTarget(std::string_view name, MemoryOptions* options) {
  const TpuGeneration generation = TpuGenerationOfName(name);
  const std::optional<HloTarget> target = generation != TpuGeneration::kUnknown
                                              ? HloTarget::kTpu
                                              : HloTargetOfName(name);
  if (!target.has_value()) return false;
  options->target = target;
  options->generation = generation;
  return true;
}

}  // namespace tessera

#endif  // TESSERA_HLO_MEMORY_MEMORY_OPTIONS_H_
