#include "tessera/python/core/errors.h"

#include <string_view>

#include "proto/layout_service.pb.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/service/error.h"

namespace tessera::python {

void Throw(const absl::Status& status, std::string_view source) {
  const Error error = ToError(status);
  const py::module_ errors = py::module_::import("tessera._errors");
  const char* type = absl::IsUnavailable(status) ? "FileError" : "Error";
  const bool has_place = error.has_position();
  const TextPosition& place = error.position();
  const auto number = [&](int64_t value) -> py::object {
    if (!has_place) return py::none();
    return py::int_(value);
  };
  // Python prepends the source, which some errors already name.
  std::string_view message = error.message();
  if (std::string_view rest = message;
      ConsumePrefix(&rest, source) && ConsumePrefix(&rest, ": ")) {
    message = rest;
  }
  const py::object exception = errors.attr(type)(
      Text(message), py::arg("code") = Error::Code_Name(error.code()),
      py::arg("source") = Text(source), py::arg("field") = Text(error.field()),
      py::arg("offset") = number(place.offset()),
      py::arg("line") = number(place.line()),
      py::arg("column") = number(place.column()),
      py::arg("excerpt") = Text(place.excerpt()));
  PyErr_SetObject(py::type::of(exception).ptr(), exception.ptr());
  throw py::error_already_set();
}

py::str Text(std::string_view text) {
  PyObject* const decoded =
      PyUnicode_DecodeUTF8(text.data(), text.size(), "replace");
  if (decoded == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::str>(decoded);
}

}  // namespace tessera::python
