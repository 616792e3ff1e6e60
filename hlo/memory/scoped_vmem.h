// File: hlo/memory/scoped_vmem.h
//
// How much VMEM does each instruction of a TPU program set aside for itself,
// and how much of it does it use?
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
// Scoped memory holds the windows through which a fusion or a kernel reads and
// writes, their second buffers, and scratch. It is not among the arrays of VMEM
// that a schedule places, and has a limit of its own for one instruction:
// TpuMemoryOf() (hlo/tpu_generation.h) has that of the generation, and
// ScopedVmemLimitOfOptions() the compiler's. XLA fails with E1001 where an
// instruction needs more. Operands and results that lie in VMEM are not scoped.
//
// Where a kernel has a limit of its own, the compiler places scoped memory
// among the arrays: every instruction but those that move arrays reserves the
// larger of both limits, though it may use nothing. All of it was found in
// dumps of libtpu 0.0.52.

#ifndef TESSERA_HLO_MEMORY_SCOPED_VMEM_H_
#define TESSERA_HLO_MEMORY_SCOPED_VMEM_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "tessera/hlo/hlo_module.h"

namespace tessera {

// By the name of an instruction, the bytes of VMEM that it uses as scoped
// memory; those that use none are left out.
using ScopedVmemUse = absl::flat_hash_map<std::string, int64_t>;

// Returns what the text of a module says of all its instructions, in linear
// time. Only the dump behind code generation says it.
ScopedVmemUse FindScopedVmemUse(HloModule module);

struct ScopedVmem {
  struct Instruction {
    HloInstruction instruction;
    // 0 for none, in bytes.
    int64_t used_bytes = 0;
    int64_t reserved_bytes = 0;
  };

  // Whether it is known what instructions use. Where no instruction of a text
  // uses any, the text is taken for one before code generation.
  bool is_known = false;
  // Those that use or reserve some: by falling `used_bytes`, then by falling
  // `reserved_bytes`, then in the order of the text.
  std::vector<Instruction> instructions;
  // The most that one reserves; 0 where nothing is reserved.
  int64_t reserved_bytes = 0;
};

// Returns the same with what is reserved. `after_codegen` is what the dump of
// the same module behind code generation says; null where there is none, and
// then the module's own text counts. Takes time n log n.
ScopedVmem FindScopedVmem(HloModule module,
                          const ScopedVmemUse* after_codegen = nullptr);

}  // namespace tessera

#endif  // TESSERA_HLO_MEMORY_SCOPED_VMEM_H_
