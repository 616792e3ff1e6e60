// The reason why a composition was refused, as data.
//
//   #include "tessera/cute/algebra/composition.h"
//   #include "tessera/cute/parse.h"
//
//   absl::Status status = Composition(*ParseLayout("(3,5):(7,100)"),
//                                     *ParseLayout("4:2")).status();
//   std::optional<CompositionRefusal> refusal = CompositionRefusalOf(status);
//   refusal->reason;          // CompositionRefusal::Reason::kOtherValue
//   refusal->coordinate[0];   // 3
//   refusal->index;           // 6
//   refusal->value;           // 200
//   // The only layout with the earlier values has another value there.
//   refusal->modes ==
//       Layout::Leaves({{2, 14, Basis()}, {2, 107, Basis()}});   // true
//   refusal->expected;        // 121

#ifndef TESSERA_CUTE_ALGEBRA_COMPOSITION_REFUSAL_H_
#define TESSERA_CUTE_ALGEBRA_COMPOSITION_REFUSAL_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "absl/status/status.h"
#include "tessera/cute/int_tuple.h"
#include "tessera/cute/layout.h"

namespace tessera::cute {

struct CompositionRefusal {
  enum class Reason {
    // Leaves of B with strides of both signs move digits of A, so digits may
    // carry, and there was no exact decision.
    kOppositeSigns,

    // For the next three reasons, no layout equals A o B.

    // In one leaf of B, a run of `run` equal steps ends at the coordinate, with
    // `value` instead of `expected`. `run` does not divide the remaining size,
    // `rest`.
    kRunDoesNotDivide,
    // In one leaf of B, `modes` is the only layout with the values before the
    // coordinate, and gives `expected` there instead of `value`.
    kOtherValue,
    // The values at each integer of the coordinate, the others being 0, add up
    // to `expected` instead of `value`: the leaves of B carry out of `mode`.
    kCarry,

    // For the remaining reasons, the rule does not admit the pair, and there
    // was no exact decision.

    // `stride`, the stride of a leaf of B in `mode`, is not divisible by the
    // size of the mode.
    kStrideNotDivisible,
    // `stride`, the stride of a leaf of B in `mode`, does not divide the size
    // of the mode.
    kStrideDoesNotDivide,
    // `stride`, the stride of a leaf of B in `mode`, leaves a number of
    // elements in the mode that does not divide the size of the leaf.
    kCountDoesNotDivide,
    // Together the leaves of B reach `digit` in `mode`, and carry.
    kDigitsCarry,
  };
  Reason reason = Reason::kOppositeSigns;

  // A coordinate that demonstrates the reason: an integer for each leaf of B.
  IntTuple::Values coordinate;
  // B at the coordinate.
  int64_t index = 0;

  // The only leaf of B whose integer is not 0; -1 for kOppositeSigns, kCarry
  // and kDigitsCarry.
  int64_t leaf = -1;
  // The mode of A, after modes that continue one another are merged. -1 for
  // reasons without a mode.
  int64_t mode = -1;

  // A(B) at the coordinate, and the value that a layout would have there.
  int64_t value = 0;
  int64_t expected = 0;

  // Each of these is set for the reasons that name it, and 0 or empty for
  // others.
  int64_t run = 0;
  int64_t rest = 0;
  Layout::Leaves modes;  // without basis elements
  int64_t stride = 0;
  int64_t digit = 0;
  // The number of values that an exact decision would look at, if
  // CompositionOptions::max_evaluations refused it.
  int64_t evaluations = 0;
};

// Returns a status with this message that carries `refusal` as a payload.
// Precondition: `code` is not kOk.
absl::Status CompositionRefusalError(const CompositionRefusal& refusal,
                                     std::string_view message,
                                     absl::StatusCode code);

// Returns the refusal that `status` carries, or nullopt if it has none. Only
// errors of Composition carry one. In a composition by mode, A is the mode that
// the message names and B its tiler; for a composed layout, A is its layout.
// Errors of divides and products carry none, because they compose intermediate
// layouts, which the message shows.
std::optional<CompositionRefusal> CompositionRefusalOf(
    const absl::Status& status);

}  // namespace tessera::cute

#endif  // TESSERA_CUTE_ALGEBRA_COMPOSITION_REFUSAL_H_
