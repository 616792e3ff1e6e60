// The TPU generation that a module was compiled for, and its memory.
//
//   TpuGenerationOfArguments("version: TPU_VERSION_GHOSTLITE\n");
//       // TpuGeneration::kV6e
//   TpuGenerationName(TpuGeneration::kV6e);                       // "v6e"
//   TpuMemoryOf(TpuGeneration::kV6e).fast_memory_for_arrays;      // 100597760
//   TpuMemoryOf(TpuGeneration::kV6e).scoped_vmem_limit;           // 33554432
//   ScopedVmemLimitOfOptions("xla_tpu_scoped_vmem_limit_kib: 24576\n");
//       // 25165824
//
// XLA writes the target next to a module, to *.target_arguments.txt. The text
// of a module does not have it: of 48 programs compiled for v5e and for v6e, 31
// have the same text to the byte. Only v4 can be recognized, by its memory
// CMEM. The options of the compiler are also next to it, in *.tpu_comp_env.txt.
// The numbers are those of libtpu 0.0.52.

#ifndef TESSERA_HLO_TPU_GENERATION_H_
#define TESSERA_HLO_TPU_GENERATION_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "tessera/hlo/hlo_module.h"

namespace tessera {

enum class TpuGeneration { kUnknown, kV4, kV5e, kV5p, kV6e, kV7x };

// Returns "v4", "v5e", "v5p", "v6e" or "v7x"; "" for kUnknown.
std::string_view TpuGenerationName(TpuGeneration generation);

// Returns the generation that the text of a *.target_arguments.txt names;
// kUnknown if it names another or does not name one.
TpuGeneration TpuGenerationOfArguments(std::string_view text);

// Returns kV4 for a module with arrays in CMEM; else kUnknown.
TpuGeneration GuessTpuGeneration(HloModule module);

// Returns the generation with that name, or kUnknown.
TpuGeneration TpuGenerationOfName(std::string_view name);

// In bytes.
struct TpuMemory {
  // The size of the table of a tuple is a multiple of this. If the generation
  // is not known, that of v5p, v6e and v7x.
  int64_t table_alignment = 32;
  // The most bytes of the fast memory that arrays take: VMEM, and on v4 CMEM. 0
  // if the generation is not known.
  int64_t fast_memory_for_arrays = 0;
  // All of VMEM, and the most of it that one instruction may reserve for itself
  // (scoped memory) if neither the instruction nor an option of the compiler
  // sets a limit. 0 if the generation is not known.
  int64_t vmem = 0;
  int64_t scoped_vmem_limit = 0;
};

TpuMemory TpuMemoryOf(TpuGeneration generation);

// Returns the limit of scoped VMEM, in bytes, that the text of a
// *.tpu_comp_env.txt sets by xla_tpu_scoped_vmem_limit_kib; nullopt if it does
// not set one. -1 means the limit of the generation, and is nullopt, too.
std::optional<int64_t> ScopedVmemLimitOfOptions(std::string_view text);

}  // namespace tessera

#endif  // TESSERA_HLO_TPU_GENERATION_H_
