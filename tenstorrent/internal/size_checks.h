// Checks sizes and coordinates before they are used in computations.
//
//   CheckSizes({2, 8, 32}, "shape");         // OK
//   CheckSizes({2, 0, 32}, "shape");         // "shape[1] = 0; expected at
//                                            // least 1"
//   CheckAtLeast(0, -1, "the base");         // "the base is -1; expected at
//                                            // least 0"
//   CheckCount(2, 3, "strides");             // "expected 3 strides, found 2"
//   *Product({2, 8}, "the volume");          // 16
//
// Functions that take shapes, grids or coordinates from outside check them here
// first, so that all report errors in the same words.

#ifndef TESSERA_TENSTORRENT_INTERNAL_SIZE_CHECKS_H_
#define TESSERA_TENSTORRENT_INTERNAL_SIZE_CHECKS_H_

#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace tessera::tenstorrent {

// Checks the sizes of a shape or a grid. Errors: kInvalidArgument if a size is
// below `limit`, which is 0 for shapes of tensors that may be empty;
// kResourceExhausted if there are more than AffineExpression::kMaxDims, as many
// as a map can have.
absl::Status CheckSizes(absl::Span<const int64_t> sizes, std::string_view name,
                        int64_t limit = 1);

// Returns kInvalidArgument if `value` is below `limit`.
absl::Status CheckAtLeast(int64_t limit, int64_t value, std::string_view what);

// Returns kInvalidArgument if `found` is not `expected`.
absl::Status CheckCount(int64_t found, int64_t expected, std::string_view what);

// Checks an index. Errors: kInvalidArgument if there are not as many
// coordinates as sizes, kOutOfRange if one is not in [0, size).
absl::Status CheckIndex(absl::Span<const int64_t> index,
                        absl::Span<const int64_t> sizes, std::string_view name);

// Returns the product. Errors: kOutOfRange, naming `what`, if it exceeds
// 2^63-1. Precondition: no factor is negative.
absl::StatusOr<int64_t> Product(absl::Span<const int64_t> factors,
                                std::string_view what);

// Returns the product. Precondition: it is at most 2^63-1.
int64_t KnownProduct(absl::Span<const int64_t> factors);

// Returns the number of `index` in row-major order. Precondition: CheckIndex
// passes, and the product of the sizes is at most 2^63-1.
int64_t RowMajorNumber(absl::Span<const int64_t> index,
                       absl::Span<const int64_t> sizes);

}  // namespace tessera::tenstorrent

#endif  // TESSERA_TENSTORRENT_INTERNAL_SIZE_CHECKS_H_
