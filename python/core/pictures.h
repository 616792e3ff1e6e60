// Pictures of layouts, as text and as SVG.

#ifndef TESSERA_PYTHON_CORE_PICTURES_H_
#define TESSERA_PYTHON_CORE_PICTURES_H_

#include <pybind11/pybind11.h>

namespace tessera::python {

void BindPictures(pybind11::module_* module);

}  // namespace tessera::python

#endif  // TESSERA_PYTHON_CORE_PICTURES_H_
