// Finds the largest distinct arrays and those with the most padding, the cause
// of that padding, and a better order of dimensions if there is one
// (index_util/padding.h).
//
//   #include "tessera/parser/parser.h"
//
//   const Shape shape = *ParseShape("f32[1000,2]{1,0:T(8,128)}");
//   const ArraySizes sizes = *ComputeArraySizes(shape);
//   const CountedArray counted = {&shape, &sizes, /*count=*/3};
//   ArrayTables tables =
//       MakeArrayTables({counted}, /*rows=*/10, /*find_best_orders=*/true);
//   tables.most_wasteful[0].total_padding_bytes;      // 1512000
//   tables.most_wasteful[0].most_padded.cause;        // PaddingCause::kDimensions
//   tables.most_wasteful[0].best_order->padded_bytes;   // 32768

#ifndef TESSERA_HLO_MEMORY_ARRAY_USAGE_H_
#define TESSERA_HLO_MEMORY_ARRAY_USAGE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "tessera/index_util/array_sizes.h"
#include "tessera/index_util/padding.h"  // IWYU pragma: export
#include "tessera/shape/shape.h"

namespace tessera {

// One distinct array.
struct ArrayUsage {
  std::string shape_text;  // canonical, with its layout
  int64_t count = 0;       // how often it occurs in a result shape
  // HloInstruction::index() of the first whose result has it.
  int64_t first_instruction = -1;
  // The bytes of one such array.
  int64_t unpadded_bytes = 0;
  int64_t padded_bytes = 0;
  double padding_factor = 1;  // padded_bytes / unpadded_bytes
  // The bytes of all of them together; a sum above 2^63-1 is 2^63-1.
  int64_t total_padded_bytes = 0;
  int64_t total_padding_bytes = 0;
  bool is_saturated = false;
  PaddingBlame most_padded;
  // The result of FindBestOrder; nullopt if that fails or was not requested.
  std::optional<BestOrder> best_order;
};

// Whether another order is known to take less memory.
inline bool HasBetterOrder(const ArrayUsage& array) {
  return array.best_order.has_value() &&
         array.best_order->padded_bytes < array.padded_bytes;
}

struct CountedArray {
  const Shape* shape;
  const ArraySizes* sizes;
  int64_t count = 0;
  int64_t first_instruction = -1;
};

struct ArrayTables {
  // By the bytes of one array, including padding.
  std::vector<ArrayUsage> largest;
  // By total_padding_bytes; only arrays with padding.
  std::vector<ArrayUsage> most_wasteful;
};

// Returns at most `rows` rows each; among equal ones, those that come first in
// `arrays`. With `find_best_orders`, also fills in the best orders in
// `most_wasteful`.
ArrayTables MakeArrayTables(absl::Span<const CountedArray> arrays, int64_t rows,
                            bool find_best_orders);

}  // namespace tessera

#endif  // TESSERA_HLO_MEMORY_ARRAY_USAGE_H_
