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
// Arrays of int32 and int64 are read in place if their entries are contiguous.
// The result has the same type, or int64 if positions do not fit int32. The
// result is written to `out`, unless it is None, and `out` is returned.
//
// Throws tessera.Error for an index that is not within the bounds, TypeError
// for an object that is not an index.
pybind11::object LinearIndex(const LayoutHandle& layout, pybind11::handle index,
                             PositionUnit unit, pybind11::handle out);

// Returns the indices of the elements at `positions`: for an int, the index as
// a tuple, or None for padding; for an array of shape (...), an array of shape
// (..., rank), with -1 in the rows of padding.
pybind11::object IndexOf(const LayoutHandle& layout, pybind11::handle positions,
                         PositionUnit unit, pybind11::handle out);

// Returns the numbers of tessera.PositionKind: for an int, an int; for an
// array, an array of uint8 of the same shape.
pybind11::object KindOf(const LayoutHandle& layout, pybind11::handle positions,
                        PositionUnit unit);

}  // namespace tessera::python

#endif  // TESSERA_PYTHON_CORE_INDEX_ARRAYS_H_
