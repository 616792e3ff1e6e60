// Recognizes the kind of a text or file.
//
//   HloFileKindOf("HloModule jit_f, is_scheduled=true");  // HloFileKind::kText
//   HloFileKindOf("BufferAssignment:\nallocation 0");
//       // HloFileKind::kBufferAssignment
//   HloFileKindOf("RESOURCE_EXHAUSTED: Ran out of memory in memory space hbm.");
//       // HloFileKind::kMemoryMessage
//   CheckIsHlo(HloFileKindOf("module @jit_f { stablehlo.add }")).message();
//       // "this is StableHLO, which has no layouts and takes no memory before
//       // it is compiled; in JAX, lowered.compile().as_text() is HLO text"
//
// This is the only function that distinguishes them. People paste anything: a
// compiler's message, a line of a dump, JAX's output. Readers of HLO call it
// first, so a text of one language is never refused with the errors of another.

#ifndef TESSERA_HLO_HLO_FILE_KIND_H_
#define TESSERA_HLO_HLO_FILE_KIND_H_

#include <string_view>

#include "absl/status/status.h"

namespace tessera {

enum class HloFileKind {
  kText,     // of HLO modules
  kProto,    // an HloProto or an HloModuleProto
  kProfile,  // an XSpace, which may have many HloProtos
  kBufferAssignment,
  kBufferAssignmentValues,  // the values of a buffer assignment, separate
  kLiveRange,               // its live ranges, separate
  kMemoryUsageReport,
  kMemoryUsageReportProto,
  kTargetArguments,  // the TPU that it was compiled for
  kCompilerOptions,  // the options of TPU's compiler
  kUtf16,            // text, which has to be UTF-8
  kBinary,           // not text, and not a proto of XLA
  // HLO text, after code generation, of a module that is also in another file.
  // Recognized by its name, so HloFileKindOf() returns kText.
  kAfterCodegen,

  // From here to kInstruction: the kinds that people paste, see IsPasted().

  // A message of XLA or its devices that memory ran out
  // (hlo/message/memory_message.h), anywhere in the text.
  kMemoryMessage,
  kStableHlo,
  kMlir,         // without operations of StableHLO
  kJaxLayout,    // Layout(major_to_minor=...), anywhere in the text
  kInstruction,  // begins with an instruction, without a module around it
  kOther
};

// Returns the kind of a file that begins with these decompressed bytes. 65536
// bytes are enough.
HloFileKind HloFileKindOf(std::string_view first_bytes);

// Returns "a buffer assignment", "HLO text", and so on.
std::string_view HloFileKindName(HloFileKind kind);

// Whether people paste this kind, and files of a dump never have it.
bool IsPasted(HloFileKind kind);

// Returns OK for kinds that are read as HLO: text, a proto, a profile, an
// instruction, and kOther, for which the reader reports the error. Errors:
// kInvalidArgument for the others, naming the kind and what to do.
// `module_file` is the module's own file, if known.
absl::Status CheckIsHlo(HloFileKind kind, std::string_view module_file = "");

}  // namespace tessera

#endif  // TESSERA_HLO_HLO_FILE_KIND_H_
