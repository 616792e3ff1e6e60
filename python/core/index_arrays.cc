#include "tessera/python/core/index_arrays.h"

#include <pybind11/numpy.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "tessera/any_layout/any_layout.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/index_map/batch_index_map.h"
#include "tessera/index_map/index_map.h"
#include "tessera/index_map/position_kind.h"
#include "tessera/python/core/casters.h"
#include "tessera/python/core/errors.h"

namespace tessera::python {
namespace {

using Index = absl::InlinedVector<int64_t, 8>;

[[noreturn]] void ThrowTypeError(const std::string& message) {
  throw py::type_error(message);
}

std::string StrOf(py::handle object) { return std::string(py::str(object)); }

std::string TypeName(py::handle object) {
  return StrOf(py::type::of(object).attr("__name__"));
}

// Returns the value of an int, or of an object with __index__, such as NumPy's
// integers.
int64_t IntegerOf(py::handle number) {
  int overflow = 0;
  PyObject* object = number.ptr();
  py::object converted;
  if (!PyLong_Check(object)) {
    if (!PyIndex_Check(object)) {
      ThrowTypeError(
          absl::StrCat("expected an integer, found ", TypeName(number)));
    }
    converted = py::reinterpret_steal<py::object>(PyNumber_Index(object));
    if (!converted) throw py::error_already_set();
    object = converted.ptr();
  }
  const int64_t value = PyLong_AsLongLongAndOverflow(object, &overflow);
  if (overflow != 0) {
    Throw(OutOfRangeError(StrOf(number), " is not within 64 bits"));
  }
  return value;
}

bool IsSequence(py::handle object) {
  return PyTuple_Check(object.ptr()) || PyList_Check(object.ptr());
}

// Whether arrays [a, a + bytes) and [b, b + bytes) share a byte.
bool Overlap(const py::array& a, const py::array& b) {
  const auto* const first = static_cast<const char*>(a.data());
  const auto* const second = static_cast<const char*>(b.data());
  return first < second + b.nbytes() && second < first + a.nbytes();
}

using ArrayShape = std::vector<py::ssize_t>;

// An array to write: `out`, or a new one.
template <typename Int>
py::array_t<Int> ArrayToWrite(py::handle out, const ArrayShape& shape) {
  if (out.is_none()) return py::array_t<Int>(shape);
  constexpr const char* kType = sizeof(Int) == 4 ? "int32" : "int64";
  if (!py::isinstance<py::array>(out)) {
    ThrowTypeError(
        absl::StrCat("out: expected an array, found ", TypeName(out)));
  }
  const auto array = py::reinterpret_borrow<py::array>(out);
  if (!py::isinstance<py::array_t<Int>>(array)) {
    ThrowTypeError(absl::StrCat("out: expected an array of ", kType, ", found ",
                                StrOf(array.dtype())));
  }
  const bool has_shape =
      ArrayShape(array.shape(), array.shape() + array.ndim()) == shape;
  if (!has_shape) {
    Throw(InvalidArgumentError("out: expected an array of shape ",
                               StrOf(py::tuple(py::cast(shape)))));
  }
  if ((array.flags() & py::array::c_style) == 0 || !array.writeable()) {
    Throw(absl::InvalidArgumentError(
        "out: expected a contiguous array that can be written"));
  }
  return py::reinterpret_borrow<py::array_t<Int>>(array);
}

void CheckApart(py::handle out, const py::array& read) {
  if (out.is_none()) return;
  if (Overlap(py::reinterpret_borrow<py::array>(out), read)) {
    Throw(absl::InvalidArgumentError("out: overlaps with what is read"));
  }
}

// Returns whether these integers are processed in 32 bits: they have that type,
// and the positions of the map fit.
bool Takes32Bits(const py::array& array, const BatchIndexMap& map,
                 py::handle out) {
  if (!py::isinstance<py::array_t<int32_t>>(array)) return false;
  return map.fits_32_bits() || !out.is_none();
}

// Returns the array with entries of that type in row-major order: the array
// itself if it already has them.
template <typename Int>
py::array_t<Int, py::array::c_style> Rows(const py::array& array) {
  const auto converted =
      py::array_t<Int, py::array::c_style | py::array::forcecast>::ensure(
          array);
  if (!converted) ThrowTypeError("expected an array of integers");
  return converted;
}

// Throws unless the entries are integers that fit 64 bits.
void CheckIntegers(const py::array& array) {
  const py::dtype type = array.dtype();
  const char kind = type.kind();
  if (kind == 'i' || (kind == 'u' && type.itemsize() < 8)) return;
  ThrowTypeError(
      absl::StrCat("expected an array of integers such as int64, "
                   "found one of ",
                   StrOf(type)));
}

template <typename Int>
py::object LinearIndicesOfRows(const BatchIndexMap& map, const py::array& array,
                               py::handle out) {
  const int64_t rank = map.map().rank();
  const ArrayShape shape(array.shape(), array.shape() + array.ndim() - 1);
  const auto written = ArrayToWrite<Int>(out, shape);
  const auto to = absl::MakeSpan(const_cast<Int*>(written.data()),
                                 static_cast<size_t>(written.size()));
  CheckApart(out, array);
  absl::Status status;
  // One column after the other, as after numpy.asfortranarray or a transpose.
  const bool is_by_columns = array.ndim() == 2 && rank > 1 &&
                             (array.flags() & py::array::c_style) == 0 &&
                             (array.flags() & py::array::f_style) != 0 &&
                             py::isinstance<py::array_t<Int>>(array);
  if (is_by_columns) {
    std::vector<const Int*> columns(rank);
    for (int64_t i = 0; i < rank; ++i) {
      columns[i] = static_cast<const Int*>(array.data()) + i * array.shape(0);
    }
    const py::gil_scoped_release release;
    status = map.LinearIndices(columns, to);
  } else {
    const auto rows = Rows<Int>(array);
    const auto from =
        absl::MakeConstSpan(rows.data(), static_cast<size_t>(rows.size()));
    const py::gil_scoped_release release;
    status = map.LinearIndicesOfRows(from, to);
  }
  ThrowIfError(status);
  return std::move(written);
}

// Returns the positions for an array of shape (..., rank).
py::object OfRows(const BatchIndexMap& map, const py::array& array,
                  py::handle out) {
  const int64_t rank = map.map().rank();
  if (array.ndim() == 0 || array.shape(array.ndim() - 1) != rank) {
    Throw(InvalidArgumentError(
        "expected an array of shape (..., ", rank,
        "), one entry for each dimension, found one of shape ",
        StrOf(array.attr("shape")),
        "; give a tuple of arrays for one array for each dimension"));
  }
  CheckIntegers(array);
  if (array.ndim() == 1 && out.is_none()) {
    const auto entries = Rows<int64_t>(array);
    return py::int_(ValueOrThrow(map.map().LinearIndex(absl::MakeConstSpan(
        entries.data(), static_cast<size_t>(entries.size())))));
  }
  return Takes32Bits(array, map, out)
             ? LinearIndicesOfRows<int32_t>(map, array, out)
             : LinearIndicesOfRows<int64_t>(map, array, out);
}

template <typename Int>
py::object LinearIndicesOf(const BatchIndexMap& map,
                           const std::vector<py::array>& arrays,
                           py::handle out) {
  const py::array& first = arrays[0];
  const ArrayShape shape(first.shape(), first.shape() + first.ndim());
  const auto written = ArrayToWrite<Int>(out, shape);
  std::vector<py::array_t<Int, py::array::c_style>> kept;
  std::vector<const Int*> coordinates;
  for (const py::array& array : arrays) {
    CheckApart(out, array);
    kept.push_back(Rows<Int>(array));
    coordinates.push_back(kept.back().data());
  }
  absl::Status status;
  {
    const auto to = absl::MakeSpan(const_cast<Int*>(written.data()),
                                   static_cast<size_t>(written.size()));
    const py::gil_scoped_release release;
    status = map.LinearIndices(coordinates, to);
  }
  ThrowIfError(status);
  return std::move(written);
}

// Returns the positions for one array per dimension, some of which may be
// integers.
py::object OfColumns(const BatchIndexMap& map, py::handle sequence,
                     py::handle out) {
  const int64_t rank = map.map().rank();
  const auto columns = py::reinterpret_borrow<py::sequence>(sequence);
  if (static_cast<int64_t>(columns.size()) != rank) {
    Throw(InvalidArgumentError("expected ", rank,
                               " arrays, one for each dimension, found ",
                               columns.size()));
  }
  // Broadcasts all to one shape, as in a sum of arrays.
  const py::module_ numpy = py::module_::import("numpy");
  const py::list same =
      py::list(numpy.attr("broadcast_arrays")(*py::tuple(columns)));
  std::vector<py::array> arrays;
  bool is_32 = true;
  for (const py::handle column : same) {
    arrays.push_back(py::reinterpret_borrow<py::array>(column));
    CheckIntegers(arrays.back());
    is_32 = is_32 && Takes32Bits(arrays.back(), map, out);
  }
  return is_32 ? LinearIndicesOf<int32_t>(map, arrays, out)
               : LinearIndicesOf<int64_t>(map, arrays, out);
}

bool HasArray(py::handle sequence) {
  for (const py::handle entry :
       py::reinterpret_borrow<py::sequence>(sequence)) {
    if (py::isinstance<py::array>(entry) &&
        py::reinterpret_borrow<py::array>(entry).ndim() > 0) {
      return true;
    }
  }
  return false;
}

// Returns an array, or NumPy's conversion to one.
py::array ArrayOf(py::handle object) {
  const py::array array = py::array::ensure(object);
  if (!array) {
    ThrowTypeError(absl::StrCat(
        "expected integers, or an array of them, found ", TypeName(object)));
  }
  return array;
}

py::array PositionArray(py::handle positions) {
  const py::array array = ArrayOf(positions);
  CheckIntegers(array);
  return array;
}

bool IsInteger(py::handle object) {
  return PyLong_Check(object.ptr()) ||
         (PyIndex_Check(object.ptr()) && !py::isinstance<py::array>(object));
}

PositionKind Refined(const LayoutHandle& layout, PositionUnit unit,
                     int64_t position, PositionKind kind) {
  return kind == PositionKind::kElement
             ? kind
             : RefineKind(layout.layout(), unit, position, kind);
}

// Writes -1 into the rows of positions that are not elements.
template <typename Int>
void MarkPadding(const PositionKind* kinds, size_t count, int64_t rank,
                 Int* rows) {
  static_assert(sizeof(PositionKind) == 1, "kinds are compared as bytes");
  constexpr size_t kStride = 512;
  for (size_t begin = 0; begin < count; begin += kStride) {
    const size_t size = std::min(kStride, count - begin);
    const PositionKind* const some = kinds + begin;
    // Nearly always all of them are elements: the first is one, and each is as
    // the one before it.
    if (some[0] == PositionKind::kElement &&
        std::memcmp(some, some + 1, size - 1) == 0) {
      continue;
    }
    for (size_t i = 0; i < size; ++i) {
      if (some[i] == PositionKind::kElement) continue;
      std::fill_n(rows + (begin + i) * rank, rank, Int{-1});
    }
  }
}

// One block at a time, so that kinds stay in the cache. Smaller blocks would
// take longer per position.
template <typename Int>
absl::Status ReadIndices(const BatchIndexMap& map,
                         absl::Span<const Int> positions, Int* rows) {
  constexpr size_t kBlock = size_t{1} << 16;
  const int64_t rank = map.map().rank();
  std::array<PositionKind, kBlock> kinds;
  for (size_t i = 0; i < positions.size(); i += kBlock) {
    const size_t count = std::min(kBlock, positions.size() - i);
    const absl::Status status = map.MultidimensionalIndicesAsRows(
        positions.subspan(i, count),
        absl::MakeSpan(rows + i * rank, count * rank),
        absl::MakeSpan(kinds.data(), count));
    if (!status.ok()) {
      // The message counts from the first of all.
      std::vector<PositionKind> all(positions.size());
      return map.MultidimensionalIndicesAsRows(
          positions, absl::MakeSpan(rows, positions.size() * rank),
          absl::MakeSpan(all));
    }
    MarkPadding(kinds.data(), count, rank, rows + i * rank);
  }
  return absl::OkStatus();
}

template <typename Int>
py::object IndicesOf(const BatchIndexMap& map, const py::array& positions,
                     py::handle out) {
  ArrayShape shape(positions.shape(), positions.shape() + positions.ndim());
  shape.push_back(map.map().rank());
  const auto written = ArrayToWrite<Int>(out, shape);
  CheckApart(out, positions);
  const auto read = Rows<Int>(positions);
  absl::Status status;
  {
    const auto from =
        absl::MakeConstSpan(read.data(), static_cast<size_t>(read.size()));
    Int* const rows = const_cast<Int*>(written.data());
    const py::gil_scoped_release release;
    status = ReadIndices(map, from, rows);
  }
  ThrowIfError(status);
  return std::move(written);
}

}  // namespace

py::object LinearIndex(const LayoutHandle& layout, py::handle index,
                       PositionUnit unit, py::handle out) {
  const BatchIndexMap& map = layout.batches(unit);
  if (!IsSequence(index)) {
    if (!py::isinstance<py::array>(index)) {
      // A layout of one dimension takes an integer, too.
      if (!IsInteger(index)) {
        ThrowTypeError(
            absl::StrCat("expected a tuple of integers or an array, found ",
                         TypeName(index)));
      }
      return py::int_(ValueOrThrow(map.map().LinearIndex({IntegerOf(index)})));
    }
    return OfRows(map, py::reinterpret_borrow<py::array>(index), out);
  }
  // A list may change while __index__ of an entry runs.
  const auto entries =
      py::reinterpret_borrow<py::object>(index).cast<py::tuple>();
  Index integers;
  for (const py::handle entry : entries) {
    if (!PyLong_Check(entry.ptr())) {
      if (HasArray(entries)) return OfColumns(map, entries, out);
      // For example a list of indices.
      if (IsSequence(entry)) {
        return OfRows(map, ArrayOf(entries), out);
      }
    }
    integers.push_back(IntegerOf(entry));
  }
  return py::int_(ValueOrThrow(map.map().LinearIndex(integers)));
}

py::object IndexOf(const LayoutHandle& layout, py::handle positions,
                   PositionUnit unit, py::handle out) {
  const BatchIndexMap& map = layout.batches(unit);
  if (IsInteger(positions)) {
    Index index(map.map().rank());
    const PositionKind kind = ValueOrThrow(map.map().MultidimensionalIndex(
        IntegerOf(positions), absl::MakeSpan(index)));
    if (kind != PositionKind::kElement) return py::none();
    py::tuple result(index.size());
    for (size_t i = 0; i < index.size(); ++i) result[i] = py::int_(index[i]);
    return std::move(result);
  }
  const py::array array = PositionArray(positions);
  return Takes32Bits(array, map, out) ? IndicesOf<int32_t>(map, array, out)
                                      : IndicesOf<int64_t>(map, array, out);
}

py::object KindOf(const LayoutHandle& layout, py::handle positions,
                  PositionUnit unit) {
  const BatchIndexMap& map = layout.batches(unit);
  const int64_t rank = map.map().rank();
  if (IsInteger(positions)) {
    Index index(rank);
    const int64_t position = IntegerOf(positions);
    const PositionKind kind = ValueOrThrow(
        map.map().MultidimensionalIndex(position, absl::MakeSpan(index)));
    return py::int_(static_cast<int>(Refined(layout, unit, position, kind)));
  }
  const py::array array = PositionArray(positions);
  const auto read = Rows<int64_t>(array);
  py::array_t<uint8_t> kinds(
      ArrayShape(array.shape(), array.shape() + array.ndim()));
  absl::Status status;
  {
    const size_t count = read.size();
    const int64_t* const from = read.data();
    auto* const to = reinterpret_cast<PositionKind*>(kinds.mutable_data());
    const py::gil_scoped_release release;
    std::vector<int64_t> rows(count * rank);
    status = map.MultidimensionalIndicesAsRows(absl::MakeConstSpan(from, count),
                                               absl::MakeSpan(rows),
                                               absl::MakeSpan(to, count));
    for (size_t i = 0; status.ok() && i < count; ++i) {
      to[i] = Refined(layout, unit, from[i], to[i]);
    }
  }
  ThrowIfError(status);
  return std::move(kinds);
}

}  // namespace tessera::python
