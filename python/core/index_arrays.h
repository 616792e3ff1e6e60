// Python's indices and positions: tuples of integers, and NumPy arrays of
// millions.

#ifndef TESSERA_PYTHON_CORE_INDEX_ARRAYS_H_
#define TESSERA_PYTHON_CORE_INDEX_ARRAYS_H_

#include <pybind11/pybind11.h>

#include "tessera/index_map/position_unit.h"
#include "tessera/python/core/layout_handle.h"

namespace tessera::python {

// Returns where the elements at `index` lie, in positions of `unit`:
//
//   a tuple or list of rank integers     an int
//   a tuple or list of rank arrays       an array of their shape
//   an array of shape (..., rank)        an array of shape (...)
//
// Arrays of int32 and int64 are read in place where their entries are
// contiguous, and give an array of their type; int32 gives int64 where
// positions do not fit it. The result is written to `out`, unless it is None,
// and `out` is returned.
//
// Throws tessera.Error for an index that is not within the bounds, TypeError
// for an object that is not an index.
pybind11::object LinearIndex(const LayoutHandle& layout, pybind11::handle index,
                             PositionUnit unit, pybind11::handle out);

// Returns what lies at `positions`: of an int the index as a tuple, or None for
// padding; of an array of shape (...) an array of shape (..., rank), with -1 in
// the rows of padding.
pybind11::object IndexOf(const LayoutHandle& layout, pybind11::handle positions,
                         PositionUnit unit, pybind11::handle out);

// Returns the numbers of tessera.PositionKind: of an int an int, of an array an
// array of uint8 of its shape.
pybind11::object KindOf(const LayoutHandle& layout, pybind11::handle positions,
                        PositionUnit unit);

}  // namespace tessera::python

#endif  // TESSERA_PYTHON_CORE_INDEX_ARRAYS_H_
