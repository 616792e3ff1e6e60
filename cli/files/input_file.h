// The bytes of a file argument.
//
//   absl::StatusOr<FileBytes> file = OpenInputFile("dump.txt.gz", {}, console);
//   file->text();  // unpacked

#ifndef TESSERA_CLI_FILES_INPUT_FILE_H_
#define TESSERA_CLI_FILES_INPUT_FILE_H_

#include <string>

#include "absl/status/statusor.h"
#include "tessera/base/files/file_bytes.h"
#include "tessera/cli/output/console.h"

namespace tessera::cli {

// Opens the file `name`, or standard input if that is `-`. Relative names start
// at console->working_directory. Shows progress; options.progress is not used.
//
// Errors: those of FileBytes, for standard input without the system's message.
absl::StatusOr<FileBytes> OpenInputFile(const std::string& name,
                                        FileOptions options, Console* console);

}  // namespace tessera::cli

#endif  // TESSERA_CLI_FILES_INPUT_FILE_H_
