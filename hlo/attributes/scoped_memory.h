// Reads the scoped memory of an instruction of a TPU program.
//
//   const std::string_view attributes =
//       R"(backend_config={"scoped_memory_configs":[],)"
//       R"("used_scoped_memory_configs":[{"memory_space":"1","offset":"0",)"
//       R"("size":"3280896"}]})";
//   UsedScopedMemory(attributes)[0].memory_space;   // 1: VMEM
//   UsedScopedMemory(attributes)[0].bytes;          // 3280896
//   ReservedScopedMemory(attributes).empty();       // true
//
// TPU's compiler writes both lists into the backend config. The used memory is
// only in the dump after code generation, `after_codegen`. The compiler writes
// a reservation if a kernel has its own limit, because scoped memory is then
// placed among the arrays. Both were found in dumps of libtpu 0.0.52.

#ifndef TESSERA_HLO_ATTRIBUTES_SCOPED_MEMORY_H_
#define TESSERA_HLO_ATTRIBUTES_SCOPED_MEMORY_H_

#include <cstdint>
#include <string_view>

#include "absl/container/inlined_vector.h"

namespace tessera {

struct ScopedMemory {
  int64_t memory_space = 0;
  // In bytes. The offset of used memory counts from that of the reservation.
  int64_t offset = 0;
  int64_t bytes = 0;
};

using ScopedMemories = absl::InlinedVector<ScopedMemory, 1>;

// Returns the list "used_scoped_memory_configs" in the text of attributes, as
// returned by HloInstruction::attributes_text(); empty without such a list. An
// entry that lacks one of the three numbers, or has a negative one, is left
// out: the compiler wrote it, so it is not an error of the module.
ScopedMemories UsedScopedMemory(std::string_view attributes_text);

// Like UsedScopedMemory, for "scoped_memory_configs".
ScopedMemories ReservedScopedMemory(std::string_view attributes_text);

// Returns the sum of the bytes in VMEM, at most 2^63-1.
int64_t VmemBytesOf(const ScopedMemories& memories);

}  // namespace tessera

#endif  // TESSERA_HLO_ATTRIBUTES_SCOPED_MEMORY_H_
