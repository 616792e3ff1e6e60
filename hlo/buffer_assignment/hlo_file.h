// Reads an HLO file, with the buffer assignment that XLA wrote next to it.
//
//   absl::StatusOr<HloFile> file = ReadHloFile("/no/such/dump.txt");
//   file.status();
//       // UNAVAILABLE: /no/such/dump.txt: cannot be read: No such file ...
//
//   absl::StatusOr<HloFile> read = ReadHloBytes(FileBytes::OfText(R"(
//       HloModule m
//       ENTRY e { ROOT x = f32[2]{0} parameter(0) })"));
//   read->dump.counts().modules;                              // 1
//   read->assignments.Of(read->dump.modules()[0]) == nullptr;  // true
//
// A file may be plain or compressed by gzip, text or proto. Files next to a
// module are found by name, as described in hlo/dump_folder.h.

#ifndef TESSERA_HLO_BUFFER_ASSIGNMENT_HLO_FILE_H_
#define TESSERA_HLO_BUFFER_ASSIGNMENT_HLO_FILE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tessera/base/files/file_bytes.h"
#include "tessera/base/text/diagnostic.h"
#include "tessera/hlo/buffer_assignment/buffer_assignment.h"
#include "tessera/hlo/dump_folder.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/hlo/memory/scoped_vmem.h"
#include "tessera/hlo/parse_hlo.h"
#include "tessera/hlo/tpu_generation.h"

namespace tessera {

// XLA's own buffer assignments of the modules of a file: from the proto itself,
// or from text files next to it. Also the target and the scoped memory in these
// files.
struct HloAssignments {
  // The bytes that they point into.
  std::vector<FileBytes> bytes;
  // Whether they come from files other than the modules' file.
  bool are_sidecars = false;
  // One for each module of the dump.
  std::vector<std::optional<BufferAssignment>> of_modules;
  // The generation in the target arguments next to the module.
  TpuGeneration tpu_generation = TpuGeneration::kUnknown;
  // The limit of scoped VMEM in the compiler's options next to the module, in
  // bytes.
  std::optional<int64_t> scoped_vmem_limit;
  // The use of scoped VMEM in the dump after code generation, next to the
  // module; nullopt without one.
  std::optional<ScopedVmemUse> scoped_vmem_use;

  // Returns nullptr if the module does not have one.
  const BufferAssignment* Of(HloModule module) const {
    const size_t index = module.index();
    return index < of_modules.size() && of_modules[index].has_value()
               ? &*of_modules[index]
               : nullptr;
  }
};

// The problems of a file next to a module.
struct SidecarProblems {
  std::string file;
  // Not OK if the file cannot be opened.
  absl::Status status;
  // The first mistakes in it, and their number.
  std::vector<Diagnostic> diagnostics;
  int64_t diagnostic_count = 0;
};

struct HloFileOptions {
  HloParseOptions parse;
  FileOptions bytes;
  // Whether to read XLA's results next to the file, too: its buffer assignment
  // and the scoped VMEM after code generation. The files that name the target
  // are read in either case.
  bool sidecars = true;
  // The number of mistakes to keep for each buffer assignment.
  int64_t problem_limit = 1000;
};

struct HloFile {
  HloDump dump;
  HloAssignments assignments;
  // The files next to it that have mistakes.
  std::vector<SidecarProblems> sidecar_problems;
};

// Reads the file `path`.
//
// Errors: those of FileBytes::Open, with the name in front, and of ParseHlo and
// ParseHloProto;
// kInvalidArgument if the file is about a module but does not contain it, such
// as a buffer assignment. A mistake in a file next to it is not an error, nor
// is text that ParseHlo cannot read, unless options.parse.strict: check
// dump.diagnostics(), and whether there is a module.
absl::StatusOr<HloFile> ReadHloFile(const std::string& path,
                                    const HloFileOptions& options = {});

// Like ReadHloFile, for bytes without other files.
absl::StatusOr<HloFile> ReadHloBytes(FileBytes bytes,
                                     const HloFileOptions& options = {});

// -- Its parts, for callers that open files themselves ---------------------

// Reads bytes as text or as a proto, depending on their start, with the
// assignments of a proto unless `assignments` is null. `path` is the source of
// the bytes, or "". Errors: those of ReadHloFile.
absl::StatusOr<HloDump> ParseHloFile(FileBytes bytes, const std::string& path,
                                     const HloParseOptions& options,
                                     int64_t problem_limit,
                                     HloAssignments* assignments);

// Returns the files next to the dump `path`, by kind.
std::map<HloFileKind, std::string> SidecarsBeside(const std::string& path);

// Removes the files with XLA's results, but keeps those that name the target:
// the size of a tuple table on a TPU depends on it.
void RemoveResults(std::map<HloFileKind, std::string>* sidecars);

// Returns whether files next to it can describe this dump: it is text with one
// module.
bool MayHaveSidecars(const HloDump& dump);

// Reads the texts in `sidecars`, which `open` opens by their names. Returns
// their problems. If the buffer assignment has values that the module of `dump`
// lacks, or that have another shape there, this is a problem, and the
// assignment is not kept.
std::vector<SidecarProblems> ReadSidecars(
    const HloDump& dump, const std::map<HloFileKind, std::string>& sidecars,
    absl::FunctionRef<absl::StatusOr<FileBytes>(const std::string&)> open,
    int64_t problem_limit, HloAssignments* assignments);

}  // namespace tessera

#endif  // TESSERA_HLO_BUFFER_ASSIGNMENT_HLO_FILE_H_
