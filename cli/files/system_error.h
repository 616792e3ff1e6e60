// File: cli/files/system_error.h
//
// An error with the message of the system about a file.
//
//   SystemError("cannot be read", ENOENT);
//   // UNAVAILABLE: cannot be read: No such file or directory

#ifndef TESSERA_CLI_FILES_SYSTEM_ERROR_H_
#define TESSERA_CLI_FILES_SYSTEM_ERROR_H_

#include <cstring>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace tessera {
namespace cli {

// `error` is a value of errno.
inline absl::Status SystemError(absl::string_view what, int error) {
  return absl::UnavailableError(absl::StrCat(what, ": ", std::strerror(error)));
}

}  // namespace cli
}  // namespace tessera

#endif  // TESSERA_CLI_FILES_SYSTEM_ERROR_H_
