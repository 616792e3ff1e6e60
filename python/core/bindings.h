// The parts of tessera._core. Each function adds a part to the module.

#ifndef TESSERA_PYTHON_CORE_BINDINGS_H_
#define TESSERA_PYTHON_CORE_BINDINGS_H_

#include <pybind11/pybind11.h>

namespace tessera::python {

// Tensors of DLPack, whatever their element type: NumPy refuses bfloat16.
void BindDlpack(pybind11::module_* module);
// The questions about a whole dump: reports, peaks, differences, budgets, maps
// and pages. The answers are messages of the service, and their texts are the
// same as those of the command line.
void BindHloAnswers(pybind11::module_* module);
// Pictures of layouts, as text and as SVG.
void BindPictures(pybind11::module_* module);
// The class RelayoutPlan, and arrays of NumPy and DLPack as layouts.
void BindRelayout(pybind11::module_* module);

}  // namespace tessera::python

#endif  // TESSERA_PYTHON_CORE_BINDINGS_H_
