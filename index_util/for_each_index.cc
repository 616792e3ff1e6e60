#include "tessera/index_util/for_each_index.h"

#include <optional>

#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/index_util/index_util.h"
#include "tessera/index_util/to_index_map.h"
#include "tessera/layout/primitive_type.h"
#include "tessera/shape/shape_utilities.h"

namespace tessera {
namespace {

using Numbers = absl::InlinedVector<int64_t, 6>;

absl::Status CheckRange(const Shape& shape, absl::Span<const int64_t> base,
                        absl::Span<const int64_t> count,
                        absl::Span<const int64_t> increment) {
  for (absl::Span<const int64_t> numbers : {base, count, increment}) {
    if (static_cast<int64_t>(numbers.size()) != shape.rank()) {
      return InvalidArgumentError("base, count and increment have ",
                                  base.size(), ", ", count.size(), " and ",
                                  increment.size(),
                                  " entries, but the number of dimensions "
                                  "of ",
                                  shape.ToString(), " is ", shape.rank());
    }
  }
  for (int64_t i = 0; i < shape.rank(); ++i) {
    if (increment[i] < 1) {
      return InvalidArgumentError("increment[", i, "] = ", increment[i],
                                  " is not positive");
    }
    const int64_t bound = shape.dimensions(i);
    if (base[i] < 0 || base[i] > bound || count[i] < 0 ||
        count[i] > bound - base[i]) {
      return OutOfRangeError("base[", i, "] = ", base[i], " and count[", i,
                             "] = ", count[i], " reach outside [0, ", bound,
                             ")");
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<Numbers> StridesOfBytes(const Shape& shape, int64_t width) {
  if (absl::Status status = CheckOrderedArray(shape); !status.ok())
    return status;
  Numbers strides;
  for (int64_t i = 0; i < shape.rank(); ++i) {
    TESSERA_ASSIGN_OR_RETURN(int64_t stride,
                             IndexUtil::GetDimensionStride(shape, i));
    const std::optional<int64_t> bytes = CheckedMultiply(stride, width);
    if (!bytes.has_value()) {
      return OutOfRangeError("the stride of dimension ", i, " of ",
                             shape.ToString(), ", ", stride, " x ", width,
                             " bytes, exceeds 2^63-1");
    }
    strides.push_back(*bytes);
  }
  return strides;
}

}  // namespace

absl::Status ForEachIndex(const Shape& shape, absl::Span<const int64_t> base,
                          absl::Span<const int64_t> count,
                          absl::Span<const int64_t> increment,
                          IndexVisitor visit) {
  absl::Status status = CheckOrderedArray(shape);
  if (status.ok()) status = CheckRange(shape, base, count, increment);
  if (!status.ok()) return status;
  for (int64_t entries : count) {
    if (entries == 0) return absl::OkStatus();
  }
  const absl::Span<const int64_t> order = shape.layout().minor_to_major();
  Numbers index(base.begin(), base.end());
  size_t advanced = 0;
  while (advanced <= order.size()) {
    if (!visit(index)) break;
    for (advanced = 0; advanced < order.size(); ++advanced) {
      const int64_t d = order[advanced];
      if (base[d] + count[d] - index[d] > increment[d]) {
        index[d] += increment[d];
        break;
      }
      index[d] = base[d];
    }
    if (advanced == order.size()) break;
  }
  return absl::OkStatus();
}

absl::Status ForEachIndex(const Shape& shape, IndexVisitor visit) {
  const Numbers base(shape.rank(), 0);
  const Numbers increment(shape.rank(), 1);
  return ForEachIndex(shape, base, shape.dimensions(), increment, visit);
}

absl::StatusOr<Numbers> UnpackedByteStrides(const Shape& shape) {
  return StridesOfBytes(shape, ByteWidth(shape.element_type()));
}

absl::StatusOr<Numbers> ByteStrides(const Shape& shape) {
  if (absl::Status status = CheckOrderedArray(shape); !status.ok())
    return status;
  const int64_t bits = StorageBits(shape);
  if (bits % 8 != 0) {
    return FailedPreconditionError(shape.ToString(), " has elements of ", bits,
                                   bits == 1 ? " bit" : " bits",
                                   ", which do not begin on whole bytes");
  }
  return StridesOfBytes(shape, bits / 8);
}

}  // namespace tessera
