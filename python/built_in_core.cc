#include "tessera/python/built_in_core.h"

#include <Python.h>

extern "C" PyObject* PyInit__core();

namespace tessera::python {
namespace {

// A built-in module is not in a package, so it has another name until it is
// imported.
constexpr char kName[] = "_tessera_core";

bool AddCore() {
  PyObject* const core = PyImport_ImportModule(kName);
  if (core == nullptr) {
    PyErr_Print();
    return false;
  }
  PyObject* const modules = PyImport_GetModuleDict();
  const bool is_added =
      PyDict_SetItemString(modules, "tessera._core", core) == 0;
  Py_DECREF(core);
  return is_added;
}

}  // namespace

bool InitializePython(int argc, char** argv) {
  if (PyImport_AppendInittab(kName, &PyInit__core) != 0) return false;
  PyConfig config;
  PyConfig_InitPythonConfig(&config);
  PyStatus status = PyConfig_SetBytesArgv(&config, argc, argv);
  if (!PyStatus_Exception(status)) status = Py_InitializeFromConfig(&config);
  PyConfig_Clear(&config);
  if (PyStatus_Exception(status)) Py_ExitStatusException(status);
  return AddCore();
}

}  // namespace tessera::python
