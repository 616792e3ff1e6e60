// File: hlo/hlo_file_kind.h
//
// What is this text or file that somebody has?
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
// This is the only function that tells them apart. People paste what they
// have: a compiler's message, a line of a dump, what JAX prints. Whoever reads
// HLO asks it first, so that a text of one language is never refused in the
// words of another.

#ifndef TESSERA_HLO_HLO_FILE_KIND_H_
#define TESSERA_HLO_HLO_FILE_KIND_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace tessera {

enum class HloFileKind {
  kText,     // of HLO modules
  kProto,    // an HloProto or an HloModuleProto
  kProfile,  // an XSpace, which may have many HloProtos
  kBufferAssignment,
  kBufferAssignmentValues,  // the values of a buffer assignment, apart
  kLiveRange,               // its live ranges, apart
  kMemoryUsageReport,
  kMemoryUsageReportProto,
  kTargetArguments,  // for which TPU it was compiled
  kCompilerOptions,  // by which options, those of TPU's compiler
  // HLO text of a module that another file has, behind code generation. The
  // name tells it, so HloFileKindOf() calls it kText.
  kAfterCodegen,
  // What XLA and its devices say when memory runs out
  // (hlo/message/memory_message.h), anywhere in the text.
  kMemoryMessage,
  kStableHlo,
  kMlir,         // without operations of StableHLO
  kJaxLayout,    // Layout(major_to_minor=...), anywhere in the text
  kInstruction,  // begins with one, without a module round it
  kOther
};

// Returns the kind of a file that begins with these bytes, unpacked. 65536
// bytes are enough.
HloFileKind HloFileKindOf(absl::string_view first_bytes);

// Returns "a buffer assignment", "HLO text", and so on.
absl::string_view HloFileKindName(HloFileKind kind);

// Whether people paste it, and no file of a dump is of this kind.
bool IsPasted(HloFileKind kind);

// Returns OK for what is read as HLO: text, a proto, a profile, an instruction,
// and kOther, of which the reader says what is wrong with it. Errors:
// kInvalidArgument for the others, which says what it is and what to do.
// `module_file` is the module's own file, if it is known.
absl::Status CheckIsHlo(HloFileKind kind, absl::string_view module_file = "");

}  // namespace tessera

#endif  // TESSERA_HLO_HLO_FILE_KIND_H_
