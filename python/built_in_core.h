// Starts a Python whose package tessera has its extension module built in.
//
//   if (!InitializePython(argc, argv)) return 1;
//   return Py_RunMain();   // as python3 would
//
// The package around the module is found on PYTHONPATH.

#ifndef TESSERA_PYTHON_BUILT_IN_CORE_H_
#define TESSERA_PYTHON_BUILT_IN_CORE_H_

namespace tessera::python {

// Returns false if the module cannot be made, after Python's message; exits if
// the arguments are not those of Python.
bool InitializePython(int argc, char** argv);

}  // namespace tessera::python

#endif  // TESSERA_PYTHON_BUILT_IN_CORE_H_
