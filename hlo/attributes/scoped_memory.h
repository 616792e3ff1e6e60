// File: hlo/attributes/scoped_memory.h
//
// Which memory does an instruction of a TPU program set aside for itself?
//
//   const absl::string_view attributes =
//       R"(backend_config={"scoped_memory_configs":[],)"
//       R"("used_scoped_memory_configs":[{"memory_space":"1","offset":"0",)"
//       R"("size":"3280896"}]})";
//   UsedScopedMemory(attributes)[0].memory_space;   // 1: VMEM
//   UsedScopedMemory(attributes)[0].bytes;          // 3280896
//   ReservedScopedMemory(attributes).empty();       // true
//
// TPU's compiler writes both lists into the backend config. What an instruction
// uses stands in the dump behind code generation, `after_codegen`, and nowhere
// before. A reservation is written where a kernel has a limit of its own: its
// memory then lies among the arrays. Both were found in dumps of libtpu 0.0.52.

#ifndef TESSERA_HLO_ATTRIBUTES_SCOPED_MEMORY_H_
#define TESSERA_HLO_ATTRIBUTES_SCOPED_MEMORY_H_

#include <cstdint>

#include "absl/container/inlined_vector.h"
#include "absl/strings/string_view.h"

namespace tessera {

struct ScopedMemory {
  int64_t memory_space = 0;
  // In bytes. That of what is used counts from that of the reservation.
  int64_t offset = 0;
  int64_t bytes = 0;
};

using ScopedMemories = absl::InlinedVector<ScopedMemory, 1>;

// Returns what "used_scoped_memory_configs" lists in the text of attributes, as
// HloInstruction::attributes_text() has it; nothing where there is no such
// list. An entry without all three numbers, or with one that is negative, is
// left out: it is the compiler's, and no error of the module.
ScopedMemories UsedScopedMemory(absl::string_view attributes_text);

// The same of "scoped_memory_configs".
ScopedMemories ReservedScopedMemory(absl::string_view attributes_text);

}  // namespace tessera

#endif  // TESSERA_HLO_ATTRIBUTES_SCOPED_MEMORY_H_
