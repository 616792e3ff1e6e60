// Errors of the operating system as statuses.
//
//   SystemError("cannot be read", ENOENT);
//   // UNAVAILABLE: cannot be read: No such file or directory

#ifndef TESSERA_BASE_FILES_SYSTEM_ERROR_H_
#define TESSERA_BASE_FILES_SYSTEM_ERROR_H_

#include <cstring>
#include <string_view>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/text/absl_view.h"

namespace tessera {

// Returns kUnavailable with `what` and the system's message. `error` is a value
// of errno.
inline absl::Status SystemError(std::string_view what, int error) {
  return absl::UnavailableError(
      absl::StrCat(AbslView(what), ": ", std::strerror(error)));
}

}  // namespace tessera

#endif  // TESSERA_BASE_FILES_SYSTEM_ERROR_H_
