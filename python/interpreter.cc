// A Python interpreter like `python3`, with the extension module tessera._core
// built in.

#include <Python.h>

#include "tessera/python/built_in_core.h"

#ifdef TESSERA_SANITIZER
// LeakSanitizer looks for this name. Python and Debian's modules, such as
// NumPy, leave memory at their exit.
extern "C" const char* __lsan_default_suppressions() {
  return "leak:libpython3\nleak:_PyRuntime\nleak:dist-packages\n";
}
#endif

int main(int argc, char** argv) {
  if (!tessera::python::InitializePython(argc, argv)) return 1;
  return Py_RunMain();
}
