// Converts the messages of the service to the classes of tessera.answers.
//
//   py::object peak = ToPython(module_peak);   // a tessera.answers.ModulePeak
//   py::dict values = ToColumns(space_map, "values");   // {"name": ["p", ...

#ifndef TESSERA_PYTHON_CORE_ANSWERS_H_
#define TESSERA_PYTHON_CORE_ANSWERS_H_

#include <pybind11/pybind11.h>

#include "google/protobuf/message.h"

namespace tessera::python {

// Returns the object of the class that has the message's name. Fields have
// their values as in JSON (service/json.h): an optional field or a message that
// is absent is None, an enum is its name, a message whose only field is a map
// is that map. A list of messages is a tessera.answers.Table.
pybind11::object ToPython(const google::protobuf::Message& message);

// Returns a list of messages as columns, one for each field of these.
// Precondition: the message has such a field.
pybind11::dict ToColumns(const google::protobuf::Message& message,
                         const char* table);

}  // namespace tessera::python

#endif  // TESSERA_PYTHON_CORE_ANSWERS_H_
