// Converts absl::Status to the exceptions of the Python package, and text to
// str.
//
//   const IndexMap map = ValueOrThrow(ToIndexMap(layout));
//   ThrowIfError(status, "dump.txt");   // tessera.Error: dump.txt: ...
//
// These run with the interpreter's lock held.

#ifndef TESSERA_PYTHON_CORE_ERRORS_H_
#define TESSERA_PYTHON_CORE_ERRORS_H_

#include <pybind11/pybind11.h>

#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace tessera::python {

namespace py = pybind11;

// Throws tessera.Error, or tessera.FileError if a system call failed. `source`
// names the file at fault; "" if there is none. Precondition: `status` is not
// OK.
[[noreturn]] void Throw(const absl::Status& status,
                        std::string_view source = "");

inline void ThrowIfError(const absl::Status& status,
                         std::string_view source = "") {
  if (!status.ok()) Throw(status, source);
}

template <typename T>
T ValueOrThrow(absl::StatusOr<T> value, std::string_view source = "") {
  if (!value.ok()) Throw(value.status(), source);
  return *std::move(value);
}

// Returns the text as a str. Bytes that are not UTF-8 become U+FFFD.
py::str Text(std::string_view text);

}  // namespace tessera::python

#endif  // TESSERA_PYTHON_CORE_ERRORS_H_
