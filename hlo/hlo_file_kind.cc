#include "tessera/hlo/hlo_file_kind.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>

#include "absl/strings/ascii.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/cursor.h"
#include "tessera/hlo/buffer_assignment/assignment_text.h"
#include "tessera/hlo/log_prefixes.h"
#include "tessera/hlo/message/jax_layout.h"
#include "tessera/hlo/message/memory_message.h"
#include "tessera/hlo/proto/proto_source.h"
#include "tessera/layout/primitive_type.h"

namespace tessera {
namespace {

// The bytes that determine a kind.
constexpr size_t kTellingBytes = 65536;

// Kinds that are read as HLO.
constexpr std::string_view kIsHlo = "";
// Kinds of files next to a module's own file.
constexpr std::string_view kIsSidecar = "; give the module's own file, ";

struct KindRow {
  std::string_view name;
  std::string_view advice;  // behind the name in an error
};

// In the order of the enumerators.
constexpr KindRow kKinds[] = {
    {"HLO text", kIsHlo},
    {"an HloProto", kIsHlo},
    {"a profile", kIsHlo},
    {"a buffer assignment", kIsSidecar},
    {"the values of a buffer assignment", kIsSidecar},
    {"the live ranges of a buffer assignment", kIsSidecar},
    {"a memory usage report", kIsSidecar},
    {"a memory usage report", kIsSidecar},
    {"the target arguments of a compilation", kIsSidecar},
    {"the options of a compilation", kIsSidecar},
    {"text in UTF-16", "; convert it to UTF-8"},
    {"a binary file", ", not HLO text or a proto of XLA"},
    {"HLO text after code generation", kIsHlo},
    {"a message about memory",
     ", not a module; 'tessera hlo explain' reads it"},
    {"StableHLO",
     ", which has no layouts and takes no memory before it is compiled; in "
     "JAX, lowered.compile().as_text() is HLO text"},
    {"MLIR", ", not HLO; HLO text begins with the word HloModule"},
    {"a layout of JAX", ", not a module; 'tessera hlo explain' reads it"},
    {"an HLO instruction", kIsHlo},
    {"not an XLA dump", kIsHlo},
};
static_assert(std::size(kKinds) == static_cast<size_t>(HloFileKind::kOther) + 1,
              "each kind has a row");

std::string_view PastComments(std::string_view text) {
  for (;;) {
    text = StripLeadingAsciiWhitespace(text);
    const bool is_block = StartsWith(text, "/*");
    if (!is_block && !StartsWith(text, "//") && !StartsWith(text, "#")) {
      return text;
    }
    const std::string_view end = is_block ? "*/" : "\n";
    const size_t at = text.find(end);
    if (at == text.npos) return std::string_view();
    text.remove_prefix(at + end.size());
  }
}

bool BeginsWithWord(std::string_view text, std::string_view word) {
  return ConsumePrefix(&text, word) &&
         (text.empty() || absl::ascii_isspace(text[0]) || text[0] == ',' ||
          text[0] == '{' || text[0] == '(');
}

// Whether a line after the first begins with the header of a module, perhaps
// after the prefix of a log.
bool HasModuleBelow(std::string_view text) {
  constexpr std::string_view kModule = "HloModule ";
  for (size_t at = text.find(kModule); at != text.npos;
       at = text.find(kModule, at + kModule.size())) {
    if (at == 0 || absl::ascii_isspace(text[at - 1])) return true;
  }
  return false;
}

// Whether the text begins like `ROOT %name = f32[2]{0} ...`. In CuTe's
// calculator, the value of a name begins with a number or a function.
bool BeginsWithInstruction(std::string_view text) {
  Cursor cursor(text);
  const bool has_percent = cursor.Take('%');
  std::string_view name = cursor.TakeIdentifier();
  if (!has_percent && name == "ROOT") {
    const bool is_marked = cursor.Take('%');
    const std::string_view marked = cursor.TakeIdentifier();
    if (is_marked || !marked.empty()) name = marked;
  }
  if (name.empty() || !cursor.Take('=')) return false;
  while (cursor.Take('(')) {
  }
  return PrimitiveTypeFromName(cursor.TakeIdentifier()).has_value() &&
         cursor.Take('[') && StrContains(text, "(");
}

HloFileKind MlirKindOf(std::string_view text) {
  for (const std::string_view dialect : {"stablehlo.", "mhlo.", "chlo."}) {
    if (StrContains(text, dialect)) return HloFileKind::kStableHlo;
  }
  return HloFileKind::kMlir;
}

// Recognizes "xla_enable_async_all_gather: AUTO", one option per line. Their
// order is not known, but those of TPU begin with xla_tpu_.
bool AreCompilerOptions(std::string_view text) {
  const size_t end =
      text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789");
  return end != 0 && end != text.npos && StartsWith(text.substr(end), ": ") &&
         (StartsWith(text, "xla_tpu_") || StrContains(text, "\nxla_tpu_"));
}

// Whether the bytes begin like an image or a program, or have more control
// characters than a damaged text.
bool IsBinary(std::string_view bytes) {
  constexpr size_t kSignature = 16;
  if (StrContains(bytes.substr(0, kSignature), '\0')) return true;
  const std::string_view head = bytes.substr(0, 512);
  const size_t controls = std::count_if(head.begin(), head.end(), [](char c) {
    return absl::ascii_iscntrl(static_cast<unsigned char>(c)) &&
           !absl::ascii_isspace(static_cast<unsigned char>(c)) && c != '\x1b';
  });
  return controls > kSignature && controls > head.size() / 20;
}

HloFileKind TextKindOf(std::string_view all) {
  const std::string_view text = PastComments(all);
  if (BeginsWithWord(text, "HloModule")) return HloFileKind::kText;
  switch (FindAssignmentTextPart(text)) {
    case AssignmentTextPart::kAllocations:
      return HloFileKind::kBufferAssignment;
    case AssignmentTextPart::kValues:
      return HloFileKind::kBufferAssignmentValues;
    case AssignmentTextPart::kLiveRanges:
      return HloFileKind::kLiveRange;
    case AssignmentTextPart::kNone:
      break;
  }
  for (const std::string_view report : {"Total bytes used:", "Memory Space:"}) {
    if (StartsWith(text, report)) return HloFileKind::kMemoryUsageReport;
  }
  if (StrContains(text, "\ntpu_topology_args {")) {
    return HloFileKind::kTargetArguments;
  }
  if (HasModuleBelow(text)) return HloFileKind::kOther;
  if (AreCompilerOptions(text)) return HloFileKind::kCompilerOptions;
  if (BeginsWithWord(text, "module") || BeginsWithWord(text, "func.func") ||
      StartsWith(text, "\"builtin.module\"")) {
    return MlirKindOf(text);
  }
  if (BeginsWithInstruction(text)) return HloFileKind::kInstruction;
  if (IsMemoryMessage(all)) return HloFileKind::kMemoryMessage;
  // The op_name of an instruction may contain such a text.
  const bool has_metadata = StrContains(text, "metadata={");
  if (!has_metadata && FindJaxLayout(text) != text.npos) {
    return HloFileKind::kJaxLayout;
  }
  return HloFileKind::kOther;
}

}  // namespace

HloFileKind HloFileKindOf(std::string_view first_bytes) {
  const std::string_view head = first_bytes.substr(0, kTellingBytes);
  if (hlo_internal::IsHloProto(head)) {
    switch (hlo_internal::ProtoKindOf(head)) {
      case hlo_internal::ProtoKind::kXSpace:
        return HloFileKind::kProfile;
      case hlo_internal::ProtoKind::kMemoryUsageReport:
        return HloFileKind::kMemoryUsageReportProto;
      default:
        return HloFileKind::kProto;
    }
  }
  if (StartsWith(head, "\xff\xfe") || StartsWith(head, "\xfe\xff")) {
    return HloFileKind::kUtf16;
  }
  if (IsBinary(head)) return HloFileKind::kBinary;
  if (!HasLogPrefixes(head)) return TextKindOf(head);
  std::string text(head);
  BlankLogPrefixes(&text);
  return TextKindOf(text);
}

std::string_view HloFileKindName(HloFileKind kind) {
  return kKinds[static_cast<size_t>(kind)].name;
}

bool IsPasted(HloFileKind kind) {
  return HloFileKind::kMemoryMessage <= kind &&
         kind <= HloFileKind::kInstruction;
}

absl::Status CheckIsHlo(HloFileKind kind, std::string_view module_file) {
  const auto [name, advice] = kKinds[static_cast<size_t>(kind)];
  if (advice == kIsHlo) return absl::OkStatus();
  if (advice != kIsSidecar) {
    return InvalidArgumentError("this is ", name, advice);
  }
  if (module_file.empty()) {
    module_file = "next to which XLA's buffer assignment is read";
  }
  return InvalidArgumentError(
      "this is ", name, advice, module_file,
      kind == HloFileKind::kBufferAssignment
          ? "; 'tessera hlo explain' reads this one by itself"
          : "");
}

}  // namespace tessera
