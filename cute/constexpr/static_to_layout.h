// File: cute/constexpr/static_to_layout.h
//
// What was known as the program was compiled, for what is asked as it runs.
//
//   constexpr StaticLayout kTile = ParseStaticLayout("(8,16):(16,1)");
//   const Layout tile = ToLayout(kTile);
//   tile.ToString();   // "(8,16):(16,1)"
//   tile(9);           // 17
//
// There is no way back: a constant is made of constants.

#ifndef TESSERA_CUTE_CONSTEXPR_STATIC_TO_LAYOUT_H_
#define TESSERA_CUTE_CONSTEXPR_STATIC_TO_LAYOUT_H_

#include "tessera/cute/constexpr/static_layout.h"
#include "tessera/cute/layout.h"

namespace tessera {
namespace cute {

// The same layout: of the same text, and the same value at every coordinate.
Layout ToLayout(const StaticLayout& layout);

}  // namespace cute
}  // namespace tessera

#endif  // TESSERA_CUTE_CONSTEXPR_STATIC_TO_LAYOUT_H_
