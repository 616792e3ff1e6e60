// Fills in numbers that are known only at run time, which printed text leaves
// open: `?` and `?{div=8}` of the CuTe DSL, and `int` in a tuple of C++ types.
//
//   BindUnknownSizes("(?,8):(1,?{div=8})", {512, 512});
//       // "(512,8):(1,512)"
//
// The numbers are given in the order of the text, or one number for all.

#ifndef TESSERA_CUTE_CALCULATOR_UNKNOWN_SIZES_H_
#define TESSERA_CUTE_CALCULATOR_UNKNOWN_SIZES_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace tessera::cute {

// Quickly checks whether `text` may have such a number.
bool MayHaveUnknownSizes(std::string_view text);

// Adds the numbers of "16,8" to `sizes`. Errors: kInvalidArgument if one is not
// a number.
absl::Status ReadUnknownSizes(std::string_view text,
                              std::vector<int64_t>* sizes);

// Returns `text` with the numbers in place of the unknown sizes. `origins`, if
// not null, receives the place in `text` of each byte of the result, and of its
// end. Errors, with their place in `text`: kInvalidArgument if numbers are
// missing or left over, or if one is not a multiple of its `div`.
absl::StatusOr<std::string> BindUnknownSizes(
    std::string_view text, absl::Span<const int64_t> values,
    std::vector<size_t>* origins = nullptr);

}  // namespace tessera::cute

#endif  // TESSERA_CUTE_CALCULATOR_UNKNOWN_SIZES_H_
