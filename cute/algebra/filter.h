// File: cute/algebra/filter.h
//
// Removes modes of stride 0 and size 1 from a layout.
//
//   #include "tessera/cute/parse.h"
//
//   FilterZeros(*ParseLayout("(2,4,8):(1,0,4)")).ToString();
//                                                     // "(2,1,8):(1,0,4)"
//   Filter(*ParseLayout("(2,4,8):(1,0,2)")).ToString();           // "16:1"
//
// Laws: FilterZeros is congruent with its argument, and has the same values
// (not at the same coordinates); Filter is Coalesce of it. All implementations
// agree.

#ifndef TESSERA_CUTE_ALGEBRA_FILTER_H_
#define TESSERA_CUTE_ALGEBRA_FILTER_H_

#include "tessera/cute/layout.h"

namespace tessera {
namespace cute {

// Gives every mode of stride 0 the size 1.
Layout FilterZeros(const Layout& layout);

Layout Filter(const Layout& layout);

}  // namespace cute
}  // namespace tessera

#endif  // TESSERA_CUTE_ALGEBRA_FILTER_H_
