// Python, as `python3` is, with the extension module tessera._core built in.
// The package around it is found on PYTHONPATH.

#include <Python.h>

#include <cstdio>

extern "C" PyObject* PyInit__core();

namespace {

// A built-in module stands in no package, so it goes by another name until it
// is there. Returns false if Python has said what is wrong.
bool AddCore() {
  PyObject* const core = PyImport_ImportModule("_tessera_core");
  if (core == nullptr) return false;
  PyObject* const modules = PyImport_GetModuleDict();
  const bool is_added =
      PyDict_SetItemString(modules, "tessera._core", core) == 0;
  Py_DECREF(core);
  return is_added;
}

}  // namespace

int main(int argc, char** argv) {
  if (PyImport_AppendInittab("_tessera_core", &PyInit__core) != 0) return 1;
  PyConfig config;
  PyConfig_InitPythonConfig(&config);
  PyStatus status = PyConfig_SetBytesArgv(&config, argc, argv);
  if (!PyStatus_Exception(status)) status = Py_InitializeFromConfig(&config);
  PyConfig_Clear(&config);
  if (PyStatus_Exception(status)) Py_ExitStatusException(status);
  if (!AddCore()) {
    PyErr_Print();
    return 1;
  }
  return Py_RunMain();
}
