// Decides whether two maps put every element at the same place.
//
//   #include "tessera/index_util/to_index_map.h"
//   #include "tessera/parser/parser.h"
//
//   // One tile is row-major, two are not.
//   const auto map = [](std::string_view text) {
//     return *ToIndexMap(*ParseShape(text));
//   };
//   SameFunction(map("f32[8,128]"),
//                map("f32[8,128]{1,0:T(8,128)}"));   // true
//   SameFunction(map("f32[8,256]"),
//                map("f32[8,256]{1,0:T(8,128)}"));   // false
//
// The normal forms of the maps (index_map/index_map.h) decide this, dimension
// by dimension, without looking at elements. Dimensions are compared by value
// only if they feed a computed source (a tile joins them or cuts them
// irregularly) that the two maps compute differently. This covers one period,
// if there is one; beyond a limit it is refused.
//
// Equal swizzles do not matter, since they are one-to-one. Maps with different
// swizzles are compared by value at every index.
//
// Before a comparison by value, the maps are compared at the indices with a
// power of two in one coordinate and 0 in the others, which shows nearly every
// difference, whatever the limit.

#ifndef TESSERA_INDEX_MAP_SAME_FUNCTION_H_
#define TESSERA_INDEX_MAP_SAME_FUNCTION_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "tessera/index_map/index_map.h"

namespace tessera {

struct SameFunctionOptions {
  // The largest number of indices to compare by value, at about 20 ns each.
  int64_t evaluation_limit = int64_t{1} << 22;
};

// Returns whether `a` and `b` have the same bounds and the same linear index
// for every index. Other positions (padding, gaps and tail) do not matter.
// Accepts maps of any kind.
//
// Errors: kResourceExhausted if a decision would take more evaluations than the
// options allow.
absl::StatusOr<bool> SameFunction(const IndexMap& a, const IndexMap& b,
                                  const SameFunctionOptions& options = {});

}  // namespace tessera

#endif  // TESSERA_INDEX_MAP_SAME_FUNCTION_H_
