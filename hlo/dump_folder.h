// File: hlo/dump_folder.h
//
// Which modules are in this folder of dumps, and what stands beside each?
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
// FindHloDumps makes one dump of them: the file to read, which is the scheduled
// module, and its sidecars. It looks at the first bytes of each file, never at
// the whole. Names only tell what belongs together.

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
  // kText, kProto or kProfile. A file that was asked for by its name may be
  // kOther too: its reader says what is wrong with it.
  HloFileKind kind = HloFileKind::kOther;
  // What the names of all files of the module begin with: "module_0001.jit_f".
  // If the name is not one of XLA's, the name without its extension.
  std::string module;
  // The names of what stands beside it in the folder, by kind. kProto is an
  // HloProto beside the text of the same module; kAfterCodegen stands beside
  // the module after optimizations. Target arguments and options of the
  // compiler whose names have no module stand beside each.
  std::map<HloFileKind, std::string> sidecars;
};

// A file of a folder that is not read.
struct UnreadFile {
  std::string name;
  // "is no XLA dump"
  std::string reason;
  // Whether it may be a dump all the same: it cannot be opened or unpacked.
  bool is_error = false;
};

struct DumpFolder {
  // The folder as it was given, or that of the file, with a '/' at its end; ""
  // for the folder that the process runs in.
  std::string folder;
  bool is_folder = false;  // false: a file was given
  // One for each module, or profile, by name.
  std::vector<HloDumpFile> dumps;
  // Everything else in the folder but sidecars, by name. Memory usage reports
  // are here too: a buffer assignment has the same numbers, exactly.
  std::vector<UnreadFile> unread;
};

struct DumpFolderOptions {
  // Whether a file has sidecars. A folder has them in any case.
  bool sidecars = true;
};

// Finds the dumps in the folder `path`, not in those below it. If `path` is a
// file, it is the only dump, whatever it is, and its sidecars are looked for
// beside it; a sidecar is asked for in vain: `dumps` then has the module that
// it belongs to, or nothing, and `unread` has the sidecar. What is no regular
// file, such as a pipe, is never opened.
//
// Of a module that was dumped more than once, one dump counts: the text after
// optimizations, else its proto, else the one that TPU's compiler dumped behind
// code generation or when memory ran out, else the module before optimizations,
// else the one after the last pass.
//
// Errors: kUnavailable, with the message of the system, if there is no such
// file or the folder cannot be listed.
absl::StatusOr<DumpFolder> FindHloDumps(const std::string& path,
                                        const DumpFolderOptions& options = {});

}  // namespace tessera

#endif  // TESSERA_HLO_DUMP_FOLDER_H_
