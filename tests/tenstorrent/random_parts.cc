#include "tessera/tests/tenstorrent/random_parts.h"

#include <cstdint>
#include <limits>

#include "tessera/tenstorrent/affine/affine_map_parser.h"
#include "tessera/tests/tenstorrent/literal_affine.h"

namespace tessera::tenstorrent {

Dimensions RandomSizes(RandomBits* random) {
  constexpr int64_t kHuge = std::numeric_limits<int64_t>::max();
  Dimensions sizes(Uniform(0, 5, random));
  for (int64_t& size : sizes) {
    size = Uniform(0, Uniform(0, 5, random) == 0 ? kHuge : 300, random);
  }
  return sizes;
}

ElementType RandomElement(RandomBits* random) {
  while (true) {
    ElementType element{RandomOf(kDataTypes, random)};
    if (Uniform(0, 1, random) == 0) {
      element.tile = TileShape{Uniform(1, 64, random), Uniform(1, 64, random)};
    }
    if (!(element.is_tile() ? TileKeyword(element.data_type)
                            : ScalarKeyword(element.data_type))
             .empty()) {
      return element;
    }
  }
}

AffineMap RandomMap(RandomBits* random) {
  return *ParseAffineMap(RandomAffineMap(RandomAffineOptions(), random).text);
}

}  // namespace tessera::tenstorrent
