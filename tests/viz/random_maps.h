// Maps of every kind, to draw: XLA's tiles, joins and tails, CuTe's strides
// with repeats and gaps, Tenstorrent's shards, and all of it swizzled.
//
//   RandomBits random(TestSeed());
//   const IndexMap map = RandomMap(&random);

#ifndef TESSERA_TESTS_VIZ_RANDOM_MAPS_H_
#define TESSERA_TESTS_VIZ_RANDOM_MAPS_H_

#include "tessera/index_map/index_map.h"
#include "tessera/tests/literal/random_layouts.h"

namespace tessera {

// A map of at most some thousand positions, perhaps of no element.
IndexMap RandomMap(RandomBits* random);

}  // namespace tessera

#endif  // TESSERA_TESTS_VIZ_RANDOM_MAPS_H_
