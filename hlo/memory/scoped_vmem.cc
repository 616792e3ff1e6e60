#include "tessera/hlo/memory/scoped_vmem.h"

#include <algorithm>
#include <utility>

#include "absl/algorithm/container.h"
#include "tessera/hlo/attributes/scoped_memory.h"

namespace tessera {
ScopedVmemUse FindScopedVmemUse(HloModule module) {
  ScopedVmemUse use;
  for (const HloComputation computation : module.computations()) {
    for (const HloInstruction instruction : computation.instructions()) {
      const int64_t bytes =
          VmemBytesOf(UsedScopedMemory(instruction.attributes_text()));
      if (bytes > 0) use.emplace(std::string(instruction.name()), bytes);
    }
  }
  return use;
}

ScopedVmem FindScopedVmem(HloModule module,
                          const ScopedVmemUse* after_codegen) {
  ScopedVmemUse own;
  if (after_codegen == nullptr) own = FindScopedVmemUse(module);
  const ScopedVmemUse& use = after_codegen == nullptr ? own : *after_codegen;
  ScopedVmem scoped;
  scoped.is_known = after_codegen != nullptr || !own.empty();
  for (const HloComputation computation : module.computations()) {
    for (const HloInstruction instruction : computation.instructions()) {
      const auto used = use.find(instruction.name());
      const ScopedVmem::Instruction found = {
          instruction, used == use.end() ? 0 : used->second,
          VmemBytesOf(ReservedScopedMemory(instruction.attributes_text()))};
      if (found.used_bytes == 0 && found.reserved_bytes == 0) continue;
      scoped.instructions.push_back(found);
      scoped.reserved_bytes =
          std::max(scoped.reserved_bytes, found.reserved_bytes);
    }
  }
  absl::c_stable_sort(scoped.instructions, [](const auto& a, const auto& b) {
    return std::make_pair(a.used_bytes, a.reserved_bytes) >
           std::make_pair(b.used_bytes, b.reserved_bytes);
  });
  return scoped;
}

}  // namespace tessera
