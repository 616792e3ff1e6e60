#include <dlpack/dlpack.h>
#include <pybind11/numpy.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/layout/primitive_type.h"
#include "tessera/python/core/bindings.h"
#include "tessera/python/core/errors.h"

namespace tessera::python {
namespace {

constexpr char kFresh[] = "dltensor";
constexpr char kUsed[] = "used_dltensor";

// Element types by DLPack's code and bits. Debian's dlpack.h ends at kDLBfloat;
// the codes past it are those of DLPack 1.1.
struct TypeCode {
  PrimitiveType type;
  uint8_t code;
  uint8_t bits;
};
constexpr TypeCode kTypeCodes[] = {
    {S8, kDLInt, 8},       {S16, kDLInt, 16},       {S32, kDLInt, 32},
    {S64, kDLInt, 64},     {U8, kDLUInt, 8},        {U16, kDLUInt, 16},
    {U32, kDLUInt, 32},    {U64, kDLUInt, 64},      {F16, kDLFloat, 16},
    {F32, kDLFloat, 32},   {F64, kDLFloat, 64},     {BF16, kDLBfloat, 16},
    {C64, kDLComplex, 64}, {C128, kDLComplex, 128}, {PRED, 6, 8},
    {F8E3M4, 7, 8},        {F8E4M3, 8, 8},          {F8E4M3B11FNUZ, 9, 8},
    {F8E4M3FN, 10, 8},     {F8E4M3FNUZ, 11, 8},     {F8E5M2, 12, 8},
    {F8E5M2FNUZ, 13, 8},   {F8E8M0FNU, 14, 8},
};

PrimitiveType TypeOf(DLDataType type) {
  for (const TypeCode& code : kTypeCodes) {
    if (code.code == type.code && code.bits == type.bits && type.lanes == 1) {
      return code.type;
    }
  }
  Throw(UnimplementedError("there is no element type for DLPack's code ",
                           type.code, " of ", type.bits, " bits and ",
                           type.lanes, " lanes"));
}

// Returns the tensor in the capsule as an array whose entries are raw bytes,
// and the name of its element type.
py::tuple FromCapsule(const py::capsule& capsule) {
  if (std::string(capsule.name() == nullptr ? "" : capsule.name()) != kFresh) {
    Throw(absl::InvalidArgumentError(
        "expected a DLPack capsule that is not consumed yet"));
  }
  auto* const managed = capsule.get_pointer<DLManagedTensor>();
  const DLTensor& tensor = managed->dl_tensor;
  if (tensor.device.device_type != kDLCPU) {
    Throw(InvalidArgumentError(
        "the tensor is not in the memory of the host, but on device type ",
        static_cast<int>(tensor.device.device_type)));
  }
  const PrimitiveType type = TypeOf(tensor.dtype);
  const int64_t item = tensor.dtype.bits / 8;
  std::vector<py::ssize_t> shape(tensor.shape, tensor.shape + tensor.ndim);
  std::vector<py::ssize_t> strides(tensor.ndim);
  int64_t dense = item;
  for (int i = tensor.ndim - 1; i >= 0; --i) {
    strides[i] = tensor.strides == nullptr ? dense : tensor.strides[i] * item;
    dense *= shape[i];
  }
  if (PyCapsule_SetName(capsule.ptr(), kUsed) != 0) {
    throw py::error_already_set();
  }
  const py::capsule owner(managed, [](void* pointer) {
    auto* const owned = static_cast<DLManagedTensor*>(pointer);
    if (owned->deleter != nullptr) owned->deleter(owned);
  });
  const py::array array(
      py::dtype(absl::StrCat("V", item)), std::move(shape), std::move(strides),
      static_cast<const char*>(tensor.data) + tensor.byte_offset, owner);
  return py::make_tuple(array, Text(PrimitiveTypeName(type)));
}

// A tensor that keeps the array alive.
struct Exported {
  DLManagedTensor managed;
  std::vector<int64_t> shape;
  std::vector<int64_t> strides;
  py::array array;
};

void DeleteExported(DLManagedTensor* managed) {
  // The consumer may release the tensor on any thread.
  const py::gil_scoped_acquire acquire;
  delete static_cast<Exported*>(managed->manager_ctx);
}

py::capsule ToCapsule(const py::array& array, const std::string& element_type) {
  const std::optional<PrimitiveType> type = PrimitiveTypeFromName(element_type);
  const TypeCode* found = nullptr;
  for (const TypeCode& code : kTypeCodes) {
    if (type == code.type) found = &code;
  }
  if (found == nullptr || found->bits / 8 != array.itemsize()) {
    Throw(InvalidArgumentError("DLPack has no elements of type ", element_type,
                               " of ", array.itemsize(), " bytes"));
  }
  auto exported = std::make_unique<Exported>();
  exported->array = array;
  for (py::ssize_t i = 0; i < array.ndim(); ++i) {
    if (array.strides(i) % array.itemsize() != 0) {
      Throw(absl::InvalidArgumentError(
          "strides are not multiples of the size of an element"));
    }
    exported->shape.push_back(array.shape(i));
    exported->strides.push_back(array.strides(i) / array.itemsize());
  }
  DLTensor& tensor = exported->managed.dl_tensor;
  tensor.data = const_cast<void*>(array.data());
  tensor.device = {kDLCPU, 0};
  tensor.ndim = static_cast<int>(array.ndim());
  tensor.dtype = {found->code, found->bits, 1};
  tensor.shape = exported->shape.data();
  tensor.strides = exported->strides.data();
  tensor.byte_offset = 0;
  exported->managed.manager_ctx = exported.get();
  exported->managed.deleter = &DeleteExported;
  const py::capsule capsule(&exported->managed, kFresh, [](PyObject* object) {
    // The tensor was not consumed.
    if (!PyCapsule_IsValid(object, kFresh)) return;
    auto* const managed =
        static_cast<DLManagedTensor*>(PyCapsule_GetPointer(object, kFresh));
    managed->deleter(managed);
  });
  exported.release();
  return capsule;
}

}  // namespace

void BindDlpack(py::module_* module) {
  module->def("from_dlpack", &FromCapsule, py::arg("capsule"));
  module->def("to_dlpack", &ToCapsule, py::arg("array"),
              py::arg("element_type"));
}

}  // namespace tessera::python
