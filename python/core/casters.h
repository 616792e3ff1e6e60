// File: python/core/casters.h
//
// How pybind11 converts what the C++ standard library and Abseil have. Every
// file that binds functions includes it, so that all agree.

#ifndef TESSERA_PYTHON_CORE_CASTERS_H_
#define TESSERA_PYTHON_CORE_CASTERS_H_

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "absl/base/config.h"
#include "absl/types/optional.h"

// Elsewhere it is std::optional, which pybind11 knows.
#if !defined(ABSL_USES_STD_OPTIONAL)
namespace pybind11 {
namespace detail {

template <typename T>
struct type_caster<absl::optional<T>> : optional_caster<absl::optional<T>> {};

}  // namespace detail
}  // namespace pybind11
#endif

#endif  // TESSERA_PYTHON_CORE_CASTERS_H_
