// The VMEM that each instruction of a TPU program reserves for itself, and the
// part that it uses.
//
//   #include "tessera/hlo/parse_hlo.h"
//
//   absl::StatusOr<HloDump> dump = ParseHlo(R"(
//       HloModule m
//       ENTRY e {
//         x = f32[8]{0} parameter(0)
//         ROOT y = f32[8]{0} custom-call(x), custom_call_target="kernel",
//             backend_config={"scoped_memory_configs":[{"memory_space":"1",
//             "offset":"0","size":"25165824"}],
//             "used_scoped_memory_configs":[{"memory_space":"1","offset":"0",
//             "size":"6291456"}]}
//       })");
//   ScopedVmem scoped = FindScopedVmem(dump->modules()[0]);
//   scoped.is_known;                            // true
//   scoped.instructions[0].instruction.name();  // "y"
//   scoped.instructions[0].used_bytes;          // 6291456
//   scoped.instructions[0].reserved_bytes;      // 25165824
//   FindScopedVmemUse(dump->modules()[0]).at("y");  // 6291456
//
// Scoped memory holds the windows of a fusion or a kernel on its operands and
// results, their second buffers, and scratch. It is separate from the arrays in
// VMEM that a schedule places, and has its own limit per instruction:
// TpuMemoryOf() (hlo/tpu_generation.h) has that of the generation, and
// ScopedVmemLimitOfOptions() has the compiler's. XLA fails with E1001 if an
// instruction needs more. Operands and results in VMEM are not scoped.
//
// If a kernel has its own limit, the compiler places scoped memory among the
// arrays. Every instruction except those that move arrays then reserves the
// larger of both limits, even if it uses nothing. Dumps of libtpu 0.0.52 show
// this.

#ifndef TESSERA_HLO_MEMORY_SCOPED_VMEM_H_
#define TESSERA_HLO_MEMORY_SCOPED_VMEM_H_

#include <cstdint>
#include <string>
#include <vector>

#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/hlo_module.h"

namespace tessera {

// The bytes of VMEM that each instruction uses as scoped memory, by its name.
// Instructions that use none are omitted.
using ScopedVmemUse = TextMap<std::string, int64_t>;

// Returns the use of all instructions of a module, in linear time. Only the
// dump after code generation has it.
ScopedVmemUse FindScopedVmemUse(HloModule module);

struct ScopedVmem {
  struct Instruction {
    HloInstruction instruction;
    // In bytes; 0 for none.
    int64_t used_bytes = 0;
    int64_t reserved_bytes = 0;
  };

  // Whether the use of instructions is known. A text in which no instruction
  // uses any counts as one before code generation.
  bool is_known = false;
  // The instructions that use or reserve some: by decreasing `used_bytes`, then
  // by decreasing `reserved_bytes`, then in the order of the text.
  std::vector<Instruction> instructions;
  // The largest reservation; 0 without one.
  int64_t reserved_bytes = 0;
};

// Returns the use and the reservations. `after_codegen` is the use from the
// dump of the same module after code generation, or null, in which case the
// module's own text counts. Takes time n log n.
ScopedVmem FindScopedVmem(HloModule module,
                          const ScopedVmemUse* after_codegen = nullptr);

}  // namespace tessera

#endif  // TESSERA_HLO_MEMORY_SCOPED_VMEM_H_
