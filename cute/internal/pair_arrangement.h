// Arranges the modes of a divide or a product in one of four forms.
//
// Both turn each mode (M, N, L, ...) and its tiler <T, U> into two layouts:
// tile and rest, or block and repetitions. The forms differ in the order of
// these:
//
//   logical  ((M0,M1), (N0,N1), L, ...)
//   zipped   ((M0,N0), (M1,N1,L,...))
//   tiled    ((M0,N0), M1, N1, L, ...)
//   flat     (M0, N0, M1, N1, L, ...)
//
// With a layout as the tiler there is one pair for the whole. A tuple of one
// mode stays a tuple in the tiled and flat forms, as in C++; pycute and cutegen
// unwrap it.

#ifndef TESSERA_CUTE_INTERNAL_PAIR_ARRANGEMENT_H_
#define TESSERA_CUTE_INTERNAL_PAIR_ARRANGEMENT_H_

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "tessera/cute/layout.h"
#include "tessera/cute/tiler.h"

namespace tessera::cute {

enum class PairArrangement { kLogical, kZipped, kTiled, kFlat };

// The place, in the other three forms, of a mode that `_` leaves unchanged. In
// the logical form it is not paired.
enum class UnderscorePlace { kFirst, kSecond };

// Returns the layout in this form. `make_pair` makes a layout of rank 2 from a
// mode and its tiler. Errors: that of `make_pair`, with the mode;
// kInvalidArgument if the tiler has more modes than the layout.
absl::StatusOr<Layout> ArrangePairs(
    const Layout& layout, const Tiler& tiler, PairArrangement arrangement,
    UnderscorePlace underscore_place,
    absl::FunctionRef<absl::StatusOr<Layout>(const Layout&, const Layout&)>
        make_pair);

}  // namespace tessera::cute

#endif  // TESSERA_CUTE_INTERNAL_PAIR_ARRANGEMENT_H_
