// Converts a number to the bytes of one element.
//
//   ParseElementValue("-1", S16);     // ff ff 00 ...
//   ParseElementValue("1.5", BF16);   // c0 3f 00 ...
//   ParseElementValue("-inf", F16);   // 00 fc 00 ...

#ifndef TESSERA_CLI_RELAYOUT_ELEMENT_VALUE_H_
#define TESSERA_CLI_RELAYOUT_ELEMENT_VALUE_H_

#include <array>
#include <cstdint>
#include <string_view>

#include "absl/status/statusor.h"
#include "tessera/layout/primitive_type.h"

namespace tessera::cli {

// The bytes of an element, the lowest first, followed by zeros.
using ElementBytes = std::array<uint8_t, 16>;

// Reads a whole number for integral types, true, false, 0 or 1 for pred, and
// for floating-point types a number that strtod reads, rounded to nearest, ties
// to even; inf and nan if the type has them. A complex number is given by its
// real part.
//
// Errors: kInvalidArgument if the text is not such a number; kOutOfRange if the
// number is outside the finite range of the type.
absl::StatusOr<ElementBytes> ParseElementValue(std::string_view text,
                                               PrimitiveType type);

}  // namespace tessera::cli

#endif  // TESSERA_CLI_RELAYOUT_ELEMENT_VALUE_H_
