// Pictures of layouts, as text and as SVG.

#ifndef TESSERA_PYTHON_CORE_PICTURES_H_
#define TESSERA_PYTHON_CORE_PICTURES_H_

#include <pybind11/pybind11.h>

namespace tessera {
namespace python {

void BindPictures(pybind11::module_* module);

}  // namespace python
}  // namespace tessera

#endif  // TESSERA_PYTHON_CORE_PICTURES_H_
