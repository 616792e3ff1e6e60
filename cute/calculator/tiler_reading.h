// The other reading of a tiler: as a layout or by mode.
//
// A layout as the tiler applies to all of A as one dimension. A shape or
// another tuple applies mode by mode. CuTe's users often confuse the two:
//
//   A = (12,28):(1,12)
//   ZippedDivide(A, (4,8):(1,4))    11 tiles of 32, the last one ragged
//   ZippedDivide(A, <4:1, 8:1>)     12 tiles of 4 by 8
//
//   ByModeReading(A, (4,8):(1,4), TilerUse::kPicks)     <4:1, 8:1>
//   WholeReading(20:2, (5,4), TilerUse::kPicks)         (5,4):(1,5)
//
// A result of these functions does not mean that the first reading is wrong,
// only that the other one is plausible.

#ifndef TESSERA_CUTE_CALCULATOR_TILER_READING_H_
#define TESSERA_CUTE_CALCULATOR_TILER_READING_H_

#include <optional>

#include "tessera/cute/int_tuple.h"
#include "tessera/cute/layout.h"
#include "tessera/cute/tiler.h"

namespace tessera::cute {

// The purpose of a tiler: to pick elements of a layout, which must contain
// them, or to repeat the layout.
enum class TilerUse { kPicks, kRepeats };

// Returns the tiler <n:1, ...> of the top-level sizes of `tiler`, if the user
// may have meant it: it has several modes, but no more than `layout`, and its
// strides give only an order, since its offsets are 0 ... size-1. For kPicks,
// each size fits into its mode of `layout`.
std::optional<Tiler> ByModeReading(const Layout& layout, const Layout& tiler,
                                   TilerUse use);

// Returns the column-major layout of `shape`, if the user may have meant it by
// a tuple of sizes: applied by mode, the tuple has too many modes; or, for
// kPicks, it has a mode that is larger than that of `layout`, although its size
// fits into that of `layout`.
std::optional<Layout> WholeReading(const Layout& layout, const IntTuple& shape,
                                   TilerUse use);

}  // namespace tessera::cute

#endif  // TESSERA_CUTE_CALCULATOR_TILER_READING_H_
