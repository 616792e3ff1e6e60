// Reads the module and the stage of compilation from the name of a dump.
//
//   const NameParts parts = NamePartsOf(
//       "module_0001.jit_f.sm_9.0_gpu_after_optimizations.txt",
//       HloFileKind::kText);
//   parts.module;       // "module_0001.jit_f"
//   parts.stage_text;   // "after_optimizations"

#ifndef TESSERA_HLO_DUMP_NAME_H_
#define TESSERA_HLO_DUMP_NAME_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "tessera/hlo/hlo_file_kind.h"

namespace tessera {

// The stage text of the dump that TPU's compiler writes after code generation.
inline constexpr std::string_view kCodegenStage = "after_codegen";

// The stage of compilation at which a module was dumped. The dump with the
// lowest stage is read.
enum class DumpStage {
  kOptimized,      // "after_optimizations"
  kNearOptimized,  // "after_optimizations_before_buffer_assignment"
  kAside,          // kCodegenStage, "oom_intermediate_module"
  kUnknown,        // the name is not one of XLA's
  kUnoptimized,    // "before_optimizations"
  kPass,           // "0007.fusion.after_dce.before_cse"
};

struct NameParts {
  std::string_view module;
  DumpStage stage = DumpStage::kUnknown;
  std::string_view stage_text;
  // XLA's number of a pass: 7. It counts the dumps of one module.
  std::optional<int64_t> number;
  // Whether it belongs to the module at each stage.
  bool is_of_all_stages = false;
  bool is_gzip = false;
};

// Returns whether a file of this kind has its own modules. A sidecar does not.
bool HasModules(HloFileKind kind);

// Splits the name of a file of this kind. The result has views of `name`.
NameParts NamePartsOf(std::string_view name, HloFileKind kind);

}  // namespace tessera

#endif  // TESSERA_HLO_DUMP_NAME_H_
