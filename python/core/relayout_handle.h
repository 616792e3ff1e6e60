// The class tessera._core.RelayoutPlan, and arrays of NumPy and DLPack as
// layouts.

#ifndef TESSERA_PYTHON_CORE_RELAYOUT_HANDLE_H_
#define TESSERA_PYTHON_CORE_RELAYOUT_HANDLE_H_

#include <pybind11/pybind11.h>

namespace tessera::python {

void BindRelayout(pybind11::module_* module);

}  // namespace tessera::python

#endif  // TESSERA_PYTHON_CORE_RELAYOUT_HANDLE_H_
