// An array with one stride per dimension, as in MLIR, NumPy and DLPack.
//
//   #include "tessera/strided/parse.h"
//
//   const StridedArray array =
//       *ParseStridedArray("f32[4,8] strides (64, 8) bytes");
//   array.strides;      // {16, 2}, in elements
//   array.ToString();   // "f32[4,8] strides (64, 8) bytes"
//   ToIndexMap(array)->LinearIndex({1, 2});                         // 20
//   ToIndexMap(array, PositionUnit::kBytes)->LinearIndex({1, 2});   // 80
//   ToIndexMap(array, PositionUnit::kBits)->LinearIndex({1, 2});    // 640
//
// Positions. An index lies at `offset` plus the sum of its entries times the
// strides, and position 0 is where the buffer begins: the pointer of a memref,
// the `data` of a DLTensor, the `buffer` of numpy.ndarray(buffer=, offset=).
// There are no positions before it. A reversed view therefore needs an offset:
// index 0 of a[::-1] lies at the end of the buffer, n - 1 elements from its
// beginning. NumPy's strides do not determine where index 0 lies. If its text
// does not have an offset, the buffer begins with the lowest element (parse.h).
//
// There may be gaps between strides. Strides may be 0, as in a broadcast, or
// overlap, as in a sliding window: then several indices share a position, and
// the map has kind kGeneral, without an inverse.
//
// An element takes whole bytes, at least one, as in NumPy and MLIR's memrefs:
// an s4 takes a byte.

#ifndef TESSERA_STRIDED_STRIDED_ARRAY_H_
#define TESSERA_STRIDED_STRIDED_ARRAY_H_

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tessera/base/text/value_type.h"
#include "tessera/index_map/index_map.h"
#include "tessera/index_map/position_unit.h"
#include "tessera/layout/primitive_type.h"

namespace tessera {

struct StridedArray {
  enum class Notation : uint8_t {
    kBytes,   // f32[4,8] strides (64, 8) bytes, offset 12 bytes
    kMemref,  // memref<4x8xf32, strided<[16, 2], offset: 3>>
  };

  int64_t rank() const { return static_cast<int64_t>(dimensions.size()); }
  // The bytes of one element.
  int64_t element_bytes() const { return ByteWidth(element_type); }
  // Returns whether each stride is the product of the dimensions after it, and
  // the offset is 0. False if there are not as many strides as dimensions.
  bool IsRowMajor() const;

  // Returns the canonical text in the array's notation, which reads as the same
  // value. Precondition: ValidateStridedArray accepts the array, as it accepts
  // every result of ParseStridedArray.
  std::string ToString() const;

  PrimitiveType element_type = F32;
  std::vector<int64_t> dimensions;
  std::vector<int64_t> strides;  // in elements, one per dimension
  int64_t offset = 0;            // in elements: where index 0 lies
  Notation notation = Notation::kBytes;

  // -- Only for memrefs ------------------------------------------------------

  // Whether a signed integer is written si32 and not i32.
  bool says_signed = false;
  // The memory space as written: "1 : i32", "#gpu.address_space<workgroup>"; ""
  // if there is none. It is not interpreted.
  std::string memory_space;

  friend bool operator==(const StridedArray& a, const StridedArray& b) {
    return a.Key() == b.Key();
  }
  friend bool operator!=(const StridedArray& a, const StridedArray& b) {
    return !(a == b);
  }
  template <typename H>
  friend H AbslHashValue(H h, const StridedArray& array) {
    return H::combine(std::move(h), array.Key());
  }

 private:
  std::tuple<PrimitiveType, const std::vector<int64_t>&,
             const std::vector<int64_t>&, int64_t, Notation, bool,
             const std::string&>
  Key() const {
    return {element_type, dimensions,  strides,     offset,
            notation,     says_signed, memory_space};
  }
};

// Returns MLIR's spelling of an element type, with or without the sign of
// signed integers: "f8E4M3FN", "i32", "si32", "complex<f32>"; "" if MLIR has no
// spelling for it.
std::string MlirTypeName(PrimitiveType type, bool says_signed);

// Returns the offset at which the lowest element lies at position 0; it is 0
// unless strides are negative. Returns nullopt if it exceeds 2^63-1, if there
// are not as many strides as dimensions, or if a dimension is negative.
std::optional<int64_t> LowestOffset(const StridedArray& array);

// Errors: kInvalidArgument if there are not as many strides as dimensions, if a
// dimension is negative, if the element type cannot be that of an array, or if
// the notation does not have a spelling for it; kOutOfRange if an element lies
// before the buffer, or if the bytes of the buffer, of a stride or of the
// offset, or the number of elements, exceed 2^63-1.
absl::Status ValidateStridedArray(const StridedArray& array);

// Returns the map from indices to positions. Errors: those of
// ValidateStridedArray; kOutOfRange if the buffer has more than 2^63-1
// positions in `unit`.
absl::StatusOr<IndexMap> ToIndexMap(
    const StridedArray& array, PositionUnit unit = PositionUnit::kElements);

}  // namespace tessera

TESSERA_DECLARE_VALUE(tessera, StridedArray);

#endif  // TESSERA_STRIDED_STRIDED_ARRAY_H_
