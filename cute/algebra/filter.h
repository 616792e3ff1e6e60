// Removes modes of stride 0 and size 1 from a layout.
//
//   #include "tessera/cute/parse.h"
//
//   FilterZeros(*ParseLayout("(2,4,8):(1,0,4)")).ToString();
//                                                     // "(2,1,8):(1,0,4)"
//   Filter(*ParseLayout("(2,4,8):(1,0,2)")).ToString();           // "16:1"
//   FilterZerosByProfile(*ParseLayout("(2,4):(1,2)"), {1, 0})->ToString();
//                                                     // "(2,1):(1,2)"
//
// Laws: FilterZeros is congruent with its argument, and has the same values
// (not at the same coordinates); Filter is Coalesce of it. All implementations
// agree. (C++ names the functions by profile like the others.)

#ifndef TESSERA_CUTE_ALGEBRA_FILTER_H_
#define TESSERA_CUTE_ALGEBRA_FILTER_H_

#include "absl/status/statusor.h"
#include "tessera/cute/int_tuple.h"
#include "tessera/cute/layout.h"

namespace tessera::cute {

// Gives every mode of stride 0 the size 1.
Layout FilterZeros(const Layout& layout);

Layout Filter(const Layout& layout);

// Gives the modes at a 0 of `profile` the size 1; other values of the profile
// are ignored. Errors: kInvalidArgument if the profile is not WeaklyCongruent
// with the shape.
absl::StatusOr<Layout> FilterZerosByProfile(const Layout& layout,
                                            const IntTuple& profile);

// Filters the part of the layout at each leaf of `profile`, whose values are
// ignored. Errors: those of CoalesceByProfile.
absl::StatusOr<Layout> FilterByProfile(const Layout& layout,
                                       const IntTuple& profile);

}  // namespace tessera::cute

#endif  // TESSERA_CUTE_ALGEBRA_FILTER_H_
