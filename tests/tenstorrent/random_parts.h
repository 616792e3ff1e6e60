// Random parts of layouts, for the laws of their texts: what is printed is read
// back.
//
//   RandomBits random(TestSeed());
//   RandomSizes(&random);                 // {7, 0, 4611686018427387904}
//   RandomElement(&random).ToString();    // "!tt.tile<3x32, bfp_f8>"
//   RandomMap(&random).ToString();        // "(d0, d1) -> (-d1 floordiv 4 + 3)"
//   RandomOf(kOobValues, &random);        // OobValue::kInf

#ifndef TESSERA_TESTS_TENSTORRENT_RANDOM_PARTS_H_
#define TESSERA_TESTS_TENSTORRENT_RANDOM_PARTS_H_

#include <cstddef>

#include "tessera/tenstorrent/affine/affine_map.h"
#include "tessera/tenstorrent/element_type.h"
#include "tessera/tenstorrent/metal_layout.h"
#include "tessera/tests/literal/random_layouts.h"

namespace tessera::tenstorrent {

// From none to five sizes, now and then a huge one.
Dimensions RandomSizes(RandomBits* random);

// One that a text can name.
ElementType RandomElement(RandomBits* random);

AffineMap RandomMap(RandomBits* random);

template <typename Value, size_t n>
Value RandomOf(const Value (&values)[n], RandomBits* random) {
  return values[Uniform(0, n - 1, random)];
}

}  // namespace tessera::tenstorrent

#endif  // TESSERA_TESTS_TENSTORRENT_RANDOM_PARTS_H_
