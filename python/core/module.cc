// The extension module tessera._core. The package tessera around it, in
// python/tessera/, is what people import.

#include <pybind11/pybind11.h>

#include <string>

#include "proto/layout_service.pb.h"
#include "tessera/base/version/version.h"
#include "tessera/python/core/answers.h"
#include "tessera/python/core/bindings.h"
#include "tessera/python/core/errors.h"
#include "tessera/python/core/hlo_handles.h"
#include "tessera/python/core/layout_handle.h"
#include "tessera/service/json.h"
#include "tessera/service/layout_service.h"
#include "tessera/service/service_options.h"

namespace tessera::python {
namespace {

LayoutService Service() {
  ServiceOptions options = ServiceOptions::Unlimited();
  // Answers become nested objects.
  options.shape_nesting = ServiceOptions().shape_nesting;
  return LayoutService(options);
}

// Throws the error of an answer.
[[noreturn]] void ThrowAnswer(const Error& error) {
  const py::module_ errors = py::module_::import("tessera._errors");
  const py::object exception =
      errors.attr("Error").attr("_of")(ToPython(error));
  PyErr_SetObject(py::type::of(exception).ptr(), exception.ptr());
  throw py::error_already_set();
}

// Answers a request in JSON, without the id.
py::object Ask(const std::string& request_json) {
  Request request;
  ThrowIfError(JsonToProto(request_json, &request));
  Response response;
  {
    const py::gil_scoped_release release;
    response = Service().Answer(request);
  }
  if (response.has_error()) ThrowAnswer(response.error());
  const google::protobuf::Reflection& reflection = *response.GetReflection();
  const google::protobuf::FieldDescriptor* const result =
      reflection.GetOneofFieldDescriptor(
          response, response.GetDescriptor()->FindOneofByName("result"));
  return ToPython(reflection.GetMessage(response, result));
}

}  // namespace
}  // namespace tessera::python

PYBIND11_MODULE(_core, module) {
  using namespace tessera::python;  // NOLINT: of the functions below
  // If the module is built into an interpreter, it does not have a package yet.
  module.attr("__name__") = "tessera._core";
  module.attr("version") = tessera::kVersion;
  module.attr("pybind11_version") =
      py::make_tuple(PYBIND11_VERSION_MAJOR, PYBIND11_VERSION_MINOR);
  module.def("ask", &Ask, py::arg("request"));
  BindLayouts(&module);
  BindPictures(&module);
  BindRelayout(&module);
  BindDlpack(&module);
  BindHloHandles(&module);
  BindHloAnswers(&module);
}
