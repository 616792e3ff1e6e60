// Selects, groups, replaces and appends top-level modes of int tuples and
// layouts.
//
//   #include "tessera/cute/parse.h"
//
//   Layout a = *ParseLayout("(2,3,(4,5)):(1,2,(6,24))");
//   Take(a, 0, 2)->ToString();          // "(2,3):(1,2)"
//   Select(a, {2, 0})->ToString();      // "((4,5),2):((6,24),1)"
//   Group(a, 0, 2)->ToString();         // "((2,3),(4,5)):((1,2),(6,24))"
//   AppendToRank(a, 4)->ToString();     // "(2,3,(4,5),1):(1,2,(6,24),0)"
//   Replace(a, 2, *ParseLayout("7:6"))->ToString();   // "(2,3,7):(1,2,6)"
//   Flatten(a).ToString();              // "(2,3,4,5):(1,2,6,24)"
//
// Names and meanings are those of include/cute/int_tuple.hpp and layout.hpp. An
// integral value counts as a tuple whose only mode is itself. A result that is
// a tuple in CuTe is a tuple here, even with one mode.
//
// Errors: kOutOfRange for a mode that does not exist; kInvalidArgument as for
// Layout::Concatenate.

#ifndef TESSERA_CUTE_MODES_H_
#define TESSERA_CUTE_MODES_H_

#include <cstdint>
#include <initializer_list>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tessera/cute/int_tuple.h"
#include "tessera/cute/layout.h"

namespace tessera::cute {

// Return modes begin to end - 1. Errors: kInvalidArgument if begin == end, as
// in C++.
absl::StatusOr<IntTuple> Take(const IntTuple& tuple, int64_t begin,
                              int64_t end);
absl::StatusOr<Layout> Take(const Layout& layout, int64_t begin, int64_t end);

// Return the modes with these numbers, in this order.
absl::StatusOr<IntTuple> Select(const IntTuple& tuple,
                                absl::Span<const int64_t> modes);
absl::StatusOr<Layout> Select(const Layout& layout,
                              absl::Span<const int64_t> modes);

// Return the value with modes begin to end - 1 joined into one mode.
absl::StatusOr<IntTuple> Group(const IntTuple& tuple, int64_t begin,
                               int64_t end);
absl::StatusOr<Layout> Group(const Layout& layout, int64_t begin, int64_t end);

// Return the value with one more mode at the end, or at the start.
IntTuple Append(const IntTuple& tuple, const IntTuple& mode);
absl::StatusOr<Layout> Append(const Layout& layout, const Layout& mode);
IntTuple Prepend(const IntTuple& tuple, const IntTuple& mode);
absl::StatusOr<Layout> Prepend(const Layout& layout, const Layout& mode);

// Return the value with copies of `mode` added up to rank `rank`; unchanged if
// it has that rank. Errors: kInvalidArgument if it has more modes;
// kResourceExhausted for more than 2^20.
absl::StatusOr<Layout> AppendToRank(const Layout& layout, int64_t rank,
                                    const Layout& mode = Layout());
absl::StatusOr<Layout> PrependToRank(const Layout& layout, int64_t rank,
                                     const Layout& mode = Layout());

// Return the value with mode `i` replaced.
absl::StatusOr<IntTuple> Replace(const IntTuple& tuple, int64_t i,
                                 const IntTuple& mode);
absl::StatusOr<Layout> Replace(const Layout& layout, int64_t i,
                               const Layout& mode);

// Returns the leaves as a flat tuple; an integral layout stays integral. (For
// int tuples see cute/int_tuple.h.)
Layout Flatten(const Layout& layout);
// Returns the leaves, nested like `profile`. Errors: kInvalidArgument if they
// differ in number.
absl::StatusOr<Layout> Unflatten(const Layout& layout, const Profile& profile);

}  // namespace tessera::cute

#endif  // TESSERA_CUTE_MODES_H_
