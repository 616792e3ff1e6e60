#include "tessera/hlo/memory/memory_options.h"

#include <optional>
#include <string_view>

namespace tessera {

bool SetTarget(std::string_view name, MemoryOptions* options) {
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
