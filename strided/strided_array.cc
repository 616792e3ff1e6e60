#include "tessera/strided/strided_array.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <ostream>
#include <string_view>
#include <utility>

#include "absl/hash/hash.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/value_type.h"
#include "tessera/index_map/index_map_builder.h"

namespace tessera {
namespace {

// The distance in elements to the lowest and the highest element, from index 0.
struct Reach {
  int64_t before = 0;
  int64_t past = 0;
};

bool HasElements(const StridedArray& array) {
  for (const int64_t dimension : array.dimensions) {
    if (dimension == 0) return false;
  }
  return true;
}

std::optional<Reach> ReachOf(const StridedArray& array) {
  Reach reach;
  if (!HasElements(array)) return reach;
  for (size_t i = 0; i < array.strides.size(); ++i) {
    const int64_t stride = array.strides[i];
    const std::optional<int64_t> distance =
        CheckedMultiply(array.dimensions[i] - 1, stride);
    if (!distance.has_value() ||
        *distance == std::numeric_limits<int64_t>::min()) {
      return std::nullopt;
    }
    int64_t& side = *distance < 0 ? reach.before : reach.past;
    const std::optional<int64_t> sum =
        CheckedAdd(side, *distance < 0 ? -*distance : *distance);
    if (!sum.has_value()) return std::nullopt;
    side = *sum;
  }
  return reach;
}

bool FitsInBytes(int64_t elements, int64_t element_bytes) {
  const std::optional<int64_t> bytes = CheckedMultiply(elements, element_bytes);
  // -2^63 is rejected too: the parser reads a sign and a number up to 2^63-1.
  return bytes.has_value() && *bytes != std::numeric_limits<int64_t>::min();
}

std::string BytesText(const StridedArray& array) {
  std::vector<int64_t> bytes = array.strides;
  for (int64_t& stride : bytes) stride *= array.element_bytes();
  std::string text = StrCat(PrimitiveTypeName(array.element_type), "[",
                            absl::StrJoin(array.dimensions, ","), "] strides (",
                            absl::StrJoin(bytes, ", "), ") bytes");
  if (array.offset != 0) {
    absl::StrAppend(&text, ", offset ", array.offset * array.element_bytes(),
                    " bytes");
  }
  return text;
}

std::string MemrefText(const StridedArray& array) {
  std::string text = "memref<";
  for (const int64_t dimension : array.dimensions) {
    absl::StrAppend(&text, dimension, "x");
  }
  absl::StrAppend(&text, MlirTypeName(array.element_type, array.says_signed));
  if (!array.IsRowMajor()) {
    absl::StrAppend(&text, ", strided<[", absl::StrJoin(array.strides, ", "),
                    "]");
    if (array.offset != 0) absl::StrAppend(&text, ", offset: ", array.offset);
    absl::StrAppend(&text, ">");
  }
  if (!array.memory_space.empty()) {
    absl::StrAppend(&text, ", ", array.memory_space);
  }
  return absl::StrCat(text, ">");
}

}  // namespace

bool StridedArray::IsRowMajor() const {
  if (strides.size() != dimensions.size()) return false;
  std::optional<int64_t> stride = 1;
  for (size_t i = dimensions.size(); i-- > 0;) {
    if (strides[i] != stride) return false;
    stride = CheckedMultiply(*stride, dimensions[i]);
  }
  return offset == 0;
}

std::string StridedArray::ToString() const {
  return notation == Notation::kMemref ? MemrefText(*this) : BytesText(*this);
}

std::string MlirTypeName(PrimitiveType type, bool says_signed) {
  if (type == PRED) return "i1";
  const std::string_view name = PrimitiveTypeName(type);
  if (IsComplexType(type)) {
    return absl::StrCat("complex<f", BitWidth(type) / 2, ">");
  }
  if (IsUnsignedIntegralType(type)) {
    return StrCat("ui", name.substr(1));
  }
  if (IsIntegralType(type)) {
    // MLIR's i1 is a truth value, PRED.
    if (type == S1 && !says_signed) return "";
    return StrCat(says_signed ? "si" : "i", name.substr(1));
  }
  if (!IsFloatingPointType(type)) return "";
  // f8e4m3fn is f8E4M3FN.
  std::string mlir(name);
  bool is_behind_digit = false;
  for (char& c : mlir) {
    if (is_behind_digit) c = absl::ascii_toupper(c);
    is_behind_digit = is_behind_digit || absl::ascii_isdigit(c);
  }
  return mlir;
}

std::optional<int64_t> LowestOffset(const StridedArray& array) {
  const bool is_negative =
      std::any_of(array.dimensions.begin(), array.dimensions.end(),
                  [](int64_t dimension) { return dimension < 0; });
  if (is_negative || array.strides.size() != array.dimensions.size()) {
    return std::nullopt;
  }
  const std::optional<Reach> reach = ReachOf(array);
  if (!reach.has_value()) return std::nullopt;
  return reach->before;
}

absl::Status ValidateStridedArray(const StridedArray& array) {
  const std::string_view type = PrimitiveTypeName(array.element_type);
  if (!IsArrayType(array.element_type)) {
    return InvalidArgumentError("no array has elements of ", type);
  }
  if (array.notation == StridedArray::Notation::kMemref &&
      MlirTypeName(array.element_type, array.says_signed).empty()) {
    return InvalidArgumentError("a memref has no elements of ", type);
  }
  if (array.strides.size() != array.dimensions.size()) {
    return InvalidArgumentError("expected a stride for each of ",
                                array.dimensions.size(), " dimensions, found ",
                                array.strides.size());
  }
  for (size_t i = 0; i < array.dimensions.size(); ++i) {
    if (array.dimensions[i] < 0) {
      return InvalidArgumentError("dimension ", i,
                                  " is negative: ", array.dimensions[i]);
    }
  }
  const int64_t element_bytes = array.element_bytes();
  for (size_t i = 0; i < array.strides.size(); ++i) {
    if (!FitsInBytes(array.strides[i], element_bytes)) {
      return OutOfRangeError("stride ", i, ", ", array.strides[i],
                             " elements of ", element_bytes,
                             " bytes, exceeds 2^63-1 bytes");
    }
  }
  if (!FitsInBytes(array.offset, element_bytes)) {
    return OutOfRangeError("the offset, ", array.offset, " elements of ",
                           element_bytes, " bytes, exceeds 2^63-1 bytes");
  }
  if (!CheckedProduct(array.dimensions).has_value()) {
    return OutOfRangeError("the product of the dimensions, ",
                           absl::StrJoin(array.dimensions, " x "),
                           ", exceeds 2^63-1");
  }
  const std::optional<Reach> reach = ReachOf(array);
  if (!reach.has_value()) {
    return absl::OutOfRangeError("the strides reach further than 2^63-1");
  }
  if (!HasElements(array)) return absl::OkStatus();
  if (array.offset < reach->before) {
    const bool is_memref = array.notation == StridedArray::Notation::kMemref;
    const int64_t unit = is_memref ? 1 : element_bytes;
    const std::string needed = FitsInBytes(reach->before, element_bytes)
                                   ? absl::StrCat(reach->before * unit)
                                   : "more than 2^63-1";
    return OutOfRangeError(
        "the lowest element lies before the buffer: with these "
        "strides the offset must be at least ",
        needed, is_memref ? "" : " bytes", ", and it is ", array.offset * unit);
  }
  const std::optional<int64_t> last = CheckedAdd(array.offset, reach->past);
  const std::optional<int64_t> positions =
      last.has_value() ? CheckedAdd(*last, 1) : std::nullopt;
  if (!positions.has_value() ||
      !CheckedMultiply(*positions, element_bytes).has_value()) {
    return absl::OutOfRangeError("the buffer exceeds 2^63-1 bytes");
  }
  return absl::OkStatus();
}

absl::StatusOr<IndexMap> ToIndexMap(const StridedArray& array,
                                    PositionUnit unit) {
  TESSERA_RETURN_IF_ERROR(ValidateStridedArray(array));
  IndexMap::Builder builder(array.dimensions);
  std::vector<IndexMap::Builder::StridedCoordinate> coordinates;
  for (int64_t i = 0; i < array.rank(); ++i) {
    coordinates.push_back({builder.Dimension(i), array.strides[i]});
  }
  absl::StatusOr<IndexMap> map =
      std::move(builder).BuildStrided(coordinates, array.offset);
  if (!map.ok() || unit == PositionUnit::kElements) return map;
  const int64_t bytes = array.element_bytes();
  return map->Scaled(unit == PositionUnit::kBits ? 8 * bytes : bytes, 0);
}

}  // namespace tessera

TESSERA_DEFINE_VALUE(tessera, StridedArray)
