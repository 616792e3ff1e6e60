// File: cli/output_file.h
//
// A document that a command writes whole.
//
//   if (!WriteOutputFile("page.html", html, console)) return false;

#ifndef TESSERA_CLI_OUTPUT_FILE_H_
#define TESSERA_CLI_OUTPUT_FILE_H_

#include <string>

#include "absl/strings/string_view.h"
#include "tessera/cli/console.h"

namespace tessera {

// Writes `text` to the file `name`, which is made anew, or to standard output
// where that is `-`. Returns false, after a message, where it cannot be
// written.
bool WriteOutputFile(const std::string& name, absl::string_view text,
                     Console* console);

}  // namespace tessera

#endif  // TESSERA_CLI_OUTPUT_FILE_H_
