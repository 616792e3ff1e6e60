// Sizes or coordinates of a tensor, a grid or a shard.
//
//   Dimensions grid = {3, 2};                // three rows of two cores
//   Dimensions cell = {2, 0};                // the first core of the last row

#ifndef TESSERA_TENSTORRENT_DIMENSIONS_H_
#define TESSERA_TENSTORRENT_DIMENSIONS_H_

#include <cstdint>

#include "absl/container/inlined_vector.h"

namespace tessera::tenstorrent {

// One number per dimension, major to minor.
using Dimensions = absl::InlinedVector<int64_t, 6>;

}  // namespace tessera::tenstorrent

#endif  // TESSERA_TENSTORRENT_DIMENSIONS_H_
