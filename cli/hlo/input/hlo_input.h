// The common part of all subcommands of `tessera hlo`: HLO files, text or
// proto, the strictness of reading, and the messages about parts that cannot be
// read.

#ifndef TESSERA_CLI_HLO_INPUT_HLO_INPUT_H_
#define TESSERA_CLI_HLO_INPUT_HLO_INPUT_H_

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "proto/hlo_questions.pb.h"
#include "tessera/base/files/file_bytes.h"
#include "tessera/cli/command/command_line.h"
#include "tessera/cli/output/console.h"
#include "tessera/cli/output/message.h"
#include "tessera/hlo/buffer_assignment/hlo_file.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/hlo/hlo_target.h"
#include "tessera/hlo/memory/memory_options.h"
#include "tessera/hlo/memory/memory_report.h"

namespace tessera::cli {

// Returns the source by which messages name the file argument `file`, which
// must outlive it.
TextSource HloSource(const std::string& file);

// How the files of a subcommand are read.
struct HloReading {
  bool strict = false;
  // The most bytes of a file that is packed, or comes through a pipe.
  int64_t max_unpacked = std::numeric_limits<int64_t>::max();
  // Threads that read one file; 0 for one per core.
  int64_t jobs = 1;
  // Whether XLA's results next to a file are left unread.
  bool no_sidecars = false;
};

void AddFilesArgument(Subcommand* command, std::vector<std::string>* files);

// The files that an argument names: one file, or the dumps in a folder.
struct HloArgument {
  struct File {
    File(std::string the_name) : name(std::move(the_name)) {}  // NOLINT

    std::string name;
    // The beginning of the names of the module's files, as in
    // hlo/dump_folder.h.
    std::string module;
    // The files next to it; nullopt if they were not searched for.
    std::optional<std::map<HloFileKind, std::string>> sidecars;
    // The dumps of the module in the order of compilation, as in
    // hlo/dump_folder.h, if they were requested.
    std::vector<std::string> stages;
  };

  std::string name;
  bool is_folder = false;
  std::vector<File> files;
};

// Which dumps of a module a command reads.
enum class HloStages {
  kLast,
  // All stages of the modules in folders; for a file argument, only the file.
  kAllOfFolders,
  // For a file argument, also the earlier stages next to it.
  kAll,
};

// Finds the files that the arguments name. Prints notes about the files of a
// folder that are not read, and about a file that belongs to a module next to
// it. Sets `*is_good` to false unless the exit code may be 0.
std::vector<HloArgument> FindHloFiles(const std::vector<std::string>& arguments,
                                      Console* console, bool* is_good,
                                      HloStages stages = HloStages::kLast);

// Adds --module, which takes a name or the number of the module in the file,
// from 0 on. The number distinguishes modules of equal names.
void AddModuleOption(Subcommand* command, std::string* module);
// Returns whether that option names this module; "" names every module.
bool IsChosen(HloModule module, const std::string& chosen);
// Returns the error for a --module that names none of the modules with these
// names: "there is no module 'step'; did you mean jit_step?".
std::string NoModuleText(const std::string& chosen,
                         const std::vector<std::string>& names);

// Adds --space, a memory space by its number, S(number), or its name.
void AddSpaceOption(Subcommand* command, std::optional<std::string>* space);
// Removes all other memory spaces from the answer. Returns false if the module
// does not use this one.
bool KeepMemorySpace(const std::string& space, ModulePeak* peak);
// Like the function above, for an assignment without its module, whose target
// is known only from --target.
bool KeepMemorySpace(const std::string& space, HloTarget target,
                     AssignmentStatement* assignment);

// Adds --strict, --max-unpacked and --jobs.
void AddReadingOptions(Subcommand* command, HloReading* reading);
// Adds --no-sidecars.
void AddSidecarOption(Subcommand* command, HloReading* reading);
// Adds --top, the most rows in a table.
void AddTopOption(Subcommand* command, int64_t* top);
// Adds --target and --assume-text-order.
void AddMemoryOptions(Subcommand* command, MemoryOptions* question);
// Adds --scoped-limit, the most scoped VMEM that an instruction may use.
void AddScopedLimitOption(Subcommand* command, MemoryOptions* question);
// Adds --count, which arrays are counted.
void AddCountOption(Subcommand* command, CountedArrays* counted);
// Adds --computation NAME: the name of the computation or of its caller, with
// or without '%'; "" if the option is not given.
void AddComputationOption(Subcommand* command, const char* description,
                          std::string* name);

// Returns all their files.
std::vector<HloArgument::File> FilesOf(
    const std::vector<HloArgument>& arguments);

// Opens a file within --max-unpacked.
absl::StatusOr<FileBytes> OpenHloFile(const std::string& file,
                                      const HloReading& reading,
                                      Console* console);

// Reads a whole file and prints the parts that cannot be read: as a warning if
// the text is merely cut off (HloCounts), else as errors. If the file is empty
// or cannot be read at all, prints an error and returns nullopt. Sets
// `*is_good` to false unless the exit code may be 0. If `assignments` is not
// null, also reads XLA's buffer assignments of the modules, and prints notes
// about the parts that cannot be read.
std::optional<HloDump> ReadHloDump(const HloArgument::File& file,
                                   const HloReading& reading, Console* console,
                                   bool* is_good,
                                   HloAssignments* assignments = nullptr);
// The same for a file that OpenHloFile has opened.
std::optional<HloDump> ReadHloDump(const HloArgument::File& file,
                                   absl::StatusOr<FileBytes> bytes,
                                   const HloReading& reading, Console* console,
                                   bool* is_good,
                                   HloAssignments* assignments = nullptr);

// Receives the text of a buffer assignment that is given in place of its
// module.
using AssignmentVisitor =
    std::function<void(const std::string& file, std::string_view text)>;

// Reads the files of the argument one after another in the same way, and calls
// `visit` with the name of each that is not empty. A buffer assignment in place
// of its module is an error, unless there is a `visit_assignment`. Returns
// whether one of the two was called.
bool ForEachDump(
    const HloArgument& argument, const HloReading& reading, Console* console,
    bool* is_good,
    absl::FunctionRef<void(const std::string& file, const HloDump& dump,
                           const HloAssignments& assignments)>
        visit,
    const AssignmentVisitor& visit_assignment = nullptr);

}  // namespace tessera::cli

#endif  // TESSERA_CLI_HLO_INPUT_HLO_INPUT_H_
