// File: cute/algebra/composition_refusal.h
//
// Why was a composition refused, as data?
//
//   #include "tessera/cute/algebra/composition.h"
//   #include "tessera/cute/parse.h"
//
//   absl::Status status = Composition(*ParseLayout("(3,5):(7,100)"),
//                                     *ParseLayout("4:2")).status();
//   absl::optional<CompositionRefusal> refusal = CompositionRefusalOf(status);
//   refusal->reason;          // CompositionRefusal::Reason::kOtherValue
//   refusal->coordinate[0];   // 3
//   refusal->index;           // 6
//   refusal->value;           // 200
//   // The only layout with the values before has another value there.
//   refusal->modes ==
//       Layout::Leaves({{2, 14, Basis()}, {2, 107, Basis()}});   // true
//   refusal->expected;        // 121

#ifndef TESSERA_CUTE_ALGEBRA_COMPOSITION_REFUSAL_H_
#define TESSERA_CUTE_ALGEBRA_COMPOSITION_REFUSAL_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "tessera/cute/int_tuple.h"
#include "tessera/cute/layout.h"

namespace tessera {
namespace cute {

struct CompositionRefusal {
  enum class Reason {
    // B is below 0 at the coordinate, where an A of several modes has no value.
    kBelowZero,

    // The next three: no layout equals A o B.

    // In one leaf of B, a run of `run` equal steps ends at the coordinate, with
    // `value` instead of `expected`. `run` does not divide the size that is
    // left, `rest`.
    kRunDoesNotDivide,
    // In one leaf of B, `modes` is the only layout with the values before the
    // coordinate, and gives `expected` there instead of `value`.
    kOtherValue,
    // The values at each integer of the coordinate, the others being 0, add up
    // to `expected` instead of `value`: the leaves of B carry out of `mode`.
    kCarry,

    // The others: the rule does not admit the pair, and it was not decided
    // exactly.

    // `stride`, that of a leaf of B in `mode`, is not divisible by the size of
    // the mode.
    kStrideNotDivisible,
    // `stride`, that of a leaf of B in `mode`, does not divide the size of the
    // mode.
    kStrideDoesNotDivide,
    // `stride`, that of a leaf of B in `mode`, leaves a number of elements in
    // the mode that does not divide the size of the leaf.
    kCountDoesNotDivide,
    // The leaves of B together reach `digit` in `mode`, and carry.
    kDigitsCarry,
  };
  Reason reason = Reason::kBelowZero;

  // A coordinate where it shows: an integer for each leaf of B.
  IntTuple::Values coordinate;
  // B at the coordinate.
  int64_t index = 0;

  // The leaf of B whose integer alone is not 0; -1 for kCarry and kDigitsCarry.
  int64_t leaf = -1;
  // The mode of A, after modes of it that continue one another are merged. -1
  // for reasons that name none.
  int64_t mode = -1;

  // A(B) at the coordinate, and what a layout would have there.
  int64_t value = 0;
  int64_t expected = 0;

  // Each of these belongs to the reasons that name it. It is 0 or empty for
  // others.
  int64_t run = 0;
  int64_t rest = 0;
  Layout::Leaves modes;  // without basis elements
  int64_t stride = 0;
  int64_t digit = 0;
  // How many values an exact decision would look at, if it was refused for
  // CompositionOptions::max_evaluations.
  int64_t evaluations = 0;
};

// Returns a status of this message which carries `refusal` as a payload.
// Precondition: `code` is not kOk.
absl::Status CompositionRefusalError(const CompositionRefusal& refusal,
                                     absl::string_view message,
                                     absl::StatusCode code);

// Returns the refusal that `status` carries, or nullopt if it has none. Only
// errors of Composition carry one. Of a composition by mode, A and B are the
// mode that the message names and its tiler; of a composed layout, A is its
// layout. Errors of divides and products carry none: these compose layouts of
// their own making, which the message shows.
absl::optional<CompositionRefusal> CompositionRefusalOf(
    const absl::Status& status);

}  // namespace cute
}  // namespace tessera

#endif  // TESSERA_CUTE_ALGEBRA_COMPOSITION_REFUSAL_H_
