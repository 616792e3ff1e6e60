// File: index_map/same_function.h
//
// Do two maps put every element at the same place?
//
//   #include "tessera/index_util/to_index_map.h"
//   #include "tessera/parser/parser.h"
//
//   // One tile is row-major, two are not.
//   const auto map = [](absl::string_view text) {
//     return *ToIndexMap(*ParseShape(text));
//   };
//   SameFunction(map("f32[8,128]"),
//                map("f32[8,128]{1,0:T(8,128)}"));   // true
//   SameFunction(map("f32[8,256]"),
//                map("f32[8,256]{1,0:T(8,128)}"));   // false
//
// Decided on the normal form of the maps (index_map/index_map.h), dimension by
// dimension, without looking at elements. Only dimensions that feed a source
// which is computed (those that a tile joins or cuts irregularly), and only
// where the two maps do not compute it alike, are compared by values, over one
// period where there is one; that is bounded, and refused beyond the bound.
//
// Equal swizzles change nothing of this, being one-to-one. Maps of different
// swizzles are compared first where one coordinate is a power of two and the
// others are 0, which shows nearly every difference, then at every index.

#ifndef TESSERA_INDEX_MAP_SAME_FUNCTION_H_
#define TESSERA_INDEX_MAP_SAME_FUNCTION_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "tessera/index_map/index_map.h"

namespace tessera {

struct SameFunctionOptions {
  // How many indices may be compared by value; some 20 ns each.
  int64_t evaluation_limit = int64_t{1} << 22;
};

// Returns whether `a` and `b` have the same bounds and the same linear index
// for every index. How many positions either has beside, as padding, gap or
// tail, does not matter. Maps of any kind may be compared.
//
// Errors: kResourceExhausted if telling would take more evaluations than the
// options allow.
absl::StatusOr<bool> SameFunction(const IndexMap& a, const IndexMap& b,
                                  const SameFunctionOptions& options = {});

}  // namespace tessera

#endif  // TESSERA_INDEX_MAP_SAME_FUNCTION_H_
