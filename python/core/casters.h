// Determines how pybind11 converts types of the C++ standard library, and keeps
// objects that nobody has constructed away from functions. Every file that
// binds functions includes it, so that all agree.

#ifndef TESSERA_PYTHON_CORE_CASTERS_H_
#define TESSERA_PYTHON_CORE_CASTERS_H_

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <type_traits>

namespace tessera::python {

// Whether Python constructs objects of the class. Those that __new__ has
// allocated but __init__ has not constructed are then rejected: pybind11 would
// pass uninitialized memory.
//
//   template <>
//   inline constexpr bool kIsConstructed<Drawing> = true;
template <typename T>
inline constexpr bool kIsConstructed = false;

// Prevents Python from constructing objects of the class in any way.
template <typename Class>
Class& WithoutConstructor(Class& bound) {
  reinterpret_cast<PyTypeObject*>(bound.ptr())->tp_new = nullptr;
  return bound;
}

}  // namespace tessera::python

namespace pybind11 {
namespace detail {

template <typename T>
struct type_caster<T, std::enable_if_t<tessera::python::kIsConstructed<T>>>
    : type_caster_base<T> {
  bool load(handle source, bool convert) {
    if (isinstance<T>(source)) {
      auto* const object = reinterpret_cast<instance*>(source.ptr());
      if (!object->get_value_and_holder().holder_constructed()) return false;
    }
    return type_caster_base<T>::load(source, convert);
  }
};

}  // namespace detail
}  // namespace pybind11

#endif  // TESSERA_PYTHON_CORE_CASTERS_H_
