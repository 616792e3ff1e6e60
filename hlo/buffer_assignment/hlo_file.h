// File: hlo/buffer_assignment/hlo_file.h
//
// Reads a file of HLO, with the buffer assignment that XLA wrote beside it.
//
//   absl::StatusOr<HloFile> file = ReadHloFile("/no/such/dump.txt");
//   file.status();
//       // UNAVAILABLE: cannot be read: No such file or directory
//
//   absl::StatusOr<HloFile> read = ReadHloBytes(FileBytes::OfText(R"(
//       HloModule m
//       ENTRY e { ROOT x = f32[2]{0} parameter(0) })"));
//   read->dump.counts().modules;                              // 1
//   read->assignments.Of(read->dump.modules()[0]) == nullptr;  // true
//
// A file may be plain or packed by gzip, text or proto. What stands beside a
// module is found by name, as hlo/dump_folder.h says.

#ifndef TESSERA_HLO_BUFFER_ASSIGNMENT_HLO_FILE_H_
#define TESSERA_HLO_BUFFER_ASSIGNMENT_HLO_FILE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "tessera/base/files/file_bytes.h"
#include "tessera/base/text/diagnostic.h"
#include "tessera/hlo/buffer_assignment/buffer_assignment.h"
#include "tessera/hlo/dump_folder.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/hlo/memory/scoped_vmem.h"
#include "tessera/hlo/parse_hlo.h"
#include "tessera/hlo/tpu_generation.h"

namespace tessera {

// XLA's own buffer assignments, as they stand with the modules of a file: in
// the proto itself, or as text in the files beside it. With them, what these
// files say of TPU and of scoped memory.
struct HloAssignments {
  // The bytes that they lead into.
  std::vector<FileBytes> bytes;
  // Whether they come from other files than the modules.
  bool are_sidecars = false;
  // For each module of the dump.
  std::vector<absl::optional<BufferAssignment>> of_modules;
  // What the target arguments beside the module say.
  TpuGeneration tpu_generation = TpuGeneration::kUnknown;
  // The limit that the compiler's options beside the module set, in bytes.
  absl::optional<int64_t> scoped_vmem_limit;
  // What the dump behind code generation beside the module says; nullopt where
  // there is none.
  absl::optional<ScopedVmemUse> scoped_vmem_use;

  // Returns nullptr where there is none.
  const BufferAssignment* Of(HloModule module) const {
    const size_t index = module.index();
    return index < of_modules.size() && of_modules[index].has_value()
               ? &*of_modules[index]
               : nullptr;
  }
};

// What could not be read of a file that stands beside a module.
struct SidecarProblems {
  std::string file;
  // Not OK if the file cannot be opened.
  absl::Status status;
  // The first mistakes in it, and how many there are.
  std::vector<Diagnostic> diagnostics;
  int64_t diagnostic_count = 0;
};

struct HloFileOptions {
  HloParseOptions parse;
  FileOptions bytes;
  // Whether the buffer assignment beside the file is read, too.
  bool sidecars = true;
  // How many mistakes of each buffer assignment are kept.
  int64_t problem_limit = 1000;
};

struct HloFile {
  HloDump dump;
  HloAssignments assignments;
  // Of the files beside it, those with mistakes.
  std::vector<SidecarProblems> sidecar_problems;
};

// Reads the file `path`.
//
// Errors: those of FileBytes::Open, ParseHlo and ParseHloProto;
// kInvalidArgument if the file says something about a module without having
// it, as a buffer assignment does. A mistake in a file beside it is no error.
absl::StatusOr<HloFile> ReadHloFile(const std::string& path,
                                    const HloFileOptions& options = {});

// The same for bytes with nothing beside them.
absl::StatusOr<HloFile> ReadHloBytes(FileBytes bytes,
                                     const HloFileOptions& options = {});

// -- Its parts, for those who open files in their own way ---------------------

// Reads bytes as text or as proto, as they begin, with the assignments of a
// proto, unless `assignments` is null. `path` is where the bytes come from; ""
// if there is no such file. Errors: as ReadHloFile.
absl::StatusOr<HloDump> ParseHloFile(FileBytes bytes, const std::string& path,
                                     const HloParseOptions& options,
                                     int64_t problem_limit,
                                     HloAssignments* assignments);

// Returns the files beside the dump `path`, by kind.
std::map<HloFileKind, std::string> SidecarsBeside(const std::string& path);

// Returns whether files beside it may speak of this dump: it is text, of one
// module.
bool MayHaveSidecars(const HloDump& dump);

// Reads what stands as text in `sidecars`, which `open` opens by their names.
// Returns what is wrong.
std::vector<SidecarProblems> ReadSidecars(
    const std::map<HloFileKind, std::string>& sidecars,
    absl::FunctionRef<absl::StatusOr<FileBytes>(const std::string&)> open,
    int64_t problem_limit, HloAssignments* assignments);

}  // namespace tessera

#endif  // TESSERA_HLO_BUFFER_ASSIGNMENT_HLO_FILE_H_
