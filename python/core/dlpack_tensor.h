// Tensors of DLPack, whatever their element type: NumPy refuses bfloat16.

#ifndef TESSERA_PYTHON_CORE_DLPACK_TENSOR_H_
#define TESSERA_PYTHON_CORE_DLPACK_TENSOR_H_

#include <pybind11/pybind11.h>

namespace tessera::python {

void BindDlpack(pybind11::module_* module);

}  // namespace tessera::python

#endif  // TESSERA_PYTHON_CORE_DLPACK_TENSOR_H_
