// The files of 'tessera tt report' and 'tessera tt check': MLIR, logs, folders.
//
//   TtFileOptions options;
//   AddTtFileOptions(&command, &options);
//   // When the command runs:
//   ForEachTtFile(argument, options, console, &is_good,
//                 [](const TtReportResult& result, const LayoutFile& file) {
//                   ...
//                 });

#ifndef TESSERA_CLI_TT_TT_FILES_H_
#define TESSERA_CLI_TT_TT_FILES_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "proto/tt_questions.pb.h"
#include "tessera/cli/command/command_line.h"
#include "tessera/cli/hlo/input/hlo_input.h"
#include "tessera/cli/output/console.h"
#include "tessera/tenstorrent/mlir_file/layout_file.h"

namespace tessera::cli {

struct TtFileOptions {
  // The card, and the size to search for. The text of the question is not used.
  TtReportRequest question;
  // The most rows in every list of an answer.
  int64_t rows = 10;
};

// Adds --arch, --l1-bytes and --banks.
void AddCardOptions(Subcommand* command, TtFileOptions* options);

// Returns the files of an argument: the file itself, or the files of a folder
// and its subfolders that end in .mlir, .log, .txt or .json, sorted by name.
// Sets `*is_good` to false, after a message, if the folder cannot be read.
HloArgument FindTtFiles(const std::string& argument, Console* console,
                        bool* is_good);

// Returns whether the argument is `-` or the name of an existing file or
// folder.
bool IsTtFile(const std::string& argument, const Console* console);

// Answers the question about a text. If the question cannot be answered, prints
// an error about the options and returns false. `file`, if not null, receives
// the file as it was read.
bool AnswerTtText(std::string_view name, std::string_view text,
                  const TtFileOptions& options, Console* console,
                  TtReportResult* result,
                  tenstorrent::LayoutFile* file = nullptr);

using TtFileVisit = absl::FunctionRef<void(
    const TtReportResult& result, const tenstorrent::LayoutFile& file)>;

// Answers the question about each file of the argument and calls `visit`; for a
// folder, only for files with tensors, layouts or memrefs. Sets `*is_good` to
// false, after a message, for each file that cannot be read.
void ForEachTtFile(const HloArgument& argument, const TtFileOptions& options,
                   Console* console, bool* is_good, TtFileVisit visit);

}  // namespace tessera::cli

#endif  // TESSERA_CLI_TT_TT_FILES_H_
