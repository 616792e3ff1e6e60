// File: any_layout/bitcasts.h
//
// Can the buffer of one array be read as the other, whatever families the two
// are of?
//
//   const auto bitcasts =
//       FindBitcasts(*ParseAnyLayout("int64[2,2] strides (8, 16) bytes"),
//                    *ParseAnyLayout("s64[2,2]{0,1}"));
//   *(*bitcasts)->as_reshape;   // true

#ifndef TESSERA_ANY_LAYOUT_BITCASTS_H_
#define TESSERA_ANY_LAYOUT_BITCASTS_H_

#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "tessera/any_layout/any_layout.h"
#include "tessera/index_util/bitcast.h"

namespace tessera {

// Returns in which ways the buffer of `from` can be read as `to`, where each is
// an XLA array or a strided array; nullopt where one is neither. A CuTe layout
// does not say how large an element is, and a Tenstorrent tensor lies in the
// memories of several cores.
//
// `steps` are found of two XLA arrays alone. The default memory spaces of both
// families are one.
// Errors: those of FindBitcasts (index_util/bitcast.h), and of ToIndexMap of
// the family.
absl::StatusOr<absl::optional<Bitcasts>> FindBitcasts(
    const AnyLayout& from, const AnyLayout& to,
    const BitcastOptions& options = {});

}  // namespace tessera

#endif  // TESSERA_ANY_LAYOUT_BITCASTS_H_
