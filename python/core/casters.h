// Determines how pybind11 converts types of the C++ standard library, and keeps
// objects that nobody has constructed away from functions. Every file that
// binds functions includes it, so that all agree.

#ifndef TESSERA_PYTHON_CORE_CASTERS_H_
#define TESSERA_PYTHON_CORE_CASTERS_H_

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

namespace tessera::python {

// Rejects objects that __new__ has allocated but __init__ has not constructed:
// pybind11 would pass uninitialized memory. For classes that Python constructs:
//
//   namespace pybind11 {
//   namespace detail {
//   template <>
//   struct type_caster<Drawing> : tessera::python::ConstructedCaster<Drawing> {};
//   }  // namespace detail
//   }  // namespace pybind11
template <typename T>
struct ConstructedCaster : pybind11::detail::type_caster_base<T> {
  bool load(pybind11::handle source, bool convert) {
    if (pybind11::isinstance<T>(source)) {
      auto* const instance =
          reinterpret_cast<pybind11::detail::instance*>(source.ptr());
      if (!instance->get_value_and_holder().holder_constructed()) return false;
    }
    return pybind11::detail::type_caster_base<T>::load(source, convert);
  }
};

// Prevents Python from constructing objects of the class in any way.
template <typename Class>
Class& WithoutConstructor(Class& bound) {
  reinterpret_cast<PyTypeObject*>(bound.ptr())->tp_new = nullptr;
  return bound;
}

}  // namespace tessera::python

#endif  // TESSERA_PYTHON_CORE_CASTERS_H_
