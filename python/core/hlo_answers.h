// The questions about a whole dump: reports, peaks, differences, budgets, maps
// and pages. Answers are messages of the service, and their texts are those of
// the command line.

#ifndef TESSERA_PYTHON_CORE_HLO_ANSWERS_H_
#define TESSERA_PYTHON_CORE_HLO_ANSWERS_H_

#include <pybind11/pybind11.h>

namespace tessera::python {

void BindHloAnswers(pybind11::module_* module);

}  // namespace tessera::python

#endif  // TESSERA_PYTHON_CORE_HLO_ANSWERS_H_
