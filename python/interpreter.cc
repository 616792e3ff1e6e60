// A Python interpreter like `python3`, with the extension module tessera._core
// built in.

#include <Python.h>

#include "tessera/python/built_in_core.h"

int main(int argc, char** argv) {
  if (!tessera::python::InitializePython(argc, argv)) return 1;
  return Py_RunMain();
}
