// Finds the modules in a folder of dumps, and the files that belong to each.
//
//   FindHloDumps("/no/such/folder").status();
//       // UNAVAILABLE: cannot be read: No such file or directory
//
// XLA_FLAGS=--xla_dump_to=DIR writes several files for each module:
//
//   module_0001.jit_f.before_optimizations.txt
//   module_0001.jit_f.cpu_after_optimizations.txt
//   module_0001.jit_f.cpu_after_optimizations-buffer-assignment.txt
//   module_0001.jit_f.cpu_after_optimizations-memory-usage-report.txt
//
// FindHloDumps combines them into one dump: the file to read, which is the
// scheduled module, and its sidecars. It looks only at the first bytes of each
// file. Names only determine which files belong together.

#ifndef TESSERA_HLO_DUMP_FOLDER_H_
#define TESSERA_HLO_DUMP_FOLDER_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tessera/hlo/hlo_file_kind.h"  // IWYU pragma: export

namespace tessera {

// A file to read as HLO.
struct HloDumpFile {
  // Its name in the folder.
  std::string name;
  // kText, kProto or kProfile. A file that was given by name may also be
  // kOther: its reader reports the error.
  HloFileKind kind = HloFileKind::kOther;
  // The common start of the names of the module's files: "module_0001.jit_f".
  // If the name is not one of XLA's, the name without its extension.
  std::string module;
  // The names of the files that belong to it, by kind. kProto is an HloProto of
  // the same module as the text; kAfterCodegen belongs to the module after
  // optimizations. Target arguments and compiler options whose names do not
  // have a module belong to every module.
  std::map<HloFileKind, std::string> sidecars;
  // The names of the module's dumps in the order of compilation, if there are
  // several: before optimizations, then after each pass (hlo/dump_pass.h), then
  // this file unless it is one of these. There is one dump per point in time,
  // the text rather than the proto. If this file was given by name, later dumps
  // are left out.
  std::vector<std::string> stages;
};

// A file of a folder that is not read.
struct UnreadFile {
  std::string name;
  // "is not an XLA dump"
  std::string reason;
  // Whether it may be a dump anyway: it cannot be opened or decompressed.
  bool is_error = false;
};

struct DumpFolder {
  // The folder as it was given, or that of the file, with a '/' at its end; ""
  // for the working directory.
  std::string folder;
  bool is_folder = false;  // false: a file was given
  // One for each module, or profile, by name.
  std::vector<HloDumpFile> dumps;
  // Everything else in the folder except sidecars, by name. This includes
  // earlier dumps of a module that is read. It also includes memory usage
  // reports, because a buffer assignment has exactly the same numbers.
  std::vector<UnreadFile> unread;
};

struct DumpFolderOptions {
  // Whether to look for the sidecars and the stages of a single file.
  // For a folder, they are always found.
  bool sidecars = true;
};

// Finds the dumps in the folder `path`, but not in its subfolders. If `path` is
// a file, it is the only dump, and its sidecars are searched in its folder. If
// `path` is itself a sidecar, `dumps` holds its module if present, and `unread`
// has the sidecar. Only regular files are opened, never a pipe, for example.
//
// If a module was dumped more than once, one dump counts: the text after
// optimizations, else its proto, else the dump that TPU's compiler wrote after
// code generation or when memory ran out, else the module before optimizations,
// else the one after the last pass.
//
// Errors: kUnavailable, with the system's message, if the file does not exist
// or the folder cannot be listed.
absl::StatusOr<DumpFolder> FindHloDumps(const std::string& path,
                                        const DumpFolderOptions& options = {});

}  // namespace tessera

#endif  // TESSERA_HLO_DUMP_FOLDER_H_
